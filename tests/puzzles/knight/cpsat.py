"""A model of CP-SAT that completes a partly numbered board to a semi-magic tour.

A literal for each knight's move from cell to cell that may follow each other; they make
one circuit, closed by a gate before number 1. Every cell has a time, the next cell's is
one more, all times differ, and every row and column has the magic sum. Cells with
numbers have their time fixed; a number that is given excludes all moves that contradict
it. The tests compare it with the formula and the search.
"""

from collections import deque
from itertools import pairwise
from time import monotonic

from solver.puzzles.knight.search import Status
from solver.puzzles.knight.tour import Tour, magic_sum, neighbours
from verify.puzzles.knight.completing import Completed, Rows, given_numbers


def _far(side: int, start: int) -> list[int]:
    """Return the moves a knight needs from a cell to every cell."""
    near = neighbours(side, side)
    far = [side * side] * (side * side)
    far[start] = 0
    todo = deque([start])
    while todo:
        cell = todo.popleft()
        for other in near[cell]:
            if far[other] > far[cell] + 1:
                far[other] = far[cell] + 1
                todo.append(other)
    return far


def _times(side: int, given: dict[int, int]) -> list[list[int]]:
    """Return the numbers that each cell can bear, by distance and colour."""
    cells = side * side
    fixed = {cell: number for number, cell in given.items()}
    can: list[list[int]] = []
    fars = {cell: _far(side, cell) for cell in fixed}
    parity = None
    for cell, number in fixed.items():
        parity = (number + sum(divmod(cell, side))) % 2
        break
    for cell in range(cells):
        if cell in fixed:
            can.append([fixed[cell]])
            continue
        colour = sum(divmod(cell, side))
        can.append(
            [
                number
                for number in range(1, cells + 1)
                if number not in given
                and (parity is None or (number + colour) % 2 == parity)
                and all(fars[at][cell] <= abs(number - n) for at, n in fixed.items())
            ]
        )
    return can


def by_model(
    board: Rows,
    *,
    seconds: float = 60.0,
    most: int = 1,
    jobs: int = 1,
    closed: bool = False,
    seed: int = 0,
) -> Completed:
    """Complete a board by CP-SAT to semi-magic tours, one or up to `most` of them.

    Raises
    ------
    BoardError
        If the board is not square, its numbers are wrong, or its side is odd.
    """
    from ortools.sat.python import cp_model

    given = given_numbers(board)
    side = len(board)
    wanted = magic_sum(side)
    cells = side * side
    can = _times(side, given)
    if not all(can):
        return Completed(Status.NONE, (), True)
    model = cp_model.CpModel()
    near = neighbours(side, side)
    time = [
        model.new_int_var_from_domain(cp_model.Domain.from_values(one), f"t{cell}")
        for cell, one in enumerate(can)
    ]
    arcs = []
    follows: dict[tuple[int, int], cp_model.IntVar] = {}
    for cell in range(cells):
        numbers = set(can[cell])
        if 1 in numbers:
            first = model.new_bool_var("")
            arcs.append((cells, cell, first))
            model.add(time[cell] == 1).only_enforce_if(first)
        if cells in numbers:
            last = model.new_bool_var("")
            arcs.append((cell, cells, last))
            model.add(time[cell] == cells).only_enforce_if(last)
        for other in near[cell]:
            if any(number + 1 in numbers for number in can[other]):
                step = model.new_bool_var("")
                arcs.append((other, cell, step))
                follows[other, cell] = step
                model.add(time[cell] == time[other] + 1).only_enforce_if(step)
    model.add_circuit(arcs)
    model.add_all_different(time)
    for line in range(side):
        model.add(sum(time[line * side + k] for k in range(side)) == wanted)
        model.add(sum(time[k * side + line] for k in range(side)) == wanted)
    if closed:
        ends = []
        for cell in range(cells):
            for other in near[cell]:
                if 1 in can[cell] and cells in can[other]:
                    both = model.new_bool_var("")
                    model.add(time[cell] == 1).only_enforce_if(both)
                    model.add(time[other] == cells).only_enforce_if(both)
                    ends.append(both)
        model.add_bool_or(ends)
    until = monotonic() + seconds
    tours: list[Tour] = []
    while len(tours) < most:
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = max(until - monotonic(), 0.01)
        solver.parameters.num_workers = jobs
        solver.parameters.random_seed = seed
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            found = Status.FOUND if tours else Status.NONE
            return Completed(found, tuple(tours), True)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            found = Status.FOUND if tours else Status.UNKNOWN
            return Completed(found, tuple(tours), False)
        order = sorted(range(cells), key=lambda cell: solver.value(time[cell]))
        tour = tuple(order)
        tours.append(tour)
        used = [follows[pair] for pair in pairwise(tour)]
        model.add_bool_or([step.negated() for step in used])
    return Completed(Status.FOUND, tuple(tours), False)
