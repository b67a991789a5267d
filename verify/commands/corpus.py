"""`oneway corpus`: cases shown, replayed and added."""

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from typer import Argument, Exit, Option, Typer

from heuristic.rule import Boards, Forbid, RuleSet
from solver.errors import LostRulesError, OnewayError, OptionError
from solver.notation import unquoted
from solver.oracles.oracle import get_oracle
from verify.commands import console, options
from verify.commands.exits import print_error
from verify.corpus.cases import (
    KINDS,
    Case,
    Origin,
    corpus_folder,
    find_case,
    load_corpus,
    origin_of,
    rules_of,
    save_case,
)
from verify.corpus.faults import make_case, rule_at_fault, rule_case
from verify.corpus.replay import accept, replay
from verify.corpus.saved_path import read_saved
from verify.formatting import counted
from verify.shrink import image_of_gap, shrink_gap
from verify.truth import gap_moves, truth

_FEW = 20  # cases of a corpus that a replay lists one by one
# A case, whether all was well, more to print, and the rules of the case.
_Made: TypeAlias = tuple[Case | None, bool, dict[str, Any], RuleSet | None]
ABOUT = "Show, replay and add cases: saved counterexamples and gaps."
app = Typer(no_args_is_help=True, help=ABOUT)


def _folder(corpus: Path | None) -> Path:
    """Return the folder of the cases; refuse a named one that does not exist."""
    folder = corpus or corpus_folder()
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"corpus {folder} is not a folder")
    if corpus and not folder.exists():
        raise OptionError(f"corpus {folder} does not exist; --save and add make it")
    return folder


def _load(folder: Path, names: list[str] | None) -> tuple[list[Case], bool]:
    """Return the named cases of a folder, or all, and whether a file cannot be read."""
    if names:
        return [find_case(name, folder, print_error) for name in names], False
    unread: list[OnewayError] = []
    cases = list(load_corpus(folder, unread.append))
    for error in unread:
        print_error(error)
    return cases, bool(unread)


@app.command()
def show(
    names: list[str] | None = Argument(None, help="Cases, or files; none: all."),
    corpus: options.Corpus = None,
    as_json: options.Json = False,
) -> None:
    """List the cases, or show some: claim, picture and current result.

    The first line names the folder of the cases.

    Exit code 1 if there is no case, 2 if a file cannot be read; the others are listed.

    \b
    One case:
      oneway corpus show 7x7-69
    """
    folder = _folder(corpus)
    if not names:
        console.note(f"cases in {console.shown(folder)}")
    cases, unread = _load(folder, names)
    for case in cases:
        place = unquoted(case.position.notation)
        if as_json:
            keys = ("kind", "name", "title", "rules", "rule", "subject")
            about = {key: getattr(case, key) for key in keys}
            console.emit(about | {"position": case.position.notation})
        elif names:
            _show(case)
        else:
            title = case.title or case.rules
            console.say(f"{case.kind:8} {case.name:18} {title:20} {place}")
    raise Exit(2 if unread else 0 if cases else 1)


def _show(case: Case) -> None:
    about = {
        "why": case.why,
        "source": case.source,
        "file": console.shown(case.path) if case.path else "",
        "rules": ", ".join(filter(None, (case.rules, case.rule))),
        "expect": case.expect,
        "state": case.state,
    }
    if case.title:
        console.say(case.title)
    console.say(f"{case.kind}: {KINDS[case.kind]}")
    console.say(*(f"{key + ':':8}{value}" for key, value in about.items() if value))
    if case.text:
        console.say("the rule file when the case was saved:")
        console.say(*(f"  | {line}" for line in case.text.splitlines()))
    console.say_position(case.position)
    forbids: tuple[Forbid, ...] = ()
    try:
        forbids = rules_of(case).forbids(case.position) if case.rules else ()
    except LostRulesError as error:
        console.say(f"  the rules cannot be asked: {error}")
    for move, word in case.moves.items():
        mark = "   <- in question" if move in case.subject else ""
        console.say(f"  {move}  {word}{mark}")
        for f in forbids:
            if f.move == move:
                console.say(f"     forbidden by {f.rule}: {f.reason.sentence}")


