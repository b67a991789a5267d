"""`oneway rank` and `oneway unrank`: where walks stand in left-first order."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    BOARD_FLAGS,
    JsonOption,
    emit,
    lines_or,
    parse_line,
    progress_bar,
    read_board,
    say,
)

if TYPE_CHECKING:
    from solver.board import Position

WIDEST = 2_000_000  # states of a layer: 15 x 15, a second a count


def rank(
    position: Annotated[
        str, typer.Argument(help="A position such as 9:RRDD, or - for one a line.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Tell how many complete walks come before a position in left-first order.

    At each step the move left of the last step comes first, then straight, then right;
    the first step R before D. Of a complete walk that is its number, from 0 on. It is
    the sum of the completions of all earlier siblings of the walk's steps, counted
    exactly: less than 0.1 s on 9 x 9, about a second on 11 x 11.

    Try: oneway rank 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD
    """
    from solver.counting.count import rank as rank_of

    for where, text in lines_or(position):
        place = parse_line(where, text)
        _check(place)
        with progress_bar() as bar:
            task = bar.add_task("steps", total=len(place.moves))
            number = rank_of(place, progress=partial(bar.advance, task))
        if as_json:
            emit({"position": place.notation, "rank": number})
        else:
            say(f"{place.notation}  {number:,}")


def unrank(
    number: Annotated[int, typer.Argument(help="The rank, from 0 on.")],
    board: Annotated[
        str, typer.Option(*BOARD_FLAGS, help="The board: 9, 7x9, 7x9@1,1>7,9!2,2.")
    ] = "9",
    as_json: JsonOption = False,
) -> None:
    """Tell the complete walk of a rank in left-first order: the inverse of rank.

    So many complete walks come before it.

    Try: oneway unrank 1000000 --size 9
    """
    from solver.board import Position
    from solver.counting.count import unrank as walk_of

    place = read_board(board)
    _check(Position(place))
    with progress_bar() as bar:
        task = bar.add_task("steps", total=place.open_cells - 1)
        walk = walk_of(place, number, progress=partial(bar.advance, task))
    if as_json:
        emit({"position": walk.notation, "rank": number})
    else:
        say(str(walk))
        say(walk.notation)


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
