"""Boards cut out of a picture: its dark parts are walls.

The picture is laid over blocks of 2 x 2 cells; the largest connected part of the light
blocks is the board. A board of such blocks always has a walk: one round a spanning tree
of the blocks is a cycle, and the upper left cell of the part has just two neighbours,
so every cycle passes from it to the cell on its right.
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


def mask_board(path: Path, rows: int, cols: int) -> Board:
    """Return the board of a picture, start and end side by side at its upper left.

    - `path`: a picture that Pillow reads; what is transparent is light.
    - `rows`, `cols`: sides of the board; an odd one has a last line of walls.

    Raises `PictureError` if the file is no picture, too large, or light nowhere.
    """
    from PIL import Image

    try:
        data = BytesIO(read_regular(path, _BYTES))
        with warnings.catch_warnings(), Image.open(data) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            if image.width * image.height > _PIXELS:
                raise PictureError(str(path), f"more than {_PIXELS:,} pixels")
            paper = Image.new("RGBA", image.size, "white")
            paper.alpha_composite(image.convert("RGBA"))
            small = paper.convert("L").resize(
                (max(cols // 2, 1), max(rows // 2, 1)), Image.Resampling.BOX
            )
    except PictureError:
        raise
    except OptionError as error:
        raise PictureError(str(path), f"cannot be read: {error}") from None
    except Exception as error:  # Pillow's readers raise whatever their file made of it
        raise PictureError(str(path), f"no picture that can be read: {error}") from None
    shades = small.tobytes()
    light = {
        (at // small.width, at % small.width)
        for at, shade in enumerate(shades)
        if shade >= _LIGHT
    }
    part = _largest(light) if min(rows, cols) > 1 else set()
    if not part:
        raise PictureError(str(path), f"no light part for a board of {rows} x {cols}")
    open_cells = {
        (2 * row + down) * cols + 2 * col + right
        for row, col in part
        for down in (0, 1)
        for right in (0, 1)
    }
    start = min(open_cells)
    walls = tuple(set(range(rows * cols)) - open_cells)
    return Board(rows, cols, start, start + 1, walls)


def _largest(blocks: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the largest connected part; of several the one that begins first."""
    import networkx as nx

    around = ((0, 1), (1, 0))
    joined = (((r, c), (r + y, c + x)) for r, c in blocks for y, x in around)
    graph = nx.Graph(pair for pair in joined if pair[1] in blocks)
    graph.add_nodes_from(blocks)
    return max(sorted(nx.connected_components(graph), key=min), key=len, default=set())
