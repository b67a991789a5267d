"""The universal rules: propagation seen as rules, each with its theorem and reasons.

The rules speak of the edges that a completion can use. Every cell needs two, the live
end and the end cell one; edges are unknown, in, or out, and whatever one rule decides
the others build on. A move is forbidden when the rules, applied together to their fixed
point, meet a conflict after it. The kernels are in `solver.propagation.propagate`, the
reasons in `heuristic.universal.reasons`; `verify.checker.reason` checks them without
either.

Sound by proof: each theorem says that an edge is in every completion, or in none, or
that there is no completion. By induction over the steps every decision holds for every
completion, so a conflict means that there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from heuristic.rule import Forbid, Reason, Rule, WalkResult
from heuristic.rules.picture import rules_html
from heuristic.universal.reasons import find_reason
from heuristic.walks.tracked import ByTracker
from solver.board import Board, Cell, Position
from solver.errors import UnknownNameError
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict
from solver.propagation.propagate import Propagator, Rules
from solver.propagation.roam import RuleWalker

_FLAGS = {
    "forced-edges": Rules.FORCED_EDGES,
    "fragments": Rules.FRAGMENTS,
    "block-chain": Rules.BLOCK_CHAIN,
    "two-factor": Rules.TWO_FACTOR,
    "probing": Rules.PROBING,
}
_TWICE = 256  # a walk in so many is made in two ways, which must agree
_SMALL = 1000  # cells of a board up to which it is, as it may take minutes on others
_ORIGINS = {
    "forced-edges": (
        "a cell with as many possible edges as it needs takes them all, with fewer "
        "there is no completion (Vandegriend & Culberson, JAIR 9, 1998, section 3)"
    ),
    "fragments": (
        "a path has no loop, and joins live end and end cell only when it is full "
        "(Vandegriend & Culberson, JAIR 9, 1998, section 3)"
    ),
    "block-chain": (
        "a completion runs through the blocks of the possible edges one after the "
        "other, all cells of each, colours alternating (Hopcroft & Tarjan, CACM 16, "
        "1973)"
    ),
    "two-factor": (
        "a completion is a flow from black to white cells; edges between strongly "
        "connected components of the residual graph are in all flows or in none "
        "(Regin, AAAI 1996)"
    ),
    "probing": (
        "if an edge in, within distance 3 of the live end, leads the rules to a "
        "conflict, it is out, and the other way round (reductio ad absurdum)"
    ),
}


@dataclass(frozen=True, slots=True)
class UniversalRule:
    """One of the rules, standing alone.

    ``forced-edges`` and ``fragments`` see chains of forced edges, ``block-chain`` cells
    that are cut off and blocks of wrong colours, ``two-factor`` areas whose border
    cannot carry their imbalance. ``probing`` means something only with rules to repeat,
    so it brings the first three with it.
    """

    name: str

    @property
    def claim(self) -> str:
        """``sound``: it has a proof."""
        return "sound"

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
    stands on may have been decided by the others.

    >>> rules = UniversalRuleSet(("forced-edges", "fragments"))
    >>> [forbid] = rules.forbids(Position.parse("5:RRDL"))
    >>> forbid.move, forbid.rule, forbid.reason.sentence
    ('D', 'forced-edges', 'cell 2,1 needs 2 edges and can have 1')

    Raises
    ------
    UnknownNameError
        If a name is none of the five.
    """

    def __init__(self, names: Sequence[str], name: str = "universal") -> None:
        for wanted in names:
            if wanted not in _FLAGS:
                raise UnknownNameError("universal rule", wanted, list(_FLAGS))
        self.name = name
        self.rules: tuple[Rule, ...] = tuple(map(UniversalRule, names))
        self.propagation = Rules(0)
        for wanted in names:
            self.propagation |= _FLAGS[wanted]
        if self.propagation & Rules.PROBING:
            self.propagation |= Rules.FORCED_EDGES | Rules.FRAGMENTS | Rules.BLOCK_CHAIN
        self._prepared = lru_cache(maxsize=4)(
            lambda board: Propagator(board, self.propagation)
        )

    def tracker(self, board: Board) -> "UniversalTracker":
        """Return a fresh tracker at the board's start."""
        return UniversalTracker(self, Propagator(board, self.propagation))

    @property
    def kin(self) -> tuple[str, ...]:
        """The oracle that is made of the same kernels."""
        return ("search",)

    def walker(self, board: Board) -> "UniversalWalker":
        """Return a walker that makes random walks in one kernel."""
        exact = self.propagation == Rules.ALL
        return UniversalWalker(RuleWalker(board, self.propagation), exact)

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges, not walked yet, that the rules find in every completion."""
        propagator = self._prepared(position.board)
        propagator.follow(position.walk)
        return propagator.future_lines()

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return every forbidden move with its reason, by rule and then by move.

        As a tracker that followed the walk: what probing decided on the way stays
        decided. If the position itself is refuted, all its moves are.
        """
        propagator = self._prepared(position.board)
        propagator.follow(position.walk)
        found = [
            (self.index(rule), move, self._reason(position, move))
            for move, rule in propagator.forbidden().items()
        ]
        found.sort(key=lambda item: item[0])
        return tuple(Forbid(self.rules[i].name, move, why) for i, move, why in found)

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
            if _FLAGS[mine.name] & rule:
                return i
        return len(self.rules) - 1  # met by a rule that probing brought with it


@dataclass(frozen=True, slots=True)
class UniversalWalker:
    """Random walks under the rules; a `Walker`.

    No rule refutes a move that can be completed. So the walk is the exact walk of the
    same seed (`solver.oracles.exact`) as long as the rules refute each dead move that
    is drawn. With probing the exact walk is made first, since it keeps a completion and
    need not probe: nine times as fast on 21 x 21. Only if rules 1 to 4 did not refute
    a dead move, the walk is made by the rules themselves (`solver.propagation.roam`).
    On boards of up to a thousand cells one walk in 256 is made in both ways.
    """

    kernel: RuleWalker
    exact: bool

    def walk(self, seed: int) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""
        if not self.exact:
            return self._by_rules(seed)
        whole, board = exact_walk(self.kernel.board, seed), self.kernel.board
        if whole.verdict is not Verdict.COMPLETABLE or whole.dead:
            return self._by_rules(seed)
        twice = seed % _TWICE == _TWICE - 1 and board.cells <= _SMALL
        if twice and self._by_rules(seed).position != whole.position:
            raise AssertionError(f"seed {seed}: the rules left {whole.position!r}")
        return WalkResult(whole.position, False)

    def _by_rules(self, seed: int) -> WalkResult:
        position, full = self.kernel.walk(seed)
        return WalkResult(position, not full)


class UniversalTracker:
    """The rules along a walk, incrementally; a `Tracker`."""

    def __init__(self, rules: UniversalRuleSet, propagator: Propagator) -> None:
        self._rules, self._propagator = rules, propagator

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._propagator.push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._propagator.pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        masks = [0] * len(self._rules.rules)
        for move, rule in self._propagator.forbidden().items():
            masks[self._rules.index(rule)] |= 1 << "URDL".index(move)
        return masks


def universal_rules(names: tuple[str, ...], load: object = None) -> UniversalRuleSet:
    """Return the rule set of these names; the factory of the rule groups.

    `load`, which finds other rules, is not needed.
    """
    return UniversalRuleSet(names)
