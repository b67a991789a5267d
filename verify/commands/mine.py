"""`oneway mine`: walk until stuck, find the mistake, shrink the position, save it."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from typer import Argument

from heuristic.rule import RuleSet, narrowest, read_boards
from solver.errors import OptionError
from verify.commands import options
from verify.commands.console import conduct, emit, note, say, shown, table
from verify.commands.rulesets import rules_meant_for
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.evidence.mining import (
    Finding,
    Smaller,
    case_of_finding,
    findings,
    mining,
    shrinking,
)
from verify.formatting import counted

RULES = ["universal-4"]


def mine(
    board: Annotated[str, Argument(help="A board: 21, 7x9, ...")] = "21",
    rules: options.Rules = RULES,
    count: options.Count = 1000,
    seconds: options.Deadline = None,
    any_board: options.AnyBoard = False,
    boards: options.BoardKind = None,
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    corpus: options.Corpus = None,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Hunt for positions in which rules get stuck.

    For each random walk that gets stuck, an exact search finds the first fatal step.
    The position before it is a *gap*, or a *wrong rule* forbids every completable move.
    Each is listed once, shrunk, and saved in the corpus.

    Exit code 0 if something was found, 1 if not, 2 if it could not be saved.

    \b
    On a large board:
      oneway mine 21 --rules universal-4 -n 5000
    Your own rules:
      oneway mine 9 --rules my-rule.toml,seed-5 --corpus cases
    """
    place = options.read_board(board)
    rule_set = rules_meant_for(rules or [], place, boards)
    own = narrowest(rule.boards for rule in rule_set.rules)
    kind = read_boards(boards) if boards else own
    if any_board and kind.value != "any":
        raise OptionError(
            f"--any-board makes boards with walls, and the rules are meant for "
            f"{kind.text}; add --boards any"
        )
    folder = corpus or corpus_folder()
    if not dry_run:
        _check_folder(folder)
    ends = monotonic() + (seconds or float("inf"))
    hunt = mining(rule_set, place, count=count, seed=seed)
    mined = conduct(hunt, jobs, cluster, seconds=seconds)
    smaller: dict[int, Smaller] = {}
    left = ends - monotonic()
    if mined.met and left > 0:
        run = shrinking(rule_set, mined.met, boards=kind, any_board=any_board)
        limit = left if seconds else None
        smaller = conduct(run, jobs, cluster, seconds=limit, partial=True)
    if unshrunk := len(mined.met) - len(smaller):
        note(f"out of time: {counted(unshrunk, 'position')} not shrunk")
    rows = [
        _row(finding, rule_set, None if dry_run else folder)
        for finding in findings(mined, rule_set, smaller)
    ]
    gaps = sum(row["kind"] == "gap" for row in rows)
    summary: dict[str, Any] = {
        "walks": mined.walks,
        "stuck": mined.stuck,
        "stuck at gaps": mined.by_gap,
        "stuck at wrong rules": mined.by_wrong,
        "gaps": gaps,
        "wrong rules": len(rows) - gaps,
        "saved": sum(row["new"] for row in rows),
        "boards": kind.text,
    }
    if as_json:
        for value in (*rows, {"summary": summary}):
            emit(value)
    else:
        _print_tables(rows, rule_set)
        say(_stuck(summary))
        if rows and not dry_run:
            say(f"{counted(summary['saved'], 'new case')} in {shown(folder)}")
        if rows:
            say(f"to see one: {_to_see(rows[0], rule_set, corpus)}")
        say(f"asked on {kind.text}")
    raise typer.Exit(0 if rows else 1)


def _check_folder(folder: Path) -> None:
    """Refuse a corpus that cannot be written."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise OptionError(f"corpus {folder}: {there} is not a folder")
    if not os.access(there, os.W_OK):
        raise OptionError(
            f"corpus {folder} cannot be written; name another folder with --corpus, "
            "or add --dry-run"
        )


def _row(finding: Finding, rule_set: RuleSet, folder: Path | None) -> dict[str, Any]:
    """Return a finding as plain values; it is saved if there is a folder."""
    path, new = None, False
    if folder:
        case = case_of_finding(finding, rule_set, origin_of(rule_set.name, folder))
        path, new = save_case(case, folder, rule_set)
    return {
        "kind": finding.kind,
        "rule": finding.met.rule,
        "position": finding.position.notation,
        "moves": finding.moves,
        "met": finding.met.times,
        "found": finding.met.position.notation,
        "seed": finding.met.seed,
        "case": str(path) if path else None,
        "new": new,
    }


def _print_tables(rows: Sequence[dict[str, Any]], rule_set: RuleSet) -> None:
    titles = {
        "unsound": ("Forbidden though completable", "forbids", "wrong rule"),
        "gap": (f"Gaps of {rule_set.name}", "allows"),
    }
    for kind, (title, moves, *rule) in titles.items():
        cells = [
            [row["rule"]] * len(rule)
            + [row["position"], " ".join(row["moves"]), row["met"], _name(row)]
            for row in rows
            if row["kind"] == kind
        ]
        if cells:
            table(title, [*rule, "position", moves, "met", "case"], cells)


def _name(row: dict[str, Any]) -> str:
    return Path(row["case"]).stem if row["case"] else "not saved"


def _stuck(summary: dict[str, Any]) -> str:
    """Return how many walks were made, and what stopped how many of them."""
    walks, stuck = counted(summary["walks"], "walk"), summary["stuck"]
    if not stuck:
        return f"{walks}, none stuck"
    causes = {
        "at gaps": summary["stuck at gaps"],
        "at wrong rules": summary["stuck at wrong rules"],
    }
    causes["at steps unknown to the oracle"] = stuck - sum(causes.values())
    parts = [f"{number:,} {cause}" for cause, number in causes.items() if number]
    return f"{walks}, {stuck:,} stuck: {', '.join(parts)}"


def _to_see(row: dict[str, Any], rule_set: RuleSet, corpus: Path | None) -> str:
    """Return the command that shows a finding."""
    if row["case"]:
        words = ["corpus", "show", _name(row)]
        words += ["--corpus", shown(corpus)] if corpus else []
    else:
        words = ["check", row["position"], "--rules", rule_set.name]
    return shlex.join(["oneway", *words])
