"""Boards and walks as links of penpa-edit.

The puzzle has shaded cells for walls, S and G at the ends, and the walk as lines; all
are given. Facts of the format: swaroopg92/penpa-edit, `maketext` and `load` of
`docs/js`. The link is text, deflated and in base 64; its lines are JSON but for the
first. A grid of cols x rows has a margin of two cells on each side.
"""

import base64
import binascii
import json
import zlib
from itertools import pairwise
from typing import Any

from solver.board import Board, Cell, Position
from solver.errors import NotationError
from solver.puzzlink import walk_of

_SITE = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
_MOST = 4_000_000  # characters of a puzzle: a board of 20,000 cells
_SIZE = 38  # of a cell, points
_BLACK, _GREEN = 4, 3  # of a surface, of a line
# Words that the text has in short, in the order they are put in; the first is an escape
_SHORT = [("z", "zZ"), *(
    (f'"{word}"', f"z{letter}")
    for word, letter in (
        ("qa", "9"), ("pu_q", "Q"), ("pu_a", "A"), ("grid", "G"), ("edit_mode", "M"),
        ("surface", "S"), ("line", "L"), ("lineE", "E"), ("wall", "W"), ("cage", "C"),
        ("number", "N"), ("symbol", "Y"), ("special", "P"), ("board", "B"),
        ("command_redo", "R"), ("command_undo", "U"), ("command_replay", "8"),
        ("numberS", "1"), ("freeline", "F"), ("freelineE", "2"), ("thermo", "T"),
        ("arrows", "3"), ("direction", "D"), ("squareframe", "0"), ("polygon", "5"),
        ("deletelineE", "4"), ("killercages", "6"), ("nobulbthermo", "7"), ("__a", "_"),
    )
), ("null", "zO")]  # fmt: skip
_MAPS = ("surface", "number", "numberS", "symbol", "line", "lineE", "wall", "cage",
         "deletelineE")  # fmt: skip
_LISTS = ("thermo", "arrows", "direction", "squareframe", "polygon", "killercages",
          "nobulbthermo")  # fmt: skip

_TOOLS = ("surface", "multicolor", "line", "lineE", "wall", "cage", "number", "symbol",
          "special", "board", "move", "combi", "sudoku")  # fmt: skip


def link(position: Position) -> str:
    """Return a link to edit or solve the puzzle.

    >>> read(link(Position.parse("4x5@1,1>4,5!2,2:RR"))).notation
    '4x5!2,2:RR'
    """
    board = position.board
    asked = _layer()
    asked["surface"] = {str(_at(board, cell)): _BLACK for cell in board.walls}
    for cell, letter in ((board.start, "S"), (board.end, "G")):
        asked["number"][str(_at(board, cell))] = [letter, 1, "1"]
    for step in pairwise(position.walk):
        a, b = sorted(_at(board, cell) for cell in step)
        asked["line"][f"{a},{b}"] = _GREEN
    cells = [_at(board, cell) for cell in range(board.cells)]
    wide, high = board.cols + 4, board.rows + 4
    kind = {(1, 1): 0, (0, 0): 1, (1, 0): 2, (0, 1): 3}[board.cols % 2, board.rows % 2]
    middle = (board.rows + 3) // 2 * wide + (board.cols + 3) // 2 + kind * wide * high
    head = ["square", board.cols, board.rows, _SIZE, 0, 1, 1, (board.cols + 1) * _SIZE,
            (board.rows + 1) * _SIZE, middle, middle, 0, 0, 0, 0, "Title: ", "Author: ",
            "", "", "OFF", "false"]  # fmt: skip
    deltas = cells[:1] + [b - a for a, b in pairwise(cells)]
    tools = {name: ["1", 1] for name in _TOOLS} | {"edit_mode": "line"}
    tools["line"] = ["1", _GREEN]
    mode = {"qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": tools, "pu_a": tools}
    rest = [[0, 0, 0, 0], mode, asked, _layer(), deltas, [], {}, "x", "x", [3, 2, 3],
            mode, "x", 0, _layer(), _layer(), {}, []]  # fmt: skip
    compact = [json.dumps(one, separators=(",", ":")) for one in rest]
    text = "\n".join([",".join(map(str, head)), *compact, "false"])
    for long, short in _SHORT:
        text = text.replace(long, short)
    return _SITE + _pack(text)


def read(text: str) -> Position:
    """Read a link: shaded cells are walls, S and G the ends, lines the walk.

    Without S or G the ends are the corners. Lines of problem and answer count alike.

    Raises `NotationError` if it is no link of a square grid, or its lines are no walk
    from the start.
    """
    try:
        data = text.partition("#")[2] or text.partition("?")[2]
        packed = dict(part.partition("=")[::2] for part in data.split("&"))["p"]
        lines = _unpack(packed)
        for long, short in reversed(_SHORT):
            lines = lines.replace(short, long)
        head, space, _, asked, answer, *_ = lines.split("\n")
        kind, *numbers = head.split(",")
        cols, rows = map(int, numbers[:2])
        if kind != "square" or any(json.loads(space)):
            raise ValueError("it is no square grid without a margin")
        layers = [json.loads(asked), json.loads(answer)]
        shaded = {int(at) for at, colour in layers[0]["surface"].items() if colour}
        letters = {value[0]: int(at) for at, value in layers[0]["number"].items()}
        drawn = [key.split(",") for layer in layers for key in layer["line"]]
        pairs = [(int(a), int(b)) for a, b in drawn]
    except (ValueError, LookupError, TypeError, AttributeError, binascii.Error,
            zlib.error, RecursionError) as error:  # fmt: skip
        raise NotationError(text, 1, f"no puzzle of penpa-edit: {error}") from None
    plain = Board(rows, cols, 0, rows * cols - 1)
    where = {_at(plain, cell): cell for cell in range(plain.cells)}
    if not {*shaded, *letters.values(), *(x for pair in pairs for x in pair)} <= {
        *where
    }:
        raise NotationError(text, 1, "something stands beside the grid")
    start, end = (where[letters[x]] if x in letters else cell
                  for x, cell in (("S", plain.start), ("G", plain.end)))  # fmt: skip
    board = Board(rows, cols, start, end, tuple(where[at] for at in shaded))
    edges = {frozenset((where[a], where[b])) for a, b in pairs}
    return walk_of(text, board, [(min(edge), max(edge)) for edge in edges])


def _at(board: Board, cell: Cell) -> int:
    row, col = divmod(cell, board.cols)
    return (row + 2) * (board.cols + 4) + col + 2


def _layer() -> dict[str, Any]:
    stacks: dict[str, Any] = {
        f"command_{name}": {"__a": []} for name in ("redo", "undo", "replay")
    }
    return {**stacks, **{name: {} for name in _MAPS}, **{name: [] for name in _LISTS}}


def _pack(text: str) -> str:
    squeeze = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.b64encode(squeeze.compress(text.encode()) + squeeze.flush()).decode()


def _unpack(packed: str) -> str:
    """Return the text; a link that blows up to more than any board is refused."""
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    plain = inflate.decompress(base64.b64decode(packed, validate=True), _MOST)
    if not inflate.eof:
        raise ValueError("it is cut short, or too long")
    return plain.decode()
