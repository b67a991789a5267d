"""What a replay says of each kind of case, and how a case finds its rules again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.python_rule import PythonRule
from heuristic.rule import RuleSet
from solver.board import Position, Symmetry
from solver.errors import LostRulesError, OptionError
from solver.oracles.oracle import get_oracle
from solver.oracles.reference import BruteOracle
from tests.samples import CORNER_AHEAD, MENDED, NEVER_AHEAD, saved_fault
from verify.corpus.cases import (
    Case,
    Origin,
    image,
    load_case,
    origin_of,
    rules_of,
    save_case,
)
from verify.corpus.faults import make_case
from verify.corpus.replay import Outcome, Replayed, accept, accepted, replay
from verify.truth import truth

SAT = get_oracle("sat")
RULE = load_rules("c-shape")  # forbids D at 3:R, which is dead
COMPLETABLE, DEAD = "completable", "dead"


def ban(moves: str) -> RuleSet:
    """Return a rule that forbids these moves everywhere."""

    def banned(position: Position) -> str:
        return moves

    return RuleSet("a test", [PythonRule(banned)])


def case(kind: str, subject: str = "", place: str = "3:R", **keys: Any) -> Case:
    position = Position.parse(place)
    rules = keys.pop("rules", "" if kind == "verdict" else "c-shape")
    made = Case(kind, "a test", "a test", position, truth(position, SAT), rules)
    return replace(made, subject=subject, **keys)


@pytest.mark.parametrize(
    ("kind", "subject", "forbidden", "outcome", "fails"),
    [
        ("unsound", "R", "R", Outcome.WRONG, True),
        ("unsound", "R", "", Outcome.MENDED, False),
        ("unsound", "R", "D", Outcome.MENDED, False),
        ("gap", "D", "D", Outcome.CAUGHT, False),
        ("gap", "D", "", Outcome.MISSED, False),
        ("gap", "D", "RD", Outcome.CAUGHT, True),
        ("gap", "D", "R", Outcome.MISSED, True),
        ("fired", "D", "D", Outcome.FIRES, False),
        ("fired", "D", "", Outcome.SILENT, False),
        ("fired", "D", "RD", Outcome.FIRES, True),
        ("stuck", "", "D", Outcome.CAUGHT, False),
        ("stuck", "", "", Outcome.MISSED, False),
        ("stuck", "", "RD", Outcome.CAUGHT, True),
        ("verdict", "", "D", Outcome.TRUE, False),
        ("verdict", "", "R", Outcome.TRUE, True),
    ],
)
def test_every_kind_against_every_answer(
    kind: str, subject: str, forbidden: str, outcome: Outcome, fails: bool
) -> None:
    done = replay(case(kind, subject), ban(forbidden))
    assert (done.outcome, bool(done.faults)) == (outcome, fails)
    if fails:
        assert done.faults == ("banned forbids R, which is completable",)


def test_every_dead_subject_move_must_be_forbidden() -> None:
    gap = case("gap", "RD", "5:DR")
    assert gap.moves == {"U": COMPLETABLE, "R": DEAD, "D": DEAD}
    assert replay(gap, ban("R")).outcome is Outcome.MISSED
    assert replay(gap, ban("RD")).outcome is Outcome.CAUGHT


@pytest.mark.parametrize(
    ("kind", "subject", "expect", "good", "bad"),
    [
        ("gap", "D", "missed", "near-border-side", "c-shape"),
        ("fired", "D", "fires", "c-shape", "near-border-side"),
    ],
)
def test_what_a_case_expects_of_its_own_rules(
    kind: str, subject: str, expect: str, good: str, bad: str
) -> None:
    expecting = case(kind, subject, expect=expect)
    assert replay(replace(expecting, rules=good)).good
    gone = replay(replace(expecting, rules=bad))
    assert gone.faults == (f"{expect!r} is expected",)
    assert replay(replace(expecting, rules=good), load_rules(bad)).good


@pytest.mark.parametrize(
    ("kind", "subject", "place", "fault"),
    [
        ("gap", "R", "4:RDLDD", "no move is completable: the position is dead"),
        ("fired", "R", "4:RDLDD", "no move is completable: the position is dead"),
        ("gap", "D", "3:RRD", "entering the end cell early is not a gap"),
        ("stuck", "", "3:RRDLLDRR", "the board is full: no rule left it stuck"),
    ],
)
def test_a_case_that_is_not_of_its_kind_is_false(
    kind: str, subject: str, place: str, fault: str
) -> None:
    done = replay(case(kind, subject, place))
    assert done.outcome is Outcome.FALSE
    [found] = done.faults
    assert found.startswith(fault)


def test_a_case_with_a_wrong_verdict_is_false() -> None:
    right = case("verdict")
    assert replay(right) == Replayed(right, Outcome.TRUE)
    done = replay(replace(right, moves={"R": DEAD, "D": DEAD}), oracle=BruteOracle())
    assert done.outcome is Outcome.FALSE
    assert done.faults == ("R should be dead, but brute decides COMPLETABLE",)


def test_the_name_of_a_file_belongs_to_its_claim(tmp_path: Path) -> None:
    path, _ = save_case(case("gap", "D", rules="near-border-side"), tmp_path)
    other = path.with_name("3x3-0000000000.toml")
    path.rename(other)
    done = replay(load_case(other))
    assert done.outcome is Outcome.FALSE
    assert path.stem in done.faults[0]
    (tmp_path / "fired").mkdir()
    other.rename(tmp_path / "fired" / path.name)
    done = replay(load_case(tmp_path / "fired" / path.name))
    assert done.faults == ("a case of kind gap lies in the folder fired",)


def test_rules_that_are_not_meant_for_a_board_do_not_count() -> None:
    place = "5@5,1>1,5:RU"
    rule = load_rules("near-border-side")
    [forbid] = rule.forbids(Position.parse(place))
    verdict = case("verdict", "", place)
    assert verdict.moves[forbid.move] == COMPLETABLE
    done = replay(verdict, rule)
    assert (done.good, done.forbids) == (True, ())
    done = replay(case("unsound", forbid.move, place, rules="near-border-side"))
    assert (done.outcome, done.forbids) == (Outcome.WRONG, (forbid,))


def test_accepting_changes_the_records_alone(tmp_path: Path) -> None:
    path, _ = save_case(case("gap", "D", rules="near-border-side"), tmp_path)
    before = load_case(path)
    assert not accept(replay(before))
    done = replay(before, RULE)
    assert done.notable
    assert accept(done)
    caught = load_case(path)
    assert caught == replace(before, state="caught")
    assert caught.name == before.name == path.stem
    done = replay(caught, RULE)
    assert done.good
    assert not done.notable
    assert not accept(done)
    missed = replay(caught)
    assert missed.outcome is Outcome.MISSED
    assert missed.faults == ("it was caught once, and accepted",)
    assert accept(missed)
    assert load_case(path) == before


def test_what_is_never_accepted() -> None:
    gap = case("gap", "D")
    expecting = replace(gap, expect="missed", rules="near-border-side")
    for done in (
        replay(case("unsound", "R"), ban("R")),
        replay(gap, ban("RD")),
        replay(replace(gap, moves={"R": DEAD, "D": DEAD})),
        replay(expecting, RULE),
    ):
        assert accepted(done) == done.case
    own = accepted(replay(replace(expecting, rules="c-shape")))
    assert (own.expect, own.state) == ("", "caught")


def test_the_origin_of_files_is_relative_to_the_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text("one")
    Path("b.py").write_text("two")
    names = "a.toml,./b.py:some_rule,seed-5,-c-shape,lost.toml"
    origin = origin_of(names, Path("deep/cases"))
    unread = "not stored, not readable or too large\n"
    assert origin == Origin(
        "../../a.toml,../../b.py:some_rule,seed-5,-c-shape,../../lost.toml",
        f"# ../../a.toml\none\n# ../../b.py\ntwo\n# ../../lost.toml: {unread}",
    )
    for name, size in (("a", 1 << 16), ("b", 1 << 16), ("c", 1)):
        Path(f"{name}.toml").write_text("x" * size)
    text = origin_of("a.toml,b.toml,c.toml", Path()).text
    assert text.count("x") == 1 << 17
    assert text.endswith(f"# c.toml: {unread}")


def test_a_case_asks_the_file_as_it_is_now_or_is_skipped(tmp_path: Path) -> None:
    rule = tmp_path / "rule.toml"
    rule.write_text(CORNER_AHEAD)
    wrong = load_case(saved_fault(tmp_path / "cases", str(rule), "3:DDR"))
    assert CORNER_AHEAD in wrong.text
    assert replay(wrong).outcome is Outcome.WRONG
    rule.write_text(MENDED)
    assert replay(wrong).outcome is Outcome.MENDED
    for text, why in (("[[rule]", "rule.toml: not TOML"), ("", "there is no rule fi")):
        rule.write_text(text)
        if not text:
            rule.unlink()
        done = replay(wrong)
        assert (done.outcome, done.faults, done.good) == (Outcome.SKIPPED, (), False)
        assert why in done.skipped
        assert replay(wrong, RULE).good


def test_files_above_the_folder_of_the_corpus_are_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "rule.toml").write_text(CORNER_AHEAD)
    (inner / "link.toml").symlink_to(tmp_path / "rule.toml")
    loaded = load_case(saved_fault(inner / "cases", str(inner / "link.toml"), "3:DDR"))
    for rules in ("../../rule.toml", str(tmp_path / "rule.toml"), "../link.toml"):
        with pytest.raises(LostRulesError, match="outside the folder"):
            rules_of(replace(loaded, rules=rules))
    with pytest.raises(LostRulesError, match="null"):
        rules_of(replace(loaded, rules="../a\0.toml"))


def test_a_python_rule_is_never_imported_for_a_case(tmp_path: Path) -> None:
    file, ran = tmp_path / "mine.py", tmp_path / "ran"
    file.write_text(
        f"open({str(ran)!r}, 'w').close()\ndef never_right(position):\n    return 'R'\n"
    )
    path = saved_fault(tmp_path / "cases", f"{file}:never_right", "3:R")
    loaded = load_case(path)
    assert (loaded.rules, loaded.rule) == ("../mine.py:never_right", "never-right")
    assert "def never_right" in loaded.text
    ran.unlink()
    assert "only --rules imports" in replay(loaded).skipped
    assert not ran.exists()
    assert replay(loaded, load_rules(f"{file}:never_right")).outcome is Outcome.WRONG


def test_a_small_case_keeps_the_rule_and_its_boards(tmp_path: Path) -> None:
    file = tmp_path / "both.toml"
    file.write_text(CORNER_AHEAD + NEVER_AHEAD)
    names = str(file)
    rules, origin = load_rules(names), origin_of(names, tmp_path / "cases")
    place = Position.parse("5:RRRRDDD")
    for walls in (False, True):
        fault = "corner-ahead", place, rules, origin, SAT
        made = make_case(*fault, source="a test", walls=walls)
        assert made.rule == "corner-ahead"
        assert made.position.board.walls == ()
        assert made.position.board.open_cells < 25
        assert replay(made, rules).outcome is Outcome.WRONG
    upright = Position.parse("5@5,1>1,5:RU")  # a board that the rule is not meant for
    rules = load_rules("near-border-front,near-border-side")
    fault = "near-border-side", upright, rules, Origin("x"), SAT
    made = make_case(*fault, source="a test", walls=True)
    assert made.position.board.open_cells < 25
    for rule, what in (("c-shape", "wrong rule"), ("", "gap")):
        with pytest.raises(OptionError, match=f"3:R shows no {what} of "):
            make_case(rule, Position.parse("3:R"), RULE, origin, SAT, source="x")


@pytest.mark.parametrize(
    ("rules", "saved_as"), [(RULE, "3:D"), (ban("D"), "3:R"), (None, "3:R")]
)
def test_an_image_that_rules_treat_otherwise_is_not_saved(
    tmp_path: Path, rules: RuleSet | None, saved_as: str
) -> None:
    fired = case("fired", "D")
    assert replay(fired, rules).outcome is Outcome.FIRES
    path, new = save_case(fired, tmp_path, rules)
    loaded = load_case(path)
    assert (loaded.position.notation, new) == (saved_as, True)
    assert replay(loaded, rules).outcome is Outcome.FIRES
    assert save_case(image(fired, Symmetry.TRANSPOSE), tmp_path) == (path, False)
