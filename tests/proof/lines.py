"""Complete walks as judges of drawings that have no live end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristic.rules.drawing import LIVE_END, CellNeed, CellState, Drawing, Frame, Spot
from solver.board import Board
from solver.jit import njit
from solver.positions import completable_positions
from tests.doubles.mutation import complete_walks
from verify.checker.reading import Sketch
from verify.proof.lines import ENDS


def walks(text: str, most: int) -> Iterator[tuple[Board, list[int]]]:
    """Yield complete walks of a board: all of a small one, or some that are drawn."""
    board = Board.parse(text)
    if board.cells > 35:
        for walk in complete_walks(board, most, seed=3):
            yield board, walk.tolist()
        return
    tree = completable_positions(board)
    whole = [i for i, good in enumerate(tree.good) if not good]
    for index in whole[:: max(1, len(whole) // most)]:
        yield board, list(tree.position(index).walk)


def away_drawings() -> list[Drawing]:
    """Return the drawings of ends of lines, which say nothing of the live end."""
    drawings = [d for name in ENDS for d in ENDS[name] if d.frame is Frame.AWAY]
    return list(dict.fromkeys(drawings))


def _middle(drawing: Drawing) -> Spot:
    """Return a free cell, if there is one: by it the drawing is laid on the board."""
    free = [need.at for need in drawing.needs if need.states == CellState.FREE]
    return (free or [drawing.needs[0].at])[0]


def shows(drawing: Drawing, walk: list[int], board: Board) -> int:
    """Count the places along a complete walk where all that a drawing says holds."""
    index, found = {cell: k for k, cell in enumerate(walk)}, 0
    middle = _middle(drawing)

    for i in range(1, len(walk) - 1):
        for cell in walk[i + 1 :]:
            row, col = divmod(cell, board.cols)
            for a, b, c, d in _AROUND:

                def at(offset: Spot, m: tuple[int, ...] = (a, b, c, d)) -> int:
                    if offset == LIVE_END:
                        return walk[i]  # noqa: B023 - used at once
                    x, y = offset[0] - middle[0], offset[1] - middle[1]
                    r, k = row + m[0] * x + m[1] * y, col + m[2] * x + m[3] * y  # noqa: B023
                    inside = 0 <= r < board.rows and 0 <= k < board.cols
                    return r * board.cols + k if inside else -1

                found += holds(drawing, index, i, at, board)
    return found


_LIVE = -1  # for a cell: the live end, wherever it lies
_WORDS = ("before", "passes", "lacks")
_AROUND = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
_AROUND += [(-a, -b, c, d) for a, b, c, d in _AROUND]
_MOST = 16  # cells of a drawing
_Numbers = npt.NDArray[np.int32]


def flat(drawings: Sequence[Drawing]) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return drawings as `seen_in` takes them: drawings, cells, facts.

    Of a drawing first and last cell, first and last fact, the end cell or -1; of a cell
    its two offsets from a free one, states, not the end; of a fact its
    word and two cells.
    """
    rows, cells, facts = list[list[int]](), list[list[int]](), list[list[int]]()
    for drawing in drawings:
        first, said = len(cells), len(facts)
        middle = _middle(drawing)
        at = {need.at: first + k for k, need in enumerate(drawing.needs)}
        at[LIVE_END] = _LIVE
        for need in drawing.needs:
            x, y = need.at[0] - middle[0], need.at[1] - middle[1]
            cells.append([x, y, int(need.states), need.not_end])
        facts += [[_WORDS.index(word), at[a], at[b]] for word, a, b in drawing.facts]
        end = -1 if drawing.end is None else at[drawing.end]
        rows.append([first, len(cells), said, len(facts), end])
    tables = (rows, cells, facts or [[0, 0, 0]])
    one, two, three = (np.array(table, dtype=np.int32) for table in tables)
    return one, two, three


@njit
def _moments(
    index: _Numbers, row: _Numbers, facts: _Numbers, at: _Numbers, low: int, high: int
) -> int:
    """Kernel: count the live ends from low to high for which all facts hold."""
    left = 0
    for i in range(low, high + 1):
        good = True
        for k in range(row[2], row[3]):
            word, a, b = facts[k, 0], facts[k, 1], facts[k, 2]
            x = i if a < 0 else index[at[a - row[0]]]
            y = i if b < 0 else index[at[b - row[0]]]
            if word == 0:
                good = good and x <= y
            else:
                good = good and (y == x + 1) == (word == 1)
        left += good
    return left


