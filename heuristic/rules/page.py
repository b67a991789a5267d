"""The picture of a rule file: cells, marks, the lines of areas, runs, forced edges.

Forced edges (`joined`) and ends of forced lines (`mates`) are pairs of cells needed
free; `heuristic.matching.forced` says what is forced.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn

from heuristic.rules.drawing import (
    ANY,
    AROUND,
    ASKED,
    FACTS,
    LIMIT,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellState,
    Fact,
    Kind,
    LineEnd,
    Mark,
    Pair,
    Spot,
    VisitOrder,
    left_ahead,
    step,
    written,
)
from heuristic.rules.fields import SIZE, Table, short
from heuristic.rules.letters import ARROWS, FORBID, LEGEND, MARKS, NOT_END

STATES = tuple(map(CellState, range(ANY + 1)))  # a flag of Python is slow to make


@dataclass(slots=True)
class Page:
    """The cells of a drawing while it is read."""

    table: Table
    text: str
    needs: dict[Spot, tuple[CellState, bool]] = field(default_factory=dict)
    letters: dict[Spot, str] = field(default_factory=dict)
    places: dict[Spot, tuple[int, int]] = field(default_factory=dict)

    def marked(self, among: str) -> list[Spot]:
        """Return the cells drawn with one of these letters."""
        return [at for at, letter in self.letters.items() if letter in among]

    def fail(self, at: Spot, why: str) -> NoReturn:
        """Complain about a cell, at its row and column if it is drawn."""
        row, col = self.places.get(at, (None, None))
        self.table.fail(why if row else f"cell {written(at)}: {why}", row, col)

    def need(self, at: Spot, states: CellState, not_end: bool = False) -> None:
        """Demand states of a cell besides what is demanded already."""
        if at == LIVE_END:
            self.fail(at, "a live end cannot be a cell of a line, a run or an area")
        before, kept = self.needs.get(at, (ANY, False))
        both = STATES[int(before) & int(states)]
        if not both:
            self.fail(
                at, f"the cell would have to be {words(before)}, and {words(states)}"
            )
        self.needs[at] = both, kept or not_end


def words(states: CellState) -> str:
    """Say a set of states, for messages.

    >>> words(TAKEN)
    'visited or outside'
    """
    return " or ".join((s.name or "").lower() for s in CellState if s in states)


def read_page(table: Table) -> Page:
    """Read the drawing of a table and check every cell."""
    text = table.text("drawing")
    lines = [line.split() for line in text.splitlines()]
    page = Page(table, "\n".join(" ".join(line) for line in lines))
    if len(lines) > SIZE or len(lines[0]) > SIZE:
        table.fail(f"a drawing has at most {SIZE} rows and columns")
    live: tuple[int, int] | None = None
    for row, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            why = f"the row has {len(line)} cells, the first row {len(lines[0])}"
            table.fail(why, row, min(len(line), len(lines[0])) + 1)
        for col, letter in enumerate(line, 1):
            if letter not in LEGEND:
                known = " ".join(LEGEND)
                why = f"unknown cell {short(letter)}; known, one space apart: {known}"
                table.fail(why, row, col)
            if letter == "@":
                if live is not None:
                    table.fail("a second live end", row, col)
                live = row, col
    if live is None:
        table.fail("the drawing has no live end '@'")
    for row, line in enumerate(lines, 1):
        for col, letter in enumerate(line, 1):
            at = row - live[0], col - live[1]
            page.letters[at], page.places[at] = letter, (row, col)
            states = LEGEND[letter][0]
            if states is not None:
                page.need(at, states, letter in NOT_END)
            if letter in FORBID and at not in AROUND[::2]:
                page.fail(at, "a forbidden cell does not touch the live end")
    return page


def read_runs(page: Page) -> tuple[VisitOrder, ...]:
    """Read the runs of the page's table; their cells are needed visited."""
    runs = []
    for pair in page.table.get("runs", list, []):
        if type(pair) is not list or len(pair) != 2:
            page.table.fail(f"runs holds {short(pair)}, expected [first, then]")
        first, then = (page.table.spot(at, "runs") for at in pair)
        if first == then:
            page.fail(first, "a run names one cell twice")
        page.need(first, CellState.VISITED)
        page.need(then, CellState.VISITED)
        runs.append(VisitOrder(first, then))
    return tuple(runs)


def no_stray_arrows(
    page: Page, areas: tuple[AreaSpec, ...], runs: tuple[VisitOrder, ...]
) -> None:
    """Refuse an arrow that nothing tests: no wall or base of an area, no run."""
    tested = [at for area in areas for at in (area.base, area.wall)]
    tested += [at for run in runs for at in (run.first, run.then)]
    for at in page.marked(ARROWS):
        if at not in tested:
            page.fail(at, "the arrow belongs to no area: it is no wall, base or run")


def read_marks(page: Page) -> tuple[Mark, ...]:
    """Read the ends of future lines; with `one_line` they are of one section."""
    one = page.table.get("one_line", bool, False)
    cells = page.marked("FfG")
    if one and len(cells) < 2:
        page.table.fail("one_line needs two ends of a future line, F, f or G")
    ends = [LineEnd.FAR if page.letters[at] == "G" else LineEnd.NEAR for at in cells]
    return tuple(
        Mark(at, end, one and number > 0)
        for number, (at, end) in enumerate(zip(cells, ends, strict=True))
    )


