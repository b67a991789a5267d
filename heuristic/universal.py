"""The universal rules: theorems about every completion, as rules with reasons.

Four rules decide edges: a completion uses two edges at every cell, and one at the live
end and at the end cell. Each rule shows that some edges are in every completion, or in
none, and builds on what the others decided. By induction every decision holds for every
completion. So after a conflict no completion exists, and the move is forbidden. The
kernels are in `solver.propagation.propagate`.

The fifth rule, ``strips``, decides the moves that these leave. After a move it takes
any choice of edges that gives each cell its number, a *factor*, and joins its
components by flips and strips (`solver.solid.strips`). Where no path of strips joins
two of them, no factor has fewer components, so the move is dead. The rule applies to
boards without walls whose walk begins and ends on the rim, and forbids nothing
elsewhere. If the walk ends at a corner, a walk that obeys all five is never stuck, by
the theorem in docs/explanation/solid.md.

>>> from heuristic.groups import load_rules
>>> rules = load_rules("forced-edges,fragments")
>>> [forbid] = rules.forbids(Position.parse("5:RRDL"))
>>> forbid.move, forbid.rule, forbid.reason.sentence
('D', 'forced-edges', 'dead end: cell 2,1 needs 2 edges and can have 1')
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from heuristic.rule import Boards, Reason, Rule, mask_of, union_mask
from heuristic.walker import Edges, Walker
from solver.board import LETTERS, Board, Cell, Position
from solver.files import load_table
from solver.oracles.exact import strips_walk
from solver.oracles.strips import always_in_scope
from solver.propagation.propagate import Propagator, Rules, RuleWalker
from solver.propagation.state import FIRST, IN, OUT, RULES, SECOND, STATE
from solver.solid.certificate import find_certificate
from solver.solid.factor import new_solid
from solver.solid.static import NEVER, decide_position

_FLAGS = {(flag.name or "").lower().replace("_", "-"): flag for flag in Rules}
STRIPS = "strips"
_ORIGINS: dict[str, str] = load_table(__file__, "universal.toml")


@dataclass(frozen=True, slots=True)
class UniversalRule:
    """Forbids each move after which its theorem finds a conflict.

    `forced-edges` and `fragments` detect contradictions along chains of forced edges.
    `block-chain` detects cells that are cut off and blocks of wrong colours.
    `two-factor` detects areas whose border cannot carry their imbalance. `strips`
    decides the other moves.

    A forbidden move names the rule that met the conflict. Other universal rules of the
    set may have decided the edges it stands on.
    """

    name: str
    claim: ClassVar[str] = "sound"  # it has a proof
    boards: ClassVar[Boards] = Boards.ANY
    engine: ClassVar[str] = f"{__name__}:propagation"

    @property
    def origin(self) -> str:
        """The theorem and its source."""
        return _ORIGINS[self.name]

    @property
    def related(self) -> tuple[str, ...]:
        """The oracle that is made of the same kernels."""
        return (STRIPS,) if self.name == STRIPS else ("search",)


def propagation(rules: Sequence[Rule]) -> Callable[[Board], "UniversalWalker"]:
    """Return what makes walkers of universal rules; a `heuristic.rule.Engine`."""
    names = [rule.name for rule in rules]
    return lambda board: UniversalWalker(names, board)


class UniversalWalker(Walker):
    """Universal rules on a board; `rules` are those that propagate."""

    def __init__(self, names: Sequence[str], board: Board) -> None:
        super().__init__(board)
        self._flags = [_FLAGS.get(name, Rules(0)) for name in names]
        self.rules = Rules(sum(self._flags))
        self._strips_at = names.index(STRIPS) if STRIPS in names else -1
        in_scope = STRIPS in names and always_in_scope(board)
        self._solid = new_solid(board) if in_scope else None

    @cached_property
    def _propagator(self) -> Propagator:
        return Propagator(self.board, self.rules)

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._propagator.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        self._propagator.pop()
        super().pop()

    def edges(self) -> Edges:
        """Return the edges ahead that the rules know in every completion."""
        return self._propagator.future_lines()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits.

        If the position itself is refuted, all its moves are.
        """
        masks = [0] * len(self._flags)
        propagating = [n for n, flag in enumerate(self._flags) if flag]
        conflicts = self._propagator.forbidden() if propagating else {}
        for move, rule in conflicts.items():
            owners = [n for n in propagating if self._flags[n] & rule]
            # every set notices a cell with too many edges
            masks[owners[0] if owners else propagating[-1]] |= mask_of(move)
        if self._solid and self.board.end not in self.path:
            position = Position(self.board, tuple(self.path))
            forbidden = union_mask(masks)
            for d, cell in enumerate(self.board.neighbours[self.path[-1]].tolist()):
                if forbidden >> d & 1 or cell in (-1, self.board.end, *self.path):
                    continue
                outcome = decide_position(self._solid, position.step(LETTERS[d]))
                masks[self._strips_at] |= (outcome == NEVER) << d
        return masks

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move; milliseconds on 21 x 21."""
        after = Position(self.board, tuple(self.path)).step(move)
        if rule == self._strips_at:
            certificate = find_certificate(after)
            assert certificate is not None, after.notation
            return Reason(certificate.sentence, areas=(certificate.region,))
        self._propagator.push(after.live_end)
        try:
            return conflict_reason(self._propagator)
        finally:
            self._propagator.pop()

    def walk(self, seed: int, position: Position | None = None) -> Position:
        """Walk at random until the board is full or no move is allowed.

        All five rules refute exactly the dead moves. So the exact walk of the same seed
        (`solver.oracles.exact`) is theirs. On 21 x 21 it takes a fiftieth of the time,
        unless it takes a search.
        """
        if position is None and self._solid and self.rules == Rules.FOUR:
            exact = strips_walk(self.board, seed)
            if exact is not None:
                return exact
        if position is None and not self._solid:
            return self._kernel.walk(seed)[0]
        return super().walk(seed, position)

    @cached_property
    def _kernel(self) -> RuleWalker:
        return RuleWalker(self.board, self.rules)


Edge = tuple[Cell, Cell]


def conflict_reason(propagator: Propagator) -> Reason:
    """Return why a walk is refuted: a conflict of the edges that the rules decided.

    Its edges are those that the rules put in. The conflict is the first of these:

    - the edges in close a loop that leaves cells out;
    - a cell has more edges in than it needs, or fewer possible ones;
    - cells are cut off, or a block between two cells has wrong colours;
    - the border of an area cannot carry the edges that its cells need.
    """
    board, walk, state = propagator.board, propagator.walk, propagator.state
    rows = state.edge[:-1, [FIRST, SECOND, STATE]].tolist()
    # cells with the edges of the walk, and no others
    passed = {*walk} if walk[-1] == board.end else {*walk[:-1]}
    walked = {(min(pair), max(pair)) for pair in pairwise(walk)}
    ahead = [row for row in rows if not passed.intersection(row[:2])]
    chosen = walked | {(a, b) for a, b, value in ahead if value == IN}
    possible = chosen | {(a, b) for a, b, value in ahead if value != OUT}
    needs = Counter(cell for cell in range(board.cells) if cell not in board.walls)
    needs.update(needs.keys() - {board.start})
    needs[board.end] -= 1
    loops = state.info[RULES] & Rules.FRAGMENTS
    reason = (
        (_loop(board, chosen) if loops else None)
        or _cell(board, walk[-1], needs, chosen, possible)
        or _blocks(board, walk, possible)
        or _overdrawn(board, needs, chosen, possible)
    )
    assert reason is not None, f"no conflict on {board.notation}: {walk}"
    return replace(reason, edges=reason.edges or tuple(sorted(chosen - walked)))


def _cell(
    board: Board,
    live_end: Cell,
    needs: Counter[Cell],
    chosen: set[Edge],
    possible: set[Edge],
) -> Reason | None:
    """Return the conflict of one cell, the nearest to the live end."""
    taken, options = (
        Counter(c for e in some for c in e) for some in (chosen, possible)
    )
    row, col = divmod(live_end, board.cols)
    for cell in sorted(
        needs, key=lambda c: abs(c // board.cols - row) + abs(c % board.cols - col)
    ):
        name, has = f"cell {board.name(cell)}", options[cell]
        if has < needs[cell]:
            sentence = f"{name} needs {needs[cell]} edges and can have {has}"
            dead_end = "dead end: " if has == 1 else ""
            return Reason(f"{dead_end}{sentence}", cells=(cell,))
        if taken[cell] > needs[cell]:
            return Reason(f"{name} would have {taken[cell]} edges", cells=(cell,))
    return None


def _loop(board: Board, chosen: set[Edge]) -> Reason | None:
    """Return the conflict of a loop; start and end cell count as joined."""
    import networkx as nx

    joined = nx.Graph([*chosen, (board.start, board.end)])
    uses = Counter([*(cell for pair in chosen for cell in pair), board.start])
    uses[board.end] += 1
    for part in nx.connected_components(joined):
        if all(uses[cell] == 2 for cell in part) and len(part) < board.open_cells:
            edges = tuple(sorted(pair for pair in chosen if pair[0] in part))
            sentence = "the edges close a loop that leaves cells out"
            return Reason(sentence, edges=edges)
    return None


def _blocks(
    board: Board, walk: Sequence[Cell], possible: Iterable[Edge]
) -> Reason | None:
    """Return the conflict of cells cut off, or of a block's colours.

    The possible edges must lead from the live end through blocks, one after the other,
    to the end cell.
    """
    import networkx as nx

    live, end = walk[-1], board.end
    cells = set(range(board.cells)).difference(walk[:-1], board.walls)
    graph = nx.Graph([pair for pair in possible if cells.issuperset(pair)])
    graph.add_nodes_from(cells)
    for cut in [(), *((cell,) for cell in sorted(nx.articulation_points(graph)))]:
        parts = [*nx.connected_components(graph.subgraph(cells.difference(cut)))]
        lost = [part for part in parts if part.isdisjoint((live, end))]
        if lost or (len(parts) > 1 and not cut):
            return _cut_off(board, min(lost or parts, key=min), cut)
    ends = {live, end, *nx.articulation_points(graph)}
    for block in nx.biconnected_components(graph):
        x, y = sorted(block & ends)
        inside = tuple(sorted(block - ends))
        black = sum(map(board.black, inside))
        wanted = 1 - board.black(x) - board.black(y)
        if 2 * black - len(inside) != wanted:
            sentence = (
                f"a way from cell {board.name(x)} to cell {board.name(y)} has black "
                f"minus white {wanted:+d} between them, not {black} minus "
                f"{len(inside) - black}"
            )
            return Reason(sentence, cells=(x, y), areas=(inside,))
    return None


def _cut_off(board: Board, area: set[Cell], cut: tuple[Cell, ...]) -> Reason:
    cells = "1 cell" if len(area) == 1 else f"{len(area)} cells"
    verb = "is" if len(area) == 1 else "are"
    sentence = f"{cells} {verb} cut off: no possible edge leads there"
    if cut:
        entrance = f"cell {board.name(cut[0])}"
        sentence = f"the region of {cells} has one entrance, {entrance}"
    return Reason(sentence, cells=cut, areas=(tuple(sorted(area)),))


def _overdrawn(
    board: Board, needs: Counter[Cell], chosen: set[Edge], possible: set[Edge]
) -> Reason | None:
    """Return the conflict of an area: no flow gives each cell its missing edges.

    A minimum cut of the flow between black and white cells is such an area.
    """
    import networkx as nx

    unknown, missing = possible - chosen, needs.copy()
    missing.subtract(cell for pair in chosen for cell in pair)
    for colour, other, black in (("black", "white", True), ("white", "black", False)):
        side = {cell for cell in missing if board.black(cell) is black}
        flow = nx.DiGraph()
        for cell, count in missing.items():
            ends = ("from", cell) if cell in side else (cell, "to")
            flow.add_edge(*ends, capacity=count)
        for a, b in unknown:
            flow.add_edge(*((a, b) if a in side else (b, a)), capacity=1)
        value, (reached, _) = nx.minimum_cut(flow, "from", "to")
        area = reached - {"from"}
        own, others = (
            sum(missing[cell] for cell in part) for part in (area & side, area - side)
        )
        doors = sum(
            (a in area) != (b in area) and bool(area & side & {a, b})
            for a, b in unknown
        )
        if value < sum(missing[cell] for cell in side):
            sentence = (
                f"the {colour} cells of the area still need {own} edges and its "
                f"{other} cells {others}, and {doors} can leave at {colour} cells"
            )
            return Reason(sentence, areas=(tuple(sorted(area)),))
    return None
