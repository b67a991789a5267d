"""`oneway stats`: how many random walks are completed before one gets stuck."""

from dataclasses import asdict
from math import isfinite
from typing import Annotated

import typer

from heuristic.universal.universal import REPEATED, UniversalWalker
from solver.board import Board
from verify.commands import options
from verify.commands.console import conduct, emit, note, table
from verify.commands.rulesets import rules_of
from verify.evidence.evidence import walk_counts


def stats(
    boards: Annotated[list[str], typer.Argument(help="Boards: 9 11 13, or 7x9 ...")],
    rules: options.Rules = options.SEED_5,
    count: options.Count = 1000,
    seed: options.Seed = 0,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Measure how many random walks a rule set completes.

    The interval is the 95 % interval of Wilson for the share of stuck walks, turned
    into walks before an error. Run the same command again to resume a long run.

    \b
    Several boards:
      oneway stats 5 7 9 11 --rules seed-5
    A long run:
      oneway stats 21 --rules universal -n 1000000
    """
    rule_set = rules_of(rules or [])
    places = list(dict.fromkeys(options.read_board(text) for text in boards))
    run = walk_counts(rule_set, places, count=count, seed=seed)
    counts = conduct(run, jobs, cluster)
    rows = []
    for board, walks in counts.items():
        walker = rule_set.walker(Board.parse(board))
        if isinstance(walker, UniversalWalker) and walker.exact:
            note(
                f"{board}: exact walks, which the rules allow by theorem; up to 1,000 "
                f"cells one in {REPEATED} is made again by the rules alone"
            )
        share = f"{100 * walks.error_rate:.2f} %"
        rows.append([board, walks.walks, walks.stuck, share, *walks.in_words()])
        if as_json:
            ends = [x if isfinite(x) else None for x in walks.before_error_interval]
            before = {
                "before_error": walks.before_error if walks.stuck else None,
                "before_error_interval": ends,
            }
            emit(asdict(walks) | {"board": board, "seed": seed} | before)
    if not as_json:
        header = ["board", "walks", "stuck", "errors", "before an error", "95 %"]
        table(f"Random walks under {rule_set.name}, seed {seed}", header, rows)
