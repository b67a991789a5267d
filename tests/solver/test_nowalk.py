"""The reason why there is no walk is never wrong, and on rectangles never missing."""

import pytest
from hypothesis import given, settings

from solver.board import Board, Position
from solver.errors import NoWalkError
from solver.nowalk import check_walkable, why_dead
from tests.doubles.frontier import count_completions
from tests.runner import run
from verify.strategies import boards, positions


@settings(max_examples=300, deadline=None)
@given(positions(boards(max_side=5, max_walls=4, corners=False)))
def test_what_has_a_reason_has_no_completion(position: Position) -> None:
    if why_dead(position):
        assert count_completions(position) == 0


@pytest.mark.parametrize(
    ("rows", "cols"), [(1, 5), (2, 5), (3, 4), (3, 6), (6, 3), (4, 5)]
)
def test_a_rectangle_without_walks_always_has_a_reason(rows: int, cols: int) -> None:
    """Theorem 3.2 of Itai, Papadimitriou and Szwarcfiter, both ways."""
    for start in range(rows * cols):
        for end in range(rows * cols):
            if start != end:
                place = Position(Board(rows, cols, start, end))
                assert (count_completions(place) > 0) == (why_dead(place) == ""), place


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("30x31:", ""),
        ("31@1,1>1,2:", "as many black cells as white, not 481 and 480"),
        ("5!1,2;2,1:", "black to black"),
        ("5!1,2;2,1;3,3;4,4:", "cell 1,3 is cut off"),
        ("5!1,4;3,3:", "cell 1,5 can be entered and not left"),
        ("3:RD", "cell 1,3 can be entered"),
        ("5:RDLDDDRRRU", ""),
        ("1001:", ""),
    ],
)
def test_reasons(text: str, why: str) -> None:
    found = why_dead(Position.parse(text))
    assert why in found if why else found == ""


def test_a_board_is_refused_with_the_reason() -> None:
    with pytest.raises(NoWalkError, match="no Hamiltonian walk: from black to black"):
        check_walkable(Board.square(4))


@pytest.mark.parametrize(
    "line",
    [
        "walk 30 --exact --walls -o a.svg",
        "walk 30 --uniform",
        "walk 30",
        "verify seed-5 30",
        "stats 30",
        "count 30:",
        "check 30:",
        "draw 30: --witness",
        "mine 30",
        "milestones 30",
        "report seed-5 30 --no-verdicts",
    ],
)
def test_every_command_says_why_at_once(
    line: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    ran = run(*line.split())
    assert ran.code in (1, 2) or line.startswith("draw")
    assert "450 and 450" in ran.out + ran.err, ran
