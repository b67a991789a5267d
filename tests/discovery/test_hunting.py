"""Walks on boards too large to list, until nothing gets stuck."""

import re
from pathlib import Path

from heuristic.groups import load_rules
from heuristic.rules.rulefile import load_file
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.runner import run
from verify.discovery.gaps import gaps_at
from verify.discovery.running import ChosenRules, Discovery, explain_all
from verify.discovery.search import ENOUGH, Pool
from verify.truth import truth

LONG = Board.parse("3x9")


def test_walks_meet_the_dead_moves_that_the_book_allows() -> None:
    hunt = Discovery(LONG)
    assert hunt.walk(ChosenRules(), 40, seed=5) == hunt.stuck == len(hunt.met) > 0
    assert hunt.walked == 40
    for position, moves in hunt.met:
        words = truth(position, get_oracle("sat"))
        assert moves
        assert {words[move] for move in moves} == {"dead"}
    hunt.pool = Pool(gaps_at(LONG, hunt.met), quick=True)
    assert hunt.missed == sum(len(moves) for _, moves in hunt.met)
    assert hunt.position(int(hunt.pool.gaps.first[0])) == hunt.met[0][0]


def test_walks_end_when_enough_gaps_are_met() -> None:
    hunt = Discovery(Board.square(9))
    assert hunt.walk(ChosenRules(), 10_000, seed=1) >= 20
    assert hunt.walked == 200


def test_a_book_grows_until_no_walk_gets_stuck() -> None:
    hunt = Discovery(LONG)
    book = hunt.hunted(walks=200, seed=0)
    assert hunt.stuck == hunt.missed == 0
    assert book.members
    assert hunt.walked >= 400  # those of the last round are all made
    assert hunt.walk(book, 200, seed=9000) == 0
    for member in book.members:
        assert member.candidate.picture.facts <= ENOUGH
        assert member.caught >= member.only > 0


def test_walks_find_what_the_rules_before_miss(tmp_path: Path) -> None:
    book = tmp_path / "b.toml"
    words = ["--rules", "found-5", "-n", "30", "--proofs", str(tmp_path)]
    result = run("discover", "5x9", *words, "-o", str(book))
    *_, walked, missed = result.out.splitlines()
    walks, lost = re.findall(r"\d+", walked)
    assert int(walks) >= 30
    good = lost == "0" and missed == "0 dead moves missed"
    assert result.code == (0 if good else 1)
    assert result.out.count(": PROVED for ") == len(load_file(book)) > 0
    assert "# oneway discover 5x9 --rules found-5\n" in book.read_text()
    stuck = []
    for rules in ("found-5", f"found-5,{book}"):
        walker = load_rules(rules).walker(Board.parse("5x9"))
        stuck.append(sum(not walker.walk(seed).complete for seed in range(100)))
    assert stuck[1] < stuck[0] / 3


def test_a_run_without_time_ends_and_reports_what_is_missed(tmp_path: Path) -> None:
    words = ["--seconds", "1e-9", "--proofs", str(tmp_path)]
    result = run("discover", "3x9", "-n", "20", *words)
    assert result.code == 1
    assert "0 rules, the fewest of a pool of 0 drawings\n" in result.out
    assert not result.out.endswith("\n0 dead moves missed\n")


def test_gaps_that_nothing_explains_are_not_tried_again() -> None:
    position = Position.parse("9:DRURDDDRDR")
    pool = Pool(gaps_at(position.board, [(position, "D")]), quick=True)
    assert list(explain_all(pool, {pool.gaps.key(0)})) == []
    assert pool.open.tolist() == [True]
    tried = set[bytes]()
    [(number, drawing)] = explain_all(pool, tried)
    assert (number, tried) == (0, set())
    assert drawing is not None
    assert pool.open.tolist() == [False]
