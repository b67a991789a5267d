"""The SAT oracle for semi-magic tours: no search of ours takes part.

`semimagic_tours` finds those that bear given numbers. A variable says of each cell and
each number whether the cell bears it; the cell of the next number is a knight's move
away. For each row and column the cells are added up one by one: a variable says that
the first k cells have the sum s. Sums that cannot lead to the magic sum have no
variable.
"""

from collections.abc import Iterator
from itertools import combinations, count

from pysat.solvers import Solver

from solver.puzzles.knight import Tour, knight_moves

_Clauses = Iterator[list[int]]


def semimagic_tours(side: int, given: dict[int, int]) -> Iterator[Tour]:
    """Yield the semi-magic tours that bear given numbers: cells by number, from 1.

    >>> list(semimagic_tours(4, {1: 0}))
    []
    """
    names, number_of = count(1), {cell: number for number, cell in given.items()}
    bears = {
        (cell, number): next(names)
        for cell in range(side * side)
        for number in range(1, side * side + 1)
        if given.get(number, cell) == cell and number_of.get(cell, number) == number
    }
    with Solver(name="glucose4") as solver:
        for clause in _numbered(side, bears, names):
            solver.add_clause(clause)
        while solver.solve():
            model = set(solver.get_model())
            borne = [pair for pair, name in bears.items() if name in model]
            yield tuple(cell for cell, _ in sorted(borne, key=lambda item: item[1]))
            solver.add_clause([-bears[pair] for pair in borne])


def _numbered(
    side: int, bears: dict[tuple[int, int], int], names: Iterator[int]
) -> _Clauses:
    """Yield all clauses of tours whose numbers add up."""
    near, last = knight_moves(side, side), side * side
    by_cell: list[list[tuple[int, int]]] = [[] for _ in range(last)]
    by_number: list[list[int]] = [[] for _ in range(last)]
    for (cell, number), name in bears.items():
        by_cell[cell].append((number, name))
        by_number[number - 1].append(name)
    for alike in (*([name for _, name in some] for some in by_cell), *by_number):
        yield alike
        yield from ([-a, -b] for a, b in combinations(alike, 2))
    for (cell, number), name in bears.items():
        steps = [after for after in (number - 1, number + 1) if 1 <= after <= last]
        for after in steps:
            yield [-name, *(bears[o, after] for o in near[cell] if (o, after) in bears)]
    for k in range(side):
        for line in (range(k * side, (k + 1) * side), range(k, last, side)):
            choices = [by_cell[cell] for cell in line]
            yield from _adding(choices, side * (side * side + 1) // 2, names)


def _adding(
    choices: list[list[tuple[int, int]]], wanted: int, names: Iterator[int]
) -> _Clauses:
    """Yield clauses that make the numbers of a line add up: (number, name) by cell."""
    choices.sort(key=len)
    to_go = [{0}]  # what the last so many cells can add up to
    for some in reversed(choices):
        to_go.append({rest + n for rest in to_go[-1] for n, _ in some})
    sums = {0: 0}  # sum so far -> its variable; 0 is true
    if wanted not in to_go.pop():
        yield []
        return
    for some in choices:
        left = to_go.pop()
        totals = {before + n for before in sums for n, _ in some}
        more = {item: next(names) for item in sorted(totals) if wanted - item in left}
        for before, name in sums.items():
            for n, bears in some:
                then = more.get(before + n)
                was = [-name] if name else []
                yield [*was, -bears, *([then] if then else [])]
        sums = more
