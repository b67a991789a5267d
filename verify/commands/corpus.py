"""`oneway corpus`: cases shown, replayed, added and exported."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from solver.errors import (
    LostRulesError,
    OnewayError,
    OptionError,
    UnknownNameError,
)
from verify.commands import console, options
from verify.commands.console import emit, joined, kept, note, say, shown
from verify.commands.ending import PassedOver
from verify.commands.options import argument, flag, option
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.rule import Forbid, RuleSet
    from solver.board import Position
    from solver.oracles.oracle import Oracle
    from verify.corpus.cases import Case

    Words: TypeAlias = Callable[[], dict[str, str]]

FEW = 20  # cases of a corpus that are listed one by one
FORMS = ["saved", "svg", "png", "text"]
app = typer.Typer(
    no_args_is_help=True,
    help="Cases: saved counterexamples and gaps, replayed against rules as they are.",
)


def _folder(corpus: Path | None, *, there: bool = False) -> Path:
    from verify.corpus.cases import corpus_folder

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
    names: list[str] | None = argument(
        "Cases: a name, its beginning, or a file; none: a list of all.", None
    ),
    kind: str | None = option(
        "", "List only gap, unsound, fired, stuck or verdict.", None
    ),
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """List the cases, or show some: the claim, the picture, what rules say of it now.

    Cases lie in the folder that --corpus names, or the environment as ONEWAY_CORPUS; in
    the corpus of a checkout; else in a folder of the user's data. It is said which.

    Exit code 1 if there is none, 2 if a file cannot be read; the others are listed.

    Try: oneway corpus show 7x7-69 -o case.svg
    """
    from solver.notation import unquoted
    from verify.corpus.cases import KINDS, find_case, load_corpus

    if kind is not None and kind not in KINDS:
        raise UnknownNameError("kind of case", kind, list(KINDS))
    folder, passed = _folder(corpus, there=True), PassedOver()
    if names:
        cases = (find_case(name, folder, PassedOver()) for name in names)
    else:
        if folder.exists():
            note(f"cases in {shown(folder)}")
        every = load_corpus(folder, passed)
        cases = (case for case in every if kind in (None, case.kind))
    files = iter(console.numbered(picture, len(names)) if picture and names else ())
    found = False
    for case in cases:
        found, text = True, case.position.notation
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
            _show(case, next(files, None))
        else:
            text = unquoted(text)
            say(f"{case.kind:8} {case.name:18} {case.title or case.rules:20} {text}")
    raise typer.Exit(passed.code(0 if found else 1))


def _show(case: "Case", file: Path | None) -> None:
    from solver.svg import write_picture
    from verify.corpus.cases import KINDS
    from verify.corpus.origin import rules_of
    from verify.display import picture as picture_of

    if case.title:
        say(case.title)
    say(f"{case.kind}: {KINDS[case.kind]}")
    say(f"why:    {case.why}")
    say(f"source: {case.source}")
    if case.path:
        say(f"file:   {shown(case.path)}")
    _show_rules(case)
    console.say_position(case.position)
    forbids: tuple[Forbid, ...] = ()
    try:
        forbids = rules_of(case).forbids(case.position) if case.rules else ()
    except LostRulesError as error:
        say(f"  the rules were not asked: {error}")
    for move, word in case.moves.items():
        mark = "   <- in question" if move in case.subject else ""
        say(f"  {move}  {word}{mark}")
        for f in forbids:
            if f.move == move:
                say(f"     forbidden by {f.rule}: {f.reason.sentence}")
    if file:
        forbidden = {forbid.move for forbid in forbids}
        gaps = "".join(m for m in case.subject if m not in forbidden)
        gaps = gaps if case.kind == "gap" else ""
        write_picture(picture_of(case.position, forbids, gaps=gaps), file)
        say(f"picture: {shown(file)}")


def _show_rules(case: "Case") -> None:
    """Print which rules a case names, and the text that was stored."""
    if case.rules:
        say(f"rules:  {case.rules}" + (f", {case.rule}" if case.rule else ""))
    for key in ("expect", "state"):
        if value := getattr(case, key):
            say(f"{key}: {value}")
    if text := case.text:
        say("the rule file when the case was saved:")
        for line in text.splitlines():
            say(f"  | {line}")


@app.command()
def replay(
    names: list[str] | None = argument("Cases to replay; none: all.", None),
    rules: options.Rules = options.NONE,
    accept: bool = flag("--accept", "Record in the cases what the rules do now."),
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

    Try: oneway corpus replay 7x7-69

    Your own rules: oneway corpus replay --corpus cases --rules my-rule.toml
    """
    from heuristic.groups import load_rules
    from verify.corpus.cases import find_case, load_corpus

    folder, passed = _folder(corpus, there=True), PassedOver()
    judge = console.make_oracle(oracle)
    rule_set = load_rules(joined(rules)) if rules else None
    if names:
        cases = [find_case(name, folder, passed) for name in names]
    else:
        cases = list(load_corpus(folder, passed))
    replayer = _Replayer(
        rule_set, judge, accept, as_json, every=bool(names) or len(cases) <= FEW
    )
    began = time.monotonic()
    with console.progress_bar() as bar:
        for case in bar.track(cases, description="replay"):
            if seconds and time.monotonic() - began >= seconds:
                break
            replayer.replay(case)
    good = replayer.finish(len(cases), shown(folder))
    raise typer.Exit(passed.code(0 if good else 1))


