"""Prove a rule for every board size: one proof for each drawing, pose and move.

A rule forbids a move when one of its drawings matches; so it is sound when no drawing,
in no pose, has a world in which a completion begins with one of its moves. Each of
these *parts* is a window (`verify.proof.window`). Its formula (`verify.proof.encoding`)
must have no model. The scopes are tried from the widest: what holds on every board,
with any walls and ends, is proved so; planarity comes in when it is needed.

The rule is taken alone: `stops` and `unless` only ever ask it less often.

Which rules can be put to a proof: drawings, rules of future lines, procedures.
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
from solver.symmetry import Symmetry
from verify.proof.decision import (
    MUCH,
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

# Seconds, in the order in which the scopes are tried. A narrower scope often settles in
# a moment what a wider one cannot; those without planarity cost little.
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
_REMEMBERED = 4


@dataclass(slots=True)
class Memory:
    """What did for the parts of a rule so far: the next ones are much like them.

    - `within`: the narrowest scope that may be tried.
    - `scope`: the narrowest that a part needed; a wider one for another part gains
      nothing.
    - `shapes`: which cells beside the marked ones the last proofs looked at, the last
      first.
    - `ended`: conflicts of these, when an easier part was last looked for.
    - `open`: whether a part had no proof. The next ones will not either, mostly: then
      the whole of a window is looked at first, of which no part excludes a model.
    """

    within: Scope
    scope: Scope = Scope.PLAIN
    shapes: dict[Scope, list[Shape]] = field(default_factory=dict)
    ended: dict[Shape, int] = field(default_factory=dict)
    open: bool = False

    def search(self, window: Window, seconds: float) -> Decision:
        """Search a window in a wide scope in which it has no model, cheap ones first.

        When none will do, the answer of the narrowest scope is returned.
        """
        if window.away:  # no rim is known there, and nothing learnt
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
        """Remember what did for a window."""
        if window.away:
            return
        self.scope = max(self.scope, proof.scope, key=_ORDER.index)
        shape, before = shape_of(window, proof.window), self.shapes.get(proof.scope, [])
        others = [other for other in before if other != shape]
        self.shapes[proof.scope] = [shape, *others[: _REMEMBERED - 1]]
        if proof.conflicts > MUCH * self.ended.get(shape, 0):
            self.ended[shape] = proof.conflicts


@dataclass(frozen=True, slots=True)
class Part:
    """One drawing of a rule in one pose, and one move it forbids there."""

    drawing: int
    pose: Symmetry
    move: Spot

    def __str__(self) -> str:
        name = self.pose.name.lower().replace("_", " ").replace("identity", "none")
        return f"drawing {self.drawing + 1}, pose {name}, move to {written(self.move)}"


@dataclass(frozen=True, slots=True)
class Proved:
    """No completion of any matching position begins with a forbidden move.

    - `proofs`, tuple of (Part, Impossible)
    - `seconds`: processor time that the search took.
    """

    rule: RuleSpec
    proofs: tuple[tuple[Part, Impossible], ...]
    seconds: float
    word: str = "PROVED"

    @property
    def scope(self) -> Scope:
        """The boards for which all parts are proved."""
        return max((proof.scope for _, proof in self.proofs), key=_ORDER.index)

    @property
    def upper_left(self) -> bool:
        """Whether a part takes the start for the upper left corner of the board.

        So do drawings in the board frame that are proved for each symmetry apart.
        """
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
        """Clauses of all formulas together; one that does for several poses is one."""
        return sum(len(p.clauses) for p in {id(p): p for _, p in self.proofs}.values())


@dataclass(frozen=True, slots=True)
class Unproved:
    """Some parts have a local configuration that the theorem does not exclude.

    - `proofs`, tuple of (Part, Impossible): the parts that are proved.
    - `survivors`, tuple of (Part, Survivor or GaveUp): parts without a proof; GaveUp
      when the time limit came first. After a few of them the rest is not tried.
    """

    rule: RuleSpec
    proofs: tuple[tuple[Part, Impossible], ...]
    survivors: tuple[tuple[Part, Survivor | GaveUp], ...]
    seconds: float


Attempt: TypeAlias = Proved | Unproved


def scope_of(boards: Boards) -> Scope:
    """Return the scope whose proofs hold on all boards of a kind.

    >>> scope_of(Boards.UPPER_LEFT).name
    'CORNERS'
    """
    scopes = {known: scope for scope, known in _BOARDS.items()}
    return scopes.get(boards, Scope.CORNERS)


def parts(rule: RuleSpec) -> Iterator[tuple[Part, Window]]:
    """Yield every part with its window; void moves have none."""
    for number, drawing in enumerate(rule.drawings):
        for pose, move in product(drawing.turns, drawing.forbidden):
            window = from_drawing(drawing, pose, move)
            if window is not None:
                yield Part(number, pose, move), window


def prove_rule(
    rule: RuleSpec,
    *,
    seconds: float = 20.0,
    most: int = 4,
    within: Scope = Scope.CORNERS,
) -> Attempt:
    """Try to prove every part of a rule; honest about those it cannot.

    - `seconds`: limit for one part in one scope.
    - `most`: stop when so many parts have no proof.
    - `within`: the boards for which it must hold at least: a proof for fewer is none.

    Returns
    -------
    Proved or Unproved
        Unproved is no verdict on the rule: `verify.proof.counterexample` looks for a
        counterexample. A rule without drawings says nothing, so it is not proved.
    """
    began = time.process_time()
    proofs: list[tuple[Part, Impossible]] = []
    survivors: list[tuple[Part, Survivor | GaveUp]] = []
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
) -> Iterator[tuple[Part, _Outcome]]:
    """Yield what becomes of each part.

    Equal windows are settled once, and poses that one proof will do for: it is looked
    for with the first of them.
    """
    memory = Memory(within)
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
        if key not in outcomes:
            decision = memory.search(window, seconds)
            if isinstance(decision, NoModel):
                proof = refuted(
                    window, decision, ended=memory.ended, wide=less, poses=left[place]
                )
                memory.learn(window, proof)
                outcomes[key] = proof
            else:
                outcomes[key] = decision
        outcome = outcomes[key]
        if isinstance(outcome, Impossible) and outcome.wide:
            wide[place] = outcome
        left[place] -= 1
        yield part, outcome


def search_window(
    window: Window, *, seconds: float = 20.0, within: Scope = Scope.CORNERS
) -> Decision:
    """Search one window in the scopes that `prove_rule` tries; write no proof."""
    return Memory(within).search(window, seconds)


def prove_void(rule: RuleSpec, *, seconds: float) -> Proved | None:
    """Prove that no completable position matches a rule; None if there is no proof.

    It is the rule that forbids every move where this one forbids some: to each cell
    beside the live end that is free, or may be. A drawing with one that is asked to be
    free or something else has no such rule.
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
    """Whether no completable position of the boards it is meant for matches a rule.

    True if that is proved, False if it is not, or not within the limit.
    """
    if rule.kind != "ban" or rule.reads_lines:
        return False
    void = prove_void(rule, seconds=seconds)
    return void is not None and widest([void.admitted, rule.boards]) is void.admitted


