"""`oneway maze`: solve, draw and make mazes without walls, and count random ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    SeedOption,
    emit,
    note,
    say,
    table,
)
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from solver.puzzles.maze.board import Maze
    from solver.puzzles.maze.letters import Entry
    from solver.puzzles.maze.sample import Weights
    from verify.puzzles.maze.stats import Survey

app = typer.Typer(
    no_args_is_help=True,
    help="The maze without walls. A walker enters from outside and obeys the letters: "
    "S straight on, R turn right, L turn left, U turn back, ? any way; X and the "
    "outside are the end. Can it reach the goal, and in how many moves?\n\n"
    "A board is a file of rows such as LUU?ULXL with one goal, G or *; - is standard "
    "input. Try: echo XRX/XGX/?LX | oneway maze solve -",
)

FileArgument = Annotated[
    str, typer.Argument(help="Rows of S, L, R, U, X, ? and one G; - is standard input.")
]
EntryOption = Annotated[
    str,
    typer.Option("--entry", help="Enter here, not at the best entry: top4, left2 ..."),
]
WeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        "-w",
        help="How often letters come, S=2,L=1,...; one not named never comes "
        "(default: all six alike).",
    ),
]


@app.command()
def solve(
    file: FileArgument,
    entry: EntryOption = "",
    network: Annotated[
        bool,
        typer.Option("--network", help="Add the figures of the network of nodes."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the fewest moves to the goal, the best entry, the route, every entry.

    Entering is move 1. Round the board stand the fewest moves from each entry, a dot
    where the goal cannot be reached. The route is given move by move: the heading (N,
    E, S, W) and the cell entered, (row, column) from 1, with its letter.

    --network counts what can be reached in the network with four nodes a cell (one a
    heading) and one an entry, and how many ways of exactly k moves lead to the goal.

    Exit code 0 if the goal can be reached, 1 if not, 2 on bad input.

    Try: echo XRX/XGX/?LX | oneway maze solve -
    """
    from solver.puzzles.maze.solve import solve as find_routes
    from verify.puzzles.maze.files import read_maze
    from verify.puzzles.maze.story import as_text, network_text, to_json

    maze = read_maze(file)
    solution = find_routes(maze)
    route = solution.best if not entry else solution.route(_entry(maze, entry))
    if as_json:
        emit(to_json(solution, route, network=network))
    else:
        say(as_text(solution, route, entry=_entry(maze, entry) if entry else None))
        if network:
            say()
            say(network_text(solution))
    raise typer.Exit(0 if route is not None else 1)


@app.command()
def draw(
    file: FileArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="FILE.svg, FILE.png or FILE.html.")
    ],
    entry: EntryOption = "",
    scale: Annotated[
        float | None,
        typer.Option(help="Size of .svg and .png: a cell is 48 pixels at 1 (default)."),
    ] = None,
) -> None:
    """Draw a maze with its best route, the entries coloured by distance.

    Green entries are near, red ones far, grey ones hopeless; from a hopeless --entry no
    route is drawn. FILE.html is the network
    as a page that needs nothing else: drag the nodes, replay the route of any entry,
    colour by steps to the goal or by letter, let the network relax.

    Exit code 0 when drawn, though the goal may be out of reach; 2 on bad input.

    Try: oneway maze random --seed 4 | oneway maze draw - -o maze.html
    """
    from solver.errors import OptionError
    from solver.files import write_whole
    from solver.puzzles.maze.solve import solve as find_routes
    from solver.puzzles.maze.svg import draw as draw_svg
    from solver.svg import write_picture
    from verify.puzzles.maze.files import read_maze
    from verify.puzzles.maze.network_page import page

    if output.suffix not in (".svg", ".png", ".html"):
        raise OptionError(f"{output.name!r} ends in none of .svg, .png and .html")
    if scale is not None and output.suffix == ".html":
        raise OptionError(f"--scale is for .svg and .png, not for {output.name!r}")
    maze = read_maze(file)
    solution = find_routes(maze)
    chosen = _entry(maze, entry) if entry else None
    if solution.best is None:
        note("no route to draw: the goal cannot be reached")
    elif chosen is not None and solution.route(chosen) is None:
        note(f"no route to draw: the goal cannot be reached from {chosen}")
    if output.suffix == ".html":
        write_whole(output, page(solution, chosen))
    else:
        svg = draw_svg(solution, entry=chosen, scale=1.0 if scale is None else scale)
        write_picture(svg, output)
    say(str(output))


