"""`oneway puzzle`: boards with just enough clues for one walk, on paper."""

from pathlib import Path

from typer import Context, Option

from solver.paper import Sheet, write_with_solutions
from solver.puzzles.clues import INSTRUCTIONS, draw_puzzle, make_puzzle
from verify.commands import console, options


def puzzle(
    context: Context,
    board: options.Board,
    clues: str = Option("steps", help="What is given: steps of the walk, or walls."),
    count: int = options.count(1, "Number of puzzles."),
    seed: options.Seed = 0,
    paper: options.Paper = "a4:4",
    title: options.Title = "",
    invert: options.Invert = False,
    as_json: options.Json = False,
    output: Path | None = options.output("FILE.pdf; and FILE-solutions.pdf.", ".pdf"),
) -> None:
    """Print puzzles: draw one line through every cell, from clues.

    The line runs from the dot to the ring. The clues are some of its steps, or some
    walls. Exactly one line fits, and every clue is needed. The grade is the method that
    solves the puzzle: forced steps alone, counting black and white cells, or trial.

    \b
    A sheet of twelve:
      oneway puzzle 9 --seed 7 -n 12 -o sheet.pdf
    Walls as clues, for programs:
      oneway puzzle 13 --clues walls --json
    """
    if output is None:
        options.refuse_idle(context, "without --output", "paper", "title")
    sheet, place = Sheet.parse(paper), options.read_board(board, invert=invert)
    puzzles, captions = [], []
    for number in console.track(range(seed, seed + count), "puzzles"):
        made = make_puzzle(place, number, clues)
        grade = made.grade.value
        puzzles.append(made)
        captions.append(f"seed {number}, {len(made.clues)} {clues}, {grade}")
        if as_json:
            cells = [[place.row_col(cell) for cell in clue] for clue in made.clues]
            about = {"board": place.notation, "seed": number, clues: cells}
            console.emit(about | {"grade": grade, "solution": made.solution.notation})
        elif output is None:
            console.say(captions[-1])
    if output is not None:
        solutions = write_with_solutions(
            output,
            lambda solved: [
                (draw_puzzle(made, solved=solved), caption)
                for made, caption in zip(puzzles, captions, strict=True)
            ],
            sheet,
            title=title or ("Puzzle" if count == 1 else "Puzzles"),
            instructions=INSTRUCTIONS[clues],
            footer=console.footer(),
        )
        text = console.listed(puzzles=output, solutions=solutions)
        console.say_written(text, as_json)
