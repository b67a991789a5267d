"""The book and the cases, as lists and one by one."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from heuristic.groups import drawings_of, group_names, load_rules, rule_names, words_of
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.letters import area_lines
from heuristic.rules.picture import draw_rule
from solver.errors import CaseError, UnknownNameError
from solver.notation import unquoted
from solver.svg import draw
from verify.corpus.cases import load_corpus
from verify.formatting import markdown_rows
from verify.lab import messages
from verify.lab.messages import Book, BookRule, Cases, CompareRule, Reply
from verify.lab.places import Settings, documentation_folder
from verify.lab.rules import one_rule
from verify.proof.prove import book_rules, drawn_bans
from verify.verdict.comparison import kin_of

CHUNK = 24  # rules in one message
SHOWN = 1  # drawings on a card; families have hundreds
_HERE = Path(__file__).resolve()


@cache
def groups_of() -> dict[str, list[str]]:
    """Return the groups of every rule of the book, in the order of the book."""
    found: dict[str, list[str]] = {}
    for group in group_names():
        for name in rule_names(group):
            found.setdefault(name, []).append(group)
    return found


@cache
def table_rows(name: str) -> dict[str, dict[str, str]]:
    """Return a table of the documentation by rule; empty where it is not there."""
    found: dict[str, dict[str, str]] = {}
    path = documentation_folder() / "tables" / f"{name}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for _, header, cells in markdown_rows(text):
        row = dict(zip(header, cells, strict=True))
        if rule := row.pop("rule", ""):
            found.setdefault(rule, row)
    return found


@cache
def spec_of(name: str) -> RuleSpec | None:
    """Return a rule as it is written; None if it is a procedure."""
    return next(iter(drawings_of(load_rules(name))), None)


def _cases(settings: Settings) -> Counter[str]:
    """Count the cases that speak of each rule; files that are no cases are none."""
    cases = load_corpus(settings.corpus, lambda error: None)
    return Counter(case.rule or case.rules for case in cases if case.rules)


def _card(name: str, cases: Counter[str]) -> messages.RuleCard:
    spec = spec_of(name)
    known = table_rows("verdicts").get(name, {})
    svg = draw_rule(spec.drawings[:SHOWN], name) if spec else ""
    return messages.RuleCard(
        name,
        claim=spec.claim if spec else "sound",
        groups=groups_of()[name],
        origin=spec.origin if spec else "a procedure: no drawing holds it",
        svg=svg,
        verdict=known.get("verdict", ""),
        cases=cases[name],
    )


def book(ask: Book, settings: Settings) -> Iterator[Reply]:
    """List the rules of the book, a part at a time."""
    cases, cards = _cases(settings), list[messages.RuleCard]()
    for name in groups_of():
        cards.append(_card(name, cases))
        if len(cards) == CHUNK:
            yield messages.BookPart(ask.id, cards)
            cards = []
    yield messages.BookPart(ask.id, cards)


def rule(ask: BookRule, settings: Settings) -> Iterator[Reply]:
    """Show all of a rule of the book."""
    if ask.name not in groups_of():
        raise UnknownNameError("rule", ask.name, list(groups_of()))
    spec = spec_of(ask.name)
    card = _card(ask.name, _cases(settings))
    known = table_rows("verdicts").get(ask.name, {})
    evidence = {key: value for key, value in known.items() if key != "claim"} | {
        f"on drawn positions: {key}": value
        for key, value in table_rows("evidence").get(ask.name, {}).items()
        if key not in ("claim", "verdict")
    }
    if spec is None:
        yield messages.RuleDetails(ask.id, card, "", "", "", [], evidence)
        return
    drawn = [
        messages.Figure(
            "; ".join([*filter(None, [one.variant]), *area_lines(one)]), svg
        )
        for one in spec.drawings[:12]
        for svg in [draw_rule(one, spec.name)]
    ]
    more = len(spec.drawings) - len(drawn)
    text = source_of(spec)
    yield messages.RuleDetails(
        ask.id, card, spec.reason, spec.note, text, drawn, evidence, max(more, 0)
    )


def source_of(spec: RuleSpec) -> str:
    """Return the lines of a rule in its file, as they stand there."""
    path = _HERE.parents[2] / "heuristic" / "book" / spec.file
    if not path.is_file():
        return "\n".join(one.text for one in spec.drawings[:1])
    lines = path.read_text(encoding="utf-8").splitlines()
    begin = spec.line - 1
    for end in range(begin + 1, len(lines)):
        if lines[end].strip() == "[[rule]]":
            break
    else:
        end = len(lines)
    return "\n".join(lines[begin:end]).strip() + "\n"


def compare(ask: CompareRule, settings: Settings) -> Iterator[Reply]:
    """Compare a rule with all drawn rules of the book."""
    mine = one_rule(ask.text, ask.rule)
    known = drawn_bans(book_rules())
    same, up, down = kin_of(mine, list(known.values()))
    yield messages.Compared(ask.id, same, up, down, len(known))


def _of_book(rules: str) -> list[str]:
    """Return the groups and rules of the book that are named."""
    known = {*groups_of(), *group_names()}
    return [word for word in words_of(rules) if word in known]


PAGE = 24  # cases in one message


def cases(ask: Cases, settings: Settings) -> Iterator[Reply]:
    """List the cases that hold every word, some at a time."""
    words = ask.words.lower().split()
    found, faults, total = list[messages.CaseCard](), list[str](), 0

    def refused(error: CaseError) -> None:
        if ask.kind in ("", Path(error.file).parent.name):
            faults.append(str(error))

    for case in load_corpus(settings.corpus, refused):
        held = (case.name, case.kind, case.why, case.rules, case.source)
        text = " ".join((*held, case.position.notation)).lower()
        if ask.kind not in ("", case.kind) or not all(word in text for word in words):
            continue
        if ask.first <= total < ask.first + PAGE:
            svg = draw(case.position, forbidden=case.subject)
            plain = unquoted(case.position.notation)
            shown = (case.kind, case.why, case.rules, case.subject, plain, svg)
            found.append(messages.CaseCard(case.name, *shown, _of_book(case.rules)))
        total += 1
    folder = str(settings.corpus)
    yield messages.CaseList(ask.id, found, ask.first, total, faults[:PAGE], folder)
