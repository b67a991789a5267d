"""The letters of drawings, and drawings as text: for people, and as rule files.

Only `verify.checker` has tables of its own, to be independent.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from heuristic.rules.drawing import (
    FACTS,
    LIMIT,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    LineEnd,
    Spot,
    box_around,
    written,
)
from solver.board import Symmetry

LEGEND: dict[str, tuple[CellState | None, str]] = {
    "@": (None, "the live end"),
    "?": (None, "anything"),
    ".": (CellState.FREE, "free"),
    "K": (CellState.FREE, "free, and not the end cell"),
    "#": (CellState.VISITED, "visited"),
    "B": (CellState.OUTSIDE, "outside: beyond the edge, or a wall"),
    "%": (TAKEN, "visited or outside"),
    "o": (CellState.FREE | CellState.VISITED, "on the board: free or visited"),
    **dict.fromkeys("<>^v", (TAKEN, "visited or outside; an area's line ends here")),
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
}
FORBIDDEN = {"?": "x", ".": "X", "s": "S", "m": "M", "e": "E", "F": "f"}
FORBID = "".join(FORBIDDEN.values())
NOT_END = "KG"
MARKS, ARROWS = "smeSME+", "<>^v"

# The letters for the state of a cell alone; whether it is not the end.
STATES: dict[str, tuple[CellState, bool]] = {
    letter: (LEGEND[letter][0] or TAKEN, letter in NOT_END) for letter in ".K#B%o"
}
LETTER: dict[tuple[int, bool], str] = {
    state: letter for letter, state in STATES.items()
}


def sign(letter: str) -> str:
    """Return the sign that pictures show for a letter of a rule file.

    A cell that is free, or belongs to an area's line, has a dot; a cell that may be
    anything has no sign.

    >>> [sign(letter) for letter in ".K?Xs@"]
    ['·', 'K', '', '·', '·', '']
    """
    plain = {forbidden: free for free, forbidden in FORBIDDEN.items()}
    base = plain.get(letter, letter)
    return {"?": "", "@": ""}.get(base, "·" if base in ".sme" else base)


TURNS = {
    "0": Symmetry.IDENTITY,
    "cw": Symmetry.ROTATE_RIGHT,
    "ccw": Symmetry.ROTATE_LEFT,
    "180": Symmetry.ROTATE_HALF,
}
TURN_NAMES = {turn: name for name, turn in TURNS.items()}


def line_marks(cells: Collection[Spot]) -> dict[Spot, str]:
    """Return the letters of an area's line."""
    marks = f"s{'m' * (len(cells) - 2)}e"[: len(cells)]
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


def drawing_lines(drawing: Drawing) -> list[str]:
    """Return the rows of a drawing, then a line for each area and fact."""
    return [*drawing.text.strip().splitlines(), *area_lines(drawing)]


def condition(area: AreaSpec) -> str:
    """Return the condition of an area in words."""
    low, high = area.low, area.high
    if not area.kind.bounded:
        return str(area.kind.value).replace("-", ", ")
    if area.kind is Kind.BEYOND and low > high:
        return "any surplus"
    if area.kind is Kind.BEYOND:
        parts = [f"below {low}"] if low > -LIMIT else []
        parts += [f"above {high}"] if high < LIMIT else []
        return f"surplus {' or '.join(parts)}"
    if low <= -LIMIT:
        return f"surplus {high} at most"
    return f"surplus {low} to {high}" if high < LIMIT else f"surplus {low} at least"


def area_lines(drawing: Drawing) -> list[str]:
    """Return a line for each area, and one for each fact of two cells."""
    if len(drawing.areas) < 2:
        alone = [f"area on the {a.side}: {condition(a)}" for a in drawing.areas]
        return alone + fact_lines(drawing)
    lines = []
    for number, area in enumerate(drawing.areas, 1):
        line = f"area {number} on the {area.side}: {condition(area)}"
        line += f"; its line is {' '.join(str(written(at)) for at in area.cells)}"
        if area.entry != area.cells[0]:
            line += f", entered at {written(area.entry)}"
        lines.append(line)
    return [*lines, "cells are [left, ahead] of the live end", *fact_lines(drawing)]


def fact_lines(drawing: Drawing) -> list[str]:
    """Return a line for each fact that a position is tested for."""
    return [
        FACTS[word].text.format(written(first), written(second))
        for word, first, second in drawing.tested_facts
    ]


def page_text(drawing: Drawing) -> str:
    """Return the page of a drawing in the letters of the rule language.

    Runs, turns and facts have no letters. A cell that is free or outside is ``/``.

    >>> from heuristic.groups import load_rules
    >>> print(page_text(load_rules("c-shape").rules[0].drawings[0]))
    ? ? x ?
    % K @ x
    ? % ? ?
    """
    page = {
        need.at: LETTER.get((need.states, need.not_end), "K" if need.not_end else "/")
        for need in drawing.needs
    }
    for area in drawing.areas:
        page |= line_marks(area.cells)
    for mark in drawing.marks:
        page[mark.at] = "G" if mark.end is LineEnd.FAR else "F"
    for at in drawing.forbidden:
        free = drawing.need(at).states == CellState.FREE
        page[at] = FORBIDDEN.get(page.get(at, "?"), "X" if free else "x")
    return "\n".join(rows_of(page))


def rule_text(table: Mapping[str, Any], header: str = "rule") -> str:
    """Return a rule as text of a rule file; a drawing is a list of rows.

    Lists of tables follow the other values, each table under a header of its own.

    >>> print(rule_text({"name": "a", "area": [{"side": "left"}]}), end="")
    [[rule]]
    name = "a"
    <BLANKLINE>
    [[rule.area]]
    side = "left"
    """
    lines, tables = [f"[[{header}]]"], list[str]()
    for key, value in table.items():
        if key == "drawing":
            lines += ['drawing = """', *value, '"""']
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            tables += ["\n" + rule_text(entry, f"{header}.{key}") for entry in value]
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n" + "".join(tables)


def area_table(area: AreaSpec) -> dict[str, Any]:
    """Return the table of an area in a rule file."""
    table: dict[str, Any] = {
        "cells": [written(at) for at in area.cells],
        "side": area.side,
        "base": written(area.base),
        "wall": written(area.wall),
        "kind": area.kind.value,
    }
    if area.entry != area.cells[0]:
        table["entry"] = written(area.entry)
    if area.kind.bounded:
        bounds = {"low": area.low, "high": area.high}
        table |= {key: at for key, at in bounds.items() if abs(at) < LIMIT}
    if area.least > len(area.cells):
        table["least"] = area.least
    return table