@dataclass
class _Replayer:
    """Replays cases one by one, prints what is notable, and counts."""

    rule_set: "RuleSet | None"
    judge: "Oracle"
    accept: bool
    as_json: bool
    every: bool
    outcomes: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    def replay(self, case: "Case") -> None:
        """Replay a case and print a line, if something changed or fails."""
        from verify.corpus.replay import accept, replay

        done = replay(case, self.rule_set, self.judge)
        self.outcomes[done.outcome.value] += 1
        accepted = self.accept and accept(done)
        fails = bool(done.faults) and not accepted
        if fails:
            self.failed.append(case.name)
        if self.as_json:
            emit(
                kind=case.kind,
                name=case.name,
                file=str(case.path),
                position=case.position.notation,
                outcome=done.outcome.value,
                fails=fails,
                faults=done.faults,
                skipped=done.skipped or None,
                accepted=accepted,
            )
        elif self.every or done.notable:
            why = "; ".join(done.faults) or done.skipped
            line = f"{case.kind:8} {case.name:18} {done.outcome.value}"
            line += f": {why}" if why else ""
            say(line + (", accepted" if accepted else ""))

    def finish(self, cases: int, folder: str) -> bool:
        """Print the counts; return whether all cases were replayed and are good."""
        done, skipped = self.outcomes.total(), self.outcomes["skipped"]
        if self.as_json:
            counts = dict(self.outcomes)
            summary = {
                "cases": cases,
                "replayed": done - skipped,
                "skipped": skipped,
                "failed": len(self.failed),
            }
            emit(summary=summary | {"outcomes": counts})
        else:
            parts = [f"{count} {word}" for word, count in self.outcomes.most_common()]
            fail = counted(len(self.failed), "failure")
            say(f"{counted(done, 'case')}: {', '.join([*parts, fail])}")
            if self.failed:
                case = f"{self.failed[0]} --corpus {quote(folder)}"
                say(f"to see one: oneway corpus show {case}")
        if done < cases:
            note(f"the time is over; {cases - done} of {cases} cases were not replayed")
        if not cases:
            note(f"there is no case in {folder}")
        if skipped and self.rule_set is None:
            note("--rules RULES asks rules of your choice in skipped cases too")
        return bool(cases) and done == cases and not self.failed and not skipped


