"""Procedures of the researcher against doubles that search as his program does."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import choices
from solver.board import Board, Position, Symmetry
from tests.doubles import kernels as naive
from tests.proof.test_procedures import by_drawings
from tests.samples import FIRING, book

Double = Callable[[Position], set[str]]
DOUBLES: dict[str, Double] = {
    "sa-corner-discovery-2024-07": lambda p: naive.corner_forbidden(p, True),
    "sa-corner-discovery-2024-06": lambda p: naive.corner_forbidden(p, False),
    "sequence-recursion": by_drawings,
    "down-stair-scan": lambda p: naive.stair_forbidden(p, False),
    "down-stair-program": lambda p: naive.stair_forbidden(p, True),
    "end-obstacle-corners": naive.second_corner_forbidden,
}


loaded = cache(load_rules)  # compiling hundreds of drawings takes a while


def moves_forbidden(name: str, position: Position) -> set[str]:
    return {forbid.move for forbid in loaded(name).forbids(position)}


@pytest.mark.parametrize("name", DOUBLES)
@pytest.mark.parametrize("symmetry", Symmetry)
def test_procedures_forbid_what_their_doubles_forbid(
    name: str, symmetry: Symmetry
) -> None:
    for text in FIRING[name]:
        position = symmetry.position(Position.parse(text))
        assert moves_forbidden(name, position) == DOUBLES[name](position) != set()


@settings(deadline=None, max_examples=30)
@given(
    board=st.sampled_from(["9", "11", "13", "7x12", "9!4,4;5,4;5,5"]),
    seed=st.integers(0, 10_000),
    keep=st.floats(0.05, 1),
)
def test_procedures_agree_along_walks(board: str, seed: int, keep: float) -> None:
    whole = loaded("seed-7").walker(Board.parse(board)).walk(seed)
    length = max(1, int(keep * len(whole.walk)))
    position = Position(whole.board, whole.walk[:length])
    for name, double in DOUBLES.items():
        assert moves_forbidden(name, position) == double(position), name


def test_bounds_of_corners_are_those_of_the_rule_file() -> None:
    procedure, written = (
        {
            (area.wall, move, area.kind, area.low, area.high, turn, drawing.needs)
            for drawing in book(name).drawings
            for area in drawing.areas
            for move in drawing.forbidden
            for turn in drawing.turns
        }
        for name in ("sa-corner-discovery-2024-07", "sa-corner-small")
    )
    assert procedure == written


PAGES = {
    "sa-corner-discovery-2024-07": "908de3e1e5b42d72",
    "sa-corner-discovery-2024-06": "eba221dc58441984",
    "end-obstacle-corners": "fdc7b477cd852d0d",
    "down-stair-scan": "fe73188343c6e5f8",
    "down-stair-program": "2fa8add8ddd56b96",
}


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_of_a_procedure_stay_as_they_are(name: str) -> None:
    pages = "\n".join(drawing.text for drawing in book(name).drawings)
    assert sha256(pages.encode()).hexdigest()[:16] == PAGES[name]


def test_a_corner_behind_a_wall_is_missed_by_rows() -> None:
    position = Position.parse("21:RDLDRDLDDDDRRRDRDDRRRRULUL")
    wall = moves_forbidden("sa-corner-discovery-2024-07", position)
    assert wall - moves_forbidden("sa-corner-discovery-2024-06", position)
    assert wall == moves_forbidden("sa-corner-small", position)


def test_a_sequence_is_followed_farther_than_it_is_drawn() -> None:
    position = Position.parse("9:DRURRDLDDDDRRRRULULDLUURUURD")
    assert moves_forbidden("sequence-recursion", position)
    assert not moves_forbidden("sequence-1,sequence-2,sequence-3", position)


# Where `sequence-3` decides, in each of its forms and turns.
THIRD_START = {
    "11:DDRRRULLURRRRRRRRRDLDRDLLUULLLLDRRRDDRDRURDDLDRDDLULUULULUULLLLDDLUULDDDDDDDRRRRU"
    "LLLUUURR": "R",
    "11:DDDDDDDDRRDLLDRRRRRRRULULDLLURULLLUUUUUUURRRRRRDRURRDLDRDDDLDRDLLULURURULULDDLULU"
    "RULLDLULDDD": "R",
    "9:RRRRRRRRDDDDDDLLURUULDLULURRRULLLLLLLDDDDDDDRRULUUU": "R",
    "11:DRURDDLLDDDDDDDDRRULURULUURDRDDDDRURDRURDRUURUUULURULUULLLDRRDDDL": "L",
    "11:RRRRRRRRRRDDDDDLDRDLDRDLLLLUURDRUUUURUUULDDLDLULURRULLLLLLLDDDDDDDRRDLLDRRRUURULL"
    "LUUUUURDD": "R",
    "9:DDRRULURRRRDDRDRUULURRDDDDDDDLLLLLLLUUURDDRRR": "U",
}


@pytest.mark.parametrize("text", THIRD_START)
@pytest.mark.parametrize("symmetry", Symmetry)
def test_a_sequence_begins_in_each_turn(text: str, symmetry: Symmetry) -> None:
    position = symmetry.position(Position.parse(text))
    move = "URDL"[symmetry.direction("URDL".index(THIRD_START[text]))]
    assert moves_forbidden("sequence-recursion", position) >= {move}


def test_a_sequence_names_the_area_and_its_counts() -> None:
    for text in FIRING["sequence-recursion"]:
        position = Position.parse(text)
        for forbid in load_rules("sequence-recursion").forbids(position):
            reason = forbid.reason
            assert set(reason.cells) & set(reason.area)
            assert not set(reason.area) & set(position.walk)
            black = sum(position.board.black(cell) for cell in reason.area)
            counts = f"{2 * black} cells, {black} black and {black} white"
            assert reason.sentence.endswith(f"its area has {counts}")
            assert len(reason.area) == 2 * black


def test_a_look_ahead_names_what_the_rules_forbid_after_the_step() -> None:
    rules = loaded("sa-next-step")
    right, down = rules.forbids(Position.parse("7:DDDRD"))
    words = "after it the rules leave no move: "
    words += "U by sa-straight, R by sa-straight, D by sa-straight"
    assert (right.move, right.reason.sentence) == ("R", words)
    assert (down.move, down.reason.cells) == ("D", (28, 35, 43))
    assert not rules.forbids(Position.parse("3:RRDLLDR"))


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), keep=st.floats(0.1, 1))
def test_the_look_ahead_is_its_definition(seed: int, keep: float) -> None:
    whole = loaded("seed-5").walker(Board.square(7)).walk(seed)
    position = Position(whole.board, whole.walk[: max(2, int(keep * len(whole.walk)))])
    base = loaded("seed-2024")
    wanted = set()
    for move in choices(position):
        after = position.step(move)
        forbidden = {forbid.move for forbid in base.forbids(after)}
        if after.unvisited and set(choices(after)) <= forbidden:
            wanted.add(move)
    assert moves_forbidden("sa-next-step", position) == wanted
