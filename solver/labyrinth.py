"""Boards cut out of pictures, and complete walks drawn as labyrinths.

A labyrinth has walls wherever the walk does not pass. The walk visits every cell, so
there is one corridor, without a branch or a dead end. Its doors are at the start and
the end cell, if these lie on the rim.
"""

import warnings
from collections.abc import Iterable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from solver.board import STEPS, Board, Cell, Position
from solver.errors import OptionError, PictureError
from solver.files import read_regular
from solver.svg import CELL, MARGIN, cell_square, centre, disc, document, line

Side: TypeAlias = tuple[int, int, bool]  # row, col of a grid point; True: runs down

INSTRUCTIONS = (
    "Go in at one door and out at the other, through every cell; a start inside is a "
    "dot, an end a ring."
)
SOLUTION = 'class="solution" stroke="#cc1a1a" stroke-width="3"'
_BYTES = 50_000_000  # of a picture that cuts out a board
_PIXELS = 50_000_000
_LIGHT = 128  # of 0 to 255


def picture_board(
    path: Path, frame: Board, *, with_ends: bool = False, invert: bool = False
) -> Board:
    """Return the board of a picture: its largest light part; all else is wall.

    Each cell is the mean of its pixels, or each pixel is several cells. A picture of 20
    x 20 pixels on a board of 40 x 40 makes blocks of 2 x 2 cells. Such a board has a
    walk: a cycle runs around a spanning tree of the blocks, and passes from the upper
    left cell to its right neighbour.

    - `path`: a picture that Pillow reads; transparent pixels are light.
    - `frame`: rows and columns of the board, and with `with_ends` its ends. Otherwise
      the ends have colours that a walk allows.
    - `invert`: light cells are walls.

    Raises `PictureError` if the file is no picture, too large, without a light part, a
    wall where an end is, or its pixels do not divide into cells.
    """
    light = {
        (row + 1, col + 1): row * frame.cols + col
        for row, shades in enumerate(_shades(path, frame.rows, frame.cols))
        for col, shade in enumerate(shades)
        if (shade >= _LIGHT) is not invert
    }
    board = sorted(_largest_part(light))
    if len(board) < 2:
        size = f"{frame.rows} x {frame.cols}"
        raise PictureError(str(path), f"no light part for a board of {size}")
    start, end = (frame.start, frame.end) if with_ends else _ends(frame, board)
    for name, cell in (("start", start), ("end", end)):
        if cell not in board:
            why = f"the {name} {frame.name(cell)} is dark, or cut off"
            raise PictureError(str(path), why)
    walls = tuple({*range(frame.cells)}.difference(board))
    return Board(frame.rows, frame.cols, start, end, walls)


def _shades(path: Path, rows: int, cols: int) -> list[bytes]:
    """Return the shades of all cells, from 0 to 255, row by row."""
    from PIL import Image

    try:
        data = BytesIO(read_regular(path, _BYTES))
        with warnings.catch_warnings(), Image.open(data) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            width, height = image.size
            if width * height > _PIXELS:
                raise OptionError(f"more than {_PIXELS:,} pixels")
            for pixels, cells in ((height, rows), (width, cols)):
                if pixels % cells and cells % pixels:
                    raise OptionError(
                        f"{height} x {width} pixels do not divide into {rows} x {cols} "
                        "cells of one size"
                    )
            paper = Image.new("RGBA", image.size, "white")
            paper.alpha_composite(image.convert("RGBA"))
            grey = paper.convert("L").resize((cols, rows), Image.Resampling.BOX)
    except Exception as error:  # Pillow's readers raise errors of all kinds
        why = f"cannot be read as a picture: {error}"
        raise PictureError(str(path), why) from None
    shades = grey.tobytes()
    return [shades[row * cols : (row + 1) * cols] for row in range(rows)]


