"""The referee of PATH: against a SAT oracle, a naive double and the corpus."""

from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import GridFileError
from solver.puzzles.path import (
    LETTERS,
    PathBoard,
    Player,
    Sentence,
    judge_path,
    path_boards,
    wins,
)
from tests.doubles.path_sat import sat_moves
from tests.puzzles import naive_path as naive
from tests.puzzles.samples import cases
from tests.runner import Ran, assert_refused
from tests.runner import run as oneway

SAMPLE = "7\n\nWBBUUUU\nWWBUWWW\nUWBBBWB\nBWBBWWB\nBWWBWBB\nUBWWWBU\nUWBBBWW\n\n3\n\n"
SAMPLE += "WBB\nWWU\nWBB\n\n0\n"


def board_of(rows: str) -> PathBoard:
    return PathBoard(len(rows.split()), "".join(rows.split()).encode())


def check(board: PathBoard) -> None:
    """Compare the search with the SAT oracle and the naive double."""
    oracles = [sat_moves(board, player) for player in Player]
    true = [*(moves is None for moves in oracles), *map(bool, oracles), True]
    assert judge_path(board)[0] is [*Sentence][true.index(True)]
    for player, oracle in zip(Player, oracles, strict=True):
        result, letter = wins(board, player), player.value
        cells = naive.path_cells(board, letter)
        assert (cells is not None) == (oracle is None) == (result.missing == 0)
        assert [*result.moves] == sorted(oracle or ())
        moves = [divmod(move, board.n) for move in result.moves]
        made = [naive.put(board, letter, move) for move in moves]
        lengths = [naive.path_cells(item, letter) or 0 for item in made]
        assert len(result.path) == (cells or min(lengths, default=0))
        if result.path:
            spots = [divmod(cell, board.n) for cell in result.path]
            ends = [spots[at][letter == "W"] for at in (0, -1)]
            assert ends == [0, board.n - 1]
            assert all(b in naive.four(*a) for a, b in pairwise(spots))
            strange = [cell for cell in result.path if chr(board.cells[cell]) != letter]
            best = min(zip(lengths, result.moves, strict=True), default=None)
            assert strange == ([best[1]] if best else [])


@pytest.mark.parametrize("case", cases("path"), ids=lambda case: case["name"])
def test_corpus(case: dict[str, Any]) -> None:
    board = board_of(case["board"])
    outcome, win = judge_path(board)
    assert outcome.value == case["answer"]
    assert len(win.path) == case.get("path", len(win.path))
    moves = [[*board.row_col(move)] for move in win.moves]
    assert moves == case.get("moves", moves)
    check(board)


def test_all_boards_of_three() -> None:
    """Every 20th by all procedures; the numbers of all are those of the page."""
    seen: Counter[Sentence] = Counter()
    for at, letters in enumerate(product(b"WBU", repeat=9)):
        board = PathBoard(3, bytes(letters))
        seen[judge_path(board)[0]] += 1
        if at % 20 == 0:
            check(board)
    assert [seen[sentence] for sentence in Sentence] == [2539, 2539, 5787, 4744, 4074]


def random_board(n: int, rng: np.random.Generator) -> PathBoard:
    """Return a board with random shares of white and black pieces."""
    white = rng.uniform(0.3, 0.65)
    black = rng.uniform(0.2, 0.95 - white)
    shares = [white, black, 1 - white - black]
    return PathBoard(n, rng.choice([*LETTERS], n * n, p=shares).astype("u1").tobytes())


@pytest.mark.plain
def test_random_boards() -> None:
    """The best piece saves one; cut off means no path with all cells filled."""
    rng, seen = np.random.default_rng(601), set()
    for at in range(150):
        board = random_board(1 + at % 8, rng)
        check(board)
        for player in Player:
            missing, letter = wins(board, player).missing, player.value
            full = PathBoard(board.n, board.cells.replace(b"U", letter.encode()))
            assert (missing is None) == (naive.path_cells(full, letter) is None)
            if missing and board.n < 6:
                tried = [naive.put(board, letter, s) for s in naive.pieces(board, "U")]
                after = [wins(item, player).missing for item in tried]
                assert min(item for item in after if item is not None) == missing - 1
            seen.add(missing)
    assert seen >= {None, 0, 1, 2, 3}


def test_both_copies_of_the_sample() -> None:
    whole = list(path_boards(SAMPLE.encode(), "f"))
    assert whole == [board_of(SAMPLE[3:58]), board_of("WBB WWU WBB")]
    blanks, returns = " ".join(SAMPLE.split()), SAMPLE.replace("\n", "\r\n")
    for other in (blanks, returns, "\ufeff" + SAMPLE):
        assert list(path_boards(other.encode(), "f")) == whole


@pytest.mark.parametrize(
    ("text", "count", "complaint"),
    [
        ("2\nWB\n", 0, "3, column 1: row 2 of 2 is not 2 letters W, B, U"),
        ("1 W\n3\nWBU\nWB\nWBU 0", 1, "4, column 3: row 2 of 3 is not"),
        ("2\nWB\nWBW\n0", 0, "3, column 3: row 2 of 2 is not"),
        ("2\nWé\n", 0, "2, column 2: row 1 of 2 is not"),
        ("50000 W", 0, "1, column 1: expected the size of a board"),
        ("1 W 0 7", 1, "1, column 7: nothing may follow the 0"),
    ],
)  # fmt: skip
def test_faults_have_their_place(text: str, count: int, complaint: str) -> None:
    boards = path_boards(text.encode(), "f")
    assert len([next(boards) for _ in range(count)]) == count
    with pytest.raises(GridFileError) as caught:
        next(boards)
    assert str(caught.value).startswith(f"f, line {complaint}")


def run(*words: str, text: str = "") -> Ran:
    return oneway("path", *words, stdin=text)


def test_the_command_judges_and_explains(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(SAMPLE)
    sentences = "White has a winning path.\nWhite can win in one move.\n"
    assert run(str(tmp_path / "x")).out == sentences
    assert run(text=SAMPLE).out == sentences
    wrong = run(text=SAMPLE.replace("3\n", "4\n"))
    assert_refused(wrong)
    assert wrong.out == "White has a winning path.\n"
    assert_refused(run(str(tmp_path / "none")))
    text = run("--explain", text="3 WBB WWU WBB 0").out
    assert text.splitlines()[1:] == [
        "  board 1, 3 x 3",
        "  winning moves (row,col): (2,3)",
        "  a shortest path covers 3 cells (row,col): (2,1) (2,2) (2,3)",
        "",
        "    1 2 3",
        "  1 w b b",
        "  2 W W *",
        "  3 w b b",
        "",
    ]
    text = run("--explain", text="2 BW WB 3 WUU WBU BUU 0").out
    assert "White is cut off" in text
    assert "White needs at least 2 more pieces" in text
