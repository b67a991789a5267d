"""Forced edges and forced lines that a drawing asks for, looked at in what was found.

A formula says only what follows for the completion: it takes the edges. Whether they
are forced is seen at a whole position, so a search asks here before it believes.
"""

from collections.abc import Callable
from enum import Enum

from heuristic.matching.forced import forced_lines
from heuristic.matching.pattern import board_numbers, new_order
from heuristic.rules.drawing import Drawing, Offset
from solver.board import Cell, Position


class Ties(Enum):
    """How what is forced at a position stands to what a drawing asks."""

    HOLD = "all is as it asks"
    LITTLE = "an edge is not forced; taking more cells may force it"
    OTHER = "the edges are forced, but ends of lines lie elsewhere"


def ties_at(
    drawing: Drawing, cell: Callable[[Offset], Cell | None], position: Position
) -> Ties:
    """Look at what a placed drawing asks to be forced; `cell` lands its offsets.

    An edge that is forced stays so where more cells are taken, as long as a completion
    has cells left beside the lines of both ends.
    """
    if not (drawing.joined or drawing.mates):
        return Ties.HOLD
    board = position.board
    ways, mates = forced_lines(
        new_order(board, position.walk), board_numbers(board), position.live_end
    )
    for one, other in ((cell(a), cell(b)) for a, b in drawing.joined):
        if one is None or other is None:
            return Ties.LITTLE
        around = board.neighbours[one].tolist()
        if not ways[one] >> around.index(other) & 1:
            return Ties.LITTLE
    for one, other in ((cell(a), cell(b)) for a, b in drawing.mates):
        if one is None or other is None or mates[one] != other:
            return Ties.OTHER
    return Ties.HOLD
