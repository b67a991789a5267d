"""Counterexamples in the test suite of somebody else, outside the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.errors import CaseError
from solver.oracles.oracle import get_oracle
from tests.samples import CORNER_AHEAD, MENDED
from verify import assert_case, assert_corpus
from verify.corpus.cases import Case, load_corpus, origin_of, save_case
from verify.corpus.faults import make_case, rule_at_fault

TEST = """
import pytest
from verify import assert_case, assert_corpus, corpus_cases


def test_all():
    assert_corpus("cases", "my-rule.toml")


@pytest.mark.parametrize("case", corpus_cases("cases"))
def test_each(case):
    assert_case(case, "my-rule.toml")
"""


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a rule and two cases, and stand in it."""
    monkeypatch.chdir(tmp_path)
    Path("my-rule.toml").write_text(CORNER_AHEAD)
    rules, origin = load_rules("my-rule.toml"), origin_of("my-rule.toml", Path("cases"))
    for place in ("3:DDR", "5:DR"):
        fault = Position.parse(place), rules, origin, get_oracle("sat")
        rule = rule_at_fault(fault[0], rules, fault[-1])
        assert rule is not None
        case = make_case(rule, *fault, source="a test", minimal=False)
        save_case(case, Path("cases"))
    return Path("cases")


def test_a_failure_shows_the_position(cases: Path) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_corpus(cases)
    [wrong] = load_corpus(cases, kinds=["unsound"])
    [forbid] = load_rules("my-rule.toml").forbids(wrong.position)
    fault = "still wrong: corner-ahead forbids U, which is completable"
    assert str(failed.value).split("\n\n") == [
        "1 of 2 cases fail",
        f"unsound {wrong.name}, {fault}\n3:DDR\n{wrong.position}\n"
        f"U: corner-ahead: {forbid.reason.sentence}\nsaved because {wrong.why}",
    ]
    for rules in (Path("my-rule.toml"), load_rules("my-rule.toml"), lambda _: "U"):
        with pytest.raises(AssertionError):
            assert_corpus("cases", rules)
    Path("my-rule.toml").write_text(MENDED)
    assert_corpus(cases)
    assert_corpus("cases", lambda _: "")


def test_what_cannot_be_replayed_fails(cases: Path) -> None:
    Path("my-rule.toml").unlink()
    with pytest.raises(AssertionError, match="2 of 2 cases fail") as failed:
        assert_corpus(cases)
    assert str(failed.value).count("skipped: there is no rule file") == 2
    with pytest.raises(AssertionError, match="there is no rule file"):
        assert_case(next(load_corpus(cases)))
    (cases / "gap" / "bad.toml").write_text("[")
    with pytest.raises(CaseError, match=r"bad\.toml"):
        assert_corpus(cases, "seed-5")


def test_three_failures_are_shown_and_the_others_named(cases: Path) -> None:
    for place in ("3:R", "3:RRD", "5:R", "5:RR"):
        position = Position.parse(place)
        moves = dict.fromkeys(position.options(), "dead")
        save_case(Case("verdict", "x", "x", position, moves), cases)
    with pytest.raises(AssertionError) as failed:
        assert_corpus(cases, lambda _: "URDL")
    head, *shown, last = str(failed.value).split("\n\n")
    names = [case.name for case in load_corpus(cases)]
    assert head == "6 of 6 cases fail"
    assert [text.split()[1] for text in shown] == [f"{name}," for name in names[:3]]
    assert last == f"and 3 more: {', '.join(names[3:])}"


def test_each_case_is_a_test_in_a_project_outside(cases: Path) -> None:
    Path("test_mine.py").write_text(TEST)
    words = ["-m", "pytest", "-p", "no:cacheprovider", "-rf", "-v"]
    ran = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    wrong = next(case for case in load_corpus(cases) if case.kind == "unsound")
    assert "2 failed, 1 passed" in ran.stdout
    assert f"FAILED test_mine.py::test_each[unsound-{wrong.name}]" in ran.stdout
    assert "E       " + str(wrong.position).splitlines()[0] in ran.stdout
