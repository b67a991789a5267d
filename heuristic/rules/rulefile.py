"""Rule files: TOML with drawings; docs/reference/rules.md explains the language.

Every fault raises `RuleError` with the file, the rule and its line. A fault of a cell
has its row and column in the drawing too. All count from 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NoReturn

from msgspec import UNSET, UnsetType

from heuristic.rule import BOARD_WORDS, Boards
from heuristic.rules.drawing import (
    ANY,
    AROUND,
    FACTS,
    LIMIT,
    LINE_RULES,
    LIVE_END,
    MOST_COUNTED,
    MOVES,
    TAKEN,
    TESTED,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Fact,
    Frame,
    Kind,
    LineEnd,
    Mark,
    RuleSpec,
    Spot,
    VisitOrder,
    box_around,
    spot,
    step,
    written,
)
from heuristic.rules.letters import (
    ARROWS,
    FORBID,
    LEGEND,
    MARKS,
    NOT_END,
    TURNS,
    page_text,
    rows_of,
)
from heuristic.rules.obstacles import SEARCHES
from heuristic.rules.schema import (
    LONGEST,
    SIZE,
    AreaTable,
    CaseTable,
    FormTable,
    GrowTable,
    Location,
    PageTable,
    RuleTable,
    read_tables,
)
from solver.board import Symmetry
from solver.errors import OptionError, RuleError
from solver.files import read_regular

MOST_BYTES = 1 << 24  # of a rule file; those of the book have a hundred thousand
SIDES = AROUND[::2]
_STATES = tuple(map(CellState, range(ANY + 1)))  # a flag of Python is slow to make


def load_file(path: Path | str) -> tuple[RuleSpec, ...]:
    """Return the rules of a file, in order.

    Raises `RuleError` if it cannot be read, or is not a rule file.
    """
    path = Path(path)
    try:
        text = read_regular(path, MOST_BYTES).decode()
    except (OptionError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, OptionError) else "is not UTF-8 text"
        raise RuleError(path.name, None, f"cannot read the file: {reason}") from None
    return parse_rules(text, path.name)


def parse_rules(text: str, file: str = "<text>") -> tuple[RuleSpec, ...]:
    """Return the rules of a text; `file` is the name that errors show.

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
    ((-1, 0), (0, 1))
    """
    rules: dict[str, RuleSpec] = {}
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()
    for table, place in read_tables(text, file):
        if table.name in rules:
            place.fail("two rules have this name")
        if table.name in table.unless:
            place.fail("the rule is named in its own unless")
        rules[table.name] = _rule(table, place)
        object.__setattr__(rules[table.name], "source", digest)
    return tuple(rules.values())


def _rule(table: RuleTable, place: Location) -> RuleSpec:
    if (table.kind == "inference") != (table.name in LINE_RULES):
        names = ", ".join(LINE_RULES)
        place.fail(f"the kind inference goes with these names and no other: {names}")
    drawings = tuple(_drawings(table, place))
    boards = table.boards
    if boards is Boards.UPPER_LEFT:
        words = ", ".join(BOARD_WORDS)
        place.fail(f"boards is 'upper-left', expected one of {words}")
    if boards is Boards.CORNERS and any(d.frame is Frame.BOARD for d in drawings):
        boards = Boards.UPPER_LEFT  # such a drawing knows up from down
    rule = RuleSpec(
        name=table.name,
        claim=table.claim,
        origin=(table.origin or place.file).strip(),
        reason=table.reason.strip(),
        drawings=drawings,
        stops=table.stops,
        unless=tuple(table.unless),
        note=table.note.strip(),
        file=place.file,
        line=place.line or 1,
        kind=table.kind,
        boards=boards,
    )
    if rule.reads_lines and (rule.stops or rule.unless):
        place.fail("a rule that reads future lines has no stops and no unless")
    return rule


def _drawings(table: RuleTable, place: Location) -> Iterator[Drawing]:
    if table.found_by is not None:
        if table.form is not None or table.drawing:
            place.fail("a rule has drawings or found_by, one of them")
        if table.found_by not in SEARCHES:
            place.fail(f"found_by is none of {', '.join(SEARCHES)}")
        yield from SEARCHES[table.found_by]()
    elif table.form is not None:
        for key in FormTable.__struct_fields__:
            if getattr(table, key) != getattr(FormTable(), key):
                place.fail(f"{key!r} belongs to a form")
        for number, form in enumerate(table.form):
            yield from _form(form, place.at("form", number))
    elif table.drawing or table.kind == "ban":
        yield from _form(table, place)


def _form(table: FormTable, place: Location) -> Iterator[Drawing]:
    """Yield the drawings of a form, or of every member of a family."""
    family = bool(table.grow or table.cases)
    page = _read_page(table, place, family=family)
    overlays = []
    for number, part in enumerate(table.either or ()):
        overlay = _read_page(part, place.at("either", number))
        for at in overlay.marked(FORBID + "FG"):
            overlay.fail(at, "an alternative cannot forbid more moves, or hold F or G")
        overlays.append(overlay)
    if not (family or page.marked(FORBID) or place.rule in LINE_RULES):
        place.fail("the drawing forbids no move: mark one x, X, S, M, E or f")
    turned = _turns(table, table.turns, place)
    drawings = [*page.drawings(table, overlays)]
    if family:
        yield from _members(table, drawings, place)
        return
    for drawing in drawings:
        variant = f"{table.variant.strip()} {drawing.variant}".strip()
        yield replace(drawing, turns=turned, variant=variant)


def _turns(
    table: FormTable, turns: Sequence[str] | UnsetType, place: Location
) -> tuple[Symmetry, ...]:
    upright = table.frame == Frame.BOARD.value
    for key in ("turns", "mirror") if upright else ("heading", "symmetries"):
        if getattr(table, key) is not UNSET:
            place.fail(f"{key} has no meaning in the {table.frame} frame")
    if upright:
        return tuple(Symmetry[name] for name in table.symmetries or ["IDENTITY"])
    return tuple(TURNS[name] for name in turns or ["0"])


# Pages --------------------------------------------------------------------------


@dataclass(slots=True)
class _Page:
    """The letters of a drawing, and what its cells must be."""

    place: Location
    letters: dict[Spot, str]
    areas: tuple[AreaSpec, ...] = ()
    runs: tuple[VisitOrder, ...] = ()
    facts: tuple[Fact, ...] = ()
    # the states of each cell, and whether it is not the end; `check` sets them
    needs: dict[Spot, tuple[CellState, bool]] = field(default_factory=dict)

    def marked(self, among: str) -> list[Spot]:
        """Return the cells drawn with one of these letters, row by row."""
        return sorted(at for at, letter in self.letters.items() if letter in among)

    def fail(self, at: Spot, why: str) -> NoReturn:
        """Raise an error about a cell, with its row and column if it is drawn."""
        if at not in self.letters:
            self.place.fail(f"cell {written(at)}: {why}")
        top, left, _, _ = box_around(self.letters)
        self.place.fail(why, at[0] - top + 1, at[1] - left + 1)

    def need(self, at: Spot, states: CellState, not_end: bool = False) -> None:
        """Demand states of a cell, next to what is demanded already."""
        if at == LIVE_END:
            self.fail(at, "a live end cannot be a cell of a line, a run or an area")
        before, never_end = self.needs.get(at, (ANY, False))
        both = _STATES[int(before) & int(states)]
        if not both:
            why = f"would have to be {state_words(before)}, and {state_words(states)}"
            self.fail(at, f"the cell {why}")
        self.needs[at] = both, never_end or not_end

    def check(self) -> None:
        """Set the needs of all cells; refuse what no position can have."""
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
        """Refuse a line that touches or crosses itself; demand its cells."""
        cells, base, wall = area.cells, area.base, area.wall
        if len(set(cells)) != len(cells):
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
        for number, (word, first, second) in enumerate(self.facts):
            kind = FACTS[word]
            if first == second:
                self.fail(first, f"{word} names one cell twice")
            if kind.step and first != LIVE_END:
                self.fail(first, f"{word} is said of steps from the live end")
            if not kind.step and LIVE_END in (first, second):
                self.fail(LIVE_END, f"{word} names the live end: its cells are free")
            if kind.edge and step(first, second) not in SIDES:
                cells = f"{written(first)} and {written(second)}"
                self.fail(first, f"{word} cells must touch: {cells}")
            if (word, first, second) in self.facts[:number]:
                self.fail(first, f"{word} holds the pair {written(first)} twice")
            for at in {first, second} - {LIVE_END}:
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

    def future_marks(self, one_line: bool) -> tuple[Mark, ...]:
        """Return the ends of future lines; with `one_line` they are of one section."""
        cells = self.marked("FfG")
        if one_line and len(cells) < 2:
            self.place.fail("one_line needs two ends of a future line, F, f or G")
        ends = [LineEnd.FAR if self.letters[x] == "G" else LineEnd.NEAR for x in cells]
        same = [one_line and at != cells[0] for at in cells]
        return tuple(map(Mark, cells, ends, same))

    def merged(self, overlays: Iterable["_Page"] = ()) -> tuple[CellNeed, ...]:
        """Return the needs of the page with others laid over it, sorted."""
        both = _Page(self.place, self.letters, needs=dict(self.needs))
        for overlay in overlays:
            both.letters, both.place = overlay.letters, overlay.place
            for at, (states, not_end) in overlay.needs.items():
                both.need(at, states, not_end)
        return tuple(
            CellNeed(at, *both.needs[at])
            for at in sorted(both.needs, key=written)
            if both.needs[at] != (ANY, False)
        )

    def drawings(
        self, table: FormTable, overlays: Sequence["_Page"]
    ) -> Iterator[Drawing]:
        """Yield the drawings: one for each alternative, or one alone."""
        for page in (self, *overlays):
            page.check()
        for number, laid in enumerate([[x] for x in overlays] or [[]], 1):
            pages = (self, *laid)
            areas = tuple(area for page in pages for area in page.areas)
            if len(areas) > MOST_COUNTED and any(FACTS[x].step for x, *_ in self.facts):
                why = f"dead counts {MOST_COUNTED} areas at most, not {len(areas)}"
                self.place.fail(why)
            yield Drawing(
                text="\n\n".join("\n".join(rows_of(page.letters)) for page in pages),
                needs=self.merged(laid),
                areas=areas,
                runs=tuple(run for page in pages for run in page.runs),
                forbidden=tuple(self.marked(FORBID)),
                frame=Frame(table.frame),
                mirror=table.mirror is not False,
                heading="URDL".index(table.heading or "U"),
                variant=f"either {number}" if laid else "",
                marks=self.future_marks(table.one_line),
                facts=self.facts,
            )


def state_words(states: CellState) -> str:
    """Return a set of states in words.

    >>> state_words(TAKEN)
    'visited or outside'
    """
    return " or ".join((s.name or "").lower() for s in CellState if s in states)


def _read_page(table: PageTable, place: Location, *, family: bool = False) -> _Page:
    """Return the page of a table; what the tables of areas leave out is drawn.

    In a `family` the cases have the bounds of the first area.
    """
    page = _Page(place, _read_letters(table.drawing, place))
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
        areas.append(_read_area(page, area, at))
    page.areas = tuple(areas)
    page.runs = tuple(VisitOrder(spot(*a), spot(*b)) for a, b in table.runs)
    if isinstance(table, FormTable):
        for word in TESTED:
            for pair in getattr(table, word):
                first, second = sorted((spot(*at) for at in pair), key=written)
                if FACTS[word].step and second == LIVE_END:
                    first, second = second, first
                page.facts = (*page.facts, (word, first, second))
    return page


def _read_letters(drawing: str, place: Location) -> dict[Spot, str]:
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


def _read_area(page: _Page, table: AreaTable, place: Location) -> AreaSpec:
    """Return an area; the drawing has what its table leaves out."""
    cells = (
        _drawn_line(page) if table.cells is None else [spot(*x) for x in table.cells]
    )
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


def _beyond(key: str, line: list[Spot], place: Location) -> Spot:
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


def _drawn_line(page: _Page) -> list[Spot]:
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


# Families -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Growth:
    """The row or column of a drawing that moves with everything beyond it."""

    axis: int  # 0: a row, 1: a column
    at: int  # above the live end, or to its left, from -1 down
    by: Spot  # one step

    def moved(self, cell: Spot, times: int) -> Spot:
        """Return where a cell lies after a number of steps."""
        if cell[self.axis] > self.at:
            return cell
        return cell[0] + times * self.by[0], cell[1] + times * self.by[1]

    def line(self, cells: Sequence[Spot], times: int) -> list[Spot]:
        """Return the marked cells of an area, in order; copies fill the gap."""
        inner = [cell for cell in cells if cell[self.axis] > self.at]
        outer = [self.moved(c, times) for c in cells if c[self.axis] <= self.at]
        edge = [cell for cell in cells if cell[self.axis] == self.at]
        copies = [self.moved(cell, k) for k in range(times) for cell in edge]
        if cells[0][self.axis] < cells[-1][self.axis]:
            return [*outer, *copies[::-1], *inner]
        return [*inner, *copies, *outer]

    def drawing(self, drawing: Drawing, times: int, place: Location) -> Drawing:
        """Return a drawing that grew."""

        def land(at: Spot) -> Spot:
            return self.moved(at, times)

        page = _Page(
            place,
            {},
            tuple(self._area(area, times) for area in drawing.areas),
            tuple(VisitOrder(land(run.first), land(run.then)) for run in drawing.runs),
            tuple((word, land(a), land(b)) for word, a, b in drawing.facts),
        )
        for need in drawing.needs:
            page.need(land(need.at), need.states, need.not_end)
        page.check()
        return replace(
            drawing,
            needs=page.merged(),
            areas=page.areas,
            runs=page.runs,
            facts=page.facts,
            marks=tuple(replace(mark, at=land(mark.at)) for mark in drawing.marks),
        )

    def _area(self, area: AreaSpec, times: int) -> AreaSpec:
        cells = tuple(self.line(area.cells, times))
        base, wall, entry = (
            self.moved(at, times) for at in (area.base, area.wall, area.entry)
        )
        return replace(
            area,
            cells=cells,
            base=base,
            wall=wall,
            entry=cells[0] if area.entry == area.cells[0] else entry,
            least=len(cells) if area.least == len(area.cells) else area.least,
        )


def _members(
    table: FormTable, drawings: Sequence[Drawing], place: Location
) -> Iterator[Drawing]:
    """Yield the drawings of all members of a family, those of the smallest given."""
    for key in ("grow", "cases", "area"):
        if not getattr(table, key):
            place.fail(f"key {key!r} is missing in a family")
    growths = [_growth(grow, place.at("grow", k)) for k, grow in enumerate(table.grow)]
    grown: dict[tuple[int, ...], Sequence[Drawing]] = {}
    for number, case in enumerate(table.cases):
        at = place.at("cases", number)
        moves = {MOVES[word] for word in case.forbid}
        turns = _turns(table, case.turns or table.turns, place)
        for steps, low, high in _bounds(table, case, at):
            if steps not in grown:
                grown[steps] = drawings
                for growth, times in zip(growths, steps, strict=True):
                    grown[steps] = [growth.drawing(x, times, at) for x in grown[steps]]
            pairs = zip(table.grow, steps, strict=True)
            distances = [f"{grow.name} {grow.first + k}" for grow, k in pairs]
            variant = ", ".join(filter(None, [table.variant.strip(), *distances]))
            for drawing in grown[steps]:
                first, *others = drawing.areas
                if not all(CellState.FREE in drawing.need(x).states for x in moves):
                    at.fail("a cell that is not free where a case forbids a move")
                member = replace(
                    drawing,
                    areas=(replace(first, low=low, high=high), *others),
                    forbidden=tuple(sorted({*drawing.forbidden, *moves})),
                    turns=turns,
                    variant=f"{variant} {drawing.variant}".strip(),
                )
                if not member.forbidden:
                    at.fail("the case forbids no move")
                yield replace(member, text=page_text(member))


def _growth(table: GrowTable, place: Location) -> Growth:
    if (table.left is None) == (table.ahead is None):
        place.fail("an entry of grow names left or ahead, one of them")
    if table.every * table.count > LONGEST:
        place.fail(f"an entry of grow grows {LONGEST} steps at most")
    at = table.left or table.ahead or 1
    return Growth(int(table.left is not None), -at, spot(*table.by))


def _bounds(
    form: FormTable, case: CaseTable, place: Location
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield the steps of each member of a case, with the bounds of its area."""
    kind, given = form.area[0].kind, (case.low is not None, case.high is not None)
    if kind is Kind.CLOSED and any(given):
        place.fail("low and high have no meaning where the area is closed")
    if kind is not Kind.CLOSED and not all(given):
        place.fail("low and high of a case must be lists for every distance")
    if kind is not Kind.CLOSED and not kind.bounded:
        place.fail("low and high go with the kinds within and beyond")
    for numbers in product(*(range(grow.count) for grow in form.grow)):
        low = -LIMIT if case.low is None else _bound(case.low, numbers, place)
        high = LIMIT if case.high is None else _bound(case.high, numbers, place)
        if low is None or high is None:
            continue
        if kind is Kind.WITHIN and low > high:
            place.fail(f"low {low} is above high {high}")
        pairs = zip(form.grow, numbers, strict=True)
        yield tuple(number * grow.every for grow, number in pairs), low, high


def _bound(table: Any, numbers: Sequence[int], place: Location) -> int | None:
    """Return the number of a table for a member; None beyond the table's end."""
    for number in numbers:
        if not isinstance(table, list):
            place.fail("low and high hold lists of lists where there are two distances")
        if number >= len(table):
            return None
        table = table[number]
    if not isinstance(table, int):
        place.fail(f"a bound of a case is {table!r}, expected a whole number")
    return table
