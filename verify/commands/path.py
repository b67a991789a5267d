"""`oneway path`: the referee of PATH, and its trial by the SAT oracle."""

import sys
from typing import Annotated

import typer

from verify.commands.console import JsonOption, emit, say

app = typer.Typer(
    no_args_is_help=True,
    help="PATH, a board game of two players (UVa 601, ZOJ 1255). White joins the left "
    "edge to the right one, Black the top to the bottom, by neighbouring pieces.",
)


@app.command()
def referee(
    file: Annotated[
        str, typer.Argument(help="Boards in the contest's format; - is standard input.")
    ] = "-",
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Say why: path, moves, or missing pieces."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Judge boards of PATH, one sentence each: the first of these that is true.

    White has a winning path. / Black has a winning path. / White can win in one move. /
    Black can win in one move. / There is no winning path.

    The format: a size n, then n rows of n letters W, B and U (unfilled); any number of
    boards; a size of 0 ends the input. White space counts for nothing but parting
    words. Each sentence comes as soon as its board is read, so sentences before an
    error are right.

    Exit code 0 if all boards were judged, 2 on bad input: one line says where.

    Try: echo "3 WBB WWU WBB 0" | oneway path referee --explain
    """
    from solver.puzzles.path import judge, read_boards
    from verify.puzzles import path

    name = "standard input" if file == "-" else file
    with sys.stdin.buffer if file == "-" else open(file, "rb") as stream:
        for number, board in enumerate(read_boards(stream, name), start=1):
            if as_json:
                emit(path.as_json(board, number))
            else:
                say(path.as_text(board, number) if explain else judge(board)[0].value)
            sys.stdout.flush()  # an answer is not to wait for the next board
