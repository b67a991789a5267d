"""The researcher's saved pictures: a walk as an SVG file, read and written.

What his program reads of a picture, and what is read here: the board's size, which is
the length of the first line of the grid (or the view, if no grid is drawn); the cells
of the walk, full squares of one of two reds, in the order they are drawn; the moves
that he allowed, faint black squares beside the live end. ``x`` and ``y`` count columns
and rows from 0. All else (grid, lines, areas, cells of lines ahead) is for the eye.
Found by reading the pictures of walks in the public repository
fodorbalint/OneWayLabyrinth (folder References, August 2026).
"""

import re
from pathlib import Path

from solver.board import Board, Cell, Position
from solver.errors import SavedPathError
from verify.corpus.saved_path import MAX_SIDE, SavedPath, fits_his_board

_RECT = re.compile(r"<rect\b([^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)\s*=\s*"([^"<>]*)"')
_GRID = re.compile(r'd="M 0\.01 0 v (\d{1,4})"')
_VIEW = re.compile(r'<svg\b[^<>]*viewBox\s*=\s*"0 0 (\d{1,4}) \1"')
_WALK = ("#e2bcbc", "#ff0000")  # of 2024 and later, and before
_OPTION, _FAINT = "#000000", 0.1  # darker black marks areas of 2023
_MOST = 20_000_000  # characters: 999 x 999 cells have fewer


def parse_saved_picture(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved picture.

    Its options before the live end are not stored, and neither is whether none was
    allowed there: then the trailer is None.

    Raises
    ------
    SavedPathError
        Naming the file, the character and why: no picture of a board, a walk that does
        not begin in the upper left corner, jumps or visits a cell twice.
    """
    if len(text) > _MOST:
        raise SavedPathError(file, _MOST, "the picture is too long for any board")
    # some pictures were cropped by hand: then the view is not the board
    found_size = _GRID.search(text) or _VIEW.search(text)
    if found_size is None:
        raise SavedPathError(file, 1, "no <svg> that tells the size of a board")
    size = int(found_size[1])
    if not 1 <= size <= MAX_SIDE:
        why = f"board size {size} is not between 1 and {MAX_SIDE}"
        raise SavedPathError(file, found_size.start() + 1, why)
    board = Board.square(size)
    walk: list[Cell] = []
    seen: set[Cell] = set()
    faint: list[Cell] = []
    for rect in _RECT.finditer(text):
        found = dict(_ATTRIBUTE.findall(rect[1]))
        fill = found.get("fill", "").lower()
        if fill not in (*_WALK, _OPTION) or found.get("width") != "1":
            continue
        cell = _cell(found, board, file, rect.start() + 1)
        if fill == _OPTION:
            if _opacity(found) <= _FAINT:
                faint.append(cell)
            continue
        if not walk and cell != board.start:
            why = "the walk does not begin in the upper left corner"
            raise SavedPathError(file, rect.start() + 1, why)
        if walk and board.direction(walk[-1], cell) < 0:
            why = "a cell of the walk does not touch the one before"
            raise SavedPathError(file, rect.start() + 1, why)
        if cell in seen:
            why = "a cell of the walk was visited already"
            raise SavedPathError(file, rect.start() + 1, why)
        walk.append(cell)
        seen.add(cell)
    if not walk:
        raise SavedPathError(file, 1, "no walk is drawn: no full red squares")
    position = Position(board, tuple(walk))
    allowed = [move for move, cell in position.options().items() if cell in faint]
    return SavedPath(position, (None,) * (len(walk) - 1), "".join(allowed) or None)


def _cell(found: dict[str, str], board: Board, file: str, at: int) -> Cell:
    x, y = found.get("x", ""), found.get("y", "")
    for text in (x, y):
        if not (text.isascii() and text.isdigit()) or len(text) > 4:
            raise SavedPathError(file, at, f"expected a whole x and y, found {text!r}")
    if int(x) >= board.cols or int(y) >= board.rows:
        raise SavedPathError(file, at, f"cell x={x} y={y} lies outside the board")
    return board.cell(int(y) + 1, int(x) + 1)


def _opacity(found: dict[str, str]) -> float:
    try:
        return float(found.get("fill-opacity", "1"))
    except ValueError:
        return 1.0


def draw_saved_picture(saved: SavedPath) -> str:
    """Draw a position so that the researcher's program reads it.

    It looks for ``x``, ``y`` and ``fill`` in this order, and for the board's size in
    the first line of the grid.

    Raises
    ------
    OptionError
        If the board is not one of his: square, no walls, ends in the corners.
    """
    position = saved.position
    fits_his_board(position)
    board = position.board
    size = board.rows
    parts = [f'<path d="M0,0 h{size} v{size} h-{size} z" fill="#dddddd" />']
    parts += [_square(board, cell, _WALK[0], 1) for cell in position.walk]
    options = position.options()
    parts += [
        _square(board, options[move], _OPTION, _FAINT) for move in saved.trailer or ""
    ]
    for k in range(size + 1):
        at = 0.01 if k == 0 else size - 0.01 if k == size else k
        parts += [_grid(f"M {at:g} 0 v {size}"), _grid(f"M 0 {at:g} h {size}")]
    points = " L ".join(
        f"{cell % board.cols + 0.5:g} {cell // board.cols + 0.5:g}"
        for cell in position.walk
    )
    parts.append(
        f'<path d="M {points}" fill="white" fill-opacity="0" stroke="black" '
        'stroke-width="0.05" stroke-linecap="round" />'
    )
    body = "".join(f"\t{part}\n" for part in parts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
    return f"{head}\n{body}</svg>\n"


def _square(board: Board, cell: Cell, fill: str, opacity: float) -> str:
    row, col = divmod(cell, board.cols)
    return (
        f'<rect width="1" height="1" x="{col}" y="{row}" fill="{fill}" '
        f'fill-opacity="{opacity:g}" />'
    )


def _grid(line: str) -> str:
    return f'<path fill="transparent" stroke="gray" stroke-width="0.02" d="{line}" />'


def read_saved(path: Path) -> SavedPath:
    """Read a saved walk, a picture if the name ends in ``.svg``, else text.

    Raises
    ------
    SavedPathError
        As the readers, and if the file cannot be opened.
    """
    from verify.corpus.saved_path import read_saved_path

    if path.suffix.lower() != ".svg":
        return read_saved_path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8
        raise SavedPathError(str(path), 1, f"cannot be read: {error}") from None
    return parse_saved_picture(text, str(path))
