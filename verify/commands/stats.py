"""`oneway stats` and `oneway milestones`: random walks, and walks left first."""

from typing import Annotated

from typer import Argument, Option

from verify.commands import console, options
from verify.evidence.evidence import milestones as left_first_run
from verify.evidence.evidence import walk_counts

LEFT_FIRST_RULES = ["seed-9-size"]


def stats(
    boards: Annotated[list[str], Argument(help="Boards: 9 11 13, or 7x9 ...")],
    rules: options.Rules = options.SEED_5,
    count: options.Count = 1000,
    seed: options.Seed = 0,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
) -> None:
    """Measure how many random walks a rule set completes.

    The last column is the 95 % Wilson interval of walks before an error. Run the same
    command again to resume a long run.

    \b
    Several boards:
      oneway stats 5 7 9 11 --rules seed-5
    A long run:
      oneway stats 21 --rules universal -n 1000000
    """
    rule_set = options.read_rules(rules)
    places = list(dict.fromkeys(options.read_board(text) for text in boards))
    run = walk_counts(rule_set, places, count=count, seed=seed)
    rows = []
    for board, walks in console.conduct(run, jobs, cluster).items():
        share = f"{100 * walks.error_rate:.2f} %"
        rows.append([board, walks.walks, walks.stuck, share, *walks.in_words()])
    header = ["board", "walks", "stuck", "errors", "before an error", "95 %"]
    console.table(f"Random walks under {rule_set.name}, seed {seed}", header, rows)


def milestones(
    board: Annotated[str, Argument(help="A board: 5, 7, 9 ...")],
    rules: options.Rules = LEFT_FIRST_RULES,
    count: int = options.count(1_000_000, "Walks to complete; 0: all.", 0),
    stop_stuck: bool = Option(False, "--stop-stuck", help="Stop at a stuck position."),
    as_json: options.Json = False,
) -> None:
    """Walk left first and print when each rule was first needed.

    A rule is first needed when it alone forbids a move. Walks beyond a position that
    was met before are counted, not walked. To see where the walk gets stuck without a
    rule, leave that rule out.

    \b
    Without a rule:
      oneway milestones 7 --rules seed-7,-c-shape --stop-stuck
    """
    rule_set, place = options.read_rules(rules), options.read_board(board)
    with console.progress(f"walks on {place.notation}", count or None) as bar:
        run = left_first_run(
            rule_set, place, walks=count, stop_stuck=stop_stuck, progress=bar.update
        )
    stuck_at = [(walks, place.notation) for walks, place in run.stuck_at]
    if as_json:
        names = ("completed", "stuck", "steps", "finished", "needed")
        about = {"rules": rule_set.name, "board": place.notation}
        counts = {name: getattr(run, name) for name in names}
        console.emit(about | counts | {"stuck at": stuck_at})
        return
    console.say(f"{run.completed:,} walks completed, {run.stuck:,} positions stuck")
    console.say("everything was tried" if run.finished else "the run is not finished")
    console.say(*(f"stuck after {n:,} walks: {where}" for n, where in stuck_at))
    firsts = [[first, rule] for rule, first in run.needed.items()]
    console.table("First needed after", ["walks", "rule"], firsts)
