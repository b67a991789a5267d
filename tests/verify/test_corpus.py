import os
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Position, Symmetry
from solver.errors import CaseError, OptionError, UnknownNameError
from solver.oracles.oracle import get_oracle
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
from verify.corpus.replay import replay
from verify.truth import first_fatal

CASE = Case(
    "verdict",
    "two ways into a corner",
    "by hand",
    Position.parse("3:R"),
    {"R": "completable", "D": "dead"},
)
GOOD = CASE.to_toml()


@pytest.fixture(scope="module")
def corpus() -> list[Case]:
    return list(load_corpus(corpus_folder()))


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_saved_cases_replay(corpus: list[Case], kind: str, every: int) -> None:
    cases = [case for case in corpus if case.kind == kind][::every]
    assert [done for case in cases if not (done := replay(case)).good] == []
    assert all(case.expect == EXPECT.get(kind, "") for case in cases)


def test_no_two_cases_are_images_of_each_other(corpus: list[Case]) -> None:
    names = [c.name for c in corpus]
    for case in corpus:
        images = {image(case, s).name for s in Symmetry}
        assert sum(name in images for name in names) == 1


def test_a_case_prints_what_it_reads() -> None:
    assert parse_case(GOOD, "x") == CASE
    long = replace(
        CASE,
        kind="unsound",
        rules="../a.toml",
        subject="R",
        rule="a",
        title="x" * 60,
        why='say "so"\\\n\x7f\u2028é',
        expect="wrong",
        text='name = "a"\n\'\'\'"""\\\n\r\t\x00\x7f\u2028\n',
        found="5:R",
    )
    assert parse_case(long.to_toml(), "x") == long


def test_images_are_saved_once(tmp_path: Path) -> None:
    path, new = save_case(CASE, tmp_path)
    assert new
    assert load_case(path) == CASE or load_case(path) == image(CASE, Symmetry.TRANSPOSE)
    for symmetry in Symmetry:
        assert save_case(image(CASE, symmetry), tmp_path) == (path, False)
    assert [p.name for p in tmp_path.rglob("*.*")] == [path.name]


GAP = ('kind = "verdict"', 'kind = "gap"\nrules = "x"\n')


@pytest.mark.parametrize(
    ("old", "new", "key", "why"),
    [
        ("kind =", "kind", None, "no TOML"),
        ('kind = "verdict"', 'kind = "odd"', "kind", "'odd' is none of"),
        ('kind = "verdict"', 'kind = "gap"', "rules", "every other kind does"),
        ('why = "two', 'wy = "two', "wy", "unknown"),
        ('"by hand"', '" "', "source", "missing or empty"),
        ('"by hand"', "3", "source", "text in quotes"),
        ('"3:R"', '"3:RL"', "position", "character 4"),
        ('D = "dead"', "", "moves", "the position's moves are R, D"),
        ('D = "dead"', 'D = "alive"', "moves.D", "'alive' is neither"),
        ("[moves]", 'subject = "R"\n[moves]', "subject", "only gap, fired and unsound"),
        ("[moves]", 'rule = "x"\n[moves]', "rule", "only unsound and fired"),
        ("[moves]", 'expect = "wrong"\n[moves]', "expect", "takes 'none'"),
        ("[moves]", 'state = "caught"\n[moves]', "state", "gap and stuck"),
        ("[moves]", f'title = "{"x" * 61}"\n[moves]', "title", "more than 60"),
        (GAP[0], f'{GAP[1]}subject = "DD"', "subject", "twice"),
        (GAP[0], f'{GAP[1]}subject = "R"', "subject", "'R' is no dead move"),
        (
            GAP[0],
            f'{GAP[1]}subject = "D"\nexpect = "wrong"',
            "expect",
            "takes 'missed'",
        ),
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


def test_one_bad_file_hides_no_other(corpus: list[Case], tmp_path: Path) -> None:
    good = corpus[0]
    save_case(good, tmp_path)
    texts = {"a": b"kind = %b" % (b"1" * 5000), "b": b"[" * 9, "y": b"\xff"}
    for name, text in (texts | {"z": b"#" * (1 << 21)}).items():
        (tmp_path / good.kind / f"{name}.toml").write_bytes(text)
    os.mkfifo(tmp_path / good.kind / "zz.toml")
    other = next(kind for kind in KINDS if kind != good.kind)
    (tmp_path / other).symlink_to(other)
    ran = run("corpus", "show", "--corpus", str(tmp_path))
    assert (ran.code, ran.out.count("\n"), good.name in ran.out) == (2, 1, True)
    lines = [line for line in ran.err.splitlines() if line.startswith("oneway: ")]
    for file in ("a.toml", "b.toml", "y.toml", "z.toml", "zz.toml", other):
        assert sum(f"/{file}: " in line for line in lines) == 1
    ran = run("corpus", "replay", "--corpus", str(tmp_path))
    assert ran.code == 2
    assert "1 case: 1 " in ran.out


def test_a_case_is_found_by_title_name_or_beginning(tmp_path: Path) -> None:
    titled = replace(CASE, title="0701_1")
    path, _ = save_case(titled, tmp_path)
    saved = load_case(path)
    for name in ("0701_1", path.stem, path.stem[:6], str(path)):
        assert find_case(name, tmp_path) == saved
    with pytest.raises(UnknownNameError, match="no case is called '9x9'"):
        find_case("9x9", tmp_path)
    with pytest.raises(CaseError, match=r"none\.toml: cannot be read"):
        find_case("none.toml", tmp_path)
    third = replace(
        CASE,
        title=path.stem[:6],
        position=Position.parse("3:RR"),
        moves={"D": "completable"},
    )
    save_case(third, tmp_path)
    assert find_case(path.stem[:6], tmp_path).title == path.stem[:6]
    with pytest.raises(OptionError, match="'3x3' is ambiguous, 2 cases fit"):
        find_case("3x3", tmp_path)


OPEN = [c for c in load_corpus(corpus_folder()) if "References/unsolved" in c.source]


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.name)
def test_universal_4_leaves_the_good_moves_of_each_open_position(case: Case) -> None:
    """The author of the book left them open; of 27 files two hold one position."""
    assert len(OPEN) == 26
    forbidden = {f.move for f in load_rules("universal-4").forbids(case.position)}
    assert forbidden == {move for move, word in case.moves.items() if word == "dead"}


def test_the_opening_example_is_dead_from_move_20_on() -> None:
    walk = "21:RRRRRRDDDDDLLDLDDDLDDDDRRRRRUURRRRRRDDRRRRRUUUULUUUULLL"
    fatal = first_fatal(Position.parse(walk), get_oracle("search"))
    assert fatal is not None
    assert (fatal.number, fatal.move) == (20, "D")
    for name in ("sa-straight", "universal-4"):
        forbidden = load_rules(name).forbids(fatal.before)
        assert fatal.move in {forbid.move for forbid in forbidden}
