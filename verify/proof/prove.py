"""Prove a rule for every board size: one proof for each drawing, pose and move.

A rule forbids a move when one of its drawings matches. So it is sound when no drawing,
in any pose, has a position with a completion that begins with one of its moves. Each of
these *parts* is a window (`verify.proof.window`), and the formula of the window
(`verify.proof.encoding`) must have no model. Scopes are tried from the widest, which is
every board with any walls and ends. Planarity is used only where it is needed.

The rule is taken alone: `stops` and `unless` can only make it forbid less.
"""

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeAlias

from heuristic.groups import APART, group_names, load_rules
from heuristic.rule import Boards, Rule, widest
from heuristic.rules.drawing import (
    ANY,
    MOVES,
    CellState,
    Frame,
    RuleSpec,
    Spot,
    written,
)
from solver.board import Symmetry
from verify.proof.decision import (
    HARDER,
    Decision,
    GaveUp,
    Impossible,
    NoModel,
    Shape,
    Survivor,
    refuted,
    search,
    shape_of,
)
from verify.proof.encoding import UPPER_LEFT
from verify.proof.formula import Scope
from verify.proof.window import IF_RIGHT, Window, assumes, from_drawing

# Limits in seconds, in the order in which scopes are tried. A narrower scope often
# takes a moment where a wider one fails; those without planarity cost little.
_FIRST_SECONDS = {
    Scope.PLAIN: 1.0,
    Scope.RIM: 1.0,
    Scope.PLANAR: 4.0,
    Scope.CORNERS: math.inf,
}
_BOARDS = {
    Scope.PLAIN: Boards.ANY,
    Scope.PLANAR: Boards.RIM,
    Scope.RIM: Boards.PLAIN,
    Scope.CORNERS: Boards.CORNERS,
}
_ORDER = list(Scope)
_SHAPES = 4  # of earlier proofs that the next part tries first


@dataclass(slots=True)
class EarlierProofs:
    """The shapes of the proofs of a rule's earlier parts; later proofs resemble them.

    - `within`: the narrowest scope that may be tried.
    - `scope`: the narrowest scope that a part needed.
    - `shapes`: of the last proofs, the last first.
    - `conflicts`: of proofs by their shapes, when an easier window was last searched.
    - `open`: whether a part had no proof. Then the others rarely have one, and the
      search begins with the whole window.
    """

    within: Scope
    scope: Scope = Scope.PLAIN
    shapes: dict[Scope, list[Shape]] = field(default_factory=dict)
    conflicts: dict[Shape, int] = field(default_factory=dict)
    open: bool = False

    def search(self, window: Window, seconds: float) -> Decision:
        """Search a window in scopes from the cheapest until one has no model.

        If each has one, return the decision of the narrowest.
        """
        if window.away:  # it has no rim, and resembles no other
            return search(window, Scope.PLAIN, seconds)
        decision: Decision = GaveUp()
        for scope, most in _FIRST_SECONDS.items():
            late = scope is Scope.PLANAR and self.scope is Scope.CORNERS
            if late or _ORDER.index(scope) > _ORDER.index(self.within):
                continue
            first = [shape_of(window, window)] if self.open else []
            first += self.shapes.get(scope, ())
            decision = search(window, scope, min(seconds, most), first)
            if isinstance(decision, NoModel):
                return decision
        self.open = True
        return decision

    def learn(self, window: Window, proof: Impossible) -> None:
        """Remember the proof of a window."""
        if window.away:
            return
        self.scope = max(self.scope, proof.scope, key=_ORDER.index)
        shape, before = shape_of(window, proof.window), self.shapes.get(proof.scope, [])
        others = [other for other in before if other != shape]
        self.shapes[proof.scope] = [shape, *others[: _SHAPES - 1]]
        if proof.conflicts > HARDER * self.conflicts.get(shape, 0):
            self.conflicts[shape] = proof.conflicts


