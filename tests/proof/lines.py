"""Complete walks as judges of drawings that have no live end."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from heuristic.rules.drawing import (
    LIVE_END,
    CellNeed,
    CellState,
    Drawing,
    Frame,
    Offset,
)
from solver.board import Board
from solver.positions import completable_positions
from verify.checker.reading import Sketch
from verify.proof.inferences import ENDS
from verify.refute.first_wrong import complete_walks


def walks(text: str, most: int) -> Iterator[tuple[Board, list[int]]]:
    """Yield complete walks of a board: all of a small one, or some that are drawn."""
    board = Board.parse(text)
    if board.cells > 35:
        for walk in complete_walks(board, most, seed=3, straightness=0.2):
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


def shows(drawing: Drawing, walk: list[int], board: Board, most: int) -> int:
    """Count the places along a complete walk where all that a drawing says holds."""
    index, found = {cell: k for k, cell in enumerate(walk)}, 0
    around = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
    around += [(-a, -b, c, d) for a, b, c, d in around]
    middle = drawing.needs[0].at

    for i in range(1, most):
        for cell in walk[i + 1 :]:
            row, col = divmod(cell, board.cols)
            for a, b, c, d in around:

                def at(offset: Offset, m: tuple[int, ...] = (a, b, c, d)) -> int:
                    if offset == LIVE_END:
                        return walk[i]  # noqa: B023 - used at once
                    x, y = offset[0] - middle[0], offset[1] - middle[1]
                    r, k = row + m[0] * x + m[1] * y, col + m[2] * x + m[3] * y  # noqa: B023
                    inside = 0 <= r < board.rows and 0 <= k < board.cols
                    return r * board.cols + k if inside else -1

                found += holds(drawing, index, i, at, board)
    return found


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

    def at(spot: tuple[int, int]) -> Offset:
        return -spot[1], -spot[0]

    words = {word: sketch.lines[word] for word in ("passes", "lacks", "before")}
    return Drawing(
        text="",
        needs=tuple(
            CellNeed(at(spot), CellState(bits), spot in sketch.not_end)
            # a free cell first: by it the drawing is laid on the board
            for spot, bits in sorted(sketch.mask.items(), key=lambda x: (x[1] != 1, x))
        ),
        areas=(),
        runs=(),
        forbidden=((0, 1),),
        frame=Frame.AWAY,
        facts=tuple(
            (word, at(a), at(b)) for word, pairs in words.items() for a, b in pairs
        ),
        end=None if sketch.end is None else at(sketch.end),
    )
