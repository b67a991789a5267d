"""`oneway walk`: random walks by rules, by exact search, or uniformly at random."""

from collections.abc import Iterator
from itertools import count as numbers
from pathlib import Path

from typer import Context, Exit, Option

from heuristic.rule import RuleSet
from heuristic.walker import Statistics
from solver.board import Board, Position
from solver.counting.count import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.labyrinth import INSTRUCTIONS, draw_labyrinth
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.paper import Sheet, write_with_solutions
from solver.svg import draw, write_pictures
from verify.commands import console, options
from verify.commands.exits import one_line
from verify.formatting import counted

_LARGE = 10_000  # cells; a single walk on a larger board shows its progress
_MEMORY = 4 * 10**9  # bytes for the layers of --uniform


def walk(
    context: Context,
    board: options.Board,
    rules: options.Rules = options.SEED_5,
    exact: bool = Option(False, "--exact", help="Choose among completable moves."),
    uniform: bool = Option(False, "--uniform", help="Sample all walks equally."),
    count: options.Count = 1,
    seed: options.Seed = 0,
    walls: options.Walls = False,
    paper: options.Paper = "a4",
    title: options.Title = "",
    invert: options.Invert = False,
    as_json: options.Json = False,
    output: Path | None = options.output(
        "Pictures, FILE.svg or FILE.png; FILE.pdf to print.", ".svg", ".png", ".pdf"
    ),
) -> None:
    """Walk at random among the moves that rules allow.

    For a stuck walk, `oneway` prints the command that shows its mistake.

    With --exact every walk is completed. With --uniform every complete walk has the
    same probability. FILE.pdf holds labyrinths to print.

    Exit code 1 if no walk was completed.

    \b
    Ten walks by rules:
      oneway walk 9 --rules seed-5 --count 10 --seed 1
    On paper:
      oneway walk 21 --exact -n 8 -o mazes.pdf --paper letter:4
    """
    pdf = output is not None and output.suffix == ".pdf"
    complete = exact or uniform
    if exact and uniform:
        raise OptionError("--exact and --uniform are two ways to walk: give one")
    if (pdf or walls) and not complete:
        raise OptionError("a labyrinth is a complete walk: add --exact or --uniform")
    if walls and output is None:
        raise OptionError("--walls draws a labyrinth: add -o FILE.svg or -o FILE.pdf")
    if complete:
        options.refuse_idle(context, "with --exact or --uniform", "rules")
    if not pdf:
        options.refuse_idle(context, "without -o FILE.pdf", "paper", "title")
    sheet, place = Sheet.parse(paper), options.read_board(board, invert=invert)
    rule_set = None
    if exact:
        walks = _exact_walks(place, seed)
    elif uniform:
        walks = _uniform_walks(place, seed)
    else:
        rule_set = options.read_rules(rules)
        walker = rule_set.walker(place)
        walks = (walker.walk(number) for number in numbers(seed))
    ends: list[Position] = []
    stuck = 0
    for number in console.track(range(count), f"walks on {board}"):
        end = next(walks)
        stuck += not end.complete
        if output or number == 0:
            ends.append(end)
        if as_json:
            console.emit({"position": end.notation, "stuck": not end.complete})
        elif count > 1 and not output:
            console.say(f"{'complete' if end.complete else 'stuck   '} {end.notation}")
    if output and pdf:  # before the summary is printed: a reader may leave early
        solutions = write_with_solutions(
            output,
            lambda solved: [
                (draw_labyrinth(end, solved=solved), end.board.notation[:60])
                for end in ends
            ],
            sheet,
            title=title or ("Labyrinth" if count == 1 else "Labyrinths"),
            instructions=INSTRUCTIONS,
            footer=console.footer(),
        )
        text = console.listed(labyrinths=output, solutions=solutions)
        console.say_written(text, as_json)
    elif output:
        console.say_written(_draw(ends, output, walls), as_json)
    if as_json:
        console.emit({"summary": {"walks": count, "stuck": stuck, "seed": seed}})
    elif count > 1:
        before, interval = Statistics(count, stuck).in_words()
        error = f"walks before an error: {before} (95 % interval {interval})"
        console.say(f"{count - stuck:,} of {count:,} walks completed; {error}")
    elif not output:
        _show(ends[0], rule_set)
    raise Exit(1 if stuck == count else 0)


def _exact_walks(board: Board, seed: int) -> Iterator[Position]:
    for number in numbers(seed):
        with console.progress("cells of a walk", board.open_cells) as bar:
            large = board.cells > _LARGE
            walk = exact_walk(board, number, progress=bar.update if large else None)
        if walk.verdict is Verdict.UNKNOWN:
            why = get_oracle("auto").decide(walk.position).why or walk.verdict.value
            raise OptionError(f"no answer about {walk.position.notation}: {why}")
        yield walk.position


def _uniform_walks(board: Board, seed: int) -> Iterator[Position]:
    with console.progress(f"layers of {board.notation[:40]}") as bar:
        walks = UniformWalks(board, seed=seed, memory=_MEMORY, progress=bar.advance)
    while True:
        yield walks.draw()


def _draw(walks: list[Position], output: Path, walls: bool) -> str:
    """Write a picture of each walk; return what was written."""
    svg = draw_labyrinth if walls else draw
    files = options.numbered(output, len(walks))
    pairs = console.track(list(zip(files, walks, strict=True)), "pictures")
    write_pictures((file, svg(walk)) for file, walk in pairs)
    if len(files) > 1:
        return f"pictures: {console.shown(files[0])} to {one_line(files[-1].name)}"
    return f"{'complete' if walks[0].complete else 'stuck'}: {console.shown(output)}"


def _show(place: Position, rule_set: RuleSet | None) -> None:
    """Print a walk; if it got stuck, also how to see its mistake."""
    console.say_position(place)
    if place.complete:
        console.say("complete")
        return
    if rule_set is None:
        raise NoWalkError(place.board.notation)
    console.say(f"stuck after {counted(len(place.moves), 'move')}")
    words = ("check", "--blame", place.notation, "--rules", rule_set.name)
    console.say(f"to see its mistake: {console.command_line(*words)}")
