"""`oneway maze`: solve and draw mazes without walls."""

from pathlib import Path
from typing import Annotated

import typer

from solver.errors import OptionError
from solver.files import write_whole
from solver.puzzles.maze import svg
from solver.puzzles.maze.board import Entry
from solver.puzzles.maze.solve import Solution
from solver.puzzles.maze.solve import solve as find_routes
from solver.svg import write_picture
from verify.commands import options
from verify.commands.console import emit, note, say
from verify.commands.options import argument, option
from verify.puzzles.maze.reading import read_maze
from verify.puzzles.maze.story import as_text, page, to_json

app = typer.Typer(
    no_args_is_help=True,
    help="The maze without walls. A walker enters from outside and obeys the letters: "
    "S straight on, R turn right, L turn left, U turn back, ? any way; X and the "
    "outside are the end. Can it reach the goal, and in how many moves?\n\n"
    "A board is a file of rows such as LUU?ULXL with one goal, G or *. "
    "Try: oneway maze solve random:6",
)

FileArgument = Annotated[
    str,
    argument(
        "Rows of letters; - is standard input; random:8,seed=4,moves=12 is a random "
        "board of 8 x 8 that needs at least 12 moves."
    ),
]
EntryOption = Annotated[
    str, option("--entry", "Enter here instead of the best entry: top4, left2 ...")
]


@app.command()
def solve(
    file: FileArgument, entry: EntryOption = "", as_json: options.Json = False
) -> None:
    """Find the fewest moves to the goal from every entry, and a shortest route.

    Entering is move 1. The numbers round the board are the fewest moves from each
    entry; a dot means that the goal cannot be reached. Each step of the route is the
    heading (N, E, S, W) and the cell entered, (row, column) from 1, with its letter.

    Exit code 0 if the goal can be reached, 1 if not, 2 on bad input.

    Try: echo XRX/XGX/?LX | oneway maze solve -
    """
    solution, chosen = _solved(file, entry)
    if as_json:
        emit(to_json(solution, chosen))
    else:
        say(as_text(solution, chosen))
    raise typer.Exit(0 if solution.route(chosen) else 1)


@app.command()
def draw(
    file: FileArgument,
    output: Path = option("--output -o", "FILE.svg, .png, .html or .txt."),
    entry: EntryOption = "",
) -> None:
    """Draw a maze with its best route, the entries coloured by distance.

    Green entries are near, red ones far, grey ones hopeless. A hopeless --entry has no
    route. FILE.html is a page with the network: drag the nodes, replay the route of any
    entry, let the network relax. FILE.txt holds the letters.

    Exit code 0 when drawn, even if the goal is out of reach; 2 on bad input.

    Try: oneway maze draw random:8,seed=4 -o maze.html
    """
    if output.suffix not in (".svg", ".png", ".html", ".txt"):
        raise OptionError(f"{output.name!r} ends in none of .svg, .png, .html and .txt")
    solution, chosen = _solved(file, entry)
    if solution.route(chosen) is None:
        note(f"no route to draw: {solution.headline(chosen)}")
    if output.suffix == ".txt":
        write_whole(output, f"{solution.maze}\n")
    elif output.suffix == ".html":
        write_whole(output, page(solution, chosen))
    else:
        write_picture(svg.draw(solution, entry=chosen), output)
    say(str(output))


def _solved(file: str, entry: str) -> tuple[Solution, Entry | None]:
    maze = read_maze(file)
    return find_routes(maze), maze.entry(entry) if entry else None
