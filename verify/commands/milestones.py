"""`oneway milestones`: left-first runs that show when each rule is first needed."""

from typing import Annotated

import typer
from typer import Option

from verify.commands import options
from verify.commands.console import emit, progress, say, table
from verify.commands.rulesets import rules_of
from verify.evidence.evidence import milestones as left_first_run

RULES = ["seed-9-size"]


def milestones(
    board: Annotated[str, typer.Argument(help="A board: 5, 7, 9 ...")],
    rules: options.Rules = RULES,
    count: int = options.count(1_000_000, "Walks to complete; 0: all.", 0),
    stop_stuck: bool = Option(False, "--stop-stuck", help="Stop where it is stuck."),
    as_json: options.Json = False,
) -> None:
    """Walk left first and print when each rule was first needed.

    A rule is first needed when it alone forbids a move. Walks beyond a position that
    was seen before are counted instead of walked. To see where the walk gets stuck
    without a rule, leave it out.

    \b
    Without a rule:
      oneway milestones 7 --rules seed-7,-c-shape --stop-stuck
    """
    rule_set = rules_of(rules or [])
    place = options.read_board(board)
    with progress(f"walks on {place.notation}", count or None) as bar:
        run = left_first_run(
            rule_set, place, walks=count, stop_stuck=stop_stuck, progress=bar.update
        )
    stuck_at = [(walks, position.notation) for walks, position in run.stuck_at]
    if as_json:
        emit(
            {
                "rules": rule_set.name,
                "board": place.notation,
                "completed": run.completed,
                "stuck": run.stuck,
                "steps": run.steps,
                "finished": run.finished,
                "needed": run.needed,
                "stuck at": stuck_at,
            }
        )
        return
    say(f"{run.completed:,} walks completed, {run.stuck:,} positions stuck")
    say("everything was tried" if run.finished else "the run is not finished")
    say(*(f"stuck after {walks:,} walks: {notation}" for walks, notation in stuck_at))
    firsts = [[first, rule] for rule, first in run.needed.items()]
    table("First needed after so many walks", ["walks", "rule"], firsts)
