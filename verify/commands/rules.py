"""`oneway rules`: the rule book, listed and shown."""

import inspect
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    JsonOption,
    PictureOption,
    RulesArgument,
    emit,
    numbered,
    say,
    table,
)
from verify.commands.importing import import_pictures
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.rules.drawing import RuleSpec

_SHOWN = 12  # drawings of a rule; families have hundreds

app = typer.Typer(
    no_args_is_help=True,
    help="The rule book: every rule is a drawing in a TOML file. "
    "docs/reference/rules.md teaches how to draw your own.",
)
app.command("import")(import_pictures)


@app.command("list")
def list_rules(
    group: Annotated[str, typer.Option(help="A group, or a TOML file.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List the groups, or the rules of one group with claim and origin.

    Try: oneway rules list --group seed-5
    """
    from heuristic.groups import about, group_names, load_rules, rule_names

    if not group:
        for name in group_names():
            names = rule_names(name)
            if as_json:
                emit({"group": name, "about": about(name), "rules": names})
            else:
                say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")
        return
    rows = []
    for rule in load_rules(group).rules:
        if as_json:
            emit({"rule": rule.name, "claim": rule.claim, "origin": rule.origin})
        rows.append([rule.name, rule.claim, rule.origin])
    if not as_json:
        table(f"Rules of {group}", ["rule", "claim", "origin"], rows)


@app.command()
def show(
    rules: RulesArgument,
    picture: PictureOption = None,
) -> None:
    """Show rules: the drawing, what is claimed, the reason and the origin.

    Where a rule counts several areas, each has letters of its own. With -o the drawings
    go into a picture, a file for each rule that is drawn.

    Try: oneway rules show c-shape -o c-shape.svg
    """
    from heuristic.future.futurerules import FutureRule
    from heuristic.groups import load_rules
    from heuristic.matching.drawn import DrawnRule
    from heuristic.procedures.kernelrule import KernelRule

    for rule in load_rules(rules or ()).rules:
        say(f"{rule.name}  (claim: {rule.claim})")
        say(f"  origin: {rule.origin}")
        if isinstance(rule, DrawnRule | FutureRule):
            _show_drawn(rule.spec)
        elif isinstance(rule, KernelRule):
            say(f"  reason: {rule.reason}")
            _indent(textwrap.fill(rule.what, 78))
        else:
            _indent(inspect.cleandoc(type(rule).__doc__ or ""))
        say()
    if picture:
        found = load_rules(rules or ()).rules
        _draw([r.spec for r in found if isinstance(r, DrawnRule | FutureRule)], picture)


def _draw(specs: "list[RuleSpec]", picture: Path) -> None:
    from heuristic.rules.picture import draw_rules
    from solver.errors import OptionError
    from solver.svg import write_pictures

    specs = [spec for spec in specs if spec.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = numbered(picture, len(specs))
    svgs = [draw_rules(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    for file in files:
        say(f"picture: {file}")


def _indent(text: str) -> None:
    for line in text.splitlines():
        say(f"  {line}")


def _show_drawn(spec: "RuleSpec") -> None:
    from heuristic.rules.drawing import Frame
    from heuristic.rules.writing import area_lines, lettered
    from solver.board import LETTERS

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
        for line in lettered(drawing):
            say(f"    {line}")
        if any(mark.same for mark in drawing.marks):
            say("    F and G are ends of one line")
        for line in area_lines(drawing):
            say(f"    {line}")
        if drawing.frame is Frame.HEADING:
            turns = ", ".join(turn.name.lower() for turn in drawing.turns)
            mirrored = " and mirrored" if drawing.mirror else ""
            say(f"    turned: {turns}{mirrored}; the last step runs up the page")
        else:
            names = ", ".join(s.name.lower() for s in drawing.symmetries)
            say(f"    absolute, last step {LETTERS[drawing.heading]}; images: {names}")
    if len(spec.drawings) > _SHOWN:
        say(f"\n  and {len(spec.drawings) - _SHOWN} more drawings, larger ones mostly")