def read_areas(page: Page) -> tuple[AreaSpec, ...]:
    """Read the areas of the page's table; every marked cell must be in one."""
    tables = page.table.tables("area")
    areas = tuple(_area(page, table, len(tables) == 1) for table in tables)
    covered = [at for area in areas for at in area.cells]
    for at in page.marked(MARKS):
        if at not in covered:
            page.fail(at, "a marked cell belongs to no [[area]]")
    return areas


def _area(page: Page, table: Table, alone: bool) -> AreaSpec:
    table.only(
        ("cells", "side", "kind", "low", "high", "base", "wall", "entry", "least")
    )
    if "cells" not in table.data and not alone:
        table.fail("with several areas each must list its cells")
    cells = table.spots("cells") if "cells" in table.data else _chain(page)
    if not cells or len(set(cells)) != len(cells):
        table.fail("cells must be a line of one cell or more, each named once")
    for at in cells:
        if page.letters.get(at, "?") not in MARKS:
            page.fail(at, "the area's cell is not marked s, m, e or + in the drawing")
    for a, b in pairwise(cells):
        if step(a, b) not in AROUND[::2]:
            page.fail(b, f"the area's cell does not touch the one before, {written(a)}")
    base = _line_end(page, table, "base", cells[0], cells[1:2])
    ahead = cells[-2] if len(cells) > 1 else base
    wall = _line_end(page, table, "wall", cells[-1], [ahead])
    for name, at in (("base", base), ("wall", wall)):
        if name == "wall" or at != LIVE_END:
            page.need(at, TAKEN)
    if base == wall:
        page.fail(base, "the line ends where it comes from")
    if step(wall, base) == step(cells[0], cells[-1]):  # two diagonals of one square
        page.fail(base, "the line crosses itself")
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
    if bool({"low", "high"} & table.data.keys()) != area.kind.bounded:
        why = "low and high go with the kinds within and beyond, and these need one"
        table.fail(why)
    if area.kind is Kind.WITHIN and area.low > area.high:
        table.fail(f"low {area.low} is above high {area.high}")
    outside = set(area.outside)
    for at in area.inside:
        if at in outside:
            page.fail(at, "the cell lies on both sides of the area's line")
    return area


def _bound(table: Table, key: str, default: int) -> int:
    value: int = table.get(key, int, default)
    if abs(value) > LIMIT:
        table.fail(f"{key} is {short(value)}, beyond any board")
    return value


def _entry(page: Page, table: Table, cells: list[Spot]) -> Spot:
    drawn = [at for at in cells if page.letters.get(at) == "+"]
    if "entry" in table.data:
        drawn = [table.spot(table.data["entry"], "entry")]
    if len(drawn) > 1 or (drawn and drawn[0] not in cells):
        table.fail("an area has one entry, a cell of its line")
    return drawn[0] if drawn else cells[0]


def _line_end(
    page: Page, table: Table, key: str, here: Spot, before: list[Spot]
) -> Spot:
    """Return the cell beyond one end of a line: as given, else the plain one.

    Plain is the live end for the base of a line that begins around it, and otherwise
    the cell straight on.
    """
    if key in table.data:
        at = table.spot(table.data[key], key)
        if step(here, at) not in AROUND:
            page.fail(at, f"the {key} does not touch the line's end {written(here)}")
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


def _chain(page: Page) -> list[Spot]:
    """Return the marked cells from s to e when each leads to one next."""
    marks = page.marked(MARKS)
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


def read_facts(page: Page) -> tuple[Fact, ...]:
    """Read the facts that the page's table asks for; their cells become free.

    The cells of a pair are put in order. Each end of a forced line must be in one pair
    of `joined`: the edge by which the line leaves it.

    Raises `RuleError` if a pair is none, stands twice, or no position can have it.
    """
    facts = tuple((word, *pair) for word in ASKED for pair in _pairs(page, word))
    edges, ends = (
        [at for said, *pair in facts if said == word for at in pair]
        for word in ("joined", "mates")
    )
    for word, one, other in facts:
        if FACTS[word].edge and step(one, other) not in AROUND[::2]:
            why = f"{word} cells must touch: {written(one)} and {written(other)}"
            page.fail(other, why)
        for at in (one, other):
            if edges.count(at) > 2:
                page.fail(at, f"the cell {written(at)} is in three pairs of joined")
    for at in ends:
        if ends.count(at) > 1:
            page.fail(at, f"the cell {written(at)} is in two pairs of mates")
        if edges.count(at) != 1:
            why = "one pair of joined says by which edge its line leaves it"
            why = f"the cell {written(at)} of mates: {why}, not {edges.count(at)}"
            page.fail(at, why)
    return facts


def _pairs(page: Page, key: str) -> tuple[Pair, ...]:
    found: list[Pair] = []
    for value in page.table.get(key, list, []):
        if type(value) is not list or len(value) != 2:
            page.table.fail(f"{key} holds {short(value)}, expected two cells")
        cells = (page.table.spot(at, key) for at in value)
        one, other = sorted(cells, key=left_ahead)
        if one == other:
            page.fail(one, f"{key} names one cell twice")
        if FACTS[key].step:
            if other == LIVE_END:
                one, other = other, one
            if one != LIVE_END:
                page.fail(one, f"{key} is said of steps from the live end")
        elif LIVE_END in (one, other):
            page.fail(LIVE_END, f"{key} names the live end: its cells are free")
        for at in {one, other} - {LIVE_END}:
            page.need(at, CellState.FREE)
        if (one, other) in found:
            page.fail(one, f"{key} holds the pair {short(value)} twice")
        found.append((one, other))
    return tuple(found)
