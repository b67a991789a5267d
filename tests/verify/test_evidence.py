"""Evidence kept in files, its tables, and the campaign that gathers it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules, text_digest
from heuristic.walks.walker import summarise
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from tests.runner import run
from verify.corpus.cases import Case
from verify.evidence import campaigns
from verify.evidence.campaigns import trial
from verify.evidence.evidence import (
    Evidence,
    WalksFound,
    asked_always,
    gather,
    merged,
    sampled_positions,
    scope_of,
    verify_positions,
)
from verify.evidence.report import (
    add_evidence,
    by_rule,
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

WORDS = ("sound", "unsound", "never fired")


def drawn(groups: tuple[str, ...], count: int, seed: int) -> list[Evidence]:
    board, search = Board.square(9), get_oracle("search")
    known = sampled_positions(board, count, seed=seed, oracle=search)
    return gather(known, scope_of(board, count, seed), groups)


@pytest.fixture(scope="module")
def found() -> list[Evidence]:
    tried = drawn(("seed-5", "seed-superseded"), 2000, 1)
    return [replace(one, digest=text_digest(one.rule_set)) for one in tried]


def test_an_unsound_rule_is_shown_with_its_case(found: list[Evidence]) -> None:
    rows = {row[0]: row for row in rule_rows(found)}
    assert rows["count-area-across-border-c"][1:3] == ["unargued", "unsound"]
    assert rows["c-shape"][1:3] == ["sound", "sound"]
    assert rows["square-4x2-orig"][2] == "never fired"
    assert "unsound" in summary(found)
    text, page = markdown(found), html(found)
    assert by_rule(found)["count-area-across-border-c"][0].first_wrong is not None
    assert rows["count-area-across-border-c"][-1] in text
    assert page.count("<svg") > len(by_rule(found))


def test_a_page_begins_with_a_summary_of_the_groups(
    found: list[Evidence], tmp_path: Path
) -> None:
    verdicts = {row[0]: row[2] for row in rule_rows(found)}
    for (group, *numbers), one in zip(summary_rows(found), found, strict=True):
        assert group == one.rule_set
        names = [rule.name for rule in one.rules]
        counts = [list(map(verdicts.get, names)).count(word) for word in WORDS]
        assert list(map(int, numbers)) == [len(names), *counts]
    rule = "count-area-across-border-c"
    place = Position.parse("5:R")
    case = Case("unsound", "x", "x", place, {}, path=tmp_path / "a.toml")
    text = markdown(found, {rule: [case]}, tmp_path / "page")
    first = text[: text.index("## Rules")]
    [seen] = by_rule(found)[rule]
    assert "| seed-5 | 4 | 4 | 0 | 0 |" in first
    assert (
        f"- `{rule}` (claim: unargued): fired on {seen.fired}, wrong on {seen.wrong}; "
        "case [a](../a.toml)\n"
    ) in first
    assert "`square-4x2-orig`" in first[first.index("Never fired: ") :]
    assert f'<tr id="{rule}">' in html(found)
    assert f'<a href="#{rule}">' in html(found)
    only = replace(found[0], rules=(*by_rule(found)["c-shape"],))
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


def test_groups_and_what_only_one_rule_caught(found: list[Evidence]) -> None:
    rows = group_rows(found)
    assert [row[0] for row in rows] == ["seed-5", "seed-superseded"]
    gaps = found[0].gaps
    assert rows[0][4:] == [f"{gaps:,}", f"{gaps * 500:,}"]
    names = [rule.name for rule in found[0].rules]
    assert [row[0] for row in only_rows(found, "seed-5")] == names


def test_walks_before_an_error_are_reported(
    found: list[Evidence], tmp_path: Path
) -> None:
    alone = summarise(200, 30)
    made = WalksFound(200, 3, alone.stuck), WalksFound(200, 3, 0)
    walks = {one.rule_set: {"9": some} for one, some in zip(found, made, strict=True)}
    file = tmp_path / "evidence.json"
    save_evidence(found, file)
    add_evidence([], walks, file)
    walked = load_evidence(file)
    assert [replace(one, walks=None) for one in walked] == found
    assert tuple(one.walks for one in walked) == made
    rows = walk_rows(walked)
    assert [row[:3] for row in rows] == [[one.rule_set, "9", "200"] for one in found]
    low, high = alone.before_error_interval
    assert rows[0][4:] == [f"{alone.before_error:.3g}", f"{low:.3g} to {high:.3g}"]
    assert rows[1][4] == "none stuck"
    assert rows[1][5].endswith(" to no end")
    for text in (markdown(walked), html(walked)):
        assert rows[0][5] in text
        assert "Random walks before an error" in text
        assert "Seed 3" in text
    assert "Random walks" not in markdown(found) + html(found)


def test_evidence_comes_back_from_its_file(
    found: list[Evidence], tmp_path: Path
) -> None:
    file = tmp_path / "evidence.json"
    assert load_evidence(file) == []
    save_evidence(found, file)
    assert load_evidence(file) == found
    assert [path.name for path in tmp_path.iterdir()] == ["evidence.json"]
    file.write_text("[1]")
    with pytest.raises(OptionError, match="holds no evidence"):
        load_evidence(file)


def test_blocks_of_positions_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "BLOCK", 60)
    groups = ["seed-5", "seed-superseded"]
    trials = [["9", "search", 150], ["5", "search", None]]
    asked = {"groups": groups, "alone": True, "uniform": False}
    campaign = trial({**asked, "trials": trials, "seed": 3})
    units = [*campaign.units()]
    assert [unit.payload[:2] for unit in units] == [
        *([0, many] for many in (60, 60, 30)),
        [1, None],
    ]
    parts = [
        drawn((*groups,), many, drawn_by)
        for _, many, drawn_by in (unit.payload for unit in units[:3])
    ]
    results = [json.loads(json.dumps(campaign.work(unit.payload))) for unit in units]
    answer = campaign.fold(iter(results))
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


def test_runs_at_once_keep_all_boards(tmp_path: Path) -> None:
    boards = ("3x5", "5x3")
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
    assert [(one.communicate()[1], one.returncode) for one in running] == [("", 0)] * 2
    found = load_evidence(tmp_path / "report" / "evidence.json")
    assert {one.board for one in found} == {*boards}
    page = (tmp_path / "report" / "evidence.md").read_text()
    assert all(f"every completable position of {board}" in page for board in boards)


def test_evidence_belongs_to_the_text_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = Path(__file__).parents[2] / "docs/examples"
    right, wrong = "second-rule.toml", "first-rule.toml"
    rule, page = Path("r.toml"), Path("rep/evidence.md")
    rule.write_text((examples / right).read_text())
    words = ("report", "r.toml", "--no-verdicts", "-o", "rep")
    assert "1 rule: 1 sound, 0 unsound" in run(*words, "5", "3x5").out
    rule.write_text((examples / wrong).read_text())
    assert "1 rule: 0 sound, 1 unsound" in run(*words, "5").out
    assert "corner-ahead-mended" not in page.read_text()
    assert "3x5" not in page.read_text()  # evidence of the text before
    assert {one.board for one in load_evidence(Path("rep/evidence.json"))} == {"5"}
    rule.unlink()
    run("report", "c-shape", "3x5", "--no-verdicts", "-o", "rep")
    assert "corner-ahead" not in page.read_text()


def test_a_rule_of_a_file_is_not_the_one_of_the_book_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.toml").write_text(
        '[[rule]]\nname = "c-shape"\nclaim = "sound"\norigin = "here"\n'
        'reason = "MY REASON"\ndrawing = """\n? % ?\n% . ?\nx @ x\n"""\n'
    )
    words = ("--no-verdicts", "-o", "rep")
    run("report", "r.toml", "5", *words)
    page = Path("rep/evidence.html")
    assert "MY REASON" in page.read_text()
    book = run("rules", "c-shape").out
    run("report", "c-shape", "5x3", *words)
    text = page.read_text()
    assert 'id="c-shape"' in text
    assert 'id="c-shape@r.toml"' in text
    rows = {row[0]: row for row in rule_rows(load_evidence(Path("rep/evidence.json")))}
    assert rows["c-shape"][2] == "sound"
    assert rows["c-shape@r.toml"][2] == "unsound"
    assert "MY REASON" not in book


def test_the_commands(tmp_path: Path) -> None:
    folder = str(tmp_path / "report")
    words = ("report", "seed-5", "5", "--no-verdicts", "-o", folder)
    told = run(*words)
    assert "4 rules: 4 sound, 0 unsound, 0 never fired." in told.out
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
        assert one.walks
        assert (one.walks.walks, one.walks.seed) == (int(walks), 0)
        assert all(rule.fired for rule in one.rules)
    assert [rule.name for rule in one.rules] == [
        rule.name for rule in load_rules("seed-5").rules
    ]


def test_rules_of_the_book_against_universal_ones() -> None:
    rules = asked_always(("seed-9-size",))
    known = list(
        sampled_positions(Board.square(9), 400, seed=5, oracle=get_oracle("search"))
    )
    full = verify_positions(rules, known, "", against=load_rules("universal-4"))
    assert (full.positions, full.missed) == (400, 0)
    assert not any(one.only for one in full.rules)
    caught = [one.caught for one in verify_positions(rules, known, "known").rules]
    assert [one.caught for one in full.rules] == caught
    others = load_rules("forced-edges")
    weak = verify_positions(rules, known, "", against=others)
    assert weak.dead_moves == full.dead_moves
    assert 0 < weak.missed <= sum(one.only for one in weak.rules)
    for rule in weak.rules:
        assert (rule.first_only is None) == (rule.only == 0)
        if first := rule.first_only:
            forbids = load_rules(rule.name).rules[0].forbids(first.position)
            assert set(first.moves) <= {f.move for f in forbids}
            allowed = {f.move for f in others.forbids(first.position)}
            assert allowed.isdisjoint(first.moves)


def test_merged_evidence_is_that_of_all_positions_together() -> None:
    """Counts are sums; each example is the shortest of all parts, in any order."""
    rules, others = load_rules("seed-5"), load_rules("forced-edges")
    known = list(
        sampled_positions(Board.square(7), 150, seed=2, oracle=get_oracle("sat"))
    )
    whole = verify_positions(rules, known, "", against=others)
    parts = [
        verify_positions(rules, known[at : at + 50], "", against=others)
        for at in range(0, 150, 50)
    ]
    examples = [one.first_only for part in parts for one in part.rules]
    assert len({one.notation for one in examples if one}) > 3
    for order in (parts, parts[::-1]):
        found = merged(order)
        assert (found.positions, found.missed, found.gaps) == (
            whole.positions,
            whole.missed,
            whole.gaps,
        )
        pairs = [(found.first_gap, whole.first_gap)]
        for rule, other in zip(found.rules, whole.rules, strict=True):
            assert (rule.fired, rule.caught, rule.only) == (
                other.fired,
                other.caught,
                other.only,
            )
            pairs.append((rule.first_only, other.first_only))
        for one, best in pairs:
            assert (one is None) == (best is None)
            if one and best:
                assert len(one.position.walk) == len(best.position.walk)


def test_a_damaged_number_of_evidence_is_noticed(tmp_path: Path) -> None:
    """Each digit of the file changed, one at a time."""
    file = tmp_path / "evidence.json"
    found = gather(Board.square(5), "all of 5", ["c-shape"])
    save_evidence(found, file)
    assert load_evidence(file) == found
    text, tried = file.read_text(), 0
    for at, char in enumerate(text):
        if char.isdecimal():
            file.write_text(text[:at] + str((int(char) + 1) % 10) + text[at + 1 :])
            with pytest.raises(OptionError, match=r"evidence\.json"):
                load_evidence(file)
            tried += 1
    assert tried > 20
