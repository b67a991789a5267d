"""Tables and pictures of evidence: every rule on every board, every group's gaps."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from heuristic.groups import load_rules, rule_file, text_digest, words_of
from heuristic.matching.drawn import DrawnRule
from heuristic.rule import RuleSet
from heuristic.walks.walker import summarise
from solver.board import Position
from solver.errors import OnewayError, OptionError
from solver.files import read_saved, write_whole
from verify.campaign.schema import held
from verify.corpus.cases import Case
from verify.evidence.evidence import Evidence, RuleEvidence, WalksFound, merged_rule
from verify.words import Table, counted, html_page, html_rule, linked

Cases: TypeAlias = Mapping[str, Sequence[Case]]  # by rule
WalksOf: TypeAlias = Mapping[str, WalksFound]  # by board

SUMMARY_HEADER = ("group", "rules", "sound", "unsound", "never fired")
RULE_HEADER = ("rule", "claim", "verdict", "fired", "wrong", "caught", "wrong at")
WALK_HEADER = ("group", "board", "walks", "stuck", "before an error", "95 %")
GROUP_HEADER = ("group", "board", "positions", "dead moves", "gaps", "per million")
_PATIENCE = 30.0  # seconds that another run's writing is waited for


def load_evidence(file: Path) -> list[Evidence]:
    """Read evidence that was saved; nothing if there is no such file.

    Raises `OptionError` if the file is not what `save_evidence` writes.
    """
    if not file.exists():
        return []
    saved = read_saved(file, _File, "evidence")
    if _file_of(saved.evidence) != saved:
        raise OptionError(
            f"{file} is damaged: remove it, or report into another folder"
        )
    return saved.evidence


def save_evidence(found: Sequence[Evidence], file: Path) -> None:
    """Write evidence aside and rename it, so that a file is never half written."""
    write_whole(file, json.dumps(asdict(_file_of(found)), indent=1) + "\n")


@dataclass(frozen=True, slots=True)
class _File:
    """What a file of evidence holds."""

    digest: str
    evidence: list[Evidence]


def _file_of(found: Sequence[Evidence]) -> _File:
    text = json.dumps([asdict(one) for one in found])
    return _File(sha256(text.encode()).hexdigest(), [*found])


def add_evidence(
    found: Sequence[Evidence], walks: Mapping[str, WalksOf], file: Path
) -> None:
    """Put the evidence of some boards, and walks by rule set and board, into a file.

    Other boards of the file stay, unless the text of the rules has changed since. Other
    runs that write it meanwhile are waited for.

    Raises `OptionError` if the file is not what `save_evidence` writes; `LedgerError`
    if another run holds it for half a minute.
    """
    with held(file, patience=_PATIENCE):
        new = {one.board for one in found}
        known = [one for one in current(load_evidence(file)) if one.board not in new]
        made = [
            replace(one, walks=walks.get(one.rule_set, {}).get(one.board, one.walks))
            for one in [*known, *found]
        ]
        save_evidence(made, file)


def current(found: Sequence[Evidence]) -> list[Evidence]:
    """Return the evidence of rules whose text is still the one that was tried."""
    digests: dict[str, str | None] = {}
    for one in found:
        if one.rule_set not in digests:
            digests[one.rule_set] = None
            with suppress(OnewayError):  # a file that is gone
                digests[one.rule_set] = text_digest(one.rule_set)
    return [one for one in found if one.digest == digests[one.rule_set]]


@dataclass(frozen=True, slots=True)
class SeenRule:
    """What one rule did on each board.

    - `label`: its name; with its file if rules of several files have the name.
    - `name`, `rule_set`: its name, and rules it was tried with.
    - `source`: the rule files it was tried with; empty for rules of the book.
    """

    label: str
    name: str
    rule_set: str
    source: str
    boards: list[RuleEvidence]


def _source(rule_set: str) -> str:
    return ",".join(word for word in words_of(rule_set) if rule_file(word))


def seen_rules(found: Sequence[Evidence]) -> list[SeenRule]:
    """Return what each rule did; of one in two groups, in the first.

    Rules of different files are different rules.
    """
    first: dict[tuple[str, str], dict[str, tuple[str, RuleEvidence]]] = {}
    for one in found:
        for rule in one.rules:
            boards = first.setdefault((_source(one.rule_set), rule.name), {})
            boards.setdefault(one.board, (one.rule_set, rule))
    several = Counter(name for _, name in first)
    seen = []
    for (source, name), boards in first.items():
        label = f"{name}@{source}" if source and several[name] > 1 else name
        rule_set = next(iter(boards.values()))[0]
        rules = [rule for _, rule in boards.values()]
        seen.append(SeenRule(label, name, rule_set, source, rules))
    return seen


def by_rule(found: Sequence[Evidence]) -> dict[str, list[RuleEvidence]]:
    """Return what each rule did on each board, by its label."""
    return {one.label: one.boards for one in seen_rules(found)}


def rule_rows(found: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a rule, in the order of `RULE_HEADER`, summed over the boards."""
    rows = []
    for name, some in by_rule(found).items():
        one = merged_rule(some)
        numbers = [f"{number:,}" for number in (one.fired, one.wrong, one.caught)]
        first = one.first_wrong
        place = f"{first.notation} {first.moves}" if first else ""
        rows.append([name, one.claim, one.verdict, *numbers, place])
    return rows


