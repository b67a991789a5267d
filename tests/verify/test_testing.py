"""The assertions for tests of users."""

from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.errors import CaseError, NoWalkError, OptionError
from tests.samples import CORNER_AHEAD, MENDED, NEVER_RIGHT, saved_fault
from verify import (
    assert_case,
    assert_complete,
    assert_corpus,
    assert_sound,
    corpus_cases,
)
from verify.corpus.cases import Case, load_corpus, save_case

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_sound_rule_passes_and_a_wrong_one_is_shown(tmp_path: Path) -> None:
    assert_sound(load_rules("seed-5"), boards=["5"], drawn=50)
    file = tmp_path / "wrong.toml"
    file.write_text(NEVER_RIGHT)
    with pytest.raises(AssertionError) as raised:
        assert_sound(file, boards=["3"], on=None)
    assert str(raised.value).splitlines() == [
        "never-right forbids D at 3:RR, though completable",
        *str(Position.parse("3:RR")).splitlines(),
        "D: never-right: right is never right",
        "wrong at 8 of 17 positions, every completable position of 3",
    ]


def test_a_rule_that_is_wrong_on_large_boards_only_is_found_by_drawing() -> None:
    wrong = "count-area-across-border-c"
    assert_sound(wrong, boards=["5"], on=None)
    with pytest.raises(AssertionError, match="random positions of 9, seed 0"):
        assert_sound(wrong, boards=["5"], drawn=400)


def test_a_gap_is_shown_with_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_complete("seed-2024", "5")
    with pytest.raises(AssertionError) as raised:
        assert_complete("seed-5", "5")
    assert "verify/testing.py" in str(raised.getrepr(tbfilter=False))
    assert "verify/testing.py" not in str(raised.getrepr())
    first, *lines, last = str(raised.value).splitlines()
    gap = Position.parse("5:RDLDDDRRRU")
    assert first == f"seed-5 allows U at {gap.notation}, though dead"
    [reason] = [f.reason.sentence for f in load_rules("seed-5").forbids(gap)]
    assert lines == [*str(gap).splitlines(), f"R: near-border-side: {reason}"]
    assert last == "12 gaps in 1,583 positions, every completable position of 5"
    for most, scope in ((25, "every completable"), (24, "200 random")):
        monkeypatch.setattr("verify.testing.EXHAUSTIVE", most)
        with pytest.raises(AssertionError, match=f"{scope} positions? of 5"):
            assert_complete("seed-5", "5", drawn=200)
    with pytest.raises(NoWalkError):
        assert_complete("seed-5", "8", drawn=10)


@pytest.mark.parametrize("options", [{"drawn": 0}, {"boards": []}])
def test_nothing_tried_is_an_error(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="no position would be tried"):
        assert_sound("c-shape", **options)


def test_a_rule_is_tried_only_on_boards_it_is_meant_for() -> None:
    upright = "5@5,1>1,5"  # near-border-front is wrong there
    assert_sound("near-border-front,c-shape", boards=upright, on=None)
    with pytest.raises(OptionError, match="no rule is meant for board"):
        assert_sound("near-border-front", boards=[upright], on=None)


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a rule and two cases, and stand in it."""
    monkeypatch.chdir(tmp_path)
    Path("my-rule.toml").write_text(CORNER_AHEAD)
    for place in ("3:DDR", "5:DR"):
        saved_fault(Path("cases"), "my-rule.toml", place, minimal=False)
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


def test_each_case_is_a_test(cases: Path) -> None:
    gap, wrong = load_corpus(cases)
    named = [f"gap-{gap.name}", f"unsound-{wrong.name}"]
    assert [(x.id, x.values) for x in corpus_cases(cases)] == [
        (name, (case,)) for name, case in zip(named, (gap, wrong), strict=True)
    ]
    assert_case(gap)
    with pytest.raises(AssertionError, match=f"^unsound {wrong.name}, still wrong: "):
        assert_case(wrong)
    with pytest.raises(OptionError, match="there is no case in none"):
        corpus_cases("none")
