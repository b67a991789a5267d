"""Why a board has no walk, or a position no completion, where it is plain to see.

`why_dead` takes linear time, so every command asks it first. Nothing is searched: where
it finds no reason there may still be no completion.

`find_sealed` names a region of a dead position that the line cannot enter and leave,
for reasons that need no counting: cells that no free way joins to the live end, a dead
end, and a region with one entrance that does not hold the end cell. One depth-first
search from the live end finds them, in Python.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.errors import NoWalkError
from solver.jit import njit


@njit
def _reached(
    neighbours: npt.NDArray[np.int32],
    free: npt.NDArray[np.bool_],
    here: int,
    queue: npt.NDArray[np.int32],
    seen: npt.NDArray[np.bool_],
) -> None:
    """Kernel: mark in `seen` the free cells that can be reached."""
    queue[0] = here
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for d in range(4):
            other = neighbours[cell, d]
            if other >= 0 and free[other] and not seen[other]:
                seen[other] = True
                queue[tail] = other
                tail += 1


def why_dead(position: Position) -> str:
    """Return why no completion exists, in one sentence; empty if no reason is plain.

    The reasons: colours do not alternate, a cell is cut off or is a dead end, or the
    board is one of the rectangles of Itai, Papadimitriou and Szwarcfiter, "Hamilton
    paths in grid graphs", SIAM J. Comput. 11, 1982, theorem 3.2.

    >>> why_dead(Position.parse("4:"))
    'from black to black a walk has one black cell more than white, not 8 and 8'
    >>> why_dead(Position.parse("5!1,4;2,2;2,5;3,1:"))
    'cell 1,5 is cut off'
    >>> why_dead(Position.parse("5:"))
    ''
    """
    board = position.board
    if position.unvisited == 0:
        return "" if position.complete else "the walk does not stop at the end cell"
    free = position.free
    if not free[board.end]:
        return "the end cell is entered before the last cell"
    return (
        _colours(position, free)
        or _neighbours(position, free)
        or ("" if board.walls or len(position.walk) > 1 else _narrow(board))
    )


def check_walkable(board: Board) -> None:
    """Refuse a board that plainly has no walk.

    Raises `NoWalkError` with the reason.
    """
    if why := why_dead(Position(board)):
        raise NoWalkError(board.notation, f"{why}{end_hint(board)}")


def end_hint(board: Board) -> str:
    """Return words that name an end with a walk; empty if none is known, or for walls.

    >>> end_hint(Board.square(10))
    '; an end that works: 10@1,1>10,1'
    """
    if board.walls:
        return ""
    found = working_end(board.rows, board.cols, board.start)
    return f"; an end that works: {found.notation}" if found else ""


def working_end(rows: int, cols: int, start: Cell) -> Board | None:
    """Return a board without walls that has a walk from a start to a corner, if any."""
    corners = (rows * cols - 1, (rows - 1) * cols, cols - 1, 0)
    for end in dict.fromkeys(corners):
        if end != start or rows * cols == 1:
            board = Board(rows, cols, start, end)
            if not why_dead(Position(board)):
                return board
    return None


def _colours(position: Position, free: npt.NDArray[np.bool_]) -> str:
    """Colours alternate; the live end is counted with the free cells."""
    board = position.board
    grid = free.reshape(board.rows, board.cols)
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
        return (
            f"{ends}one {words[first]} cell more than {other}, not {more} and {fewer}"
        )
    return f"{ends}as many black cells as white, not {black} and {white}"


def _neighbours(position: Position, free: npt.NDArray[np.bool_]) -> str:
    """Every cell can be reached, and left again unless it is the end."""
    board, here = position.board, position.live_end
    if not board.walls and len(position.walk) == 1 and min(board.rows, board.cols) > 1:
        return ""  # a rectangle
    near = board.neighbours
    seen = np.zeros(board.cells, np.bool_)
    _reached(near, free, here, np.empty(board.cells, np.int32), seen)
    lost = np.flatnonzero(free & ~seen)
    if len(lost):
        return f"cell {board.name(int(lost[0]))} is cut off"
    usable = free.copy()
    usable[here] = True
    ways = (usable[near] & (near >= 0)).sum(axis=1)
    ends = free & (ways < 2)
    ends[board.end] = False
    tight = np.flatnonzero(ends)
    if len(tight):
        return f"cell {board.name(int(tight[0]))} can be entered and not left"
    return ""


def _narrow(board: Board) -> str:
    """Rectangles of two or three rows whose ends part the cells; from the theorem."""
    rows, cols = board.rows, board.cols
    start, end = divmod(board.start, cols), divmod(board.end, cols)
    if rows > cols:
        rows, cols, start, end = cols, rows, start[::-1], end[::-1]
    if rows == 2 and start[1] == end[1] and 0 < start[1] < cols - 1:
        return "start and end part the cells on their left from those on their right"
    if rows == 3 and cols % 2 == 0 and cols > 2:
        for (row, col), (_, far) in ((start, end), (end, start)):
            for a, b in ((col, far), (cols - 1 - col, cols - 1 - far)):
                lost = a < b if row == 1 else a < b - 1
                if (row + a) % 2 == 1 and lost:  # not the colour of the corner near a
                    return (
                        "of three rows of even length the cells beyond one end cannot "
                        "all be visited before the walk goes to the other"
                    )
    return ""


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
