"""Prove a rule for every board size: one proof for each drawing, pose and move.

A rule forbids a move when one of its drawings matches; so it is sound when no drawing,
in no pose, has a world in which a completion begins with one of its moves. Each of
these *parts* is a window (`verify.proof.view`) whose formula (`verify.proof.window`)
must have no model. The scopes are tried from the widest: what holds on every board,
with any walls and ends, is proved so; planarity comes in when it is needed.

The rule is taken alone: `stops` and `unless` only ever ask it less often.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

from heuristic.boards import Boards, widest
from heuristic.rules.drawing import (
    ANY,
    AROUND,
    CellState,
    Drawing,
    Frame,
    RuleSpec,
    Spot,
    written,
)
from solver.symmetry import Symmetry
from verify.proof.formula import Scope
from verify.proof.settle import (
    MUCH,
    Decision,
    GaveUp,
    Impossible,
    NoModel,
    Outcome,
    Shape,
    Survivor,
    search,
    settle,
    shape_of,
)
from verify.proof.view import IF_RIGHT, Window, assumes, from_drawing
from verify.proof.window import UPPER_LEFT

# A narrower scope often settles in a moment what a wider one cannot.
_FIRST_SECONDS = {
    Scope.PLAIN: 1.0,
    Scope.RIM: 1.0,
    Scope.PLANAR: 4.0,
    Scope.CORNERS: math.inf,
}
_ORDER = list(Scope)
_BOARDS = {
    Scope.PLAIN: Boards.ANY,
    Scope.PLANAR: Boards.RIM,
    Scope.RIM: Boards.PLAIN,
    Scope.CORNERS: Boards.CORNERS,
}
_SCOPES = {boards: scope for scope, boards in _BOARDS.items()}
_REMEMBERED = 4


@dataclass(slots=True)
class Memory:
    """What did for the parts of a rule so far: the next ones are much like them.

    - `scope`: the narrowest that a part needed; a wider one for another part gains
      nothing.
    - `shapes`: which cells beside the marked ones the last proofs looked at, the last
      first.
    - `ended`: conflicts of these, when an easier part was last looked for.
    - `open`: whether a part had no proof. The next ones will not either, mostly: then
      the whole of a window is looked at first, of which no part excludes a model.
    - `within`: the narrowest scope that may be tried.
    """

    scope: Scope = Scope.PLAIN
    shapes: dict[Scope, list[Shape]] = field(default_factory=dict)
    ended: dict[Shape, int] = field(default_factory=dict)
    open: bool = False
    within: Scope = Scope.CORNERS

    def scopes(self) -> list[Scope]:
        """Return the scopes to try, in order; those without planarity cost little."""
        skipped = {Scope.PLANAR} if self.scope is Scope.CORNERS else set()
        wide = _ORDER[: _ORDER.index(self.within) + 1]
        return [x for x in _FIRST_SECONDS if x in wide and x not in skipped]

    def first(self, window: Window, scope: Scope) -> list[Shape]:
        """Return which cells to look at first."""
        whole = [shape_of(window, window.cells())] if self.open else []
        return [*whole, *self.shapes.get(scope, ())]

    def learn(self, window: Window, proof: Impossible | NoModel) -> None:
        """Remember what did for a window."""
        self.scope = max(self.scope, proof.scope, key=_ORDER.index)
        shape, known = shape_of(window, proof.cells), self.shapes.get(proof.scope, [])
        others = [one for one in known if one != shape]
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
    - `seconds`: processor time that the search took; nan if it was read from a
      certificate.
    """

    rule: RuleSpec
    proofs: tuple[tuple[Part, Impossible], ...]
    seconds: float
    word: str = "PROVED"

    @property
    def scope(self) -> Scope:
        """The boards for which all parts are proved."""
        scopes = [proof.scope for _, proof in self.proofs]
        return max(scopes, key=_ORDER.index, default=Scope.PLAIN)

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
Found = TypeVar("Found", Impossible, NoModel)
_Searched: TypeAlias = Callable[
    [Window, Scope, float, Sequence[Shape]], Found | Survivor | GaveUp
]


def scope_of(boards: Boards) -> Scope:
    """Return the scope whose proofs hold on all boards of a kind.

    >>> scope_of(Boards.UPPER_LEFT).name
    'CORNERS'
    """
    return _SCOPES.get(boards, Scope.CORNERS)


