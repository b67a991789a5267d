"""`oneway milestones`: left-first runs that tell when each rule is first needed."""

from pathlib import Path
from typing import Annotated

import typer

from verify.console import (
    JsonOption,
    RulesOption,
    announce_compiling,
    emit,
    progress_bar,
    read_board,
    say,
    table,
)


def milestones(
    board: Annotated[str, typer.Argument(help="A board: 5, 7, 9 ...")],
    rules: RulesOption = "seed-9-size",
    walks: Annotated[
        int, typer.Option("--walks", "-n", help="Stop after so many completed walks.")
    ] = 1_000_000,
    state: Annotated[
        Path | None,
        typer.Option("--state", help="JSON file; a run found there goes on."),
    ] = None,
    stop_stuck: Annotated[
        bool, typer.Option("--stop-stuck", help="Stop at the next stuck position.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Walk left first; tell when each rule was first needed and where it got stuck.

    A rule is first needed when it alone forbids a move. With --state the run is saved
    every few million steps, and the same command takes it up again.

    Try: oneway milestones 7 --rules seed-7 --walks 1000
    """
    from solver.errors import OptionError
    from verify.milestones import MilestoneRun

    if walks < 1:
        raise OptionError(f"--walks {walks} is not at least 1")
    run = MilestoneRun(rules, read_board(board), state)
    announce_compiling()
    with progress_bar() as bar:
        task = bar.add_task(f"walks of {board}", total=walks)
        run.run(
            walks=walks,
            progress=lambda done: bar.update(task, completed=done),
            stop_stuck=stop_stuck,
        )
    walker = run.walker
    needed = sorted(walker.needed.items(), key=lambda pair: pair[1])
    if as_json:
        emit(
            {
                "rules": rules,
                "board": walker.board.notation,
                "completed": walker.completed,
                "stuck": walker.stuck,
                "steps": walker.steps,
                "finished": run.finished,
                "needed": dict(needed),
                "stuck at": run.stuck_at,
            }
        )
        return
    say(f"{walker.completed:,} walks completed, {walker.stuck:,} positions stuck")
    say("everything was tried" if run.finished else "the run is not finished")
    for completed, notation in run.stuck_at:
        say(f"stuck after {completed:,} walks: {notation}")
    rows = [[f"{completed:,}", rule] for rule, completed in needed]
    table("First needed after so many walks", ["walks", "rule"], rows)