@dataclass(frozen=True, slots=True)
class ProvedPart:
    """One drawing of a rule in one pose, and one move that it forbids there."""

    drawing: int
    pose: Symmetry
    move: Spot

    def __str__(self) -> str:
        name = self.pose.name.lower().replace("_", " ").replace("identity", "none")
        return f"drawing {self.drawing + 1}, pose {name}, move to {written(self.move)}"


@dataclass(frozen=True, slots=True)
class Proved:
    """A rule with a proof of each part."""

    rule: RuleSpec
    proofs: tuple[tuple[ProvedPart, Impossible], ...]
    seconds: float
    word: str = "PROVED"

    @property
    def scope(self) -> Scope:
        """The scope in which all parts are proved."""
        return max((proof.scope for _, proof in self.proofs), key=_ORDER.index)

    @property
    def upper_left(self) -> bool:
        """Return whether a proof assumes that the start is the upper left corner."""
        return any(
            proof.scope is Scope.CORNERS
            and not proof.wide
            and self.rule.drawings[part.drawing].frame is Frame.BOARD
            for part, proof in self.proofs
        )

    @property
    def admitted(self) -> Boards:
        """The boards for which all parts are proved, as rule files name them."""
        return Boards.UPPER_LEFT if self.upper_left else _BOARDS[self.scope]

    @property
    def boards(self) -> str:
        """The boards for which all parts are proved, in words."""
        boards = UPPER_LEFT if self.upper_left else self.scope.value
        limit = self.rule.note if self.rule.kind == "procedure" else ""
        return boards + limit + IF_RIGHT * assumes(self.rule)

    @property
    def clauses(self) -> int:
        """The number of clauses of all proofs; one proof may serve several poses."""
        return sum(len(p.clauses) for p in {id(p): p for _, p in self.proofs}.values())


@dataclass(frozen=True, slots=True)
class Unproved:
    """A rule without a verdict yet.

    - `survivors`: for parts without a proof, a configuration that the theorem does not
      exclude, or the time limit. After a few of them the rest is not tried.
    """

    rule: RuleSpec
    proofs: tuple[tuple[ProvedPart, Impossible], ...]
    survivors: tuple[tuple[ProvedPart, Survivor | GaveUp], ...]
    seconds: float


def scope_for(boards: Boards) -> Scope:
    """Return the scope whose proofs hold on all boards of a kind.

    >>> scope_for(Boards.UPPER_LEFT).name
    'CORNERS'
    """
    return next((x for x in Scope if _BOARDS[x] is boards), Scope.CORNERS)


def parts(rule: RuleSpec) -> Iterator[tuple[ProvedPart, Window]]:
    """Yield every part with its window; moves back to the cell before have none."""
    for number, drawing in enumerate(rule.drawings):
        for pose, move in product(drawing.turns, drawing.forbidden):
            window = from_drawing(drawing, pose, move)
            if window is not None:
                yield ProvedPart(number, pose, move), window


def prove_rule(
    rule: RuleSpec,
    *,
    seconds: float = 20.0,
    most: int = 4,
    within: Scope = Scope.CORNERS,
) -> Proved | Unproved:
    """Prove every part of a rule; a rule without drawings is not proved.

    - `seconds`: limit of processor time for one part in one scope.
    - `most`: the number of parts without a proof after which the search stops.
    - `within`: the boards that the proof must hold for.
    """
    began = time.process_time()
    proofs: list[tuple[ProvedPart, Impossible]] = []
    survivors: list[tuple[ProvedPart, Survivor | GaveUp]] = []
    for part, outcome in _outcomes(rule, seconds, within):
        if isinstance(outcome, Impossible):
            proofs.append((part, outcome))
        else:
            survivors.append((part, outcome))
            if len(survivors) >= most:
                break
    took = time.process_time() - began
    if survivors or not proofs:
        return Unproved(rule, tuple(proofs), tuple(survivors), took)
    return Proved(rule, tuple(proofs), took)


_Outcome: TypeAlias = Impossible | Survivor | GaveUp


