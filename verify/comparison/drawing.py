"""Positions of every kind, drawn: boards, walls, ends, dead and completable.

Everything follows from a seed and a number. A board gives eight positions. Half of
them are prefixes of an exact walk, hence completable unless that walk is wrong; of the
others most have just left it, which is where oracles have work to do. The positions of
one board in ten are drawn without any oracle. No share is promised exactly: what each
position is, the oracles say.
"""

from dataclasses import dataclass

import numpy as np

from solver.board import Board, Cell, Position
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict

A_BOARD = 8  # positions drawn on each
LEAST = 5  # cells of a side
_MOST = (9, 9, 9, 9, 9, 9, 13, 13, 13, 21)  # the largest side, by the number drawn
KINDS = ("square", "rectangle", "walls", "ends", "walls and ends")
_TRIES = 12  # boards drawn until one has a walk


@dataclass(frozen=True, slots=True)
class RandomPosition:
    """A position taken at random, and the kind of its board, one of `KINDS`."""

    kind: str
    position: Position


def draw_positions(seed: int, number: int) -> list[RandomPosition]:
    """Draw the positions of board number so and so: the same for ever; milliseconds.

    The longer the walk the later, so that what follows walks goes on from one to the
    next. Six boards in ten have sides up to 9, three up to 13, one up to 21.

    >>> len(draw_positions(1, 7)), draw_positions(1, 7) == draw_positions(1, 7)
    (8, True)
    """
    rng = np.random.default_rng([seed, number])
    kind = KINDS[number % len(KINDS)]
    most = int(rng.choice(_MOST))
    path: tuple[Cell, ...] = ()
    if number // len(KINDS) % 10 < 9:
        for _ in range(_TRIES):
            board = _board(rng, kind, most)
            walk = exact_walk(board, int(rng.integers(1 << 62)))
            if walk.verdict is Verdict.COMPLETABLE:
                path = walk.position.walk
                break
    else:
        board = _board(rng, kind, most)
    if not path:
        drawn = [_wander(Position(board), rng, None) for _ in range(A_BOARD)]
    else:
        drawn = []
        for k, cut in enumerate(np.sort(rng.integers(1, len(path), size=A_BOARD))):
            on = Position(board, path[:cut])
            drawn.append(on if k % 2 else _left(board, path, int(cut), rng))
    drawn.sort(key=lambda position: len(position.walk))
    return [RandomPosition(kind, position) for position in drawn]


def _left(
    board: Board, path: tuple[Cell, ...], cut: int, rng: np.random.Generator
) -> Position:
    """Leave a walk at the first cell from `cut` on where another move is free."""
    for at in [*range(cut, len(path)), *range(1, cut)]:
        position = Position(board, path[:at])
        others = [cell for cell in position.options().values() if cell != path[at]]
        if others:
            cell = others[int(rng.integers(len(others)))]
            left = Position(board, (*path[:at], cell))
            return _wander(left, rng, int(rng.integers(4)))
    return Position(board, path[:cut])


def _wander(
    position: Position, rng: np.random.Generator, steps: int | None
) -> Position:
    """Take so many free moves, or a number drawn, none into the end cell."""
    board = position.board
    if steps is None:
        steps = int(rng.integers(board.open_cells))
    walk, visited = list(position.walk), {*position.walk, *board.walls, board.end}
    for _ in range(steps):
        near = [int(c) for c in board.neighbours[walk[-1]] if c >= 0]
        free = [cell for cell in near if cell not in visited]
        if not free:
            break
        walk.append(free[int(rng.integers(len(free)))])
        visited.add(walk[-1])
    return Position(board, tuple(walk))


def _board(rng: np.random.Generator, kind: str, most: int) -> Board:
    if kind == "square":
        side = int(rng.choice(range(LEAST, most + 1, 2)))
        return Board.square(side)
    rows, cols = (int(side) for side in rng.integers(LEAST, most + 1, size=2))
    cells = rows * cols
    start, end = 0, cells - 1
    if "ends" in kind:
        start, end = (int(cell) for cell in rng.choice(cells, 2, replace=False))
    walls: set[int] = set()
    if "walls" in kind:
        count = int(rng.integers(1, max(2, cells // 16)))
        walls = {int(cell) for cell in rng.choice(cells, count, replace=False)}
        walls -= {start, end}
    return _balanced(rng, Board(rows, cols, start, end, tuple(sorted(walls))), kind)


def _balanced(rng: np.random.Generator, board: Board, kind: str) -> Board:
    """Wall cells up, or move the end, until the colours can be walked in turn."""
    black = [cell for cell in range(board.cells) if board.black(cell)]
    shut = {*board.walls}
    surplus = 2 * len([c for c in black if c not in shut]) - board.open_cells
    ends = board.black(board.start) + board.black(board.end)
    wanted = ends - 1  # black cells minus white cells of a walk with these ends
    if surplus == wanted:
        return board
    if "walls" not in kind:
        if kind == "rectangle":  # the other corner of the last row
            return Board(board.rows, board.cols, 0, board.cells - board.cols)
        near = [c for c in range(board.cells) if board.black(c) == (surplus >= 0)]
        near = [c for c in near if c != board.start]
        return Board(
            board.rows, board.cols, board.start, near[int(rng.integers(len(near)))]
        )
    colour = surplus > wanted
    spare = [
        cell
        for cell in range(board.cells)
        if board.black(cell) == colour
        and cell not in shut
        and cell not in (board.start, board.end)
    ]
    count = abs(surplus - wanted)
    if count <= len(spare):
        more = {int(cell) for cell in rng.choice(spare, count, replace=False)}
        shut |= more
    return Board(board.rows, board.cols, board.start, board.end, tuple(sorted(shut)))
