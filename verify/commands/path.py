"""`oneway path`: the referee of PATH, random boards, and the check of the referee."""

import sys
from contextlib import AbstractContextManager, nullcontext
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from verify.commands.console import (
    JsonOption,
    SeedOption,
    emit,
    note,
    progress_bar,
    say,
)

if TYPE_CHECKING:
    from solver.path.judge import Explanation

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
        typer.Option(
            "--explain",
            help="Say why: a shortest winning path, all winning moves, or how many "
            "pieces are missing.",
        ),
    ] = False,
    as_json: JsonOption = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Draw the boards: FILE.svg or FILE.png; the second board goes to "
            "FILE-2.svg, and so on.",
        ),
    ] = None,
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
    from solver.path.judge import explain as find_reasons
    from solver.path.judge import judge
    from solver.path.reader import read_boards
    from solver.svg import check_picture
    from verify.path.explain import as_json as to_json
    from verify.path.explain import as_text

    if picture:
        check_picture(picture)
    name = "standard input" if file == "-" else file
    with _opened(file) as stream:
        if stream.isatty():
            note("reading boards from the terminal; a size of 0 ends them")
        for number, board in enumerate(read_boards(stream, name), start=1):
            if not (explain or as_json or picture):
                say(judge(board).value)
            else:
                found = find_reasons(board)
                if as_json:
                    emit(to_json(found, number))
                else:
                    say(as_text(found, number) if explain else found.outcome.value)
                if picture:
                    _draw(found, picture, number)
            sys.stdout.flush()  # an answer is not to wait for the next board


@app.command()
def random(
    side: Annotated[
        int, typer.Option("--size", min=1, help="Cells along an edge.")
    ] = 7,
    boards: Annotated[
        int, typer.Option("--count", "-n", "--boards", min=1, help="How many.")
    ] = 1,
    white: Annotated[
        float, typer.Option("--white", help="Probability of W in a cell.")
    ] = 0.48,
    black: Annotated[float, typer.Option("--black", help="Probability of B.")] = 0.42,
    seed: SeedOption = 1,
) -> None:
    """Print random boards in the contest's format, every cell drawn by itself.

    Try: oneway path random -n 3 | oneway path referee --explain
    """
    import numpy as np

    from solver.path.random_boards import random_board

    rng = np.random.default_rng(seed)
    for _ in range(boards):
        say(random_board(side, rng, white=white, black=black).contest_text)
    say("0")


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
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="Folder of cases to replay as well."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Put the referee on trial: four procedures that share no code must agree.

    Floods from the edges (the referee), a 0-1 search for the missing pieces, a SAT
    formula, and brute force over all single placements judge the same random boards,
    sides 1 to --size; winning moves and the lengths of paths are compared too. With
    --corpus the cases of that folder are replayed first. --json prints one object: what
    was compared without contradiction, and the fault or null.

    Exit code 0 if all agree, 1 at the first contradiction, which is printed.

    Try: oneway path check -n 100 --size 8
    """
    import numpy as np

    from solver.path.judge import explain as find_reasons
    from solver.path.random_boards import random_board
    from solver.path.referees import disagreement
    from verify.path.cases import load_cases

    rng = np.random.default_rng(seed)
    replayed = agreed = 0

    def report(fault: str | None) -> None:
        if as_json:
            counts = {"boards": agreed, "side": side, "seed": seed, "cases": replayed}
            emit({"agree": fault is None, **counts, "fault": fault})
        elif fault:
            note(fault)
        if fault:
            raise typer.Exit(1)

    for case in load_cases(corpus) if corpus else []:
        if fault := case.fault(find_reasons(case.board)):
            report(f"{case.name}: the referee {fault}")
        replayed += 1
    with progress_bar() as bar:
        for _ in bar.track(range(boards), description="boards"):
            n = int(rng.integers(1, side + 1))
            white = float(rng.uniform(0.3, 0.65))
            black = float(rng.uniform(0.2, 0.95 - white))
            board = random_board(n, rng, white=white, black=black)
            if fault := disagreement(board):
                report(fault)
            agreed += 1
    report(None)
    if as_json:
        return
    if replayed:
        say(f"{replayed} cases replayed")
    say(f"{boards} boards of sides 1 to {side}: all referees agree (seed {seed})")


def _opened(file: str) -> AbstractContextManager[BufferedIOBase]:
    """Open the boards for reading, as bytes."""
    from solver.errors import OptionError

    if file == "-":
        return nullcontext(cast(BufferedIOBase, sys.stdin.buffer))
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise OptionError(f"cannot read {file}: {error.strerror}") from None


def _draw(found: "Explanation", picture: Path, number: int) -> None:
    from solver.svg import write_picture
    from verify.path.draw import draw

    if number > 1:
        picture = picture.with_stem(f"{picture.stem}-{number}")
    write_picture(draw(found), picture)
