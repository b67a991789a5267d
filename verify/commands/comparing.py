"""`oneway verify --along` and `--against`: complete walks, and other rules."""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from verify.commands.console import emit, joined, progress_bar, say, table
from verify.commands.running import How, conduct
from verify.words import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from solver.board import Board


def along_walks(
    how: How, words: list[str], asked: tuple[int, int, int], as_json: bool
) -> bool:
    """Ask rules along complete walks and print it; True if none was wrong.

    `asked` are walks, the longest side, and the seed.
    """
    from dataclasses import asdict

    from verify.trial.completed import completed_walks

    count, side, seed = asked
    parameters = {"rules": words, "count": count, "side": side, "seed": seed}
    found = conduct(completed_walks, parameters, how)
    wrong = {name: times for name, times in found.wrong.items() if times}
    if as_json:
        emit(asdict(found))
        return not wrong
    rows = [
        [name, f"{found.fired[name]:,}", f"{times:,}"]
        for name, times in found.wrong.items()
    ]
    title = f"Along {found.walks:,} complete walks up to {side} x {side}"
    table(title, ["rule", "fired at", "wrong at"], rows)
    say(
        f"{found.walks:,} walks, {found.walled:,} of them among walls; "
        f"{found.steps:,} steps; {counted(len(wrong), 'rule')} wrong"
    )
    if found.example:
        say(f"the first: {found.example}")
    return not wrong


def _advance(bar: "Progress", task: "TaskID", done: int) -> None:
    bar.update(task, completed=done)


def compare_with(
    against: list[str],
    words: list[str],
    boards: "list[Board]",
    drawn: tuple[int, int],
    as_json: bool,
) -> None:
    """Count dead moves that each rule forbids and others allow, and print them.

    `drawn` are the positions drawn on each board, and the seed.
    """
    from heuristic.groups import load_rules
    from solver.oracles.oracle import get_oracle
    from verify.trial.evidence import asked_always, beyond, sampled_positions

    named, (count, seed) = joined(against), drawn
    rules, others = asked_always(words), load_rules(named)
    forbidden, allowed = Counter[str](), Counter[str]()
    for board in boards:
        known = sampled_positions(board, count, seed=seed, oracle=get_oracle("search"))
        with progress_bar() as bar:
            task = bar.add_task(f"positions of {board.notation}", total=count)
            tick = partial(_advance, bar, task)
            found = beyond(rules, others, known, progress=tick)
        if not as_json:
            say(
                f"{board.notation}: {named} allows {found.missed:,} of "
                f"{found.dead_moves:,} dead moves"
            )
        forbidden.update(found.forbidden)
        allowed.update(found.rules)
        for name, dead in found.rules.items():
            position, moves = found.examples[name]
            if as_json:
                emit(
                    {
                        "board": board.notation,
                        "rule": name,
                        "forbidden": found.forbidden[name],
                        "allowed": dead,
                        "position": position.notation,
                        "moves": moves,
                    }
                )
            else:
                say(f"  {name} forbids {dead:,} of these: {position.notation} {moves}")
    if not as_json:
        rows = [[name, f"{n:,}", f"{allowed[name]:,}"] for name, n in forbidden.items()]
        table("Dead moves", ["rule", "forbidden", f"allowed by {named}"], rows)
