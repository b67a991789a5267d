"""The page of evidence: every rule on every board, every group's gaps and walks.

A rule of several groups counts once, with the evidence of its first group.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from solver.files import write_whole
from verify.evidence.evidence import Evidence, RuleEvidence, merged_rule
from verify.formatting import counted, markdown_table

_VERDICTS = ("sound", "unsound", "never fired")
_SUMMARY_HEADER = ("group", "rules", *_VERDICTS)
_RULE_HEADER = ("rule", "claim", "verdict", "fired", "wrong", "caught", "wrong at")
_WALK_HEADER = ("group", "board", "walks", "stuck", "before an error", "95 %")
_GROUP_HEADER = ("group", "board", "positions", "dead moves", "gaps", "per million")
_NOTE = (
    "Each rule was applied at every position, without precedence. *Sound* and "
    "*unsound* refer to these positions only. A gap is a position with a dead move "
    "that no rule of the group forbids."
)
_WALK_NOTE = (
    "The number of completed walks to one that gets stuck. Each walk chooses uniformly "
    "among the moves that its group allows, with precedence."
)


def by_rule(evidence: Sequence[Evidence]) -> dict[str, list[RuleEvidence]]:
    """Return the evidence of each rule, by board."""
    boards: dict[str, dict[str, RuleEvidence]] = {}
    for part in evidence:
        for rule in part.rules:
            boards.setdefault(rule.name, {}).setdefault(part.board, rule)
    return {name: [*rules.values()] for name, rules in boards.items()}


def _totals(evidence: Sequence[Evidence]) -> list[RuleEvidence]:
    return [merged_rule(rules) for rules in by_rule(evidence).values()]


def evidence_summary(evidence: Sequence[Evidence]) -> str:
    """Return one sentence: the number of rules of each verdict.

    >>> evidence_summary([])
    '0 rules: 0 sound, 0 unsound, 0 never fired.'
    """
    verdicts = [rule.verdict for rule in _totals(evidence)]
    counts = [f"{verdicts.count(word)} {word}" for word in _VERDICTS]
    return f"{counted(len(verdicts), 'rule')}: {', '.join(counts)}."


def scopes(evidence: Sequence[Evidence]) -> list[str]:
    """Return the positions of each board in words."""
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


def _walk_rows(parts: Sequence[Evidence]) -> Iterator[list[str]]:
    for part in parts:
        if walks := part.walks:
            numbers = f"{walks.walks:,}", f"{walks.stuck:,}"
            yield [part.rule_set, part.board, *numbers, *walks.in_words()]


def _section(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> str:
    """Return a note and a table under a heading; nothing without rows."""
    parts = [f"## {title}", note, markdown_table(header, rows)]
    return "\n\n".join(filter(None, parts)) if rows else ""


def markdown(evidence: Sequence[Evidence], seed: int) -> str:
    """Return a summary and the tables as Markdown; `seed` is that of the walks."""
    totals = _totals(evidence)
    verdicts = {rule.name: rule.verdict for rule in totals}
    groups: dict[str, list[Evidence]] = {}
    for part in evidence:
        groups.setdefault(part.rule_set, []).append(part)
    parts = [part for boards in groups.values() for part in boards]
    summaries, alone = [], []
    for group, boards in groups.items():
        only = Counter[str]()
        for part in boards:
            only.update({rule.name: rule.only for rule in part.rules})
        counts = Counter(verdicts[name] for name in only)
        numbers = [len(only), *(counts[word] for word in _VERDICTS)]
        summaries.append([group, *map(str, numbers)])
        rows = [[name, f"{moves:,}"] for name, moves in only.items()]
        title = f"Caught by one rule only: {group}"
        alone.append(_section(title, ("rule", "dead moves"), rows))
    page = [
        f"# Evidence\n\n{evidence_summary(evidence)} {_NOTE}",
        f"Positions: {'; '.join(scopes(evidence))}.",
        _section("Summary", _SUMMARY_HEADER, summaries),
    ]
    for verdict in ("unsound", "never fired"):
        if names := [f"`{name}`" for name, word in verdicts.items() if word == verdict]:
            page.append(f"{verdict.capitalize()}: {', '.join(names)}.")
    note = f"{_WALK_NOTE} Seed {seed}."
    page += [
        _section("Rules", _RULE_HEADER, [*map(_rule_row, totals)]),
        _section("Groups", _GROUP_HEADER, [*map(_group_row, parts)]),
        _section(
            "Random walks before an error", _WALK_HEADER, [*_walk_rows(parts)], note
        ),
        *alone,
    ]
    return "\n\n".join(filter(None, page)) + "\n"


def write_evidence(evidence: Sequence[Evidence], folder: Path, *, seed: int) -> None:
    """Write ``evidence.md`` into a folder; see `markdown`."""
    write_whole(folder / "evidence.md", markdown(evidence, seed))
