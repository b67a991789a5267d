"""A drawing as text: for people, and as a rule file has it."""

import json
from collections.abc import Mapping
from typing import Any

from heuristic.rules.drawing import FACTS, LIMIT, AreaSpec, CellState, Drawing, written
from heuristic.rules.letters import FORBIDDEN, LETTER, line_marks, rows_of


def drawing_lines(drawing: Drawing) -> list[str]:
    """Return a drawing for people: its rows, then its areas and facts, a line each."""
    return [*drawing.text.strip().splitlines(), *area_lines(drawing)]


def area_lines(drawing: Drawing) -> list[str]:
    """Return a line for each area, and one for each fact of two cells.

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
    for number, area in enumerate(drawing.areas, 1):
        bounds = f" {area.low} to {area.high}" if area.kind.bounded else ""
        name = f"area {number}" if several else "area"
        phrase = f"{name} on the {area.side}: {area.kind.value}{bounds}"
        if several:
            cells = " ".join(str(written(at)) for at in area.cells)
            phrase += f"; its line is {cells}"
            if area.entry != area.cells[0]:
                phrase += f", entered at {written(area.entry)}"
        lines.append(phrase)
    if several:
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
