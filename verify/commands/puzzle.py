"""`oneway puzzle`: boards with just enough clues for one walk, on paper."""

from pathlib import Path
from typing import Annotated

from solver.errors import OptionError
from verify.commands.console import (
    JsonOption,
    SeedOption,
    argument,
    emit,
    note,
    option,
    progress_bar,
    read_board,
    say,
)

MOST = 1000  # puzzles of one run


def puzzle(
    board: Annotated[
        str, argument("The board: 9, 7x9, with walls, or cut out: 40!heart.png.")
    ],
    clues: Annotated[
        str, option("", "What is given: steps of the walk, or walls.")
    ] = "steps",
    count: Annotated[
        int, option("--count -n", "Number of puzzles.", min=1, max=MOST)
    ] = 1,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    output: Annotated[
        Path | None,
        option("--output -o", "FILE.pdf; solutions go into FILE-solutions.pdf."),
    ] = None,
    paper: Annotated[
        str, option("", "Paper of the PDF, a4 or letter, and puzzles on a page.")
    ] = "a4:4",
    title: Annotated[str, option("", "Title of the pages.")] = "Puzzles",
) -> None:
    """Make puzzles: draw one line through every cell, from the dot to the ring.

    Some steps of the line are given, or some walls, and there is one way to go on. No
    clue can be left out: without it there would be a second way. Two solvers that share
    no code agree on that. Each puzzle is graded by what it takes to solve: forced steps
    alone, counting black and white cells as well, or trial.

    Try: oneway puzzle 9 --seed 7 -n 12 -o sheet.pdf

    Walls instead of steps, as data: oneway puzzle 13 --clues walls --json
    """
    from solver.files import write_together
    from solver.paper import Sheet
    from solver.puzzles.clues import make_puzzle, puzzle_pdf

    if output is not None and output.suffix != ".pdf":
        raise OptionError(f"{output.name!r} does not end in .pdf")
    if output is not None and not output.parent.is_dir():
        raise OptionError(f"cannot write {output}: {output.parent} is no folder")
    sheet, place = Sheet.parse(paper), read_board(board)
    made, captions = [], []
    with progress_bar() as bar:
        for own in bar.track(range(seed, seed + count), description="puzzles"):
            one = make_puzzle(place, own, clues)
            made.append(one)
            captions.append(
                f"seed {own}   {len(one.clues)} {clues}   {one.grade.value}"
            )
            if as_json:
                emit(
                    {
                        "board": place.notation,
                        "seed": own,
                        clues: [[place.row_col(cell) for cell in c] for c in one.clues],
                        "grade": one.grade.value,
                        "solution": one.solution.notation,
                    }
                )
            elif output is None:
                say(captions[-1])
    if output is not None:
        answers = output.with_stem(f"{output.stem}-solutions")
        name = f"{title}: solutions"
        write_together(
            [
                (output, puzzle_pdf(made, captions, sheet, title)),
                (answers, puzzle_pdf(made, captions, sheet, name, solved=True)),
            ]
        )
        (note if as_json else say)(f"puzzles: {output}, solutions: {answers}")