@app.command()
def add(
    subjects: list[str] = argument(
        "Positions such as 9:RRDD; saved walks of the researcher's program "
        "(.txt, .svg); gaps of the corpus by name, to be made small."
    ),
    rules: options.Rules = options.NONE,
    why: str = option("", "Why it is worth keeping.", ""),
    source: str = option("", "Where it comes from.", "by hand"),
    minimal: bool = option("", "Make it minimal before saving.", True),
    any_board: options.AnyBoard = False,
    boards: options.BoardKind = None,
    dry_run: bool = flag("--dry-run", "Say what would be saved; save nothing."),
    corpus: options.Corpus = None,
    oracle: options.Oracle = "sat",
    as_json: options.Json = False,
) -> None:
    """Save positions as cases: gap, unsound, or the plain truth of their moves.

    With --rules a completable move that they forbid makes it `unsound`, and a dead
    move that they allow makes it `gap`. Without rules the verdict of every move is
    saved.

    Saved walks: the moves allowed at the live end are compared with the completable
    ones, and the first fatal move is printed.

    A gap of the corpus becomes a smaller one, dead for the same reason: the same
    universal rule is the first to see it, or none does.

    Exit code 1 if nothing was wrong, a walk differs, or no smaller gap was found; 2 if
    a subject cannot be read. The others are saved.

    Try: oneway corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases

    A gap with fewer cells: oneway corpus add 9x9-8589 --any-board --dry-run
    """
    from heuristic.boards import read_boards
    from verify.corpus.cases import Case, save_case
    from verify.corpus.making import fault_case
    from verify.corpus.origin import origin_of

    judge, folder, passed = console.make_oracle(oracle), _folder(corpus), PassedOver()
    meant = read_boards(boards) if boards else None
    good = True
    for subject in subjects:
        case: Case | None
        rule_set: RuleSet | None = None
        details: dict[str, Any] = {}
        try:
            if subject.endswith((".txt", ".svg")):
                case, as_said, details = _saved_walk(Path(subject), judge, as_json)
            elif ":" in subject and not subject.endswith(".toml"):
                place = console.parse_line("", subject)
                if rules:
                    rule_set = console.rules_meant_for(rules, place.board, meant)
                    case = fault_case(
                        *(place, rule_set, origin_of(joined(rules), folder), judge),
                        source=source,
                        why=why,
                        minimal=minimal,
                        walls=any_board,
                    )
                    as_said = case is not None
                else:
                    case, as_said = _truth_of(place, judge, source, why), True
            else:
                case, as_said, details = _smaller_gap(
                    subject, folder, any_board, as_json
                )
        except OnewayError as error:
            passed(error)
            continue
        good &= as_said
        path, new = None, False
        if case is not None and not dry_run:
            path, new = save_case(case, folder, rule_set)
        if as_json:
            emit(_added(subject, case, path, new) | details)
        elif case is None:
            say(f"nothing to save: {subject} shows no fault of {joined(rules)}")
        elif path is None:
            say(f"{case.kind}, not saved: {case.position.notation}")
        else:
            say(f"{case.kind}, {kept(path, new)}")
    raise typer.Exit(passed.code(0 if good else 1))


def _added(
    subject: str, case: "Case | None", path: Path | None, new: bool
) -> dict[str, Any]:
    """Return what came of a subject as plain values, for JSON."""
    return {
        "subject": subject,
        "kind": case.kind if case else None,
        "position": case.position.notation if case else None,
        "moves": case.subject if case else "",
        "case": str(path) if path else None,
        "new": new,
    }


def _truth_of(place: "Position", judge: "Oracle", source: str, why: str) -> "Case":
    from verify.corpus.cases import Case
    from verify.truth import truth

    why = why or "the verdict of every move, kept for regression"
    return Case("verdict", why, source, place, truth(place, judge))


def _saved_walk(
    file: Path, judge: "Oracle", as_json: bool
) -> "tuple[Case, bool, dict[str, Any]]":
    """Compare the moves that a saved walk allows with the truth, and print both.

    Return the case of its position, whether both agree, and the details for JSON.
    """
    from verify.corpus.saved_path import read_saved
    from verify.truth import first_fatal

    saved = read_saved(file)
    why = "a position that the researcher saved"
    case = _truth_of(saved.position, judge, f"saved path {file.name}", why)
    good = "".join(move for move, word in case.moves.items() if word == "completable")
    same = saved.trailer in (None, good)
    fatal = None if good else first_fatal(saved.position, judge)
    details = {
        "file": file.name,
        "allowed": saved.trailer,
        "moves": case.moves,
        "fatal": fatal.number if fatal else None,
    }
    if as_json:
        return case, same, details
    stored = "not stored" if saved.trailer is None else saved.trailer
    say(f"{file.name}: {saved.position.notation}")
    mark = "" if same else "  <- differs"
    say(f"  allowed: {stored}; completable: {good or 'none'}{mark}")
    if fatal:
        say(f"  {fatal.sentence}")
    return case, same, details


