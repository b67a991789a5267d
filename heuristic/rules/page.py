"""The page of a drawing: its letters, areas, runs and facts, checked and compiled."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import NoReturn

from heuristic.rules.drawing import (
    ANY,
    AROUND,
    ASKED,
    FACTS,
    LIMIT,
    LINE_RULES,
    LIVE_END,
    MOST_COUNTED,
    TAKEN,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Fact,
    Frame,
    Kind,
    LineEnd,
    Mark,
    Spot,
    VisitOrder,
    box_around,
    left_ahead,
    spot,
    step,
    written,
)
from heuristic.rules.letters import ARROWS, FORBID, LEGEND, MARKS, NOT_END, rows_of
from heuristic.rules.schema import SIZE, AreaTable, FormTable, PageTable, Place
from solver.board import LETTERS

SIDES = AROUND[::2]
_STATES = tuple(map(CellState, range(ANY + 1)))  # a flag of Python is slow to make


@dataclass(slots=True)
class Page:
    """What stands on a page, and what its cells must be.

    - `place`: where its table stands, for messages.
    - `needs`: states of each cell, and whether it is not the end: see `check`.
    """

    place: Place
    letters: dict[Spot, str]
    areas: tuple[AreaSpec, ...] = ()
    runs: tuple[VisitOrder, ...] = ()
    facts: tuple[Fact, ...] = ()
    needs: dict[Spot, tuple[CellState, bool]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The letters, one line a row."""
        return "\n".join(rows_of(self.letters))

    def marked(self, among: str) -> list[Spot]:
        """Return the cells drawn with one of these letters, row by row."""
        return sorted(at for at, letter in self.letters.items() if letter in among)

    def row_col(self, at: Spot) -> tuple[int, int]:
        """Return row and column of a cell in the drawing, from 1."""
        top, left, _, _ = box_around([LIVE_END, *self.letters])
        return at[0] - top + 1, at[1] - left + 1

    def fail(self, at: Spot, why: str) -> NoReturn:
        """Raise an error about a cell, with its row and column if it is drawn."""
        if at not in self.letters:
            self.place.fail(f"cell {written(at)}: {why}")
        self.place.fail(why, *self.row_col(at))

    def need(self, at: Spot, states: CellState, not_end: bool = False) -> None:
        """Demand states of a cell besides what is demanded already."""
        if at == LIVE_END:
            self.fail(at, "a live end cannot be a cell of a line, a run or an area")
        before, never_end = self.needs.get(at, (ANY, False))
        both = _STATES[int(before) & int(states)]
        if not both:
            why = f"the cell would have to be {words(before)}, and {words(states)}"
            self.fail(at, why)
        self.needs[at] = both, never_end or not_end

    def check(self) -> None:
        """Find the needs of all cells; refuse what no position can have.

        A page without letters has needs already: those of a drawing that grew.
        """
        for at, letter in self.letters.items():
            states = LEGEND[letter][0]
            if states is not None:
                self.need(at, states, letter in NOT_END)
            if letter in FORBID and at not in SIDES:
                self.fail(at, "a forbidden cell does not touch the live end")
        for area in self.areas:
            self._check_area(area)
        for run in self.runs:
            if run.first == run.then:
                self.fail(run.first, "a run names one cell twice")
            for at in (run.first, run.then):
                self.need(at, CellState.VISITED)
        self._check_facts()
        lines = {at for area in self.areas for at in area.cells}
        ends = lines | {at for area in self.areas for at in (area.base, area.wall)}
        ends |= {at for run in self.runs for at in (run.first, run.then)}
        for at, letter in self.letters.items():
            if letter in MARKS and at not in lines:
                self.fail(at, "a marked cell belongs to no [[area]]")
            if letter in ARROWS and at not in ends:
                why = "the arrow belongs to no area: it is no wall, base or run"
                self.fail(at, why)

    def _check_area(self, area: AreaSpec) -> None:
        cells, base, wall = area.cells, area.base, area.wall
        if not cells or len(set(cells)) != len(cells):
            self.place.fail("cells must be a line of one cell or more, each named once")
        for at in cells:
            if self.letters and self.letters.get(at, "?") not in MARKS:
                self.fail(at, "the area's cell is not marked s, m, e or +")
            self.need(at, CellState.FREE)
        for a, b in pairwise(cells):
            if step(a, b) not in SIDES:
                why = f"the area's cell does not touch the one before, {written(a)}"
                self.fail(b, why)
        before = cells[-2] if len(cells) > 1 else base
        for key, at, here, inner in (
            ("base", base, cells[0], cells[1:2]),
            ("wall", wall, cells[-1], (before,)),
        ):
            if step(here, at) not in AROUND:
                why = f"the {key} does not touch the line's end {written(here)}"
                self.fail(at, why)
            if at in inner:
                self.fail(at, f"the {key} is a cell of the line")
            if key == "wall" or at != LIVE_END:
                self.need(at, TAKEN)
        if base == wall:
            self.fail(base, "the line ends where it comes from")
        if step(wall, base) == step(cells[0], cells[-1]):  # two diagonals of a square
            self.fail(base, "the line crosses itself")
        for at in {*area.inside} & {*area.outside}:
            self.fail(at, "the cell lies on both sides of the area's line")

    def _check_facts(self) -> None:
        """Check the facts: a forced line leaves each of its ends by one edge."""
        if self.facts and self.place.rule in LINE_RULES:
            why = f"{self.facts[0][0]} has no meaning in an inference of future lines"
            self.place.fail(why)
        edges, ends = (
            [at for fact, *pair in self.facts if fact == word for at in pair]
            for word in ("joined", "mates")
        )
        for number, (word, one, other) in enumerate(self.facts):
            kind = FACTS[word]
            if one == other:
                self.fail(one, f"{word} names one cell twice")
            if kind.step and one != LIVE_END:
                self.fail(one, f"{word} is said of steps from the live end")
            if not kind.step and LIVE_END in (one, other):
                self.fail(LIVE_END, f"{word} names the live end: its cells are free")
            if kind.edge and step(one, other) not in SIDES:
                why = f"{word} cells must touch: {written(one)} and {written(other)}"
                self.fail(one, why)
            if (word, one, other) in self.facts[:number]:
                self.fail(one, f"{word} holds the pair {written(one)} twice")
            for at in {one, other} - {LIVE_END}:
                self.need(at, CellState.FREE)
                if edges.count(at) > 2:
                    self.fail(at, f"the cell {written(at)} is in three pairs of joined")
        for at in ends:
            if ends.count(at) > 1:
                self.fail(at, f"the cell {written(at)} is in two pairs of mates")
            if edges.count(at) != 1:
                why = "one pair of joined says by which edge its line leaves it"
                why = f"the cell {written(at)} of mates: {why}, not {edges.count(at)}"
                self.fail(at, why)

    def marks(self, one_line: bool) -> tuple[Mark, ...]:
        """Return the ends of future lines; with `one_line` they are of one section."""
        cells = self.marked("FfG")
        if one_line and len(cells) < 2:
            self.place.fail("one_line needs two ends of a future line, F, f or G")
        ends = [LineEnd.FAR if self.letters[x] == "G" else LineEnd.NEAR for x in cells]
        return tuple(
            Mark(at, end, one_line and number > 0)
            for number, (at, end) in enumerate(zip(cells, ends, strict=True))
        )

    def merged(
        self, overlays: Iterable["Page"], taken: Spot | None
    ) -> tuple[CellNeed, ...]:
        """Return the needs of the page with others laid over it, sorted."""
        both = Page(self.place, self.letters, needs=dict(self.needs))
        for overlay in overlays:
            both.letters, both.place = overlay.letters, overlay.place
            for at, (states, not_end) in overlay.needs.items():
                both.need(at, states, not_end)
        if taken is not None:
            both.need(taken, TAKEN)
        return tuple(
            CellNeed(at, *both.needs[at])
            for at in sorted(both.needs, key=left_ahead)
            if both.needs[at] != (ANY, False)
        )

    def drawings(
        self, table: FormTable, overlays: Sequence["Page"]
    ) -> Iterator[Drawing]:
        """Yield the drawings: one for each alternative, and for each ``y``."""
        for page in (self, *overlays):
            page.check()
        choices = [[overlay] for overlay in overlays] or [[]]
        seconds: list[Spot | None] = [*self.marked("y")] or [None]
        for (number, laid), second in product(enumerate(choices, 1), seconds):
            pages = (self, *laid)
            areas = tuple(area for page in pages for area in page.areas)
            if len(areas) > MOST_COUNTED and any(FACTS[x].step for x, *_ in self.facts):
                why = f"dead counts {MOST_COUNTED} areas at most, not {len(areas)}"
                self.place.fail(why)
            label = [f"either {number}"] if laid else []
            if second is not None:
                label.append("y at row {}, column {}".format(*self.row_col(second)))
            yield Drawing(
                text="\n\n".join(page.text for page in pages),
                needs=self.merged(laid, second),
                areas=areas,
                runs=tuple(run for page in pages for run in page.runs),
                forbidden=tuple(self.marked(FORBID)),
                frame=Frame(table.frame),
                mirror=table.mirror is not False,
                heading=LETTERS.index(table.heading or "U"),
                variant=" ".join(label),
                marks=self.marks(table.one_line),
                facts=self.facts,
            )


