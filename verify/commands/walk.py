"""`oneway walk`: random walks that obey rules, or an exact oracle."""

from typing import TYPE_CHECKING, Annotated

import typer

from verify.console import (
    JsonOption,
    OracleOption,
    PictureOption,
    RulesOption,
    SeedOption,
    announce_compiling,
    emit,
    make_oracle,
    note,
    progress_bar,
    read_board,
    say,
)

if TYPE_CHECKING:
    from heuristic.rule import RuleSet
    from heuristic.walker import WalkResult


def walk(
    board: Annotated[
        str, typer.Argument(help="The board: 9, 7x9, or 7x9@1,1>7,9!2,2 with walls.")
    ],
    rules: RulesOption = "seed-5",
    count: Annotated[int, typer.Option("--count", "-n", help="Number of walks.")] = 1,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    picture: PictureOption = None,
    oracle: OracleOption = "sat",
) -> None:
    """Walk at random under rules, choosing uniformly among the allowed moves.

    A walk that gets stuck is shown with the step to blame: the last position that
    could still be completed, found by the oracle. With --json one object a walk is
    printed, and last a summary. Exit code 1 if no walk was completed.

    Try: oneway walk 9 --rules seed-5 --count 10 --seed 1
    """
    from heuristic.groups import load_rules
    from heuristic.walker import RandomWalker, summarise
    from solver.errors import OptionError
    from solver.svg import draw, write_picture

    if count < 1:
        raise OptionError(f"--count {count} is not at least 1")
    place, rule_set = read_board(board), load_rules(rules)
    announce_compiling()
    walker = RandomWalker(rule_set, place, seed=seed)
    stuck, last = 0, None
    with progress_bar() as bar:
        for _ in bar.track(range(count), description=f"walks on {board}"):
            last = walker.walk()
            stuck += last.stuck
            if as_json:
                emit({"position": last.position.notation, "stuck": last.stuck})
            elif count > 1:
                word = "stuck   " if last.stuck else "complete"
                say(f"{word} {last.position.notation}")
    if as_json:
        emit({"summary": {"walks": count, "stuck": stuck, "seed": seed}})
    elif count > 1:
        sums = summarise(count, stuck)
        low, high = sums.before_error_interval
        say(
            f"{count - stuck} of {count} walks completed; {sums.before_error:.3g} walks"
        )
        say(f"before an error (95 % interval {low:.3g} to {high:.3g})")
    elif last:
        _show(last, rule_set, oracle)
    if picture and last:
        write_picture(draw(last.position), picture)
        note(f"picture: {picture}")
    raise typer.Exit(1 if stuck == count else 0)


def _show(result: "WalkResult", rule_set: "RuleSet", oracle: str) -> None:
    from solver.oracle import decide_moves
    from verify.completeness import blame
    from verify.tell import lines

    say(str(result.position))
    say(result.position.notation)
    if not result.stuck:
        say("complete")
        return
    judge = make_oracle(oracle)
    guilty = blame(result.position, judge)
    step = len(guilty.walk)
    if step == len(result.position.walk):
        say("stuck, though a completion exists: the rules forbid every good move")
    else:
        taken = result.position.moves[step - 1]
        say(f"stuck after {len(result.position.walk) - 1} moves; move {step}, {taken},")
        say("was the mistake. Before it a completion existed:")
    for line in lines(guilty, rule_set.forbids(guilty), decide_moves(judge, guilty)):
        say(line)
