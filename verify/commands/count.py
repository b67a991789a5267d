"""`oneway count`: how many completions a position has, and each of its moves.

`oneway rank`: where walks stand in left-first order.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, say, table
from verify.commands.options import argument, flag
from verify.commands.running import How, campaigning, conduct
from verify.words import counted, span

if TYPE_CHECKING:
    from solver.board import Board, Position
    from solver.counting.count import Limits
    from solver.counting.plan import Plan


GIGABYTE = 1e9
_MOST = 1e9  # gigabytes, more than any machine has: a number that bytes fit in
LONG = 500_000_000  # states from which a count is a campaign: about a second


def limits_of(memory: float, layers: Path | None) -> "Limits":
    """Return the limits of a count from what the options say."""
    from solver.counting.count import Limits
    from solver.files import make_folder

    if not 0 < memory <= _MOST:
        raise OptionError(f"--memory {memory:g} is not above 0 and at most {_MOST:g}")
    if layers is not None:
        make_folder(layers)
    return Limits(int(memory * GIGABYTE), layers)


@campaigning
def count(
    how: How,
    position: str = argument("A position such as 9:RRDD, or - for one a line."),
    states: bool = flag("--states", "Say what a count takes; count nothing."),
    twice: bool = flag("--twice", "Count a second time modulo other primes."),
    cycles: bool = flag("--cycles", "Of a board: its Hamiltonian cycles."),
    paths: bool = flag("--paths", "Of a board: its Hamiltonian paths of any ends."),
    b_file: bool = flag(
        "--b-file", "A line a board, as OEIS: squares up to 8, or 4 x n up to 4x9."
    ),
    memory: options.Memory = 4.0,
    layers: options.Layers = None,
    as_json: options.Json = False,
) -> None:
    """Count completions exactly: of a position, and of every move.

    By frontier dynamic programming, without listing them: milliseconds on 9 x 9, less
    than a second on 13 x 13, where there are 17,337,631,013,706,758,184,626, minutes on
    19 x 19. The shorter side is what costs; --states says how much, at once.

    A long count uses several processes (--jobs). After a minute it is kept on disk: run
    the same command again to resume it. Exit code 1 if a position has no completion.

    Try: oneway count 9:RRDD

    All walks from corner to corner: oneway count 11:

    Further than the tables go: oneway count 19: --twice

    Hamiltonian cycles of squares, OEIS A003763: oneway count 8 --cycles --b-file
    """
    from solver.nowalk import why_dead

    limits = limits_of(memory, layers)
    if cycles and paths:
        raise OptionError("--cycles and --paths are two counts: give one")
    if cycles or paths or b_file:
        if states or twice or how != How():
            raise OptionError(
                "--cycles, --paths and --b-file take --memory, --layers and --json "
                "alone: leave out the other options"
            )
        kind = "cycles" if cycles else "paths" if paths else "completions"
        board = console.read_board(
            position, walkable=False, without_ends=cycles or paths
        )
        _print_totals(board, kind, b_file, limits, as_json)
        return
    alive = True
    for where, text in console.lines_or(position):
        place = console.parse_line(where, text)
        if states:
            _print_states(place, as_json)
            continue
        why = why_dead(place)
        if why:
            moves = dict.fromkeys(place.options(), 0)
        else:
            moves = _count(place, limits, how, twice)
        total = 1 if place.complete else sum(moves.values())
        alive &= total > 0
        if as_json:
            found = {"position": place.notation, "completions": total, "moves": moves}
            emit(found | ({"why": why} if why else {}))
            continue
        say(f"{place.notation}  {total:,}" + (f": {why}" if why else ""))
        for move, number in moves.items():
            say(f"  {move}  {number:,}")
    raise typer.Exit(0 if alive else 1)


def _print_totals(
    board: "Board", kind: str, b_file: bool, limits: "Limits", as_json: bool
) -> None:
    """Print one number of a board, or those of a sequence that ends with it."""
    from solver.board import Board, Position
    from solver.counting.count import count_completions
    from solver.counting.totals import count_cycles, count_paths
    from solver.notation import print_board
    from solver.nowalk import why_dead

    rows, cols = board.rows, board.cols
    if b_file and board != Board(rows, cols):
        raise OptionError(
            "--b-file takes a rectangle without walls or ends, such as 8 or 4x9, not "
            f"{print_board(board, without_ends=kind != 'completions')}"
        )
    boards = [board]
    if b_file:
        boards = [Board(n if rows == cols else rows, n) for n in range(1, cols + 1)]
    for one in boards:
        named = print_board(one, without_ends=kind != "completions")
        if kind == "cycles":
            number = count_cycles(one, limits=limits)
        elif kind == "paths":
            with console.counting(f"pairs of ends of {one.notation[:40]}") as moved:
                number = count_paths(one, limits=limits, progress=moved)
        else:
            place = Position(one)
            number = 0 if why_dead(place) else count_completions(place, limits=limits)
        if as_json:
            emit({"board": named, kind: number})
        elif b_file:
            say(f"{one.cols} {number}")
        else:
            say(f"{named}  {counted(number, kind.removesuffix('s'))}")


def _count(
    place: "Position", limits: "Limits", how: How, twice: bool
) -> dict[str, int]:
    """Count at once, or as a campaign if it takes more than a second or so."""
    from solver.counting.count import count_moves, targets_of
    from solver.counting.plan import make_plan
    from verify.evidence.campaigns import long_count

    plans = [make_plan(target) for target in targets_of(place)]
    for plan in plans:
        limits.check(plan)
    work = sum(plan.total for plan in plans)
    if not twice and work < LONG and how == How():
        title = f"states of {place.notation[:40]}"
        states = sum(plan.total * len(_moduli(plan)) for plan in plans)
        with console.ticking(title, states) as tick:
            return count_moves(place, limits=limits, progress=tick)
    size = max((plan.bytes_of(1, kept=False) for plan in plans), default=1)
    most = how.jobs if limits.layers else max(1, limits.memory // size)
    parameters = {
        "position": place.notation,
        "twice": twice,
        "layers": str(limits.layers) if limits.layers else None,
    }
    how = how._replace(jobs=min(how.jobs, int(most)))
    return conduct(long_count, parameters, how)


def _moduli(plan: "Plan") -> tuple[int, ...]:
    """Return the moduli of a count, each of which makes all states anew."""
    from solver.counting.count import moduli_for, most_completions

    return moduli_for(most_completions(plan))


def _print_states(place: "Position", as_json: bool) -> None:
    """Print the states, bytes and seconds that a count takes, row by row."""
    from solver.counting import layers
    from solver.counting.count import targets_of
    from solver.counting.plan import make_plan
    from solver.counting.run import gigabytes
    from verify.evidence.campaigns import SECONDS

    for target in targets_of(place):
        plan = make_plan(target)
        passes = len(_moduli(plan))
        rows: dict[int, int] = {}
        for row, width in zip(plan.cells[:, layers.ROW], plan.states, strict=True):
            rows[int(row) + 1] = max(rows.get(int(row) + 1, 0), int(width))
        seconds = plan.total * passes * SECONDS
        size = plan.bytes_of(1, kept=False)
        many = span(seconds) if seconds >= 0.1 else "0.1 s"
        if as_json:
            emit(
                position=target.notation,
                widest=plan.widest,
                states=plan.total,
                moduli=passes,
                bytes=size,
                seconds=seconds,
                rows=rows,
            )
            continue
        line = "column" if plan.turned else "row"
        table(
            f"Widest layer of each {line} of {target.notation}",
            [line, "states"],
            [[str(row), f"{width:,}"] for row, width in rows.items()],
        )
        say(
            f"{target.notation}  widest {plan.widest:,} states, {plan.total:,} in "
            f"{len(plan.states)} layers; {passes} moduli, {gigabytes(size)} each, "
            f"about {many} in all"
        )


WIDEST = 2_000_000  # states of a layer: 15 x 15, a second a count


def rank(
    position: str = argument("A position such as 9:RRDD, or - for one a line."),
    number: int | None = argument(
        "A rank, from 0 on: the complete walk of that rank.", None
    ),
    as_json: options.Json = False,
) -> None:
    """Print how many complete walks come before a position in left-first order.

    At each step the move left of the last step comes first, then straight, then right;
    the first step R before D. Of a complete walk that is its number, from 0 on. It is
    the sum of the completions of all earlier siblings of the walk's steps, counted
    exactly: less than 0.1 s on 9 x 9, about a second on 11 x 11.

    With a board and a NUMBER the other way round: the complete walk of that rank.

    Try: oneway rank 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD

    The walk with a million before it: oneway rank 9 1000000
    """
    from solver.board import Position
    from solver.counting.count import rank as rank_of
    from solver.counting.count import unrank

    if number is not None:
        place = Position(console.read_board(position))
        _check(place)
        with console.ticking("steps", place.unvisited) as tick:
            walk = unrank(place.board, number, progress=tick)
        if as_json:
            emit(position=walk.notation, rank=number)
        else:
            console.say_position(walk)
        return
    for where, text in console.lines_or(position):
        place = console.parse_line(where, text)
        _check(place)
        with console.ticking("steps", len(place.moves)) as tick:
            found = rank_of(place, progress=tick)
        if as_json:
            emit(position=place.notation, rank=found)
        else:
            say(f"{place.notation}  {found:,}")


def _check(place: "Position") -> None:
    """Refuse boards on which every count would take more than about a second."""
    from solver.board import Position
    from solver.counting.count import targets_of
    from solver.counting.plan import TooLargeError, make_plan

    for target in targets_of(Position(place.board)):
        plan = make_plan(target)
        if plan.widest > WIDEST:
            raise TooLargeError(
                f"a rank on {place.board.notation} takes hundreds of counts of "
                f"{plan.total:,} states each: too many; up to {WIDEST:,} states in a "
                "layer will do"
            )
