"""Names of files that hold proofs of positions."""

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from verify.proof.dead import stem


def test_long_positions_that_begin_alike_have_two_names() -> None:
    whole = exact_walk(Board.square(15), 3).position
    names = {stem(whole.back(steps)) for steps in range(60)}
    assert len(names) == 60
    assert max(map(len, names)) < 120


def test_a_short_position_is_its_own_name() -> None:
    assert stem(Position.parse("5:RRDL")) == "5-RRDL"
