"""`oneway mine`: walk until stuck, find the mistake, shrink the position, save it."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

from typer import Argument, Exit

from heuristic.rule import RuleSet, narrowest
from solver.files import make_folder
from verify.commands import console, options
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.evidence import mining
from verify.formatting import counted

RULES = ["universal-4"]


def mine(
    board: Annotated[str, Argument(help="A board: 21, 7x9, ...")] = "21",
    rules: options.Rules = RULES,
    count: options.Count = 1000,
    seconds: options.Deadline = None,
    boards: options.BoardKind = None,
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    corpus: options.Corpus = None,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Hunt for positions in which rules get stuck.

    For each stuck walk, an exact search finds the fatal step. The position before it is
    a *gap*, or a *wrong rule* forbids every completable move there. `oneway` shrinks
    each such position, lists it once and saves it in the corpus.

    Exit code 0 if there is a gap or a wrong rule, 1 if not, 2 if saving failed.

    \b
    On a large board:
      oneway mine 21 --rules universal-4 -n 5000
    Your own rules:
      oneway mine 9 --rules my-rule.toml,seed-5 --corpus cases
    """
    place = options.read_board(board)
    rule_set = options.rules_for_board(rules, place, boards)
    kind = boards or narrowest(rule.boards for rule in rule_set.rules)
    folder = corpus or corpus_folder()
    if not dry_run:
        make_folder(folder)  # refuses what cannot be written before the hunt
    ends = monotonic() + (seconds or float("inf"))
    hunt = mining.mining(rule_set, place, count=count, seed=seed)
    mined = console.conduct(hunt, jobs, cluster, seconds=seconds)
    smaller: dict[int, mining.Smaller] = {}
    left = ends - monotonic()
    if mined.obstacles and left > 0:
        run = mining.shrinking(rule_set, mined.obstacles, boards=kind)
        limit = left if seconds else None
        smaller = console.conduct(run, jobs, cluster, seconds=limit, partial=True)
    if unshrunk := len(mined.obstacles) - len(smaller):
        console.note(f"out of time: {counted(unshrunk, 'position')} not shrunk")
    rows = [
        _row(finding, rule_set, None if dry_run else folder)
        for finding in mining.findings(mined, rule_set, smaller)
    ]
    if as_json:
        for row in rows:
            console.emit(row)
        gaps = sum(row["kind"] == "gap" for row in rows)
        summary = {
            "walks": mined.walks,
            "stuck": mined.stuck,
            "stuck at gaps": mined.by_gap,
            "stuck at wrong rules": mined.by_wrong,
            "gaps": gaps,
            "wrong rules": len(rows) - gaps,
            "saved": sum(row["new"] for row in rows),
            "boards": kind.text,
        }
        console.emit({"summary": summary})
    else:
        _print_tables(rows, rule_set)
        console.say(_stuck(mined))
        if rows and not dry_run:
            new = counted(sum(row["new"] for row in rows), "new case")
            console.say(f"{new} in {console.shown(folder)}")
        if rows:
            console.say(f"to see one: {_to_see(rows[0], rule_set, corpus)}")
        console.say(f"tested on {kind.text}")
    raise Exit(0 if rows else 1)


def _row(
    finding: mining.Finding, rule_set: RuleSet, folder: Path | None
) -> dict[str, Any]:
    """Return a finding as plain values; save it if there is a folder."""
    path, new = None, False
    if folder:
        origin = origin_of(rule_set.name, folder)
        case = mining.case_of_finding(finding, rule_set, origin)
        path, new = save_case(case, folder, rule_set)
    return {
        "kind": finding.kind,
        "rule": finding.obstacle.rule,
        "position": finding.position.notation,
        "moves": finding.moves,
        "met": finding.obstacle.times,
        "found": finding.obstacle.position.notation,
        "seed": finding.obstacle.seed,
        "case": str(path) if path else None,
        "new": new,
    }


def _print_tables(rows: Sequence[dict[str, Any]], rule_set: RuleSet) -> None:
    wrong, gaps = list[list[object]](), list[list[object]]()
    for row in rows:
        case = Path(row["case"]).stem if row["case"] else "not saved"
        cells = [row["position"], " ".join(row["moves"]), row["met"], case]
        if row["kind"] == "gap":
            gaps.append(cells)
        else:
            wrong.append([row["rule"], *cells])
    if wrong:
        header = ["wrong rule", "position", "forbids", "met", "case"]
        console.table("Forbidden though completable", header, wrong)
    if gaps:
        header = ["position", "allows", "met", "case"]
        console.table(f"Gaps of {rule_set.name}", header, gaps)


def _stuck(mined: mining.Mined) -> str:
    walks = counted(mined.walks, "walk")
    if not mined.stuck:
        return f"{walks}, none stuck"
    causes = {"at gaps": mined.by_gap, "at wrong rules": mined.by_wrong}
    causes["at steps unknown to the oracle"] = mined.stuck - sum(causes.values())
    parts = [f"{number:,} {cause}" for cause, number in causes.items() if number]
    return f"{walks}, {mined.stuck:,} stuck: {', '.join(parts)}"


def _to_see(row: dict[str, Any], rule_set: RuleSet, corpus: Path | None) -> str:
    if not row["case"]:
        return console.command_line("check", row["position"], "--rules", rule_set.name)
    where = ("--corpus", console.shown(corpus)) if corpus else ()
    return console.command_line("corpus", "show", Path(row["case"]).stem, *where)
