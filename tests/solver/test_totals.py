"""Cycles and paths of any ends: plain search, and what others counted."""

import pytest
from hypothesis import given, settings

from solver.board import Board
from solver.counting.totals import count_cycles, count_paths
from tests.runner import assert_refused, run
from verify.strategies import boards

CYCLES = (
    0,
    1,
    0,
    6,
    0,
    1072,
    0,
    4638576,
    0,
    467260456608,
)  # OEIS A003763, n = 2, 4 ...
PATHS = (1, 4, 20, 276, 4324, 229348, 13535280)  # OEIS A120443


def directed(board: Board) -> tuple[int, int]:
    """Count cycles and paths step by step, both directions of each."""
    near = board.neighbours.tolist()
    cells = [c for c in range(board.cells) if c not in board.walls]
    cycles = paths = 0
    todo: list[tuple[int, ...]] = [(cell,) for cell in cells]
    while todo:
        walk = todo.pop()
        if len(walk) == len(cells):
            paths += 1
            cycles += walk[0] == cells[0] and walk[0] in near[walk[-1]]
        todo += [(*walk, c) for c in near[walk[-1]] if c >= 0 and c not in walk]
    return cycles if len(cells) > 2 else 0, paths


@settings(deadline=None, max_examples=60)
@given(boards(max_side=4, max_walls=4, corners=False))
def test_totals_are_those_of_plain_search(board: Board) -> None:
    cycles, paths = directed(board)
    assert count_cycles(board) * 2 == cycles
    assert count_paths(board) * (2 if board.open_cells > 1 else 1) == paths


@pytest.mark.parametrize("side", range(1, 11))
def test_cycles_of_squares(side: int) -> None:
    assert count_cycles(Board.square(side)) == CYCLES[side - 1]


@pytest.mark.parametrize("side", range(1, 8))
def test_paths_of_squares(side: int) -> None:
    assert count_paths(Board.square(side)) == PATHS[side - 1]


def test_the_command_writes_numbers_as_oeis_does() -> None:
    said = run("count", "6", "--cycles", "--b-file").out
    assert said == "1 0\n2 1\n3 0\n4 6\n5 0\n6 1072\n"
    assert run("count", "5", "--paths").out == "5  4,324 paths\n"
    assert run("count", "5", "--b-file").out == "1 1\n2 0\n3 2\n4 0\n5 104\n"
    assert (
        run("count", "2x3", "--cycles", "--json").out
        == '{"board": "2x3", "cycles": 1}\n'
    )
    for words in (
        ["--cycles", "--paths"],
        ["--b-file", "--twice"],
        ["--paths", "--states"],
    ):
        assert_refused(run("count", "5", *words))
    assert_refused(run("count", "2x3!1,2", "--b-file"))
