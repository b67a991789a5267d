"""Lines that grow: the same drawing with a longer line, straight on or by stairs.

A drawing found for one gap has a line of so many cells. Move a row or a column of it,
with all that lies farther out, and fill the gap with marked cells: that is how a table
of `grow` in a rule file says it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from heuristic.rules.drawing import LIVE_END, AreaSpec, Offset, Turn
from verify.discovery.closing import blank
from verify.discovery.sketch import Picture, sound_ties
from verify.proof.view import LIVE, Spot, edge, rc


@dataclass(frozen=True, slots=True)
class Growth:
    """How a picture grows, as a table of `grow` in a rule file says it.

    Attributes
    ----------
    axis : int
        0: a column, counted to the left; 1: a row, counted ahead.
    at : int
        The column or row that moves, with all that lies farther out; from 1.
    by : (left, ahead)
        One step; marked cells of the column or row fill the gap.
    """

    axis: int
    at: int
    by: Offset

    def grown(self, picture: Picture, times: int) -> Picture:
        """Return the picture after so many steps."""
        cells = {
            rc(self._moved(offset(cell), times)): letter
            for cell, letter in picture.cells
        }
        areas = tuple(self._area(area, times) for area in picture.areas)
        joined, mates = (
            tuple(
                sorted(
                    edge(*(rc(self._moved(offset(x), times)) for x in pair))
                    for pair in pairs
                )
            )
            for pairs in (picture.joined, picture.mates)
        )
        return Picture(tuple(sorted(cells.items())), areas, joined, mates)

    def _moved(self, at: Offset, times: int) -> Offset:
        if at[self.axis] < self.at:
            return at
        return at[0] + times * self.by[0], at[1] + times * self.by[1]

    def _area(self, area: AreaSpec, times: int) -> AreaSpec:
        inner = [c for c in area.cells if c[self.axis] < self.at]
        row = [c for c in area.cells if c[self.axis] == self.at]
        outer = [self._moved(c, times) for c in area.cells if c[self.axis] >= self.at]
        copies = [
            (c[0] + k * self.by[0], c[1] + k * self.by[1])
            for k in range(times)
            for c in row
        ]
        order = [inner, copies, outer]
        if area.cells[0][self.axis] > area.cells[-1][self.axis]:
            order = [outer, copies[::-1], inner]
        line = tuple(c for part in order for c in part)
        return replace(
            area,
            cells=line,
            base=self._moved(area.base, times),
            wall=self._moved(area.wall, times),
            entry=line[0],
            least=len(line),
        )


def offset(cell: Spot) -> Offset:
    """Return the offset (left, ahead) of a cell of the page."""
    return -cell[1], -cell[0]


def first(picture: Picture, number: int) -> Picture:
    """Return a picture with one of its areas in front, of which nothing is counted."""
    areas = list(picture.areas)
    one = areas.pop(number)
    return replace(picture, areas=(blank(one), *areas))


def sound_lines(picture: Picture) -> bool:
    """Tell whether a picture can be drawn: lines in one piece, no cell asked twice."""
    seen: set[Offset] = set()
    for area in picture.areas:
        way = (area.base, *area.cells, area.wall)
        if len(set(way)) < len(way) or seen & set(area.cells):
            return False
        seen |= set(area.cells)
        for a, b in pairwise(way):
            if max(abs(a[0] - b[0]), abs(a[1] - b[1])) != 1:
                return False
        for a, b in pairwise(area.cells):
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
                return False
        if set(area.inside) & set(area.outside) or LIVE_END in area.cells:
            return False
    walls = {at for a in picture.areas for at in (a.base, a.wall)}
    asked = {offset(cell) for cell, _ in picture.cells}
    if not sound_ties(picture) or {rc(at) for at in walls} & picture.of_ties():
        return False
    return not seen & walls and not asked & (seen | walls) and LIVE_END not in asked


def growths(picture: Picture) -> Iterator[tuple[Picture, Growth]]:
    """Yield the ways that a picture can grow, each with the picture turned for it.

    The area in front is the one whose line grows. Of ways that come to the same line
    the one is told that leaves most where it is.
    """
    seen = set()
    for number in range(len(picture.areas)):
        front = first(picture, number)
        for turn in (Turn.NONE, Turn.HALF):
            for mirrored in (False, True):
                page = front.turned(turn, mirrored)
                for growth in _tried(page.areas[0]):
                    key = _same(Picture((), growth.grown(page, 1).areas))
                    if key not in seen and _grows(page, growth):
                        seen.add(key)
                        yield page, growth


def _tried(front: AreaSpec) -> Iterator[Growth]:
    for axis in (0, 1):
        far = max(at[axis] for at in (*front.cells, front.wall))
        for at in range(far, 0, -1):
            yield Growth(axis, at, (1, 1))
            yield Growth(axis, at, (0, 1) if axis else (1, 0))


def _grows(page: Picture, growth: Growth) -> bool:
    """Tell whether the first area's line becomes longer, and all stays a drawing."""
    one, two = growth.grown(page, 1), growth.grown(page, 2)
    length = len(page.areas[0].cells)
    return (
        length < len(one.areas[0].cells) < len(two.areas[0].cells)
        and sound_lines(one)
        and sound_lines(two)
    )


def _same(picture: Picture) -> frozenset[Picture]:
    """Return a key that pictures share which are turned or mirrored alike."""
    return frozenset(
        picture.turned(turn, mirrored) for turn in Turn for mirrored in (False, True)
    )


def extent(picture: Picture) -> int:
    """Return how many rows or columns a picture takes, its larger side."""
    cells = {LIVE, *picture.of_areas(), *picture.of_ties()}
    cells |= {cell for cell, _ in picture.cells}
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    return max(max(rows) - min(rows), max(cols) - min(cols)) + 1
