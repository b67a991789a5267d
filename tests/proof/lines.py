"""Complete walks that contradict drawings without a live end, or do not."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from heuristic.rules.drawing import (
    LIVE_END,
    CellNeed,
    CellState,
    Drawing,
    Fact,
    Frame,
    Spot,
)
from solver.board import Board
from solver.positions import completable_positions
from tests.doubles.mutation import complete_walks
from verify.checker.claim import Sketch
from verify.proof.inferences import ENDS


def walks(text: str, most: int) -> Iterator[tuple[Board, list[int]]]:
    """Yield complete walks of a board: all of a small one, or random ones."""
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


_AROUND = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
_AROUND += [(-a, -b, c, d) for a, b, c, d in _AROUND]


def shows(drawing: Drawing, walk: Sequence[int], board: Board) -> int:
    """Count the places along a complete walk where all that a drawing says holds."""
    index, count = {cell: k for k, cell in enumerate(walk)}, 0
    for place, around in product(range(board.cells), _AROUND):
        at, low, high = laid(drawing, place, around, index, board)
        if low <= high and (drawing.end is None or at[drawing.end] == board.end):
            for i in range(low, high + 1):
                at[LIVE_END] = walk[i]
                count += all(holds(fact, at, index) for fact in drawing.facts)
    return count


def laid(
    drawing: Drawing,
    place: int,
    around: tuple[int, ...],
    index: dict[int, int],
    board: Board,
) -> tuple[dict[Spot, int], int, int]:
    """Return where cells lie, and the first and last live end that their needs allow.

    A free cell of the drawing, if there is one, lies at the place.
    """
    free = [need.at for need in drawing.needs if need.states == CellState.FREE]
    middle = (free or [drawing.needs[0].at])[0]
    at, low, high = dict[Spot, int](), 1, len(index) - 2
    for need in drawing.needs:
        x, y = need.at[0] - middle[0], need.at[1] - middle[1]
        row = place // board.cols + around[0] * x + around[1] * y
        col = place % board.cols + around[2] * x + around[3] * y
        inside = 0 <= row < board.rows and 0 <= col < board.cols
        cell = row * board.cols + col
        if not inside or cell not in index:
            if not need.states & CellState.OUTSIDE:
                return at, 1, 0
            continue
        at[need.at] = cell
        if not need.states & CellState.FREE:
            low = max(low, index[cell])
        if not need.states & CellState.VISITED:
            high = min(high, index[cell] - 1)
        if need.not_end and cell == board.end:
            return at, 1, 0
    return at, low, high


def holds(fact: Fact, at: dict[Spot, int], index: dict[int, int]) -> bool:
    """Return whether a walk does what a fact says."""
    word, a, b = fact
    first, then = index[at[a]], index[at[b]]
    if word == "before":
        return first <= then
    return (then == first + 1) == (word == "passes")


def with_less(drawing: Drawing) -> Iterator[Drawing]:
    """Yield a drawing with one fact less that it grants, or one cell less."""
    facts, needs = drawing.facts, drawing.needs
    used = {at for _, a, b in facts for at in (a, b)} | {drawing.end}
    for k in range(len(facts)):
        yield replace(drawing, facts=facts[:k] + facts[k + 1 :])
    for k, need in enumerate(needs):
        if need.at not in used:
            yield replace(drawing, needs=needs[:k] + needs[k + 1 :])


@cache
def small_walks() -> tuple[Board, list[list[int]]]:
    """Return four complete walks of 5 x 5."""
    return Board.square(5), [walk for _, walk in walks("5", 4)]


def drawn_away(sketch: Sketch) -> Drawing | None:
    """Return what a certificate draws without a live end; None for other drawings."""
    if sketch.frame != "away":
        return None

    words = {word: sketch.pairs[word] for word in ("passes", "lacks", "before")}
    return Drawing(
        needs=tuple(
            CellNeed(spot, CellState(bits), spot in sketch.not_end)
            for spot, bits in sorted(sketch.mask.items())
        ),
        forbidden=((-1, 0),),
        frame=Frame.AWAY,
        facts=tuple((word, *pair) for word, pairs in words.items() for pair in pairs),
        end=sketch.end,
    )
