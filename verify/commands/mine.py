"""`oneway mine`: walk until stuck, blame a step, shrink the position, save it."""

import os
import shlex
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, note, say, shown, table
from verify.commands.ending import PassedOver
from verify.commands.options import argument, flag, option
from verify.commands.running import CORES, How, conduct
from verify.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from heuristic.boards import Boards
    from heuristic.rule import RuleSet
    from verify.evidence.mining import Finding, Mined, Smaller
    from verify.runs.work import LongRun

RULES = ["universal-4"]


def mine(
    size: str = argument("A board: 21, 7x9, ...", "21"),
    rules: options.Rules = RULES,
    walks: int = option("--count -n", "Walks to make.", 1000, min=1),
    seconds: options.Deadline = None,
    minimal: bool = option("", "Shrink what is found; else keep it as it is.", True),
    any_board: options.AnyBoard = False,
    meant_for: options.BoardKind = None,
    seed: options.Seed = 0,
    dry_run: bool = flag("--dry-run", "Print what is found; save nothing."),
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
) -> None:
    """Hunt for positions in which rules get stuck.

    Makes random walks that obey the rules. For each stuck walk, an exact search finds
    the first fatal step. If the rules allow a completable move there, the position is
    a *gap*: they miss a dead move. If they forbid every completable move, a *wrong
    rule* is to blame. Each gap and each wrong rule is listed once, shrunk, smallest
    first, and saved in the corpus.

    Exit code 0 if something was found, 1 if not, 2 if it could not be saved.

    Try: oneway mine 21 --rules universal-4 -n 5000

    Your own rules: oneway mine 9 --rules my-rule.toml,seed-5 --corpus cases

    Only look: oneway mine 9 --rules my-rule.toml --dry-run
    """
    from heuristic.boards import narrowest, read_boards
    from verify.evidence.mining import findings, mining, shrinking

    board = console.read_board(size)
    meant = read_boards(meant_for) if meant_for else None
    rule_set = console.rules_meant_for(rules, board, meant)
    named = rule_set.name
    kind = meant or narrowest(rule.boards for rule in rule_set.rules)
    if any_board and kind.value != "any":
        raise OptionError(
            f"--any-board makes boards with walls, and the rules are meant for "
            f"{kind.text}; add --boards any"
        )
    store = _Store(rule_set, named, corpus, dry_run)
    ends = monotonic() + (seconds or float("inf"))
    how = How(jobs, cluster)
    hunt = mining(rule_set, board, count=walks, seed=seed)
    mined = conduct(hunt, how, seconds=seconds, arrived=_announcing())
    smaller: dict[int, Smaller] = {}
    left = ends - monotonic()
    if minimal and mined.met and left > 0:
        limit = None if seconds is None else left
        shrink = shrinking(rule_set, mined.met, boards=kind, any_board=any_board)
        smaller = _shrunk(shrink, mined, store, how, limit)
    found = findings(mined, rule_set, smaller)
    for one in found:
        store.save(one)
    unshrunk = len(mined.met) - len(smaller) if minimal else 0
    if unshrunk:
        note(f"out of time: {counted(unshrunk, 'position')} not shrunk")
    if as_json:
        _emit(found, mined, store, kind)
    else:
        _print(found, mined, store, named)
        say(f"asked on {kind.text}")
    raise typer.Exit(store.passed.code(0 if found else 1))


def _announcing() -> "Callable[[dict[str, Any]], None]":
    """Return what prints the findings of units, on standard error, each once."""
    from verify.evidence.mining import met_in

    printed = set[str]()

    def arrived(result: dict[str, Any]) -> None:
        for one in met_in(result):
            if (key := one.rule or one.position.notation) not in printed:
                printed.add(key)
                what = f"{one.rule} is wrong at" if one.rule else "gap:"
                note(f"found: {what} {one.position.notation}")

    return arrived


def _shrunk(
    run: "LongRun[dict[int, Smaller]]",
    mined: "Mined",
    store: "_Store",
    how: How,
    seconds: float | None,
) -> "dict[int, Smaller]":
    """Shrink what stopped walks; each position is saved when it is small."""
    from solver.board import Position
    from verify.evidence.mining import Finding

    def arrived(result: list[Any]) -> None:
        number, notation, moves = result
        store.save(Finding(Position.parse(notation), moves, mined.met[number]))

    return conduct(run, how, seconds=seconds, arrived=arrived, partial=True)