@app.command()
def random(
    size: Annotated[int, typer.Option("--size", help="Rows and columns.")] = 8,
    weights: WeightsOption = "",
    seed: SeedOption = 0,
    moves: Annotated[
        int,
        typer.Option(
            "--moves",
            help="Draw again until the fewest moves are at least this many; at most "
            "100,000 mazes are drawn.",
        ),
    ] = 0,
) -> None:
    """Print a random maze: the goal anywhere, other letters drawn one by one.

    With --moves it is a puzzle worth solving: the goal can be reached, but not soon.

    Exit code 1 if no maze needed as many moves.

    Try: oneway maze random --size 6 -w S=2,L=2,R=2,X=1 --moves 12 | oneway maze solve -
    """
    from solver.errors import OptionError
    from solver.puzzles.maze.board import Maze
    from solver.puzzles.maze.sample import sample
    from solver.puzzles.maze.solve import counted
    from verify.puzzles.maze.stats import first_with

    if moves < 0:
        raise OptionError(f"--moves {moves} is negative")
    if moves == 0:
        codes = sample(1, size, size, weights=_weights(weights), seed=seed)
        say(str(Maze.from_codes(codes[0])))
        return
    maze = first_with(moves, size, _weights(weights), seed=seed)
    if maze is None:
        note(f"no maze of 100,000 needs {counted(moves)} or more")
        raise typer.Exit(1)
    say(str(maze))


@app.command()
@campaigning
def stats(
    how: How,
    sizes: Annotated[list[int], typer.Argument(help="Sizes: 4 8 16.")],
    weights: Annotated[
        list[str] | None,
        typer.Option(
            "--weights",
            "-w",
            help="Weights of the letters, S=2,L=1,...; give it again for more curves "
            "(default: all six alike).",
        ),
    ] = None,
    vary: Annotated[
        str,
        typer.Option(
            "--vary",
            help="X=0:0.8:9 lets the share of X go from 0 to 0.8 in 9 steps; the other "
            "letters keep their proportions.",
        ),
    ] = "",
    mazes: Annotated[
        int, typer.Option("--count", "-n", "--mazes", help="Mazes for each figure.")
    ] = 10_000,
    seed: SeedOption = 0,
    plot: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Plot to FILE.svg or FILE.png."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Estimate how likely a random maze has a route, and how long the best one is.

    The goal is anywhere, every other letter is drawn on its own. The interval is the
    95 % interval of Wilson. Moves are the fewest over all entries, of the mazes that
    have a route. The plot shows the size from left to right, a curve for each set of
    weights; with --vary the share of the letter, a curve for each size.

    The same seed gives the same figures; 10,000 mazes of 8 x 8 take some 50 ms. Long
    work can be broken off, and the same line goes on.

    Try: oneway maze stats 4 8 16 --vary X=0:0.8:9 -o share-of-x.svg
    """
    from solver.svg import check_picture, write_picture
    from verify.puzzles.maze.plot import Curve
    from verify.puzzles.maze.plot import plot as draw_plot
    from verify.puzzles.maze.stats import chunks, plan, survey_json, surveys

    if plot is not None:
        check_picture(plot)
    chosen = [_weights(text) for text in weights or [""]]
    curves = plan(sizes, chosen, vary)
    chunks(1, mazes)  # refuses what is no number of mazes
    points = [(size, weight) for curve in curves for _, size, weight in curve.points]
    figures = [*dict.fromkeys((size, str(weight)) for size, weight in points)]
    told = [[*figure] for figure in figures]
    found = conduct(surveys, {"figures": told, "mazes": mazes, "seed": seed}, how)
    known = dict(zip(figures, found, strict=True))
    drawn = [
        Curve(
            curve.name,
            tuple((at, known[size, str(weight)]) for at, size, weight in curve.points),
        )
        for curve in curves
    ]
    if as_json:
        for size, weight in points:
            emit(survey_json(known[size, str(weight)]))
    else:
        header = [
            "weights",
            "n",
            "route",
            "95 %",
            "mean",
            "median",
            "95 in 100",
            "most",
        ]
        rows = [_survey_row(survey) for curve in drawn for _, survey in curve.points]
        table(f"{mazes} mazes each, seed {seed}", header, rows)
    if plot is not None:
        axis = f"share of {vary[0]}" if vary else "rows and columns"
        write_picture(draw_plot(drawn, axis), plot)
        (note if as_json else say)(str(plot))


def _weights(text: str) -> "Weights":
    from solver.puzzles.maze.sample import Weights

    return Weights.parse(text) if text else Weights()


def _entry(maze: "Maze", text: str) -> "Entry":
    """Read an entry such as top4."""
    from solver.errors import OptionError

    for entry in maze.entries:
        if text == f"{entry.side.value}{entry.index}":
            return entry
    raise OptionError(
        f"{text!r} is no entry of a maze of {maze.rows} x {maze.cols}; "
        "write top, right, bottom or left and a number, such as top1"
    )


def _survey_row(survey: "Survey") -> list[str]:
    low, high = survey.interval
    figures = [survey.quantile(0.5), survey.quantile(0.95), survey.quantile(1)]
    return [
        str(survey.weights),
        str(survey.size),
        f"{survey.probability:.4f}",
        f"{low:.4f}-{high:.4f}",
        "" if survey.mean is None else f"{survey.mean:.2f}",
        *("" if figure is None else str(figure) for figure in figures),
    ]
