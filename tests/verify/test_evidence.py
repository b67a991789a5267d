"""Evidence: its tables, how it is joined, and the long run that gathers it."""

from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import rules_together
from heuristic.rules.rulefile import parse_rules
from heuristic.walker import summarise
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.runs.sums import answer_of
from tests.samples import NEVER_RIGHT
from verify.corpus.cases import Case
from verify.evidence.evidence import (
    Evidence,
    WalksFound,
    gather,
    merged,
    sampled_positions,
    scope_of,
    trials,
    verify_positions,
)
from verify.evidence.report import (
    by_rule,
    markdown,
    summary,
    write_evidence,
)
from verify.formatting import markdown_rows

WORDS = ("sound", "unsound", "never fired")


def drawn(groups: tuple[str, ...], count: int, seed: int) -> list[Evidence]:
    board, search = Board.square(9), get_oracle("search")
    known = sampled_positions(board, count, seed=seed, oracle=search)
    return gather(known, scope_of(board, count, seed), groups)


@pytest.fixture(scope="module")
def evidence() -> list[Evidence]:
    return drawn(("seed-5", "seed-superseded"), 2000, 1)


def test_a_rule_of_two_groups_counts_once() -> None:
    both = gather(Board.square(5), "all", ("seed-5", "c-shape"))
    assert len(both[0].rules) == len(by_rule(both)) == 4
    assert by_rule(both)["c-shape"] == [both[0].rules[0]]
    assert "4 rules: 4 sound" in summary(both)


def test_the_page_has_a_row_a_rule_and_a_summary_of_groups(
    evidence: list[Evidence], tmp_path: Path
) -> None:
    rule = "count-area-across-border-c"
    case = Case("unsound", "x", "x", Position.parse("5:R"), {}, rules="seed-superseded")
    cases = [replace(case, path=tmp_path / "a.toml")]
    text = markdown(evidence, {rule: cases}, tmp_path / "page")
    tables: dict[str, list[tuple[str, ...]]] = {}
    for title, _, cells in markdown_rows(text):
        tables.setdefault(title, []).append(cells)
    rows = {row[0]: row for row in tables["Rules"]}
    assert rows["c-shape"][1:3] == ("sound", "sound")
    assert rows["square-4x2-orig"][2:6] == ("never fired", "0", "0", "0")
    [seen] = by_rule(evidence)[rule]
    assert seen.first_wrong is not None
    place = f"{seen.first_wrong.notation} {seen.first_wrong.moves}"
    counts = tuple(map(str, (seen.fired, seen.wrong, seen.caught)))
    assert rows[rule][1:] == ("unargued", "unsound", *counts, place)
    for (group, *numbers), part in zip(tables["Summary"], evidence, strict=True):
        assert group == part.rule_set
        names = [one.name for one in part.rules]
        found = [[rows[name][2] for name in names].count(word) for word in WORDS]
        assert list(map(int, numbers)) == [len(names), *found]
    first = evidence[0]
    assert tables["Groups"][0] == (
        *("seed-5", "9", "2,000", f"{first.dead_moves:,}", f"{first.gaps:,}"),
        f"{first.gaps * 500:,}",
    )
    alone = tables["Caught by one rule only: seed-5"]
    assert alone == [(one.name, f"{one.only:,}") for one in first.rules]
    assert (
        f"- `{rule}` (claim: unargued): fired on {seen.fired}, wrong on {seen.wrong}; "
        "case [a](../a.toml)\n"
    ) in text
    assert "`square-4x2-orig`" in text[text.index("Never fired: ") :]
    only = markdown([replace(evidence[0], rules=(*by_rule(evidence)["c-shape"],))])
    assert "Unsound" not in only
    assert "Never" not in only


@pytest.mark.parametrize("name", ["evidence", "evidence-future"])
def test_the_summaries_of_the_pages_are_those_of_their_tables(name: str) -> None:
    page = (Path(__file__).parents[2] / f"docs/tables/{name}.md").read_text()
    tables: dict[str, list[tuple[str, ...]]] = {}
    for title, _, cells in markdown_rows(page):
        tables.setdefault(title, []).append(cells)
    verdicts = {row[0]: row[2] for row in tables["Rules"]}
    for group, *numbers in tables["Summary"]:
        names = [row[0] for row in tables[f"Caught by one rule only: {group}"]]
        counts = [[verdicts[name] for name in names].count(word) for word in WORDS]
        assert [int(x) for x in numbers] == [len(names), *counts]


def test_walks_before_an_error_are_reported(
    evidence: list[Evidence], tmp_path: Path
) -> None:
    alone = summarise(200, 30)
    made = WalksFound(200, 3, 30), WalksFound(200, 3, 0)
    parts = zip(evidence, made, strict=True)
    walked = [replace(part, walks=walks) for part, walks in parts]
    low, high = alone.before_error_interval
    write_evidence(walked, tmp_path, {})
    text = (tmp_path / "evidence.md").read_text()
    assert "Seed 3" in text
    mean = f"{alone.before_error:.3g} | {low:.3g} to {high:.3g}"
    assert f"| seed-5 | 9 | 200 | 30 | {mean} |" in text
    assert "| seed-superseded | 9 | 200 | 0 | none stuck |" in text
    assert "Random walks" not in markdown(evidence)


def test_blocks_of_positions_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.evidence.evidence.BLOCK", 60)
    groups = ["seed-5", "seed-superseded"]
    boards = [("9", "search", 150), ("5", "search", None)]
    long_run = trials(groups, boards, seed=3, alone=True)
    payloads = [unit.payload for unit in long_run.units]
    assert [payload[-2] for payload in payloads] == [60, 60, 30, None]
    parts = [drawn((*groups,), many, seed) for *_, many, seed in payloads[:3]]
    answer = answer_of(long_run)
    whole = scope_of(Board.square(5), None)
    assert answer[2:] == gather(Board.square(5), whole, groups)
    for place, nine in enumerate(answer[:2]):
        some = [part[place] for part in parts]
        scope = "150 drawn positions of 9, seed 3"
        assert nine == replace(merged(some), scope=scope)
        assert nine.positions == 150
        assert nine.dead_moves == sum(one.dead_moves for one in some)
        for rule, *same in zip(nine.rules, *(one.rules for one in some), strict=True):
            assert rule.caught == sum(one.caught for one in same)
            examples = [one.first_wrong for one in same if one.first_wrong]
            least = min(examples, key=lambda one: len(one.notation), default=None)
            assert rule.first_wrong == least
        lengths = [len(one.first_gap.notation) for one in some if one.first_gap]
        told = nine.first_gap
        assert (len(told.notation) if told else None) == min(lengths, default=None)


def test_of_examples_with_walks_of_one_length_the_first_is_shown() -> None:
    rules = rules_together("wrong", parse_rules(NEVER_RIGHT))
    known = [(Position.parse("5:RR"), "D"), (Position.parse("5:RD"), "L")]
    for order in (known, known[::-1]):
        evidence = verify_positions(rules, order, "two")
        assert evidence.rules[0].wrong == 2
        assert evidence.rules[0].first_wrong is not None
        assert evidence.rules[0].first_wrong.position == order[0][0]
