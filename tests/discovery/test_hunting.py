"""Walks on boards too large to list, until nothing gets stuck."""

import json
from pathlib import Path

import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.rulefile import load_file
from heuristic.walks.leftfirst import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.counting.count import count_completions
from solver.oracles.oracle import get_oracle
from tests.runner import run
from tests.samples import specs
from verify.discovery.gaps import columns_of, gaps_at
from verify.discovery.running import Run, explain_all
from verify.discovery.search import Pool
from verify.truth import truth

NINE = Board.square(9)


def test_no_walk_of_a_board_gets_stuck_under_its_book(tmp_path: Path) -> None:
    book = tmp_path / "b.toml"
    where = ["-o", str(book), "--proofs", str(tmp_path)]
    result = run("discover", "3x9", "-n", "0", "--reach", "0", *where)
    assert result.code == 0
    board = Board.parse("3x9")
    walk = LeftFirstWalk(rules_together("found", load_file(book)), Position(board))
    assert walk.run() is Event.FINISHED
    assert walk.stuck == 0
    assert walk.completed == count_completions(Position(board))


@pytest.mark.parametrize("left_first", [True, False])
def test_walks_meet_the_dead_moves_that_the_book_allows(left_first: bool) -> None:
    board = Board.parse("3x9")
    hunt = Run(board)
    if left_first:
        new = hunt.walk_left_first(())
    else:
        new = hunt.walk((), [board], 40, seed=5)
        assert hunt.walked == 40
    assert new == len(hunt.met) > 0
    for position, moves in hunt.met:
        words = truth(position, get_oracle("sat"))
        assert moves
        assert {words[move] for move in moves} == {"dead"}
    hunt.refill()
    assert (
        hunt.missed == hunt.pool.gaps.counts.sum() == sum(len(m) for _, m in hunt.met)
    )


def test_gaps_that_the_first_rules_catch_are_left_out() -> None:
    board = Board.parse("3x9")
    hunt, empty = Run(board, tuple(specs("found-5"))), Run(board)
    empty.walk((), [board], 40, seed=5)
    hunt.met = empty.met
    hunt.refill()
    assert not columns_of(hunt.start, hunt.pool.gaps).any()
    assert len(hunt.pool.gaps) < len(gaps_at(board, hunt.met))


def test_walks_find_what_the_rules_before_miss(tmp_path: Path) -> None:
    words = ["--rules", "found-5", "-n", "30", "--proofs", str(tmp_path), "--json"]
    result = run("discover", "5x9", *words, "-o", str(tmp_path / "b.toml"))
    summary = json.loads(result.out.splitlines()[-1])["summary"]
    assert summary["walks"] >= 30
    assert result.code == (1 if summary["stuck"] or summary["missed"] else 0)
    assert summary["rules"] == len(load_file(tmp_path / "b.toml")) > 0
    board = Board.parse("5x9")
    stuck = []
    for rules in ("found-5", f"found-5,{tmp_path / 'b.toml'}"):
        walker = load_rules(rules).walker(board)
        stuck.append(sum(walker.walk(seed).stuck for seed in range(100)))
    assert stuck[1] < stuck[0] / 3


def test_two_boards_make_one_book(tmp_path: Path) -> None:
    book = tmp_path / "b.toml"
    words = ["9", "--walk", "3x8", "--walk", "3x9", "-n", "20", "--reach", "0"]
    result = run("discover", *words, "-o", str(book), "--proofs", str(tmp_path))
    assert result.code == 0, result.err
    assert "# on 3x8, 3x9." in book.read_text()
    walker = load_rules(str(book)).walker(Board.parse("3x8"))
    assert not any(walker.walk(seed).stuck for seed in range(20))


def test_a_run_without_time_ends_and_says_what_is_missed(tmp_path: Path) -> None:
    words = ["--seconds", "1e-9", "--json", "--proofs", str(tmp_path)]
    result = run("discover", "3x9", "-n", "20", *words)
    assert result.code == 1
    summary = json.loads(result.out)["summary"]
    assert (summary["rules"], summary["pool"]) == (0, 0)
    assert summary["missed"] > 0


def test_gaps_that_nothing_explains_are_not_tried_again() -> None:
    position = Position.parse("9:DRURDDDRDR")
    pool = Pool(gaps_at(NINE, [(position, "D")]), quick=True)
    assert list(explain_all(pool, {pool.gaps.key(0)})) == []
    assert pool.open.tolist() == [True]
    tried = set[bytes]()
    [(number, entry)] = explain_all(pool, tried)
    assert (number, tried) == (0, set())
    assert entry is not None
    assert pool.open.tolist() == [False]
