"""A drawing as text for people; several areas are named by letters.

A drawing with one area is shown as it is written. With several, the cells of each
area's line get a letter of its own, capital where the cell is also a forbidden move;
what the marks of the file say besides (where a line begins, where it is entered) goes
into the lines below.
"""

import json
from collections.abc import Mapping
from typing import Any

from heuristic.rules.drawing import FACTS, LIMIT, AreaSpec, CellState, Drawing, written
from heuristic.rules.letters import FORBIDDEN, LETTER, line_marks, rows_of

_AREA_LETTERS = "pqrtuwz"  # no letter of the rule language, small or capital


def lettered(drawing: Drawing) -> list[str]:
    """Return the rows of the drawing, a line each, areas distinguished by letters."""
    lines = list[str]()
    for page in drawing.text.strip().split("\n\n"):  # a page, and what is laid over it
        rows = [line.split() for line in page.splitlines()]
        (live,) = [(r, row.index("@")) for r, row in enumerate(rows) if "@" in row]
        several = len(drawing.areas) > 1
        for area, letter in reversed(letters_of(drawing)) if several else ():
            for at in area.cells:
                row, col = live[0] + at[0], live[1] + at[1]
                inside = 0 <= row < len(rows) and 0 <= col < len(rows[row])
                if inside and rows[row][col] != "?":
                    move = at in drawing.forbidden
                    rows[row][col] = letter.upper() if move else letter
        lines += [*[""] * bool(lines), *(" ".join(row) for row in rows)]
    return lines


def letters_of(drawing: Drawing) -> list[tuple[AreaSpec, str]]:
    """Return each area with its letter; after the last letter they begin anew."""
    known = len(_AREA_LETTERS)
    return [(a, _AREA_LETTERS[i % known]) for i, a in enumerate(drawing.areas)]


def area_lines(drawing: Drawing) -> list[str]:
    """Say of each area, in a line, what its letter is and what is asked of it.

    Then the facts that it asks for.

    >>> from heuristic.rules.rulefile import parse_rules
    >>> rule, = parse_rules('''
    ... [[rule]]
    ... name = "dead-end"
    ... claim = "sound"
    ... origin = "example"
    ... reason = "an example"
    ... drawing = \"\"\"
    ... % % %
    ... % e %
    ... % S %
    ... ? @ ?
    ... \"\"\"
    ... area = [{ side = "left", kind = "pair" }]
    ... ''')
    >>> area_lines(rule.drawings[0])
    ['area on the left: pair']
    """
    several = len(drawing.areas) > 1
    lines = []
    for area, letter in letters_of(drawing):
        bounds = f" {area.low} to {area.high}" * area.kind.bounded
        phrase = f"area on the {area.side}: {area.kind.value}{bounds}"
        if several:
            line = " ".join(str(written(at)) for at in area.cells)
            phrase = f"{letter}: {phrase}; its line is {line}"
            if area.entry != area.cells[0]:
                phrase += f", entered at {written(area.entry)}"
        lines.append(phrase)
    if several and any(
        at in drawing.forbidden for area in drawing.areas for at in area.cells
    ):
        lines.append("a capital is also a forbidden move; cells are [left, ahead]")
    elif several:
        lines.append("cells are [left, ahead] of the live end")
    return lines + fact_lines(drawing)


def fact_lines(drawing: Drawing) -> list[str]:
    """Say each fact that a position is asked for, in a line."""
    return [
        FACTS[word].text.format(written(one), written(other))
        for word, one, other in drawing.asked
    ]


def page_text(drawing: Drawing) -> str:
    """Print the page of a drawing in the letters of the rule language.

    Areas, runs, turns and what is forced are left out. A cell free or outside has no
    letter: ``/``.

    >>> from heuristic.groups import load_rules
    >>> print(page_text(load_rules("c-shape").rules[0].spec.drawings[0]))
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
            tables += ["\n" + rule_text(one, f"{header}.{key}") for one in value]
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
