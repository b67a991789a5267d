"""`oneway mine`: walk until stuck, blame, make the gap minimal, keep it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    BOARD_FLAGS,
    CorpusOption,
    JsonOption,
    RulesOption,
    SeedOption,
    emit,
    joined,
    kept,
    progress_bar,
    read_board,
    say,
)
from verify.words import counted

if TYPE_CHECKING:
    from verify.evidence.mining import Gap


RULES = ["universal-4"]


def mine(
    rules: RulesOption = RULES,
    size: Annotated[
        str, typer.Option(*BOARD_FLAGS, help="A board: 21, 7x9, ...")
    ] = "21",
    walks: Annotated[
        int, typer.Option("--count", "-n", "--walks", help="Walks to make.")
    ] = 1000,
    seconds: Annotated[
        float | None, typer.Option(help="Stop after so long, whatever was found.")
    ] = None,
    minimal: Annotated[
        bool, typer.Option(help="Make what is found small; else keep it as it is.")
    ] = True,
    any_board: Annotated[
        bool,
        typer.Option(
            "--any-board",
            help="The small form may have walls and ends of its own: fewer cells yet.",
        ),
    ] = False,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state", help="Remember the next walk in this file, and go on there."
        ),
    ] = None,
    seed: SeedOption = 0,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hunt for gaps: positions in which rules allow a move that spoils the board.

    Random walks under the rules; each that gets stuck is blamed on a step by an exact
    search, and the gap is made small: a position of a smaller board of its kind, with a
    dead move that the rules miss for the same reason. Both are printed and saved in the
    corpus, with what each rule says. Exit code 0 if a gap was found, 1 if none.

    Try: oneway mine --rules universal-4 --size 21 -n 5000 --state mine.json
    """
    from solver.errors import OptionError
    from verify.corpus.cases import corpus_folder
    from verify.evidence.mining import run_mine

    if walks < 1:
        raise OptionError(f"--count {walks} is not at least 1")
    if seconds is not None and not seconds > 0:
        raise OptionError(f"--seconds {seconds} is not above 0")
    board, named = read_board(size), joined(rules)

    def tell(gap: "Gap", path: Path, new: bool) -> None:
        if as_json:
            emit(
                {
                    "position": gap.position.notation,
                    "moves": gap.moves,
                    "found": gap.found.notation,
                    "seed": gap.seed,
                    "case": str(path),
                    "new": new,
                }
            )
            return
        if gap.found != gap.position:
            say(str(gap.found))
            say(f"{gap.found.notation}: where the walk of seed {gap.seed} went wrong")
        say(str(gap.position))
        say(f"{gap.position.notation}: {gap.moves} is dead, and allowed")
        say(f"case {kept(path, new)}")

    with progress_bar() as bar:
        task = bar.add_task(f"{named} on {board.notation}", total=walks)

        def progress(made: int, gaps: int) -> None:
            name = f"{named} on {board.notation}, {counted(gaps, 'gap')}"
            bar.update(task, completed=made, description=name)

        run = run_mine(
            named,
            board,
            corpus=corpus or corpus_folder(),
            walks=walks,
            seed=seed,
            seconds=seconds,
            minimal=minimal,
            any_board=any_board,
            resume=state,
            progress=progress,
            tell=tell,
        )
    summary = {"walks": run.walks, "gaps": run.gaps, "saved": run.saved}
    if as_json:
        emit({"summary": summary | {"next_seed": run.next_seed}})
    else:
        walked, found = counted(run.walks, "walk"), counted(run.gaps, "gap")
        say(f"{walked}, {found}, {counted(run.saved, 'new case')}")
    raise typer.Exit(0 if run.gaps else 1)
