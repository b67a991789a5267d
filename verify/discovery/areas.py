"""Areas that a gap shows: lines of free cells that cut something off from the end.

A line leads from the live end or a taken cell to another taken cell, over one free cell
or more. What lies behind it is an area if the end cell does not. The formula of such a
line (`verify.discovery.question`) also assumes what the doors do not come to. So its
core shows what must be counted.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise, product

import numpy as np

from heuristic.matching.forced import areas_of, follow_step, is_dead, new_lines
from heuristic.matching.tables import FREE_CELL, WALL_CELL
from heuristic.rules.drawing import LIMIT, AreaSpec, Kind, Spot, area_behind, box_around
from verify.discovery.gaps import Page
from verify.discovery.question import BEHIND
from verify.proof.window import LIVE, black, neighbours, reached

SHORT = (1, 3)  # cells of a line that may bend in any way
LONG = ((4, 6), (7, 10))  # of lines of a few shapes
_ANY_SHAPE = 3
_FAR = 4  # cells from the live end to the line, at most
_SIDES = ((-1, 0), (0, -1), (1, 0), (0, 1))
_ROUND = (*_SIDES, (-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True)
class Cut:
    """A line that cuts an area off, as a gap shows it.

    - `area`: without a condition.
    - `surplus`: white cells less black ones, black being the colour of the live end.
    """

    area: AreaSpec
    surplus: int


def cuts_of(page: Page, lengths: tuple[int, int] = SHORT) -> list[Cut]:
    """Return the lines that cut an area off, short and near ones first.

    Lines with the same cells and the same area count once: one from the live end is
    preferred, then one that goes straight on.
    """
    board = _Bits(page.states)
    free, end = board.of(filter(page.free, page.states)), board.of([page.end])
    blacks = board.of(filter(black, page.states))
    best: dict[tuple[int, int], tuple[int, Cut]] = {}
    for line in _lines(page, *lengths):
        marked = board.of(line)
        left = free & ~marked
        cut_off = left & ~board.flood(end, left)
        done = set[str]()  # the cheapest way comes first: one for each side
        for area, cost in _ways(page, line) if cut_off else ():
            inside, outside = (board.of(cells) for cells in (area.inside, area.outside))
            within = board.flood(inside, cut_off)
            cells = marked | within
            leaks = inside & free & ~cells or outside & free & cells
            if area.side in done or inside & outside or not within or leaks:
                continue
            done.add(area.side)
            key = marked, cells
            if key not in best or cost < best[key][0]:
                surplus = cells.bit_count() - 2 * (cells & blacks).bit_count()
                best[key] = cost, Cut(area, surplus)

    def order(cut: Cut) -> tuple[int, int, str]:
        line = cut.area.cells
        far = max(max(abs(row), abs(col)) for row, col in line)
        way = sum(abs(row) + abs(col) for row, col in line)
        return far + 2 * len(line), way, repr(cut)

    return sorted((cut for _, cut in best.values()), key=order)


class _Bits:
    """Sets of cells as numbers, one bit a cell, with room for those next to them."""

    def __init__(self, cells: Collection[Spot]) -> None:
        top, left, _, right = box_around(cells)
        self._top, self._left = top - 1, left - 1
        self._step = right - left + 4  # a column more: no row meets the next

    def of(self, cells: Iterable[Spot]) -> int:
        """Return some cells as bits."""
        bits = 0
        for row, col in cells:
            bits |= 1 << (row - self._top) * self._step + col - self._left
        return bits

    def flood(self, seen: int, within: int) -> int:
        """Return the cells of a set that steps within it lead to from some."""
        seen &= within
        new = seen
        while new:
            near = new << 1 | new >> 1 | new << self._step | new >> self._step
            new = near & within & ~seen
            seen |= new
        return seen


def _lines(page: Page, least: int, longest: int) -> Iterator[tuple[Spot, ...]]:
    """Yield lines of free cells from one that touches a taken cell to another."""
    far = max(_FAR, longest)
    near = {
        cell
        for cell in page.states
        if page.free(cell) and cell != page.end and max(map(abs, cell)) <= far
    }
    ends = [cell for cell in sorted(near) if _taken_near(page, cell)]
    shapes = chain.from_iterable(_shapes(steps) for steps in range(least - 1, longest))
    for shape, cell in product(shapes, ends):
        line = [cell]
        for r, c in shape:
            cell = cell[0] + r, cell[1] + c
            if cell not in near:
                break
            line.append(cell)
        if len(shape) < len(line) == len({*line}) and cell in ends:
            yield tuple(line)


@cache
def _shapes(steps: int) -> tuple[tuple[Spot, ...], ...]:
    """Return all short ways; long ones with a bend, or stairs with a straight part."""
    if steps < _ANY_SHAPE:
        return tuple(product(_SIDES, repeat=steps))
    shapes = set()
    for a, b in product(_SIDES, repeat=2):
        if a[0] * b[0] + a[1] * b[1]:
            continue  # the same direction, or the opposite one
        stair = (a, b) * steps
        for first in range(steps + 1):
            shapes.add((a,) * first + (b,) * (steps - first))
            for on in (a, b):
                shapes.add(stair[:first] + (on,) * (steps - first))
                shapes.add((on,) * (steps - first) + stair[:first])
    return tuple(sorted(shapes))


def _taken_near(page: Page, cell: Spot) -> list[Spot]:
    """Return the cells around a cell, corners too, that are not free."""
    around = [(cell[0] + r, cell[1] + c) for r, c in _ROUND]
    return [at for at in around if not page.free(at)]


def _ways(page: Page, line: tuple[Spot, ...]) -> Iterator[tuple[AreaSpec, int]]:
    """Yield the areas beside a line, with each base and wall, the cheapest first."""
    ends = [_taken_near(page, cell) for cell in (line[0], line[-1])]
    ways = []
    for base, wall in product(*ends):
        if base != wall and wall != LIVE:
            cost = 2 * (base not in (LIVE, BEHIND)) + 2 * (wall != BEHIND)
            way = pairwise((base, *line, wall))
            steps = [(b[0] - a[0], b[1] - a[1]) for a, b in way]
            cost += sum(a != b for a, b in pairwise(steps))  # bends
            ways.append((cost, base, wall))
    for cost, base, wall in sorted(ways, key=lambda way: way[0]):
        for side in ("left", "right"):
            yield area_behind(line, wall, side, base=base), cost


# Conditions of areas ---------------------------------------------------------------


def conditions_of(cut: Cut) -> Iterator[AreaSpec]:
    """Yield the area of a cut with conditions that hold there, weak ones first."""
    surplus = cut.surplus
    yield cut.area
    yield replace(cut.area, kind=Kind.ODD if surplus % 2 else Kind.EVEN)
    yield replace(cut.area, kind=Kind.WITHIN, low=surplus, high=LIMIT)
    yield replace(cut.area, kind=Kind.WITHIN, low=-LIMIT, high=surplus)
    yield exactly(cut.area, surplus)


def without_condition(area: AreaSpec) -> AreaSpec:
    """Return an area without a condition."""
    return replace(area, kind=Kind.CLOSED, low=-LIMIT, high=LIMIT)


def exactly(area: AreaSpec, surplus: int) -> AreaSpec:
    """Return an area with the condition that it has one surplus."""
    return replace(area, kind=Kind.WITHIN, low=surplus, high=surplus)


def weakest(sums: Collection[int], area: AreaSpec, impossible: set[int]) -> AreaSpec:
    """Return an area with the weakest condition that allows impossible surpluses only.

    - `sums`: all that the doors may come to.
    - `area`: its own condition allows impossible surpluses only.
    - `impossible`: surpluses with which the move is impossible.
    """
    possible = sorted(set(sums) - impossible)
    if not possible:
        return without_condition(area)
    options = [replace(without_condition(area), kind=k) for k in (Kind.ODD, Kind.EVEN)]
    ends = possible[0], possible[-1]
    options += [replace(area, kind=Kind.BEYOND, low=ends[0], high=ends[1]), area]
    own = _allowed(sums, area)
    good = [option for option in options if own <= _allowed(sums, option) <= impossible]
    return max(good, key=lambda option: len(_allowed(sums, option)))


def _allowed(sums: Collection[int], area: AreaSpec) -> set[int]:
    return {surplus for surplus in sums if area.allows(surplus)}


# Steps that are followed -----------------------------------------------------------


class Followed:
    """The dead move of a page, followed: what it forces, with or without areas."""

    def __init__(self, page: Page) -> None:
        self._top, self._left, bottom, right = box_around(page.states)
        self._cols = right - self._left + 1
        rows = bottom - self._top + 1
        self._free = {cell for cell in page.states if page.free(cell)}
        order = np.full(self._cols * rows, WALL_CELL, np.int32)
        for cell in page.states:
            order[self._at(cell)] = FREE_CELL if cell in self._free else 0
        self._board = rows, self._cols, self._at(page.end)
        self._target = self._at(page.target)
        self._lines, self._work = new_lines(len(order)), new_lines(len(order))
        self._unvisited = follow_step(order, self._board, self._target, self._lines)

    def _at(self, cell: Spot) -> int:
        row, col = cell[0] - self._top, cell[1] - self._left
        return int(row * self._cols + col)

    def _area(self, cut: Cut) -> set[int]:
        line = set(cut.area.cells)
        left = self._free - line
        first = left.intersection(cut.area.inside)
        cells = reached(first, lambda cell: left.intersection(neighbours(cell)))
        return {self._at(cell) for cell in line | cells}

    def dead(self, cuts: Sequence[Cut]) -> bool:
        """Return whether the move is dead when the areas of some cuts are counted."""
        areas = areas_of(self._board, self._target, map(self._area, cuts))
        lines = self._lines, self._work, self._board, self._target, self._unvisited
        return bool(is_dead(*lines, areas, len(cuts)))
