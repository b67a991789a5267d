"""`oneway rules`: the rule book, and rules out of pictures."""

import inspect
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from typer import Argument, Option

from heuristic.groups import about, group_names, rule_names
from heuristic.pictures.rule import Facts, load_facts
from heuristic.rule import Rule
from heuristic.rules.drawing import Frame, RuleSpec
from heuristic.rules.letters import drawing_lines
from heuristic.rules.picture import draw_rule
from solver.board import LETTERS
from solver.errors import OptionError
from solver.files import write_whole
from solver.svg import write_pictures
from verify.commands import options
from verify.commands.console import emit, note, say, shown, table
from verify.commands.rulesets import rules_of
from verify.formatting import counted
from verify.verdict.comparison import book_text, count_files, read_pictures

_SHOWN = 12  # drawings of a rule; families have hundreds


def rules(
    context: typer.Context,
    rules: list[str] | None = Argument(
        None, help="Groups, rules, rule files, or pictures (.svg); none: all groups."
    ),
    as_list: bool = Option(False, "--list", help="A table: rule, claim and origin."),
    facts: list[str] | None = Option(
        None, help="What a picture lacks: forbid=left,turns=0 or a TOML file."
    ),
    source: str = Option("", help="Where the pictures are from."),
    as_json: options.Json = False,
    output: Path | None = Option(
        None, "--output", "-o", help="FILE.svg or FILE.png; of pictures FILE.toml."
    ),
) -> None:
    """Show the rule book, or read rules out of pictures.

    Every rule is a drawing in a TOML file. Where a rule counts several areas, each has
    letters of its own.

    Pictures of the researcher's rule editor become drawings of a rule file. An error
    says what a picture lacks; --facts adds it.

    Exit code 1 if some pictures cannot be read.

    \b
    One rule, drawn:
      oneway rules c-shape -o c-shape.svg
    A group as a table:
      oneway rules seed-5 --list
    Out of a picture:
      oneway rules docs/examples/picture.svg -o mine.toml
    """
    words = rules or []
    if pictures := [Path(word) for word in words if word.endswith(".svg")]:
        if len(pictures) < len(words):
            raise OptionError("read pictures apart from rules")
        raise typer.Exit(_read(pictures, _facts(facts or []), source, output))
    options.refuse_idle(context, "without pictures", "facts", "source")
    if not words:
        for name in group_names():
            names = rule_names(name)
            if as_json:
                emit({"group": name, "about": about(name), "rules": names})
            else:
                say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")
        return
    options.output_file(output, ".svg", ".png")
    rule_set = rules_of(words)
    rows = [
        {"rule": rule.name, "claim": rule.claim, "origin": rule.origin}
        for rule in rule_set.rules
    ]
    if as_json:
        for row in rows:
            emit(row)
    elif output:
        _draw(rule_set.rules, output)
    elif as_list:
        cells = [[*row.values()] for row in rows]
        table(f"Rules of {rule_set.name}", ["rule", "claim", "origin"], cells)
    else:
        for rule in rule_set.rules:
            say(f"{rule.name}  (claim: {rule.claim})")
            say(*(f"  {line}".rstrip() for line in _lines(rule)), "")


def _lines(rule: Rule) -> Iterator[str]:
    """Yield the lines that show a rule."""
    yield f"origin: {rule.origin}"
    if not isinstance(rule, RuleSpec):
        yield from inspect.cleandoc(type(rule).__doc__ or "").splitlines()
        return
    yield f"reason: {rule.reason}"
    if rule.kind == "inference":
        yield (
            "an inference of future lines, carried out by a kernel; "
            "see docs/reference/rules.md"
        )
    if rule.note:
        yield f"note:   {rule.note}"
    for drawing in rule.drawings[:_SHOWN]:
        yield ""
        if drawing.variant:
            yield f"{drawing.variant}:"
        yield from (f"  {line}" for line in drawing_lines(drawing))
        if any(mark.same for mark in drawing.marks):
            yield "  F and G are ends of one line"
        turns = ", ".join(drawing.poses).lower()
        if drawing.frame is Frame.HEADING:
            mirrored = " and mirrored" if drawing.mirror else ""
            yield f"  turned: {turns}{mirrored}; the last step runs up the page"
        else:
            yield f"  absolute, last step {LETTERS[drawing.heading]}; images: {turns}"
    if len(rule.drawings) > _SHOWN:
        yield ""
        yield f"and {len(rule.drawings) - _SHOWN} more drawings, larger ones mostly"


def _draw(rules: Sequence[Rule], output: Path) -> None:
    """Draw the drawn rules, a file each."""
    specs = [rule for rule in rules if isinstance(rule, RuleSpec)]
    specs = [spec for spec in specs if spec.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = options.numbered(output, len(specs))
    svgs = [draw_rule(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    say(*(f"picture: {shown(file)}" for file in files))


def _read(
    files: Sequence[Path],
    facts: Facts | dict[str, list[Facts]],
    source: str,
    output: Path | None,
) -> int:
    """Print the drawings of pictures or write a rule file; return the exit code."""
    read = read_pictures(files, source=source, facts=facts)
    if len(read) == 1 and read[0].error:
        raise read[0].error
    for picture in read:
        if picture.found is None:
            note(str(picture.error))
        elif output is None:
            say(picture.found.text)
    number, good = count_files(read)
    if number > 1:
        say(f"{counted(number, 'picture')}: {good} read, {number - good} not")
    if output and good:
        write_whole(output, book_text(read, shlex.join(["oneway", *sys.argv[1:]])))
        say(f"written: {shown(output)}")
    if not good:
        return 2
    return 0 if all(picture.found for picture in read) else 1


def _facts(words: list[str]) -> Facts | dict[str, list[Facts]]:
    """Read a file of facts, or those of all pictures as KEY=VALUE,KEY=VALUE."""
    if len(words) == 1 and words[0].endswith(".toml"):
        return load_facts(Path(words[0]))
    given: dict[str, Any] = {"names": ["of one call"], "source": "the command line"}
    for word in ",".join(words).split(",") if words else ():
        key, _, value = word.partition("=")
        if key in ("forbid", "turns"):
            given.setdefault(key, []).append(value)
        else:
            given[key] = value
    try:
        return msgspec.convert(given, type=Facts, strict=False)
    except msgspec.ValidationError as error:
        raise OptionError(f"--facts {','.join(words)}: {error}") from None