@app.command("replay")
def replay_cases(
    names: list[str] | None = Argument(None, help="Cases to replay; none: all."),
    rules: options.Rules = None,
    record: bool = Option(False, "--accept", help="Record what the rules do now."),
    seconds: options.Deadline = None,
    corpus: options.Corpus = None,
    oracle: options.Oracle = "sat",
    as_json: options.Json = False,
) -> None:
    """Replay saved positions against the current rules.

    Each case uses the current form of its own rules, or the rules of --rules. A case
    fails if a rule forbids a completable move, or if the rules miss a dead move that
    they caught before. It also fails if its verdicts are wrong. --accept records caught
    gaps, so that missing them again fails. It never accepts a wrong rule.

    Exit code 1 if a case fails, was skipped or not reached; 2 if a file cannot be read.

    \b
    Your own rules:
      oneway corpus replay --corpus cases --rules my-rule.toml
    """
    folder, judge = _folder(corpus), get_oracle(oracle)
    rule_set = options.read_rules(rules) if rules else None
    cases, unread = _load(folder, names)
    every = bool(names) or len(cases) <= _FEW
    outcomes, failed = Counter[str](), list[str]()
    ends = time.monotonic() + (seconds or float("inf"))
    for case in console.track(cases, "replay"):
        if time.monotonic() >= ends:
            break
        done = replay(case, rule_set, judge)
        accepted = record and accept(done)
        outcomes[done.outcome.value] += 1
        fails = bool(done.faults) and not accepted
        if fails:
            failed.append(case.name)
        if as_json:
            value = {
                "kind": case.kind,
                "name": case.name,
                "file": str(case.path),
                "position": case.position.notation,
                "outcome": done.outcome.value,
                "fails": fails,
                "faults": done.faults,
                "skipped": done.skipped or None,
                "accepted": accepted,
            }
            console.emit(value)
        elif every or done.notable:
            why = "; ".join(done.faults) or done.skipped
            line = f"{case.kind:8} {case.name:18} {done.outcome.value}"
            line += f": {why}" if why else ""
            console.say(line + (", accepted" if accepted else ""))
    replayed, skips = outcomes.total(), outcomes["skipped"]
    if as_json:
        counts = {
            "cases": len(cases),
            "replayed": replayed - skips,
            "skipped": skips,
            "failed": len(failed),
        }
        console.emit({"summary": counts | {"outcomes": dict(outcomes)}})
    else:
        parts = [f"{count} {word}" for word, count in outcomes.most_common()]
        parts.append(counted(len(failed), "failure"))
        console.say(f"{counted(replayed, 'case')}: {', '.join(parts)}")
        if failed:
            words = ("corpus", "show", failed[0], "--corpus", console.shown(folder))
            console.say(f"to see one: {console.command_line(*words)}")
    if left := len(cases) - replayed:
        console.note(f"out of time; {left} of {len(cases)} cases were not replayed")
    if not cases:
        console.note(f"there is no case in {console.shown(folder)}")
    if skips and rule_set is None:
        console.note("--rules RULES asks rules of your choice in skipped cases too")
    good = cases and not (left or failed or skips)
    raise Exit(2 if unread else 0 if good else 1)


