"""`oneway path`: the referee of PATH, and its trial by the SAT oracle."""

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from verify.commands import console
from verify.commands.console import JsonOption, SeedOption, emit, note, say

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
    from solver.puzzles.path import judge
    from solver.puzzles.path_reader import read_boards
    from verify.puzzles import path

    name = "standard input" if file == "-" else file
    with sys.stdin.buffer if file == "-" else _opened(file) as stream:
        for number, board in enumerate(read_boards(stream, name), start=1):
            if as_json:
                emit(path.as_json(board, number))
            else:
                say(path.as_text(board, number) if explain else judge(board)[0].value)
            sys.stdout.flush()  # an answer is not to wait for the next board


@app.command()
def check(
    boards: Annotated[
        int,
        typer.Option("--count", "-n", "--boards", min=0, help="How many boards."),
    ] = 500,
    side: Annotated[
        int, typer.Option("--size", min=1, max=20, help="Largest side.")
    ] = 12,
    seed: SeedOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Put the referee on trial: its search and a SAT oracle judge the same boards.

    Random boards of sides 1 to --size; for each player, the path and all winning moves
    are compared. --json prints one object: how many agreed, and the fault or null.

    Exit code 0 if all agree, 1 at the first contradiction, which is printed.

    Try: oneway path check -n 100 --size 8
    """
    import numpy as np

    from verify.puzzles.path import disagreement, random_board

    rng, agreed, fault = np.random.default_rng(seed), 0, None
    with console.progress_bar() as bar:
        for _ in bar.track(range(boards), description="boards"):
            if fault := disagreement(random_board(int(rng.integers(1, side + 1)), rng)):
                break
            agreed += 1
    if as_json:
        counts = {"boards": agreed, "side": side, "seed": seed}
        emit({"agree": fault is None, **counts, "fault": fault})
    elif fault:
        note(fault)
    else:
        say(f"{boards} boards of sides 1 to {side}: both agree (seed {seed})")
    if fault:
        raise typer.Exit(1)


def _opened(file: str) -> BinaryIO:
    from solver.errors import OptionError

    try:
        return Path(file).open("rb")
    except OSError as error:
        raise OptionError(f"cannot read {file}: {error.strerror}") from None
