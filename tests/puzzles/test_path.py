"""The referee of PATH: against SAT, a naive double, the corpus and wrong solutions."""

import io
import json
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.errors import GridFileError
from solver.puzzles.path import PathBoard, Player, Wins, judge, read_boards, wins
from tests.puzzles import naive_path as naive
from tests.puzzles.samples import cases
from tests.runner import Ran, assert_refused
from tests.runner import run as oneway
from verify.puzzles import path as referee

SAMPLE = "7\n\nWBBUUUU\nWWBUWWW\nUWBBBWB\nBWBBWWB\nBWWBWBB\nUBWWWBU\nUWBBBWW\n\n3\n\n"
SAMPLE += "WBB\nWWU\nWBB\n\n0\n"


def board_of(rows: str) -> PathBoard:
    return PathBoard(len(rows.split()), "".join(rows.split()).encode())


def check(board: PathBoard) -> None:
    """Search, oracle and naive double must agree in all they say."""
    assert referee.disagreement(board) is None
    outcome, _ = judge(board)
    assert outcome.value == naive.said(board)
    for player in Player:
        found, letter = wins(board, player), player.value
        cells = naive.path_cells(board, letter)
        moves = [] if cells else naive.winning(board, letter)
        assert [divmod(move, board.n) for move in found.moves] == moves
        made = [naive.put(board, letter, move) for move in moves]
        assert list(found.lengths) == [naive.path_cells(one, letter) for one in made]
        assert len(found.path) == (cells or min(found.lengths, default=0))
        if found.path:
            spots = [divmod(cell, board.n) for cell in found.path]
            ends = [spots[at][letter == "W"] for at in (0, -1)]
            assert ends == [0, board.n - 1]
            assert all(b in naive.four(*a) for a, b in pairwise(spots))
            strange = [cell for cell in found.path if chr(board.cells[cell]) != letter]
            best = min(zip(found.lengths, found.moves, strict=True), default=None)
            assert strange == ([best[1]] if best else [])


@pytest.mark.parametrize("case", cases("path"), ids=lambda case: case["name"])
def test_corpus(case: dict[str, Any]) -> None:
    board = board_of(case["board"])
    outcome, found = judge(board)
    assert outcome.value == case["answer"]
    assert len(found.path) == case.get("path", len(found.path))
    moves = [[*board.row_col(move)] for move in found.moves]
    assert moves == case.get("moves", moves)
    check(board)


@pytest.mark.parametrize("mutant", naive.MUTANTS)
def test_every_wrong_solution_fails_on_the_corpus(mutant: str) -> None:
    wrong = naive.MUTANTS[mutant]
    assert any(wrong(board_of(c["board"])) != c["answer"] for c in cases("path"))


def test_all_boards_of_three() -> None:
    """Every 20th by all procedures; the numbers of all are those of the page."""
    seen: Counter[str] = Counter()
    for at, letters in enumerate(product(b"WBU", repeat=9)):
        board = PathBoard(3, bytes(letters))
        seen[judge(board)[0].value] += 1
        if at % 20 == 0:
            check(board)
    assert [seen[one] for one in naive.SENTENCES] == [2539, 2539, 5787, 4744, 4074]


@pytest.mark.plain
def test_random_boards() -> None:
    """The best piece saves one; cut off means no path with all cells filled."""
    rng, seen = np.random.default_rng(601), set()
    for at in range(150):
        board = referee.random_board(1 + at % 8, rng)
        check(board)
        for player in Player:
            missing, letter = wins(board, player).missing, player.value
            full = PathBoard(board.n, board.cells.replace(b"U", letter.encode()))
            assert (missing is None) == (naive.path_cells(full, letter) is None)
            if missing and board.n < 6:
                tried = [naive.put(board, letter, s) for s in naive.pieces(board, "U")]
                after = [wins(one, player).missing for one in tried]
                assert min(one for one in after if one is not None) == missing - 1
            seen.add(missing)
    assert seen >= {None, 0, 1, 2, 3}


def test_both_copies_of_the_sample() -> None:
    whole = list(read_boards(io.BytesIO(SAMPLE.encode()), "f"))
    assert whole == [board_of(SAMPLE[3:58]), board_of("WBB WWU WBB")]
    blanks, returns = " ".join(SAMPLE.split()), SAMPLE.replace("\n", "\r\n")
    for other in (blanks, returns, "\ufeff" + SAMPLE):
        assert list(read_boards(io.BytesIO(other.encode()), "f")) == whole


