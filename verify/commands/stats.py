"""`oneway stats`: how many random walks are completed before an error."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    SEED_5,
    JsonOption,
    RulesOption,
    SeedOption,
    announce_compiling,
    emit,
    joined,
    progress_bar,
    read_board,
    table,
)

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from heuristic.walks.walker import WalkResult


def _advance(bar: "Progress", task: "TaskID", _: "WalkResult") -> None:
    bar.advance(task)


def stats(
    boards: Annotated[list[str], typer.Argument(help="Boards: 9 11 13, or 7x9 ...")],
    rules: RulesOption = SEED_5,
    count: Annotated[int, typer.Option("--count", "-n", help="Walks a board.")] = 1000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a rule set by random walks: how many are completed before one is stuck.

    The interval is the 95 % interval of Wilson for the share of stuck walks, turned
    into walks before an error.

    Try: oneway stats 5 7 9 11 --rules seed-5
    """
    from heuristic.groups import load_rules
    from heuristic.walks.walker import statistics
    from solver.errors import OptionError

    if count < 1:
        raise OptionError(f"--count {count} is not at least 1")
    named = joined(rules)
    rule_set = load_rules(named)
    places = [read_board(text) for text in boards]
    announce_compiling()
    rows = []
    for board in places:
        with progress_bar() as bar:
            task = bar.add_task(f"walks on {board.notation}", total=count)
            tick = partial(_advance, bar, task)
            found = statistics(rule_set, board, count=count, seed=seed, progress=tick)
        if as_json:
            ends = found.before_error_interval
            finite = [x if x < float("inf") else None for x in ends]
            entry = asdict(found) | {"board": board.notation, "seed": seed}
            mean = found.before_error if found.stuck else None
            emit(entry | {"before_error": mean, "before_error_interval": finite})
        rows.append(
            [
                board.notation,
                f"{found.walks:,}",
                f"{found.stuck:,}",
                f"{100 * found.error_rate:.2f} %",
                *found.told(),
            ]
        )
    if not as_json:
        header = ["board", "walks", "stuck", "error rate", "before an error", "95 %"]
        table(f"Random walks under {named}, seed {seed}", header, rows)