def words(states: CellState) -> str:
    """Return a set of states in words.

    >>> words(TAKEN)
    'visited or outside'
    """
    return " or ".join((s.name or "").lower() for s in CellState if s in states)


def read_page(table: PageTable, place: Place, *, family: bool = False) -> Page:
    """Return the page of a table; what the drawing says of areas is found in it.

    In a `family` the cases have the bounds of the first area.
    """
    page = Page(place, _letters(table.drawing, place))
    areas = []
    for number, area in enumerate(table.area):
        at = place.at("area", number)
        if area.cells is None and len(table.area) > 1:
            at.fail("with several areas each must list its cells")
        has_bounds = (area.low, area.high) != (None, None)
        if has_bounds != (area.kind.bounded and not (family and number == 0)):
            at.fail(
                "low and high go with the kinds within and beyond, and these need one"
            )
        areas.append(_area(page, area, at))
    page.areas = tuple(areas)
    page.runs = tuple(VisitOrder(spot(*a), spot(*b)) for a, b in table.runs)
    if isinstance(table, FormTable):
        page.facts = tuple(
            (word, *_in_order(word, [spot(*at) for at in pair]))
            for word in ASKED
            for pair in getattr(table, word)
        )
    return page


def _in_order(word: str, pair: Sequence[Spot]) -> tuple[Spot, Spot]:
    one, other = sorted(pair, key=left_ahead)
    first = FACTS[word].step and other == LIVE_END
    return (other, one) if first else (one, other)


