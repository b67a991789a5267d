"""The directed search finds a position just where there is one, by the slow double.

Counterexamples are confirmed before they are believed, so a search that forgets a need
would only find less.
"""

from dataclasses import replace
from itertools import product

import pytest

from heuristic.rules.drawing import (
    LIMIT,
    MOVES,
    TAKEN,
    CellNeed,
    CellState,
    Drawing,
    Kind,
    VisitOrder,
    area_behind,
    needs_of,
)
from solver.board import LETTERS, STEPS, Board
from solver.positions import completable_positions
from tests.doubles.rules import layouts, matches
from tests.proof.test_prove import STRAIGHT
from tests.samples import book
from verify.checker.position import find_fault
from verify.proof.counterexample import position_at, refute_on

LINE = (0, -1)


def shut(kind: Kind, size: int, bounds: tuple[int, int], least: int = 0) -> Drawing:
    """Return a drawing with an area behind some cells in a row on the left."""
    line, wall = [(0, -k) for k in range(1, size + 1)], (0, -size - 1)
    area = area_behind(line, wall, kind=kind, bounds=bounds)
    needs = needs_of(dict.fromkeys(line, CellState.FREE) | {wall: TAKEN})
    return Drawing(needs=needs, areas=(replace(area, least=max(size, least)),))


ANY = (-LIMIT, LIMIT)
VISITED = needs_of({LINE: CellState.VISITED, (0, 1): CellState.VISITED})
BEND = (-1, 0), (-2, 0), (-2, -1)  # a forced line of three cells
FORCED = Drawing(
    needs=needs_of(dict.fromkeys(BEND, CellState.FREE)),
    facts=(
        ("joined", *BEND[:2]),
        ("joined", *BEND[1:]),
        ("mates", BEND[0], BEND[2]),
    ),
)
DRAWINGS = {
    "not the end": Drawing(needs=(CellNeed(LINE, CellState.FREE, not_end=True),)),
    "at the rim": Drawing(needs=(CellNeed(LINE, CellState.OUTSIDE),)),
    "an order": Drawing(needs=VISITED, runs=(VisitOrder(LINE, (0, 1)),)),
    "even": shut(Kind.EVEN, 2, ANY),
    "odd": shut(Kind.ODD, 3, ANY),
    "bounded": shut(Kind.WITHIN, 2, (0, 0)),
    "beyond": shut(Kind.BEYOND, 3, (0, 0)),
    "of a size": shut(Kind.CLOSED, 2, ANY, least=4),
    "board frame": book("near-border-side").drawings[0],
    "followed": book("found-13-2").drawings[0],
    "a forced line": FORCED,
}
STEP = {complex(col, -row): LETTERS[d] for d, (row, col) in enumerate(STEPS)}


def there(drawing: Drawing, board: Board) -> set[tuple[int, str]]:
    """Return live ends and good moves of the positions that a drawing matches."""
    return {
        (position.live_end, STEP[landed[at]])
        for position, good in completable_positions(board)
        if position.heading >= 0
        for landed in layouts(drawing, LETTERS[position.heading])
        for at in drawing.forbidden
        if STEP[landed[at]] in good and matches(drawing, position, landed)
    }


def searched(drawing: Drawing, board: Board) -> set[tuple[int, str]]:
    """Return the same by the search; each position must match by the slow double."""
    hits = set()
    tries = product(drawing.placements(), drawing.forbidden, range(board.cells))
    for placement, at, live in tries:
        hit = position_at(drawing, placement, at, board, live, conflicts=10_000)
        if hit is not None:
            position, completion = hit
            assert position.live_end == live
            assert find_fault(position.notation, completion) is None
            laid = layouts(drawing, LETTERS[position.heading])
            assert any(matches(drawing, position, landed) for landed in laid)
            hits.add((live, LETTERS[board.direction(live, completion[0])]))
    return hits


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_position_is_found_just_where_there_is_one(name: str) -> None:
    drawing, count = replace(DRAWINGS[name], forbidden=tuple(MOVES.values())), 0
    for text in ("5", "5x5@1,3>3,3"):
        hits = searched(drawing, Board.parse(text))
        assert hits == there(drawing, Board.parse(text))
        count += len(hits)
    assert count > 0


def test_positions_in_several_batches_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = refute_on(STRAIGHT, Board.square(5))
    monkeypatch.setattr("heuristic.matching.drawn.CHUNK", 50)
    assert whole is not None
    assert refute_on(STRAIGHT, Board.square(5)) == whole
