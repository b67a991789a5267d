"""Rule files read and changed: the text stays the truth, its comments stay in it."""

import tomllib
from collections.abc import Iterator
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, String, StringType, Trivia

from heuristic.rules.drawing import LIMIT, AreaSpec, RuleSpec
from heuristic.rules.picture import draw_rules
from heuristic.rules.rulefile import parse_rules
from solver.errors import OptionError, RuleError
from solver.files import make_folder, write_whole
from verify.lab.messages import (
    AreaDrawn,
    EditRule,
    ReadRule,
    Reply,
    RuleFault,
    RuleModel,
    RuleRead,
    SaveRule,
    Written,
)
from verify.lab.settings import Settings

FILE = "rule.toml"  # what errors call the text of a page
SHOWN = 6  # drawings on a picture
_WORDS = ("name", "claim", "origin", "reason", "note", "frame", "heading")


def read(ask: ReadRule, settings: Settings) -> Iterator[Reply]:
    """Tell which rules a text holds, and one of them for the grid."""
    yield told(ask.id, ask.text, ask.rule, ask.form)


def edit(ask: EditRule, settings: Settings) -> Iterator[Reply]:
    """Change a rule in its text, and tell what it is then."""
    text = edited(ask)
    yield told(ask.id, text, ask.rule, ask.form, changed=True)


def save(ask: SaveRule, settings: Settings) -> Iterator[Reply]:
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
    yield Written(ask.id, [f"saved: {names}"], [str(path)])


def told(
    number: int, text: str, rule: int, form: int, *, changed: bool = False
) -> RuleRead:
    """Return what a text is, also where it is no rule file."""
    specs: tuple[RuleSpec, ...] = ()
    fault = None
    try:
        specs = parse_rules(text, FILE)
    except RuleError as error:
        places = (error.line or 0, error.row or 0, error.col or 0)
        fault = RuleFault(error.why, *places)
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
    return RuleRead(number, names, text if changed else "", rule, model, fault)


def _model(table: dict[str, Any], spec: RuleSpec | None, form: int) -> RuleModel:
    """Return a rule for the grid; what its file leaves out or has wrong is guessed."""
    forms = [one for one in _list(table.get("form")) if isinstance(one, dict)]
    page = forms[min(form, len(forms) - 1)] if forms else table
    rows = [" ".join(row.split()) for row in _text(page.get("drawing")).split("\n")]
    family = "grow" in page or "cases" in page or "either" in page
    areas: list[AreaDrawn] = []
    if spec is not None and not forms and not family and spec.drawings:
        areas = [_area_of(area) for area in spec.drawings[0].areas]
    svg = draw_rules(spec.drawings[:SHOWN], spec.name) if spec else ""
    return RuleModel(
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


def _area_of(area: AreaSpec) -> AreaDrawn:
    bounded = area.kind.bounded
    return AreaDrawn(
        cells=list(area.cells),
        side="left" if area.side == "left" else "right",
        kind=area.kind.value,
        low=area.low if bounded and area.low > -LIMIT else None,
        high=area.high if bounded and area.high < LIMIT else None,
        base=area.base,
        wall=area.wall,
        entry=area.entry if area.entry != area.cells[0] else None,
        least=area.least if area.least > len(area.cells) else None,
    )


def edited(ask: EditRule) -> str:
    """Return the text of a rule file with one rule changed.

    Raises
    ------
    OptionError
        If it is no TOML, has no such rule, or a key that pages do not change.
    """
    try:
        document = tomlkit.parse(ask.text)
        rules: Any = document.get("rule", [])
        table = rules[ask.rule]
        page = table["form"][ask.form] if "form" in table else table
        for key, text in ask.words.items():
            if key not in _WORDS:
                raise OptionError(f"pages do not change {key!r}")
            _put(table if key in _WORDS[:5] else page, key, text)
        for key, words in ask.lists.items():
            if key not in ("turns", "symmetries"):
                raise OptionError(f"pages do not change {key!r}")
            _put(page, key, list(words))
        for key, flag in ask.flags.items():
            if key != "mirror":
                raise OptionError(f"pages do not change {key!r}")
            _put(page, key, flag)
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


def _areas(areas: list[AreaDrawn]) -> Any:
    found = tomlkit.array()
    for area in areas:
        line = tomlkit.inline_table()
        line["cells"] = [list(at) for at in area.cells]
        line["side"], line["kind"] = area.side, area.kind
        for key in ("base", "wall", "entry"):
            at = getattr(area, key)
            if at is not None:
                line[key] = list(at)
        for key in ("low", "high", "least"):
            if getattr(area, key) is not None:
                line[key] = getattr(area, key)
        found.append(line)
    return found.multiline(len(areas) > 1)


def one_rule(text: str, number: int) -> RuleSpec:
    """Return one rule of a text that people write.

    Raises
    ------
    RuleError
        If the text is no rule file.
    OptionError
        If it has no such rule, or one with more drawings than pages try.
    """
    rules = parse_rules(text, FILE)
    if number >= len(rules):
        raise OptionError(f"the text has {len(rules)} rules, none is number {number}")
    return rules[number]