def _largest_part(light: dict[tuple[int, int], Cell]) -> list[Cell]:
    """Return the largest connected part of cells by (row, col); the first of equals."""
    best: list[Cell] = []
    while light:
        todo, part = [next(iter(light))], []
        while todo:
            row, col = todo.pop()
            if (row, col) in light:
                part.append(light.pop((row, col)))
                todo += [(row + down, col + right) for down, right in STEPS]
        best = max(best, part, key=len)
    return best


def _ends(frame: Board, board: list[Cell]) -> tuple[Cell, Cell]:
    """Return neighbours at the upper left, or the first and last cell of a surplus."""
    black = [cell for cell in board if frame.black(cell)]
    white = [cell for cell in board if not frame.black(cell)]
    if abs(len(black) - len(white)) == 1:
        more = max(black, white, key=len)
        return more[0], more[-1]
    near = frame.neighbours[board[0]].tolist()
    return board[0], next(cell for cell in near if cell in board)


def walls(position: Position) -> set[Side]:
    """Return the sides of cells that the walk does not cross, except the doors.

    A side is the grid point where it begins, (0, 0) to (rows, cols), and whether it
    runs down from there instead of to the right. Linear in the cells.

    Raises `OptionError` if the walk is not complete.

    >>> len(walls(Position.parse("3:RRDLLDRR")))
    14
    """
    board, walk = position.board, position.walk
    if not position.complete:
        raise OptionError(
            f"a labyrinth needs a complete walk; this one leaves {position.unvisited} "
            f"of {board.open_cells} cells: {position.notation[:60]!r}"
        )
    crossed = {side(board, a, board.direction(a, b)) for a, b in pairwise(walk)}
    doors = {side(board, cell, d) for cell, d in doors_of(board).items()}
    around = {side(board, cell, d) for cell in walk for d in range(4)}
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
    inner, outer, around = set(board.walls), set[Cell](), _around(board)
    todo = [cell for cell in inner if -1 in around[cell]]
    while todo:
        cell = todo.pop()
        if cell in inner:
            inner.remove(cell)
            outer.add(cell)
            todo += around[cell]
    return outer


def _around(board: Board) -> list[list[Cell]]:
    """Return the cells above, right, below and left of each, -1 off the board."""
    near: list[list[Cell]] = Board(board.rows, board.cols).neighbours.tolist()
    return near


def doors_of(board: Board) -> dict[Cell, int]:
    """Return the directions in which doors lead out of the start and the end cell.

    A cell inside the board has none. The start's door is above if possible, the end's
    below.
    """
    beyond, around = {-1} | outside(board), _around(board)
    doors: dict[Cell, int] = {}
    for cell, order in ((board.start, (0, 2, 3, 1)), (board.end, (2, 0, 1, 3))):
        for d in order:
            if around[cell][d] in beyond:
                doors.setdefault(cell, d)
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
    parts += [_arrow(board, cell, d) for cell, d in doors.items()]
    parts += [mark(board, at) for at in (board.start, board.end) if at not in doors]
    if solved:
        parts.append(line(board, position.walk, SOLUTION))
    return white_page(board, f"labyrinth {board.notation}", parts, INSTRUCTIONS)


def _arrow(board: Board, cell: Cell, d: int) -> str:
    x, y = centre(board, cell)
    down, right = STEPS[d]
    tip, back = (0.15, 0.45) if cell == board.start else (0.45, 0.15)
    points = " ".join(
        f"{x + CELL * (out * right + aside * down):g},"
        f"{y + CELL * (out * down + aside * right):g}"
        for out, aside in ((tip, 0), (back, 0.2), (back, -0.2))
    )
    return f'<polygon points="{points}" fill="#000000"/>'


def filled_walls(board: Board) -> list[str]:
    """Return SVG squares for the walls that lie inside the board."""
    return [
        cell_square(board, wall, 'fill="#000000"')
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


def white_page(board: Board, title: str, parts: Iterable[str], description: str) -> str:
    """Return an SVG document of a board on white."""
    width, height = (2 * MARGIN + n * CELL for n in (board.cols, board.rows))
    white = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return document(width, height, title, [white, *parts], description=description)
