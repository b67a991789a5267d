"""Tables of evidence: every rule on every board, every group's gaps.

Every rule was asked at every position, without precedence. A rule of several groups
counts once, with the evidence of the first group that has it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from heuristic.groups import rule_file, words_of
from heuristic.walker import summarise
from solver.files import write_whole
from verify.corpus.cases import Case
from verify.evidence.evidence import Evidence, RuleEvidence, merged_rule
from verify.formatting import Table, counted, linked

Cases: TypeAlias = Mapping[str, Sequence[Case]]  # by rule

_VERDICTS = ("sound", "unsound", "never fired")
_SUMMARY_HEADER = ("group", "rules", *_VERDICTS)
_RULE_HEADER = ("rule", "claim", "verdict", "fired", "wrong", "caught", "wrong at")
_WALK_HEADER = ("group", "board", "walks", "stuck", "before an error", "95 %")
_GROUP_HEADER = ("group", "board", "positions", "dead moves", "gaps", "per million")
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


def _by_group(evidence: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    groups: dict[str, list[Evidence]] = {}
    for part in evidence:
        groups.setdefault(part.rule_set, []).append(part)
    return groups


def summary(evidence: Sequence[Evidence]) -> str:
    """Return one sentence: how many rules, and how many of each verdict.

    >>> summary([])
    '0 rules: 0 sound, 0 unsound, 0 never fired.'
    """
    verdicts = [rule.verdict for rule in _totals(evidence)]
    counts = [f"{verdicts.count(word)} {word}" for word in _VERDICTS]
    return f"{counted(len(verdicts), 'rule')}: {', '.join(counts)}."


def scopes(evidence: Sequence[Evidence]) -> list[str]:
    """Return which positions were seen of each board, in words."""
    return [*dict.fromkeys(part.scope for part in evidence)]


def _rule_row(rule: RuleEvidence) -> list[str]:
    numbers = [f"{number:,}" for number in (rule.fired, rule.wrong, rule.caught)]
    wrong = rule.first_wrong
    place = f"{wrong.notation} {wrong.moves}" if wrong else ""
    return [rule.name, rule.claim, rule.verdict, *numbers, place]


def _group_row(part: Evidence) -> list[str]:
    numbers = (part.positions, part.dead_moves, part.gaps)
    per_million = f"{1e6 * part.gaps / part.positions:,.0f}"
    return [part.rule_set, part.board, *(f"{x:,}" for x in numbers), per_million]


def _walk_rows(parts: Sequence[Evidence]) -> list[list[str]]:
    """Return rows of walks; the interval is that of `heuristic.walker`."""
    rows = []
    for part in parts:
        if walks := part.walks:
            numbers = [f"{walks.walks:,}", f"{walks.stuck:,}"]
            mean = summarise(walks.walks, walks.stuck).in_words()
            rows.append([part.rule_set, part.board, *numbers, *mean])
    return rows


def _unsound(evidence: Sequence[Evidence], cases: Cases, folder: Path) -> list[str]:
    """Return a line a rule that was wrong, in Markdown; with links to its cases.

    Cases against a rule of the book belong to groups of the book, others to files.
    """
    files = [rule_file(word) for part in evidence for word in words_of(part.rule_set)]
    lines = []
    for rule in _totals(evidence):
        if not rule.wrong:
            continue
        counts = f"fired on {rule.fired:,}, wrong on {rule.wrong:,}"
        line = f"- `{rule.name}` (claim: {rule.claim}): {counts}"
        links = [
            linked(case.path, folder)
            for case in cases.get(rule.name, ())
            if case.path and case.of_the_book != any(files)
        ]
        if links:
            line += f"; {'cases' if len(links) > 1 else 'case'} {', '.join(links)}"
        lines.append(line)
    return lines


def markdown(
    evidence: Sequence[Evidence],
    cases: Cases = MappingProxyType({}),
    folder: Path = Path(),
) -> str:
    """Return a summary and the tables as Markdown.

    `cases` by rule are linked to from `folder`, where the page will stand.
    """
    totals, groups = _totals(evidence), _by_group(evidence)
    parts = [part for some in groups.values() for part in some]
    verdicts = {rule.name: rule.verdict for rule in totals}
    seeds = sorted({part.walks.seed for part in evidence if part.walks})
    summaries, alone = [], []
    for group, some in groups.items():
        only = Counter[str]()
        for part in some:
            only.update({rule.name: rule.only for rule in part.rules})
        counts = Counter(verdicts[name] for name in only)
        numbers = [len(only), *(counts[word] for word in _VERDICTS)]
        summaries.append([group, *map(str, numbers)])
        rows = [[name, f"{moves:,}"] for name, moves in only.items()]
        title = f"Caught by one rule only: {group}"
        alone.append(Table(title, ("rule", "dead moves"), rows))
    note = f"{_WALK_NOTE} Seed {', '.join(map(str, seeds))}."
    walks = _walk_rows(parts)
    tables = [
        Table("Rules", _RULE_HEADER, [_rule_row(rule) for rule in totals]),
        Table("Groups", _GROUP_HEADER, [_group_row(part) for part in parts]),
        Table("Random walks before an error", _WALK_HEADER, walks, note),
        *alone,
    ]
    page = [
        f"# Evidence\n\n{summary(evidence)} {_NOTE}",
        f"Positions: {'; '.join(scopes(evidence))}.",
        Table("Summary", _SUMMARY_HEADER, summaries).markdown(),
    ]
    if wrong := _unsound(evidence, cases, folder):
        page.append("\n".join(["Unsound on these positions:", "", *wrong]))
    if silent := [f"`{rule.name}`" for rule in totals if not rule.fired]:
        page.append(f"Never fired: {', '.join(silent)}.")
    page += [table.markdown() for table in tables if table.rows]
    return "\n\n".join(page) + "\n"


def write_evidence(evidence: Sequence[Evidence], folder: Path, cases: Cases) -> None:
    """Write ``evidence.md`` into a folder.

    `cases` of rules that were wrong are linked to, see
    `verify.corpus.cases.cases_against`.
    """
    write_whole(folder / "evidence.md", markdown(evidence, cases, folder))
