"""Read rule files: TOML with drawings. The language is explained in docs/rules.md.

Every fault raises `RuleError` with the file, the rule and, inside a drawing, the row
and the column of the cell, both from 1.
"""

import re
import tomllib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from heuristic.drawing import (
    AROUND,
    CLAIMS,
    LIMIT,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellNeed,
    Drawing,
    Frame,
    Kind,
    Offset,
    RuleSpec,
    Run,
    State,
    Turn,
    step,
)
from solver.board import LETTERS
from solver.errors import RuleError
from solver.symmetry import Symmetry

LEGEND: dict[str, tuple[State | None, str]] = {
    "@": (None, "the live end"),
    "?": (None, "anything"),
    ".": (State.FREE, "free"),
    "K": (State.FREE, "free, and not the end cell"),
    "#": (State.VISITED, "visited"),
    "B": (State.OUTSIDE, "outside: beyond the edge, or a wall"),
    "%": (TAKEN, "visited or outside"),
    "o": (State.FREE | State.VISITED, "on the board: free or visited"),
    "<": (TAKEN, "visited or outside; an area's line ends here"),
    ">": (TAKEN, "visited or outside; an area's line ends here"),
    "^": (TAKEN, "visited or outside; an area's line ends here"),
    "v": (TAKEN, "visited or outside; an area's line ends here"),
    "x": (None, "a forbidden move"),
    "X": (State.FREE, "a forbidden move, needed free"),
    "s": (State.FREE, "first cell of an area's line, free"),
    "m": (State.FREE, "inner cell of an area's line, free"),
    "e": (State.FREE, "last cell of an area's line, free"),
    "+": (State.FREE, "inner cell of an area's line, its entry; free"),
    "S": (State.FREE, "as s, and a forbidden move"),
    "M": (State.FREE, "as m, and a forbidden move"),
    "E": (State.FREE, "as e, and a forbidden move"),
}
_MARKS, _FORBID, _ARROWS = "smeSME+", "xXSME", "<>^v"
_SIZE = 100  # rows and columns of a drawing, at most
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TURNS = {"0": Turn.NONE, "cw": Turn.CW, "ccw": Turn.CCW, "180": Turn.HALF}
_FORM_KEYS = (
    *("drawing", "turns", "mirror", "frame", "heading", "symmetries"),
    *("area", "runs", "either", "variant"),
)
_RULE_KEYS = ("name", "claim", "origin", "reason", "note", "stops", "unless", "form")


def load_file(path: Path | str) -> tuple[RuleSpec, ...]:
    """Read the rules of a file, in order.

    Raises
    ------
    RuleError
        If the file cannot be read or is not a rule file.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode()
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a zero in it
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise RuleError(path.name, None, f"cannot read the file: {reason}") from None
    return parse_rules(text, path.name)


def parse_rules(text: str, file: str = "<text>") -> tuple[RuleSpec, ...]:
    """Read the rules of a text; `file` is the name that errors show.

    >>> rule, = parse_rules('''
    ... [[rule]]
    ... name = "corner"
    ... claim = "sound"
    ... origin = "example"
    ... reason = "the cell on the left could not be left again"
    ... turns = ["0", "cw"]
    ... drawing = \"\"\"
    ... ? ? x ?
    ... % K @ x
    ... ? % ? ?
    ... \"\"\"
    ... ''')
    >>> rule.drawings[0].forbidden
    ((0, 1), (-1, 0))
    >>> rule.drawings[0].need((1, 0))
    CellNeed((1, 0), FREE, not end)
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise RuleError(file, None, "values are nested too deeply") from None
    except ValueError as error:
        raise RuleError(file, None, f"not TOML: {error}") from None
    top = _Table(data, file, None, "the file")
    top.only(("rule",))
    rules: list[RuleSpec] = []
    for table in top.tables("rule", required=True):
        rule = _rule(table)
        if rule.name in [other.name for other in rules]:
            raise RuleError(file, rule.name, "two rules have this name")
        for name in rule.unless:
            if name == rule.name:
                raise RuleError(file, rule.name, "the rule is named in its own unless")
        rules.append(rule)
    return tuple(rules)