class _Store:
    """Saves findings as cases, each once."""

    def __init__(
        self, rule_set: "RuleSet", rules: str, corpus: Path | None, dry: bool
    ) -> None:
        from verify.corpus.cases import corpus_folder
        from verify.corpus.origin import origin_of

        self.passed = PassedOver()
        self.named = corpus is not None
        self.dry = dry
        self.folder = corpus or corpus_folder()
        self._rule_set, self._rules = rule_set, rules
        self._origin = origin_of(rules, self.folder)
        self._saved: dict[tuple[str, str], tuple[Path, bool]] = {}
        if not dry:
            _check_folder(self.folder)

    def save(self, one: "Finding") -> None:
        """Save a finding, if it is not saved yet; a failure is printed."""
        from verify.corpus.cases import save_case
        from verify.evidence.mining import case_of_finding

        key = one.met.rule, one.position.notation
        if self.dry or key in self._saved:
            return
        try:
            case = case_of_finding(one, self._rule_set, self._origin, self._rules)
            self._saved[key] = save_case(case, self.folder, self._rule_set)
        except OptionError as error:
            self.passed(error)

    def case_of(self, one: "Finding") -> tuple[Path, bool] | None:
        """Return the file of a finding and whether it is new; None if not saved."""
        return self._saved.get((one.met.rule, one.position.notation))

    @property
    def new(self) -> int:
        """How many new cases were saved."""
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


def _emit(
    found: "list[Finding]", mined: "Mined", store: _Store, kind: "Boards"
) -> None:
    for one in found:
        case = store.case_of(one)
        emit(
            kind=one.kind,
            rule=one.met.rule,
            position=one.position.notation,
            moves=one.moves,
            met=one.met.times,
            found=one.met.position.notation,
            seed=one.met.seed,
            case=str(case[0]) if case else None,
            new=bool(case and case[1]),
        )
    gaps = sum(one.kind == "gap" for one in found)
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


def _print(found: "list[Finding]", mined: "Mined", store: _Store, named: str) -> None:
    wrong = [one for one in found if one.kind == "unsound"]
    gaps = [one for one in found if one.kind == "gap"]
    if wrong:
        rows = [[x.met.rule, *_row(x, store)] for x in wrong]
        header = ["wrong rule", "position", "forbids", "cells", "met", "case"]
        table("Forbidden though completable", header, rows)
    if gaps:
        header = ["position", "allows", "cells", "met", "case"]
        table(f"Gaps of {named}", header, [_row(x, store) for x in gaps])
    say(_counts(mined))
    if not store.dry and found:
        say(f"{counted(store.new, 'new case')} in {shown(store.folder)}")
    if found:
        say(f"to see one: {_to_see(found[0], store, named)}")


def _counts(mined: "Mined") -> str:
    """Return how many walks were made, and what stopped how many of them."""
    walks = counted(mined.walks, "walk")
    if not mined.stuck:
        return f"{walks}, none stuck"
    unknown = mined.stuck - mined.by_gap - mined.by_wrong
    causes = {
        "at gaps": mined.by_gap,
        "at wrong rules": mined.by_wrong,
        "at steps that the oracle does not know": unknown,
    }
    parts = [f"{number:,} {cause}" for cause, number in causes.items() if number]
    return f"{walks}, {mined.stuck:,} stuck: {', '.join(parts)}"


def _row(one: "Finding", store: _Store) -> list[str]:
    case, cells = store.case_of(one), one.position.board.open_cells
    name = case[0].stem if case else "not saved"
    times = f"{one.met.times:,}"
    return [one.position.notation, " ".join(one.moves), str(cells), times, name]


def _to_see(one: "Finding", store: _Store, named: str) -> str:
    """Return the command that shows a finding."""
    if case := store.case_of(one):
        words = ["corpus", "show", case[0].stem]
        words += ["--corpus", shown(store.folder)] if store.named else []
    else:
        words = ["check", one.position.notation, "--rules", named]
    return shlex.join(["oneway", *words])