@pytest.mark.parametrize(
    ("text", "count", "complaint"),
    [
        ("", 0, "1, column 1: expected a size up to 4096, or 0 to end the input, got"),
        ("2\nWB\n", 0, "3, column 1: row 2 of 2: 0 letters, no more"),
        ("1 W\n3\nWBU\nWB\nWBU 0", 1, "4, column 3: row 2 of 3: 2 letters, no more"),
        ("2\nWB\nWBW\n0", 0, "3, column 3: row 2 of 2: 2 letters, then 'W'"),
        ("2\nWé\n", 0, "2, column 2: row 1 of 2: 1 letters, then 'é'"),
        ("5000 W", 0, "1, column 1: expected a size up to 4096"),
        ("0" * 5000 + "99999", 0, "1, column 1: expected a size"),
        ("1 W 0 7", 1, "1, column 7: nothing may follow the 0"),
        (" " * 10000, 0, "1, column 1: more than 9999 bytes"),
    ],
)  # fmt: skip
def test_faults_have_their_place(
    monkeypatch: pytest.MonkeyPatch, text: str, count: int, complaint: str
) -> None:
    monkeypatch.setattr("solver.puzzles.path._LONGEST", 9999)
    boards = read_boards(io.BytesIO(text.encode()), "f")
    assert len([next(boards) for _ in range(count)]) == count
    with pytest.raises(GridFileError) as caught:
        next(boards)
    assert str(caught.value).startswith(f"f, line {complaint}")


def run(*words: str, text: str = "") -> Ran:
    return oneway("path", "referee", *words, stdin=text)


def test_the_command_judges_and_explains(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(SAMPLE)
    sentences = "White has a winning path.\nWhite can win in one move.\n"
    assert run(str(tmp_path / "x")).out == sentences
    assert run(text=SAMPLE).out == sentences
    wrong = run(text=SAMPLE.replace("3\n", "4\n"))
    assert_refused(wrong)
    assert wrong.out == "White has a winning path.\n"
    assert_refused(run(str(tmp_path / "none")))
    first, second = map(json.loads, run("--json", text=SAMPLE).out.splitlines())
    assert (len(first["path"]), first["needs"]) == (15, {"White": 0, "Black": None})
    assert second == {
        "board": 2, "n": 3, "outcome": "WHITE_MOVE", "player": "White",
        "sentence": "White can win in one move.", "path": [[2, 1], [2, 2], [2, 3]],
        "moves": [{"cell": [2, 3], "path_cells": 3}], "needs": {"White": 1, "Black": 1},
    }  # fmt: skip
    text = run("--explain", text="2 BW WB 3 WUU WBU BUU 0").out
    assert "White is cut off: no pieces on unfilled cells would do" in text
    assert "White needs 2 more pieces at least" in text
    wide = run("--explain", text="101 " + ("W" * 101 + " ") * 101 + "0")
    assert "from (1,1) by the steps RRR" in wide.out
    assert "\n\n" not in wide.out


def test_the_trial_finds_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("selftest", "path", "-n", "30", "--seed", "1")
    assert oneway(*words, "--size", "6").out.endswith("agree (seed 1)\n")
    monkeypatch.setattr(referee, "wins", lambda board, player: Wins(2))
    for more, where in ([], "err"), (["--json"], "out"):
        result = oneway(*words, *more)
        assert result.code == 1
        assert "search Wins(missing=2" in getattr(result, where)


@pytest.mark.parametrize(("share", "said"), [(0.2, 1), (0.593, 2), (0.7, 0)])
def test_judge_1000(benchmark: BenchmarkFixture, share: float, said: int) -> None:
    """Near 0.593, the threshold of site percolation, the searches are longest."""
    rng = np.random.default_rng(1)
    letters = rng.choice([*b"WBU"], 10**6, p=[share, 0.99 - share, 0.01])
    board = PathBoard(1000, letters.astype("u1").tobytes())
    judge(board)  # compile first
    assert benchmark(judge, board)[0].value == naive.SENTENCES[said]