def _smaller_gap(
    name: str, folder: Path, any_board: bool, as_json: bool
) -> "tuple[Case, bool, dict[str, Any]]":
    """Shrink the gap of a case.

    Return the new case, whether it is smaller, and the details for JSON.
    """
    from solver.oracles.oracle import get_oracle
    from verify.corpus.cases import find_case
    from verify.corpus.making import gap_case
    from verify.corpus.origin import Origin, rules_of
    from verify.shrink import image_of_gap, shrink

    case, search = find_case(name, folder, PassedOver()), get_oracle("search")
    if case.kind != "gap":
        raise OptionError(f"{case.name} is no gap but of kind {case.kind}")
    rules, cells = rules_of(case), case.position.board.open_cells
    with console.counting("cells left out", cells) as moved:
        small = shrink(
            *(rules, case.position, search),
            any_board=any_board,
            progress=lambda x: moved(cells - x.board.open_cells),
        )
    position = image_of_gap(rules, small, search)
    source = f"oneway corpus add {case.name}{' --any-board' * any_board}"
    origin = Origin(case.rules, case.text)
    made = gap_case(position, case.position, rules, origin, source)
    new, left = made, position.board.open_cells
    if not as_json:
        console.say_position(position)
        say(f"  {' and '.join(new.subject)} is dead, and allowed")
        say(f"{left} of {cells} cells")
    return new, left < cells, {"from": case.name, "cells": left, "was": cells}


@app.command("export")
def export_paths(
    names: list[str] | None = argument(
        "Cases, or positions such as 9:RRDD; none: all cases.", None
    ),
    output: Path = option("--output -o", "Folder of the files.", Path("out/saved")),
    form: str = option("", "saved, svg, png or text.", "saved"),
    corpus: options.Corpus = None,
    oracle: options.Oracle = "sat",
) -> None:
    """Write cases or positions as other programs read them, or people.

    saved: as the researcher's program reads them, NAME.txt and NAME.svg. The moves
    allowed at the live end are the completable ones, before each earlier step all
    moves. His boards are squares without walls with their ends in the corners.

    svg, png, text: a picture.

    Cases that are on no such board are passed over, and counted; a position named is
    refused. Exit code 1 if none was written.

    Try: oneway corpus export 7x7-69 13:RRDD -o saved

    A picture: oneway corpus export 5x6!2,2:RRD --form svg -o pictures
    """
    from solver.files import make_folder, write_together

    if form not in FORMS:
        raise UnknownNameError("form", form, FORMS)
    folder, unread, passed = _folder(corpus, there=not names), PassedOver(), 0
    files: list[tuple[Path, str | bytes]] = []
    for name, place, words in _to_export(names, folder, unread, oracle):
        try:
            written = _written(form, place, words)
        except OptionError:
            if names:
                raise
            passed += 1
            continue
        files += [(output / f"{name}.{kind}", data) for kind, data in written.items()]
    make_folder(output)
    write_together(files)
    say(f"{counted(len(files), 'file')} written to {shown(output)}")
    if passed:
        say(f"{counted(passed, 'case')} passed over: on no board of that form")
    raise typer.Exit(unread.code(0 if files else 1))


def _written(
    form: str, place: "Position", words: "Callable[[], dict[str, str]]"
) -> dict[str, str | bytes]:
    """Return what is written of a position, by the ending of the file."""
    from solver.svg import draw, encoded
    from verify.corpus.saved_path import (
        SavedPath,
        draw_saved_picture,
        fits_his_board,
        print_saved_path,
    )

    if form == "text":
        return {"txt": f"{place.notation}\n\n{place}\n"}
    if form in ("svg", "png"):
        return {form: encoded(draw(place), Path(f"a.{form}"))}
    fits_his_board(place)
    good = "".join(move for move, word in words().items() if word == "completable")
    saved = SavedPath(place, (None,) * (len(place.walk) - 1), good or None)
    return {"txt": print_saved_path(saved), "svg": draw_saved_picture(saved)}


def _to_export(
    names: list[str] | None, folder: Path, unread: PassedOver, oracle: str
) -> "Iterator[tuple[str, Position, Words]]":
    """Yield name, position and truth of what is to be written."""
    from verify.corpus.cases import Case, find_case, load_corpus
    from verify.truth import truth

    def of(case: Case) -> "tuple[str, Position, Words]":
        return case.name, case.position, lambda: case.moves

    judge = console.make_oracle(oracle)
    if not names:
        yield from map(of, load_corpus(folder, unread))
    for name in names or ():
        if ":" in name:
            place = console.parse_line("", name)
            words = partial(truth, place, judge)
            yield Case("verdict", "", "", place, {}).name, place, words
        else:
            yield of(find_case(name, folder, unread))
