from hypothesis import HealthCheck, given, settings

from solver.board import Position
from verify.shrink import minimise, size
from verify.strategies import boards, positions


def wants_a_corner(position: Position) -> bool:
    return position.moves.count("RD") >= 1


def test_a_claim_about_the_walk_shrinks_board_and_walk() -> None:
    big = Position.parse("9:RRDDRRUURRDDDDLLLL")
    small = minimise(big, wants_a_corner)
    assert wants_a_corner(small)
    # No board of odd sides is left out of reach: 2x2 is the smallest with a corner.
    assert small.notation == "2:RD"


def test_walls_are_used_only_when_allowed() -> None:
    def many_visited(position: Position) -> bool:
        return len(position.walk) >= 3 and position.unvisited >= 2

    big = Position.parse("5:RRDDLL")
    assert not minimise(big, many_visited).board.walls
    small = minimise(big, many_visited, walls=True)
    assert (small.board.open_cells, len(small.walk)) == (5, 3)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(positions(boards(corners=False, max_walls=3)))
def test_the_result_holds_and_is_no_larger(position: Position) -> None:
    def holds(candidate: Position) -> bool:
        return len(candidate.options()) == len(position.options())

    small = minimise(position, holds, walls=True)
    assert holds(small)
    assert size(small) <= size(position)
    assert minimise(small, holds, walls=True) == small


def test_a_detour_of_the_walk_is_left_out() -> None:
    def on_the_left(position: Position) -> bool:
        return position.board.rows == 5 and position.live_end == 10

    assert minimise(Position.parse("5:RDLD"), on_the_left).notation == "5:DD"
