"""Families: one drawing whose border grows, with a table of bounds.

A family is drawn for its smallest distance. Each entry of ``grow`` names a row or a
column of the drawing, by its offset ``ahead`` or ``left`` of the live end, and a step
``by``. To grow the drawing k times, that row or column and everything farther out is
moved k steps, and the area's marked cells of the row or column fill the gap: copies of
them stand at 0, 1, ... k - 1 steps. So ``by = [0, 1]`` makes a border longer and
``by = [1, 1]`` adds steps to a stair. Two entries make a family of two distances.

Each entry of ``cases`` names forbidden moves and the bounds of the first area's
surplus for them, one number a distance; ``low`` and ``high`` are lists, or lists of
lists for two distances. A distance beyond the table's end is no member. Where that area
is closed and no more, there are no bounds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from heuristic.rules.drawing import (
    LIMIT,
    MOVES,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Spot,
    VisitOrder,
    spot,
)
from heuristic.rules.letters import page_text
from heuristic.rules.page import Page
from heuristic.rules.schema import LONGEST, CaseTable, FormTable, GrowTable, Place
from solver.symmetry import Symmetry


@dataclass(frozen=True, slots=True)
class Growth:
    """Which rows or columns of a drawing move, and how.

    - `axis`: 0: a row, 1: a column.
    - `at`: the row above the live end, or the column to its left, that moves with all
      that lies farther out; from -1 down.
    - `by`, (row, col): one step; marked cells of the row or column fill the gap.
    """

    axis: int
    at: int
    by: Spot

    def moved(self, cell: Spot, times: int) -> Spot:
        """Return where a cell lies after a number of steps."""
        if cell[self.axis] > self.at:
            return cell
        return cell[0] + times * self.by[0], cell[1] + times * self.by[1]

    def _copies(self, cell: Spot, times: int) -> list[Spot]:
        """Return where copies of a marked cell of the row or column stand."""
        return [
            (cell[0] + k * self.by[0], cell[1] + k * self.by[1]) for k in range(times)
        ]

    def line(self, cells: Sequence[Spot], times: int) -> list[Spot]:
        """Return the marked cells of an area, in order, after a number of steps."""
        inner = [cell for cell in cells if cell[self.axis] > self.at]
        fill = [self._copies(c, times) for c in cells if c[self.axis] == self.at]
        outer = [self.moved(c, times) for c in cells if c[self.axis] <= self.at]
        copies = [of[k] for k in range(times) for of in fill]
        if cells and cells[0][self.axis] < cells[-1][self.axis]:
            return [*outer, *copies[::-1], *inner]
        return [*inner, *copies, *outer]

    def drawing(self, drawing: Drawing, times: int, place: Place) -> Drawing:
        """Return a drawing that grew.

        Raises `RuleError` at the place if no position can have it.
        """

        def land(at: Spot) -> Spot:
            return self.moved(at, times)

        page = Page(
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
            needs=page.merged((), None),
            areas=page.areas,
            runs=page.runs,
            facts=page.facts,
            marks=tuple(replace(mark, at=land(mark.at)) for mark in drawing.marks),
        )

    def _area(self, area: AreaSpec, times: int) -> AreaSpec:
        cells = tuple(self.line(area.cells, times))
        first = area.entry == area.cells[0]
        grows = area.least == len(area.cells)
        return replace(
            area,
            cells=cells,
            base=self.moved(area.base, times),
            wall=self.moved(area.wall, times),
            entry=cells[0] if first else self.moved(area.entry, times),
            least=len(cells) if grows else area.least,
        )


def family_drawings(
    table: FormTable,
    drawings: Sequence[Drawing],
    turns: Sequence[tuple[Symmetry, ...]],
    place: Place,
) -> Iterator[Drawing]:
    """Yield the drawings of all members of a family, case by case.

    `drawings` are those of the smallest member, `turns` those of each case.
    """
    for key in ("grow", "cases", "area"):
        if not getattr(table, key):
            place.fail(f"key {key!r} is missing in a family")
    growths = [_growth(one, place.at("grow", k)) for k, one in enumerate(table.grow)]
    grown: dict[tuple[int, ...], Sequence[Drawing]] = {}
    for number, case in enumerate(table.cases):
        at = place.at("cases", number)
        moves = {MOVES[word] for word in case.forbid}
        for steps, distances, low, high in _members(table, case, at):
            if steps not in grown:
                grown[steps] = drawings
                for growth, times in zip(growths, steps, strict=True):
                    grown[steps] = [growth.drawing(x, times, at) for x in grown[steps]]
            variant = ", ".join(filter(None, [table.variant.strip(), distances]))
            for drawing in grown[steps]:
                first, *others = drawing.areas
                if not all(CellState.FREE in drawing.need(x).states for x in moves):
                    at.fail("a cell that is not free where a case forbids a move")
                member = replace(
                    drawing,
                    areas=(replace(first, low=low, high=high), *others),
                    forbidden=tuple(sorted({*drawing.forbidden, *moves})),
                    turns=turns[number],
                    variant=f"{variant} {drawing.variant}".strip(),
                )
                if not member.forbidden:
                    at.fail("the case forbids no move")
                yield replace(member, text=page_text(member))


def _growth(table: GrowTable, place: Place) -> Growth:
    if (table.left is None) == (table.ahead is None):
        place.fail("an entry of grow names left or ahead, one of them")
    if table.every * table.count > LONGEST:
        place.fail(f"an entry of grow grows {LONGEST} steps at most")
    at = table.left or table.ahead or 1
    return Growth(int(table.left is not None), -at, spot(*table.by))


def _members(
    form: FormTable, case: CaseTable, place: Place
) -> Iterator[tuple[tuple[int, ...], str, int, int]]:
    """Yield for each member of a case its steps, its distances in words, its bounds.

    Where nothing is counted a case has all members, and no bounds.
    """
    kind = form.area[0].kind
    counted = kind is not Kind.CLOSED
    for key in ("low", "high"):
        given = getattr(case, key) is not None
        if counted and not given:
            place.fail(f"{key} of a case must be a list for every distance")
        if given and not counted:
            place.fail(f"{key} has no meaning where the area is closed")
    if counted and not kind.bounded:
        place.fail("low and high go with the kinds within and beyond")
    for numbers in product(*(range(grow.count) for grow in form.grow)):
        low: int | None = -LIMIT
        high: int | None = LIMIT
        if counted:
            low, high = (_bound(x, numbers, place) for x in (case.low, case.high))
        if low is None or high is None:
            continue
        if kind is Kind.WITHIN and low > high:
            place.fail(f"low {low} is above high {high}")
        pairs = list(zip(form.grow, numbers, strict=True))
        steps = tuple(number * grow.every for grow, number in pairs)
        distances = [
            f"{grow.name} {grow.first + k}"
            for grow, k in zip(form.grow, steps, strict=True)
        ]
        yield steps, ", ".join(distances), low, high


def _bound(table: Any, numbers: Sequence[int], place: Place) -> int | None:
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
