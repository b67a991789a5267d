"""`oneway milestones`: left-first runs that tell when each rule is first needed."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    RulesOption,
    emit,
    joined,
    progress_bar,
    read_board,
    say,
    table,
)

if TYPE_CHECKING:
    from rich.progress import TaskID


RULES = ["seed-9-size"]


def milestones(
    board: Annotated[str, typer.Argument(help="A board: 5, 7, 9 ...")],
    rules: RulesOption = RULES,
    walks: Annotated[
        int,
        typer.Option(
            "--count", "-n", "--walks", help="Stop after so many completed walks."
        ),
    ] = 1_000_000,
    state: Annotated[
        Path | None,
        typer.Option("--state", help="JSON file; a run found there goes on."),
    ] = None,
    stop_stuck: Annotated[
        bool, typer.Option("--stop-stuck", help="Stop at the next stuck position.")
    ] = False,
    without_each: Annotated[
        int,
        typer.Option(
            "--without-each",
            help="Then run without each needed rule until stuck, or so many walks.",
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Walk left first; tell when each rule was first needed and where it got stuck.

    A rule is first needed when it alone forbids a move. With --state the run is saved
    every few seconds, and the same command takes it up again.

    Try: oneway milestones 7 --rules seed-7 -n 1000
    """
    from solver.errors import OptionError
    from verify.evidence.milestones import MilestoneRun

    if walks < 1:
        raise OptionError(f"--count {walks} is not at least 1")
    if without_each < 0:
        raise OptionError(f"--without-each {without_each} is negative")
    named = joined(rules)
    run = MilestoneRun(named, read_board(board), state)
    with progress_bar() as bar:
        task = bar.add_task(f"walks of {board}", total=walks)
        run.run(
            walks=walks,
            progress=lambda done: bar.update(task, completed=done),
            stop_stuck=stop_stuck,
        )
    walker = run.walker
    if without_each:
        with progress_bar() as bar:
            for rule, first in walker.needed.items():
                task = bar.add_task(f"without {rule}", total=without_each)

                def tick(done: int, first: int = first, task: "TaskID" = task) -> None:
                    bar.update(task, completed=done - first)

                run.try_without(rule, walks=without_each, progress=tick)
                bar.remove_task(task)
    needed = sorted(walker.needed.items(), key=lambda pair: pair[1])
    if as_json:
        emit(
            {
                "rules": named,
                "board": walker.board.notation,
                "completed": walker.completed,
                "stuck": walker.stuck,
                "steps": walker.steps,
                "finished": run.finished,
                "needed": dict(needed),
                "stuck at": run.stuck_at,
                "without": {rule: asdict(one) for rule, one in run.without.items()},
            }
        )
        return
    say(f"{walker.completed:,} walks completed, {walker.stuck:,} positions stuck")
    say("everything was tried" if run.finished else "the run is not finished")
    for completed, notation in run.stuck_at:
        say(f"stuck after {completed:,} walks: {notation}")
    rows = [[f"{completed:,}", rule] for rule, completed in needed]
    table("First needed after so many walks", ["walks", "rule"], rows)
    rows = []
    for rule, _ in needed:
        if one := run.without.get(rule):
            end = "nothing, all was tried" if one.finished else "not stuck until then"
            rows.append([f"{one.completed:,}", rule, one.stuck_at or end])
    if rows:
        table("Stuck without the rule", ["walks", "rule", "position"], rows)
