"""`oneway rules`: the rule book, where its rules decide, and rules out of pictures."""

import inspect
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from heuristic.groups import about, group_names, rule_names
from heuristic.pictures.rule import Facts, load_facts
from heuristic.rule import Rule, RuleSet
from heuristic.rules.drawing import Frame, RuleSpec
from heuristic.rules.letters import drawing_lines
from heuristic.rules.picture import draw_rule
from solver.board import LETTERS
from solver.errors import OptionError
from solver.files import write_whole
from solver.svg import check_picture, write_pictures
from verify.commands import options
from verify.commands.console import emit, kept, note, numbered, say, shown, table
from verify.commands.rulesets import rules_of
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.proof.counterexample import find_firing
from verify.proof.provable import drawn_bans
from verify.proof.prove import prove_void
from verify.verdict.pictures import Read, book_text, count_files, read_pictures
from verify.words import counted

_SHOWN = 12  # drawings of a rule; families have hundreds
_PICTURES = 10_000  # of one call


def rules(
    context: typer.Context,
    rules: Annotated[
        list[str] | None,
        typer.Argument(
            help="Groups, rules of the book, rule files, FILE.py:FUNCTION; or rule "
            "pictures (.svg). Default: list all groups."
        ),
    ] = None,
    as_list: Annotated[
        bool, typer.Option("--list", help="A table: rule, claim and origin.")
    ] = False,
    example: Annotated[
        bool,
        typer.Option("--example", help="Find a position in which each rule decides."),
    ] = False,
    save: options.Save = False,
    corpus: options.Corpus = None,
    seconds: options.Seconds = 30.0,
    seed: options.Seed = 0,
    facts: Annotated[
        list[str] | None,
        typer.Option(
            "--facts",
            help="What a picture does not hold: forbid=left,turns=0 or a TOML file.",
        ),
    ] = None,
    source: Annotated[
        str, typer.Option("--source", help="Where the pictures are from.")
    ] = "",
    prefix: Annotated[
        str, typer.Option("--prefix", help="Before the names of rules from pictures.")
    ] = "",
    as_json: options.Json = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="FILE.svg or FILE.png; of pictures FILE.toml."
        ),
    ] = None,
) -> None:
    """Show the rule book, or read rules out of pictures.

    Every rule is a drawing in a TOML file. Where a rule counts several areas, each has
    letters of its own. With --example positions of 7x7 to 15x15 are searched: the rule
    forbids a dead move, and another move completes the walk. A rule is void if a proof
    shows that no completable position matches it.

    Pictures of the researcher's rule editor become drawings of a rule file. An error
    says what a picture lacks; --facts adds it.

    Exit code 1 if a search found nothing, or if some pictures cannot be read.

    \b
    One rule, drawn:
      oneway rules c-shape -o c-shape.svg
    A group as a table:
      oneway rules seed-5 --list
    Where a rule decides:
      oneway rules double-area-3 --example
    Out of a picture:
      oneway rules docs/examples/picture.svg -o mine.toml
    """
    words = rules or []
    if pictures := [Path(word) for word in words if word.endswith(".svg")]:
        if len(pictures) < len(words):
            raise OptionError("read pictures apart from rules")
        idle = ("as_list", "example", "save", "seconds", "seed")
        options.refuse_idle(context, "with pictures", *idle)
        if len(pictures) > _PICTURES:
            raise OptionError(f"{len(pictures):,} pictures; at most {_PICTURES:,}")
        read = read_pictures(
            pictures, source=source, prefix=prefix, facts=_facts(facts or [])
        )
        raise typer.Exit(_print_read(read, output))
    options.refuse_idle(context, "without pictures", "facts", "source", "prefix")
    if not words:
        _list_groups(as_json)
        return
    if output:
        check_picture(output)
    rule_set = rules_of(words)
    if example:
        cases = (corpus or corpus_folder()) if save else None
        found = _print_examples(rule_set, seconds, seed, cases, as_json)
        raise typer.Exit(0 if found else 1)
    if as_json:
        for rule in rule_set.rules:
            emit(rule=rule.name, claim=rule.claim, origin=rule.origin)
    elif output:
        _draw(rule_set.rules, output)
    elif as_list:
        rows = [[rule.name, rule.claim, rule.origin] for rule in rule_set.rules]
        table(f"Rules of {rule_set.name}", ["rule", "claim", "origin"], rows)
    else:
        for rule in rule_set.rules:
            _show(rule)


