"""`oneway count`: how many completions a position has, and each of its moves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    emit,
    lines_or,
    parse_line,
    progress_bar,
    say,
    table,
)
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from solver.board import Position
    from solver.counting.count import Limits
    from solver.counting.plan import Plan

GIGABYTE = 1e9
_MOST = 1e9  # gigabytes, more than any machine has: a number that bytes fit in
LONG = 500_000_000  # states from which a count is a campaign: about a second

MemoryOption = Annotated[
    float, typer.Option("--memory", help="Gigabytes that the layers may take.")
]
LayersOption = Annotated[
    Path | None,
    typer.Option("--layers", help="Folder for the layers, if memory is too small."),
]


def limits_of(memory: float, layers: Path | None) -> "Limits":
    """Return the limits of a count from what the options say."""
    from solver.counting.count import Limits
    from solver.errors import OptionError
    from solver.files import make_folder

    if not 0 < memory <= _MOST:
        raise OptionError(f"--memory {memory:g} is not above 0 and at most {_MOST:g}")
    if layers is not None:
        make_folder(layers)
    return Limits(int(memory * GIGABYTE), layers)


@campaigning
def count(
    how: How,
    position: Annotated[
        str, typer.Argument(help="A position such as 9:RRDD, or - for one a line.")
    ],
    states: Annotated[
        bool,
        typer.Option("--states", help="Say what a count takes; count nothing."),
    ] = False,
    twice: Annotated[
        bool,
        typer.Option("--twice", help="Count a second time modulo other primes."),
    ] = False,
    memory: MemoryOption = 4.0,
    layers: LayersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count completions exactly: of a position, and of every move.

    By frontier dynamic programming, without listing them: milliseconds on 9 x 9, less
    than a second on 13 x 13, where there are 17,337,631,013,706,758,184,626, minutes on
    19 x 19. The shorter side is what costs; --states says how much, at once.

    What takes long is a campaign: with processes (--jobs), stopped at any time, and the
    same line goes on. Exit code 1 if a position has no completion.

    Try: oneway count 9:RRDD

    All walks from corner to corner: oneway count 11:

    Further than the tables go: oneway count 19: --twice
    """
    from solver.nowalk import why_dead

    limits = limits_of(memory, layers)
    alive = True
    for where, text in lines_or(position):
        place = parse_line(where, text)
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


def _count(
    place: "Position", limits: "Limits", how: How, twice: bool
) -> dict[str, int]:
    """Count at once, or as a campaign if it takes more than a second or so."""
    from solver.counting.count import count_moves, targets_of
    from solver.counting.plan import make_plan
    from verify.trial.campaigns import long_count

    plans = [make_plan(target) for target in targets_of(place)]
    for plan in plans:
        limits.check(plan)
    work = sum(plan.total for plan in plans)
    if not twice and work < LONG and how == How():
        with progress_bar() as bar:
            title = f"states of {place.notation[:40]}"
            task = bar.add_task(title, total=_states(plans))

            def progress(made: int) -> None:
                bar.advance(task, made)

            return count_moves(place, limits=limits, progress=progress)
    size = max((plan.bytes_of(1, kept=False) for plan in plans), default=1)
    most = how.jobs if limits.layers else max(1, limits.memory // size)
    parameters = {
        "position": place.notation,
        "twice": twice,
        "layers": str(limits.layers) if limits.layers else None,
    }
    how = how._replace(jobs=min(how.jobs, int(most)))
    return conduct(long_count, parameters, how)


def _states(plans: "list[Plan]") -> int:
    """Return the states that counting makes: of each plan so many times as moduli."""
    from solver.counting.count import moduli_for, most_completions

    passes = (len(moduli_for(most_completions(plan))) for plan in plans)
    return sum(plan.total * many for plan, many in zip(plans, passes, strict=True))


def _print_states(place: "Position", as_json: bool) -> None:
    """Print the states, bytes and seconds that a count takes, row by row."""
    from solver.counting import masks
    from solver.counting.count import moduli_for, most_completions, targets_of
    from solver.counting.plan import make_plan
    from solver.counting.run import gigabytes
    from verify.trial.campaigns import SECONDS
    from verify.words import span

    for target in targets_of(place):
        plan = make_plan(target)
        passes = len(moduli_for(most_completions(plan)))
        rows: dict[int, int] = {}
        for row, width in zip(plan.cells[:, masks.ROW], plan.states, strict=True):
            rows[int(row) + 1] = max(rows.get(int(row) + 1, 0), int(width))
        seconds = plan.total * passes * SECONDS
        size = plan.bytes_of(1, kept=False)
        many = span(seconds) if seconds >= 0.1 else "0.1 s"
        if as_json:
            emit(
                {
                    "position": target.notation,
                    "widest": plan.widest,
                    "states": plan.total,
                    "moduli": passes,
                    "bytes": size,
                    "seconds": seconds,
                    "rows": rows,
                }
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