def _letters(drawing: str, place: Place) -> dict[Spot, str]:
    """Return the letters by cell."""
    lines = [line.split() for line in drawing.strip().splitlines()]
    if not lines:
        place.fail("key 'drawing' is missing")
    if len(lines) > SIZE or len(lines[0]) > SIZE:
        place.fail(f"a drawing has at most {SIZE} rows and columns")
    live: list[Spot] = []
    for row, line in enumerate(lines):
        if len(line) != len(lines[0]):
            why = f"the row has {len(line)} cells, the first row {len(lines[0])}"
            place.fail(why, row + 1, min(len(line), len(lines[0])) + 1)
        for col, letter in enumerate(line):
            if letter not in LEGEND:
                why = f"unknown cell {letter[:40]!r}; known, one space apart: "
                place.fail(why + " ".join(LEGEND), row + 1, col + 1)
            live += [(row, col)] if letter == "@" else []
            if len(live) > 1:
                place.fail("a second live end", row + 1, col + 1)
    if not live:
        place.fail("the drawing has no live end '@'")
    return {
        step(live[0], (row, col)): letter
        for row, line in enumerate(lines)
        for col, letter in enumerate(line)
    }


def _area(page: Page, table: AreaTable, place: Place) -> AreaSpec:
    """Return an area: what its table leaves out is found in the drawing."""
    cells = _chain(page) if table.cells is None else [spot(*at) for at in table.cells]
    if not cells:
        place.fail("cells must be a line of one cell or more, each named once")
    base = spot(*table.base) if table.base else _beyond("base", cells[::-1], place)
    line = [base, *cells] if len(cells) == 1 else cells
    wall = spot(*table.wall) if table.wall else _beyond("wall", line, place)
    low = -LIMIT if table.low is None else table.low
    high = LIMIT if table.high is None else table.high
    if table.kind is Kind.WITHIN and low > high:
        place.fail(f"low {low} is above high {high}")
    drawn = [at for at in cells if page.letters.get(at) == "+"]
    entries = [spot(*table.entry)] if table.entry else drawn
    if len(entries) > 1 or not set(entries) <= set(cells):
        place.fail("an area has one entry, a cell of its line")
    return AreaSpec(
        cells=tuple(cells),
        side=table.side,
        base=base,
        wall=wall,
        kind=table.kind,
        low=low,
        high=high,
        entry=entries[0] if entries else cells[0],
        least=len(cells) if table.least is None else table.least,
    )


def _beyond(key: str, line: list[Spot], place: Place) -> Spot:
    """Return the cell beyond the last of a line: straight on, or the live end."""
    here = line[-1]
    if key == "base" and here in AROUND:
        return LIVE_END
    if len(line) == 1:
        place.fail("a line of one cell that is far from the live end needs a base")
    on = step(line[-2], here)
    if on not in SIDES:
        place.fail(f"a line that comes around a corner needs its {key} given")
    return here[0] + on[0], here[1] + on[1]


def _chain(page: Page) -> list[Spot]:
    """Return the marked cells from s to e when each leads to one next."""
    marks, begins = page.marked(MARKS), page.marked("sS")
    if len(begins) != 1:
        page.place.fail("the drawing must have one s or S, or the area list its cells")
    chain = [begins[0]]
    while len(chain) < len(marks):
        nexts = [at for at in marks if step(chain[-1], at) in SIDES and at not in chain]
        if len(nexts) != 1:
            page.fail(chain[-1], "the line does not go on one way: list the cells")
        chain.append(nexts[0])
    if len(chain) > 1 and page.letters[chain[-1]] not in "eE":
        page.fail(chain[-1], "the line does not end at e or E")
    return chain
