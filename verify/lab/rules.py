"""Rules on pages: read, edited in their text, proved or refuted; the rule book."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import String, StringType, Trivia

from heuristic.groups import drawings_of, group_names, load_rules, rule_names
from heuristic.pictures import import_rule, read_picture
from heuristic.rules.drawing import (
    ANY,
    CellState,
    Drawing,
    RuleSpec,
    Spot,
    left_ahead,
)
from heuristic.rules.letters import LETTER, area_lines, area_table
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import parse_rules
from solver.board import Position
from solver.errors import OptionError, RuleError, UnknownNameError
from solver.files import make_folder, write_whole
from solver.notation import unquoted
from solver.svg import draw
from verify.corpus.cases import Case, cases_against, load_corpus
from verify.formatting import counted, documentation_folder, markdown_rows
from verify.lab import messages
from verify.lab.messages import Reply
from verify.lab.shared import Settings
from verify.proof.certificate import save_certificate
from verify.proof.decision import Survivor
from verify.proof.prove import (
    Proved,
    ProvedPart,
    book_rules,
    drawn_bans,
    provable_form,
)
from verify.proof.window import grants
from verify.verdict.comparison import kin_of
from verify.verdict.conditions import missing
from verify.verdict.report import draw_survivor
from verify.verdict.verdict import Judgement, Open, Refuted, judge

FILE = "rule.toml"  # the name of a page's text in errors
SHOWN = 6  # drawings on a picture
SECONDS = 10.0  # for each search, as in `oneway prove`
PATIENCE = 0.5  # seconds for a condition of the advice
PARTS = 4  # open parts that get advice
CHUNK = 24  # rules in one message
FIGURES = 12  # drawings of a rule of the book
BOOK = Path(__file__).resolve().parents[2] / "heuristic" / "book"


def read(ask: messages.ReadRule, settings: Settings) -> Iterator[Reply]:
    """List the rules of a text, and show one in the editor."""
    yield _read(ask.id, ask.text, ask.rule)


def edit(ask: messages.EditRule, settings: Settings) -> Iterator[Reply]:
    """Change a rule in its text, and read it again."""
    yield _read(ask.id, edited(ask), ask.rule, changed=True)


def picture(ask: messages.ReadPicture, settings: Settings) -> Iterator[Reply]:
    """Read a rule picture of the researcher as the text of a rule file."""
    shapes = read_picture(ask.text.encode("utf-8", "replace"), ask.name)
    stem = ask.name.rpartition(".")[0] or ask.name
    text = import_rule(shapes, stem, ask.name, forbid=ask.forbid)
    yield _read(ask.id, text, 0, changed=True)


def save(ask: messages.SaveRule, settings: Settings) -> Iterator[Reply]:
    """Write a rule file into the folder."""
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


def _read(number: int, text: str, rule: int, *, changed: bool = False) -> Reply:
    """Return the rules of a text, or its fault."""
    shown = text if changed else ""
    try:
        specs = parse_rules(text, FILE)
    except RuleError as error:
        line = f"line {error.line}: " if error.line else ""
        cell = f"row {error.row}, column {error.col}: " if error.row else ""
        return messages.RuleRead(number, [], shown, fault=f"{line}{cell}{error.why}")
    rule = min(rule, len(specs) - 1)
    model = _model(tomllib.loads(text)["rule"][rule], specs[rule])
    return messages.RuleRead(number, [spec.name for spec in specs], shown, model)


def _model(table: dict[str, Any], spec: RuleSpec) -> messages.RuleModel:
    forms = table.get("form", [])
    page = forms[0] if forms else table
    rows = [" ".join(row.split()) for row in page.get("drawing", "").split("\n")]
    family = "grow" in page or "cases" in page or "either" in page
    areas: list[messages.AreaDrawn] = []
    if not forms and not family and spec.drawings:
        tables = [area_table(area) for area in spec.drawings[0].areas]
        areas = msgspec.convert(tables, list[messages.AreaDrawn])
    return messages.RuleModel(
        name=spec.name,
        forms=len(forms),
        rows=[row for row in rows if row],
        areas=areas,
        turns=page.get("turns", ["0"]),
        mirror=page.get("mirror", True),
        frame=page.get("frame", "heading"),
        family=family,
        svg=draw_rule(spec.drawings[:SHOWN], spec.name),
    )


def edited(ask: messages.EditRule) -> str:
    """Return the text of a rule file with one rule changed; comments stay.

    Raises `OptionError` if the text is not TOML or has no such rule.
    """
    try:
        document = tomlkit.parse(ask.text)
        rules: Any = document.get("rule", [])
        table = rules[ask.rule]
        page = table["form"][0] if "form" in table else table
        drawing = None if ask.rows is None else _drawing(ask.rows)
        changes = {"drawing": drawing, "turns": ask.turns, "mirror": ask.mirror}
        page.update({k: v for k, v in changes.items() if v is not None})
        if ask.areas is not None:
            page.pop("area", None)
        if ask.areas:
            page["area"] = _areas(ask.areas)
        return tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise OptionError(f"the text cannot be changed: {error}") from None


def _drawing(rows: list[str]) -> String:
    """Return rows as a TOML string that begins on a line of its own."""
    value = "\n".join(rows) + "\n"
    if any(mark in value for mark in ('"', "\\")):
        raise OptionError("a drawing has only letters of the rule language")
    return String(StringType.MLB, value, f"\n{value}", Trivia())


def _areas(areas: list[messages.AreaDrawn]) -> Any:
    array = tomlkit.array()
    for area in areas:
        values = msgspec.to_builtins(area).items()
        line = tomlkit.inline_table()
        line.update({key: value for key, value in values if value is not None})
        array.append(line)
    return array.multiline(len(areas) > 1)


def _rule(text: str, number: int) -> RuleSpec:
    rules = parse_rules(text, FILE)
    if number >= len(rules):
        raise OptionError(f"the text has {len(rules)} rules, and no number {number}")
    return rules[number]


def warm() -> None:
    """Load the prover by a small proof."""
    drawing = "? ? x\\n% K @\\n? % ?"
    text = f'[[rule]]\nname = "small"\nclaim = "sound"\ndrawing = "{drawing}"'
    judge(_rule(text, 0))


def judge_rule(ask: messages.JudgeRule, settings: Settings) -> Iterator[Reply]:
    """Prove or refute a rule, then list conditions that would help."""
    written = _rule(ask.text, ask.rule)
    rule = provable_form(written)
    if rule is None:
        why = "cannot be proved: the end of a line grows to any place in its drawing"
        raise OptionError(f"{written.name} {why}")
    verdict = judge(rule, seconds=SECONDS, cases=_first_cases(rule, settings.corpus))
    yield _judged(ask.id, rule, verdict)
    if not isinstance(verdict, Proved) and not grants(rule):
        yield from _advice(ask.id, verdict)


def _first_cases(rule: RuleSpec, corpus: Path) -> list[Case]:
    """Return the cases to try first: those against the rule, then against others.

    A new rule is often a changed rule of the book. For a rule that reads future lines
    only its own cases are tried.
    """
    unsound = cases_against(corpus, lambda error: None)  # the page of cases lists them
    mine = unsound.pop(rule.name, [])
    others = [case for cases in unsound.values() for case in cases]
    return mine if grants(rule) else mine + others


def _judged(number: int, rule: RuleSpec, verdict: Judgement) -> messages.Judged:
    more: dict[str, Any] = {}
    if isinstance(verdict, Proved):
        parts = counted(len(verdict.proofs), "part")
        clauses = counted(verdict.clauses, "clause")
        lines = [f"for {verdict.boards}", f"{parts}, {clauses}"]
        more["svg"] = draw_rule(rule.drawings[:SHOWN], rule.name)
    elif isinstance(verdict, Refuted):
        proof = verdict.refutation
        place, move, rest = proof.position, proof.move, proof.completion
        whole = Position(place.board, (*place.walk, *rest))
        lines = [f"{place.notation} can be completed by {move}"]
        lines.append(f"found by: {proof.method}")
        more["svg"] = draw(place, forbidden=move, witness=rest)
        more |= {"position": unquoted(place.notation), "move": move}
        more["completion"] = whole.moves[-len(rest) :]
    else:
        lines = [f"{counted(verdict.proved, 'part')} proved", f"tried: {verdict.tried}"]
        more["local"] = [
            messages.Figure(_part(part), draw_survivor(survivor, _part(part)))
            for part, survivor in verdict.survivors[:PARTS]
            if isinstance(survivor, Survivor)
        ]
    seconds = round(verdict.seconds, 4)
    return messages.Judged(number, rule.name, verdict.word, lines, seconds, **more)


def _advice(number: int, verdict: Refuted | Open) -> Iterator[messages.Advice]:
    """Yield conditions that would make a part provable; a new letter is one click."""
    rule = verdict.rule
    for part in verdict.open_parts[:PARTS]:
        before = rule.drawings[part.drawing]
        for change in missing(
            before, part.pose, part.move, seconds=PATIENCE, within=rule.boards
        ):
            after = change.drawing
            advice = messages.Advice(number, _part(part), in_words(change.text))
            for at in {need.at for need in (*before.needs, *after.needs)}:
                if before.need(at) != after.need(at):
                    click = {"at": left_ahead(at), "letter": letter_of(after, at)}
                    advice = msgspec.structs.replace(advice, **click)
            yield advice


def letter_of(drawing: Drawing, at: Spot) -> str:
    """Return the letter of a cell in a drawing; empty if no letter has its meaning."""
    need = drawing.need(at)
    if any(at in area.cells for area in drawing.areas):
        return ""  # the letter is that of the area's line
    if at in drawing.forbidden:
        letters = {CellState.FREE: "X", ANY: "x"}
        return "" if need.not_end else letters.get(need.states, "")
    letter = LETTER.get((need.states, need.not_end), "")
    return letter or "?" * (need.states == ANY and not need.not_end)


def in_words(text: str) -> str:
    """Return a text with a name for each offset.

    >>> in_words("[-1, 0] or [1, 0]; [0, 0] or [0, -1]")
    'the cell on the right or the cell on the left; the live end or the cell behind'
    >>> in_words("[2, -1] is free")
    'the cell 2 to the left and 1 behind is free'
    """
    return re.sub(r"\[(-?\d+), (-?\d+)\]", lambda m: _cell(int(m[1]), int(m[2])), text)


def _part(part: ProvedPart) -> str:
    return in_words(str(part)).replace("pose none", "as drawn")


def _cell(left: int, ahead: int) -> str:
    near = {(0, 0): "the live end", (0, 1): "the cell ahead"}
    near |= {(0, -1): "the cell behind", (1, 0): "the cell on the left"}
    near |= {(-1, 0): "the cell on the right"}
    parts = [f"{abs(left)} to the {'left' if left > 0 else 'right'}"] if left else []
    parts += [f"{abs(ahead)} {'ahead' if ahead > 0 else 'behind'}"] if ahead else []
    return near.get((left, ahead), f"the cell {' and '.join(parts)}")


def certify(ask: messages.Certify, settings: Settings) -> Iterator[Reply]:
    """Prove a rule, and write its certificate."""
    rule = provable_form(_rule(ask.text, ask.rule))
    proved = None if rule is None else judge(rule, seconds=SECONDS)
    if not isinstance(proved, Proved):
        raise OptionError("the rule is not proved, so it has no certificate")
    folder = settings.folder / "proofs"
    make_folder(folder)
    path = str(save_certificate(proved, folder))
    yield messages.Written(ask.id, [f"{proved.rule.name}: its certificate"], [path])


def compare(ask: messages.CompareRule, settings: Settings) -> Iterator[Reply]:
    """Compare a rule with the drawn rules of the book."""
    drawn = [*drawn_bans(book_rules()).values()]
    yield messages.Compared(ask.id, *kin_of(_rule(ask.text, ask.rule), drawn))


# The rule book ---------------------------------------------------------------------


@cache
def book_groups() -> dict[str, list[str]]:
    """Return the groups of every rule of the book, in the order of the book."""
    groups: dict[str, list[str]] = {}
    for group in group_names():
        for name in rule_names(group):
            groups.setdefault(name, []).append(group)
    return groups


@cache
def verdict_rows() -> dict[str, dict[str, str]]:
    """Return the published verdicts by rule; empty without the documentation."""
    path = documentation_folder() / "tables" / "verdicts.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    rows: dict[str, dict[str, str]] = {}
    for _, header, cells in markdown_rows(text):
        row = dict(zip(header, cells, strict=True))
        if rule := row.pop("rule", ""):
            rows.setdefault(rule, row)
    return rows


@cache
def spec_of(name: str) -> RuleSpec | None:
    """Return a drawn rule of the book; None for a procedure."""
    return next(iter(drawings_of(load_rules(name))), None)


def source_of(spec: RuleSpec) -> str:
    """Return the lines of a rule in its file of the book."""
    text = (BOOK / spec.file).read_text(encoding="utf-8")
    lines = text.splitlines()[spec.line - 1 :]
    heads = [n for n, line in enumerate(lines) if n and line.strip() == "[[rule]]"]
    return "\n".join(lines[: heads[0] if heads else None]).strip() + "\n"


def _case_counts(settings: Settings) -> Counter[str]:
    """Count the cases of each rule, without the files that cannot be read."""
    cases = load_corpus(settings.corpus, lambda error: None)
    return Counter(case.rule or case.rules for case in cases if case.rules)


def _card(name: str, cases: Counter[str]) -> messages.RuleCard:
    spec = spec_of(name)
    return messages.RuleCard(
        name,
        claim=spec.claim if spec else "sound",
        groups=book_groups()[name],
        origin=spec.origin if spec else "a procedure without a drawing",
        svg=draw_rule(spec.drawings[:1], name) if spec else "",
        verdict=verdict_rows().get(name, {}).get("verdict", ""),
        cases=cases[name],
    )


def book(ask: messages.Book, settings: Settings) -> Iterator[Reply]:
    """List the rules of the book, in several messages."""
    cases, names = _case_counts(settings), list(book_groups())
    for first in range(0, len(names), CHUNK):
        cards = [_card(name, cases) for name in names[first : first + CHUNK]]
        yield messages.BookPart(ask.id, cards)


def book_rule(ask: messages.BookRule, settings: Settings) -> Iterator[Reply]:
    """Show everything about a rule of the book."""
    if ask.name not in book_groups():
        raise UnknownNameError("rule", ask.name, list(book_groups()))
    spec = spec_of(ask.name)
    drawings = spec.drawings if spec else ()
    figures = [
        messages.Figure(
            "; ".join([*filter(None, [drawing.variant]), *area_lines(drawing)]),
            draw_rule([drawing], ask.name),
        )
        for drawing in drawings[:FIGURES]
    ]
    yield messages.RuleDetails(
        ask.id,
        _card(ask.name, _case_counts(settings)),
        reason=spec.reason if spec else "",
        note=spec.note if spec else "",
        text=source_of(spec) if spec else "",
        drawn=figures,
        evidence=verdict_rows().get(ask.name, {}),
    )