def _list_groups(as_json: bool) -> None:
    for name in group_names():
        names = rule_names(name)
        if as_json:
            emit(group=name, about=about(name), rules=names)
        else:
            say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")


def _show(rule: Rule) -> None:
    say(f"{rule.name}  (claim: {rule.claim})")
    say(f"  origin: {rule.origin}")
    if isinstance(rule, RuleSpec):
        _show_drawn(rule)
    else:
        _indent(inspect.cleandoc(type(rule).__doc__ or ""))
    say()


def _indent(text: str) -> None:
    for line in text.splitlines():
        say(f"  {line}")


def _show_drawn(spec: RuleSpec) -> None:
    say(f"  reason: {spec.reason}")
    if spec.kind == "inference":
        say(
            "  an inference of future lines, carried out by a kernel; "
            "see docs/reference/rules.md"
        )
    if spec.note:
        say(f"  note:   {spec.note}")
    for drawing in spec.drawings[:_SHOWN]:
        say()
        if drawing.variant:
            say(f"  {drawing.variant}:")
        for line in drawing_lines(drawing):
            say(f"    {line}".rstrip())
        if any(mark.same for mark in drawing.marks):
            say("    F and G are ends of one line")
        if drawing.frame is Frame.HEADING:
            turns = ", ".join(drawing.poses).lower()
            mirrored = " and mirrored" if drawing.mirror else ""
            say(f"    turned: {turns}{mirrored}; the last step runs up the page")
        else:
            names = ", ".join(drawing.poses).lower()
            say(f"    absolute, last step {LETTERS[drawing.heading]}; images: {names}")
    if len(spec.drawings) > _SHOWN:
        say(f"\n  and {len(spec.drawings) - _SHOWN} more drawings, larger ones mostly")


def _draw(rules: Sequence[Rule], output: Path) -> None:
    """Draw the drawn rules, a file each."""
    specs = [rule for rule in rules if isinstance(rule, RuleSpec)]
    specs = [spec for spec in specs if spec.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = numbered(output, len(specs))
    svgs = [draw_rule(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    for file in files:
        say(f"picture: {shown(file)}")


def _print_examples(
    rule_set: RuleSet, seconds: float, seed: int, corpus: Path | None, as_json: bool
) -> bool:
    """Find and print where each drawn rule decides; whether all were settled.

    What is found becomes a case of the `corpus`, if one is given.
    """
    drawn = drawn_bans(rule_set.rules)
    if not drawn:
        raise OptionError(f"{rule_set.name}: no drawn rule is among them")
    for rule in rule_set.rules:
        if rule.name not in drawn:
            note(f"{rule.name} has no example: it is not a ban by a drawing")
    left = 0
    for name, spec in drawn.items():
        void = prove_void(spec, seconds=min(seconds, 5.0))
        firing = None if void else find_firing(spec, seconds=seconds, seed=seed)
        left += void is None and firing is None
        if as_json:
            emit(
                rule=name,
                void=void and void.boards,
                position=firing and firing.position.notation,
                forbidden=firing and firing.forbidden,
            )
        elif void:
            say(f"{name}: void, no completable position matches it")
            say(f"  for {void.boards}")
        elif firing is None:
            say(f"{name}: none found in {seconds:g} s")
        else:
            say(f"{name}: {firing.position.notation} {firing.forbidden}")
        if firing and corpus:
            source = f"oneway rules {name} --example --seed {seed}"
            case = firing.case(source, origin_of(rule_set.name, corpus))
            note(kept(*save_case(case, corpus, rule_set)))
    return not left


def _print_read(read: list[Read], output: Path | None) -> int:
    """Print the drawings of pictures or write a rule file; return the exit code."""
    drawn = [picture for picture in read if picture.found]
    if len(read) == 1 and read[0].error:
        raise read[0].error
    for picture in read:
        if picture.found is None:
            note(str(picture.error))
        elif output is None:
            say(picture.found.text)
    files, good = count_files(read)
    if files > 1:
        say(f"{counted(files, 'picture')}: {good} read, {files - good} not")
    if output and drawn:
        write_whole(output, book_text(read, shlex.join(["oneway", *sys.argv[1:]])))
        say(f"written: {shown(output)}")
    if not drawn:
        return 2
    return 0 if len(drawn) == len(read) else 1


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
