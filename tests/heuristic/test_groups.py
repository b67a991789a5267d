from pathlib import Path

import pytest

from heuristic.groups import about, group_names, load_rules, meant_for, rule_names
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.schema import REASON
from solver.board import Board
from solver.errors import OptionError, RuleError, UnknownNameError
from tests.runner import python

OTHER = """
[[rule]]
name = "c-shape"
claim = "sound"
origin = "a test"
reason = "another rule of the same name"
drawing = "x @"
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text(OTHER)
    other = OTHER.replace("c-shape", "other") + 'boards = "any"\n'
    Path("two.toml").write_text(OTHER + other)


def test_groups_have_names_and_rules() -> None:
    assert rule_names("seed-5")[0] == "c-shape"
    every = rule_names()
    assert len(set(every)) == len(every)
    assert len({about(group) for group in group_names()}) == len(group_names())
    assert about("seed-close") == "obstacles one gap away"
    for ask in (rule_names, about):
        with pytest.raises(UnknownNameError, match="no rule group is called 'seed'"):
            ask("seed")
    for group in group_names():
        names = [rule.name for rule in load_rules(group).rules]
        assert sorted(names) == sorted(rule_names(group))
        if "future" not in group:  # rules that read lines stand together in a set
            assert names == rule_names(group)


@pytest.mark.usefixtures("files")
def test_words_name_groups_rules_and_files() -> None:
    rules = load_rules(" near-border-side, two.toml,seed-5, -c-shape")
    names = "near-border-side other near-border-front area-near-border"
    assert [rule.name for rule in rules.rules] == names.split()
    assert rules.rules[1].origin == "a test"


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("", OptionError, "a name between commas is empty"),
        ("seed-5,", OptionError, "a name between commas is empty"),
        ("seed-5,x", UnknownNameError, "no rule or group is called 'x'"),
        ("seed-5,-close-across-left", OptionError, "'close-across-left' is not there"),
        ("-c-shape", OptionError, "'c-shape' is not there"),
        ("fragments,c-shape,-fragments,-c-shape", OptionError, "no rule is left"),
        ("none.toml", RuleError, r"none\.toml: cannot read the file"),
        ("c-shape,c.toml", RuleError, "another rule of the set has this name"),
    ],
)
@pytest.mark.usefixtures("files")
def test_bad_words_are_refused(text: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        load_rules(text)


def test_every_rule_of_the_book_says_what_a_reader_needs() -> None:
    for group in group_names():
        for rule in load_rules(group).rules:
            if not isinstance(rule, RuleSpec):  # universal, kernels
                assert rule.claim
                assert rule.origin
                continue
            assert rule.file.endswith(".toml")
            assert not rule.origin.endswith(".toml")
            assert not rule.reason.endswith(".")
            assert rule.reason != REASON
            assert rule.drawings or rule.kind == "inference"


def test_names_are_known_without_compiling_anything() -> None:
    code = "import sys, heuristic.groups as g; g.rule_names(); print(*sys.modules)"
    assert "numba" not in python(code, check=True).stdout.split()


def test_rules_that_read_future_lines_stand_behind_the_first_of_them() -> None:
    split = load_rules("future-1x2,c-shape,future-l")
    assert [rule.name for rule in split.rules] == ["future-1x2", "future-l", "c-shape"]


@pytest.mark.parametrize(
    ("words", "board", "left_out", "meant"),
    [
        (
            "near-border-front,seed-5",
            "5@5,1>1,5",
            ["near-border-front", "near-border-side"],
            ["c-shape", "area-near-border"],
        ),
        ("two.toml", "5!3,3", ["c-shape"], ["other"]),
    ],
    ids=["group", "file"],
)
@pytest.mark.usefixtures("files")
def test_rules_that_are_not_meant_for_a_board_are_left_out(
    words: str, board: str, left_out: list[str], meant: list[str]
) -> None:
    rules, others = meant_for(load_rules(words), Board.parse(board))
    assert [rule.name for rule in others] == left_out
    assert [rule.name for rule in rules.rules] == meant
    assert load_rules(rules.name).rules == rules.rules
    assert meant_for(rules, Board.parse(board)) == (rules, ())
    why = "'near-border-front' is meant for board 5!3,3: rectangles without walls"
    with pytest.raises(OptionError, match=why):
        meant_for(load_rules("near-border-front"), Board.parse("5!3,3"))
