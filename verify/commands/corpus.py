"""`oneway corpus`: cases shown, replayed and added."""

import time
from collections import Counter
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from heuristic.rule import Forbid, RuleSet
from solver.errors import LostRulesError, OnewayError, OptionError, UnknownNameError
from solver.notation import unquoted
from solver.oracles.answer import Oracle
from solver.oracles.oracle import get_oracle
from solver.svg import write_picture
from verify import display
from verify.commands import options
from verify.commands.console import (
    emit,
    kept,
    note,
    numbered,
    progress,
    say,
    shown,
    track,
)
from verify.commands.ending import Skipped
from verify.commands.positions import parse_position, say_position
from verify.commands.rulesets import rules_meant_for, rules_of
from verify.corpus.cases import (
    KINDS,
    Case,
    Origin,
    corpus_folder,
    find_case,
    load_corpus,
    origin_of,
    save_case,
)
from verify.corpus.cases import rules_of as rules_of_case
from verify.corpus.making import fault_case, gap_case
from verify.corpus.replay import Replayed, accept, replay
from verify.corpus.saved_path import read_saved
from verify.shrink import image_of_gap, shrink
from verify.truth import first_fatal, truth
from verify.words import counted

_FEW = 20  # cases of a corpus that are listed one by one
app = typer.Typer(no_args_is_help=True)


@app.callback()
def corpus() -> None:
    """Show, replay and add cases: saved counterexamples and gaps."""


def _folder(corpus: Path | None, *, there: bool = False) -> Path:
    """Return the folder of the cases; refuse one that cannot hold any."""
    folder = corpus or corpus_folder()
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"corpus {folder} is no folder")
    if there and not folder.exists():
        if corpus is not None:
            raise OptionError(f"corpus {folder} is not there; --save and add make it")
        note(f"no cases yet; they are kept in {shown(folder)}")
    return folder


@app.command()
def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Names of cases, their beginnings, or files; none: all."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help=f"List only {', '.join(KINDS)}.")
    ] = None,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    output: options.Picture = None,
) -> None:
    """List the cases, or show some: the claim, the picture, what rules say of it now.

    The first line tells which folder was read.

    Exit code 1 if there is none, 2 if a file cannot be read; the others are listed.

    \b
    One case, drawn:
      oneway corpus show 7x7-69 -o case.svg
    """
    if kind is not None and kind not in KINDS:
        raise UnknownNameError("kind of case", kind, list(KINDS))
    folder, skipped = _folder(corpus, there=True), Skipped()
    if names:
        cases = [find_case(name, folder, Skipped()) for name in names]
        pictures = numbered(output, len(names)) if output else [None] * len(names)
    else:
        if folder.exists():
            note(f"cases in {shown(folder)}")
        cases = [x for x in load_corpus(folder, skipped) if kind in (None, x.kind)]
        pictures = [None] * len(cases)
    for case, picture in zip(cases, pictures, strict=True):
        text = case.position.notation
        if as_json:
            emit(
                kind=case.kind,
                name=case.name,
                title=case.title or None,
                rules=case.rules,
                rule=case.rule or None,
                subject=case.subject,
                position=text,
            )
        elif names:
            _show(case, picture)
        else:
            title = case.title or case.rules
            say(f"{case.kind:8} {case.name:18} {title:20} {unquoted(text)}")
    raise typer.Exit(skipped.code(0 if cases else 1))


def _show(case: Case, picture: Path | None) -> None:
    """Print all of a case, and draw it if a picture is given."""
    if case.title:
        say(case.title)
    say(f"{case.kind}: {KINDS[case.kind]}")
    say(f"why:    {case.why}")
    say(f"source: {case.source}")
    if case.path:
        say(f"file:   {shown(case.path)}")
    if case.rules:
        say(f"rules:  {case.rules}" + (f", {case.rule}" if case.rule else ""))
    for key in ("expect", "state"):
        if value := getattr(case, key):
            say(f"{key}: {value}")
    if case.text:
        say("the rule file when the case was saved:")
        for line in case.text.splitlines():
            say(f"  | {line}")
    say_position(case.position)
    forbids: tuple[Forbid, ...] = ()
    try:
        forbids = rules_of_case(case).forbids(case.position) if case.rules else ()
    except LostRulesError as error:
        say(f"  the rules were not asked: {error}")
    for move, word in case.moves.items():
        mark = "   <- in question" if move in case.subject else ""
        say(f"  {move}  {word}{mark}")
        for f in forbids:
            if f.move == move:
                say(f"     forbidden by {f.rule}: {f.reason.sentence}")
    if picture:
        forbidden = {forbid.move for forbid in forbids}
        allowed = "".join(move for move in case.subject if move not in forbidden)
        gaps = allowed if case.kind == "gap" else ""
        write_picture(display.picture(case.position, forbids, gaps=gaps), picture)
        say(f"picture: {shown(picture)}")


