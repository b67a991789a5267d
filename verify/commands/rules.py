"""`oneway rules`: the rule book, and rules out of pictures."""

import inspect
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from typer import Argument, Context, Exit, Option

from heuristic.groups import about, group_names, rule_names
from heuristic.pictures import MOST, import_rule, read_picture, rule_name
from heuristic.rule import Rule
from heuristic.rules.drawing import MOVES, Frame, RuleSpec
from heuristic.rules.letters import TURNS, drawing_lines
from heuristic.rules.picture import draw_rule
from solver.board import LETTERS
from solver.errors import OptionError, PictureError
from solver.files import read_most, write_whole
from solver.svg import write_pictures
from verify.commands import console, options
from verify.formatting import counted, documentation_folder

_SHOWN = 12  # drawings of a rule; families have hundreds


def rules(
    context: Context,
    rules: list[str] | None = Argument(
        None, help="Groups, rules, rule files, or pictures (.svg); none: all groups."
    ),
    as_list: bool = Option(False, "--list", help="A table: rule, claim and origin."),
    forbid: str = Option("", help="Moves that a picture forbids: left,straight"),
    turns: str = Option("", help="Turns of a picture that names none: 0,cw"),
    output: Path | None = Option(
        None, "--output", "-o", help="FILE.svg or FILE.png; of pictures FILE.toml."
    ),
) -> None:
    """Show the rule book, or read rules from pictures.

    Every rule is a drawing in a TOML file. If a rule counts several areas, each has
    letters of its own.

    Pictures from the researcher's rule editor become drawings of a rule file. An error
    names what a picture lacks; --forbid and --turns add it.

    Exit code 1 if some pictures cannot be read.

    \b
    One rule, drawn:
      oneway rules c-shape -o c-shape.svg
    A group as a table:
      oneway rules seed-5 --list
    From a picture:
      oneway rules picture.svg -o mine.toml
    """
    words = rules or []
    if pictures := [Path(word) for word in words if word.endswith(".svg")]:
        if len(pictures) < len(words):
            raise OptionError("read pictures apart from rules")
        given = _words("--forbid", forbid, MOVES), _words("--turns", turns, TURNS)
        raise Exit(_import(pictures, *given, output))
    options.refuse_idle(context, "without pictures", "forbid", "turns")
    if not words:
        for name in group_names():
            names = rule_names(name)
            console.say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")
        return
    options.output_file(output, ".svg", ".png")
    rule_set = options.read_rules(words)
    if output:
        _draw(rule_set.rules, output)
    elif as_list:
        cells = [[rule.name, rule.claim, rule.origin] for rule in rule_set.rules]
        console.table(f"Rules of {rule_set.name}", ["rule", "claim", "origin"], cells)
    else:
        for rule in rule_set.rules:
            console.say(f"{rule.name}  (claim: {rule.claim})")
            console.say(*(f"  {line}".rstrip() for line in _lines(rule)), "")


def _lines(rule: Rule) -> Iterator[str]:
    yield f"origin: {rule.origin}"
    if not isinstance(rule, RuleSpec):
        about = inspect.getdoc(getattr(rule, "function", rule)) or ""
        yield from about.splitlines()
        return
    yield f"reason: {rule.reason}"
    if rule.kind == "inference":
        page = documentation_folder() / "reference/rules.md"
        yield f"an inference of future lines, which a kernel makes; see {page}"
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
    specs = [r for r in rules if isinstance(r, RuleSpec) and r.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = options.numbered(output, len(specs))
    svgs = [draw_rule(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    console.say(*(f"picture: {console.shown(file)}" for file in files))


def _words(option: str, text: str, allowed: Collection[str]) -> list[str]:
    words = text.split(",") if text else []
    for word in words:
        if word not in allowed:
            why = f"{word!r} is none of {', '.join(allowed)}"
            raise OptionError(f"{option} {text}: {why}")
    return words


def _import(
    files: Sequence[Path], forbid: list[str], turns: list[str], output: Path | None
) -> int:
    """Print the drawings of pictures or write a rule file; return the exit code."""
    texts: dict[str, str] = {}
    for path in files:
        try:
            picture = read_picture(read_most(str(path), MOST), path.name)
            name = path.stem
            text = import_rule(picture, name, path.name, forbid=forbid, turns=turns)
            if texts.setdefault(rule_name(name), text) != text:
                picture.fail(f"another picture's rule is called {rule_name(name)}")
        except (OptionError, PictureError) as error:
            if len(files) == 1:
                raise
            console.note(str(error))
    if output and texts:
        write_whole(output, "\n".join(texts.values()))
        console.say(f"written: {console.shown(output)}")
    elif texts:
        console.say(*texts.values())
    if len(texts) == len(files):
        return 0
    console.say(f"{counted(len(files), 'picture')}: {len(texts)} read")
    return 1 if texts else 2
