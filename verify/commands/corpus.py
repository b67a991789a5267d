"""`oneway corpus`: list, show, replay, add and import cases."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from verify.commands.console import (
    NONE,
    CorpusOption,
    JsonOption,
    OracleOption,
    PictureOption,
    RulesOption,
    emit,
    kept,
    make_oracle,
    note,
    parse_line,
    progress_bar,
    say,
    shown,
)
from verify.commands.ending import PassedOver
from verify.commands.shrink import shrink
from verify.words import counted

if TYPE_CHECKING:
    from solver.board import Position
    from solver.oracles.oracle import Oracle

    Words: TypeAlias = Callable[[Oracle], dict[str, str]]

app = typer.Typer(
    no_args_is_help=True,
    help="Cases: saved positions with what is claimed of them. Every counterexample "
    "is kept here and replayed by the tests.",
)

NameArgument = Annotated[
    str, typer.Argument(help="Name of a case (a beginning will do) or its file.")
]


def _folder(corpus: Path | None, *, there: bool = False) -> Path:
    from solver.errors import OptionError
    from verify.corpus.cases import corpus_folder

    folder = corpus or corpus_folder()
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"corpus {folder} is no folder")
    if there and not folder.exists():
        if corpus is not None:
            raise OptionError(f"corpus {folder} is not there; --save and add make it")
        note(f"no cases yet; they are kept in {folder}")
    return folder


@app.command("list")
def list_cases(
    kind: Annotated[
        str | None, typer.Option(help="Only gap, unsound, fired, stuck or verdict.")
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the cases: kind, name, rules, position, as `oneway check` takes it.

    Cases lie in the folder that --corpus names, or the environment as ONEWAY_CORPUS; in
    the corpus of a checkout; else in a folder of the user's data. It is said which.

    Exit code 1 if there is none, 2 if a file cannot be read; the others are listed.
    """
    from solver.errors import UnknownNameError
    from solver.notation import unquoted
    from verify.corpus.cases import KINDS, load_corpus

    if kind is not None and kind not in KINDS:
        raise UnknownNameError("kind of case", kind, list(KINDS))
    found = False
    folder, passed = _folder(corpus, there=True), PassedOver()
    if folder.exists():
        note(f"cases in {shown(folder)}")
    for case in load_corpus(folder, passed):
        if kind in (None, case.kind):
            found = True
            if as_json:
                emit(
                    {
                        "kind": case.kind,
                        "name": case.name,
                        "rules": case.rules,
                        "subject": case.subject,
                        "position": case.position.notation,
                    }
                )
            else:
                text = unquoted(case.position.notation)
                say(f"{case.kind:8} {case.name:18} {case.rules:20} {text}")
    raise typer.Exit(passed.code(0 if found else 1))


@app.command()
def show(
    name: NameArgument, corpus: CorpusOption = None, picture: PictureOption = None
) -> None:
    """Show one case: what it claims, its picture, what the rules say of it now.

    Try: oneway corpus show 7x7-69 -o case.svg
    """
    from solver.svg import write_picture
    from verify.corpus.cases import KINDS, case_rules, find_case
    from verify.tell import picture as picture_of

    case = find_case(name, _folder(corpus, there=True), PassedOver())
    say(f"{case.kind}: {KINDS[case.kind]}")
    say(f"why:    {case.why}")
    say(f"source: {case.source}")
    if case.path:
        say(f"file:   {shown(case.path)}")
    say(str(case.position))
    say(case.position.notation)
    forbids = case_rules(case).forbids(case.position) if case.rules else ()
    for move, word in case.moves.items():
        mark = "   <- in question" if move in case.subject else ""
        say(f"  {move}  {word}{mark}")
        for f in forbids:
            if f.move == move:
                say(f"     forbidden by {f.rule}: {f.reason.sentence}")
    if picture:
        write_picture(picture_of(case.position, forbids), picture)
        say(f"picture: {picture}")


