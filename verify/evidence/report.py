"""Tables of evidence: every rule on every board, every group's gaps.

Every rule was asked at every position, without precedence. A rule of several groups
counts once, with the evidence of the first group that has it.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from heuristic.groups import rule_file, words_of
from heuristic.walks.statistics import summarise
from solver.files import write_whole
from verify.corpus.cases import Case
from verify.evidence.evidence import Evidence, RuleEvidence, merged_rule
from verify.words import Table, counted, linked

Cases: TypeAlias = Mapping[str, Sequence[Case]]  # by rule

SUMMARY_HEADER = ("group", "rules", "sound", "unsound", "never fired")
RULE_HEADER = ("rule", "claim", "verdict", "fired", "wrong", "caught", "wrong at")
WALK_HEADER = ("group", "board", "walks", "stuck", "before an error", "95 %")
GROUP_HEADER = ("group", "board", "positions", "dead moves", "gaps", "per million")
_NOTE = (
    "Every rule was asked at every position, without precedence. Sound and unsound "
    "speak of these positions; rules that never fired did nothing on them. A gap is a "
    "position with a dead move that no rule of the group forbids."
)
_WALK_NOTE = (
    "Completed walks to one that is stuck; every walk chooses uniformly among the "
    "moves its group allows, precedence obeyed, and ends where it is stuck."
)


def by_rule(evidence: Sequence[Evidence]) -> dict[str, list[RuleEvidence]]:
    """Return what each rule did on each board."""
    boards: dict[str, dict[str, RuleEvidence]] = {}
    for part in evidence:
        for rule in part.rules:
            boards.setdefault(rule.name, {}).setdefault(part.board, rule)
    return {name: [*rules.values()] for name, rules in boards.items()}


def _totals(evidence: Sequence[Evidence]) -> list[RuleEvidence]:
    return [merged_rule(rules) for rules in by_rule(evidence).values()]


def by_group(evidence: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    """Return the evidence of each group."""
    groups: dict[str, list[Evidence]] = {}
    for part in evidence:
        groups.setdefault(part.rule_set, []).append(part)
    return groups


def rule_rows(evidence: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a rule, in the order of `RULE_HEADER`, summed over the boards."""
    rows = []
    for rule in _totals(evidence):
        numbers = [f"{number:,}" for number in (rule.fired, rule.wrong, rule.caught)]
        first = rule.first_wrong
        place = f"{first.notation} {first.moves}" if first else ""
        rows.append([rule.name, rule.claim, rule.verdict, *numbers, place])
    return rows


