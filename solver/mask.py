"""Boards cut out of a picture: its dark cells are walls.

The largest connected part of the light cells is the board. A board of blocks of 2 x 2
cells always has a walk: around a spanning tree of the blocks runs a cycle, and the
upper left cell of the part has just two neighbours, so every cycle passes from it to
the cell on its right.
"""

import warnings
from io import BytesIO
from pathlib import Path

from solver.board import Board
from solver.errors import OptionError, PictureError
from solver.files import read_regular

_BYTES = 50_000_000
_PIXELS = 50_000_000
_LIGHT = 128  # of 0 to 255


def mask_board(
    path: Path, frame: Board, *, with_ends: bool = False, invert: bool = False
) -> Board:
    """Return the board of a picture: dark cells are walls, and light ones cut off.

    Each cell is the mean of its pixels, or each pixel is several cells: one of 20 x 20
    pixels on a board of 40 x 40 makes blocks of 2 x 2 cells, which always have a walk.

    - `path`: a picture that Pillow reads; what is transparent is light.
    - `frame`: rows and columns of the board, and with `with_ends` its ends. Else as
      many black cells as white ones give ends side by side at the upper left. If there
      is one more of a colour, its first and last cell are the ends.
    - `invert`: light cells are walls, for a dark shape on white paper.

    Raises `PictureError` if the file is no picture, too large, light nowhere, a wall
    where an end is, or its pixels do not divide into cells.
    """
    from PIL import Image

    rows, cols = frame.rows, frame.cols
    try:
        data = BytesIO(read_regular(path, _BYTES))
        with warnings.catch_warnings(), Image.open(data) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            width, height = image.size
            if width * height > _PIXELS:
                raise PictureError(str(path), f"more than {_PIXELS:,} pixels")
            if not _divide(height, rows) or not _divide(width, cols):
                raise PictureError(
                    str(path),
                    f"{height} x {width} pixels do not divide into {rows} x {cols} "
                    "cells of one size",
                )
            paper = Image.new("RGBA", image.size, "white")
            paper.alpha_composite(image.convert("RGBA"))
            cells = paper.convert("L").resize((cols, rows), Image.Resampling.BOX)
    except PictureError:
        raise
    except OptionError as error:
        raise PictureError(str(path), f"cannot be read: {error}") from None
    except Exception as error:  # Pillow's readers raise whatever their file made of it
        raise PictureError(str(path), f"no picture that can be read: {error}") from None
    light = {
        divmod(at, cols)
        for at, shade in enumerate(cells.tobytes())
        if (shade >= _LIGHT) is not invert
    }
    part = [row * cols + col for row, col in sorted(_largest(light))]
    if len(part) < 2:
        raise PictureError(str(path), f"no light part for a board of {rows} x {cols}")
    start, end = (frame.start, frame.end) if with_ends else _ends(part, cols)
    for name, cell in (("start", start), ("end", end)):
        if cell not in part:
            why = f"the {name} {frame.name(cell)} is dark, or cut off"
            raise PictureError(str(path), why)
    walls = tuple(set(range(rows * cols)).difference(part))
    return Board(rows, cols, start, end, walls)


def _divide(pixels: int, cells: int) -> bool:
    return pixels % cells == 0 or cells % pixels == 0


def _ends(part: list[int], cols: int) -> tuple[int, int]:
    """Return ends whose colours a walk over the cells can have, if any can."""
    black = [cell for cell in part if (cell // cols + cell % cols) % 2 == 0]
    white = [cell for cell in part if (cell // cols + cell % cols) % 2]
    if abs(len(black) - len(white)) == 1:
        more = max(black, white, key=len)
        return more[0], more[-1]
    first = part[0]
    beside = [
        cell
        for cell in (first + 1, first + cols)
        if cell in part and (cell == first + cols or cell % cols)
    ]
    return first, beside[0]


def _largest(blocks: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the largest connected part; of several the one that begins first."""
    import networkx as nx

    around = ((0, 1), (1, 0))
    joined = (((r, c), (r + y, c + x)) for r, c in blocks for y, x in around)
    graph = nx.Graph(pair for pair in joined if pair[1] in blocks)
    graph.add_nodes_from(blocks)
    return max(sorted(nx.connected_components(graph), key=min), key=len, default=set())
