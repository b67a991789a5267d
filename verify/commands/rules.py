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
    RulesOption,
    SeedOption,
    emit,
    numbered,
    read_board,
    say,
    table,
)
from verify.commands.importing import import_pictures
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.rules.drawing import RuleSpec

ASKING = ["seed-9-size,seed-2024"]  # groups with rules that count areas
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


@app.command()
def closing(
    boards: Annotated[list[str], typer.Argument(help="Boards: 7 9 ...")],
    rules: RulesOption = ASKING,
    count: Annotated[
        int,
        typer.Option("--count", "-n", help="Positions drawn on boards over 5 x 5."),
    ] = 2000,
    seed: SeedOption = 0,
) -> None:
    """Compare flood fill with the source's way to decide that an area is closed.

    The source asks for the order of two visited cells, and follows the wall of the
    area. On boards up to 5 x 5 every completable position is tried.

    Try: oneway rules closing 9 --rules sa-up-big
    """
    from heuristic.groups import load_rules
    from solver.errors import NoWalkError, OptionError
    from solver.oracles.oracle import get_oracle
    from solver.positions import completable_positions
    from verify.evidence.area_closing import compare
    from verify.evidence.sample import sampled_positions

    if count < 1:
        raise OptionError(f"--count {count} is not at least 1")
    book = load_rules(rules).rules
    for board in [read_board(text) for text in boards]:
        if max(board.rows, board.cols) <= 5:
            tree = completable_positions(board)
            if not tree.walks:
                raise NoWalkError(board.notation)
            found = compare(book, (tree.position(k) for k in range(len(tree))))
        else:
            oracle = get_oracle("search")
            known = sampled_positions(board, count, seed=seed, oracle=oracle)
            found = compare(book, (position for position, _ in known))
        say(
            f"{board.notation}: {found.positions:,} positions, {found.asked:,} areas "
            f"asked for, {found.closed:,} closed"
        )
        for kind, times in found.counts.items():
            first = found.first.get(kind)
            where = f": {first.rule} at {first.position.notation}" if first else ""
            say(f"  {kind}: {times:,}{where}")


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