def group_rows(evidence: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group and board, in the order of `GROUP_HEADER`."""
    return [
        [
            group,
            part.board,
            f"{part.positions:,}",
            f"{part.dead_moves:,}",
            f"{part.gaps:,}",
            f"{1e6 * part.gaps / part.positions:,.0f}",
        ]
        for group, parts in by_group(evidence).items()
        for part in parts
    ]


def walk_rows(evidence: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group and board with walks, in the order of `WALK_HEADER`.

    Walks before an error are completed walks to one that is stuck; the interval is
    that of `heuristic.walks.walker.Statistics`.
    """
    rows = []
    for group, parts in by_group(evidence).items():
        for part in parts:
            if walks := part.walks:
                numbers = [f"{walks.walks:,}", f"{walks.stuck:,}"]
                mean = summarise(walks.walks, walks.stuck).in_words()
                rows.append([group, part.board, *numbers, *mean])
    return rows


def only_rows(parts: Sequence[Evidence]) -> list[list[str]]:
    """Return the dead moves that each rule of a group alone caught, on all boards."""
    totals = Counter[str]()
    for part in parts:
        for rule in part.rules:
            totals[rule.name] += rule.only
    return [[name, f"{only:,}"] for name, only in totals.items()]


def summary(evidence: Sequence[Evidence]) -> str:
    """Return one sentence: how many rules, and how many of each verdict.

    >>> summary([])
    '0 rules: 0 sound, 0 unsound, 0 never fired.'
    """
    verdicts = [rule.verdict for rule in _totals(evidence)]
    counts = [f"{verdicts.count(word)} {word}" for word in SUMMARY_HEADER[2:]]
    return f"{counted(len(verdicts), 'rule')}: {', '.join(counts)}."


def summary_rows(evidence: Sequence[Evidence]) -> list[list[str]]:
    """Return one row a group, in the order of `SUMMARY_HEADER`, over all its boards."""
    verdicts = {rule.name: rule.verdict for rule in _totals(evidence)}
    rows = []
    for group, parts in by_group(evidence).items():
        names = {rule.name for part in parts for rule in part.rules}
        counts = Counter(verdicts[name] for name in names)
        numbers = [len(names), *(counts[word] for word in SUMMARY_HEADER[2:])]
        rows.append([group, *map(str, numbers)])
    return rows


def _unsound(evidence: Sequence[Evidence], cases: Cases, folder: Path) -> list[str]:
    """Return a line a rule that was wrong, in Markdown; with links to its cases.

    Cases against a rule of the book belong to groups of the book, others to files.
    """
    files = [rule_file(word) for part in evidence for word in words_of(part.rule_set)]
    in_book = not any(files)
    lines = []
    for rule in _totals(evidence):
        if not rule.wrong:
            continue
        counts = f"fired on {rule.fired:,}, wrong on {rule.wrong:,}"
        line = f"- `{rule.name}` (claim: {rule.claim}): {counts}"
        links = [
            linked(case.path, folder)
            for case in cases.get(rule.name, ())
            if case.path and case.of_the_book == in_book
        ]
        if links:
            line += f"; {'cases' if len(links) > 1 else 'case'} {', '.join(links)}"
        lines.append(line)
    return lines


def scopes(evidence: Sequence[Evidence]) -> list[str]:
    """Return which positions were seen of each board, in words."""
    return [*dict.fromkeys(part.scope for part in evidence)]


def markdown(
    evidence: Sequence[Evidence],
    cases: Cases = MappingProxyType({}),
    folder: Path = Path(),
) -> str:
    """Return a summary and the tables as Markdown.

    `cases` by rule are linked to from `folder`, where the page will stand.
    """
    rows = rule_rows(evidence)
    seeds = sorted({part.walks.seed for part in evidence if part.walks})
    tables = [
        Table("Rules", RULE_HEADER, rows),
        Table("Groups", GROUP_HEADER, group_rows(evidence)),
        Table(
            "Random walks before an error",
            WALK_HEADER,
            walk_rows(evidence),
            f"{_WALK_NOTE} Seed {', '.join(map(str, seeds))}.",
        ),
    ]
    for group, parts in by_group(evidence).items():
        title = f"Caught by one rule only: {group}"
        tables.append(Table(title, ("rule", "dead moves"), only_rows(parts)))
    page = [
        f"# Evidence\n\n{summary(evidence)} {_NOTE}",
        f"Positions: {'; '.join(scopes(evidence))}.",
        Table("Summary", SUMMARY_HEADER, summary_rows(evidence)).markdown(),
    ]
    if wrong := _unsound(evidence, cases, folder):
        page.append("\n".join(["Unsound on these positions:", "", *wrong]))
    if silent := [f"`{row[0]}`" for row in rows if row[2] == "never fired"]:
        page.append(f"Never fired: {', '.join(silent)}.")
    page += [table.markdown() for table in tables if table.rows]
    return "\n\n".join(page) + "\n"


def write_evidence(evidence: Sequence[Evidence], folder: Path, cases: Cases) -> None:
    """Write ``evidence.md`` and ``evidence.json`` into a folder.

    `cases` of rules that were wrong are linked to, see
    `verify.corpus.cases.cases_against`.
    """
    write_whole(folder / "evidence.md", markdown(evidence, cases, folder))
    text = json.dumps([asdict(part) for part in evidence], indent=1)
    write_whole(folder / "evidence.json", f"{text}\n")
