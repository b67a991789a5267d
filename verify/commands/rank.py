"""`oneway rank`: where walks stand in left-first order."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    emit,
    lines_or,
    parse_line,
    progress_bar,
    read_board,
    say,
    say_position,
)

if TYPE_CHECKING:
    from solver.board import Board, Position

WIDEST = 2_000_000  # states of a layer: 15 x 15, a second a count


def rank(
    position: Annotated[
        str, typer.Argument(help="A position such as 9:RRDD, or - for one a line.")
    ],
    number: Annotated[
        int | None,
        typer.Argument(help="A rank, from 0 on: the complete walk of that rank."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print how many complete walks come before a position in left-first order.

    At each step the move left of the last step comes first, then straight, then right;
    the first step R before D. Of a complete walk that is its number, from 0 on. It is
    the sum of the completions of all earlier siblings of the walk's steps, counted
    exactly: less than 0.1 s on 9 x 9, about a second on 11 x 11.

    With a board and a NUMBER the other way round: the complete walk of that rank.

    Try: oneway rank 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD

    The walk with a million before it: oneway rank 9 1000000
    """
    if number is not None:
        _print_walk(read_board(position), number, as_json)
        return
    from solver.counting.count import rank as rank_of

    for where, text in lines_or(position):
        place = parse_line(where, text)
        _check(place)
        with progress_bar() as bar:
            task = bar.add_task("steps", total=len(place.moves))
            found = rank_of(place, progress=partial(bar.advance, task))
        if as_json:
            emit({"position": place.notation, "rank": found})
        else:
            say(f"{place.notation}  {found:,}")


def _print_walk(board: "Board", number: int, as_json: bool) -> None:
    from solver.board import Position
    from solver.counting.count import unrank

    _check(Position(board))
    with progress_bar() as bar:
        task = bar.add_task("steps", total=board.open_cells - 1)
        walk = unrank(board, number, progress=partial(bar.advance, task))
    if as_json:
        emit({"position": walk.notation, "rank": number})
    else:
        say_position(walk)


def _check(place: "Position") -> None:
    """Refuse boards on which every count would take more than about a second."""
    from solver.board import Position
    from solver.counting.count import targets_of
    from solver.counting.plan import TooLargeError, make_plan

    for target in targets_of(Position(place.board)):
        plan = make_plan(target)
        if plan.widest > WIDEST:
            raise TooLargeError(
                f"a rank on {place.board.notation} takes hundreds of counts of "
                f"{plan.total:,} states each: too many; up to {WIDEST:,} states in a "
                "layer will do"
            )
