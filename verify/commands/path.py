"""`oneway path`: the referee of PATH."""

from typing import Annotated

import typer

from solver.files import read_most
from solver.puzzles.path import judge, read_boards
from verify.commands.console import say
from verify.puzzles.path import as_text

_MOST = 1 << 27  # bytes of input


def path(
    file: Annotated[
        str,
        typer.Argument(help="Boards in the contest's format; - is standard input."),
    ] = "-",
    explain: Annotated[
        bool, typer.Option("--explain", help="Add the path, moves or missing pieces.")
    ] = False,
) -> None:
    """Judge boards of the game PATH.

    PATH is a game of two players (UVa 601, ZOJ 1255). White joins the left edge to the
    right one, Black the top to the bottom, by neighbouring pieces. For each board the
    first true sentence is printed: White has a winning path. Black has a winning path.
    White can win in one move. Black can win in one move. There is no winning path.

    Each board is a size n, then n rows of n letters W, B and U (unfilled). A size of 0
    ends the input. Sentences printed before an error are right.

    Exit code 0 if all boards were judged, 2 on bad input.

    \b
    With the reason:
      echo "3 WBB WWU WBB 0" | oneway path --explain
    """
    name = "standard input" if file == "-" else file
    for number, board in enumerate(read_boards(read_most(file, _MOST), name), start=1):
        say(as_text(board, number) if explain else judge(board)[0].value)
