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
    kept,
    note,
    read_board,
    say,
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
    walks: Annotated[int, typer.Option("--count", "-n", help="Walks to make.")] = 1000,
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
    from solver.errors import OptionError
    from verify.corpus.cases import corpus_folder, save_case
    from verify.trial.mining import gap_case, gaps_of, mining

    if walks < 1:
        raise OptionError(f"--count {walks} is not at least 1")
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
    for gap in mined.gaps:
        save(gap)
        _tell(gap, *saved[gap.seed], as_json)
    new = sum(new for _, new in saved.values())
    if as_json:
        summary = {"walks": mined.walks, "gaps": len(mined.gaps), "saved": new}
        emit({"summary": summary})
    else:
        walked, found = counted(mined.walks, "walk"), counted(len(mined.gaps), "gap")
        say(f"{walked}, {found}, {counted(new, 'new case')}")
    raise typer.Exit(0 if mined.gaps else 1)


def _tell(gap: "Gap", path: Path, new: bool, as_json: bool) -> None:
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