_LEFT_OPEN = "sa-next-step"  # a procedure that only a case can decide


def book_rules() -> list[Rule]:
    """Return all rules of the book, without the groups that a command made."""
    groups = [group for group in group_names() if group not in APART]
    rules: dict[str, Rule] = {}
    for group in groups:
        for rule in load_rules(group).rules:
            rules.setdefault(rule.name, rule)
    return list(rules.values())


def drawn_bans(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name the rules that are drawn and read no future lines."""
    specs = (rule for rule in rules if isinstance(rule, RuleSpec))
    return {spec.name: spec for spec in specs if not spec.reads_lines}


def provable_form(rule: Rule) -> RuleSpec | None:
    """Return a rule as a proof speaks of it; None if it cannot be put to a proof.

    A ban that reads the ends of a line grants that the completion passes them in their
    order; of an inference it is shown that no completion does without. The procedure
    `sequence-recursion` is proved step by step. Of `sa-next-step` only a case can
    decide.
    """
    if isinstance(rule, RuleSpec) and rule.kind != "inference":
        return rule
    # most rules are bans, which need neither
    from verify.proof.inferences import DENYING, as_rule
    from verify.proof.sequence import SEQUENCE, as_procedure

    if isinstance(rule, RuleSpec):
        return as_rule(rule) if rule.name in DENYING else None
    if rule.name == SEQUENCE:
        return as_procedure(rule)
    if rule.name == _LEFT_OPEN:
        reason = "after it the rules leave no move"
        return RuleSpec(
            rule.name, rule.claim, rule.origin, reason, (), kind="procedure"
        )
    return None


def provable(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name, as a proof speaks of them, the rules that can be put to one."""
    forms = [form for form in map(provable_form, rules) if form is not None]
    return {form.name: form for form in forms}


def not_provable(rules: Iterable[Rule]) -> dict[str, str]:
    """Return by name why rules cannot be put to a proof."""
    lines, other = "reads future lines", "has no drawing"
    return {
        rule.name: lines if isinstance(rule, RuleSpec) else other
        for rule in rules
        if provable_form(rule) is None
    }
