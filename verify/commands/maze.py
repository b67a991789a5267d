"""`oneway maze`: solve, draw and make mazes without walls, and count random ones.

`oneway path`: the referee of PATH, and its trial by the SAT oracle.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from solver.errors import OptionError
from solver.files import check_regular
from verify.commands import options
from verify.commands.console import emit, note, say, table
from verify.commands.options import argument, flag, option
from verify.commands.running import How, campaigning, conduct

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
        "Rows of letters; - is standard input, random:8,seed=4,moves=12,S=2,X=1 a "
        "random board of 8 x 8 that needs 12 moves at least, letters by weight."
    ),
]
EntryOption = Annotated[
    str, option("--entry", "Enter here, not at the best entry: top4, left2 ...")
]


@app.command()
def solve(
    file: FileArgument, entry: EntryOption = "", as_json: options.Json = False
) -> None:
    """Find the fewest moves to the goal, the best entry, the route, every entry.

    Entering is move 1. Round the board stand the fewest moves from each entry, a dot
    where the goal cannot be reached. The route is given move by move: the heading (N,
    E, S, W) and the cell entered, (row, column) from 1, with its letter.

    Exit code 0 if the goal can be reached, 1 if not, 2 on bad input.

    Try: echo XRX/XGX/?LX | oneway maze solve -
    """
    from solver.puzzles.maze.solve import solve as find_routes
    from verify.puzzles.maze.stats import read_maze
    from verify.puzzles.maze.story import as_text, to_json

    maze = read_maze(file)
    solution = find_routes(maze)
    chosen = maze.entry(entry) if entry else None
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

    Green entries are near, red ones far, grey ones hopeless; from a hopeless --entry no
    route is drawn. FILE.html is the network as a page that needs nothing else: drag
    the nodes, replay the route of any entry, let the network relax. FILE.txt are the
    letters.

    Exit code 0 when drawn, though the goal may be out of reach; 2 on bad input.

    Try: oneway maze draw random:8,seed=4 -o maze.html
    """
    from solver.files import write_whole
    from solver.puzzles.maze.solve import solve as find_routes
    from solver.puzzles.maze.svg import draw as draw_svg
    from solver.svg import write_picture
    from verify.puzzles.maze.stats import read_maze
    from verify.puzzles.maze.story import page

    if output.suffix not in (".svg", ".png", ".html", ".txt"):
        raise OptionError(f"{output.name!r} ends in none of .svg, .png, .html and .txt")
    maze = read_maze(file)
    solution = find_routes(maze)
    chosen = maze.entry(entry) if entry else None
    if solution.route(chosen) is None:
        note(f"no route to draw: {solution.headline(chosen)}")
    if output.suffix == ".txt":
        write_whole(output, f"{maze}\n")
    elif output.suffix == ".html":
        write_whole(output, page(solution, chosen))
    else:
        write_picture(draw_svg(solution, entry=chosen), output)
    say(str(output))


@app.command()
@campaigning
def stats(
    how: How,
    sizes: list[int] = argument("Sizes: 4 8 16."),
    weights: list[str] | None = option(
        "--weights -w",
        "Weights of the letters, S=2,L=1,...; give it again for more curves "
        "(default: all six alike).",
        None,
    ),
    vary: str = option(
        "--vary",
        "X=0:0.8:9 lets the share of X go from 0 to 0.8 in 9 steps; the other "
        "letters keep their proportions.",
        "",
    ),
    mazes: int = option("--count -n --mazes", "Mazes for each figure.", 10_000, min=1),
    seed: options.Seed = 0,
    plot: Path | None = option("--output -o", "Plot to FILE.svg or FILE.png.", None),
    as_json: options.Json = False,
) -> None:
    """Estimate how likely a random maze has a route, and how long the best one is.

    The goal is anywhere, every other letter is drawn on its own. The interval is the
    95 % interval of Wilson. Moves are the fewest over all entries, of the mazes that
    have a route. The plot shows the size from left to right, a curve for each set of
    weights; with --vary the share of the letter, a curve for each size.

    The same seed gives the same figures; 10,000 mazes of 8 x 8 take some 50 ms. Run
    the same command again to resume a run of more than a minute.

    Try: oneway maze stats 4 8 16 --vary X=0:0.8:9 -o share-of-x.svg
    """
    from solver.svg import check_picture, write_picture
    from verify.puzzles.maze.stats import plot as draw_plot
    from verify.puzzles.maze.stats import surveys

    if plot is not None:
        check_picture(plot)
    parameters = {"sizes": sizes, "weights": weights or ["S=1,R=1,U=1,L=1,X=1,?=1"]}
    parameters |= {"vary": vary, "mazes": mazes, "seed": seed}
    found = conduct(surveys, parameters, how)
    if as_json:
        for survey in found:
            emit(survey.figures())
    else:
        head = ["weights", "n", "route", "95 %", "mean", "median", "95 in 100", "most"]
        table(f"{mazes} mazes each, seed {seed}", head, (x.row() for x in found))
    if plot is not None:
        axis = f"share of {vary[0]}" if vary else "rows and columns"
        write_picture(draw_plot(found, axis), plot)
        (note if as_json else say)(str(plot))


path_app = typer.Typer(
    no_args_is_help=True,
    help="PATH, a board game of two players (UVa 601, ZOJ 1255). White joins the left "
    "edge to the right one, Black the top to the bottom, by neighbouring pieces.",
)


@path_app.command()
def referee(
    file: str = argument("Boards in the contest's format; - is standard input.", "-"),
    explain: bool = flag("--explain", "Say why: path, moves, or missing pieces."),
    as_json: options.Json = False,
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
    if file != "-":
        try:
            check_regular(Path(file))
        except OptionError as error:
            raise OptionError(f"cannot read {file}: {error}") from None
    with sys.stdin.buffer if file == "-" else open(file, "rb") as stream:
        for number, board in enumerate(read_boards(stream, name), start=1):
            if as_json:
                emit(path.as_json(board, number))
            else:
                say(path.as_text(board, number) if explain else judge(board)[0].value)
            sys.stdout.flush()  # an answer is not to wait for the next board
