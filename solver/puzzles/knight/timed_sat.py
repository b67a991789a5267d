"""The SAT oracle for semi-magic tours: which of them bear given numbers.

A variable says of each cell and each number whether the cell bears it. Every number
has a cell, and no cell has two; the cell of the next number is a knight's move away.
For each row and column the cells are added up one by one: a variable says that the
first so many of them have such a sum, and only sums from which the magic sum can be
reached have one. Nothing of CP-SAT and of the search takes part.
"""

from collections.abc import Iterator
from itertools import combinations, count, pairwise
from time import monotonic
from typing import Any

from solver.errors import BoardError
from solver.puzzles.knight.tour import Tour, magic_sum, neighbours

_CONFLICTS = 2000  # between two looks at the clock


class SatCompleter:
    """Finds the semi-magic tours of a board that bear given numbers.

    Parameters
    ----------
    side : int
        Rows and columns, even.
    given : dict
        Cells by number, numbers from 1.
    closed : bool
        Only tours whose last cell is a knight's move from the first.

    Raises
    ------
    BoardError
        If the side is odd, or a number or a cell is out of range or there twice.

    Examples
    --------
    >>> SatCompleter(4, {1: 0}).next_tour(seconds=10), SatCompleter(4, {1: 0}).ended
    (None, False)
    """

    def __init__(self, side: int, given: dict[int, int], *, closed: bool = False):
        cells = side * side
        places = list(given.values())
        if not all(1 <= one <= cells for one in given) or len(set(places)) < len(given):
            raise BoardError("a number is out of range, or a cell has two")
        if not all(0 <= cell < cells for cell in places):
            raise BoardError(f"a cell lies outside {side} x {side}")
        self._side, self._sum = side, magic_sum(side)
        self._near = neighbours(side, side)
        self._can = self._possible(given)
        self._names = count(1)
        self._bears = {
            (cell, number): next(self._names)
            for number, can in enumerate(self._can, start=1)
            for cell in sorted(can)
        }
        self.ended = False  # whether there is no further tour
        self._solver = self._formula(closed)

    def next_tour(self, *, seconds: float) -> Tour | None:
        """Return one more tour; None if there is none, or if the time is up.

        The attribute `ended` says which of the two.
        """
        until = monotonic() + seconds
        while not self.ended:
            self._solver.conf_budget(_CONFLICTS)
            said = self._solver.solve_limited()
            if said:
                model = set(self._solver.get_model())
                borne = [pair for pair, name in self._bears.items() if name in model]
                tour = tuple(cell for cell, _ in sorted(borne, key=lambda one: one[1]))
                self._solver.add_clause([-self._bears[pair] for pair in borne])
                return tour
            self.ended = said is False
            if monotonic() > until:
                break
        return None

    def _possible(self, given: dict[int, int]) -> list[set[int]]:
        """Return the cells that can bear each number, as far as moves tell."""
        cells = self._side * self._side
        free = set(range(cells)) - set(given.values())
        can = [
            {given[number]} if number in given else set(free)
            for number in range(1, cells + 1)
        ]
        changed = True
        while changed:
            changed = False
            for one, two in [*pairwise(can), *pairwise(can[::-1])]:
                reached = {other for cell in one for other in self._near[cell]}
                if not two <= reached:
                    two &= reached
                    changed = True
        return can

    def _formula(self, closed: bool) -> Any:
        from pysat.solvers import Solver

        solver = Solver(name="glucose4")
        by_cell: dict[int, list[int]] = {
            cell: [] for cell in range(self._side * self._side)
        }
        for (cell, _), name in self._bears.items():
            by_cell[cell].append(name)
        by_number = [
            [self._bears[cell, number] for cell in sorted(can)]
            for number, can in enumerate(self._can, start=1)
        ]
        for names in (*by_cell.values(), *by_number):
            solver.add_clause(names)
            for a, b in combinations(names, 2):
                solver.add_clause([-a, -b])
        last = len(self._can)
        for (cell, number), name in self._bears.items():
            steps = [after for after in (number - 1, number + 1) if 1 <= after <= last]
            if closed and number in (1, last):
                steps.append(last + 1 - number)
            for after in steps:
                near = [
                    self._bears[other, after]
                    for other in self._near[cell]
                    if (other, after) in self._bears
                ]
                solver.add_clause([-name, *near])
        for clause in self._tying():
            solver.add_clause(clause)
        side = self._side
        for k in range(side):
            for line in (
                [k * side + i for i in range(side)],
                [*range(k, side**2, side)],
            ):
                for clause in self._adding(line):
                    solver.add_clause(clause)
        return solver

    def _tying(self) -> Iterator[list[int]]:
        """Yield clauses for moves without times: every cell but the ends has two."""
        last = len(self._can)
        moves = {
            (a, b): next(self._names)
            for a, others in enumerate(self._near)
            for b in others
            if a < b
        }
        around: list[list[tuple[int, int]]] = [[] for _ in self._near]
        for (a, b), move in moves.items():
            around[a].append((b, move))
            around[b].append((a, move))
        for cell, near in enumerate(around):
            ends = [
                self._bears[cell, number]
                for number in (1, last)
                if (cell, number) in self._bears
            ]
            names = [move for _, move in near]
            for some in combinations(names, 3):
                yield [-one for one in some]
            for one in names:
                yield [*(other for other in names if other != one), *ends]
                for other in names:
                    if one < other:
                        yield from ([-one, -other, -end] for end in ends)
        for (cell, number), name in self._bears.items():
            for other, move in around[cell]:
                beside = [
                    self._bears[other, after]
                    for after in (number - 1, number + 1)
                    if (other, after) in self._bears
                ]
                yield [-name, -move, *beside]
                yield from ([-name, -one, move] for one in beside)

    def _adding(self, line: list[int]) -> Iterator[list[int]]:
        """Yield clauses that make the numbers of a line add up to the magic sum."""
        choices = [
            [(n, name) for (at, n), name in self._bears.items() if at == cell]
            for cell in line
        ]
        choices.sort(key=len)
        to_go = [{0}]  # what the last so many cells can add up to
        for some in reversed(choices):
            to_go.append({rest + n for rest in to_go[-1] for n, _ in some})
        sums = {0: 0}  # sum so far -> its variable; 0 is true
        if self._sum not in to_go[-1]:
            yield []
            return
        for at, some in enumerate(choices, start=1):
            left = to_go[len(choices) - at]
            more = {
                total
                for before in sums
                for n, _ in some
                if self._sum - (total := before + n) in left
            }
            names = {total: next(self._names) for total in sorted(more)}
            for before, name in sums.items():
                was = [-name] if name else []
                for n, bears in some:
                    then = names.get(before + n)
                    yield [*was, -bears, *([then] if then else [])]
            for total, name in names.items():
                for n, bears in some:
                    if total - n in sums:
                        then = sums[total - n]
                        if then:
                            yield [-name, -bears, then]
                    else:
                        yield [-name, -bears]
            for a, b in combinations(names.values(), 2):
                yield [-a, -b]
            sums = names
