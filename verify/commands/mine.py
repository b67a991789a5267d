"""`oneway mine`: walk until stuck, find the mistake, shrink the position, save it."""

import os
import shlex
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from heuristic.boards import Boards, narrowest, read_boards
from heuristic.rule import RuleSet
from solver.board import Position
from solver.errors import OptionError
from verify.commands import options
from verify.commands.console import emit, note, say, shown, table
from verify.commands.ending import Skipped
from verify.commands.positions import read_board
from verify.commands.rulesets import rules_meant_for
from verify.commands.running import CORES, How, conduct
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.evidence.mining import (
    Finding,
    Mined,
    Smaller,
    case_of_finding,
    findings,
    met_in,
    mining,
    shrinking,
)
from verify.words import counted

RULES = ["universal-4"]


def mine(
    board: Annotated[str, typer.Argument(help="A board: 21, 7x9, ...")] = "21",
    rules: options.Rules = RULES,
    count: options.Count = 1000,
    seconds: options.Deadline = None,
    any_board: options.AnyBoard = False,
    boards: options.BoardKind = None,
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    corpus: options.Corpus = None,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Hunt for positions in which rules get stuck.

    Makes random walks that obey the rules. For each stuck walk, an exact search finds
    the first fatal step. If the rules allow a completable move there, the position is
    a *gap*: they miss a dead move. If they forbid every completable move, a *wrong
    rule* is to blame. Each is listed once, shrunk, and saved in the corpus.

    Exit code 0 if something was found, 1 if not, 2 if it could not be saved.

    \b
    On a large board:
      oneway mine 21 --rules universal-4 -n 5000
    Your own rules:
      oneway mine 9 --rules my-rule.toml,seed-5 --corpus cases
    Without saving:
      oneway mine 9 --rules my-rule.toml --dry-run
    """
    place = read_board(board)
    rule_set = rules_meant_for(rules or [], place, boards)
    kind = narrowest(rule.boards for rule in rule_set.rules)
    kind = read_boards(boards) if boards else kind
    if any_board and kind.value != "any":
        raise OptionError(
            f"--any-board makes boards with walls, and the rules are meant for "
            f"{kind.text}; add --boards any"
        )
    store = _Store(rule_set, corpus, dry_run)
    ends = monotonic() + (seconds or float("inf"))
    how = How(jobs, cluster)
    hunt = mining(rule_set, place, count=count, seed=seed)
    mined = conduct(hunt, how, seconds=seconds, arrived=store.print_arrived)
    smaller: dict[int, Smaller] = {}
    left = ends - monotonic()
    if mined.met and left > 0:
        smaller = conduct(
            shrinking(rule_set, mined.met, boards=kind, any_board=any_board),
            how,
            seconds=None if seconds is None else left,
            arrived=lambda result: store.save_shrunk(mined, result),
            partial=True,
        )
    found = findings(mined, rule_set, smaller)
    for finding in found:
        store.save(finding)
    if len(smaller) < len(mined.met):
        unshrunk = counted(len(mined.met) - len(smaller), "position")
        note(f"out of time: {unshrunk} not shrunk")
    if as_json:
        _emit(found, mined, store, kind)
    else:
        _print(found, mined, store)
        say(f"asked on {kind.text}")
    raise typer.Exit(store.skipped.code(0 if found else 1))


class _Store:
    """Saves findings as cases, each once, as soon as they are known."""

    def __init__(self, rule_set: RuleSet, corpus: Path | None, dry_run: bool) -> None:
        self.rule_set, self.dry_run = rule_set, dry_run
        self.named = corpus is not None
        self.folder = corpus or corpus_folder()
        self.skipped = Skipped()
        self._origin = origin_of(rule_set.name, self.folder)
        self._saved: dict[tuple[str, str], tuple[Path, bool]] = {}
        self._printed: set[str] = set()
        if not dry_run:
            _check_folder(self.folder)

    def print_arrived(self, result: dict[str, Any]) -> None:
        """Print what a unit found on standard error, each once."""
        for met in met_in(result):
            key = met.rule or met.position.notation
            if key not in self._printed:
                self._printed.add(key)
                what = f"{met.rule} is wrong at" if met.rule else "gap:"
                note(f"found: {what} {met.position.notation}")

    def save_shrunk(self, mined: Mined, result: list[Any]) -> None:
        """Save a position that was shrunk."""
        number, notation, moves = result
        self.save(Finding(Position.parse(notation), moves, mined.met[number]))

    def save(self, finding: Finding) -> None:
        """Save a finding unless it is saved; a failure is printed."""
        key = finding.met.rule, finding.position.notation
        if self.dry_run or key in self._saved:
            return
        try:
            case = case_of_finding(finding, self.rule_set, self._origin)
            self._saved[key] = save_case(case, self.folder, self.rule_set)
        except OptionError as error:
            self.skipped(error)

    def case_of(self, finding: Finding) -> tuple[Path, bool] | None:
        """Return the file of a finding and whether it is new; None if not saved."""
        return self._saved.get((finding.met.rule, finding.position.notation))

    @property
    def new(self) -> int:
        """The number of new cases."""
        return sum(new for _, new in self._saved.values())


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


def _emit(found: list[Finding], mined: Mined, store: _Store, kind: Boards) -> None:
    for finding in found:
        case = store.case_of(finding)
        emit(
            kind=finding.kind,
            rule=finding.met.rule,
            position=finding.position.notation,
            moves=finding.moves,
            met=finding.met.times,
            found=finding.met.position.notation,
            seed=finding.met.seed,
            case=str(case[0]) if case else None,
            new=bool(case and case[1]),
        )
    gaps = sum(finding.kind == "gap" for finding in found)
    emit(
        summary={
            "walks": mined.walks,
            "stuck": mined.stuck,
            "stuck at gaps": mined.by_gap,
            "stuck at wrong rules": mined.by_wrong,
            "gaps": gaps,
            "wrong rules": len(found) - gaps,
            "saved": store.new,
            "boards": kind.text,
        }
    )


def _print(found: list[Finding], mined: Mined, store: _Store) -> None:
    wrong = [x for x in found if x.kind == "unsound"]
    gaps = [x for x in found if x.kind == "gap"]
    if wrong:
        rows = [[x.met.rule, *_row(x, store)] for x in wrong]
        header = ["wrong rule", "position", "forbids", "cells", "met", "case"]
        table("Forbidden though completable", header, rows)
    if gaps:
        header = ["position", "allows", "cells", "met", "case"]
        rows = [_row(x, store) for x in gaps]
        table(f"Gaps of {store.rule_set.name}", header, rows)
    say(_counts(mined))
    if not store.dry_run and found:
        say(f"{counted(store.new, 'new case')} in {shown(store.folder)}")
    if found:
        say(f"to see one: {_to_see(found[0], store)}")


def _counts(mined: Mined) -> str:
    """Return how many walks were made, and what stopped how many of them."""
    walks = counted(mined.walks, "walk")
    if not mined.stuck:
        return f"{walks}, none stuck"
    causes = {
        "at gaps": mined.by_gap,
        "at wrong rules": mined.by_wrong,
        "at steps unknown to the oracle": mined.stuck - mined.by_gap - mined.by_wrong,
    }
    parts = [f"{number:,} {cause}" for cause, number in causes.items() if number]
    return f"{walks}, {mined.stuck:,} stuck: {', '.join(parts)}"


def _row(finding: Finding, store: _Store) -> list[str]:
    case, place = store.case_of(finding), finding.position
    return [
        place.notation,
        " ".join(finding.moves),
        str(place.board.open_cells),
        f"{finding.met.times:,}",
        case[0].stem if case else "not saved",
    ]


def _to_see(finding: Finding, store: _Store) -> str:
    """Return the command that shows a finding."""
    if case := store.case_of(finding):
        words = ["corpus", "show", case[0].stem]
        words += ["--corpus", shown(store.folder)] if store.named else []
    else:
        words = ["check", finding.position.notation, "--rules", store.rule_set.name]
    return shlex.join(["oneway", *words])
