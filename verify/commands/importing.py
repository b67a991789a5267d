"""`oneway import`: drawings out of the researcher's rule pictures."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.commands.console import (
    NONE,
    PROOFS,
    CorpusOption,
    ProofsOption,
    SecondsOption,
    SeedOption,
    note,
    say,
    shown,
)
from verify.commands.report import kept_verdicts
from verify.commands.running import How, campaigning, conduct
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.pictures.rule import Facts
    from verify.verdict.pictured import Read
    from verify.verdict.verdict import Judgement

_MOST = 10_000  # pictures of one call
_LARGEST = 4_000_000  # bytes of a program; his has 403,126


@campaigning
def import_pictures(
    how: How,
    pictures: Annotated[list[Path], typer.Argument(help="Rule pictures (.svg).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the drawings into this rule file."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--table", help="Write a table of all pictures (Markdown)."),
    ] = None,
    judge: Annotated[
        bool,
        typer.Option("--judge", help="Put every drawing to a proof, for the table."),
    ] = False,
    facts: Annotated[
        list[str],
        typer.Option(
            "--facts",
            help="What the picture does not hold: forbid=left,turns=0,turns=cw and so "
            "on; of many pictures a TOML file. docs/how-to/pictures.md has the keys.",
        ),
    ] = NONE,
    program: Annotated[
        Path | None,
        typer.Option(help="The author's Path.cs: the table says of each of its rules."),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Before the name of each rule.")] = "",
    source: Annotated[
        str, typer.Option(help="Where the pictures are from; kept with each rule.")
    ] = "",
    seconds: SecondsOption = 10.0,
    proofs: ProofsOption = PROOFS,
    corpus: CorpusOption = None,
    seed: SeedOption = 0,
) -> None:
    """Read rule pictures of the researcher's rule editor as drawings of a rule file.

    A cell is read from its shape, not from its number, which changed its meaning. The
    last edition crosses no forbidden move, marks no area and gives no turn. The count
    of an area may stand in the file's name (_E, _1W, _vB); the rest is given by
    --facts. A picture that lacks something says what.

    Exit code 0 if every picture is read, 1 if some are not, 2 if none is, or on bad
    input.

    Try: oneway import docs/examples/picture.svg

    A picture of 2026: oneway import StairAtEndConvexOut1_E.svg
    --facts forbid=left,turns=0,turns=cw

    Many: oneway import pictures/*.svg -o book.toml --table table.md --judge
    """
    from solver.errors import OptionError
    from solver.files import write_whole
    from verify.corpus.cases import corpus_folder
    from verify.verdict.pictured import book_text, read_pictures, table
    from verify.verdict.verdict import judging

    if judge and (page is None or output is None):
        raise OptionError("--judge needs --table and -o: it judges what is written")
    if len(pictures) > _MOST:
        raise OptionError(f"{len(pictures):,} pictures; at most {_MOST:,} at once")
    known = _facts(facts)
    code = _program(program) if program else ""
    read = read_pictures(pictures, source=source, prefix=prefix, facts=known)
    drawn = [one for one in read if one.found]
    if len(read) == 1 and read[0].error:
        raise read[0].error
    _report(read, quiet=output is not None)
    command = " ".join(["oneway", *_written(sys.argv[1:], pictures)])
    if output and drawn:
        write_whole(output, book_text(read, command))
        say(f"written: {shown(output)}")
    if page:
        verdicts: list[Judgement] = []
        if judge and drawn:
            parameters = {
                "rules": str(output),
                "seconds": seconds,
                "seed": seed,
                "corpus": str(corpus or corpus_folder()),
            }
            verdicts, _ = kept_verdicts(conduct(judging, parameters, how), proofs)
        write_whole(page, table(read, verdicts, command, code))
        say(f"written: {shown(page)}")
    if not drawn:
        raise typer.Exit(2)
    raise typer.Exit(0 if len(drawn) == len(read) else 1)


def _facts(words: list[str]) -> "Facts | dict[str, list[Facts]]":
    """Read a file of facts, or those of all pictures as KEY=VALUE,KEY=VALUE."""
    import msgspec

    from heuristic.pictures.rule import Facts, load_facts
    from solver.errors import OptionError

    if len(words) == 1 and words[0].endswith(".toml"):
        return load_facts(Path(words[0]))
    found: dict[str, Any] = {"names": ["of one call"], "source": "the command line"}
    for word in ",".join(words).split(",") if words else ():
        key, _, value = word.partition("=")
        if key in ("forbid", "turns"):
            found.setdefault(key, []).append(value)
        else:
            found[key] = value
    try:
        return msgspec.convert(found, type=Facts, strict=False)
    except msgspec.ValidationError as error:
        raise OptionError(f"--facts {','.join(words)}: {error}") from None


def _written(words: list[str], pictures: list[Path]) -> list[str]:
    """Return the words of the command line, many pictures as their folder's pattern."""
    names = {str(path) for path in pictures}
    folders = sorted({_folder(path) for path in pictures})
    patterns = [f"{folder}/*.svg" for folder in folders]
    found: list[str] = []
    for word in words:
        if len(names) < 3 or word not in names:
            found.append(shlex.quote(word))
        elif patterns[0] not in found:
            found += [one if " " not in one else shlex.quote(one) for one in patterns]
    return found


def _program(path: Path) -> str:
    from solver.errors import OptionError

    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError) as error:  # ValueError: a zero in the name
        why = getattr(error, "strerror", None) or "is no name of a file"
        raise OptionError(f"--program {path.name} cannot be read: {why}") from None


def _folder(picture: Path) -> str:
    """Return a picture's folder as people write it, without what is above it here."""
    parent = picture.parent
    return parent.name if parent.is_absolute() else parent.as_posix()


def _report(read: "list[Read]", quiet: bool) -> None:
    """Print what was read, and in a line each what was not."""
    from verify.verdict.pictured import count_files

    for one in read:
        if one.found is None:
            note(str(one.error))
        elif not quiet:
            say(one.found.text)
    files, drawn = count_files(read)
    if files > 1:
        say(f"{counted(files, 'picture')}: {drawn} read, {files - drawn} not")
