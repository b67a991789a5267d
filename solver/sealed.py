"""Regions of a position that the line cannot enter and leave, in plain words.

Three reasons why a position is dead need no counting: cells that no free way joins to
the live end, a dead end, and a region with one entrance that does not hold the end
cell. They are found by one depth-first search from the live end.
"""

from dataclasses import dataclass

from solver.board import Board, Cell, Position

Edge = tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Sealed:
    """Why a position is dead, to be seen at a glance.

    - `sentence`: one sentence, for a person, without full stop.
    - `region`: the cells it speaks of.
    - `doors`: pairs of cells, one inside the region and one outside, that the line
      could still step between.
    """

    sentence: str
    region: tuple[Cell, ...]
    doors: tuple[Edge, ...] = ()


def find_sealed(position: Position) -> Sealed | None:
    """Return a region that the line cannot enter and leave, or None.

    None says nothing: the position may be dead for another reason. O(cells) time.

    >>> find_sealed(Position.parse("5:RRRRDLLLD")).sentence
    'dead end at row 2, column 1'
    """
    if position.unvisited == 0:
        return None
    graph = _free_graph(position)
    if position.board.end in position.walk:
        region = tuple(sorted(graph.keys() - {position.live_end}))
        left = "1 cell is" if len(region) == 1 else f"{len(region)} cells are"
        return Sealed(f"the end cell is visited, and {left} left", region)
    search = _Search(graph, position.live_end)
    for find in (_cut_off, _dead_end, _one_entrance):
        if sealed := find(position, graph, search):
            return sealed
    return None


def _free_graph(position: Position) -> dict[Cell, list[Cell]]:
    """Return the cells that the rest of the line may use, each with its neighbours."""
    inside = {cell for cell, free in enumerate(position.free.tolist()) if free} | {
        position.live_end
    }
    near = position.board.neighbours.tolist()
    return {cell: [v for v in near[cell] if v in inside] for cell in sorted(inside)}


class _Search:
    """A depth-first search from the live end: order, last descendant, low points."""

    def __init__(self, graph: dict[Cell, list[Cell]], root: Cell) -> None:
        self.order: list[Cell] = []  # cells as they are entered
        self.entered: dict[Cell, int] = {}
        self.left: dict[Cell, int] = {}  # cells entered when the cell was left
        self.low: dict[Cell, int] = {}  # the first cell that its descendants touch
        self.parent: dict[Cell, Cell] = {root: root}
        stack = [(root, iter(graph[root]))]
        self._enter(root)
        while stack:
            cell, ahead = stack[-1]
            following = next(ahead, None)
            if following is None:
                stack.pop()
                self.left[cell] = len(self.order)
                above = self.parent[cell]
                self.low[above] = min(self.low[above], self.low[cell])
            elif following not in self.entered:
                self.parent[following] = cell
                self._enter(following)
                stack.append((following, iter(graph[following])))
            elif following != self.parent[cell]:
                self.low[cell] = min(self.low[cell], self.entered[following])

    def _enter(self, cell: Cell) -> None:
        self.entered[cell] = self.low[cell] = len(self.order)
        self.order.append(cell)

    def below(self, cell: Cell) -> list[Cell]:
        """Return a cell and all its descendants."""
        return self.order[self.entered[cell] : self.left[cell]]


def _cut_off(
    position: Position, graph: dict[Cell, list[Cell]], search: _Search
) -> Sealed | None:
    rest = graph.keys() - search.entered.keys()
    parts = []
    while rest:
        part = set(_Search(graph, min(rest)).order)
        parts.append(tuple(sorted(part)))
        rest -= part
    if not parts:
        return None
    region = min(parts, key=len)
    if len(region) == 1:
        return Sealed(f"{_place(position.board, region[0])} is cut off", region)
    sentence = f"{_cells(len(region))} are cut off"
    if position.board.end in region:
        sentence += ", the end cell among them"
    return Sealed(sentence, region)


def _dead_end(
    position: Position, graph: dict[Cell, list[Cell]], search: _Search
) -> Sealed | None:
    ends = (position.live_end, position.board.end)
    for cell, near in graph.items():
        if len(near) == 1 and cell not in ends:
            sentence = f"dead end at {_place(position.board, cell)}"
            return Sealed(sentence, (cell,), ((cell, near[0]),))
    return None


def _one_entrance(
    position: Position, graph: dict[Cell, list[Cell]], search: _Search
) -> Sealed | None:
    board, root = position.board, position.live_end
    several = sum(above == root for above in search.parent.values()) > 2
    found: list[tuple[Cell, list[Cell]]] = []
    for cell, above in search.parent.items():
        closed = several if above == root else search.low[cell] >= search.entered[above]
        if cell != root and closed:
            region = search.below(cell)
            if board.end not in region:
                found.append((above, region))
    if not found:
        return None
    # The mouth of a corridor says more than its last cell, and than the live end.
    entrance, below = max(found, key=lambda pair: (pair[0] != root, len(pair[1])))
    inside = tuple(sorted(below))
    doors = tuple((cell, entrance) for cell in inside if entrance in graph[cell])
    what = f"the region of {_cells(len(inside))} has one entrance"
    if entrance == root:
        sentence = f"{what}, the live end, and the end cell lies elsewhere"
    elif entrance == board.end:
        sentence = f"{what}, the end cell"
    else:
        sentence = f"{what}, {_place(board, entrance)}"
    return Sealed(sentence, inside, doors)


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _place(board: Board, cell: Cell) -> str:
    row, col = board.row_col(cell)
    return f"row {row}, column {col}"
