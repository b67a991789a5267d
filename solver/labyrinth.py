"""A complete walk drawn as a labyrinth: walls wherever the walk does not pass.

The walk visits every cell, so the labyrinth has one corridor, without a branch and
without a dead end. Its doors are at the start and the end cell, if they lie on the rim.
"""

from itertools import pairwise
from typing import TypeAlias

from solver.board import STEPS, Board, Cell, Position
from solver.errors import OptionError
from solver.svg import CELL, document

Side: TypeAlias = tuple[int, int, bool]  # row, col of a grid point; True: runs down

INSTRUCTIONS = (
    "Go in at one door and out at the other, through every cell; a start inside is a "
    "dot, an end a ring."
)
_MARGIN = 8
_WALL = 3  # width of a wall in SVG units


def walls(position: Position) -> set[Side]:
    """Return the sides of cells that the walk does not cross, doors left out.

    A side is named by the grid point where it begins, (0, 0) to (rows, cols), and runs
    one cell to the right or down. Linear in the cells.

    >>> len(walls(Position.parse("3:RRDLLDRR")))
    14

    Raises `OptionError` if the walk is not complete.
    """
    board = position.board
    if not position.complete:
        raise OptionError(
            f"a labyrinth needs a complete walk; this one leaves {position.unvisited} "
            f"of {board.open_cells} cells: {position.notation[:60]!r}"
        )
    passed = {side(board, a, board.direction(a, b)) for a, b in pairwise(position.walk)}
    doors = {side(board, cell, d) for cell, d in doors_of(board)}
    around = {side(board, cell, d) for cell in position.walk for d in range(4)}
    return around - passed - doors


def side(board: Board, cell: Cell, d: int) -> Side:
    """Return the side of a cell in a direction: 0 above, then clockwise."""
    row, col = divmod(cell, board.cols)
    return row + (d == 2), col + (d == 1), d % 2 == 1


def outside(board: Board) -> set[Cell]:
    """Return the walls that other walls join to the rim: there is no board there.

    >>> sorted(outside(Board.parse("5!1,3;1,4;3,3")))
    [2, 3]
    """
    left, beyond = set(board.walls), set[Cell]()
    todo = [cell for cell in left if any(at < 0 for at in _around(board, cell))]
    while todo:
        cell = todo.pop()
        if cell in left:
            left.remove(cell)
            beyond.add(cell)
            todo += _around(board, cell)
    return beyond


def _around(board: Board, cell: Cell) -> list[Cell]:
    """Return the cells above, right, below and left, -1 off the board."""
    row, col = divmod(cell, board.cols)
    places = [(row + down, col + right) for down, right in STEPS]
    return [
        r * board.cols + c if 0 <= r < board.rows and 0 <= c < board.cols else -1
        for r, c in places
    ]


def doors_of(board: Board) -> list[tuple[Cell, int]]:
    """Return the doors: start and end cell with a direction out of the board.

    A cell inside the board has none. The start's door is above if it can be, the end's
    below.
    """
    beyond = {-1} | outside(board)
    doors = []
    for cell, first in ((board.start, 0), (board.end, 2)):
        around = _around(board, cell)
        for d in (first, (first + 2) % 4, (first + 3) % 4, (first + 1) % 4):
            if around[d] in beyond:
                doors.append((cell, d))
                break
    return doors


def doorless(board: Board) -> list[Cell]:
    """Return start and end cell if no door leads there: a picture has to mark them."""
    doors = {cell for cell, _ in doors_of(board)}
    return [cell for cell in (board.start, board.end) if cell not in doors]


def draw_labyrinth(position: Position, *, scale: float = 1.0) -> str:
    """Draw a complete walk as a labyrinth, black on white, as an SVG document.

    A start or an end cell inside the board is marked, a dot or a ring, as no door leads
    there; walls of the board are filled.

    - `position`: complete.
    - `scale`: pixels for one SVG unit; a cell is 24 units wide.

    Raises `OptionError` if the walk is not complete, or the scale not between 0.01 and
    100.
    """
    board = position.board
    lines = "".join(
        f"M{_MARGIN + col * CELL} {_MARGIN + row * CELL}{'v' if down else 'h'}{CELL}"
        for row, col, down in sorted(walls(position))
    )
    width, height = (2 * _MARGIN + n * CELL for n in (board.cols, board.rows))
    parts = [f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for cell in sorted(set(board.walls) - outside(board)):
        row, col = divmod(cell, board.cols)
        x, y = _MARGIN + col * CELL, _MARGIN + row * CELL
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
    parts.append(
        f'<path class="labyrinth" d="{lines}" fill="none" stroke="#000000" '
        f'stroke-width="{_WALL}" stroke-linecap="round"/>'
    )
    for cell in doorless(board):
        row, col = divmod(cell, board.cols)
        x, y = _MARGIN + col * CELL + CELL // 2, _MARGIN + row * CELL + CELL // 2
        fill = "#000000" if cell == board.start else "none"
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{CELL * 0.2:g}" fill="{fill}" '
            'stroke="#000000" stroke-width="2"/>'
        )
    title = f"labyrinth {board.notation}"
    return document(width, height, title, parts, scale, description=INSTRUCTIONS)