@njit
def _seen(
    index: _Numbers,
    board: tuple[int, int, int],
    tables: tuple[_Numbers, _Numbers, _Numbers],
    around: _Numbers,
    at: _Numbers,
    found: npt.NDArray[np.int64],
) -> None:
    """Kernel of `seen_in`: `index` in the walk of each cell, -1 for walls."""
    rows, cols, end = board
    drawings, cells, facts = tables
    last = 0
    for cell in range(len(index)):
        last = max(last, index[cell])
    for number in range(len(drawings)):
        row = drawings[number]
        for place in range(rows * cols):
            for t in range(len(around)):
                turn, low, high = around[t], 1, last - 1
                for k in range(row[0], row[1]):
                    x, y, states = cells[k, 0], cells[k, 1], cells[k, 2]
                    r = place // cols + turn[0] * x + turn[1] * y
                    c = place % cols + turn[2] * x + turn[3] * y
                    inside = 0 <= r < rows and 0 <= c < cols
                    cell = r * cols + c if inside else -1
                    at[k - row[0]] = cell
                    known = index[cell] if inside else -1
                    if known < 0:
                        if states & 4 == 0:
                            high = -1
                    else:
                        if states & 2 == 0:
                            high = min(high, known - 1)
                        if states & 1 == 0:
                            low = max(low, known)
                        if cells[k, 3] and cell == end:
                            high = -1
                    if low > high:
                        break
                if low <= high and row[4] >= 0 and at[row[4] - row[0]] != end:
                    high = -1
                if low <= high:
                    found[number] += _moments(index, row, facts, at, low, high)


def seen_in(
    drawings: tuple[_Numbers, _Numbers, _Numbers], walk: Sequence[int], board: Board
) -> npt.NDArray[np.int64]:
    """Count where each drawing is seen along a complete walk, with every live end."""
    index = np.full(board.cells, -1, dtype=np.int32)
    index[list(walk)] = np.arange(len(walk), dtype=np.int32)
    found = np.zeros(len(drawings[0]), dtype=np.int64)
    numbers = board.rows, board.cols, board.end
    around, room = np.array(_AROUND, dtype=np.int32), np.zeros(_MOST, dtype=np.int32)
    _seen(index, numbers, drawings, around, room, found)
    return found


def with_less(drawing: Drawing) -> Iterator[Drawing]:
    """Yield a drawing with one fact less that it grants, or one cell less."""
    facts, needs = drawing.facts, drawing.needs
    used = {at for _, a, b in facts for at in (a, b)} | {drawing.end}
    for k in range(len(facts)):
        yield replace(drawing, facts=facts[:k] + facts[k + 1 :])
    for k, need in enumerate(needs):
        if need.at not in used:
            yield replace(drawing, needs=needs[:k] + needs[k + 1 :])


def holds(
    drawing: Drawing, index: dict[int, int], i: int, at: Any, board: Board
) -> bool:
    for need in drawing.needs:
        cell = at(need.at)
        free = cell >= 0 and index[cell] > i
        known = CellState.VISITED if cell >= 0 else CellState.OUTSIDE
        if not need.states & (CellState.FREE if free else known):
            return False
        if need.not_end and cell == board.end:
            return False
    for word, a, b in drawing.facts:
        step = index[at(b)] == index[at(a)] + 1
        if word == "before" and index[at(a)] > index[at(b)]:
            return False
        if word != "before" and step != (word == "passes"):
            return False
    return drawing.end is None or at(drawing.end) == board.end


@cache
def small_walks() -> tuple[Board, list[list[int]]]:
    """Return four complete walks of 5 x 5."""
    return Board.square(5), [walk for _, walk in walks("5", 4)]


def drawn_away(sketch: Sketch) -> Drawing | None:
    """Return what a certificate draws without a live end; None for other drawings."""
    if not sketch.away:
        return None

    def at(spot: tuple[int, int]) -> Spot:
        return -spot[1], -spot[0]

    words = {word: sketch.lines[word] for word in ("passes", "lacks", "before")}
    return Drawing(
        text="",
        needs=tuple(
            CellNeed(at(spot), CellState(bits), spot in sketch.not_end)
            for spot, bits in sorted(sketch.mask.items())
        ),
        areas=(),
        runs=(),
        forbidden=((-1, 0),),
        frame=Frame.AWAY,
        facts=tuple(
            (word, at(a), at(b)) for word, pairs in words.items() for a, b in pairs
        ),
        end=None if sketch.end is None else at(sketch.end),
    )
