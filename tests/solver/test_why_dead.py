"""Plain reasons why a position is dead: never wrong, and as a slow definition says."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings

from solver.board import Board, Position
from solver.errors import NoWalkError
from solver.oracles.oracle import Sealed, check_walkable, find_sealed, why_dead
from tests.doubles.frontier import count_completions
from verify.strategies import boards, positions

BLACK = "from black to black a walk has one black cell more than white, not"
REGION = "the region of {} cells has one entrance"
EVEN = "a walk has as many black cells as white, not"
WHITE = "from white to white a walk has one white cell more than black, not"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("30x31:", ""),
        ("1001:", ""),
        ("5:RDLDDDRRRU", ""),
        ("31@1,1>1,2:", f"from black to white {EVEN} 481 and 480"),
        ("4:R", f"from white to black {EVEN} 7 and 8"),
        ("5!1,2;2,1:", f"{BLACK} 13 and 10"),
        ("4@1,2>4,3:", f"{WHITE} 8 and 8"),
        ("5!1,2;2,1;3,3;4,4:", "20 cells are cut off, the end cell among them"),
        ("5!1,4;3,3:", "dead end at row 1, column 5"),
        ("3x5@1,1>1,3:RR", "the end cell is entered before the last cell"),
        ("3:RRDDLULD", "the walk does not stop at the end cell"),
    ],
)
def test_a_position_is_dead_for_a_reason(text: str, why: str) -> None:
    assert why_dead(Position.parse(text)) == why


@pytest.mark.parametrize(
    ("text", "sentence", "region"),
    [
        ("5:RDDDDR", "4 cells are cut off", (5, 10, 15, 20)),
        ("5:RRRRDLLLD", "dead end at row 2, column 1", (5,)),
        ("1x3@1,2>1,3:", "dead end at row 1, column 1", (0,)),
        ("1x3:RR", "", ()),
        ("3:RRDD", "the end cell is visited, and 4 cells are left", (3, 4, 6, 7)),
        ("2x5@1,2>1,5!2,3:", f"{REGION.format(3)}, the live end", (0, 5, 6)),
        (
            "3x5@1,1>2,3!1,3;3,3:",
            f"{REGION.format(6)}, the end cell",
            (3, 4, 8, 9, 13, 14),
        ),
        (
            "3x5@2,3>3,5!1,3;3,3:",
            f"{REGION.format(5)}, row 2, column 2",
            (0, 1, 5, 10, 11),
        ),
    ],
)
def test_a_sealed_region_has_a_sentence(
    text: str, sentence: str, region: tuple[int, ...]
) -> None:
    sealed = find_sealed(Position.parse(text)) or Sealed("", ())
    assert sealed.sentence.removesuffix(", and the end cell lies elsewhere") == sentence
    assert sealed.region == region


def test_a_board_is_refused_with_the_reason_and_an_end_that_works() -> None:
    with pytest.raises(NoWalkError, match=r"walk: from black .* works: 4@1,1>4,1$"):
        check_walkable(Board.square(4))
    with pytest.raises(NoWalkError, match="cut off"):
        check_walkable(Board.parse("5!1,2;2,1;3,3;4,4"))


def reached(cells: set[int], begin: int, board: Board) -> set[int]:
    seen, todo = {begin}, [begin]
    while todo:
        for cell in board.neighbours[todo.pop()].tolist():
            if cell in cells and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return seen


def sealed_regions(position: Position) -> Iterator[frozenset[int]]:
    """Yield every region that removing no cell, or one, cuts off from both ends."""
    board, live = position.board, position.live_end
    cells = {c for c in range(board.cells) if position.is_free(c)} | {live}
    if lost := cells - reached(cells, live, board):
        yield frozenset(lost)
        return
    for gate in cells:
        rest = cells - {gate}
        while rest:
            part = reached(rest, min(rest), board)
            rest -= part
            if not part & {live, board.end} or (gate == live and board.end not in part):
                yield frozenset(part)


@given(positions(boards(max_side=5, max_walls=4, corners=False)))
@example(Position.parse("9:DDDRDLDDDDRRRRRRRUUUULLUULLLU"))
@settings(max_examples=100, deadline=None)
def test_a_region_is_sealed_by_its_definition(position: Position) -> None:
    sealed = find_sealed(position)
    if position.unvisited == 0:
        assert sealed is None
    elif position.board.end in position.walk:
        assert sealed is not None
        assert "the end cell is visited" in sealed.sentence
    else:
        assert (sealed is not None) == any(sealed_regions(position))
    if sealed or why_dead(position):
        assert count_completions(position) == 0