@app.command()
def replay(
    names: Annotated[
        list[str] | None, typer.Argument(help="Cases to replay; none: all.")
    ] = None,
    corpus: CorpusOption = None,
    oracle: OracleOption = "sat",
) -> None:
    """Check cases again: the truth of every move, and what the rules say.

    Exit code 1 if one is not as it says, 2 if a file cannot be read; the others are
    replayed.

    Try: oneway corpus replay 7x7-69
    """
    from verify.corpus.cases import find_case, load_corpus
    from verify.corpus.cases import replay as replay_case

    folder, passed = _folder(corpus, there=True), PassedOver()
    judge = make_oracle(oracle)
    if names:
        cases = [find_case(name, folder, passed) for name in names]
    else:
        cases = list(load_corpus(folder, passed))
    failed = 0
    with progress_bar() as bar:
        for case in bar.track(cases, description="replay"):
            for fault in replay_case(case, judge):
                failed += 1
                say(f"{case.path}: {fault}")
    say(f"{counted(len(cases), 'case')} replayed, {counted(failed, 'fault')}")
    raise typer.Exit(passed.code(1 if failed else 0))


@app.command()
def add(
    position: Annotated[str, typer.Argument(help="A position, such as 9:RRDD.")],
    rules: RulesOption = NONE,
    why: Annotated[str, typer.Option(help="Why it is worth keeping.")] = "",
    source: Annotated[str, typer.Option(help="Where it comes from.")] = "by hand",
    minimal: Annotated[
        bool, typer.Option(help="Make it minimal before saving.")
    ] = True,
    corpus: CorpusOption = None,
    oracle: OracleOption = "sat",
) -> None:
    """Save a position as a case: gap, unsound, or the plain truth of its moves.

    With --rules the kind is found out: a completable move they forbid makes it
    `unsound`, a dead move they allow makes it `gap`; exit code 1 if neither shows.
    Without rules the verdicts of all moves are kept.

    Try: oneway corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases
    """
    from verify.corpus.cases import Case, named_rules, save_case
    from verify.trial.completeness import Claim, make_case, truth

    place = parse_line("", position)
    judge = make_oracle(oracle)
    folder = _folder(corpus)
    if not rules:
        why = why or "the verdict of every move, kept for regression"
        case = Case("verdict", why, source, place, truth(place, judge))
        path, new = save_case(case, folder)
        say(kept(path, new))
        return
    from heuristic.groups import load_rules

    rule_set = load_rules(rules)
    named, book = named_rules(rules)
    for kind in ("unsound", "gap"):
        if Claim(kind, rule_set, judge).holds(place):
            case = make_case(
                kind,
                place,
                rule_set,
                named,
                judge,
                source=source,
                book=book,
                minimal=minimal,
                why=why,
            )
            path, new = save_case(case, folder)
            say(f"{kind}, {kept(path, new)}")
            return
    say(f"nothing to save: {named} forbids exactly the dead moves of {position}")
    raise typer.Exit(1)