@app.command("replay")
def replay_cases(
    names: Annotated[
        list[str] | None, typer.Argument(help="Cases to replay; none: all.")
    ] = None,
    rules: options.Rules = None,
    record: Annotated[
        bool,
        typer.Option("--accept", help="Record in the cases what the rules do now."),
    ] = False,
    seconds: options.Deadline = None,
    corpus: options.Corpus = None,
    oracle: options.Oracle = "sat",
    as_json: options.Json = False,
) -> None:
    """Check that rules still treat the saved positions as they should.

    Each case asks the rules that it names, as they are now, or those of --rules. The
    oracle decides the truth of every move again. A case fails if a rule forbids a
    completable move, if a dead move that was caught is missed again, or if the case
    itself is false.

    --accept records caught gaps, so that missing them again fails, and drops what a
    case expects in vain. A wrong rule is never accepted.

    Exit code 1 if a case fails, was skipped or not reached; 2 if a file cannot be read.

    \b
    One case:
      oneway corpus replay 7x7-69
    Your own rules:
      oneway corpus replay --corpus cases --rules my-rule.toml
    """
    folder, skipped = _folder(corpus, there=True), Skipped()
    judge = get_oracle(oracle)
    rule_set = rules_of(rules) if rules else None
    if names:
        cases = [find_case(name, folder, skipped) for name in names]
    else:
        cases = list(load_corpus(folder, skipped))
    every = bool(names) or len(cases) <= _FEW
    outcomes, failed = Counter[str](), list[str]()
    began = time.monotonic()
    for case in track(cases, "replay"):
        if seconds and time.monotonic() - began >= seconds:
            break
        done = replay(case, rule_set, judge)
        accepted = record and accept(done)
        outcomes[done.outcome.value] += 1
        if done.faults and not accepted:
            failed.append(case.name)
        if as_json:
            emit(_replayed_as_dict(done, accepted))
        elif every or done.notable:
            why = "; ".join(done.faults) or done.skipped
            line = f"{case.kind:8} {case.name:18} {done.outcome.value}"
            line += f": {why}" if why else ""
            say(line + (", accepted" if accepted else ""))
    _print_outcomes(outcomes, failed, len(cases), folder, as_json)
    unknown = outcomes["skipped"]
    if unknown and rule_set is None:
        note("--rules RULES asks rules of your choice in skipped cases too")
    reached = bool(cases) and outcomes.total() == len(cases)
    good = reached and not failed and not unknown
    raise typer.Exit(skipped.code(0 if good else 1))


def _replayed_as_dict(done: Replayed, accepted: bool) -> dict[str, Any]:
    return {
        "kind": done.case.kind,
        "name": done.case.name,
        "file": str(done.case.path),
        "position": done.case.position.notation,
        "outcome": done.outcome.value,
        "fails": bool(done.faults) and not accepted,
        "faults": done.faults,
        "skipped": done.skipped or None,
        "accepted": accepted,
    }


def _print_outcomes(
    outcomes: Counter[str],
    failed: list[str],
    cases: int,
    folder: Path,
    as_json: bool,
) -> None:
    """Print how many cases had which outcome, and what was not replayed."""
    done, unknown = outcomes.total(), outcomes["skipped"]
    if as_json:
        counts = {
            "cases": cases,
            "replayed": done - unknown,
            "skipped": unknown,
            "failed": len(failed),
        }
        emit(summary=counts | {"outcomes": dict(outcomes)})
    else:
        parts = [f"{count} {word}" for word, count in outcomes.most_common()]
        parts.append(counted(len(failed), "failure"))
        say(f"{counted(done, 'case')}: {', '.join(parts)}")
        if failed:
            case = f"{failed[0]} --corpus {quote(shown(folder))}"
            say(f"to see one: oneway corpus show {case}")
    if done < cases:
        note(f"the time is over; {cases - done} of {cases} cases were not replayed")
    if not cases:
        note(f"there is no case in {shown(folder)}")


