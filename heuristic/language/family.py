"""Families of drawings: one drawing whose border grows, with a table of bounds.

A family is drawn for its smallest distance. Each entry of ``grow`` names a row or a
column of the drawing, by its offset ``ahead`` or ``left`` of the live end, and a step
``by``. To grow the drawing k times, that row or column and everything farther out is
moved k steps, and the area's marked cells of the row or column fill the gap: copies of
them stand at 0, 1, ... k - 1 steps. So ``by = [0, 1]`` makes a border longer and
``by = [1, 1]`` adds steps to a stair. Two entries make a family of two distances.

Each entry of ``cases`` names forbidden moves and the bounds of the first area's
surplus for them, one number a distance; ``low`` and ``high`` are lists, or lists of
lists for two distances. A distance beyond the table's end is no member. So one table
of the book is one case, and the area's kind, within or beyond, says how it is read.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NoReturn

from heuristic.language.drawing import LIVE_END, Offset

_MOVES: dict[str, Offset] = {
    "straight": (0, 1),
    "left": (1, 0),
    "behind": (0, -1),
    "right": (-1, 0),
}
_MARKED = {"?": "x", ".": "X", "s": "S", "m": "M", "e": "E"}
_LINE = "smeSME+"
_LONGEST = 40  # steps that a drawing grows, at most

Fail = Callable[[str], NoReturn]


@dataclass(frozen=True, slots=True)
class _Grow:
    """One entry of `grow`: which rows or columns move, how, and how often."""

    name: str
    first: int
    axis: int  # 0: left, 1: ahead
    at: int
    by: Offset
    every: int
    count: int

    def moved(self, cell: Offset, times: int) -> Offset:
        if cell[self.axis] < self.at:
            return cell
        return cell[0] + times * self.by[0], cell[1] + times * self.by[1]

    def copies(self, cell: Offset, times: int) -> list[Offset]:
        """Return where copies of a marked cell stand, the cell itself left out."""
        if cell[self.axis] != self.at:
            return []
        return [
            (cell[0] + k * self.by[0], cell[1] + k * self.by[1]) for k in range(times)
        ]


def is_family(form: dict[str, Any]) -> bool:
    """Whether a form of a rule file is a family.

    >>> is_family({"drawing": "x @"}), is_family({"drawing": "s @", "grow": []})
    (False, True)
    """
    return "grow" in form or "cases" in form


def expand(form: dict[str, Any], fail: Fail) -> Iterator[dict[str, Any]]:
    r"""Yield the plain forms of a family, as they would stand in a file.

    `fail` raises the error for a fault, given what is wrong.

    >>> def fail(why):
    ...     raise ValueError(why)
    >>> family = {
    ...     "drawing": "% e ?\n? s @",
    ...     "area": [{"side": "left", "kind": "beyond"}],
    ...     "grow": [{"name": "D", "first": 2, "ahead": 1, "by": [0, 1], "count": 2}],
    ...     "cases": [{"forbid": ["left"], "low": [0, -1], "high": [0, 1]}],
    ... }
    >>> for plain in expand(family, fail):
    ...     print(plain["variant"], plain["area"][0]["low"])
    ...     print(plain["drawing"])
    D 2 0
    % e ?
    ? S @
    D 3 -1
    % e ?
    ? m ?
    ? S @
    """
    grows = [_grow(entry, fail) for entry in _tables(form, "grow", fail)]
    cases = _tables(form, "cases", fail)
    if not grows or len(grows) > 2 or not cases:
        fail("a family has one or two tables of grow, and cases")
    if not _tables(form, "area", fail):
        fail("a family bounds the surplus of its first area, and has none")
    plain = {k: v for k, v in form.items() if k not in ("grow", "cases", "variant")}
    for case in cases:
        for key in case:
            if key not in ("forbid", "low", "high", "turns"):
                fail(f"unknown key {key[:40]!r} in a case of a family")
        for steps in product(*(range(grow.count) for grow in grows)):
            low, high = (_bound(case, key, steps, fail) for key in ("low", "high"))
            if low is None or high is None:
                continue
            page = plain
            for grow, step in zip(grows, steps, strict=True):
                page = _grown(page, grow, step * grow.every, fail)
            page = _forbidding(page, case, fail)
            first = {**page["area"][0], "low": low, "high": high}
            label = [str(form["variant"])] if "variant" in form else []
            label += [
                f"{grow.name} {grow.first + step * grow.every}"
                for grow, step in zip(grows, steps, strict=True)
            ]
            yield {
                **page,
                "area": [first, *page["area"][1:]],
                "variant": ", ".join(label),
            }


def _tables(form: dict[str, Any], key: str, fail: Fail) -> list[dict[str, Any]]:
    tables = form.get(key, [])
    if type(tables) is not list or any(type(table) is not dict for table in tables):
        fail(f"{key} is no list of tables")
    return list(tables)


def _grow(entry: dict[str, Any], fail: Fail) -> _Grow:
    keys = ("name", "first", "left", "ahead", "by", "every", "count")
    for key in entry:
        if key not in keys:
            fail(f"unknown key {key[:40]!r} in grow; known: {', '.join(keys)}")
    if ("left" in entry) == ("ahead" in entry):
        fail("an entry of grow names left or ahead, one of them")
    axis = 0 if "left" in entry else 1
    by = entry.get("by")
    numbers = [entry.get("first", 0), entry.get("every", 1), entry.get("count")]
    numbers += [entry["left" if axis == 0 else "ahead"]]
    numbers += by if type(by) is list and len(by) == 2 else [None]
    if any(type(n) is not int or abs(n) > _LONGEST for n in numbers):
        fail(f"an entry of grow needs whole numbers up to {_LONGEST}, and by as a cell")
    first, every, count, at, left, ahead = numbers
    if at < 1 or every < 1 or count < 1 or every * count > _LONGEST:
        fail("an entry of grow begins beyond the live end and grows once or more")
    name = entry.get("name", "D")
    if type(name) is not str:
        fail("the name of a distance is no string")
    return _Grow(name, first, axis, at, (left, ahead), every, count)


def _bound(
    case: dict[str, Any], key: str, steps: tuple[int, ...], fail: Fail
) -> int | None:
    """Return the number of a table for a member; None beyond the table's end."""
    entry: Any = case.get(key)
    for step in steps:
        if type(entry) is not list:
            fail(f"{key} of a case must be a list for every distance of the family")
        if step >= len(entry):
            return None
        entry = entry[step]
    if type(entry) is not int:
        fail(f"{key} of a case holds {entry!r}, expected a whole number")
    return entry