@app.command("import")
def import_paths(
    files: Annotated[
        list[Path], typer.Argument(help="Saved walks: text (.txt) or picture (.svg).")
    ],
    save: Annotated[
        bool, typer.Option("--save", help="Save each as a verdict case.")
    ] = False,
    corpus: CorpusOption = None,
    oracle: OracleOption = "sat",
    as_json: JsonOption = False,
) -> None:
    """Read the researcher's own saved walks: his text files and his pictures.

    Prints each position in our notation with the moves his rules allowed at its live
    end and the verdict of each move; of a dead one the first fatal move. Exit code 1 if
    the stored options differ from the completable moves in one, 2 if a file cannot be
    read; the others are.
    """
    from solver.errors import OnewayError
    from verify.corpus.cases import Case, save_case
    from verify.corpus.saved_path import read_saved
    from verify.trial.completeness import first_fatal, truth

    judge, passed = make_oracle(oracle), PassedOver()
    differ = 0
    for file in files:
        try:
            saved = read_saved(file)
        except OnewayError as error:
            passed(error)
            continue
        words = truth(saved.position, judge)
        good = "".join(move for move, word in words.items() if word == "completable")
        differs = saved.trailer is not None and saved.trailer != good
        differ += differs
        fatal = None if good else first_fatal(saved.position, judge)
        if as_json:
            emit(
                {
                    "file": file.name,
                    "position": saved.position.notation,
                    "allowed": saved.trailer,
                    "moves": words,
                    "fatal": fatal.number if fatal else None,
                }
            )
        else:
            stored = "not stored" if saved.trailer is None else saved.trailer
            mark = "  <- differs" if differs else ""
            say(f"{file.name}: {saved.position.notation}")
            say(f"  allowed: {stored}; completable: {good or 'none'}{mark}")
            if fatal:
                say(f"  {fatal.sentence}")
        if save:
            why = "a position that the researcher saved"
            case = Case(
                "verdict", why, f"saved path {file.name}", saved.position, words
            )
            path, new = save_case(case, _folder(corpus))
            note(kept(path, new))
    raise typer.Exit(passed.code(1 if differ else 0))


@app.command("export")
def export_paths(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Cases, or positions such as 9:RRDD; none: all cases."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of the files.")
    ] = Path("out/saved"),
    corpus: CorpusOption = None,
    oracle: OracleOption = "sat",
) -> None:
    """Write cases or positions as the researcher's program reads them.

    Each becomes NAME.txt and NAME.svg. The moves allowed at the live end are the
    completable ones, before each earlier step all moves. His boards are squares without
    walls with their ends in the corners: other cases are passed over, and counted; a
    position named that is on no such board is refused. Exit code 1 if none was written.

    Try: oneway corpus export 7x7-69 13:RRDD -o saved
    """
    from solver.files import make_folder, write_together
    from verify.corpus.saved_path import (
        SavedPath,
        draw_saved_picture,
        fits_his_board,
        print_saved_path,
    )

    folder, judge = _folder(corpus, there=not names), make_oracle(oracle)
    unread = PassedOver()
    found, passed = _to_export(names, folder, unread)
    files: list[tuple[Path, bytes]] = []
    for name, place, words in found:
        if names:
            fits_his_board(place)
        good = "".join(m for m, word in words(judge).items() if word == "completable")
        steps = (None,) * (len(place.walk) - 1)
        saved = SavedPath(place, steps, good or None)
        files.append((output / f"{name}.txt", print_saved_path(saved).encode()))
        files.append((output / f"{name}.svg", draw_saved_picture(saved).encode()))
    make_folder(output)
    write_together(files)
    say(f"{counted(len(files), 'file')} written to {shown(output)}")
    if passed:
        say(f"{counted(passed, 'case')} passed over: on no board of his")
    raise typer.Exit(unread.code(0 if files else 1))


def _to_export(
    names: list[str] | None, folder: Path, unread: PassedOver
) -> "tuple[list[tuple[str, Position, Words]], int]":
    """Return name, position and truth of what is to be written, and what was not."""
    from solver.board import Board
    from verify.corpus.cases import Case, find_case, load_corpus
    from verify.trial.completeness import truth

    def of(case: Case) -> "tuple[str, Position, Words]":
        return case.name, case.position, lambda _: case.moves

    if not names:
        cases = list(load_corpus(folder, unread))
        his = [
            c for c in cases if c.position.board == Board.square(c.position.board.rows)
        ]
        return [of(case) for case in his], len(cases) - len(his)
    found: list[tuple[str, Position, Words]] = []
    for name in names:
        if ":" in name:
            place = parse_line("", name)
            case = Case("verdict", "", "", place, {})
            found.append((case.name, place, partial(truth, place)))
        else:
            found.append(of(find_case(name, folder, unread)))
    return found, 0


app.command()(shrink)