@app.command()
def add(
    subjects: Annotated[
        list[str],
        typer.Argument(
            help="Positions, saved walks (.txt, .svg), or gaps of the corpus to shrink."
        ),
    ],
    rules: options.Rules = None,
    why: Annotated[str, typer.Option("--why", help="Why it is worth keeping.")] = "",
    source: Annotated[
        str, typer.Option("--source", help="Where it comes from.")
    ] = "by hand",
    any_board: options.AnyBoard = False,
    boards: options.BoardKind = None,
    dry_run: options.DryRun = False,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
) -> None:
    """Save positions as cases: gap, unsound, or the plain truth of their moves.

    With --rules a completable move that they forbid makes it `unsound`, and a dead
    move that they allow makes it `gap`; the position is minimised. Without rules the
    verdict of every move is saved.

    For walks saved by the researcher's program, the moves allowed at the live end are
    compared with the completable ones. A gap of the corpus becomes a smaller one, dead
    for the same reason.

    Exit code 1 if nothing was wrong, a walk differs, or no smaller gap was found; 2 if
    a subject cannot be read. The others are saved.

    \b
    What a group gets wrong:
      oneway corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases
    A gap with fewer cells:
      oneway corpus add 9x9-8589 --any-board --dry-run
    """
    folder, skipped = _folder(corpus), Skipped()
    judge = get_oracle("sat")
    good = True
    for subject in subjects:
        rule_set: RuleSet | None = None
        case: Case | None
        details: dict[str, Any] = {}
        try:
            if subject.endswith((".txt", ".svg")):
                case, fine, details = _saved_walk(Path(subject), judge, as_json)
            elif ":" not in subject or subject.endswith(".toml"):
                case, fine, details = _smaller_gap(subject, folder, any_board, as_json)
            elif rules:
                place = parse_position(subject)
                rule_set = rules_meant_for(rules, place.board, boards)
                case = fault_case(
                    *(place, rule_set, origin_of(",".join(rules), folder), judge),
                    source=source,
                    why=why,
                    walls=any_board,
                )
                fine = case is not None
            else:
                place = parse_position(subject)
                why = why or "the verdict of every move, kept for regression"
                case = Case("verdict", why, source, place, truth(place, judge))
                fine = True
        except OnewayError as error:
            skipped(error)
            continue
        good &= fine
        path, new = None, False
        if case is not None and not dry_run:
            path, new = save_case(case, folder, rule_set)
        if as_json:
            added = {
                "subject": subject,
                "kind": case.kind if case else None,
                "position": case.position.notation if case else None,
                "moves": case.subject if case else "",
                "case": str(path) if path else None,
                "new": new,
            }
            emit(added | details)
        elif case is None:
            say(f"nothing to save: {subject} shows no fault of {','.join(rules or ())}")
        elif path is None:
            say(f"{case.kind}, not saved: {case.position.notation}")
        else:
            say(f"{case.kind}, {kept(path, new)}")
    raise typer.Exit(skipped.code(0 if good else 1))


def _saved_walk(
    file: Path, judge: Oracle, as_json: bool
) -> tuple[Case, bool, dict[str, Any]]:
    """Compare the moves that a saved walk allows with the truth, and print both.

    Return the case of its position, whether both agree, and the details for JSON.
    """
    saved = read_saved(file)
    place = saved.position
    why = "a position that the researcher saved"
    case = Case("verdict", why, f"saved path {file.name}", place, truth(place, judge))
    good = "".join(move for move, word in case.moves.items() if word == "completable")
    same = saved.trailer in (None, good)
    fatal = None if good else first_fatal(place, judge)
    details = {
        "file": file.name,
        "allowed": saved.trailer,
        "moves": case.moves,
        "fatal": fatal.number if fatal else None,
    }
    if as_json:
        return case, same, details
    stored = "not stored" if saved.trailer is None else saved.trailer
    say(f"{file.name}: {place.notation}")
    mark = "" if same else "  <- differs"
    say(f"  allowed: {stored}; completable: {good or 'none'}{mark}")
    if fatal:
        say(f"  {fatal.sentence}")
    return case, same, details


def _smaller_gap(
    name: str, folder: Path, any_board: bool, as_json: bool
) -> tuple[Case, bool, dict[str, Any]]:
    """Shrink the gap of a case.

    Return the new case, whether it is smaller, and the details for JSON.
    """
    case, search = find_case(name, folder, Skipped()), get_oracle("search")
    if case.kind != "gap":
        raise OptionError(f"{case.name} is no gap but of kind {case.kind}")
    rules, cells = rules_of_case(case), case.position.board.open_cells
    with progress("cells left out", cells) as bar:
        small = shrink(
            *(rules, case.position, search),
            any_board=any_board,
            progress=lambda place: bar.update(cells - place.board.open_cells),
        )
    place = image_of_gap(rules, small, search)
    source = f"oneway corpus add {case.name}{' --any-board' if any_board else ''}"
    origin = Origin(case.rules, case.text)
    smaller = gap_case(place, case.position, rules, origin, source)
    left = place.board.open_cells
    if not as_json:
        say_position(place)
        say(f"  {' and '.join(smaller.subject)} is dead, and allowed")
        say(f"{left} of {cells} cells")
    return smaller, left < cells, {"from": case.name, "cells": left, "was": cells}
