"""The universal rules: propagation seen as rules, each with its theorem and reasons.

Four of them speak of edges that a completion can use. Every cell needs two, the live
end and the end cell one; edges are unknown, in, or out, and whatever one rule decides
the others build on. A move is forbidden when the rules, applied together to their fixed
point, meet a conflict after it. The kernels are in `solver.propagation.propagate`, the
reasons in `heuristic.universal.reasons`; `verify.checker.reason` checks them without
either.

Sound by proof: each theorem says that an edge is in every completion, or in none, or
that there is no completion. By induction over the steps every decision holds for every
completion, so a conflict means that there is none.

The fifth, ``strips``, is asked where these leave a move. Rules 1 to 4 see that no
factor is left, and edges that are in all or in none. This one takes any factor after a
move and joins its components by flips and strips
(`solver.solid.strips`). Where no path of strips joins two of them, no factor has fewer
components: the move is dead, and the factor is its reason. No completion is searched
for, and what is not shown is not forbidden. The rule applies to boards without walls
whose walk begins and ends on the rim; elsewhere it forbids nothing. If the walk ends at
a corner, a walk that obeys the rule is never stuck, by the theorem in
docs/explanation/solid.md.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from heuristic.boards import Boards
from heuristic.rule import (
    Forbid,
    Reason,
    Rule,
    RuleSet,
    Walker,
    WalkResult,
    letters,
    mask_of,
    union_mask,
)
from heuristic.rules.picture import rules_html
from heuristic.universal.reasons import find_reason
from heuristic.walks.walker import ByTracker, TrackedWalker
from solver.board import Board, Cell, Position
from solver.files import table_beside
from solver.oracles.exact import strips_walk
from solver.oracles.strips import always_in_scope
from solver.propagation.propagate import Propagator, Rules, RuleWalker
from solver.solid.certificate import find_certificate
from solver.solid.grid import enter_walk
from solver.solid.static import APART, finish, new_room, solve
from solver.solid.strips import NEVER


class StripsTracker:
    """The rule along one walk; a factor is where the next one begins.

    >>> tracker = StripsTracker(Board.square(5))
    >>> tracker.push(1)
    >>> tracker.mask()
    0
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._room = new_room(board) if always_in_scope(board) else None
        self._walk = np.full(board.cells + 1, board.start, dtype=np.int32)
        self._length = 1

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._walk[self._length] = cell
        self._length += 1

    def pop(self) -> None:
        """Take the last cell back."""
        self._length -= 1

    def mask(self, but: int = 0) -> int:
        """Return the moves, but for some, with a factor and no strips to join it.

        O(cells) a move.
        """
        board, length = self.board, self._length
        walk, end, dead = self._walk, self.board.end, 0
        if self._room is None or end in walk[:length]:
            return 0
        for d, cell in enumerate(board.neighbours[walk[length - 1]].tolist()):
            if but >> d & 1 or cell in (-1, end) or cell in walk[:length]:
                continue
            walk[length] = cell
            after = walk[: length + 1]
            s, w = self._room
            enter_walk(s, after, board.cols, end)
            found = solve(s, w, True)
            if found < 0:
                name = Position(board, tuple(after.tolist())).notation
                found, _ = finish(s, w, found, name)
            dead |= (found in (NEVER, APART)) << d
        return dead


def strips_reason(after: Position) -> Reason:
    """Return the certificate that a position is dead, as the reason of a move to it."""
    found = find_certificate(after)
    if found is None:
        raise AssertionError(f"no certificate that {after.notation} is dead")
    return Reason(
        found.sentence,
        area=found.region,
        kind="certificate",
        certificate=json.dumps(found.data),
    )


_FLAGS = {(flag.name or "").lower().replace("_", "-"): flag for flag in Rules}
STRIPS = "strips"
_TWICE = 256  # a walk in so many is made in two ways, which must agree
_SMALL = 1000  # cells of a board up to which it is, as it may take minutes on others
_ORIGINS: dict[str, str] = table_beside(__file__, "origins.toml")


