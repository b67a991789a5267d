"""Walks on boards too large to list, until nothing gets stuck."""

import json
from pathlib import Path

import pytest

from heuristic.groups import drawn_rules, load_rules
from heuristic.rule import Event
from heuristic.rules.rulefile import load_file
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from solver.counting.count import count_completions
from solver.oracles.oracle import get_oracle
from tests.runner import assert_refused, run
from verify.discovery.book import load_kept, read_gaps
from verify.discovery.gaps import gaps_at
from verify.discovery.running import Hunt, explain_all
from verify.discovery.search import Pool
from verify.truth import truth

NINE = Board.square(9)


def test_all_walks_of_a_board_are_tried_left_first(tmp_path: Path) -> None:
    book = tmp_path / "b.toml"
    where = ["--ledger", str(tmp_path / "pool.json"), "--proofs", str(tmp_path)]
    where += ["--reach", "0"]
    result = run("discover", "3x9", "-n", "0", "-o", str(book), *where)
    assert result.code == 0
    board = Board.parse("3x9")
    rules = drawn_rules("found", load_file(book))
    walk = LeftFirstWalk(rules, Position(board))
    assert walk.run() is Event.FINISHED
    assert walk.stuck == 0
    assert walk.completed == count_completions(Position(board))
    hunt = Hunt(board, ())
    assert 0 < hunt.left_first((), 3, list[int]().append) <= 3
    for position, moves in hunt.met:
        good = truth(position, get_oracle("sat"))
        assert all(good[move] == "dead" for move in moves)


def test_each_dead_move_of_a_position_is_taken_once() -> None:
    hunt, place = Hunt(Board.parse("5x9"), ()), Position.parse("5x9:RRD")
    hunt.add([(place, "D"), (place, "R"), (place, "DL")])
    assert hunt.met == [(place, "D"), (place, "R"), (place, "L")]


def test_walks_find_what_a_board_too_large_to_list_needs(tmp_path: Path) -> None:
    options = [
        "--rules",
        "found-5",
        "-n",
        "30",
        "--ledger",
        str(tmp_path / "pool.json"),
    ]
    options += ["--proofs", str(tmp_path), "--json", "-o", str(tmp_path / "b.toml")]
    result = run("discover", "5x9", *options)
    summary = json.loads(result.out.splitlines()[-1])["summary"]
    assert summary["walks"] >= 30
    assert result.code == (1 if summary["stuck"] or summary["missed"] else 0)
    assert summary["rules"] == len(load_file(tmp_path / "b.toml")) > 0
    rules = f"found-5,{tmp_path / 'b.toml'}"
    again = json.loads(run("discover", "5x9", *options).out.splitlines()[-1])["summary"]
    assert again["rules"] >= summary["rules"]  # it makes other walks
    if not summary["stuck"]:
        walker = load_rules(rules).walker(Board.parse("5x9"))
        assert sum(walker.walk(seed).stuck for seed in range(30, 60)) <= 3


def test_two_boards_and_gaps_of_a_file_make_one_book(tmp_path: Path) -> None:
    gap = "9:DRURDDDRDR"
    listed, book = tmp_path / "gaps.txt", tmp_path / "b.toml"
    listed.write_text(f"# one gap\n\n{gap} D  # from a test\n", "utf-8")
    where = ["--ledger", str(tmp_path / "pool.json"), "--proofs", str(tmp_path)]
    words = ["9", "--walk", "3x8", "--walk", "3x9", "--gaps", str(listed), "-n", "1"]
    result = run("discover", *words, "--reach", "0", "-o", str(book), *where)
    assert result.code == 0, result.err
    rules = drawn_rules("found", load_file(book))
    assert "D" in {found.move for found in rules.forbids(Position.parse(gap))}
    boards = {
        p.board.notation for p, _ in load_kept(tmp_path / "pool.json", NINE, "").met
    }
    assert boards <= {"9", "3x8", "3x9"}
    assert len(boards) > 1


def test_a_run_without_time_makes_the_book_of_what_is_there(tmp_path: Path) -> None:
    where = ["--ledger", str(tmp_path / "pool.json"), "--proofs", str(tmp_path)]
    where += ["--reach", "0"]
    assert run("discover", "3x9", "-n", "20", *where).code == 0
    known = json.loads((tmp_path / "pool.json").read_text())
    again = run("discover", "3x9", "-n", "20", "--minutes", "1e-9", "--json", *where)
    assert again.code == 0
    summary = json.loads(again.out.splitlines()[-1])["summary"]
    assert summary["pool"] == len(known["found"])


def test_what_stays_open_is_listed(tmp_path: Path) -> None:
    gap = "9:DRURDDDRDR D"
    listed, left = tmp_path / "gaps.txt", tmp_path / "left.txt"
    listed.write_text(gap + "\n", "utf-8")
    words = ["discover", "9", "--walk", "3x8", "--gaps", str(listed), "-n", "1"]
    words += ["--reach", "0", "--minutes", "1e-9", "--proofs", str(tmp_path)]
    words += ["--ledger", str(tmp_path / "pool.json"), "--open", str(left)]
    assert run(*words).code == 1
    told = left.read_text("utf-8")
    assert f"{gap}  # not tried" in told.splitlines()
    again = dict(read_gaps(left, NINE))
    assert again[Position.parse(gap.split()[0])] == "D"


def test_gaps_that_nothing_explains_are_not_tried_again() -> None:
    position = Position.parse("9:DRURDDDRDR")
    pool = Pool(gaps_at(NINE, [(position, "D")]), quick=True)
    tried = {pool.gaps.key(0)}
    assert list(explain_all(pool, tried)) == []
    assert pool.open.tolist() == [True]
    pool.until = 0.0
    assert pool.late


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("9:DRURDDDRDR", "is no gap of 9"),
        ("9:DRURDDDRDR U D", "is no gap of 9"),
        ("9:DRURDDDRDR X", "is no gap of 9"),
        ("9: D", "is no gap of 9"),
        ("11:DRURDDDRDR D", "is no gap of 9"),
        ("9:DRX D", "gaps.txt"),
    ],
)
def test_spoiled_lists_of_gaps_are_refused(tmp_path: Path, line: str, why: str) -> None:
    listed = tmp_path / "gaps.txt"
    listed.write_text(line + "\n", "utf-8")
    result = run("discover", "9", "--gaps", str(listed))
    assert_refused(result)
    assert why in result.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["5", "--walk", "5"], "all positions of 5 are tried"),
        (["9", "--walk", "11"], "not in 9"),
        (["9", "--gaps", "nowhere.txt"], "cannot read nowhere.txt"),
    ],
)
def test_boards_that_do_not_fit_are_refused(words: list[str], why: str) -> None:
    result = run("discover", *words)
    assert_refused(result)
    assert why in result.err
