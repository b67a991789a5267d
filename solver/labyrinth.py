"""Complete walks drawn as labyrinths, and sheets of drawings to print.

A labyrinth has walls wherever the walk does not pass. The walk visits every cell, so
there is one corridor, without a branch or a dead end. Its doors are at the start and
the end cell, if these lie on the rim.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import isqrt
from typing import TypeAlias

from solver.board import STEPS, Board, Cell, Position
from solver.errors import OptionError
from solver.svg import CELL, MARGIN, disc, document, line, square

Side: TypeAlias = tuple[int, int, bool]  # row, col of a grid point; True: runs down
Drawing: TypeAlias = tuple[str, str]  # an SVG document, and the line of text below it

INSTRUCTIONS = (
    "Go in at one door and out at the other, through every cell. A dot is a start "
    "inside, a ring is an end inside."
)
SOLUTION = 'class="solution" stroke="#cc1a1a" stroke-width="3"'
MOST = 48  # drawings on a page


def walls(position: Position) -> set[Side]:
    """Return the sides of cells that the walk does not cross, except the doors.

    A side is the grid point where it begins, (0, 0) to (rows, cols), and whether it
    runs down from there instead of to the right. Linear in the cells.

    Raises `OptionError` if the walk is not complete.

    >>> len(walls(Position.parse("3:RRDLLDRR")))
    14
    """
    board = position.board
    if not position.complete:
        raise OptionError(
            f"a labyrinth needs a complete walk; this one leaves {position.unvisited} "
            f"of {board.open_cells} cells: {position.notation[:60]!r}"
        )
    crossed = {
        side(board, a, board.direction(a, b)) for a, b in pairwise(position.walk)
    }
    doors = {side(board, cell, d) for cell, d in doors_of(board).items()}
    around = {side(board, cell, d) for cell in position.walk for d in range(4)}
    return around - crossed - doors


def side(board: Board, cell: Cell, d: int) -> Side:
    """Return the side of a cell in a direction: 0 above, then clockwise."""
    row, col = divmod(cell, board.cols)
    return row + (d == 2), col + (d == 1), d % 2 == 1


def outside(board: Board) -> set[Cell]:
    """Return the walls that other walls connect to the rim.

    >>> sorted(outside(Board.parse("5!1,3;1,4;3,3")))
    [2, 3]
    """
    inner, outer = set(board.walls), set[Cell]()
    todo = [cell for cell in inner if -1 in _around(board, cell)]
    while todo:
        cell = todo.pop()
        if cell in inner:
            inner.remove(cell)
            outer.add(cell)
            todo += _around(board, cell)
    return outer


def _around(board: Board, cell: Cell) -> list[Cell]:
    """Return the cells above, right, below and left, -1 off the board."""
    row, col = divmod(cell, board.cols)
    places = [(row + down, col + right) for down, right in STEPS]
    return [
        r * board.cols + c if 0 <= r < board.rows and 0 <= c < board.cols else -1
        for r, c in places
    ]


def doors_of(board: Board) -> dict[Cell, int]:
    """Return the directions in which doors lead out of the start and the end cell.

    A cell inside the board has none. The start's door is above if possible, the end's
    below.
    """
    beyond = {-1} | outside(board)
    doors = {}
    for cell, first in ((board.start, 0), (board.end, 2)):
        around = _around(board, cell)
        for d in (first, (first + 2) % 4, (first + 3) % 4, (first + 1) % 4):
            if around[d] in beyond and cell not in doors:
                doors[cell] = d
    return doors


def draw_labyrinth(position: Position, *, solved: bool = False) -> str:
    """Draw a complete walk as a labyrinth, black on white, as an SVG document.

    A start or an end cell inside the board has no door: a dot or a ring marks it. Walls
    inside the board are filled.

    - `solved`: whether to add the walk, in red.

    Raises `OptionError` if the walk is not complete.
    """
    board = position.board
    style = 'class="labyrinth" stroke="#000000" stroke-width="3"'
    parts = [*filled_walls(board), side_path(walls(position), style)]
    doors = doors_of(board)
    parts += [mark(board, at) for at in (board.start, board.end) if at not in doors]
    if solved:
        parts.append(line(board, position.walk, SOLUTION))
    return paper(board, f"labyrinth {board.notation}", parts, INSTRUCTIONS)


def filled_walls(board: Board) -> list[str]:
    """Return SVG squares for the walls that lie inside the board."""
    return [
        square(board, wall, 'fill="#000000"')
        for wall in sorted(set(board.walls) - outside(board))
    ]


def side_path(sides: Iterable[Side], style: str) -> str:
    """Return an SVG path along sides of cells."""
    strokes = "".join(
        f"M{MARGIN + col * CELL} {MARGIN + row * CELL}{'v' if down else 'h'}{CELL}"
        for row, col, down in sorted(sides)
    )
    return f'<path {style} d="{strokes}" fill="none" stroke-linecap="round"/>'


def mark(board: Board, cell: Cell) -> str:
    """Return an SVG dot for the start cell, a ring for any other."""
    fill = "#000000" if cell == board.start else "none"
    return disc(board, cell, 0.2, f'fill="{fill}" stroke="#000000" stroke-width="2"')


def paper(board: Board, title: str, parts: Iterable[str], description: str) -> str:
    """Return an SVG document of a board on white."""
    width, height = (2 * MARGIN + n * CELL for n in (board.cols, board.rows))
    white = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return document(width, height, title, [white, *parts], description=description)


_STYLE = """
@page { margin: 12mm }
body { margin: 0; font: 10pt sans-serif; text-align: center }
section { height: 98vh; display: flex; flex-direction: column; break-after: page }
header { display: flex; justify-content: space-between; font-size: 14pt }
main { flex: 1; min-height: 0; display: grid; gap: 6mm; grid-auto-rows: 1fr }
figure { margin: 0; min-height: 0; display: flex; flex-direction: column }
figure svg { flex: 1; min-height: 0; width: 100% }
"""


def sheet(
    drawings: Sequence[Drawing], per_page: int, title: str, instructions: str
) -> str:
    """Return an HTML document to print: numbered drawings, `per_page` on a page.

    Each page has the title, a line for a name, and the instructions.

    Raises `OptionError` if `per_page` is not between 1 and 48.
    """
    if not 1 <= per_page <= MOST:
        raise OptionError(f"{per_page} a page is not between 1 and {MOST}")
    across = isqrt(min(per_page, len(drawings)))
    head = (
        f"<header><b>{escape(title)}</b><span>Name ____________________</span></header>"
        f"<p>{escape(instructions)}</p>"
    )
    figures = [
        f"<figure>{svg}<figcaption>{number}&ensp;{escape(text)}</figcaption></figure>"
        for number, (svg, text) in enumerate(drawings, 1)
    ]
    columns = f'style="grid-template-columns: repeat({across}, 1fr)"'
    pages = [
        f"<section>{head}<main {columns}>{''.join(figures[at : at + per_page])}</main>"
        "</section>"
        for at in range(0, len(figures), per_page)
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body>{''.join(pages)}</body></html>\n"
    )
