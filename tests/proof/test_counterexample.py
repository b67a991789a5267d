"""Positions of the directed search: the drawing matches, and the move completes them.

Counterexamples are confirmed before they are believed, so a search that forgets a need
would only find less. Here each position is looked at by the slow double.
"""

from dataclasses import replace

import pytest

from heuristic.rules.drawing import MOVES
from solver.board import LETTERS, Board, Position
from tests.doubles.rules import layouts, matches
from tests.samples import book
from verify.checker.position import find_fault
from verify.proof.counterexample import directed

# Each has what the others have not: a cell that is not the end, an order, an area that
# is counted odd, even, within bounds or beyond them, or of some size, a followed step.
RULES = (
    *("found-7-6", "pictured-corner-3-1-end-obstacle", "close-straight-left-left"),
    *("mid-across-3-impair-determined-2", "found-5-1", "found-5-3", "found-13-6"),
    *("found-13-2", "near-border-side"),
)


@pytest.mark.parametrize("name", RULES)
def test_positions_match_the_drawing_and_can_be_completed(name: str) -> None:
    found = 0
    drawing = book(name).drawings[0]
    for move in set(MOVES.values()) - set(drawing.forbidden):
        for seed, side in ((1, 5), (1, 7), (2, 7)):
            pose, board = drawing.turns[0], Board.square(side)
            hit = directed(drawing, pose, move, board, seed=seed, seconds=1.0)
            if hit is None:
                continue
            position, completion = hit
            assert find_fault(position.notation, completion) is None
            way = completion[0] - position.live_end
            shown = [
                landed[move]
                for landed in layouts(replace(drawing, forbidden=(move,)), heading(hit))
                if matches(drawing, position, landed)
            ]
            steps = {round(z.real) - round(z.imag) * board.cols for z in shown}
            assert way in steps
            found += 1
    assert found > 0


def heading(hit: tuple[Position, tuple[int, ...]]) -> str:
    return LETTERS[hit[0].heading]
