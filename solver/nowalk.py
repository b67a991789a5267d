"""Why a board has no walk, or a position no completion, where it is plain to see.

`why_dead` takes linear time, so every command asks it first. Nothing is searched: where
it finds no reason there may still be no completion.
"""

from dataclasses import dataclass
from typing import TypeAlias

from solver.board import Board, Cell, Position
from solver.errors import NoWalkError

Edge: TypeAlias = tuple[Cell, Cell]
_Graph: TypeAlias = dict[Cell, list[Cell]]


def why_dead(position: Position) -> str:
    """Return why no completion exists, in one sentence; empty if no reason is plain.

    The reasons: colours do not alternate, or a region cannot be entered and left.

    >>> why_dead(Position.parse("4:"))
    'from black to black a walk has one black cell more than white, not 8 and 8'
    >>> why_dead(Position.parse("5!1,4;2,2;2,5;3,1:"))
    'row 1, column 5 is cut off'
    >>> why_dead(Position.parse("5:"))
    ''
    """
    board = position.board
    if position.unvisited == 0:
        return "" if position.complete else "the walk does not stop at the end cell"
    if board.end in position.walk:
        return "the end cell is entered before the last cell"
    if why := _colours(position):
        return why
    if not board.walls and len(position.walk) == 1 and min(board.rows, board.cols) > 2:
        return ""  # no cell of such a rectangle is a cut
    sealed = find_sealed(position)
    return sealed.sentence if sealed else ""


def check_walkable(board: Board) -> None:
    """Refuse a board that plainly has no walk.

    Raises `NoWalkError` with the reason, and an end that works if a corner does.
    """
    if why := why_dead(Position(board)):
        raise NoWalkError(board.notation, f"{why}{_end_hint(board)}")


def _end_hint(board: Board) -> str:
    """Return words that name a corner that works as an end; empty for walls."""
    corners = (board.cells - 1, board.cells - board.cols, board.cols - 1, 0)
    for end in corners if not board.walls else ():
        if end != board.start:
            other = Board(board.rows, board.cols, board.start, end)
            if not why_dead(Position(other)):
                return f"; an end that works: {other.notation}"
    return ""


def _colours(position: Position) -> str:
    """Colours alternate; the live end is counted with the free cells."""
    board = position.board
    grid = position.free.reshape(board.rows, board.cols)
    black = int(grid[::2, ::2].sum() + grid[1::2, 1::2].sum())
    white = int(grid.sum()) - black
    first, last = board.black(position.live_end), board.black(board.end)
    black, white = black + first, white + (not first)
    if black - white == (first + last - 1):
        return ""
    words = {True: "black", False: "white"}
    ends = f"from {words[first]} to {words[last]} a walk has "
    if first == last:
        more, fewer = (black, white) if first else (white, black)
        other = words[not first]
        excess = f"one {words[first]} cell more than {other}"
        return f"{ends}{excess}, not {more} and {fewer}"
    return f"{ends}as many black cells as white, not {black} and {white}"


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

    It is cut off, or it is a dead end, or it has one entrance and does not hold the end
    cell. None says nothing: the position may be dead for another reason. O(cells) time.

    >>> find_sealed(Position.parse("5:RRRRDLLLD")).sentence
    'dead end at row 2, column 1'
    """
    board, root = position.board, position.live_end
    if position.unvisited == 0:
        return None
    free = {cell for cell, is_free in enumerate(position.free.tolist()) if is_free}
    near = board.neighbours.tolist()
    graph = {
        cell: [other for other in near[cell] if other in free or other == root]
        for cell in sorted(free | {root})
    }
    if board.end not in free:
        sentence = f"the end cell is visited, and {_cells(len(free), 'left')}"
        return Sealed(sentence, tuple(sorted(free)))
    search = _DepthFirst(graph, root)
    return _cut_off(board, graph, search) or _one_entrance(board, graph, search)


class _DepthFirst:
    """A depth-first search: cells in order, their parents and low points."""

    def __init__(self, graph: _Graph, root: Cell) -> None:
        self.root = root
        self.entered = {root: 0}  # in this order
        self.low = {root: 0}  # the first cell that its descendants touch
        self.parent = {root: root}
        self.left: dict[Cell, int] = {}  # cells entered when the cell was left
        stack = [(root, iter(graph[root]))]
        while stack:
            cell, ahead = stack[-1]
            following = next(ahead, None)
            above = self.parent[cell]
            if following is None:
                stack.pop()
                self.left[cell] = len(self.entered)
                self.low[above] = min(self.low[above], self.low[cell])
            elif following not in self.entered:
                self.parent[following] = cell
                self.entered[following] = self.low[following] = len(self.entered)
                stack.append((following, iter(graph[following])))
            elif following != above:
                self.low[cell] = min(self.low[cell], self.entered[following])

    def below(self, cell: Cell) -> list[Cell]:
        """Return a cell and all its descendants."""
        return list(self.entered)[self.entered[cell] : self.left[cell]]


def _cut_off(board: Board, graph: _Graph, search: _DepthFirst) -> Sealed | None:
    rest = graph.keys() - search.entered.keys()
    parts = []
    while rest:
        part = _DepthFirst(graph, min(rest)).entered.keys()
        parts.append(tuple(sorted(part)))
        rest -= part
    if not parts:
        return None
    region = min(parts, key=len)
    if len(region) == 1:
        return Sealed(f"{_place(board, region[0])} is cut off", region)
    sentence = _cells(len(region), "cut off")
    if board.end in region:
        sentence += ", the end cell among them"
    return Sealed(sentence, region)


def _one_entrance(board: Board, graph: _Graph, search: _DepthFirst) -> Sealed | None:
    root = search.root
    several = sum(above == root for above in search.parent.values()) > 2
    regions: list[tuple[Cell, list[Cell]]] = []
    for cell, above in search.parent.items():
        closed = search.low[cell] >= search.entered[above]
        if cell != root and (several if above == root else closed):
            region = search.below(cell)
            if board.end not in region:
                regions.append((above, region))
    if not regions:
        return None
    # The mouth of a corridor says more than its last cell, and than the live end.
    entrance, below = max(regions, key=lambda pair: (pair[0] != root, len(pair[1])))
    inside = tuple(sorted(below))
    doors = tuple((cell, entrance) for cell in inside if entrance in graph[cell])
    if len(inside) == 1:
        return Sealed(f"dead end at {_place(board, inside[0])}", inside, doors)
    where = _place(board, entrance)
    if entrance == root:
        where = "the live end, and the end cell lies elsewhere"
    elif entrance == board.end:
        where = "the end cell"
    sentence = f"the region of {len(inside)} cells has one entrance, {where}"
    return Sealed(sentence, inside, doors)


def _cells(count: int, what: str) -> str:
    return f"1 cell is {what}" if count == 1 else f"{count} cells are {what}"


def _place(board: Board, cell: Cell) -> str:
    row, col = board.row_col(cell)
    return f"row {row}, column {col}"
