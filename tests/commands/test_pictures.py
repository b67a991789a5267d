"""`oneway rules` of rule pictures: drawings, exit codes, and those of the book."""

from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.rules.rulefile import load_file
from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from tests.heuristic.test_pictures import DEAD_END, STAIR
from tests.pictures import picture
from tests.runner import prints


@pytest.fixture(autouse=True)
def _pictures(here: Path) -> None:
    Path("dead end.svg").write_bytes(picture(DEAD_END))
    Path("same.svg").write_bytes(picture(DEAD_END))
    Path("Stair_E.svg").write_bytes(picture(STAIR))
    Path("broken.svg").write_text("<svg")


def test_one_picture_is_printed_or_written() -> None:
    prints("rules 'dead end.svg'", 0, 'name = "dead-end"')
    prints("rules 'dead end.svg' -o a.toml", 0, "written: a.toml\n")
    (rule,) = load_file(Path("a.toml"))
    assert (rule.name, rule.origin) == ("dead-end", "dead end.svg")
    prints("prove a.toml", 0)


def test_what_cannot_be_read_is_reported_and_the_rest_is_read() -> None:
    words = ("3 pictures: 2 read", "broken.svg, line 1: is not XML")
    prints("rules 'dead end.svg' broken.svg same.svg -o a.toml", 1, *words)
    assert len(load_file(Path("a.toml"))) == 2
    prints("rules broken.svg none.svg", 2, "2 pictures: 0 read")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("broken.svg", "broken.svg, line 1: is not XML"),
        ("Stair_E.svg", "its forbidden moves must be given"),
        ("Stair_E.svg --forbid up", "--forbid up: 'up' is none of straight"),
        ("Stair_E.svg --turns 0,1", "--turns 0,1: '1' is none of 0, cw"),
        ("'dead end.svg' c-shape", "read pictures apart from rules"),
        ("none.svg", "cannot read none.svg: No such file"),
    ],
)
def test_bad_input(words: str, why: str) -> None:
    ran = prints(f"rules {words} -o out.toml", 2, "oneway: ", why)
    assert (ran.err.count("\n"), Path("out.toml").exists()) == (1, False)


def test_what_the_picture_lacks_is_given() -> None:
    prints("rules Stair_E.svg --forbid straight --turns 0,cw -o a.toml", 0)
    (rule,) = load_file(Path("a.toml"))
    assert "what it forbids stands beside the picture" in rule.note
    assert rule.drawings[0].forbidden == ((-1, 0),)
    assert [*rule.drawings[0].poses] == ["NONE", "CW"]


@pytest.mark.parametrize(
    ("name", "text", "move"),  # where his saved walks show what no picture does
    [
        (
            "stair-at-start-convex-straight-3",
            "11:RDLDDRURRRDLLDDLULDDDRURDDLLDDRURDRRULURULUUURRUUULLLURRRRDRURDRURDDLDRDDD"
            "DLDRDLLUL",
            "U",
        ),
        (
            "stair-at-end-3-obstacles",
            "11:DDRDLDRDLDRDLDRDLDRRURDRURDRRRUULDLULULDLLURULURULURRDRURULLLLULURRDRURDRU"
            "RDDD",
            "R",
        ),
    ],
)
def test_a_function_drawn_by_hand_fires(name: str, text: str, move: str) -> None:
    position = Position.parse(text)
    assert [f.move for f in load_rules(name).forbids(position)] == [move]
    answer = get_oracle("search").decide(position.step(move))
    assert answer.verdict is Verdict.DEAD
