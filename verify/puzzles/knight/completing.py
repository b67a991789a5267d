"""Completes a partly numbered board to a semi-magic tour.

`sat` is a formula of `solver.puzzles.knight.sat`. Where the numbers given on 8 x 8 are
1 to k, `search` is that of `solver.puzzles.knight.semimagic`, much faster. Tests hold
the two together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from solver.errors import BoardError, OptionError, UnknownNameError
from solver.puzzles.knight.sat import semimagic_tours
from solver.puzzles.knight.search import Status
from solver.puzzles.knight.tour import Tour, is_closed, neighbours

Rows = Sequence[Sequence[int]]
ORACLES = ("sat", "search")
_MOST_SIDE = 20
_LEAST = 16  # numbers given in a row; with fewer a search may take long


@dataclass(frozen=True, slots=True)
class Completed:
    """Completions found, and whether no other exists.

    The status is UNKNOWN if the time was up before anything was found.
    """

    status: Status
    tours: tuple[Tour, ...]
    all: bool


def given_numbers(board: Rows) -> dict[int, int]:
    """Return the numbers of a square board and their cells.

    Raises
    ------
    BoardError
        If the board is not square, a number is out of range or stands there twice, or
        two that follow each other are no knight's move apart.
    """
    side = len(board)
    if not 1 <= side <= _MOST_SIDE or any(len(row) != side for row in board):
        raise BoardError(f"only square boards of 1 to {_MOST_SIDE} rows are completed")
    given: dict[int, int] = {}
    for cell, number in enumerate(one for row in board for one in row):
        if number == 0:
            continue
        if not 1 <= number <= side * side:
            where = f"({cell // side + 1}, {cell % side + 1})"
            raise BoardError(f"{number} at {where} is not among 1 to {side * side}")
        if number in given:
            raise BoardError(f"{number} stands there more than once")
        given[number] = cell
    near = neighbours(side, side)
    for number in sorted(given):
        if number + 1 in given and given[number + 1] not in near[given[number]]:
            raise BoardError(f"{number} and {number + 1} are no knight's move apart")
    return given


def complete(
    board: Rows,
    *,
    oracle: str | None = None,
    seconds: float = 60.0,
    most: int = 1,
    closed: bool = False,
) -> Completed:
    """Complete a board to semi-magic tours by an oracle.

    The oracle is one of `ORACLES`; None is the search where it is made for the board,
    or SAT, which stops after `most` tours or so many `seconds`; the search has none.

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
    given = given_numbers(board)
    found = searched(board) if oracle != "sat" else None
    if found is None and oracle == "search":
        raise OptionError(
            "--oracle search completes 8 x 8 with the numbers 1 to 16 or more, or with "
            "the last 16 or more"
        )
    if found is not None:
        tours = [one for one in found.tours if not closed or is_closed(one, 8, 8)]
        return Completed(Status.FOUND if tours else Status.NONE, tuple(tours), True)
    asked = semimagic_tours(len(board), given, closed=closed, seconds=seconds)
    some = list(islice(asked, most))
    sure, tours = len(some) < most and None not in some, [one for one in some if one]
    status = Status.NONE if sure else Status.UNKNOWN
    return Completed(Status.FOUND if tours else status, tuple(tours), sure)


def searched(board: Rows) -> Completed | None:
    """Return all completions by the search; None if it is not made for the board.

    It is made for 8 x 8 with the numbers 1 to k, or 64 down to 65 - k, k at least 16.
    """
    from solver.puzzles.knight.semimagic import completions  # SAT needs no kernels

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
