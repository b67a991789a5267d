"""How fast the PATH referee is; `pytest --benchmark-enable tests/bench_path.py`.

Judging and reading are measured apart. Plain runs check the answers once, on fewer
boards.
"""

import io

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.path.board import Outcome, PathBoard, Player
from solver.path.judge import explain, judge, needs
from solver.path.random_boards import random_board
from solver.path.reader import read_boards
from solver.path.sat import sat_judge

SIDE = 1000


def lanes() -> PathBoard:
    """One white lane on a black board."""
    cells = np.full((SIDE, SIDE), ord("B"), dtype=np.uint8)
    cells[SIDE // 2] = ord("W")
    return PathBoard(SIDE, cells.tobytes())


def serpent() -> PathBoard:
    """White goes down one column and up the next: the longest floods."""
    cells = np.full((SIDE - 1, SIDE - 1), ord("W"), dtype=np.uint8)
    cells[1:, 1::4] = ord("B")
    cells[:-1, 3::4] = ord("B")
    return PathBoard(SIDE - 1, cells.tobytes())


def percolating() -> PathBoard:
    """Random, near the threshold of site percolation."""
    return random_board(SIDE, np.random.default_rng(1), white=0.593, black=0.4)


LARGE = {
    "lane": (lanes(), Outcome.WHITE_PATH),
    "serpent": (serpent(), Outcome.WHITE_PATH),
    "percolating": (percolating(), Outcome.WHITE_MOVE),
    "empty": (PathBoard(SIDE, b"U" * SIDE**2), Outcome.NONE),
}


@pytest.mark.parametrize("name", LARGE)
def test_judge_1000(benchmark: BenchmarkFixture, name: str) -> None:
    board, outcome = LARGE[name]
    judge(board)  # compile first
    assert benchmark(judge, board) is outcome


@pytest.mark.parametrize("name", LARGE)
def test_explain_1000(benchmark: BenchmarkFixture, name: str) -> None:
    board, outcome = LARGE[name]
    explain(board)
    assert benchmark(explain, board).outcome is outcome


def test_needs_1000(benchmark: BenchmarkFixture) -> None:
    board, _ = LARGE["empty"]
    needs(board, Player.WHITE)
    assert benchmark(needs, board, Player.WHITE) == SIDE


def test_read_1000(benchmark: BenchmarkFixture) -> None:
    board, _ = LARGE["percolating"]
    text = (board.contest_text + "\n0\n").encode()
    assert benchmark(lambda: list(read_boards(io.BytesIO(text), "text"))) == [board]


@pytest.fixture
def many(request: pytest.FixtureRequest) -> list[PathBoard]:
    """Return boards of side 80: 10,000 when measured, 100 when only checked."""
    measured = request.config.getoption("--benchmark-enable")
    rng = np.random.default_rng(80)
    return [
        random_board(80, rng, white=0.58, black=0.4)
        for _ in range(10_000 if measured else 100)
    ]


def test_judge_many_of_80(benchmark: BenchmarkFixture, many: list[PathBoard]) -> None:
    judge(many[0])
    said = benchmark(lambda: [judge(board) for board in many])
    assert {Outcome.WHITE_PATH, Outcome.WHITE_MOVE, Outcome.NONE} <= set(said)


def test_read_many_of_80(benchmark: BenchmarkFixture, many: list[PathBoard]) -> None:
    text = ("\n".join(board.contest_text for board in many) + "0\n").encode()
    assert benchmark(lambda: list(read_boards(io.BytesIO(text), "text"))) == many


@pytest.mark.parametrize("side", [5, 12, 24])
def test_sat(benchmark: BenchmarkFixture, side: int) -> None:
    board = random_board(side, np.random.default_rng(side), white=0.58, black=0.4)
    assert benchmark(sat_judge, board) is judge(board)