def parts(rule: RuleSpec) -> Iterator[tuple[Part, Window]]:
    """Yield every part with its window; void moves have none."""
    for number, drawing in enumerate(rule.drawings):
        for part in parts_of_drawing(drawing, number):
            window = from_drawing(drawing, part.pose, part.move)
            if window is not None:
                yield part, window


def parts_of_drawing(drawing: Drawing, number: int) -> Iterator[Part]:
    """Yield the poses and moves of one drawing, void ones too."""
    for pose in drawing.turns:
        for move in drawing.forbidden:
            yield Part(number, pose, move)


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


def _outcomes(
    rule: RuleSpec, seconds: float, within: Scope
) -> Iterator[tuple[Part, Outcome]]:
    """Yield what becomes of each part.

    Equal windows are settled once, and poses that one proof will do for: it is looked
    for with the first of them.
    """
    memory = Memory(within=within)
    known: dict[str, Outcome] = {}
    wide: dict[tuple[int, Spot], Impossible] = {}
    found = list(parts(rule))
    left = Counter((part.drawing, part.move) for part, _ in found)
    for part, window in found:
        place = part.drawing, part.move
        outcome: Outcome | None = wide.get(place)
        if outcome is None:
            drawing, several = rule.drawings[part.drawing], left[place] > 1
            less = from_drawing(drawing, None, part.move) if several else None
            key = repr((window, less))
            if key not in known:
                settled = partial(
                    settle, ended=memory.ended, wide=less, poses=left[place]
                )
                known[key] = _in_scopes(window, seconds, settled, memory)
            outcome = known[key]
            if isinstance(outcome, Impossible) and outcome.wide:
                wide[place] = outcome
        left[place] -= 1
        yield part, outcome


def search_window(
    window: Window, *, seconds: float = 20.0, within: Scope = Scope.CORNERS
) -> Decision:
    """Search one window in the scopes that `prove_rule` tries; write no proof."""
    return _in_scopes(window, seconds, search, Memory(within=within))


def _in_scopes(
    window: Window, seconds: float, searched: _Searched[Found], memory: Memory
) -> Found | Survivor | GaveUp:
    """Search a window in a wide scope in which it has no model, cheap ones first.

    When none will do, the answer of the narrowest scope is returned. `memory` holds
    what did for like windows, and learns.
    """
    outcome: Found | Survivor | GaveUp = GaveUp(Scope.PLAIN)
    if window.away:  # no rim is known there, and nothing learnt
        return searched(window, Scope.PLAIN, seconds, ())
    for scope in memory.scopes():
        limit = min(seconds, _FIRST_SECONDS[scope])
        outcome = searched(window, scope, limit, memory.first(window, scope))
        if isinstance(outcome, Impossible | NoModel):
            memory.learn(window, outcome)
            return outcome
    memory.open = True
    return outcome


def prove_void(rule: RuleSpec, *, seconds: float) -> Proved | None:
    """Prove that no completable position matches a rule; None if there is no proof.

    It is the rule that forbids every move where this one forbids some: to each cell
    beside the live end that is free, or may be. A drawing with one that is asked to be
    free or something else has no such rule.
    """
    drawings = []
    for one in rule.drawings:
        states = {move: one.need(move).states for move in AROUND[::2]}
        maybe = {move: s for move, s in states.items() if CellState.FREE in s}
        if not {*maybe.values()} <= {ANY, CellState.FREE}:
            return None
        drawings.append(replace(one, forbidden=tuple(maybe)))
    silent = replace(rule, name=f"{rule.name}-void", drawings=tuple(drawings))
    outcome = prove_rule(silent, seconds=seconds, most=1)
    return outcome if isinstance(outcome, Proved) else None


def never_fires(rule: RuleSpec, *, seconds: float = 0.5) -> bool:
    """Whether no completable position of the boards it is meant for matches a rule.

    True if that is proved, False if it is not, or not within the limit.
    """
    if rule.kind != "ban" or rule.reads_lines:
        return False
    void = prove_void(rule, seconds=seconds)
    return void is not None and widest([void.admitted, rule.boards]) is void.admitted