@dataclass(frozen=True, slots=True)
class _Table:
    """A TOML table that knows how to complain."""

    data: dict[str, Any]
    file: str
    rule: str | None
    what: str

    def fail(
        self, why: str, row: int | None = None, col: int | None = None
    ) -> NoReturn:
        raise RuleError(self.file, self.rule, why, row=row, col=col)

    def only(self, keys: tuple[str, ...]) -> None:
        for key in self.data:
            if key not in keys:
                known = ", ".join(keys)
                self.fail(f"unknown key {key[:40]!r} in {self.what}; known: {known}")

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        if key not in self.data:
            if default is None:
                self.fail(f"key {key!r} is missing in {self.what}")
            return default
        value = self.data[key]
        if type(value) is not kind:
            self.fail(f"{key} is {_short(value)}, expected {_KINDS[kind]}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value: str = self.get(key, str, default)
        value = value.strip()
        if not value and not default and default is None:
            self.fail(f"{key} is empty")
        return value

    def choice(self, key: str, among: list[str], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in among:
            self.fail(f"{key} is {_short(value)}, expected one of {', '.join(among)}")
        return value

    def names(self, key: str, default: list[str]) -> list[str]:
        values: list[Any] = self.get(key, list, default)
        for value in values:
            if type(value) is not str:
                self.fail(f"{key} holds {_short(value)}, expected strings")
            if values.count(value) > 1:
                self.fail(f"{key} holds {_short(value)} twice")
        return values

    def offset(self, value: Any, key: str) -> Offset:
        good = type(value) is list and len(value) == 2
        if not good or any(type(v) is not int or abs(v) > _SIZE for v in value):
            self.fail(f"{key} holds {_short(value)}, expected a cell [left, ahead]")
        return value[0], value[1]

    def offsets(self, key: str) -> list[Offset]:
        return [self.offset(value, key) for value in self.get(key, list, [])]

    def tables(self, key: str, required: bool = False) -> "list[_Table]":
        values = self.get(key, list, None if required else [])
        if required and not values:
            self.fail(f"{key} is empty")
        for value in values:
            if type(value) is not dict:
                self.fail(f"{key} is no list of tables: write [[{key}]]")
        return [_Table(v, self.file, self.rule, f"[[{key}]]") for v in values]


_KINDS: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _rule(table: _Table) -> RuleSpec:
    name = table.text("name")
    table = _Table(table.data, table.file, name[:80], "the rule")
    if not _NAME.fullmatch(name) or len(name) > 80:
        table.fail("a name is lower case letters, digits and single hyphens")
    has_forms = "form" in table.data
    table.only(_RULE_KEYS if has_forms else (*_RULE_KEYS, *_FORM_KEYS))
    drawings: list[Drawing] = []
    if has_forms:
        for form in table.tables("form", required=True):
            form.only(_FORM_KEYS)
            drawings += _form(form)
    else:
        drawings += _form(table)
    return RuleSpec(
        name=name,
        claim=table.choice("claim", list(CLAIMS)),
        origin=table.text("origin"),
        reason=table.text("reason"),
        drawings=tuple(drawings),
        stops=table.get("stops", bool, False),
        unless=tuple(table.names("unless", [])),
        note=table.text("note", ""),
        file=table.file,
    )


@dataclass(slots=True)
class _Page:
    """The cells of a drawing while it is read."""

    table: _Table
    text: str
    needs: dict[Offset, tuple[State, bool]] = field(default_factory=dict)
    letters: dict[Offset, str] = field(default_factory=dict)
    places: dict[Offset, tuple[int, int]] = field(default_factory=dict)

    def marked(self, among: str) -> list[Offset]:
        return [at for at, letter in self.letters.items() if letter in among]

    def fail(self, at: Offset, why: str) -> NoReturn:
        row, col = self.places.get(at, (None, None))
        self.table.fail(why if row else f"cell {list(at)}: {why}", row, col)

    def need(self, at: Offset, states: State, not_end: bool = False) -> None:
        if at == LIVE_END:
            self.fail(at, "a live end cannot be a cell of a line, a run or an area")
        before, kept = self.needs.get(at, (State(7), False))
        if not before & states:
            self.fail(at, f"the cell would have to be {before!r} and {states!r}")
        self.needs[at] = before & states, kept or not_end


def _read_page(table: _Table) -> _Page:
    text = table.text("drawing")
    lines = [line.split() for line in text.splitlines()]
    page = _Page(table, "\n".join(" ".join(line) for line in lines))
    if len(lines) > _SIZE or len(lines[0]) > _SIZE:
        table.fail(f"a drawing has at most {_SIZE} rows and columns")
    live: tuple[int, int] | None = None
    for row, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            why = f"the row has {len(line)} cells, the first row {len(lines[0])}"
            table.fail(why, row, min(len(line), len(lines[0])) + 1)
        for col, letter in enumerate(line, 1):
            if letter in ("F", "f", "G", "y"):
                table.fail(f"{letter!r} is kept for later and means nothing", row, col)
            if letter not in LEGEND:
                known = " ".join(LEGEND)
                why = f"unknown cell {_short(letter)}; known, one space apart: {known}"
                table.fail(why, row, col)
            if letter == "@":
                if live is not None:
                    table.fail("a second live end", row, col)
                live = row, col
    if live is None:
        table.fail("the drawing has no live end '@'")
    for row, line in enumerate(lines, 1):
        for col, letter in enumerate(line, 1):
            at = live[1] - col, live[0] - row
            page.letters[at], page.places[at] = letter, (row, col)
            states = LEGEND[letter][0]
            if states is not None:
                page.need(at, states, letter == "K")
            if letter in _FORBID and at not in AROUND[::2]:
                page.fail(at, "a forbidden cell does not touch the live end")
    return page


def _form(table: _Table) -> list[Drawing]:
    page = _read_page(table)
    areas, runs = _areas(page), _runs(page)
    _no_stray_arrows(page, areas, runs)
    forbidden = tuple(page.marked(_FORBID))
    if not forbidden:
        table.fail("the drawing forbids no move: mark one x, X, S, M or E")
    frame = Frame(table.choice("frame", ["heading", "board"], "heading"))
    used = ("turns", "mirror") if frame is Frame.BOARD else ("heading", "symmetries")
    for key in used:
        if key in table.data:
            table.fail(f"{key} has no meaning in the {frame.value} frame")
    turns = table.names("turns", ["0"])
    symmetries = table.names("symmetries", ["IDENTITY"])
    for turn in turns:
        if turn not in _TURNS:
            table.fail(f"turn {_short(turn)} is none of {', '.join(_TURNS)}")
    for symmetry in symmetries:
        if symmetry not in Symmetry.__members__:
            known = ", ".join(Symmetry.__members__)
            table.fail(f"symmetry {_short(symmetry)} is none of {known}")
    if not turns or not symmetries:
        table.fail("turns and symmetries must not be empty")
    variant = table.text("variant", "")
    drawings = []
    for label, overlay, more_areas, more_runs in _alternatives(table, page):
        drawings.append(
            Drawing(
                text=page.text if overlay is page else f"{page.text}\n\n{overlay.text}",
                needs=_merged(page, overlay),
                areas=(*areas, *more_areas),
                runs=(*runs, *more_runs),
                forbidden=forbidden,
                frame=frame,
                turns=tuple(_TURNS[turn] for turn in turns),
                mirror=table.get("mirror", bool, True),
                heading=LETTERS.index(table.choice("heading", list(LETTERS), "U")),
                symmetries=tuple(Symmetry[name] for name in symmetries),
                variant=" ".join(part for part in (variant, label) if part),
            )
        )
    return drawings


def _alternatives(
    table: _Table, page: _Page
) -> list[tuple[str, _Page, tuple[AreaSpec, ...], tuple[Run, ...]]]:
    """Return the [[either]] tables, read; the page alone when there are none."""
    if "either" not in table.data:
        return [("", page, (), ())]
    found = []
    for number, part in enumerate(table.tables("either", required=True), 1):
        part.only(("drawing", "area", "runs"))
        overlay = _read_page(part)
        areas, runs = _areas(overlay), _runs(overlay)
        _no_stray_arrows(overlay, areas, runs)
        for at in overlay.marked(_FORBID):
            overlay.fail(at, "an alternative cannot forbid more moves")
        found.append((f"either {number}", overlay, areas, runs))
    return found


def _merged(page: _Page, overlay: _Page) -> tuple[CellNeed, ...]:
    both = _Page(overlay.table, "", dict(page.needs), {}, overlay.places)
    for at, (states, not_end) in overlay.needs.items():
        both.need(at, states, not_end)
    return tuple(
        CellNeed(at, states, not_end)
        for at, (states, not_end) in sorted(both.needs.items())
        if states != State(7) or not_end
    )


def _runs(page: _Page) -> tuple[Run, ...]:
    runs = []
    for pair in page.table.get("runs", list, []):
        if type(pair) is not list or len(pair) != 2:
            page.table.fail(f"runs holds {_short(pair)}, expected [first, then]")
        first, then = (page.table.offset(at, "runs") for at in pair)
        if first == then:
            page.fail(first, "a run names one cell twice")
        page.need(first, State.VISITED)
        page.need(then, State.VISITED)
        runs.append(Run(first, then))
    return tuple(runs)


def _no_stray_arrows(
    page: _Page, areas: tuple[AreaSpec, ...], runs: tuple[Run, ...]
) -> None:
    tested = [at for area in areas for at in (area.base, area.wall)]
    tested += [at for run in runs for at in (run.first, run.then)]
    for at in page.marked(_ARROWS):
        if at not in tested:
            page.fail(at, "the arrow belongs to no area: it is no wall, base or run")


def _areas(page: _Page) -> tuple[AreaSpec, ...]:
    tables = page.table.tables("area")
    areas = tuple(_area(page, table, len(tables) == 1) for table in tables)
    covered = [at for area in areas for at in area.cells]
    for at in page.marked(_MARKS):
        if at not in covered:
            page.fail(at, "a marked cell belongs to no [[area]]")
    return areas


def _area(page: _Page, table: _Table, alone: bool) -> AreaSpec:
    table.only(
        ("cells", "side", "kind", "low", "high", "base", "wall", "entry", "least"),
    )
    if "cells" not in table.data and not alone:
        table.fail("with several areas each must list its cells")
    cells = table.offsets("cells") if "cells" in table.data else _chain(page)
    if not cells or len(set(cells)) != len(cells):
        table.fail("cells must be a line of one cell or more, each named once")
    for at in cells:
        if page.letters.get(at, "?") not in _MARKS:
            page.fail(at, "the area's cell is not marked s, m, e or + in the drawing")
    for a, b in pairwise(cells):
        if step(a, b) not in AROUND[::2]:
            page.fail(b, f"the area's cell does not touch the one before, {list(a)}")
    base = _line_end(page, table, "base", cells[0], cells[1:2])
    ahead = cells[-2] if len(cells) > 1 else base
    wall = _line_end(page, table, "wall", cells[-1], [ahead])
    for name, at in (("base", base), ("wall", wall)):
        if name == "wall" or at != LIVE_END:
            page.need(at, TAKEN)
    if base == wall:
        page.fail(base, "the line ends where it comes from")
    area = AreaSpec(
        cells=tuple(cells),
        side=table.choice("side", ["left", "right"]),
        base=base,
        wall=wall,
        kind=Kind(table.choice("kind", [kind.value for kind in Kind])),
        low=_bound(table, "low", -LIMIT),
        high=_bound(table, "high", LIMIT),
        entry=_entry(page, table, cells),
        least=_bound(table, "least", len(cells)),
    )
    if ("low" in table.data or "high" in table.data) != (
        area.kind in (Kind.WITHIN, Kind.BEYOND)
    ):
        table.fail(
            "low and high go with the kinds within and beyond, and these need one"
        )
    if area.kind is Kind.WITHIN and area.low > area.high:
        table.fail(f"low {area.low} is above high {area.high}")
    for at in area.inside:
        if at in area.outside:
            page.fail(at, "the cell lies on both sides of the area's line")
    return area


def _bound(table: _Table, key: str, default: int) -> int:
    value: int = table.get(key, int, default)
    if abs(value) > LIMIT:
        table.fail(f"{key} is {_short(value)}, beyond any board")
    return value


def _entry(page: _Page, table: _Table, cells: list[Offset]) -> Offset:
    drawn = [at for at in cells if page.letters.get(at) == "+"]
    if "entry" in table.data:
        drawn = [table.offset(table.data["entry"], "entry")]
    if len(drawn) > 1 or (drawn and drawn[0] not in cells):
        table.fail("an area has one entry, a cell of its line")
    return drawn[0] if drawn else cells[0]


def _line_end(
    page: _Page, table: _Table, key: str, here: Offset, before: list[Offset]
) -> Offset:
    """Return the cell beyond one end of a line: as given, else the plain one.

    Plain is the live end for the base of a line that begins around it, and otherwise
    the cell straight on.
    """
    if key in table.data:
        at = table.offset(table.data[key], key)
        if step(here, at) not in AROUND:
            page.fail(at, f"the {key} does not touch the line's end {list(here)}")
        if at in before:
            page.fail(at, f"the {key} is a cell of the line")
        return at
    if key == "base" and here in AROUND:
        return LIVE_END
    if not before:
        table.fail("a line of one cell that is far from the live end needs a base")
    back = step(before[0], here)
    if back not in AROUND[::2]:
        table.fail(f"a line that comes around a corner needs its {key} given")
    return here[0] + back[0], here[1] + back[1]


def _chain(page: _Page) -> list[Offset]:
    """Return the marked cells from s to e when each leads to one next."""
    marks = page.marked(_MARKS)
    begins = page.marked("sS")
    if len(begins) != 1:
        page.table.fail("the drawing must have one s or S, or the area list its cells")
    chain = [begins[0]]
    while len(chain) < len(marks):
        nexts = [at for at in marks if step(chain[-1], at) in AROUND[::2]]
        nexts = [at for at in nexts if at not in chain]
        if len(nexts) != 1:
            page.fail(chain[-1], "the line does not go on one way: list the cells")
        chain.append(nexts[0])
    if len(chain) > 1 and page.letters[chain[-1]] not in "eE":
        page.fail(chain[-1], "the line does not end at e or E")
    return chain
