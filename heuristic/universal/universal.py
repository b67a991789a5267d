"""The universal rules: propagation seen as rules, each with its theorem and reasons.

Four of them speak of edges that a completion can use. Every cell needs two, the live
end and the end cell one; edges are unknown, in, or out, and whatever one rule decides
the others build on. A move is forbidden when the rules, applied together to their fixed
point, meet a conflict after it. The kernels are in `solver.propagation.propagate`, the
reasons in `heuristic.universal.reasons`; `tests.doubles.reasons` checks them without
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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from heuristic.rule import Boards, Forbid, Reason, Rule, RuleSet, union_mask
from heuristic.walks.walker import Walker, WalkResult
from solver.board import LETTERS, Board, Cell, Position
from solver.files import table_beside
from solver.oracles.exact import strips_walk
from solver.oracles.strips import always_in_scope
from solver.propagation.propagate import Propagator, Rules, RuleWalker
from solver.solid.grid import Solid, new_solid
from solver.solid.static import APART, settle
from solver.solid.strips import NEVER


def strips_mask(board: Board, s: Solid, path: Sequence[Cell], skipped: int) -> int:
    """Return the moves, but for some, with a factor and no strips to join it, as bits.

    O(cells) a move. The kernels write on `s`; a factor is where the next search begins.
    """
    dead = 0
    for d, cell in enumerate(board.neighbours[path[-1]].tolist()):
        if skipped >> d & 1 or cell in (-1, board.end) or cell in path:
            continue
        outcome = settle(s, Position(board, (*path, cell)))
        dead |= (outcome in (NEVER, APART)) << d
    return dead


_FLAGS = {(flag.name or "").lower().replace("_", "-"): flag for flag in Rules}
STRIPS = "strips"
REPEATED = 256  # one walk in so many is made in two ways, which must agree
_SMALL = 1000  # cells of a board up to which it is, as it may take minutes on others
_ORIGINS: dict[str, str] = table_beside(__file__, "origins.toml")


@dataclass(frozen=True, slots=True)
class UniversalRule:
    """One of the rules; a `heuristic.rule.Rule`.

    ``forced-edges`` and ``fragments`` see chains of forced edges, ``block-chain`` cells
    that are cut off and blocks of wrong colours, ``two-factor`` areas whose border
    cannot carry their imbalance, ``strips`` loops that nothing can join.

    Neighbours in a rule set are applied together. The rule named in a `Forbid` is the
    one that met the conflict; the edges that it stands on may have been decided by the
    others. ``strips`` has what they leave.

    >>> from heuristic.groups import load_rules
    >>> rules = load_rules("forced-edges,fragments")
    >>> [forbid] = rules.forbids(Position.parse("5:RRDL"))
    >>> forbid.move, forbid.rule, forbid.reason.sentence
    ('D', 'forced-edges', 'dead end: cell 2,1 needs 2 edges and can have 1')
    """

    name: str
    claim: ClassVar[str] = "sound"  # it has a proof
    boards: ClassVar[Boards] = Boards.ANY
    engine: ClassVar[str] = f"{__name__}:propagation"

    @property
    def origin(self) -> str:
        """The theorem and where it is from."""
        return _ORIGINS[self.name]

    @property
    def related(self) -> tuple[str, ...]:
        """The oracle that is made of the same kernels."""
        return (STRIPS,) if self.name == STRIPS else ("search",)

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the moves that this rule alone forbids, in the order U, R, D, L."""
        return RuleSet(self.name, [self]).forbids(position)


def universal_rules(names: Sequence[str]) -> list[Rule]:
    """Return the universal rules of these names."""
    return [UniversalRule(name) for name in names]


def propagation(rules: Sequence[Rule]) -> Callable[[Board], "UniversalWalker"]:
    """Return what makes walkers of universal rules; a `heuristic.rule.Engine`."""
    names = [rule.name for rule in rules]
    return lambda board: UniversalWalker(names, board)


class UniversalWalker(Walker):
    """Universal rules on a board, applied together.

    All five rules refute exactly the dead moves that the exact walk of the same seed
    refutes (`solver.oracles.exact`), so that walk is theirs. It is made first: asking
    ``strips`` at every step is fifty times as slow on 21 x 21. Where the exact walk
    takes a search, the rules make the walk themselves. On boards of up to a thousand
    cells they also make one walk in 256, which must be the same.
    """

    def __init__(self, names: Sequence[str], board: Board) -> None:
        super().__init__(board)
        self._names = names
        self.rules = Rules(0)
        for name in names:
            self.rules |= _FLAGS.get(name, Rules(0))
        self._strips_at = names.index(STRIPS) if STRIPS in names else -1
        in_scope = STRIPS in names and always_in_scope(board)
        self._room = new_solid(board) if in_scope else None

    @cached_property
    def _propagator(self) -> Propagator:
        return Propagator(self.board, self.rules)

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._propagator.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._propagator.pop()
        super().pop()

    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges, not walked yet, that the rules find in every completion."""
        return self._propagator.future_lines()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits.

        If the position itself is refuted, all its moves are.
        """
        masks = [0] * len(self._names)
        conflicts = self._propagator.forbidden() if self.rules else {}
        for move, rule in conflicts.items():
            masks[self.index(rule)] |= 1 << LETTERS.index(move)
        if self._room and self.board.end not in self.path:
            forbidden = union_mask(masks)
            dead = strips_mask(self.board, self._room, self.path, forbidden)
            masks[self._strips_at] = dead
        return masks

    def index(self, rule: Rules) -> int:
        """Return which of the rules gets the credit for a conflict of that kind."""
        for number, name in enumerate(self._names):
            if _FLAGS.get(name, Rules(0)) & rule:
                return number
        # A conflict of what every set brings.
        return max(n for n in range(len(self._names)) if n != self._strips_at)

    def reason(self, rule: int, move: str) -> Reason:
        """Return the argument against a move that the rule of a number forbids."""
        # Only who asks for a reason loads what finds one.
        from heuristic.universal.reasons import find_reason, strips_reason

        position = Position(self.board, tuple(self.path))
        if rule == self._strips_at:
            return strips_reason(position.step(move))
        self._propagator.push(position.options()[move])
        try:
            return find_reason(self._propagator)
        finally:
            self._propagator.pop()

    @property
    def exact(self) -> bool:
        """Whether walks are made by the exact walker."""
        return self._room is not None and self.rules == Rules.FOUR

    def walk(self, seed: int, position: Position | None = None) -> WalkResult:
        """Walk at random until the board is full or no move is allowed."""
        if position is not None:
            return super().walk(seed, position)
        whole = strips_walk(self.board, seed) if self.exact else None
        if whole is None:
            return self._alone(seed)
        repeated = seed % REPEATED == REPEATED - 1 and self.board.cells <= _SMALL
        if repeated and self._alone(seed).position != whole:
            raise AssertionError(f"seed {seed}: the rules left {whole!r}")
        return WalkResult(whole, False)

    @cached_property
    def _kernel(self) -> RuleWalker:
        return RuleWalker(self.board, self.rules)

    def _alone(self, seed: int) -> WalkResult:
        """Make the walk of a seed by the rules themselves."""
        if self._room:
            return super().walk(seed)
        position, full = self._kernel.walk(seed)
        return WalkResult(position, not full)
