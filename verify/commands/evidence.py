"""`oneway evidence`: the rules of the book on positions whose truth is known."""

from collections import Counter
from collections.abc import Callable
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
from verify.commands.ending import PassedOver
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from rich.progress import Progress

    from solver.board import Board


@campaigning
def evidence(
    how: How,
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
    FOLDER/evidence.json, board by board; a board found there is not tried again, unless
    --fresh says so. Runs side by side may write to one folder.
    With --walks the report tells how many random walks each group completes before one
    gets stuck.

    With --against there is no report: dead moves that each rule of the groups forbids,
    and those of them that the other rules allow, are counted on COUNT drawn positions a
    board.

    Try: oneway evidence 5 9 --count 1000 -o report
    """
    from heuristic.groups import words_of, written_rules
    from solver.errors import OptionError
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.trial.campaigns import evidence as maker
    from verify.trial.evidence import GROUPS, small
    from verify.trial.report import (
        add_evidence,
        load_evidence,
        summary,
        write_evidence,
    )

    if count < 1:
        raise OptionError(f"--count {count} is not at least 1")
    if walks < 0:
        raise OptionError(f"--walks {walks} is negative")
    places = [read_board(text) for text in boards]
    wanted = tuple(words_of(groups)) if groups else GROUPS
    written_rules(wanted)  # refuses unknown names before the work
    if against:
        _compare(places, wanted, joined(against), count, seed)
        return
    file = folder / "evidence.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make {folder}: {error.strerror}") from None
    there = {one.board: one for one in ([] if how.fresh else load_evidence(file))}
    asked, walked = [], []
    for board in {place.notation: place for place in places}.values():
        one = there.get(board.notation)
        drawn = one and (small(board) or (one.positions, one.seed) == (count, seed))
        if one is None or not drawn or {*one.groups} != {*wanted}:
            asked.append(board.notation)
            one = None
        made = {(old.walks, old.seed) for old in one.walks.values()} if one else set()
        if walks and made != {(walks, seed)}:
            walked.append(board.notation)
    if asked or walked:
        parameters = {
            "boards": asked,
            "walked": walked,
            "groups": list(wanted),
            "count": count,
            "walks": walks,
            "seed": seed,
        }
        add_evidence(*conduct(maker, parameters, how), file)
    found = write_evidence(file, cases_against(corpus_folder(), PassedOver()))
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
    from verify.trial.evidence import asked_always, beyond, sampled_positions

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
