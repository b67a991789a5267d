"""Boards and walks as links and files of puzz.link.

The type is Haisu with one region and no number: a path through all cells from S to G,
which is the question of this project. It has no walls. A file holds the walk as lines;
a link may hold a whole file. Facts of the format: robx/pzprjs, `src/variety/haisu.js`
and `src/variety-common`.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from math import ceil
from urllib.parse import unquote

from solver.board import Board, Cell, Position
from solver.errors import NotationError, OptionError

_SITE = "https://puzz.link/p?"
_FILE = re.compile(r"pzprv3(\.1)?/haisu/(\d{1,7})/(\d{1,7})/")
_LINK = re.compile(r"(?:\w+=\w+&)*haisu(?:_edit|_play)?/(\d{1,7})/(\d{1,7})/([^?#]*)")
_LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192)}


def link(position: Position) -> str:
    """Return a link; a walk, or a side above 4095, makes it hold a whole file.

    >>> link(Position.parse("5:"))
    'https://puzz.link/p?haisu/5/5/115500000000zk'

    Raises `OptionError` if the board has walls.
    """
    if position.moves or max(position.board.rows, position.board.cols) > 4095:
        return _SITE + save(position).replace("\n", "/").replace(" ", "%20")
    board = _fits(position)
    borders = sum(ceil(sides / 5) for sides in _sides(board))
    full, rest = divmod(board.cells, 20)
    blank = "z" * full + (chr(ord("f") + rest) if rest else "")
    body = "".join(map(_number, _ends(board))) + "0" * borders + blank
    return f"{_SITE}haisu/{board.cols}/{board.rows}/{body}"


def save(position: Position) -> str:
    """Return a file.

    Raises `OptionError` if the board has walls.
    """
    board = _fits(position)
    used = {frozenset(step) for step in pairwise(position.walk)}
    rows, cols = board.rows, board.cols

    def line(cells: range, step: int) -> str:
        return "".join(f"{int({cell, cell + step} in used)} " for cell in cells)

    lines = [
        *("pzprv3.1", "haisu", str(rows), str(cols)),
        " ".join(str(2 * x - 1) for x in _ends(board)),
        *["0 " * (cols - 1)] * rows,
        *["0 " * cols] * (rows - 1),
        *[". " * cols] * rows,
        *(line(range(at, at + cols - 1), 1) for at in range(0, board.cells, cols)),
        *(
            line(range(at, at + cols), cols)
            for at in range(0, board.cells - cols, cols)
        ),
    ]
    return "".join(f"{line}\n" for line in lines)


def read(text: str) -> Position:
    """Read a link or a file.

    >>> read("https://puzz.link/p?haisu/3/3/11330000o").notation
    '3:'

    Raises `NotationError` if it is none of Haisu with one region and no number, or its
    lines are no walk from S.
    """
    body = unquote(text.partition("?")[2]) if "://" in text[:12] else text
    flat = re.sub(r"[\t\r]*\n", "/", body)
    if found := _FILE.match(flat):
        return _read_file(text, flat[found.end() :], int(found[2]), int(found[3]))
    if not (found := _LINK.match(flat)):
        raise NotationError(text, 1, "no link or file of Haisu at puzz.link")
    cols, rows, rest = int(found[1]), int(found[2]), found[3]
    numbers = []
    for _ in range(4):
        digits, add = _LONG.get(rest[:1], (1, 0))
        start = int(rest[:1] in _LONG)
        numbers.append(_whole(text, rest[start : start + digits], 16) + add)
        rest = rest[start + digits :]
    board = _board(text, rows, cols, [2 * x - 1 for x in numbers])
    borders = sum(ceil(sides / 5) for sides in _sides(board))
    if rest[:borders].strip("0") or re.search(r"[^g-z/]", rest[borders:]):
        raise NotationError(text, 1, "regions or numbers are no part of our question")
    return Position(board)


def walk_of(text: str, board: Board, edges: Iterable[tuple[Cell, Cell]]) -> Position:
    """Return the position whose walk is made of these edges, in any order.

    Raises `NotationError` if they are no walk from the start.
    """
    beside: dict[Cell, set[Cell]] = {}
    count = 0
    for a, b in edges:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
        count += 1
    walk = [board.start]
    while following := beside.get(walk[-1], set()) - set(walk[-2:-1]):
        if len(following) > 1 or len(walk) > count:
            break
        walk.append(following.pop())
    if len(walk) != count + 1:
        raise NotationError(text, 1, "the lines are no walk from the start")
    return Position(board, tuple(walk))


def _read_file(text: str, body: str, rows: int, cols: int) -> Position:
    parts = body.split("/")
    board = _board(text, rows, cols, [_whole(text, x, 10) for x in parts[0].split()])
    words = [line.split() for line in parts[1 : 5 * rows]]
    sides = 2 * rows - 1
    asked, lines = words[: sides + rows], words[sides + rows :]
    if any(word not in "0." for row in asked for word in row):
        raise NotationError(text, 1, "regions or numbers are no part of our question")
    flags = [
        word.rstrip("udlr") not in ("", "0", "-1") for row in lines for word in row
    ]
    if len(flags) != sum(_sides(board)):
        raise NotationError(text, 1, "the lines of the file are not one for each side")
    chosen = [edge for edge, on in zip(_edges(board), flags, strict=True) if on]
    return walk_of(text, board, chosen)


def _board(text: str, rows: int, cols: int, ends: list[int]) -> Board:
    """Return the board; ends are column and row of S and of G, doubled, less one."""
    places = [(x - 1) // 2 for x in ends]
    if (
        len(places) != 4
        or not all(0 <= x < cols for x in places[::2])
        or not all(0 <= y < rows for y in places[1::2])
    ):
        raise NotationError(text, 1, "S or G is not on the board")
    start, end = (places[i] + places[i + 1] * cols for i in (0, 2))
    return Board(rows, cols, start, end)


def _fits(position: Position) -> Board:
    if position.board.walls:
        raise OptionError("a path puzzle of puzz.link has no walls; penpa-edit has")
    return position.board


def _sides(board: Board) -> tuple[int, int]:
    """Count the sides between cells of a row, and between rows."""
    return (board.cols - 1) * board.rows, board.cols * (board.rows - 1)


def _edges(board: Board) -> list[tuple[int, int]]:
    cols, cells = board.cols, range(board.cells)
    across = [(a, a + 1) for a in cells if (a + 1) % cols]
    return across + [(a, a + cols) for a in cells if a + cols < board.cells]


def _ends(board: Board) -> list[int]:
    """Return column and row, from 1, of S and of G."""
    return [x for cell in (board.start, board.end) for x in board.row_col(cell)[::-1]]


def _number(value: int) -> str:
    if value < 16:
        return f"{value:x}"
    return f"-{value:02x}" if value < 256 else f"+{value:03x}"


def _whole(text: str, digits: str, base: int) -> int:
    try:
        return int(digits, base)
    except ValueError:
        raise NotationError(text, 1, f"{digits[:20]!r} is no number") from None
