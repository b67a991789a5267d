"""`oneway rules`: the rule book, listed and shown, and where each rule decides."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, kept, note, say, shown, table
from verify.commands.options import flag
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.rule import Rule
    from heuristic.rules.drawing import RuleSpec


_SHOWN = 12  # drawings of a rule; families have hundreds


def rules(
    rules: options.RulesArgument = None,
    as_list: bool = flag("--list", "A table: rule, claim and origin."),
    example: bool = flag(
        "--example",
        "Find a position in which each rule decides: it forbids a dead move, "
        "and another move completes the walk. Or prove that there is none.",
    ),
    save: options.Save = False,
    seconds: options.Seconds = 30.0,
    seed: options.Seed = 0,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Show the rule book: its groups, or rules with drawing, claim, reason and origin.

    Every rule is a drawing in a TOML file; docs/reference/rules.md teaches how to draw
    your own. Where a rule counts several areas, each has letters of its own. With -o
    the drawings go into a picture, a file for each rule that is drawn.

    With --example positions are searched for on boards from 7x7 to 15x15. A rule is
    void if no completable position matches it: that is proved first. Exit code 1 if
    neither was found for a rule.

    Try: oneway rules c-shape -o c-shape.svg

    A group: oneway rules seed-5 --list

    Where a rule decides: oneway rules double-area-3 --example
    """
    from heuristic.groups import about, group_names, load_rules, rule_names
    from verify.corpus.cases import corpus_folder

    if not rules:
        for name in group_names():
            names = rule_names(name)
            if as_json:
                emit(group=name, about=about(name), rules=names)
            else:
                say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")
        return
    found = load_rules(joined(rules)).rules
    if example:
        cases = (corpus or corpus_folder()) if save else None
        raise typer.Exit(_show_examples(rules, (seconds, seed), cases, as_json))
    if as_json:
        for rule in found:
            emit(rule=rule.name, claim=rule.claim, origin=rule.origin)
    elif picture:
        _draw(found, picture)
    elif as_list:
        rows = [[rule.name, rule.claim, rule.origin] for rule in found]
        table(f"Rules of {joined(rules)}", ["rule", "claim", "origin"], rows)
    else:
        for rule in found:
            _show(rule)


def _show(rule: "Rule") -> None:
    from heuristic.written import WrittenRule

    say(f"{rule.name}  (claim: {rule.claim})")
    say(f"  origin: {rule.origin}")
    if isinstance(rule, WrittenRule):
        _show_drawn(rule.spec)
    else:
        _indent(inspect.cleandoc(type(rule).__doc__ or ""))
    say()


def _show_examples(
    names: list[str], limits: tuple[float, int], corpus: Path | None, as_json: bool
) -> int:
    """Find and print where each drawn rule decides; return the exit code.

    What is found becomes a case of the `corpus`, if one is given.
    """
    from heuristic.groups import load_rules
    from verify.corpus.cases import save_case
    from verify.corpus.origin import origin_of
    from verify.proof.counterexample import find_firing
    from verify.proof.provable import drawn_bans
    from verify.proof.prove import prove_void

    (seconds, seed), left = limits, 0
    rules = load_rules(joined(names))
    drawn = drawn_bans(rules.rules)
    if not drawn:
        raise OptionError(f"{joined(names)}: no drawn rule is among them")
    for rule in rules.rules:
        if rule.name not in drawn:
            note(f"{rule.name} has no example: it is not a ban by a drawing")
    for name, spec in drawn.items():
        void = prove_void(spec, seconds=min(seconds, 5.0))
        found = None if void else find_firing(spec, seconds=seconds, seed=seed)
        left += void is None and found is None
        if as_json:
            emit(
                rule=name,
                void=void and void.boards,
                position=found and found.position.notation,
                forbidden=found and found.forbidden,
            )
        elif void:
            say(f"{name}: void, no completable position matches it")
            say(f"  for {void.boards}")
        elif found is None:
            say(f"{name}: none found in {seconds:g} s")
        else:
            say(f"{name}: {found.position.notation} {found.forbidden}")
        if found and corpus:
            source = f"oneway rules {name} --example --seed {seed}"
            case = found.case(source, origin_of(rules.name, corpus))
            note(kept(*save_case(case, corpus, rules)))
    return 1 if left else 0


def _draw(rules: "tuple[Rule, ...]", picture: Path) -> None:
    from heuristic.rules.picture import draw_rules
    from heuristic.written import WrittenRule
    from solver.svg import write_pictures

    specs = [r.spec for r in rules if isinstance(r, WrittenRule)]
    specs = [spec for spec in specs if spec.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = console.numbered(picture, len(specs))
    svgs = [draw_rules(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    for file in files:
        say(f"picture: {shown(file)}")


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
            say(f"    {line}".rstrip())
        if any(mark.same for mark in drawing.marks):
            say("    F and G are ends of one line")
        for line in area_lines(drawing):
            say(f"    {line}")
        if drawing.frame is Frame.HEADING:
            turns = ", ".join(drawing.poses).lower()
            mirrored = " and mirrored" if drawing.mirror else ""
            say(f"    turned: {turns}{mirrored}; the last step runs up the page")
        else:
            names = ", ".join(drawing.poses).lower()
            say(f"    absolute, last step {LETTERS[drawing.heading]}; images: {names}")
    if len(spec.drawings) > _SHOWN:
        say(f"\n  and {len(spec.drawings) - _SHOWN} more drawings, larger ones mostly")
