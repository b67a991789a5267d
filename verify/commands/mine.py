"""`oneway mine`: walk until stuck, blame, make the gap minimal, keep it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.commands.console import (
    AnyBoardOption,
    CorpusOption,
    JsonOption,
    MinutesOption,
    RulesOption,
    SeedOption,
    emit,
    joined,
    note,
    read_board,
    say,
    shown,
    table,
)
from verify.commands.running import How, campaigning, conduct
from verify.words import counted

if TYPE_CHECKING:
    from verify.trial.mining import Gap


RULES = ["universal-4"]


@campaigning
def mine(
    how: How,
    size: Annotated[str, typer.Argument(help="A board: 21, 7x9, ...")] = "21",
    rules: RulesOption = RULES,
    walks: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Walks to make.")
    ] = 1000,
    minutes: MinutesOption = None,
    minimal: Annotated[
        bool, typer.Option(help="Make what is found small; else keep it as it is.")
    ] = True,
    any_board: AnyBoardOption = False,
    seed: SeedOption = 0,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hunt for gaps: positions in which rules allow a move that spoils the board.

    Random walks under the rules; each that gets stuck is blamed on a step by an exact
    search, and the gap is made small: a position of a smaller board of its kind, with a
    dead move that the rules miss for the same reason. Both are printed and saved in the
    corpus, with what each rule says. Exit code 0 if a gap was found, 1 if none.

    Try: oneway mine 21 --rules universal-4 -n 5000
    """
    from heuristic.groups import load_rules
    from verify.corpus.cases import corpus_folder, save_case
    from verify.trial.mining import gap_case, gaps_of, mining

    board, named = read_board(size), joined(rules)
    rule_set, folder = load_rules(rules), corpus or corpus_folder()
    saved: dict[int, tuple[Path, bool]] = {}

    def save(gap: "Gap") -> None:
        if gap.seed not in saved:
            source = (
                f"mined on {gap.found.board.notation} with {named}, seed {gap.seed}"
            )
            case = gap_case(gap.position, gap.found, rule_set, named, source)
            saved[gap.seed] = save_case(case, folder)

    def arrived(_: int, result: dict[str, Any]) -> None:
        for gap in gaps_of(result):
            save(gap)
            note(f"found: {gap.position.notation} {gap.moves}")

    parameters = {
        "rules": named,
        "board": board.notation,
        "count": walks,
        "seed": seed,
        "minimal": minimal,
        "any_board": any_board,
    }
    limit = minutes and 60 * minutes
    mined = conduct(mining, parameters, how, seconds=limit, arrived=arrived)
    rows = []
    for gap in mined.gaps:
        save(gap)
        path, fresh = saved[gap.seed]
        if as_json:
            emit(_as_json(gap, path, fresh))
        board = gap.position.board
        size = f"{board.rows}x{board.cols}"
        state = "saved" if fresh else "there"
        rows.append(
            [path.stem, size, str(board.open_cells), gap.moves, str(gap.seed), state]
        )
    new = sum(new for _, new in saved.values())
    if as_json:
        summary = {"walks": mined.walks, "gaps": len(mined.gaps), "saved": new}
        emit({"summary": summary})
    else:
        walked, found = counted(mined.walks, "walk"), counted(len(mined.gaps), "gap")
        if rows:
            header = ["case", "board", "cells", "dead", "seed", "corpus"]
            table(f"Gaps of {named}, in {shown(folder)}/gap", header, rows)
            say(f"to see one: oneway corpus show {rows[0][0]}")
        say(f"{walked}, {found}, {counted(new, 'new case')}")
    raise typer.Exit(0 if mined.gaps else 1)


def _as_json(gap: "Gap", path: Path, new: bool) -> dict[str, Any]:
    return {
        "position": gap.position.notation,
        "moves": gap.moves,
        "found": gap.found.notation,
        "seed": gap.seed,
        "case": str(path),
        "new": new,
    }