def _grown(page: dict[str, Any], grow: _Grow, times: int, fail: Fail) -> dict[str, Any]:
    """Return a form or an alternative of it after growing `times` steps."""
    grown = dict(page)
    grown["drawing"] = _grown_drawing(page.get("drawing"), grow, times, fail)
    if "area" in page:
        areas = _tables(page, "area", fail)
        grown["area"] = [_grown_area(area, grow, times, fail) for area in areas]
    for key in ("runs", "joined", "mates"):
        if key in page:
            pairs = [_list(pair, key, fail) for pair in _list(page[key], key, fail)]
            grown[key] = [
                [_moved(cell, key, grow, times, fail) for cell in pair]
                for pair in pairs
            ]
    if "either" in page:
        parts = _tables(page, "either", fail)
        grown["either"] = [_grown(part, grow, times, fail) for part in parts]
    return grown


def _list(value: Any, key: str, fail: Fail) -> list[Any]:
    if type(value) is not list:
        fail(f"{key} of a family is no list")
    return list(value)


def _cell(value: Any, key: str, fail: Fail) -> Offset:
    good = type(value) is list and len(value) == 2
    if not good or any(type(v) is not int for v in value):
        fail(f"{key} of a family holds what is no cell [left, ahead]")
    return value[0], value[1]


def _moved(value: Any, key: str, grow: _Grow, times: int, fail: Fail) -> list[int]:
    return list(grow.moved(_cell(value, key, fail), times))


def _grown_area(
    area: dict[str, Any], grow: _Grow, times: int, fail: Fail
) -> dict[str, Any]:
    grown = dict(area)
    for key in ("base", "wall", "entry"):
        if key in area:
            grown[key] = _moved(area[key], key, grow, times, fail)
    if "cells" in area:
        values = _list(area["cells"], "cells", fail)
        cells = [_cell(value, "cells", fail) for value in values]
        inner = [cell for cell in cells if cell[grow.axis] < grow.at]
        fill = [grow.copies(c, times) for c in cells if c[grow.axis] == grow.at]
        outer = [grow.moved(c, times) for c in cells if c[grow.axis] >= grow.at]
        copies = [fill[i][k] for k in range(times) for i in range(len(fill))]
        order = [inner, copies, outer]
        if cells and cells[0][grow.axis] > cells[-1][grow.axis]:
            order = [outer, copies[::-1], inner]
        grown["cells"] = [list(c) for part in order for c in part]
    return grown


def _grown_drawing(drawing: Any, grow: _Grow, times: int, fail: Fail) -> str:
    letters = _read(drawing, fail)
    grown = {grow.moved(at, times): letter for at, letter in letters.items()}
    for at, letter in letters.items():
        if letter not in _LINE:
            continue
        for k, copy in enumerate(grow.copies(at, times)):
            grown[copy] = letter if k == 0 else "m"
        if times and letter in "sS" and at[grow.axis] == grow.at:
            alone = not any(other in "eE" for other in letters.values())
            grown[grow.moved(at, times)] = "e" if alone else "m"
        if times and letter in "eE" and at[grow.axis] == grow.at:
            for copy in grow.copies(at, times):
                grown[copy] = "m"
    return _write(grown)


def _forbidding(
    page: dict[str, Any], case: dict[str, Any], fail: Fail
) -> dict[str, Any]:
    letters = _read(page["drawing"], fail)
    moves = case.get("forbid")
    if type(moves) is not list or not moves or any(m not in _MOVES for m in moves):
        fail(f"forbid of a case lists some of {', '.join(_MOVES)}")
    for move in moves:
        letter = letters.get(_MOVES[move], "?")
        if letter not in _MARKED:
            fail(f"the drawing has {letter!r} where a case forbids a move")
        letters[_MOVES[move]] = _MARKED[letter]
    forbidding = {**page, "drawing": _write(letters)}
    if "turns" in case:
        forbidding["turns"] = case["turns"]
    return forbidding


def _read(drawing: Any, fail: Fail) -> dict[Offset, str]:
    """Return the letters of a drawing by offset; the drawing is checked elsewhere."""
    if type(drawing) is not str:
        fail("the drawing is missing or no string")
    lines = [line.split() for line in drawing.strip().splitlines()]
    found = [(r, line.index("@")) for r, line in enumerate(lines) if "@" in line]
    if not found:
        fail("the drawing has no live end '@'")
    row, col = found[0]
    return {
        (col - c, row - r): letter
        for r, line in enumerate(lines)
        for c, letter in enumerate(line)
        if letter != "?"
    }


def _write(letters: dict[Offset, str]) -> str:
    cells = [*letters, LIVE_END]
    left = range(max(c[0] for c in cells), min(c[0] for c in cells) - 1, -1)
    ahead = range(max(c[1] for c in cells), min(c[1] for c in cells) - 1, -1)
    return "\n".join(" ".join(letters.get((a, b), "?") for a in left) for b in ahead)
