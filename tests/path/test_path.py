"""The referees of PATH against each other, the corpus, and known wrong solutions."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.errors import BoardError, CaseError, OptionError
from solver.path import judge as kernels
from solver.path import referees
from solver.path.board import MAX_SIDE, Outcome, PathBoard, Player
from solver.path.brute import brute_cells, brute_has_path, brute_judge, brute_moves
from solver.path.judge import Explanation, explain, judge, needs
from solver.path.random_boards import random_board
from solver.path.referees import REFEREES, disagreement
from solver.path.sat import SatReferee, sat_has_path, sat_moves
from tests.path_mutants import MUTANTS, RIGHT
from verify.path.cases import PathCase, load_cases, parse_case

CASES = load_cases(Path(__file__).parents[2] / "corpus" / "path")


@st.composite
def boards(draw: st.DrawFn, max_side: int = 12) -> PathBoard:
    """Boards where something happens: cells drawn with the player's share drawn too.

    A bent way of one player is laid over most of them, with at most two cells open,
    for boards drawn cell by cell hardly ever have long winning paths.
    """
    n = draw(st.integers(1, max_side))
    letters = draw(st.sampled_from(["WBU", "WWBBU", "WWWB", "WBBBU", "WWB"]))
    cells = draw(st.lists(st.sampled_from(letters), min_size=n * n, max_size=n * n))
    board = PathBoard(n, "".join(cells).encode())
    if not draw(st.booleans()):
        return board
    way = bytearray(board.cells)
    row = draw(st.integers(0, n - 1))
    for col in range(n):
        turn = draw(st.integers(0, n - 1))
        for r in range(min(row, turn), max(row, turn) + 1):
            way[r * n + col] = ord("W")
        row = turn
    for cell in draw(st.lists(st.integers(0, n * n - 1), max_size=2)):
        way[cell] = ord("U")
    board = PathBoard(n, bytes(way))
    return board.mirrored() if draw(st.booleans()) else board


def check_explanation(found: Explanation) -> None:
    """Check path and moves cell by cell, by the words of the game alone."""
    board, player = found.board, found.outcome.player
    if player is None:
        assert found.path == found.moves == found.lengths == ()
        return
    axis = player is Player.WHITE
    spots = [divmod(cell, board.n) for cell in found.path]
    assert spots[0][axis] == 0
    assert spots[-1][axis] == board.n - 1
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(spots))
    assert len(set(spots)) == len(spots)
    made = [cell for cell in found.path if chr(board.cells[cell]) != player.value]
    if found.outcome.won:
        assert made == []
        assert found.moves == found.lengths == ()
    else:
        assert made == [found.moves[found.lengths.index(min(found.lengths))]]
        assert len(found.path) == min(found.lengths)
        for move, length in zip(found.moves, found.lengths, strict=True):
            assert len(explain(board.place(player, move)).path) == length


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_corpus(case: PathCase) -> None:
    assert case.fault(explain(case.board)) is None
    assert disagreement(case.board) is None


@pytest.mark.parametrize("mutant", MUTANTS)
def test_every_wrong_solution_fails_on_the_corpus(mutant: str) -> None:
    assert all(RIGHT(case.board) is case.answer for case in CASES)
    assert any(MUTANTS[mutant](case.board) is not case.answer for case in CASES)


@settings(deadline=None, max_examples=200)
@given(boards(max_side=9))
def test_paths_are_shortest(board: PathBoard) -> None:
    """By distances of a search that knows the words of the game alone."""
    found = explain(board)
    player = found.outcome.player
    if player is None:
        return
    if found.outcome.won:
        assert len(found.path) == naive_cells(board, player)
    for move, length in zip(found.moves, found.lengths, strict=True):
        assert length == naive_cells(board.place(player, move), player)


def naive_cells(board: PathBoard, player: Player) -> int | None:
    """Cells of a shortest winning path, relaxing all distances until none changes."""
    n, axis = board.n, player is Player.WHITE
    pieces = [divmod(i, n) for i, c in enumerate(board.cells) if chr(c) == player.value]
    cells = {spot: 1 if spot[axis] == 0 else n * n + 1 for spot in pieces}
    changed = True
    while changed:
        changed = False
        for r, c in pieces:
            for near in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)):
                if cells.get(near, n * n + 1) + 1 < cells[r, c]:
                    cells[r, c] = cells[near] + 1
                    changed = True
    ends = [cells[spot] for spot in pieces if spot[axis] == n - 1]
    best = min(ends, default=n * n + 1)
    return best if best <= n * n else None


@settings(deadline=None, max_examples=100)
@given(boards(max_side=7))
def test_brute_force_counts_the_cells(board: PathBoard) -> None:
    for player in Player:
        assert brute_cells(board, player) == naive_cells(board, player)


ROOMY = PathBoard.parse("WWW/WWW/BBB")


@pytest.mark.parametrize(
    ("board", "change", "why"),
    [
        (ROOMY, {"path": (0, 3, 4, 5)}, "4 cells, brute force 3"),
        (ROOMY, {"path": (0, 1, 5)}, "(1, 2) and (2, 3) do not touch"),
        (ROOMY, {"path": (6, 7, 8)}, "(3, 1) is not White's"),
        (ROOMY, {"path": (1, 2)}, "(1, 2) is not on White's home edge"),
        (ROOMY, {"path": (0, 1)}, "(1, 2) is not on White's target edge"),
        (ROOMY, {"path": ()}, "there is no path"),
        (PathBoard.parse("WU/BB"), {"lengths": (3,)}, "paths of (3,) cells"),
        (PathBoard.parse("WU/UU"), {"path": (0,)}, "not on White's target edge"),
    ],
)
def test_a_wrong_explanation_is_a_contradiction(
    monkeypatch: pytest.MonkeyPatch,
    board: PathBoard,
    change: dict[str, Any],
    why: str,
) -> None:
    def wrong(board: PathBoard) -> Explanation:
        return replace(explain(board), **change)

    assert disagreement(board) is None
    monkeypatch.setattr(referees, "explain", wrong)
    assert why in str(disagreement(board))


def all_referees(board: PathBoard) -> None:
    said = {name: referee(board) for name, referee in REFEREES.items()}
    assert len(set(said.values())) == 1, (board, said)
    player = judge(board).player
    if player and not judge(board).won:
        moves = explain(board).moves
        assert moves == brute_moves(board, player) == sat_moves(board, player)


def boards_of_three() -> Iterator[PathBoard]:
    return (PathBoard(3, bytes(letters)) for letters in product(b"WBU", repeat=9))


def test_every_fifth_board_of_three() -> None:
    for board in islice(boards_of_three(), 0, None, 5):
        all_referees(board)


@pytest.mark.slow
def test_every_board_of_three() -> None:
    for board in boards_of_three():
        all_referees(board)


def test_the_outcomes_of_all_boards_of_three() -> None:
    seen = dict.fromkeys(Outcome, 0)
    for board in boards_of_three():
        seen[judge(board)] += 1
    assert seen == {
        Outcome.WHITE_PATH: 2539,
        Outcome.BLACK_PATH: 2539,
        Outcome.WHITE_MOVE: 5787,
        Outcome.BLACK_MOVE: 4744,
        Outcome.NONE: 4074,
    }


@settings(deadline=None, max_examples=300)
@given(boards())
@example(PathBoard.parse("U"))
def test_referees_agree(board: PathBoard) -> None:
    assert disagreement(board) is None
    check_explanation(explain(board))


@settings(deadline=None, max_examples=150)
@given(boards(max_side=8))
def test_each_question_agrees_for_each_player(board: PathBoard) -> None:
    for player in Player:
        has_path = brute_has_path(board, player)
        missing = needs(board, player)
        assert sat_has_path(board, player) == has_path == (missing == 0)
        if not has_path:
            moves = brute_moves(board, player)
            assert sat_moves(board, player) == moves
            assert (missing == 1) == bool(moves)


@settings(deadline=None, max_examples=100)
@given(boards())
def test_the_mirror_exchanges_the_players(board: PathBoard) -> None:
    mirrored = board.mirrored()
    assert mirrored.mirrored() == board
    assert judge(board).won == judge(mirrored).won
    assert needs(board, Player.WHITE) == needs(mirrored, Player.BLACK)


@settings(deadline=None, max_examples=60)
@given(boards(max_side=5), st.data())
def test_needs_counts_pieces(board: PathBoard, data: st.DataObject) -> None:
    """The best piece saves one; cut off means no path even with all cells filled."""
    player = data.draw(st.sampled_from(Player))
    missing = needs(board, player)
    unfilled = [cell for cell, letter in enumerate(board.cells) if letter == ord("U")]
    full = PathBoard(board.n, board.cells.replace(b"U", player.value.encode()))
    assert (missing is not None) == brute_has_path(full, player)
    if missing and unfilled:
        after = [needs(board.place(player, cell), player) for cell in unfilled]
        assert min(one for one in after if one is not None) == missing - 1


@settings(deadline=None, max_examples=40)
@given(boards(max_side=6))
def test_kernels_say_the_same_as_python(board: PathBoard) -> None:
    grids = []
    for flood, find in [
        (kernels._flood, kernels._moves),
        (
            getattr(kernels._flood, "py_func", kernels._flood),
            getattr(kernels._moves, "py_func", kernels._moves),
        ),
    ]:
        grid = kernels._padded(board)
        queue, steps = np.zeros((2, grid.size), dtype=np.int32)
        for side in range(4):
            flood(grid, board.n, side, queue, steps)
        counts = []
        for player in range(2):
            queue[:] = 0
            counts.append((find(grid, board.n, player, queue), queue.tolist()))
        grids.append((grid.tolist(), steps.tolist(), counts))
    assert grids[0] == grids[1]
    python = getattr(kernels._needs, "py_func", kernels._needs)
    for index, one in enumerate(Player):
        stacks = np.empty((2, kernels._padded(board).size), dtype=np.int32)
        cost = python(kernels._padded(board), board.n, index, stacks)
        assert (None if cost < 0 else cost) == needs(board, one)


def test_large_boards() -> None:
    n = 1000
    lane = PathBoard(n, b"".join(b"W" * n if r == 500 else b"B" * n for r in range(n)))
    assert judge(lane) is Outcome.WHITE_PATH
    assert len(explain(lane).path) == n
    open_lane = PathBoard(n, lane.cells[:500_499] + b"U" + lane.cells[500_500:])
    assert judge(open_lane) is Outcome.WHITE_MOVE
    assert explain(open_lane).moves == (500_499,)
    empty = PathBoard(n, b"U" * (n * n))
    assert judge(empty) is Outcome.NONE
    assert needs(empty, Player.BLACK) == n


@pytest.mark.slow
def test_many_larger_boards_agree() -> None:
    rng = np.random.default_rng(6)
    for _ in range(400):
        n = int(rng.integers(12, 31))
        white = float(rng.uniform(0.4, 0.62))
        board = random_board(n, rng, white=white, black=0.97 - white)
        said = {REFEREES[name](board) for name in ("floods", "0-1 search", "SAT")}
        assert len(said) == 1, board
        check_explanation(explain(board))


@given(boards(max_side=4))
def test_text_and_repr_read_back(board: PathBoard) -> None:
    assert eval(repr(board)) == board
    assert str(board).split() == list(board.rows)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "row 1 has 0 letters, but there are 1 rows"),
        ("WB/W", "row 2 has 1 letters, but there are 2 rows"),
        ("WB/Wx", "letter 'x' is none of W, B and U"),
        ("WB/W€", "letter '€' is none of W, B and U"),
    ],
)
def test_bad_board_text(text: str, why: str) -> None:
    with pytest.raises(BoardError) as caught:
        PathBoard.parse(text)
    assert str(caught.value) == why


def test_bad_values() -> None:
    with pytest.raises(BoardError, match="side of 0"):
        PathBoard(0, b"")
    with pytest.raises(BoardError, match="3 letters do not fill"):
        PathBoard(2, b"WBU")
    board = PathBoard.parse("WU/BB")
    with pytest.raises(BoardError, match=r"cell \(1, 1\) is filled"):
        board.place(Player.WHITE, 0)
    with pytest.raises(BoardError, match="lies outside"):
        board.place(Player.WHITE, 4)
    with pytest.raises(OptionError, match="shares of a whole"):
        random_board(3, np.random.default_rng(1), white=0.6, black=0.6)
    with pytest.raises(OptionError, match="above"):
        random_board(MAX_SIDE + 1, np.random.default_rng(1))
    with pytest.raises(OptionError, match="outside 1 to 64"):
        SatReferee(65)


def test_random_boards_repeat_and_hold_their_shares() -> None:
    first, again = (random_board(100, np.random.default_rng(5)) for _ in range(2))
    assert first == again
    assert first.cells.count(b"W") == pytest.approx(4800, abs=200)
    assert first.cells.count(b"U") == pytest.approx(1000, abs=120)


GOOD_CASE = {
    "why": '"because"',
    "source": '"by hand"',
    "board": '"WU BB"',
    "answer": '"White can win in one move."',
}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("why", "3", "expected text"),
        ("why", '" "', "expected text"),
        ("board", '"WB U"', "row 2 has 1 letters"),
        ("answer", '"White wins."', "none of the five sentences"),
        ("path", "1", "no number of at least 2"),
        ("moves", "[[1, 3]]", "no cell of the board"),
        ("moves", "3", "expected a list or nothing"),
        ("colour", "3", "unknown key"),
        ("why", "'", "no TOML"),
    ],
)
def test_bad_cases(key: str, value: str, why: str) -> None:
    lines = [f"{k} = {v}" for k, v in {**GOOD_CASE, key: value}.items()]
    with pytest.raises(CaseError, match=why):
        parse_case("\n".join(lines), "x.toml")


def test_a_case_tells_what_is_wrong() -> None:
    lines = [f"{k} = {v}" for k, v in GOOD_CASE.items()]
    case = parse_case("\n".join([*lines, "path = 2", "moves = [[1, 2]]"]), "x.toml")
    found = explain(case.board)
    assert case.fault(found) is None
    other = Explanation(case.board, Outcome.NONE)
    assert "not 'White can win in one move.'" in str(case.fault(other))
    longer = Explanation(case.board, found.outcome, (0, 2, 3), (1,), (3,))
    assert "path of 3 cells, not 2" in str(case.fault(longer))
    elsewhere = Explanation(case.board, found.outcome, (0, 1), (2,), (2,))
    assert "not ((1, 2),)" in str(case.fault(elsewhere))


def test_an_empty_folder_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no case is there"):
        load_cases(tmp_path)
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(CaseError, match="cannot be read"):
        load_cases(tmp_path)


def test_brute_force_reads_the_sentences_in_order() -> None:
    assert brute_judge(PathBoard.parse("U")) is Outcome.WHITE_MOVE
    assert [outcome.value for outcome in Outcome] == [
        "White has a winning path.",
        "Black has a winning path.",
        "White can win in one move.",
        "Black can win in one move.",
        "There is no winning path.",
    ]
