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
from typing import NamedTuple

from heuristic.rules.drawing import LIMIT, AreaSpec, Kind, Spot, VisitOrder, spot
from heuristic.rules.letters import MARKS, rows_of
from heuristic.rules.page import Page
from heuristic.rules.schema import LONGEST, CaseTable, FormTable, GrowTable, Place


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
        """Return where a cell lies after so many steps."""
        if cell[self.axis] > self.at:
            return cell
        return cell[0] + times * self.by[0], cell[1] + times * self.by[1]

    def copies(self, cell: Spot, times: int) -> list[Spot]:
        """Return where copies of a marked cell stand, the cell itself left out."""
        if cell[self.axis] != self.at:
            return []
        return [
            (cell[0] + k * self.by[0], cell[1] + k * self.by[1]) for k in range(times)
        ]

    def line(self, cells: Sequence[Spot], times: int) -> list[Spot]:
        """Return the marked cells of an area, in order, after so many steps."""
        inner = [cell for cell in cells if cell[self.axis] > self.at]
        fill = [self.copies(c, times) for c in cells if c[self.axis] == self.at]
        outer = [self.moved(c, times) for c in cells if c[self.axis] <= self.at]
        copies = [of[k] for k in range(times) for of in fill]
        if cells and cells[0][self.axis] < cells[-1][self.axis]:
            return [*outer, *copies[::-1], *inner]
        return [*inner, *copies, *outer]

    def page(self, page: Page, times: int) -> Page:
        """Return a page that grew, not checked."""
        letters = self._letters(page.letters, times)
        return Page(
            page.place,
            "\n".join(rows_of(letters)),
            letters,
            tuple(self._area(area, times) for area in page.areas),
            tuple(
                VisitOrder(self.moved(run.first, times), self.moved(run.then, times))
                for run in page.runs
            ),
            tuple(
                (word, self.moved(a, times), self.moved(b, times))
                for word, a, b in page.facts
            ),
        )

    def _area(self, area: AreaSpec, times: int) -> AreaSpec:
        cells = tuple(self.line(area.cells, times))
        base, wall = self.moved(area.base, times), self.moved(area.wall, times)
        first = area.entry == area.cells[0]
        entry = cells[0] if first else self.moved(area.entry, times)
        least = max(area.least, len(cells)) if area.least == len(area.cells) else None
        return replace(
            area,
            cells=cells,
            base=base,
            wall=wall,
            entry=entry,
            least=area.least if least is None else least,
        )

    def _letters(self, letters: dict[Spot, str], times: int) -> dict[Spot, str]:
        drawn = {at: letter for at, letter in letters.items() if letter != "?"}
        grown = {self.moved(at, times): letter for at, letter in drawn.items()}
        ended = any(letter in "eE" for letter in drawn.values())
        for at, letter in drawn.items():
            if letter not in MARKS:
                continue
            last = letter in "eE"
            for k, copy in enumerate(self.copies(at, times)):
                grown[copy] = letter if k == 0 and not last else "m"
            if times and letter in "sS" and at[self.axis] == self.at:
                grown[self.moved(at, times)] = "m" if ended else "e"
        return grown


def growth_of(table: GrowTable, place: Place) -> Growth:
    """Return the growth of an entry of `grow`."""
    if (table.left is None) == (table.ahead is None):
        place.fail("an entry of grow names left or ahead, one of them")
    if table.every * table.count > LONGEST:
        place.fail(f"an entry of grow grows {LONGEST} steps at most")
    at = table.left or table.ahead or 1
    return Growth(int(table.left is not None), -at, spot(*table.by))


class Member(NamedTuple):
    """A member of a family: its distances, their label, and the bounds of a case."""

    steps: tuple[int, ...]
    label: str
    low: int
    high: int


def members(
    form: FormTable, case: CaseTable, kind: Kind, place: Place
) -> Iterator[Member]:
    """Yield the members for which a case has bounds; all, where nothing is counted."""
    counted = kind is not Kind.CLOSED
    for key in ("low", "high"):
        given = getattr(case, key)
        if counted and given is None:
            place.fail(f"{key} of a case must be a list for every distance")
        if not counted and given is not None:
            place.fail(f"{key} has no meaning where the area is closed")
    if counted and not kind.bounded:
        place.fail("low and high go with the kinds within and beyond")
    for numbers in product(*(range(grow.count) for grow in form.grow)):
        low, high = (
            (_bound(case, key, numbers, place) if counted else 0)
            for key in ("low", "high")
        )
        if low is None or high is None:
            continue
        if max(abs(low), abs(high)) > LIMIT:
            place.fail(f"low {low} or high {high} is beyond any board")
        if kind is Kind.WITHIN and low > high:
            place.fail(f"low {low} is above high {high}")
        pairs = list(zip(form.grow, numbers, strict=True))
        steps = tuple(number * grow.every for grow, number in pairs)
        label = ", ".join(
            f"{grow.name} {grow.first + number * grow.every}" for grow, number in pairs
        )
        yield Member(steps, label, low, high)


def _bound(
    case: CaseTable, key: str, numbers: tuple[int, ...], place: Place
) -> int | None:
    """Return the number of a table for a member; None beyond the table's end."""
    entry: object = getattr(case, key)
    for number in numbers:
        if not isinstance(entry, list):
            place.fail(f"{key} of a case must be a list for every distance")
        if number >= len(entry):
            return None
        entry = entry[number]
    if not isinstance(entry, int):
        place.fail(f"{key} of a case holds {entry!r}, expected a whole number")
    return entry
