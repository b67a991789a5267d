"""`oneway maze`: solve and draw mazes without walls."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from solver.files import write_whole
from solver.puzzles.maze import draw_maze, solve
from solver.svg import write_pictures
from verify.commands import console, options
from verify.puzzles.maze import as_text, page, read_maze, to_json


def maze(
    board: Annotated[
        str,
        Argument(
            help="A file of rows such as LUU?ULXL with one goal, G or *; - is standard "
            "input; random:8,seed=4 is a random maze."
        ),
    ],
    entry: str = Option("", help="Enter here, not best: top4, left2 ..."),
    as_json: options.Json = False,
    output: Path | None = options.output(
        "FILE.svg, .png, .html or .txt.", ".svg", ".png", ".html", ".txt"
    ),
) -> None:
    """Solve and draw mazes without walls.

    A walker enters from outside and obeys the letters: S straight on, R turn right, L
    turn left, U turn back, ? any way. X and the outside end the walk. Entering is move
    1. The numbers around the board are the fewest moves to the goal from each entry; a
    dot means never. A step of the route shows a heading (N, E, S, W), a cell and its
    letter.

    In pictures, near entries are green and distant ones red. FILE.html is a page of the
    network with all routes to replay. FILE.txt contains the letters.

    Exit code 0 if the goal can be reached, 1 if not, 2 on bad input.

    \b
    From standard input:
      echo XRX/XGX/?LX | oneway maze -
    A random maze:
      oneway maze random:8,seed=4 -o maze.html
    """
    letters = read_maze(board)
    solution = solve(letters)
    chosen = letters.entry(entry) if entry else None
    if as_json:
        console.emit(to_json(solution, chosen))
    elif output is None:
        console.say(as_text(solution, chosen))
    if output and output.suffix == ".txt":
        write_whole(output, f"{letters}\n")
    elif output and output.suffix == ".html":
        write_whole(output, page(solution, chosen))
    elif output:
        write_pictures([(output, draw_maze(solution, entry=chosen))])
    if output and not as_json:
        console.say(f"{output}: {solution.headline(chosen)}")
    raise Exit(0 if solution.route(chosen) else 1)
