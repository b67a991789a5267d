"""A complete walk drawn as a labyrinth: walls wherever the walk does not pass.

The walk visits every cell, so the labyrinth has one corridor, without a branch and
without a dead end. Its doors are at the start and the end cell, if they lie on the rim.
"""

from collections.abc import Iterator
from typing import TypeAlias

from solver.board import STEPS, Board, Cell, Position
from solver.errors import OptionError
from solver.svg import CELL, document

Side: TypeAlias = tuple[int, int, bool]  # row, col of a grid point; True: runs down

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
    passed = {
        side(board, here, board.direction(here, there))
        for here, there in zip(position.walk, position.walk[1:], strict=False)
    }
    doors = {side(board, cell, d) for cell, d, _ in doors_of(board)}
    around = {side(board, cell, d) for cell in position.walk for d in range(4)}
    return around - passed - doors


def side(board: Board, cell: Cell, d: int) -> Side:
    """Return the side of a cell in a direction: 0 above, then clockwise."""
    row, col = divmod(cell, board.cols)
    return ((row, col, False), (row, col + 1, True), (row + 1, col, False),
            (row, col, True))[d]  # fmt: skip


def outside(board: Board) -> set[Cell]:
    """Return the walls that other walls join to the rim: there is no board there.

    >>> sorted(outside(Board.parse("5!1,3;1,4;3,3")))
    [2, 3]
    """
    rows, cols = board.rows, board.cols
    left, found = set(board.walls), set[Cell]()
    rim = [
        c
        for c in board.walls
        if c // cols in (0, rows - 1) or c % cols in (0, cols - 1)
    ]
    while rim:
        cell = rim.pop()
        if cell in left:
            left.remove(cell)
            found.add(cell)
            row, col = divmod(cell, cols)
            near = [(row + down, col + right) for down, right in STEPS]
            rim += [r * cols + c for r, c in near if 0 <= r < rows and 0 <= c < cols]
    return found


def doors_of(board: Board) -> list[tuple[Cell, int, bool]]:
    """Return the doors: cell, direction out of the board, whether it is the start's.

    A start or an end cell inside the board has none.
    """
    found, beyond = [], outside(board)
    for cell, first, begins in ((board.start, 0, True), (board.end, 2, False)):
        row, col = divmod(cell, board.cols)
        for d in (first, (first + 2) % 4, (first + 3) % 4, (first + 1) % 4):
            r, c = row + STEPS[d][0], col + STEPS[d][1]
            inside = 0 <= r < board.rows and 0 <= c < board.cols
            if not inside or r * board.cols + c in beyond:
                found.append((cell, d, begins))
                break
    return found


def doorless(board: Board) -> list[tuple[Cell, bool]]:
    """Return start (True) and end cell (False), if no door leads there.

    They lie inside the board, so that a picture has to mark them.
    """
    doors = {cell for cell, _, _ in doors_of(board)}
    ends = ((board.start, True), (board.end, False))
    return [(cell, dot) for cell, dot in ends if cell not in doors]


def strokes(position: Position) -> Iterator[tuple[int, int, bool, int]]:
    """Yield the walls as straight strokes: row, col, whether down, length in cells.

    Long strokes print without seams.

    Raises `OptionError` if the walk is not complete.
    """
    sides = walls(position)
    for row, col, down in sorted(sides):
        back = (row - 1, col, down) if down else (row, col - 1, down)
        if back in sides:
            continue
        length, at = 0, (row, col, down)
        while at in sides:
            length += 1
            at = (row + length, col, down) if down else (row, col + length, down)
        yield row, col, down, length


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
        f"M{_MARGIN + col * CELL} {_MARGIN + row * CELL}"
        f"{'v' if down else 'h'}{length * CELL}"
        for row, col, down, length in strokes(position)
    )
    width, height = (2 * _MARGIN + n * CELL for n in (board.cols, board.rows))
    parts = [f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for cell in sorted(set(board.walls) - outside(board)):
        row, col = divmod(cell, board.cols)
        parts.append(
            f'<rect x="{_MARGIN + col * CELL}" y="{_MARGIN + row * CELL}" '
            f'width="{CELL}" height="{CELL}"/>'
        )
    parts.append(
        f'<path class="labyrinth" d="{lines}" fill="none" stroke="#000000" '
        f'stroke-width="{_WALL}" stroke-linecap="round"/>'
    )
    for cell, dot in doorless(board):
        row, col = divmod(cell, board.cols)
        x, y = (_MARGIN + (at + 0.5) * CELL for at in (col, row))
        fill = "#000000" if dot else "none"
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.2:g}" fill="{fill}" '
            'stroke="#000000" stroke-width="2"/>'
        )
    return document(width, height, f"labyrinth {board.notation}", parts, scale)