@dataclass(frozen=True, slots=True)
class UniversalRule:
    """One of the rules, standing alone.

    ``forced-edges`` and ``fragments`` see chains of forced edges, ``block-chain`` cells
    that are cut off and blocks of wrong colours, ``two-factor`` areas whose border
    cannot carry their imbalance, ``strips`` loops that nothing can join.
    """

    name: str
    claim: ClassVar[str] = "sound"  # it has a proof
    boards: ClassVar[Boards] = Boards.ANY

    @property
    def origin(self) -> str:
        """The theorem and where it is from."""
        return _ORIGINS[self.name]

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the moves that this rule alone forbids, in the order U, R, D, L."""
        return UniversalRuleSet((self.name,)).forbids(position)


class UniversalRuleSet(ByTracker):
    """Some or all of the five rules, applied together; a `RuleSet`.

    The rule named in a `Forbid` is the one that met the conflict; the edges that it
    stands on may have been decided by the others. ``strips`` has what they leave.

    >>> rules = UniversalRuleSet(("forced-edges", "fragments"))
    >>> [forbid] = rules.forbids(Position.parse("5:RRDL"))
    >>> forbid.move, forbid.rule, forbid.reason.sentence
    ('D', 'forced-edges', 'dead end: cell 2,1 needs 2 edges and can have 1')
    """

    name = "universal"

    def __init__(self, names: Sequence[str], load: object = None) -> None:
        # `load`, which finds other rules for a factory of rule groups, is not needed.
        self.rules: tuple[Rule, ...] = tuple(map(UniversalRule, names))
        self.propagation = Rules(0)
        for wanted in names:
            self.propagation |= _FLAGS.get(wanted, Rules(0))
        self.strips = STRIPS in names
        self.strips_at = names.index(STRIPS) if self.strips else -1
        self._prepared = lru_cache(maxsize=4)(
            lambda board: Propagator(board, self.propagation)
        )

    def tracker(self, board: Board) -> "UniversalTracker":
        """Return a fresh tracker at the board's start."""
        return UniversalTracker(self, Propagator(board, self.propagation))

    @property
    def kin(self) -> tuple[str, ...]:
        """The oracles that are made of the same kernels."""
        search = ("search",) if self.propagation else ()
        return (*search, STRIPS) if self.strips else search

    def walker(self, board: Board) -> Walker:
        """Return a walker that makes random walks in kernels.

        With ``strips`` but without some of the first four it asks at every step.
        """
        if self.strips and always_in_scope(board):
            asking = TrackedWalker(self, board)
            if self.propagation & Rules.FOUR != Rules.FOUR:
                return asking
            return UniversalWalker(board, asking.walk, strips_walk)
        kernel = RuleWalker(board, self.propagation)

        def alone(seed: int) -> WalkResult:
            position, full = kernel.walk(seed)
            return WalkResult(position, not full)

        return UniversalWalker(board, alone, None)

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges, not walked yet, that the rules find in every completion."""
        propagator = self._prepared(position.board)
        propagator.follow(position.walk)
        return propagator.future_lines()

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return every forbidden move with its reason, by rule and then by move.

        If the position itself is refuted, all its moves are.
        """
        propagator = self._prepared(position.board)
        propagator.follow(position.walk)
        found = [
            (self.index(rule), move, self._reason(position, move))
            for move, rule in self.conflicts(propagator).items()
        ]
        if self.strips:
            tracker = StripsTracker(position.board)
            for cell in position.walk[1:]:
                tracker.push(cell)
            forbidden = mask_of(move for _, move, _ in found)
            for move in letters(tracker.mask(forbidden)):
                why = strips_reason(position.step(move))
                found.append((self.strips_at, move, why))
        found.sort(key=lambda item: item[0])
        return tuple(Forbid(self.rules[i].name, move, why) for i, move, why in found)

    def conflicts(self, propagator: Propagator) -> dict[str, Rules]:
        """Return the moves that propagation refutes; none if it has no rule."""
        return propagator.forbidden() if self.propagation else {}

    def _reason(self, position: Position, move: str) -> Reason:
        reason = find_reason(position.step(move), self.propagation)
        if reason is None:
            raise AssertionError(f"no argument against {move} at {position.notation}")
        return reason

    def _repr_html_(self) -> str:
        return rules_html(self.name, self.rules)

    def index(self, rule: Rules) -> int:
        """Return which of the rules gets the credit for a conflict of that kind."""
        for i, mine in enumerate(self.rules):
            if _FLAGS.get(mine.name, Rules(0)) & rule:
                return i
        # A conflict of what every set brings.
        return max(i for i in range(len(self.rules)) if i != self.strips_at)


@dataclass(frozen=True, slots=True)
class UniversalWalker:
    """Random walks under the rules; a `Walker`.

    No rule refutes a move that can be completed. So the walk is the exact walk of the
    same seed (`solver.oracles.exact`) as long as the rules refute each dead move that
    is drawn. The exact walk keeps a completion and is made first: rules
    that ask ``strips`` at every step are fifty times as slow on 21 x 21.
    Only where it does not show that the rules refute what it refuted, or takes a
    search, the walk is made by the rules themselves. On boards of up to a thousand
    cells one walk in 256 is made in both ways.

    - `alone`: makes the walk of a seed by the rules themselves.
    - `exact`: makes the exact walk of a seed, or None if it may be another one.
    """

    board: Board
    alone: Callable[[int], WalkResult]
    exact: Callable[[Board, int], Position | None] | None

    def walk(self, seed: int) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""
        whole = self.exact(self.board, seed) if self.exact else None
        if whole is None:
            return self.alone(seed)
        twice = seed % _TWICE == _TWICE - 1 and self.board.cells <= _SMALL
        if twice and self.alone(seed).position != whole:
            raise AssertionError(f"seed {seed}: the rules left {whole!r}")
        return WalkResult(whole, False)


def repeated_walks(rules: RuleSet, board: Board, seed: int, count: int) -> int | None:
    """Return how many walks of seeds from `seed` on are made by the rules alone, too.

    None if all are made by the rules alone: see `UniversalWalker`.

    >>> from heuristic.groups import load_rules
    >>> repeated_walks(load_rules("universal"), Board.square(9), 0, 1000)
    3
    """
    walker = rules.walker(board)
    if not isinstance(walker, UniversalWalker) or walker.exact is None:
        return None
    if board.cells > _SMALL:
        return 0
    return (seed + count) // _TWICE - seed // _TWICE


class UniversalTracker:
    """The rules along a walk, incrementally; a `Tracker`."""

    def __init__(self, rules: UniversalRuleSet, propagator: Propagator) -> None:
        self._rules, self._propagator = rules, propagator
        self._strips = StripsTracker(propagator.board) if rules.strips else None

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._propagator.push(cell)
        if self._strips:
            self._strips.push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._propagator.pop()
        if self._strips:
            self._strips.pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        masks = [0] * len(self._rules.rules)
        for move, rule in self._rules.conflicts(self._propagator).items():
            masks[self._rules.index(rule)] |= 1 << "URDL".index(move)
        if self._strips:
            masks[self._rules.strips_at] = self._strips.mask(union_mask(masks))
        return masks
