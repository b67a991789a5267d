"""Completes a partly numbered board to a semi-magic tour: three oracles.

`cpsat` is a model with times: a literal for each knight's move from cell to cell that
may follow each other; they make one circuit, closed by a gate before number 1. Every
cell has a time, the next cell's is one more, all times differ, and every row and column
has the magic sum. Cells with numbers have their time fixed; a number that is given
excludes all moves that contradict it. `sat` is `solver.knight.timed_sat`, a formula of
its own. Where the numbers given on 8 x 8 are 1 to k, `search` is that of
`solver.knight.semimagic`, much faster; tests hold the three together.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic

from solver.errors import BoardError, OptionError, UnknownNameError
from solver.knight.search import Status
from solver.knight.timed_sat import SatCompleter
from solver.knight.tour import Tour, is_closed, magic_sum, neighbours

Rows = Sequence[Sequence[int]]
ORACLES = ("cpsat", "sat", "search")
_MOST_SIDE = 20
_LEAST = 16  # numbers given in a row; with fewer a search may take long


@dataclass(frozen=True, slots=True)
class Completed:
    """Completions found, and whether these are all there are.

    Attributes
    ----------
    status : Status
        UNKNOWN if the time was up before anything was found.
    tours : tuple of tours
    all : bool
        Whether no other completion exists.
    """

    status: Status
    tours: tuple[Tour, ...]
    all: bool


def given_numbers(board: Rows) -> dict[int, int]:
    """Return the numbers of a square board and their cells.

    Raises
    ------
    BoardError
        If the board is not square, or a number is out of range or stands there twice.
    """
    side = len(board)
    if not 1 <= side <= _MOST_SIDE or any(len(row) != side for row in board):
        raise BoardError(f"only square boards of 1 to {_MOST_SIDE} rows are completed")
    given: dict[int, int] = {}
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            if number == 0:
                continue
            if not 1 <= number <= side * side:
                raise BoardError(
                    f"{number} at ({r + 1}, {c + 1}) is not among 1 to {side * side}"
                )
            if number in given:
                raise BoardError(f"{number} stands there more than once")
            given[number] = r * side + c
    return given


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


def by_formula(
    board: Rows, *, seconds: float = 60.0, most: int = 1, closed: bool = False
) -> Completed:
    """Complete a board by SAT; errors as `by_model`."""
    until = monotonic() + seconds
    completer = SatCompleter(len(board), given_numbers(board), closed=closed)
    tours: list[Tour] = []
    while len(tours) < most:
        tour = completer.next_tour(seconds=max(until - monotonic(), 0.01))
        if tour is None:
            break
        tours.append(tour)
    status = Status.NONE if completer.ended else Status.UNKNOWN
    return Completed(Status.FOUND if tours else status, tuple(tours), completer.ended)


def complete(
    board: Rows,
    *,
    oracle: str | None = None,
    seconds: float = 60.0,
    most: int = 1,
    closed: bool = False,
    seed: int = 0,
) -> Completed:
    """Complete a board to semi-magic tours by an oracle.

    Parameters
    ----------
    oracle : str or None
        One of `ORACLES`; None is the search where it is made for the board, or CP-SAT.
    seconds : float
        Limit of time; the search has none.

    Raises
    ------
    BoardError
        If the board is not square, its numbers are wrong, or its side is odd.
    UnknownNameError
        If there is no such oracle.
    OptionError
        If the search is not made for the board.
    """
    if oracle not in (None, *ORACLES):
        raise UnknownNameError("oracle", str(oracle), ORACLES)
    check_given(board)
    if oracle == "sat":
        return by_formula(board, seconds=seconds, most=most, closed=closed)
    found = searched(board) if oracle != "cpsat" else None
    if found is None and oracle == "search":
        raise OptionError(
            "--oracle search completes 8 x 8 with the numbers 1 to 16 or more, or with "
            "the last 16 or more"
        )
    if found is None:
        return by_model(board, seconds=seconds, most=most, closed=closed, seed=seed)
    if closed:
        tours = tuple(one for one in found.tours if is_closed(one, 8, 8))
        return Completed(Status.FOUND if tours else Status.NONE, tours, True)
    return found


def searched(board: Rows) -> Completed | None:
    """Return all completions by the search; None if it is not made for the board.

    It is made for 8 x 8 with the numbers 1 to k, or 64 down to 65 - k, k at least 16.
    """
    from solver.knight.semimagic import completions  # the others need no kernels

    given = given_numbers(board)
    count = len(given)
    if len(board) != 8 or not _LEAST <= count < 64:
        return None
    for back in (False, True):
        order = [65 - k if back else k for k in range(1, count + 1)]
        if set(order) == set(given):
            found = completions(tuple(given[k] for k in order))
            tours = tuple(one[::-1] if back else one for one in found.tours)
            status = Status.FOUND if tours else Status.NONE
            return Completed(status, tuple(sorted(tours)), True)
    return None


def check_given(board: Rows) -> None:
    """Refuse given numbers that follow each other and are no knight's move apart.

    Raises
    ------
    BoardError
        Naming the two numbers.
    """
    given = given_numbers(board)
    near = neighbours(len(board), len(board))
    for number in sorted(given):
        if number + 1 in given and given[number + 1] not in near[given[number]]:
            raise BoardError(f"{number} and {number + 1} are no knight's move apart")
