"""Evidence: its page, how parts are added up, and the long run that gathers it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.rulefile import parse_rules
from heuristic.walker import Statistics
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.runs.sums import answer_of
from tests.samples import NEVER_RIGHT
from verify.evidence.evidence import (
    Evidence,
    gather,
    sampled_positions,
    trials,
    verify_positions,
    walk_counts,
)
from verify.evidence.report import by_rule, evidence_summary, markdown, write_evidence
from verify.formatting import markdown_rows

GROUPS = ("seed-5", "seed-superseded")
WORDS = ("sound", "unsound", "never fired")
Rows = dict[str, list[tuple[str, ...]]]


def tables_of(text: str) -> Rows:
    tables: Rows = {}
    for title, _, cells in markdown_rows(text):
        tables.setdefault(title, []).append(cells)
    return tables


def sampled(count: int, seed: int) -> Iterator[tuple[Position, str]]:
    search = get_oracle("search")
    return sampled_positions(Board.square(9), count, seed=seed, oracle=search)


@pytest.fixture(scope="module")
def evidence() -> list[Evidence]:
    return gather(sampled(2000, 1), "2,000 random positions", GROUPS)


def test_a_rule_of_two_groups_counts_once() -> None:
    both = gather(Board.square(5), "all", ("seed-5", "c-shape"))
    assert len(both[0].rules) == len(by_rule(both)) == 4
    assert by_rule(both)["c-shape"] == [both[0].rules[0]]
    assert "4 rules: 4 sound" in evidence_summary(both)


def test_the_page_has_a_row_a_rule_and_a_summary_of_groups(
    evidence: list[Evidence],
) -> None:
    text = markdown(evidence, 0)
    tables = tables_of(text)
    rows = {row[0]: row for row in tables["Rules"]}
    assert rows["c-shape"][1:3] == ("sound", "sound")
    assert rows["square-4x2-orig"][2:] == ("never fired", "0", "0", "0", "")
    wrong = "count-area-across-border-c"
    [rule] = by_rule(evidence)[wrong]
    assert rule.first_wrong is not None
    place = f"{rule.first_wrong.notation} {rule.first_wrong.moves}"
    counts = tuple(map(str, (rule.fired, rule.wrong, rule.caught)))
    assert rows[wrong][1:] == ("unargued", "unsound", *counts, place)
    for (group, *numbers), part in zip(tables["Summary"], evidence, strict=True):
        assert group == part.rule_set
        verdicts = [rows[rule.name][2] for rule in part.rules]
        assert list(map(int, numbers)) == [len(verdicts), *map(verdicts.count, WORDS)]
    first = evidence[0]
    sizes = 2000, first.dead_moves, first.gaps, first.gaps * 500
    assert tables["Groups"][0] == ("seed-5", "9", *(f"{size:,}" for size in sizes))
    alone = tables["Caught by one rule only: seed-5"]
    assert alone == [(rule.name, f"{rule.only:,}") for rule in first.rules]
    assert f"`{wrong}`" in text[text.index("Unsound: ") : text.index("Never fired: ")]
    assert "`square-4x2-orig`" in text[text.index("Never fired: ") :]
    only = markdown([replace(first, rules=(*by_rule(evidence)["c-shape"],))], 0)
    assert "Unsound: " not in only
    assert "Never fired: " not in only


@pytest.mark.parametrize("name", ["evidence", "evidence-future"])
def test_the_summaries_of_the_pages_are_those_of_their_tables(name: str) -> None:
    page = (Path(__file__).parents[2] / f"docs/tables/{name}.md").read_text()
    tables = tables_of(page)
    verdicts = {row[0]: row[2] for row in tables["Rules"]}
    for group, *numbers in tables["Summary"]:
        rules = [row[0] for row in tables[f"Caught by one rule only: {group}"]]
        words = [verdicts[rule] for rule in rules]
        assert [int(x) for x in numbers] == [len(rules), *map(words.count, WORDS)]


def test_walks_before_an_error_are_reported(
    evidence: list[Evidence], tmp_path: Path
) -> None:
    parts = zip(evidence, [Statistics(200, 30), Statistics(200, 0)], strict=True)
    walked = [replace(part, walks=walks) for part, walks in parts]
    write_evidence(walked, tmp_path, seed=3)
    text = (tmp_path / "evidence.md").read_text()
    assert "with precedence. Seed 3." in text
    assert tables_of(text)["Random walks before an error"] == [
        ("seed-5", "9", "200", "30", "5.67", "3.85 to 8.33"),
        ("seed-superseded", "9", "200", "0", "none stuck", "52.1 to no end"),
    ]
    assert "Random walks" not in markdown(evidence, 3)


def test_blocks_of_positions_are_added_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("verify.evidence.evidence.BLOCK", 60)
    boards = [("9", "search", 150), ("5", "search", None)]
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(NEVER_RIGHT)
    groups = ["seed-5", str(wrong)]
    long_run = trials(groups, boards, seed=3, alone=True)
    payloads = [unit.payload for unit in long_run.units]
    assert [payload[-2] for payload in payloads] == [60, 60, 30, None]
    known = [one for *_, many, seed in payloads[:3] for one in sampled(many, seed)]
    nines = gather(known, "150 random positions of 9, seed 3", groups)
    fives = gather(Board.square(5), "every completable position of 5", groups)
    assert answer_of(long_run) == [*nines, *fives]
    assert nines[0].gaps > 1 < nines[1].rules[0].wrong


def test_of_examples_with_equally_long_walks_the_first_is_shown() -> None:
    rules = rules_together("wrong", parse_rules(NEVER_RIGHT))
    decided = [(Position.parse("5:RR"), "D"), (Position.parse("5:RD"), "L")]
    for order in (decided, decided[::-1]):
        evidence = verify_positions(rules, order, "two")
        assert evidence.rules[0].wrong == 2
        assert evidence.rules[0].first_wrong is not None
        assert evidence.rules[0].first_wrong.position == order[0][0]


def test_blocks_are_smaller_on_large_boards() -> None:
    boards = [("13", "search", 40_000), ("15", "search", 4_000)]
    units = trials(["seed-5"], boards, seed=0).units
    assert [unit.payload[-2] for unit in units] == [20_000, 20_000, 2_000, 2_000]


def test_walks_of_all_units_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.evidence.evidence.walks_of_unit", lambda _: 10)
    rules, boards = load_rules("seed-5"), [Board.square(5), Board.square(7)]
    counts = answer_of(walk_counts(rules, boards, count=25, seed=3))
    for board in boards:
        walker = rules.walker(board)
        stuck = sum(not walker.walk(seed).complete for seed in range(3, 28))
        statistics = counts[board.notation]
        assert (statistics.walks, statistics.stuck) == (25, stuck)
    assert counts["7"].stuck