def _outcomes(
    rule: RuleSpec, seconds: float, within: Scope
) -> Iterator[tuple[ProvedPart, _Outcome]]:
    """Yield the outcome of each part; the first pose seeks a proof that serves all."""
    memory = EarlierProofs(within)
    outcomes: dict[str, _Outcome] = {}
    wide: dict[tuple[int, Spot], Impossible] = {}
    windows = list(parts(rule))
    left = Counter((part.drawing, part.move) for part, _ in windows)
    for part, window in windows:
        place = part.drawing, part.move
        if place in wide:
            yield part, wide[place]
            continue
        less = None
        if left[place] > 1:
            less = from_drawing(rule.drawings[part.drawing], None, part.move)
        key = repr((window, less))
        outcome = outcomes.get(key) or memory.search(window, seconds)
        if isinstance(outcome, NoModel):
            outcome = refuted(window, outcome, memory.conflicts, less, left[place])
            memory.learn(window, outcome)
        outcomes[key] = outcome
        if isinstance(outcome, Impossible) and outcome.wide:
            wide[place] = outcome
        left[place] -= 1
        yield part, outcome


def prove_void(rule: RuleSpec, *, seconds: float) -> Proved | None:
    """Prove that no completable position matches a rule; None without a proof.

    The proof is for a rule that forbids each move to a neighbour that may be free. None
    too if a neighbour must be free or visited, or free or outside.
    """
    drawings = []
    for drawing in rule.drawings:
        needs = [drawing.need(move) for move in sorted(MOVES.values())]
        free = [need for need in needs if CellState.FREE in need.states]
        if any(need.states not in (ANY, CellState.FREE) for need in free):
            return None
        drawings.append(replace(drawing, forbidden=tuple(need.at for need in free)))
    silent = replace(rule, name=f"{rule.name}-void", drawings=tuple(drawings))
    attempt = prove_rule(silent, seconds=seconds, most=1)
    return attempt if isinstance(attempt, Proved) else None


def never_fires(rule: RuleSpec, *, seconds: float = 0.5) -> bool:
    """Return whether a proof within the limit shows that a rule never fires."""
    if rule.kind != "ban" or rule.reads_lines:
        return False
    void = prove_void(rule, seconds=seconds)
    return void is not None and widest([void.admitted, rule.boards]) is void.admitted


_BY_CASE = "sa-next-step"  # a procedure that only a case can refute


def book_rules(names: str = "") -> list[Rule]:
    """Return rules by their names, or all of the book but those of a command."""
    if names:
        return [*load_rules(names).rules]
    rules: dict[str, Rule] = {}
    for group in group_names():
        for rule in () if group in APART else load_rules(group).rules:
            rules.setdefault(rule.name, rule)
    return list(rules.values())


def drawn_bans(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name the rules that are drawn and read no future lines."""
    drawn = [rule for rule in rules if isinstance(rule, RuleSpec)]
    return {rule.name: rule for rule in drawn if not rule.reads_lines}


def provable_form(rule: Rule) -> RuleSpec | None:
    """Return the form of a rule that a proof speaks of; None if it has none.

    See `verify.proof.inferences` for inferences and for the sequence.
    """
    if isinstance(rule, RuleSpec) and rule.kind != "inference":
        return rule
    # most rules are bans, which do not need them
    from verify.proof.inferences import SEQUENCE, inference_form, sequence_form

    if isinstance(rule, RuleSpec):
        return inference_form(rule)
    if rule.name == SEQUENCE:
        return sequence_form(rule)
    if rule.name == _BY_CASE:
        about = rule.name, rule.claim, rule.origin, "after it the rules leave no move"
        return RuleSpec(*about, (), kind="procedure")
    return None


def provable(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name the provable forms of rules, of those that have any."""
    return {form.name: form for form in filter(None, map(provable_form, rules))}


def not_provable(rules: Iterable[Rule]) -> dict[str, str]:
    """Return by name why rules have no provable form."""
    lines, other = "reads future lines", "has no drawing"
    return {
        rule.name: lines if isinstance(rule, RuleSpec) else other
        for rule in rules
        if provable_form(rule) is None
    }
