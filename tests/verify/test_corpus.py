import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Position
from solver.errors import CaseError, OptionError, UnknownNameError
from solver.oracles.brute import BruteOracle
from solver.symmetry import Symmetry
from tests.runner import run
from verify.corpus.cases import (
    EXPECT,
    KINDS,
    Case,
    corpus_folder,
    find_case,
    image,
    load_case,
    load_corpus,
    parse_case,
    save_case,
)
from verify.corpus.replay import Outcome, Replayed, replay

CASE = Case(
    "verdict",
    "two ways into a corner",
    "by hand",
    Position.parse("3:R"),
    {"R": "completable", "D": "dead"},
)


@pytest.fixture(scope="module")
def corpus() -> list[Case]:
    return list(load_corpus(corpus_folder()))


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", KINDS)
def test_every_saved_case_replays(corpus: list[Case], kind: str) -> None:
    cases = [case for case in corpus if case.kind == kind]
    assert [done for case in cases if not (done := replay(case)).good] == []
    assert all(case.expect == EXPECT.get(kind, "") for case in cases)


def test_names_and_folders_say_what_the_files_hold(corpus: list[Case]) -> None:
    assert corpus
    for case in corpus:
        assert case.path is not None
        assert case.path.stem == case.name
        assert case.path.parent.name == case.kind


def test_no_two_cases_are_images_of_each_other(corpus: list[Case]) -> None:
    names = [c.name for c in corpus]
    for case in corpus:
        images = {image(case, s).name for s in Symmetry}
        assert sum(name in images for name in names) == 1


def test_a_sentence_that_names_moves_names_those_of_its_own_image(
    corpus: list[Case],
) -> None:
    told = re.compile(
        r"(?:though dead: |allows |forbids )([URDL](?: and [URDL])*)[;,] "
    )
    named = [(case, told.search(case.why)) for case in corpus]
    found = [(case.subject, match[1]) for case, match in named if match]
    assert len(found) > 50
    assert all(set(moves) - set(" and") == set(subject) for subject, moves in found)


def test_a_case_prints_what_it_reads() -> None:
    text = CASE.to_toml()
    assert parse_case(text, "x") == CASE
    long = replace(
        CASE,
        kind="unsound",
        rules="../a.toml",
        subject="R",
        rule="a",
        title="0701_1",
        expect="wrong",
        text='name = "a"\n\'\'\'"""\\\n\r\t\x00\x7f\u2028\n',
        found="5:R",
    )
    assert parse_case(long.to_toml(), "x") == long
    odd = replace(CASE, why='say "so"\\\n\x7f\u2028é')
    assert parse_case(odd.to_toml(), "x") == odd


def test_replay_finds_what_is_false() -> None:
    assert replay(CASE) == Replayed(CASE, Outcome.TRUE)
    wrong = replace(CASE, moves={"R": "dead", "D": "dead"})
    done = replay(wrong, oracle=BruteOracle())
    assert done.outcome is Outcome.FALSE
    assert done.faults == ("R is said to be dead, brute says COMPLETABLE",)


def test_replay_asks_the_rules_again() -> None:
    gap = replace(CASE, kind="gap", rules="c-shape", subject="D")
    assert replay(gap).outcome is Outcome.CAUGHT
    assert replay(replace(gap, rules="near-border-side")).outcome is Outcome.MISSED
    unsound = replace(CASE, kind="unsound", rules="c-shape", subject="R")
    assert replay(unsound).outcome is Outcome.MENDED
    lost = replay(replace(gap, rules="no-such-rule"))
    assert (lost.outcome, lost.good) == (Outcome.SKIPPED, False)
    assert lost.skipped.startswith("no rule or group is called 'no-such-rule'")


def test_images_are_saved_once(tmp_path: Path) -> None:
    path, new = save_case(CASE, tmp_path)
    assert new
    assert load_case(path) == CASE or load_case(path) == image(CASE, Symmetry.TRANSPOSE)
    for symmetry in Symmetry:
        assert save_case(image(CASE, symmetry), tmp_path) == (path, False)
    assert [p.name for p in tmp_path.rglob("*.*")] == [path.name]


def test_a_case_is_found_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    path, _ = save_case(CASE, tmp_path)
    assert find_case(path.stem[:6], tmp_path).path == path
    assert find_case(str(path), tmp_path).path == path
    with pytest.raises(UnknownNameError, match="no case is called '9x9'"):
        find_case("9x9", tmp_path)


GOOD = CASE.to_toml()
GAP = ('kind = "verdict"', 'kind = "gap"\nrules = "x"\n')


