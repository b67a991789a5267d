"""Mining finds gaps of weak rules, makes them minimal and goes on where it was."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.errors import CaseError
from solver.oracles.oracle import Verdict, get_oracle
from tests.runner import assert_refused, run
from verify.campaign import engine
from verify.corpus.cases import load_case, load_corpus, parse_case, save_case
from verify.corpus.origin import Origin
from verify.corpus.replay import replay
from verify.trial.completeness import cause, gap_moves, shrink
from verify.trial.mining import Gap, gap_case, mine, mining

WEAK = "forced-edges,fragments"
SEARCH = get_oracle("search")


def found(
    rules: str, walks: int, *, minimal: bool = True, any_board: bool = False
) -> list[Gap]:
    rule_set, board = load_rules(rules), Board.square(9)
    gaps = mine(
        rule_set, board, walks=walks, seed=0, minimal=minimal, any_board=any_board
    )
    return list(gaps)


def test_gaps_are_gaps_and_minimal() -> None:
    rules, sat = load_rules(WEAK), get_oracle("sat")
    gaps = found(WEAK, 20, any_board=True)
    assert gaps
    for gap in gaps:
        position = gap.position
        assert sat.decide(position).verdict is Verdict.COMPLETABLE
        forbidden = {f.move for f in rules.forbids(position)}
        assert gap.moves
        assert not forbidden & set(gap.moves)
        for move in gap.moves:
            assert sat.decide(position.step(move)).verdict is Verdict.DEAD
        assert position.board.open_cells <= gap.found.unvisited + 1
        again = shrink(rules, position, SEARCH, any_board=True)
        assert again.board.open_cells == position.board.open_cells


def test_gaps_as_they_were_found() -> None:
    for gap in found(WEAK, 20, minimal=False):
        assert gap.position.board.open_cells == 81
        assert gap_moves(load_rules(WEAK), gap.found, SEARCH)


def test_gaps_of_drawn_rules_stay_positions_of_a_board_where_the_rules_speak() -> None:
    rules = load_rules("seed-5")
    gaps = found("seed-5", 20)
    assert gaps
    for gap in gaps:
        board = gap.position.board
        assert board == Board.square(board.rows)
        assert gap.position.heading >= 0
        assert len(gap.position.walk) <= len(gap.found.walk)
        before = cause(gap.found, gap_moves(rules, gap.found, SEARCH))
        assert cause(gap.position, gap.moves) == before


def test_on_any_board_drawn_rules_are_asked_after_a_step_too() -> None:
    for gap in found("seed-5", 6, any_board=True):
        assert gap.position.heading >= 0
        assert gap_moves(load_rules("seed-5"), gap.position, SEARCH) == gap.moves


def test_the_original_is_kept_beside_the_small_form(tmp_path: Path) -> None:
    words = ("mine", "7", "-r", "seed-5", "-n", "8", "--json")
    told = run(*words, "--corpus", str(tmp_path))
    assert told.code == 0
    cases = list(load_corpus(tmp_path))
    assert cases
    for case in cases:
        assert parse_case(case.to_toml(), "x").found == case.found
        if case.found:
            assert f'"found": "{case.found}"' in told.out
            assert Position.parse(case.found).board == Board.square(7)
    assert any(case.found for case in cases)
    text = replace(cases[0], found="7:X").to_toml()
    with pytest.raises(CaseError, match="found"):
        parse_case(text, "x")


def test_no_gap_where_nothing_is_wrong() -> None:
    rules = load_rules("universal-probing")
    for text in ("5:", "5:RRDL", "5:RRDLD", "3x9@1,5>3,5:", "1:", "2:"):
        assert gap_moves(rules, Position.parse(text), SEARCH) == ""
    assert gap_moves(load_rules("universal-4"), Position.parse("3x9@1,5>3,5:"), SEARCH)


def test_the_campaign_finds_what_mining_finds() -> None:
    parameters = {
        "rules": WEAK,
        "board": "9",
        "count": 20,
        "seed": 0,
        "minimal": True,
        "any_board": False,
    }
    mined = engine.run(mining, parameters, small=1e9).answer
    assert mined is not None
    rules = load_rules(WEAK)
    assert mined.gaps == list(mine(rules, Board.square(9), walks=20, seed=0))
    assert mined.walks == 20
    assert mined.gaps


@pytest.mark.slow
def test_the_four_rules_have_gaps_on_large_boards() -> None:
    rules = load_rules("universal-4")
    gap = next(mine(rules, Board.square(31), walks=1000, seed=700))
    assert gap_moves(rules, gap.position, SEARCH) == gap.moves


def test_a_gap_of_a_case_is_made_small(tmp_path: Path) -> None:
    gap = found(WEAK, 10, minimal=False)[0]
    rules, there = load_rules(WEAK), ("--corpus", str(tmp_path))
    case = gap_case(gap.position, gap.found, rules, Origin(WEAK), "a walk")
    path, _ = save_case(case, tmp_path)
    words = ("corpus", "add", case.name, "--any-board", "--json")
    told = json.loads(run(*words, *there).out)
    (other,) = {*tmp_path.glob("gap/*.toml")} - {path}
    small = load_case(other)
    assert small.position.notation == told["position"]
    assert small.position.board.open_cells == told["cells"] < told["was"] == 81
    assert small.found == case.position.notation
    assert replay(small).good
    assert cause(small.position, small.subject) == cause(gap.position, gap.moves)


def test_only_gaps_are_made_small(tmp_path: Path) -> None:
    run("corpus", "add", "5:RR", "--corpus", str(tmp_path))
    (path,) = tmp_path.glob("*/*.toml")
    ran = run("corpus", "add", path.stem, "--corpus", str(tmp_path))
    assert_refused(ran)
    assert "no gap" in ran.err