def groups_of(found: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    """Return the evidence of each group."""
    groups: dict[str, list[Evidence]] = {}
    for one in found:
        groups.setdefault(one.rule_set, []).append(one)
    return groups


def group_rows(found: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group and board, in the order of `GROUP_HEADER`."""
    return [
        [
            one.rule_set,
            one.board,
            f"{one.positions:,}",
            f"{one.dead_moves:,}",
            f"{one.gaps:,}",
            f"{1e6 * one.gaps / one.positions:,.0f}",
        ]
        for one in _by_group(found)
    ]


def _by_group(found: Sequence[Evidence]) -> list[Evidence]:
    return [one for some in groups_of(found).values() for one in some]


def walk_rows(found: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group and board with walks, in the order of `WALK_HEADER`.

    Walks before an error are completed walks to one that is stuck; the interval is
    that of `heuristic.walks.walker.Statistics`.
    """
    rows = []
    for one in _by_group(found):
        if made := one.walks:
            numbers = [f"{made.walks:,}", f"{made.stuck:,}"]
            mean = summarise(made.walks, made.stuck).in_words()
            rows.append([one.rule_set, one.board, *numbers, *mean])
    return rows


def only_rows(found: Sequence[Evidence], group: str) -> list[list[str]]:
    """Return name and dead moves that only it caught, for the rules of a group."""
    totals = Counter[str]()
    for one in groups_of(found)[group]:
        for rule in one.rules:
            totals[rule.name] += rule.only
    return [[name, f"{only:,}"] for name, only in totals.items()]


def summary(found: Sequence[Evidence]) -> str:
    """Return one sentence: how many rules, and how many of each verdict.

    >>> summary([])
    '0 rules: 0 sound, 0 unsound, 0 never fired.'
    """
    verdicts = [row[2] for row in rule_rows(found)]
    words = ("sound", "unsound", "never fired")
    phrase = ", ".join(f"{verdicts.count(word)} {word}" for word in words)
    return f"{counted(len(verdicts), 'rule')}: {phrase}."


def summary_rows(found: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group, in the order of `SUMMARY_HEADER`, over all its boards."""
    verdict = {
        (one.source, one.name): merged_rule(one.boards).verdict
        for one in seen_rules(found)
    }
    rows = []
    for group, some in groups_of(found).items():
        names = {(_source(group), rule.name) for one in some for rule in one.rules}
        counts = Counter(verdict[name] for name in names)
        numbers = [len(names), *(counts[word] for word in SUMMARY_HEADER[2:])]
        rows.append([group, *map(str, numbers)])
    return rows


def _unsound(found: Sequence[Evidence], cases: Cases, folder: Path | None) -> list[str]:
    """Return a line a rule that was wrong, in Markdown; with links to its cases."""
    lines = []
    for rule, row in zip(seen_rules(found), rule_rows(found), strict=True):
        label, claim, verdict, fired, wrong, _, _ = row
        if verdict != "unsound":
            continue
        line = f"- `{label}` (claim: {claim}): fired on {fired}, wrong on {wrong}"
        files = [
            case.path
            for case in cases.get(rule.name, ())
            if case.path and bool(_source(case.rules)) == bool(rule.source)
        ]
        if folder and files:
            phrase = ", ".join(linked(file, folder) for file in files)
            line += f"; {'cases' if len(files) > 1 else 'case'} {phrase}"
        lines.append(line)
    return lines


def scopes(found: Sequence[Evidence]) -> list[str]:
    """Say which positions were seen of each board."""
    return [*dict.fromkeys(one.scope for one in found)]


_NOTE = (
    "Every rule was asked at every position, without precedence. Sound and unsound "
    "speak of these positions; rules that never fired did nothing on them. A gap is a "
    "position with a dead move that no rule of the group forbids."
)
_WALK_NOTE = (
    "Completed walks to one that is stuck; every walk chooses uniformly among the "
    "moves its group allows, precedence obeyed, and ends where it is stuck."
)


def _tables(found: Sequence[Evidence]) -> list[Table]:
    """Return all tables but that of the rules."""
    seeds = sorted({one.walks.seed for one in found if one.walks})
    tables = [
        Table("Summary", SUMMARY_HEADER, summary_rows(found)),
        Table("Groups", GROUP_HEADER, group_rows(found)),
        Table(
            "Random walks before an error",
            WALK_HEADER,
            walk_rows(found),
            f"{_WALK_NOTE} Seed {', '.join(map(str, seeds))}.",
        ),
    ]
    tables += [
        Table(
            f"Caught by one rule only: {group}",
            ("rule", "dead moves"),
            only_rows(found, group),
        )
        for group in groups_of(found)
    ]
    return [table for table in tables if table.rows]


def markdown(
    found: Sequence[Evidence],
    cases: Cases = MappingProxyType({}),
    folder: Path | None = None,
) -> str:
    """Write a summary and the tables as Markdown.

    `cases` by rule are linked to from `folder`, where the page will stand.
    """
    seen, (first, *others) = "; ".join(scopes(found)), _tables(found)
    rows = rule_rows(found)
    parts = [
        f"# Evidence\n\n{summary(found)} {_NOTE}\n\nPositions: {seen}.",
        first.markdown(),
    ]
    if wrong := _unsound(found, cases, folder):
        parts.append("\n".join(["Unsound on these positions:", "", *wrong]))
    if silent := [f"`{row[0]}`" for row in rows if row[2] == "never fired"]:
        parts.append(f"Never fired: {', '.join(silent)}.")
    tables = [Table("Rules", RULE_HEADER, rows), *others]
    return "\n\n".join([*parts, *(table.markdown() for table in tables)]) + "\n"


def html(found: Sequence[Evidence]) -> str:
    """Write the tables as one HTML page, with a picture of each rule and wrong case."""
    from verify.proof.picture import KEY

    rows = rule_rows(found)
    links = " ".join(
        f'<a href="#{escape(row[0])}">{escape(row[0])}</a>'
        for row in rows
        if row[2] == "unsound"
    )
    rules = Table("Rules", (*RULE_HEADER, "pictures"), (), KEY)
    return html_page(
        "Evidence",
        f"<p>{escape(summary(found))} {escape(_NOTE)}</p>"
        f"<p>Positions: {escape('; '.join(scopes(found)))}.</p>"
        + (f"<p>Unsound: {links}</p>" if links else "")
        + "".join(table.html() for table in _tables(found))
        + rules.html("".join(map(_html_rule, seen_rules(found), rows))),
    )


def _html_rule(seen: SeenRule, row: Sequence[str]) -> str:
    from heuristic.rules.picture import draw_rule
    from solver.svg import draw

    pictures, reason = [], ""
    rule = None
    with suppress(OnewayError):  # of a file that is gone
        rules = _rule_set(seen.rule_set, text_digest(seen.rule_set)).rules
        rule = next((one for one in rules if one.name == seen.name), None)
    if isinstance(rule, DrawnRule):
        reason = rule.spec.reason
        pictures.append(draw_rule(rule.spec.drawings[0], rule.name))
    if row[-1]:
        notation, moves = row[-1].split()
        pictures.append(draw(Position.parse(notation), forbidden=moves, scale=0.6))
    return html_rule(row, reason, pictures)


@lru_cache(maxsize=64)
def _rule_set(rules: str, _digest: str) -> RuleSet:
    """Return the rules, loaded once for each state of their files."""
    return load_rules(rules)


def write_evidence(file: Path, cases: Cases = MappingProxyType({})) -> list[Evidence]:
    """Write ``evidence.md`` and ``evidence.html`` beside a file of evidence.

    `cases` of rules that were wrong are linked to, see
    `verify.corpus.cases.cases_against`. Returns what the file holds of rules whose text
    has not changed since.
    """
    folder = file.parent
    with held(file, patience=_PATIENCE):
        found = current(load_evidence(file))
        write_whole(folder / "evidence.md", markdown(found, cases, folder))
        write_whole(folder / "evidence.html", html(found))
    return found