@pytest.mark.parametrize(
    ("old", "new", "key", "why"),
    [
        ("kind =", "kind", None, "no TOML"),
        ('kind = "verdict"', 'kind = "odd"', "kind", "'odd' is none of"),
        ('kind = "verdict"', 'kind = "gap"', "rules", "missing"),
        ('why = "two', 'wy = "two', "wy", "unknown"),
        ('"by hand"', '" "', None, "expected text for 'source'"),
        ('"3:R"', '"3:RL"', "position", "character 4"),
        ('D = "dead"', "", "moves", "the position's moves are R, D"),
        ('D = "dead"', 'D = "alive"', "moves.D", "'alive' is neither"),
        ("[moves]", 'subject = "R"\n[moves]', "subject", "only gap, fired and unsound"),
        ("[moves]", 'rule = "x"\n[moves]', "rule", "only unsound and fired"),
        ("[moves]", 'text = "x"\n[moves]', "text", "no rule file"),
        ("[moves]", 'expect = "wrong"\n[moves]', "expect", "it has no meaning"),
        ("[moves]", 'state = "caught"\n[moves]', "state", "gap and stuck"),
        ("[moves]", f'title = "{"x" * 61}"\n[moves]', "title", "more than 60"),
        (GAP[0], f'{GAP[1]}subject = "DD"', "subject", "twice"),
        (GAP[0], f'{GAP[1]}subject = "R"', "subject", "'R' is no dead move"),
        (GAP[0], f'{GAP[1]}subject = "D"\nexpect = "wrong"', "expect", "take 'missed'"),
        (
            GAP[0],
            f'{GAP[1]}subject = "D"\nstate = "caught"\nexpect = "missed"',
            "state",
            "has no state",
        ),
    ],
)
def test_a_bad_file_names_the_key(old: str, new: str, key: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(CaseError, match=why) as error:
        parse_case(GOOD.replace(old, new), "case.toml")
    assert error.value.key == key
    assert str(error.value).startswith("case.toml")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read"):
        load_case(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff")
    with pytest.raises(CaseError, match="cannot be read"):
        load_case(tmp_path / "bad.toml")


@settings(max_examples=200)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.text(max_size=6))
def test_any_change_is_read_or_refused(at: int, cut: int, put: str) -> None:
    text = GOOD[:at] + put + GOOD[at + cut :]
    try:
        case = parse_case(text, "case.toml")
    except CaseError as error:
        message = str(error)
    else:
        tomllib.loads(case.to_toml())
        assert parse_case(case.to_toml(), "x") == case
        message = "case.toml"
    assert message.startswith("case.toml")


def test_one_bad_file_hides_no_other(corpus: list[Case], tmp_path: Path) -> None:
    good = corpus[0]
    save_case(good, tmp_path)
    huge = f"kind = {'1' * 5000}\n"
    for name, text in {"a": huge, "b": "[" * 9, "z": "x" * (1 << 21)}.items():
        (tmp_path / good.kind / f"{name}.toml").write_text(text)
    ran = run("corpus", "show", "--corpus", str(tmp_path))
    assert (ran.code, ran.out.count("\n"), good.name in ran.out) == (2, 1, True)
    said = [line for line in ran.err.splitlines() if line.startswith("oneway: ")]
    whys = ("a.toml: no TOML: a number", "b.toml: no TOML", "z.toml: cannot be read")
    assert [why in line for why, line in zip(whys, said, strict=True)] == [True] * 3
    ran = run("corpus", "replay", "--corpus", str(tmp_path))
    assert (ran.code, "1 case: 1 " in ran.out and ", 0 failures" in ran.out) == (
        2,
        True,
    )
    ran = run("corpus", "show", good.name[:8], "--corpus", str(tmp_path))
    assert (ran.code, ran.err.count("oneway: ")) == (0, 3)


def test_a_title_and_a_name_go_before_the_beginning_of_another(tmp_path: Path) -> None:
    titled = replace(CASE, title="0701_1")
    path, _ = save_case(titled, tmp_path)
    saved = load_case(path)
    assert saved.name == image(CASE, Symmetry.TRANSPOSE).name == path.stem
    assert find_case("0701_1", tmp_path) == saved
    ran = run("corpus", "show", "0701_1", "--corpus", str(tmp_path))
    assert ran.out.startswith("0701_1\n")
    assert "0701_1" in run("corpus", "show", "--corpus", str(tmp_path)).out
    third = replace(
        CASE,
        title=path.stem[:6],
        position=Position.parse("3:RR"),
        moves={"D": "completable"},
    )
    save_case(third, tmp_path)
    assert find_case(path.stem[:6], tmp_path).title == path.stem[:6]
    with pytest.raises(OptionError, match="'3x3' is ambiguous, 2 cases fit: 3x3-"):
        find_case("3x3", tmp_path)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    ("make", "place"),
    [(_pipe, "gap/x.toml"), (Path.mkdir, "gap/x.toml"), (_loop, "gap")],
)
def test_what_is_no_file_is_one_line(
    tmp_path: Path, make: Callable[[Path], None], place: str
) -> None:
    saved, _ = save_case(CASE, tmp_path)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    make(tmp_path / place)
    ran = run("corpus", "show", "--corpus", str(tmp_path))
    assert ran.code == 2
    assert saved.stem in ran.out
    [said] = [line for line in ran.err.splitlines() if line.startswith("oneway: ")]
    assert f"{place}: cannot be read" in said


def test_named_positions_of_the_text_open_by_name(corpus: list[Case]) -> None:
    titled = [case for case in corpus if case.title and case.kind == "verdict"]
    assert len(titled) >= 13
    for case in titled:
        assert find_case(case.title, corpus_folder()) == case