@app.command()
def add(
    subjects: Annotated[
        list[str],
        Argument(help="Positions, saved walks (.txt), or gaps to shrink."),
    ],
    rules: options.Rules = None,
    why: str = Option("", help="Why the position is worth saving."),
    any_board: bool = Option(False, "--any-board", help="Let walls and ends change."),
    boards: options.BoardKind = None,
    dry_run: options.DryRun = False,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
) -> None:
    """Save positions as cases: gaps, counterexamples or verdicts of moves.

    With --rules, a completable move that they forbid makes the case `unsound`, and a
    dead move that they allow makes it `gap`. The position is minimised. For a saved
    walk, `oneway` compares the moves it allows with the truth. A gap of the corpus
    becomes a smaller gap.

    Exit code 1 if nothing was wrong, a walk differs, or no smaller gap exists; 2 if a
    subject cannot be read. The others are saved.

    \b
    What a group gets wrong:
      oneway corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases
    A gap with fewer cells:
      oneway corpus add 9x9-8589 --any-board --dry-run
    """
    folder = corpus or corpus_folder()
    good, unread = True, False
    for subject in subjects:
        try:
            if subject.endswith(".txt"):
                made = _saved_walk(Path(subject))
            elif ":" not in subject or subject.endswith(".toml"):
                made = _smaller_gap(subject, folder, any_board)
            elif rules:
                made = _fault(subject, rules, folder, why, any_board, boards)
            else:
                made = _verdict(subject, why)
        except OnewayError as error:
            print_error(error)
            unread = True
            continue
        case, well, details, rule_set = made
        path, new, good = None, False, good and well
        if case and not dry_run:
            path, new = save_case(case, folder, rule_set)
        if as_json:
            added = {
                "subject": subject,
                "kind": case and case.kind,
                "position": case and case.position.notation,
                "moves": case and case.subject,
                "case": str(path) if path else None,
                "new": new,
            }
            console.emit(added | details)
        elif case is None:
            names = ",".join(rules or ())
            console.say(f"nothing to save: {subject} shows no fault of {names}")
        else:
            how = f"not saved: {case.position.notation}"
            console.say(f"{case.kind}, {console.saved(path, new) if path else how}")
            console.say(*(f"  {key}: {value}" for key, value in details.items()))
    raise Exit(2 if unread else 0 if good else 1)


def _verdict(text: str, why: str) -> _Made:
    place = options.position_of_text(text)
    why = why or "the verdict of every move, kept for regression"
    moves = truth(place, get_oracle("sat"))
    return Case("verdict", why, "by hand", place, moves), True, {}, None


def _fault(
    text: str,
    rules: list[str],
    folder: Path,
    why: str,
    walls: bool,
    boards: Boards | None,
) -> _Made:
    """Return the case of what rules get wrong at a position."""
    place, oracle = options.position_of_text(text), get_oracle("sat")
    rule_set = options.rules_for_board(rules, place.board, boards)
    rule = rule_at_fault(place, rule_set, oracle)
    if rule is None:
        return None, False, {}, None
    origin = origin_of(",".join(rules), folder)
    about: dict[str, Any] = {"source": "by hand", "why": why, "walls": walls}
    case = make_case(rule, place, rule_set, origin, oracle, **about)
    return case, True, {}, rule_set


def _saved_walk(file: Path) -> _Made:
    """Return the case of a saved walk, and whether it allows what is true."""
    walk = read_saved(file)
    moves = truth(walk.position, get_oracle("sat"))
    why = "a position that the researcher saved"
    case = Case("verdict", why, f"saved path {file.name}", walk.position, moves)
    good = "".join(move for move, word in moves.items() if word == "completable")
    details = {"file": file.name, "allowed": walk.trailer, "completable": good}
    return case, walk.trailer in (None, good), details, None


def _smaller_gap(name: str, folder: Path, any_board: bool) -> _Made:
    """Return the case of a shrunk gap, and whether it is smaller."""
    case, search = find_case(name, folder, print_error), get_oracle("search")
    if case.kind != "gap":
        raise OptionError(f"{case.name} is a case of kind {case.kind}, not a gap")
    rules, cells = rules_of(case), case.position.board.open_cells
    with console.progress("cells left out", cells) as bar:
        small = shrink_gap(
            rules,
            case.position,
            search,
            any_board=any_board,
            progress=lambda place: bar.update(cells - place.board.open_cells),
        )
    place = image_of_gap(rules, small, search)
    moves = gap_moves(rules, place, search)
    if not moves:
        raise OptionError(f"{place.notation} shows no gap of {case.rules}")
    origin = Origin(case.rules, case.text)
    source = f"oneway corpus add {case.name}{' --any-board' if any_board else ''}"
    smaller = rule_case("", place, case.position, moves, origin, source)
    left = place.board.open_cells
    details = {"from": case.name, "cells": left, "was": cells}
    return smaller, left < cells, details, None
