"""Evidence kept in files, its tables, and the campaign that gathers it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.walks.walker import statistics
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from tests.runner import run
from verify.corpus.cases import Case
from verify.trial import campaigns
from verify.trial.campaigns import evidence
from verify.trial.evidence import (
    BoardEvidence,
    asked_always,
    beyond,
    gather,
    sampled_positions,
    verify_positions,
)
from verify.trial.report import (
    group_rows,
    html,
    load_evidence,
    markdown,
    only_rows,
    rule_rows,
    save_evidence,
    summary,
    summary_rows,
    walk_rows,
)
from verify.words import markdown_rows

WORDS = ("sound", "unsound", "unused")


@pytest.fixture(scope="module")
def found() -> BoardEvidence:
    groups = ("seed-5", "seed-superseded")
    return gather(Board.square(9), count=2000, seed=1, groups=groups)


def test_an_unsound_rule_is_shown_with_its_case(found: BoardEvidence) -> None:
    rows = {row[0]: row for row in rule_rows([found])}
    assert rows["count-area-across-border-c"][1:3] == ["unargued", "unsound"]
    assert rows["c-shape"][1:3] == ["sound", "sound"]
    assert rows["square-4x2-orig"][2] == "unused"
    assert "unsound" in summary([found])
    text, page = markdown([found]), html([found])
    assert found.rules["count-area-across-border-c"].first_wrong is not None
    assert rows["count-area-across-border-c"][-1] in text
    assert page.count("<svg") > len(found.rules)


def test_a_page_begins_with_a_summary_of_the_groups(
    found: BoardEvidence, tmp_path: Path
) -> None:
    verdicts = {row[0]: row[2] for row in rule_rows([found])}
    for group, *numbers in summary_rows([found]):
        names = [rule.name for rule in found.groups[group].rules]
        counts = [list(map(verdicts.get, names)).count(word) for word in WORDS]
        assert list(map(int, numbers)) == [len(names), *counts]
    rule = "count-area-across-border-c"
    place = Position.parse("5:R")
    case = Case("unsound", "x", "x", place, {}, path=tmp_path / "a.toml")
    text = markdown([found], {rule: [case]}, tmp_path / "page")
    first = text[: text.index("## Rules")]
    seen = found.rules[rule]
    assert "| seed-5 | 4 | 4 | 0 | 0 |" in first
    assert (
        f"- `{rule}` (claim: unargued): fired on {seen.fired}, wrong on {seen.wrong}; "
        "case [a](../a.toml)\n"
    ) in first
    assert "`square-4x2-orig`" in first[first.index("Never fired: ") :]
    assert f'<tr id="{rule}">' in html([found])
    assert f'<a href="#{rule}">' in html([found])
    seed_5 = found.groups["seed-5"]
    alone = replace(seed_5, rules=(found.rules["c-shape"],))
    only = replace(found, groups={"seed-5": alone})
    assert "Unsound" not in markdown([only]) + html([only])
    assert "Never" not in markdown([only])


@pytest.mark.parametrize("name", ["evidence", "evidence-future"])
def test_the_summaries_of_the_pages_are_those_of_their_tables(name: str) -> None:
    page = (Path(__file__).parents[2] / f"docs/tables/{name}.md").read_text()
    first = page.partition("\n## ")[0]
    tables: dict[str, list[tuple[str, ...]]] = {}
    for title, _, cells in markdown_rows(page):
        tables.setdefault(title, []).append(cells)
    verdicts = {row[0]: row[2] for row in tables["Rules"]}
    for group, *numbers in tables["Summary"]:
        names = [row[0] for row in tables[f"Caught by one rule only: {group}"]]
        counts = [[verdicts[name] for name in names].count(word) for word in WORDS]
        assert [int(x) for x in numbers] == [len(names), *counts]
    assert f"{list(verdicts.values()).count('unsound')} unsound" in first
    wrong = [rule for rule, verdict in verdicts.items() if verdict == "unsound"]
    assert re.findall(r"^- `([^`]+)`", page, re.MULTILINE) == wrong


def test_groups_and_what_only_one_rule_caught(found: BoardEvidence) -> None:
    rows = group_rows([found])
    assert [row[0] for row in rows] == ["seed-5", "seed-superseded"]
    gaps = found.groups["seed-5"].gaps
    assert rows[0][4:] == [f"{gaps:,}", f"{gaps * 500:,}"]
    names = [rule.name for rule in found.groups["seed-5"].rules]
    assert [row[0] for row in only_rows([found], "seed-5")] == names


def test_walks_before_an_error_are_reported(
    found: BoardEvidence, tmp_path: Path
) -> None:
    groups = ("seed-5", "seed-9-size")
    asked = {"boards": [], "walked": ["9"], "count": 1, "seed": 3}
    campaign = evidence({**asked, "groups": groups, "walks": 200})
    units = [*campaign.units()]
    assert [unit.payload[1] for unit in units] == [*groups]
    walks = campaign.fold(campaign.work(unit.payload) for unit in units)[1]["9"]
    alone = statistics(load_rules("seed-5"), Board.square(9), count=200, seed=3)
    assert walks["seed-5"].stuck == alone.stuck > 0
    one = replace(found, walks=walks)
    rows = walk_rows([one, found])
    assert [row[:3] for row in rows] == [[group, "9", "200"] for group in groups]
    low, high = alone.before_error_interval
    assert rows[0][4:] == [f"{alone.before_error:.3g}", f"{low:.3g} to {high:.3g}"]
    if not walks["seed-9-size"].stuck:
        assert rows[1][4] == "none stuck"
        assert rows[1][5].endswith(" to no end")
    for text in (markdown([one]), html([one])):
        assert rows[0][5] in text
        assert "Random walks before an error" in text
        assert "Seed 3" in text
    assert "Random walks" not in markdown([found]) + html([found])
    save_evidence([one], tmp_path / "evidence.json")
    assert load_evidence(tmp_path / "evidence.json") == [one]


def test_evidence_comes_back_from_its_file(
    found: BoardEvidence, tmp_path: Path
) -> None:
    file = tmp_path / "evidence.json"
    assert load_evidence(file) == []
    save_evidence([found], file)
    assert load_evidence(file) == [found]
    assert [path.name for path in tmp_path.iterdir()] == ["evidence.json"]
    file.write_text("[1]")
    with pytest.raises(OptionError, match="holds no evidence"):
        load_evidence(file)


def test_blocks_of_positions_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "BLOCK", 60)
    groups = ["seed-5", "seed-superseded"]
    asked = {"walked": [], "count": 150, "seed": 3, "groups": groups, "walks": 0}
    campaign = evidence({**asked, "boards": ["9", "5"]})
    units = [*campaign.units()]
    assert [unit.payload[:2] for unit in units[:4]] == [
        *(["9", many] for many in (60, 60, 30)),
        ["5", None],
    ]
    board = Board.square(9)
    parts = [
        gather(board, count=many, seed=drawn_by, groups=groups)
        for _, many, drawn_by in (unit.payload for unit in units[:3])
    ]
    results = [json.loads(json.dumps(campaign.work(unit.payload))) for unit in units]
    (nine, five), _ = campaign.fold(iter(results))
    assert five == gather(Board.square(5), count=0, seed=0, groups=groups)
    assert (nine.positions, nine.seed) == (150, 3)
    assert nine.dead_moves == sum(part.dead_moves for part in parts)
    for name, rule in nine.rules.items():
        some = [part.rules[name] for part in parts]
        assert rule.caught == sum(one.caught for one in some)
        examples = [one.first_wrong for one in some if one.first_wrong]
        least = min(examples, key=lambda one: len(one.notation), default=None)
        assert rule.first_wrong == least
    for group in groups:
        gaps = [part.groups[group].first_gap for part in parts]
        lengths = [len(gap.notation) for gap in gaps if gap]
        told = nine.groups[group].first_gap
        assert (len(told.notation) if told else None) == min(lengths, default=None)


def test_three_runs_at_once_keep_all_boards(tmp_path: Path) -> None:
    boards = ("5", "3x5", "5x3")
    root, alone = Path(__file__).parents[2], ("--no-verdicts", "-o", "report")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "verify.start", "report", "seed-5", board, *alone],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for board in boards
    ]
    assert [(one.communicate()[1], one.returncode) for one in running] == [("", 0)] * 3
    found = load_evidence(tmp_path / "report" / "evidence.json")
    assert {one.board for one in found} == {*boards}
    page = (tmp_path / "report" / "evidence.md").read_text()
    assert all(f"every completable position of {board} " in page for board in boards)


def test_the_commands(tmp_path: Path) -> None:
    folder = str(tmp_path / "report")
    words = ("report", "seed-5", "5", "--no-verdicts", "-o", folder)
    told = run(*words)
    assert "4 rules: 4 sound, 0 unsound, 0 unused." in told.out
    again = run(*words)
    assert again.out == told.out
    assert run(*words, "--count", "0").code == 2
    assert run(*words, "--walks", "-1").code == 2
    told = run("verify", "seed-5", "5", "-n", "60", "--against", "fragments")
    assert "fragments allows" in told.out
    assert "area-near-border" in told.out
    for walks in ("50", "50", "60"):
        run(*words, "--walks", walks)
        [one] = load_evidence(Path(folder) / "evidence.json")
        assert one.walks["seed-5"].walks == int(walks)
        assert one.rules["c-shape"].fired > 0
    assert [*one.rules] == [rule.name for rule in load_rules("seed-5").rules]


def test_rules_of_the_book_against_universal_ones() -> None:
    rules = asked_always(("seed-9-size",))
    known = list(
        sampled_positions(Board.square(9), 400, seed=5, oracle=get_oracle("search"))
    )
    full = beyond(rules, load_rules("universal-4"), known)
    assert (full.positions, full.missed, full.rules) == (400, 0, {})
    caught = verify_positions(rules, known, "known").rules
    assert full.forbidden == {one.name: one.caught for one in caught}
    weak = beyond(rules, load_rules("forced-edges"), known)
    assert weak.dead_moves == full.dead_moves
    assert 0 < weak.missed <= sum(weak.rules.values())
    for name, (position, moves) in weak.examples.items():
        forbidden = {f.move for f in load_rules(name).rules[0].forbids(position)}
        assert set(moves) <= forbidden
