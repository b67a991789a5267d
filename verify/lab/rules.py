"""Rules on a page: read and changed in their text, judged while they are drawn."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, String, StringType, Trivia

from heuristic.pictures import import_rule, read_picture
from heuristic.rules.drawing import (
    ANY,
    CellState,
    Drawing,
    RuleSpec,
    Spot,
    left_ahead,
)
from heuristic.rules.letters import LETTER, area_table
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import parse_rules
from solver.board import Position
from solver.errors import OptionError, RuleError
from solver.files import make_folder, write_whole
from solver.notation import unquoted
from solver.svg import draw
from verify.corpus.cases import Case, cases_against
from verify.formatting import counted
from verify.lab import messages
from verify.lab.messages import Reply
from verify.lab.places import Settings
from verify.proof.certificate import save_certificate
from verify.proof.decision import Survivor
from verify.proof.prove import Part, Proved, provable_form
from verify.proof.window import grants
from verify.verdict.conditions import Change, missing
from verify.verdict.report import draw_survivor
from verify.verdict.verdict import Judgement, Refuted, judge

FILE = "rule.toml"  # what errors call the text of a page
SHOWN = 6  # drawings on a picture
# Keys of a rule, not of one of its forms.
_OF_RULE = ("name", "claim", "origin", "reason", "note", "boards")
_KEYS = dict.fromkeys([*_OF_RULE, "frame", "heading"], str) | {
    "turns": list,
    "symmetries": list,
    "mirror": bool,
}


def read(ask: messages.ReadRule, settings: Settings) -> Iterator[Reply]:
    """List the rules of a text, and show one for the grid."""
    yield _read(ask.id, ask.text, ask.rule, ask.form)


def picture(ask: messages.ReadPicture, settings: Settings) -> Iterator[Reply]:
    """Read a rule picture of the researcher as the text of a rule file."""
    drawn = read_picture(ask.text.encode("utf-8", "replace"), ask.name)
    stem = ask.name.rpartition(".")[0] or ask.name
    text = import_rule(drawn, stem, ask.name, forbid=ask.forbid)
    yield _read(ask.id, text, 0, 0, changed=True)


def edit(ask: messages.EditRule, settings: Settings) -> Iterator[Reply]:
    """Change a rule in its text, and read it again."""
    text = edited(ask)
    yield _read(ask.id, text, ask.rule, ask.form, changed=True)


def save(ask: messages.SaveRule, settings: Settings) -> Iterator[Reply]:
    """Write a rule file into the folder, if it is one."""
    rules = parse_rules(ask.text, ask.file)
    if not ask.file.endswith(".toml"):
        raise OptionError(f"{ask.file!r} does not end in .toml")
    if ask.file in settings.files:
        raise OptionError(f"{ask.file!r} lies outside {settings.folder}")
    path = settings.rule_file(ask.file)
    make_folder(settings.folder)
    write_whole(path, ask.text)
    names = ", ".join(rule.name for rule in rules)
    yield messages.Written(ask.id, [f"saved: {names}"], [str(path)])


def _read(
    number: int, text: str, rule: int, form: int, *, changed: bool = False
) -> messages.RuleRead:
    """Return what a text is, also where it is no rule file."""
    specs: tuple[RuleSpec, ...] = ()
    fault = None
    try:
        specs = parse_rules(text, FILE)
    except RuleError as error:
        places = (error.line or 0, error.row or 0, error.col or 0)
        fault = messages.RuleFault(error.why, *places)
    try:
        tables = tomllib.loads(text).get("rule", [])
    except (ValueError, RecursionError):
        tables = []
    if not isinstance(tables, list):
        tables = []
    tables = [table for table in tables if isinstance(table, dict)]
    names = [str(table.get("name", "?"))[:80] for table in tables]
    model = None
    if tables:
        rule = min(rule, len(tables) - 1)
        spec = specs[rule] if rule < len(specs) else None
        model = _model(tables[rule], spec, form)
    return messages.RuleRead(number, names, text if changed else "", rule, model, fault)


def _model(
    table: dict[str, Any], spec: RuleSpec | None, form: int
) -> messages.RuleModel:
    """Return a rule for the grid; what its file leaves out or has wrong is guessed."""
    forms = [one for one in _list(table.get("form")) if isinstance(one, dict)]
    page = forms[min(form, len(forms) - 1)] if forms else table
    rows = [" ".join(row.split()) for row in _text(page.get("drawing")).split("\n")]
    family = "grow" in page or "cases" in page or "either" in page
    areas: list[messages.AreaDrawn] = []
    if spec is not None and not forms and not family and spec.drawings:
        tables = [area_table(area) for area in spec.drawings[0].areas]
        areas = msgspec.convert(tables, list[messages.AreaDrawn])
    svg = draw_rule(spec.drawings[:SHOWN], spec.name) if spec else ""
    return messages.RuleModel(
        name=_text(table.get("name")),
        claim=_text(table.get("claim")),
        reason=_text(table.get("reason")),
        forms=len(forms),
        rows=[row for row in rows if row],
        areas=areas,
        turns=[_text(one) for one in _list(page.get("turns", ["0"]))],
        mirror=page.get("mirror", True) is True,
        frame=_text(page.get("frame", "heading")),
        heading=_text(page.get("heading", "U")),
        symmetries=[_text(one) for one in _list(page.get("symmetries", ["IDENTITY"]))],
        family=family,
        drawings=len(spec.drawings) if spec else 0,
        svg=svg,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def edited(ask: messages.EditRule) -> str:
    """Return the text of a rule file with one rule changed.

    Raises `OptionError` if it is no TOML, has no such rule, or a key that pages do not
    change.
    """
    try:
        document = tomlkit.parse(ask.text)
        rules: Any = document.get("rule", [])
        table = rules[ask.rule]
        page = table["form"][ask.form] if "form" in table else table
        said: dict[str, Any] = {**ask.words, **ask.lists, **ask.flags}
        for key, value in said.items():
            if not isinstance(value, _KEYS.get(key, ())):
                raise OptionError(f"pages do not change {key!r}")
            _put(table if key in _OF_RULE else page, key, value)
        if ask.rows is not None:
            _put(page, "drawing", _drawing(ask.rows))
        if ask.areas is not None:
            _put(page, "area", _areas(ask.areas))
        return tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise OptionError(f"the text cannot be changed: {error}") from None


def _put(table: AbstractTable, key: str, value: Any) -> None:
    """Set a key where it stands; a list of tables becomes one in a line."""
    if key in table and key == "area":
        table.remove(key)
    if value == [] and key == "area":
        return
    table[key] = value


def _drawing(rows: list[str]) -> String:
    """Return rows as a string of several lines that begins on a line of its own."""
    value = "\n".join(rows) + "\n"
    if any(mark in value for mark in ('"', "\\")):
        raise OptionError("a drawing holds letters of the rule language alone")
    return String(StringType.MLB, value, f"\n{value}", Trivia())


def _areas(areas: list[messages.AreaDrawn]) -> Any:
    found = tomlkit.array()
    for area in areas:
        line = tomlkit.inline_table()
        values = msgspec.to_builtins(area).items()
        line.update({key: value for key, value in values if value is not None})
        found.append(line)
    return found.multiline(len(areas) > 1)


def one_rule(text: str, number: int) -> RuleSpec:
    """Return one rule of a text that people write.

    Raises `RuleError` if the text is no rule file, `OptionError` if it has none such.
    """
    rules = parse_rules(text, FILE)
    if number >= len(rules):
        raise OptionError(f"the text has {len(rules)} rules, none is number {number}")
    return rules[number]


SECONDS = 10.0  # for every single search, as the command takes
PATIENCE = 0.5  # seconds for one condition that may help
PARTS = 4  # open parts that are looked at


_SMALL = """
[[rule]]
name = "small"
claim = "sound"
drawing = "? ? x\\n% K @\\n? % ?"
"""


def warm() -> None:
    """Load the prover, by a small proof."""
    judge(one_rule(_SMALL, 0))


def judge_rule(ask: messages.JudgeRule, settings: Settings) -> Iterator[Reply]:
    """Judge a rule, then say which single conditions would prove it, or can go."""
    written = one_rule(ask.text, ask.rule)
    rule = provable_form(written)
    if rule is None:
        why = "lets an end of a line grow, wherever it lies: no window shows that"
        raise OptionError(f"{written.name} {why}")
    verdict = judge(rule, seconds=SECONDS, cases=known_cases(rule, settings.corpus))
    yield judged(ask.id, rule, verdict)
    if ask.advice and not grants(rule):
        yield from advice(ask.id, verdict)


def known_cases(rule: RuleSpec, corpus: Path) -> list[Case]:
    """Return the cases to try first: those against the rule, then against others.

    A rule that is being drawn is often one of the book with a change. Of a rule that
    reads future lines only its own cases are tried.
    """
    # the page of the cases says which one cannot be read
    known = cases_against(corpus, lambda error: None)
    mine = known.pop(rule.name, [])
    others = [case for found in known.values() for case in found]
    return mine if grants(rule) else mine + others


def judged(number: int, rule: RuleSpec, verdict: Judgement) -> messages.Judged:
    """Return a verdict for a page: its words and its picture."""
    seconds = round(verdict.seconds, 4)
    if isinstance(verdict, Proved):
        parts = counted(len(verdict.proofs), "part")
        clauses = counted(verdict.clauses, "clause")
        lines = [f"for {verdict.boards}", f"{parts}, {clauses}"]
        svg = draw_rule(rule.drawings[:SHOWN], rule.name)
        return messages.Judged(number, rule.name, verdict.word, lines, seconds, svg)
    if isinstance(verdict, Refuted):
        found = verdict.refutation
        svg = draw(found.position, forbidden=found.move, witness=found.completion)
        text = unquoted(found.position.notation)
        walk = (*found.position.walk, *found.completion)
        whole = Position(found.position.board, walk)
        lines = [
            f"{found.position.notation} can be completed by {found.move}",
            f"found by: {found.method}",
        ]
        return messages.Judged(
            *(number, rule.name, verdict.word, lines, seconds, svg, text, found.move),
            completion=whole.moves[-len(found.completion) :],
        )
    lines = [f"{counted(verdict.proved, 'part')} proved", f"tried: {verdict.tried}"]
    local = [
        messages.Figure(_part(part), draw_survivor(survivor, _part(part)))
        for part, survivor in verdict.survivors[:PARTS]
        if isinstance(survivor, Survivor)
    ]
    return messages.Judged(number, rule.name, verdict.word, lines, seconds, local=local)


def advice(number: int, verdict: Judgement) -> Iterator[messages.Advice]:
    """Yield single conditions that would make a part provable."""
    rule = verdict.rule
    if isinstance(verdict, Proved):
        return
    for part in verdict.open_parts[:PARTS]:
        drawing = rule.drawings[part.drawing]
        found = missing(
            drawing, part.pose, part.move, seconds=PATIENCE, within=rule.boards
        )
        for change in found:
            yield _advised(number, _part(part), drawing, change)


def certify(ask: messages.Certify, settings: Settings) -> Iterator[Reply]:
    """Prove a rule, and write its certificate."""
    rule = provable_form(one_rule(ask.text, ask.rule))
    proved = None if rule is None else judge(rule, seconds=SECONDS)
    if not isinstance(proved, Proved):
        raise OptionError("the rule is not proved: there is no certificate of it")
    folder = settings.folder / "proofs"
    make_folder(folder)
    path = save_certificate(proved, folder)
    yield messages.Written(
        ask.id, [f"{proved.rule.name}: its certificate"], [str(path)]
    )


def in_words(text: str) -> str:
    """Return a text with each offset as the cell that a person would name.

    >>> in_words("[-1, 0] is visited, or [2, -1] is free")
    'the cell on the right is visited, or the cell 2 to the left and 1 behind is free'
    """
    return re.sub(r"\[(-?\d+), (-?\d+)\]", lambda m: _cell(int(m[1]), int(m[2])), text)


def _part(part: Part) -> str:
    return in_words(str(part)).replace("pose none", "as drawn")


def _cell(left: int, ahead: int) -> str:
    plain = {(0, 0): "the live end", (0, 1): "the cell ahead"}
    plain |= {(0, -1): "the cell behind", (1, 0): "the cell on the left"}
    plain |= {(-1, 0): "the cell on the right"}
    parts = [f"{abs(left)} to the {'left' if left > 0 else 'right'}"] if left else []
    parts += [f"{abs(ahead)} {'ahead' if ahead > 0 else 'behind'}"] if ahead else []
    return plain.get((left, ahead), f"the cell {' and '.join(parts)}")


def _advised(
    number: int, part: str, before: Drawing, change: Change
) -> messages.Advice:
    """Return a change as something that one click can do to the grid."""
    after = change.drawing
    said = in_words(change.text)
    changed = [
        at
        for at in {need.at for need in (*before.needs, *after.needs)}
        if before.need(at) != after.need(at)
    ]
    if changed:
        letter = letter_of(after, changed[0])
        at = left_ahead(changed[0])
        return messages.Advice(number, part, said, at, letter)
    where: dict[str, Any] = {}
    for index, (old, new) in enumerate(zip(before.areas, after.areas, strict=True)):
        if old != new and not where:
            kind = new.kind.value if new.kind is not old.kind else ""
            least = new.least if new.least != old.least else 0
            where = {"area": index, "kind": kind, "least": least}
    return messages.Advice(number, part, said, **where)


def letter_of(drawing: Drawing, at: Spot) -> str:
    """Return the letter of a cell in a drawing; empty where none says it."""
    need = drawing.need(at)
    if any(at in area.cells for area in drawing.areas):
        return ""  # the letter says that it is of a line
    if at in drawing.forbidden:
        letters = {CellState.FREE: "X", ANY: "x"}
        return "" if need.not_end else letters.get(need.states, "")
    letter = LETTER.get((need.states, need.not_end), "")
    return letter or "?" * (need.states == ANY and not need.not_end)
