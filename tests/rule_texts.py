"""Random rules, as a strategy of Hypothesis."""

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from heuristic.rules.drawing import AROUND, Kind, RuleSpec, Spot, written
from heuristic.rules.letters import line_marks, rows_of, rule_text
from heuristic.rules.rulefile import parse_rules
from solver.board import LETTERS, ROTATIONS, Position, Symmetry
from solver.errors import RuleError

_MOVES = AROUND[::2]
_LETTERS = {"free": "?.oK", "visited": "?#%o", "outside": "?%B"}
_States = Callable[[Spot], str]


@st.composite
def rule_drawings(draw: st.DrawFn, position: Position) -> RuleSpec:
    """Draw a rule, as `rulefile` reads it from a text.

    Drawings of at most 9 x 9 cells with one area at most, runs, all turns, both
    frames. Cells are drawn as they are at the position, so that the rule mostly fires.
    """
    frame, states = draw(_frames(position))
    forbidden = draw(st.lists(st.sampled_from(_MOVES), min_size=1, unique=True))
    places = st.tuples(st.integers(-4, 2), st.integers(-3, 3)).filter(any)
    some = draw(st.lists(places, max_size=6, unique=True))
    cells = {at: draw(st.sampled_from(_LETTERS[states(at)])) for at in some}
    area = draw(st.one_of(st.none(), _areas(states)))
    if area is not None:
        line, wall, condition = area
        cells.pop(wall, None)
        cells |= line_marks(line)
    for at in forbidden:
        letter = cells.get(at, "?")
        other = draw(st.sampled_from("xX" if states(at) == "free" else "x"))
        cells[at] = letter.upper() if letter in "sme" else other
    table = {"name": "drawn", "claim": "sound", "drawing": rows_of(cells), **frame}
    if area is not None:
        ends = {"cells": [*map(written, line)], "wall": written(wall)}
        table["area"] = [ends | condition]
    taken = [at for at, letter in cells.items() if letter in "#%"]
    if len(taken) > 1 and draw(st.booleans()):
        table["runs"] = [[*map(written, taken[:2])]]
    try:
        (rule,) = parse_rules(rule_text(table))
    except RuleError:  # the line of an area came out impossible
        reject()
    return rule


@st.composite
def _areas(
    draw: st.DrawFn, states: _States
) -> tuple[list[Spot], Spot, dict[str, Any]] | None:
    """Draw the line of an area from the live end, its wall and its condition."""
    marked = [at for at in AROUND if states(at) == "free"]
    if not marked:
        return None
    line = [draw(st.sampled_from(marked))]
    for _ in range(draw(st.integers(0, 3))):
        nexts = [at for at in _beside(line, _MOVES) if states(at) == "free"]
        if nexts:
            line.append(draw(st.sampled_from(nexts)))
    walls = [at for at in _beside(line, AROUND) if states(at) != "free"]
    if not walls:
        return None
    side, kind = draw(st.sampled_from(["left", "right"])), draw(st.sampled_from(Kind))
    condition: dict[str, Any] = {"side": side, "kind": kind.value}
    if kind.bounded:
        low = draw(st.integers(-2, 2))
        condition |= {"low": low, "high": low + draw(st.integers(0, 2))}
    if draw(st.booleans()):
        condition["least"] = draw(st.integers(1, 6))
    return line, draw(st.sampled_from(walls)), condition


@st.composite
def _frames(draw: st.DrawFn, position: Position) -> tuple[dict[str, Any], _States]:
    """Draw the keys of the frame; return the states of cells in its plain placement."""
    board_frame = draw(st.booleans())
    heading = max(position.heading, 0)
    keys: dict[str, Any]
    if board_frame:
        names = [s.name for s in Symmetry if s is not Symmetry.IDENTITY]
        chosen = ["IDENTITY", *draw(st.lists(st.sampled_from(names), unique=True))]
        keys = {"frame": "board", "heading": LETTERS[heading], "symmetries": chosen}
    else:
        others = draw(st.lists(st.sampled_from(["cw", "ccw", "180"]), unique=True))
        keys = {"turns": ["0", *others], "mirror": draw(st.booleans())}
    turn = ROTATIONS[0 if board_frame else heading]
    board, free = position.board, position.free
    row0, col0 = divmod(position.live_end, board.cols)

    def state(at: Spot) -> str:
        down, right = turn.turn(at)
        row, col = row0 + down, col0 + right
        cell = row * board.cols + col
        inside = 0 <= row < board.rows and 0 <= col < board.cols
        if not inside or cell in board.walls:
            return "outside"
        return "free" if free[cell] else "visited"

    return keys, state


def _beside(line: list[Spot], steps: Iterable[Spot]) -> list[Spot]:
    """Return the places beside the end of a line that are not on it."""
    row, col = line[-1]
    near = [(row + step[0], col + step[1]) for step in steps]
    return [at for at in near if at not in [*line, (0, 0)]]
