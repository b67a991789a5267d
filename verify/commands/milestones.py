"""`oneway milestones`: left-first runs that say when each rule is first needed."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    RulesOption,
    emit,
    joined,
    read_board,
    say,
    table,
)
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from verify.trial.milestones import Milestones, Without


RULES = ["seed-9-size"]


@campaigning
def milestones(
    how: How,
    board: Annotated[str, typer.Argument(help="A board: 5, 7, 9 ...")],
    rules: RulesOption = RULES,
    walks: Annotated[
        int,
        typer.Option(
            "--count",
            "-n",
            min=0,
            help="Stop after so many completed walks; 0 for all of the board.",
        ),
    ] = 1_000_000,
    stop_stuck: Annotated[
        bool, typer.Option("--stop-stuck", help="Stop at the first stuck position.")
    ] = False,
    without: Annotated[
        int,
        typer.Option(
            "--without-each",
            min=0,
            help="Then run without each needed rule until stuck, or so many walks.",
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Walk left first; say when each rule was first needed and where it got stuck.

    A rule is first needed when it alone forbids a move. The run is cut into pieces that
    are walked apart; walks ahead of a position that was met before are counted, not
    walked. Every number is that of the one run from the start.

    Try: oneway milestones 7 --rules seed-7 -n 1000

    All of 9 x 9, where nothing is stuck: oneway milestones 9 --rules seed-2024 -n 0
    """
    from heuristic.groups import load_rules
    from verify.trial.milestones import milestones as maker
    from verify.trial.milestones import without_each

    named, place = joined(rules), read_board(board).notation
    load_rules(named)  # a wrong name is refused before anything is made
    parameters = {
        "board": place,
        "rules": named,
        "walks": walks,
        "stop_stuck": stop_stuck,
    }
    found = conduct(maker, parameters, how)
    fewer: dict[str, Without] = {}
    if without:
        needed = [[rule, *first] for rule, first in found.needed.items()]
        asked = {"rules": named, "needed": needed, "walks": without}
        fewer = conduct(without_each, asked, how._replace(ledger=None))
    if as_json:
        emit(
            {
                "rules": named,
                "board": place,
                "completed": found.completed,
                "stuck": found.stuck,
                "steps": found.steps,
                "finished": found.finished,
                "needed": {rule: first for rule, (first, _) in found.needed.items()},
                "stuck at": found.stuck_at,
                "without": {rule: asdict(one) for rule, one in fewer.items()},
            }
        )
    else:
        _print(found, fewer)


def _print(found: "Milestones", fewer: "dict[str, Without]") -> None:
    say(f"{found.completed:,} walks completed, {found.stuck:,} positions stuck")
    say("everything was tried" if found.finished else "the run is not finished")
    for completed, notation in found.stuck_at:
        say(f"stuck after {completed:,} walks: {notation}")
    rows = [[f"{first:,}", rule] for rule, (first, _) in found.needed.items()]
    table("First needed after so many walks", ["walks", "rule"], rows)
    rows = [[f"{one.completed:,}", rule, one.ending] for rule, one in fewer.items()]
    if rows:
        table("Stuck without the rule", ["walks", "rule", "position"], rows)
