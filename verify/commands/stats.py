"""`oneway stats`: how many random walks are completed before an error."""

from dataclasses import asdict
from typing import Annotated

import typer

from verify.commands.console import (
    SEED_5,
    JsonOption,
    RulesOption,
    SeedOption,
    emit,
    joined,
    read_board,
    table,
)
from verify.commands.running import How, campaigning, conduct


@campaigning
def stats(
    how: How,
    boards: Annotated[list[str], typer.Argument(help="Boards: 9 11 13, or 7x9 ...")],
    rules: RulesOption = SEED_5,
    count: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Walks a board.")
    ] = 1000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a rule set by random walks: how many are completed before one is stuck.

    The interval is the 95 % interval of Wilson for the share of stuck walks, turned
    into walks before an error.

    Try: oneway stats 5 7 9 11 --rules seed-5

    A million walks; stopped at any time, the same line goes on:
    oneway stats 21 --rules universal -n 1000000
    """
    from heuristic.groups import load_rules
    from verify.trial.campaigns import walk_counts

    named = joined(rules)
    load_rules(named)  # a wrong name is refused before anything is made
    places = list(dict.fromkeys(read_board(text).notation for text in boards))
    parameters = {"boards": places, "rules": named, "count": count, "seed": seed}
    found = conduct(walk_counts, parameters, how)
    rows = []
    for board, one in found.items():
        if as_json:
            ends = one.before_error_interval
            finite = [x if x < float("inf") else None for x in ends]
            entry = asdict(one) | {"board": board, "seed": seed}
            mean = one.before_error if one.stuck else None
            emit(entry | {"before_error": mean, "before_error_interval": finite})
        rows.append(
            [
                board,
                f"{one.walks:,}",
                f"{one.stuck:,}",
                f"{100 * one.error_rate:.2f} %",
                *one.in_words(),
            ]
        )
    if not as_json:
        header = ["board", "walks", "stuck", "errors", "before an error", "95 %"]
        table(f"Random walks under {named}, seed {seed}", header, rows)
