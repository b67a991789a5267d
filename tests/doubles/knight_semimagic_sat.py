"""The SAT oracle for semi-magic tours: no search of ours takes part.

`semimagic_tours` finds those that bear given numbers. A variable says of each cell and
each number whether the cell bears it; the cell of the next number is a knight's move
away. Another says of each pair of cells a knight's move apart whether the tour uses it,
and every cell has two moves. For each row and column the cells are added up one by one:
a variable says that the first so many of them have such a sum, and only sums from which
the magic sum can be reached have one.
"""

from collections.abc import Iterator
from itertools import combinations, count, pairwise
from time import monotonic

from solver.puzzles.knight import Tour, knight_moves

_CONFLICTS = 2000  # between two looks at the clock
_Clauses = Iterator[list[int]]


def semimagic_tours(
    side: int, given: dict[int, int], *, seconds: float
) -> Iterator[Tour | None]:
    """Yield the semi-magic tours that bear given numbers: cells by number, from 1.

    Then None, if the time is up before it is sure that there is no other.

    >>> list(semimagic_tours(4, {1: 0}, seconds=60))
    []
    """
    from pysat.solvers import Solver

    until = monotonic() + seconds
    names = count(1)
    can = _possible(side, given)
    bears = {(c, n): next(names) for n, some in enumerate(can, 1) for c in sorted(some)}
    with Solver(name="glucose4") as solver:
        for clause in _numbered(side, bears, names):
            solver.add_clause(clause)
        while True:
            solver.conf_budget(_CONFLICTS)
            if satisfiable := solver.solve_limited():
                model = set(solver.get_model())
                borne = [pair for pair, name in bears.items() if name in model]
                yield tuple(cell for cell, _ in sorted(borne, key=lambda item: item[1]))
                solver.add_clause([-bears[pair] for pair in borne])
            elif satisfiable is False:
                return
            elif monotonic() > until:
                yield None
                return


def _possible(side: int, given: dict[int, int]) -> list[set[int]]:
    """Return the cells that can bear each number, as far as moves show."""
    near, all_cells = knight_moves(side, side), range(side * side)
    free = set(all_cells) - set(given.values())
    can = [{given[n]} if n in given else set(free) for n in range(1, side * side + 1)]
    changed = True
    while changed:
        changed = False
        for item, two in [*pairwise(can), *pairwise(can[::-1])]:
            reached = {other for cell in item for other in near[cell]}
            changed |= not two <= reached
            two &= reached
    return can


_Bears = dict[tuple[int, int], int]


def _numbered(side: int, bears: _Bears, names: Iterator[int]) -> _Clauses:
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
    yield from _tying(side, bears, names)
    for k in range(side):
        for line in (range(k * side, (k + 1) * side), range(k, last, side)):
            choices = [by_cell[cell] for cell in line]
            yield from _adding(choices, side * (side * side + 1) // 2, names)


def _tying(side: int, bears: _Bears, names: Iterator[int]) -> _Clauses:
    """Yield clauses for moves without times: every cell but the ends has two."""
    near, last = knight_moves(side, side), side * side
    moves = {(a, b): next(names) for a, some in enumerate(near) for b in some if a < b}
    for cell, others in enumerate(near):
        around = {other: moves[min(cell, other), max(cell, other)] for other in others}
        ends = [bears[cell, n] for n in (1, last) if (cell, n) in bears]
        choices = [*around.values()]
        yield from ([-item for item in some] for some in combinations(choices, 3))
        for item in choices:
            yield [*(other for other in choices if other != item), *ends]
        for item, other in combinations(choices, 2):
            yield from ([-item, -other, -end] for end in ends)
        for number in range(1, last + 1):
            if (cell, number) not in bears:
                continue
            for other, move in around.items():
                both = ((other, number - 1), (other, number + 1))
                beside = [bears[item] for item in both if item in bears]
                yield [-bears[cell, number], -move, *beside]
                yield from ([-bears[cell, number], -item, move] for item in beside)


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
        for total, name in more.items():
            for n, bears in some:
                then = sums.get(total - n)
                if then != 0:
                    yield [-name, -bears, *([then] if then else [])]
        yield from ([-a, -b] for a, b in combinations(more.values(), 2))
        sums = more
