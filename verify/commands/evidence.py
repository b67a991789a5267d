"""`oneway evidence`: the rules of the book on positions whose truth is known."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    NONE,
    SeedOption,
    joined,
    progress_bar,
    read_board,
    say,
    table,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from solver.board import Board


def evidence(
    boards: Annotated[list[str], typer.Argument(help="Boards: 5 7 9 ... 21.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", help="Where the report is written.")
    ] = Path("report"),
    groups: Annotated[
        list[str],
        typer.Option(
            "--groups", "-g", help="Groups: say it again, or join them by commas."
        ),
    ] = NONE,
    count: Annotated[
        int,
        typer.Option("--count", "-n", help="Positions drawn on a board over 7 x 7."),
    ] = 20_000,
    walks: Annotated[
        int,
        typer.Option("--walks", help="Random walks a board under each group."),
    ] = 0,
    seed: SeedOption = 0,
    against: Annotated[
        list[str],
        typer.Option("--against", help="Rules to compare with: universal-4 ..."),
    ] = NONE,
) -> None:
    """Ask every rule at many positions, and write tables and pictures.

    Boards up to 7 x 7 are tried on every completable position. What is found is kept in
    FOLDER/evidence.json, board by board; a board found there is not tried again.
    With --walks the report tells how many random walks each group completes before one
    gets stuck.

    With --against there is no report: dead moves that each rule of the groups forbids,
    and those of them that the other rules allow, are counted on COUNT drawn positions a
    board.

    Try: oneway evidence 5 9 --count 1000 -o report
    """
    from solver.errors import OptionError
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.evidence.evidence import EXHAUSTIVE, GROUPS, gather, walk_groups
    from verify.evidence.evidence_report import (
        load_evidence,
        save_evidence,
        summary,
        write_evidence,
    )

    if count < 1:
        raise OptionError(f"--count {count} is not at least 1")
    if walks < 0:
        raise OptionError(f"--walks {walks} is negative")
    places = [read_board(text) for text in boards]
    wanted = tuple(joined(groups).split(",")) if groups else GROUPS
    if against:
        _compare(places, wanted, joined(against), count, seed)
        return
    file = folder / "evidence.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make {folder}: {error.strerror}") from None
    found = load_evidence(file)
    for board in places:
        small = max(board.rows, board.cols) <= EXHAUSTIVE
        done = [
            one
            for one in found
            if one.board == board.notation
            and (small or (one.positions, one.seed) == (count, seed))
            and set(one.groups) == set(wanted)
        ]
        made = {(one.walks, one.seed) for old in done for one in old.walks.values()}
        if done and (not walks or made == {(walks, seed)}):
            continue
        with progress_bar() as bar:
            if done:
                one = done[0]
            else:
                total = None if small else count
                tick = _ticker(bar, f"positions of {board.notation}", total)
                one = gather(
                    board, count=count, seed=seed, groups=wanted, progress=tick
                )
            if walks:
                tick = _ticker(bar, f"walks on {board.notation}", walks * len(wanted))
                made_now = walk_groups(
                    board, count=walks, seed=seed, groups=wanted, progress=tick
                )
                one = replace(one, walks=made_now)
        found = [old for old in found if old.board != one.board] + [one]
        save_evidence(found, file)
    write_evidence(found, folder, cases_against(corpus_folder()))
    say(summary(found))
    say(f"written to {folder / 'evidence.md'} and {folder / 'evidence.html'}")


def _ticker(bar: "Progress", title: str, total: int | None) -> Callable[[int], None]:
    task = bar.add_task(title, total=total)
    return lambda done: bar.update(task, completed=done)


def _compare(
    places: "list[Board]", groups: tuple[str, ...], against: str, count: int, seed: int
) -> None:
    from heuristic.groups import load_rules
    from solver.oracles.oracle import get_oracle
    from verify.evidence.beyond import beyond
    from verify.evidence.evidence import asked_always
    from verify.evidence.sample import sampled_positions

    rules, others = asked_always(groups), load_rules(against)
    forbidden, beyond_all = Counter[str](), Counter[str]()
    for board in places:
        known = sampled_positions(board, count, seed=seed, oracle=get_oracle("search"))
        with progress_bar() as bar:
            tick = _ticker(bar, f"positions of {board.notation}", count)
            found = beyond(rules, others, known, progress=tick)
        say(
            f"{board.notation}: {against} allows {found.missed:,} of "
            f"{found.dead_moves:,} dead moves"
        )
        forbidden.update(found.forbidden)
        beyond_all.update(found.rules)
        for name, dead in found.rules.items():
            position, moves = found.examples[name]
            say(f"  {name} forbids {dead:,} of these: {position.notation} {moves}")
    rows = [
        [name, f"{count:,}", f"{beyond_all[name]:,}"]
        for name, count in forbidden.items()
    ]
    table("Dead moves", ["rule", "forbidden", f"allowed by {against}"], rows)
