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
    MOVES,
    AreaSpec,
    Drawing,
    Kind,
    Spot,
    VisitOrder,
    spot,
)
from heuristic.rules.letters import FORBID, FORBIDDEN, MARKS, rows_of
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

    def page(self, page: Page, times: int) -> Page:
        """Return a page that grew, not checked."""

        def land(at: Spot) -> Spot:
            return self.moved(at, times)

        return Page(
            page.place,
            self._letters(page.letters, times),
            tuple(self._area(area, times) for area in page.areas),
            tuple(VisitOrder(land(run.first), land(run.then)) for run in page.runs),
            tuple((word, land(a), land(b)) for word, a, b in page.facts),
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

    def _letters(self, letters: dict[Spot, str], times: int) -> dict[Spot, str]:
        drawn = {at: letter for at, letter in letters.items() if letter != "?"}
        grown = {self.moved(at, times): letter for at, letter in drawn.items()}
        ended = any(letter in "eE" for letter in drawn.values())
        for at, letter in drawn.items():
            if letter not in MARKS or at[self.axis] != self.at or not times:
                continue
            first = "m" if letter in "eE" else letter
            copies = self._copies(at, times)
            grown |= dict.fromkeys(copies, "m") | {copies[0]: first}
            if letter in "sS":
                grown[self.moved(at, times)] = "m" if ended else "e"
        return grown


def family_drawings(
    table: FormTable,
    page: Page,
    overlays: Sequence[Page],
    turns: Sequence[tuple[Symmetry, ...]],
) -> Iterator[Drawing]:
    """Yield the drawings of all members of a family, case by case.

    `turns` are those of each case.
    """
    place = page.place
    for key in ("grow", "cases", "area"):
        if not getattr(table, key):
            place.fail(f"key {key!r} is missing in a family")
    growths = [_growth(one, place.at("grow", k)) for k, one in enumerate(table.grow)]
    list(page.drawings(table, overlays, ()))  # the page that will grow is checked too
    grown: dict[tuple[int, ...], tuple[Page, list[Drawing]]] = {}
    for number, case in enumerate(table.cases):
        at = place.at("cases", number)
        for steps, distances, low, high in _members(table, case, page.areas[0], at):
            if steps not in grown:
                larger = [page, *overlays]
                for growth, times in zip(growths, steps, strict=True):
                    larger = [growth.page(one, times) for one in larger]
                bare, *laid = larger
                grown[steps] = bare, list(bare.drawings(table, laid, ()))
            bare, drawings = grown[steps]
            letters = _forbidding(bare.letters, case, at)
            text = "\n".join(rows_of(letters))
            variant = ", ".join(filter(None, [table.variant.strip(), distances]))
            for drawing in drawings:
                first, *others = drawing.areas
                yield replace(
                    drawing,
                    text=text + drawing.text.removeprefix(bare.text),
                    areas=(replace(first, low=low, high=high), *others),
                    forbidden=tuple(sorted(x for x in letters if letters[x] in FORBID)),
                    turns=turns[number],
                    variant=f"{variant} {drawing.variant}".strip(),
                )


def _growth(table: GrowTable, place: Place) -> Growth:
    if (table.left is None) == (table.ahead is None):
        place.fail("an entry of grow names left or ahead, one of them")
    if table.every * table.count > LONGEST:
        place.fail(f"an entry of grow grows {LONGEST} steps at most")
    at = table.left or table.ahead or 1
    return Growth(int(table.left is not None), -at, spot(*table.by))


def _members(
    form: FormTable, case: CaseTable, area: AreaSpec, place: Place
) -> Iterator[tuple[tuple[int, ...], str, int, int]]:
    """Yield for each member of a case its steps, its distances in words, its bounds.

    Where nothing is counted a case has all members, and no bounds.
    """
    counted = area.kind is not Kind.CLOSED
    for key in ("low", "high"):
        given = getattr(case, key) is not None
        if counted and not given:
            place.fail(f"{key} of a case must be a list for every distance")
        if given and not counted:
            place.fail(f"{key} has no meaning where the area is closed")
    if counted and not area.kind.bounded:
        place.fail("low and high go with the kinds within and beyond")
    for numbers in product(*(range(grow.count) for grow in form.grow)):
        low, high = area.low, area.high
        if counted:
            bounds = [_bound(table, numbers, place) for table in (case.low, case.high)]
            if None in bounds:
                continue
            low, high = (bound or 0 for bound in bounds)
        if area.kind is Kind.WITHIN and low > high:
            place.fail(f"low {low} is above high {high}")
        pairs = list(zip(form.grow, numbers, strict=True))
        steps = tuple(number * grow.every for grow, number in pairs)
        distances = [
            f"{x.name} {x.first + k}" for (x, _), k in zip(pairs, steps, strict=True)
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


def _forbidding(
    letters: dict[Spot, str], case: CaseTable, place: Place
) -> dict[Spot, str]:
    """Return the letters of a page with the moves of a case forbidden."""
    letters = dict(letters)
    for at in map(MOVES.__getitem__, case.forbid):
        letter = letters.get(at, "?")
        if letter not in FORBIDDEN:
            place.fail(f"the drawing has {letter!r} where a case forbids a move")
        letters[at] = FORBIDDEN[letter]
    if not any(letter in FORBID for letter in letters.values()):
        place.fail("the case forbids no move")
    return letters
