"""The letters of drawings: what each says of a cell, and what forbids a move.

The one table of them: reading, writing, pictures, discovery and the pages of the
laboratory take it from here. Only `verify.checker` repeats it, to be independent.
"""

from collections.abc import Collection, Mapping

from heuristic.rules.drawing import LIVE_END, TAKEN, CellState, Spot, box_around
from solver.symmetry import Symmetry

LEGEND: dict[str, tuple[CellState | None, str]] = {
    "@": (None, "the live end"),
    "?": (None, "anything"),
    ".": (CellState.FREE, "free"),
    "K": (CellState.FREE, "free, and not the end cell"),
    "#": (CellState.VISITED, "visited"),
    "B": (CellState.OUTSIDE, "outside: beyond the edge, or a wall"),
    "%": (TAKEN, "visited or outside"),
    "o": (CellState.FREE | CellState.VISITED, "on the board: free or visited"),
    "<": (TAKEN, "visited or outside; an area's line ends here"),
    ">": (TAKEN, "visited or outside; an area's line ends here"),
    "^": (TAKEN, "visited or outside; an area's line ends here"),
    "v": (TAKEN, "visited or outside; an area's line ends here"),
    "x": (None, "a forbidden move"),
    "X": (CellState.FREE, "a forbidden move, needed free"),
    "s": (CellState.FREE, "first cell of an area's line, free"),
    "m": (CellState.FREE, "inner cell of an area's line, free"),
    "e": (CellState.FREE, "last cell of an area's line, free"),
    "+": (CellState.FREE, "inner cell of an area's line, its entry; free"),
    "S": (CellState.FREE, "as s, and a forbidden move"),
    "M": (CellState.FREE, "as m, and a forbidden move"),
    "E": (CellState.FREE, "as e, and a forbidden move"),
    "F": (CellState.FREE, "near end of a future line"),
    "f": (CellState.FREE, "as F, and a forbidden move"),
    "G": (CellState.FREE, "far end of a future line, and not the end cell"),
    "y": (None, "visited or outside: one of the cells drawn so, at least"),
}
FORBIDDEN = {"?": "x", ".": "X", "s": "S", "m": "M", "e": "E", "F": "f"}
FORBID = "".join(FORBIDDEN.values())
NOT_END = "KG"
MARKS, ARROWS = "smeSME+", "<>^v"

# The letters that say what a cell is and nothing else; whether it is not the end.
STATES: dict[str, tuple[CellState, bool]] = {
    letter: (LEGEND[letter][0] or TAKEN, letter in NOT_END) for letter in ".K#B%o"
}
LETTER: dict[tuple[int, bool], str] = {
    state: letter for letter, state in STATES.items()
}

TURNS = {
    "0": Symmetry.IDENTITY,
    "cw": Symmetry.ROTATE_RIGHT,
    "ccw": Symmetry.ROTATE_LEFT,
    "180": Symmetry.ROTATE_HALF,
}
TURN_NAMES = {turn: name for name, turn in TURNS.items()}


def line_marks(cells: Collection[Spot]) -> dict[Spot, str]:
    """Return the letters of an area's line.

    >>> line_marks([(0, -1), (0, -2), (0, -3)])
    {(0, -1): 's', (0, -2): 'm', (0, -3): 'e'}
    """
    marks = ["s", *"m" * (len(cells) - 2), "e"][: len(cells)]
    return dict(zip(cells, marks, strict=True))


def rows_of(letters: Mapping[Spot, str]) -> list[str]:
    """Return the rows of a drawing, the live end among them.

    >>> rows_of({(-1, -1): "x", (0, 0): "@"})
    ['x ?', '? @']
    """
    page = {LIVE_END: "@", **letters}
    top, left, bottom, right = box_around(page)
    return [
        " ".join(page.get((row, col), "?") for col in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]
