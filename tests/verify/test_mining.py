"""Mining finds gaps of weak rules, makes them minimal and goes on where it was."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from heuristic.groups import load_rules
from heuristic.python_rule import PythonRule
from heuristic.rule import Boards, RuleSet
from solver.board import Board, Position
from solver.oracles.oracle import Answer, Verdict, get_oracle
from tests.runner import run
from tests.runs.sums import answer_of
from tests.samples import rule_text
from verify.corpus.cases import Origin, load_case, save_case
from verify.corpus.faults import rule_case
from verify.corpus.replay import replay
from verify.evidence.mining import (
    Finding,
    Mined,
    Obstacle,
    findings,
    gaps_of_walks,
    mining,
    obstacles,
    shrinking,
)
from verify.shrink import cause, shrink_gap
from verify.truth import first_fatal, gap_moves, truth, wrong_moves

WEAK = "forced-edges,fragments"
SEARCH = get_oracle("search")


def mined_findings(rules: str, walks: int, board: str = "9") -> list[Finding]:
    rule_set = load_rules(rules)
    mined = answer_of(mining(rule_set, Board.parse(board), count=walks, seed=0))
    smaller = answer_of(shrinking(rule_set, mined.obstacles, boards=Boards.ANY))
    return findings(mined, rule_set, smaller)


def test_gaps_are_gaps_and_minimal() -> None:
    rules, sat = load_rules(WEAK), get_oracle("sat")
    gaps = mined_findings(WEAK, 20)
    assert gaps
    for gap in gaps:
        position, moves = gap.position, set(gap.moves)
        assert gap.kind == "gap"
        forbidden = {f.move for f in rules.forbids(position)}
        verdicts = truth(position, sat)
        dead = {move for move, word in verdicts.items() if word == "dead"}
        assert moves == dead - forbidden != set()
        assert dead != set(verdicts)
        assert position.board.open_cells <= gap.obstacle.position.board.open_cells
        again = shrink_gap(rules, position, SEARCH)
        assert again.board.open_cells == position.board.open_cells


def test_gaps_of_drawn_rules_stay_positions_of_a_board_where_the_rules_speak() -> None:
    rules = load_rules("seed-5")
    gaps = mined_findings("seed-5", 20)
    assert gaps
    for gap in gaps:
        board, origin = gap.position.board, gap.obstacle.position
        assert board == Board.square(board.rows)
        assert gap.position.heading >= 0
        assert len(gap.position.walk) <= len(origin.walk)
        before = cause(origin, gap_moves(rules, origin, SEARCH))
        assert cause(gap.position, gap.moves) == before


@pytest.mark.parametrize("board", ["9", "8@1,1>8,1"])
def test_a_wrong_rule_is_named_with_its_smallest_position(
    board: str, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(rule_text("ahead", "? . ?\nx @ x"))
    rules = load_rules(str(file))
    [wrong] = mined_findings(str(file), 30, board)
    assert (wrong.kind, wrong.obstacle.rule) == ("unsound", "ahead")
    assert wrong.obstacle.times == 30
    assert wrong_moves(rules, wrong.position, SEARCH, "ahead") == wrong.moves != ""
    assert (wrong.position.board.open_cells, len(wrong.position.moves)) == (6, 2)


def test_findings_are_joined_and_wrong_rules_come_first() -> None:
    large, small = Position.parse("7:RRDRURDDLD"), Position.parse("3:DDR")
    met = (
        *(Obstacle("", large, 9, 2), Obstacle("", large.back(), 4, 1)),
        *(Obstacle("ahead", large, 7, 1), Obstacle("", small, 8, 1)),
    )
    shrunk = {0: ("5:RD", "R"), 1: ("5:RD", "R"), 2: ("5:RRRR", "D"), 3: ("3:D", "R")}
    hunt = Mined(walks=50, stuck=5, by_gap=4, by_wrong=1, obstacles=met)
    wrong, least, joined = findings(hunt, load_rules("seed-5"), shrunk)
    assert (wrong.kind, wrong.obstacle.rule) == ("unsound", "ahead")
    assert least.position == Position.parse("3:D")
    assert (joined.position.notation, joined.moves) == ("5:RD", "R")
    assert (joined.obstacle.seed, joined.obstacle.times) == (4, 3)


def test_a_stuck_walk_is_blamed_where_it_was_lost() -> None:
    rules = load_rules("seed-5")
    lost = [*obstacles(rules, Board.square(7), walks=60, seed=0)]
    assert lost
    for [gap] in lost:
        assert gap.rule == ""
        stuck = rules.walker(Board.square(7)).walk(gap.seed)
        fatal = first_fatal(stuck, SEARCH)
        assert fatal is not None
        assert fatal.before == gap.position
        assert fatal.move in gap_moves(rules, gap.position, SEARCH)


def test_a_gap_where_a_wrong_rule_leaves_a_good_move_is_a_gap() -> None:
    def split(position: Position) -> list[str]:
        moves = truth(position, SEARCH).items()
        good = [move for move, word in moves if word == "completable"]
        return good[1:]  # one completable move is left wherever there is one

    rules = RuleSet("split", [PythonRule(split)])
    lost = [*obstacles(rules, Board.square(5), walks=40, seed=0)]
    assert lost
    assert {met.rule for some in lost for met in some} == {""}


def test_an_unknown_fatal_step_names_no_obstacle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def limited(position: Position) -> Answer:
        early = len(position.walk) <= 3
        return Answer(Verdict.COMPLETABLE if early else Verdict.UNKNOWN)

    oracle = SimpleNamespace(name="limited", decide=limited)
    monkeypatch.setattr("verify.evidence.mining.get_oracle", lambda _: oracle)
    rules = load_rules("seed-5")
    stuck = [*obstacles(rules, Board.square(5), walks=20, seed=0)]
    assert stuck
    assert not any(stuck)
    mined = answer_of(mining(rules, Board.square(5), count=20, seed=0))
    assert (mined.stuck, mined.by_gap, mined.by_wrong) == (len(stuck), 0, 0)


def test_every_rule_that_forbids_a_good_move_is_named() -> None:
    def left_and_ahead(position: Position) -> set[str]:
        return {position.turn("left"), position.turn("ahead")}

    def right_and_ahead(position: Position) -> set[str]:
        return {position.turn("right"), position.turn("ahead")}

    both = [PythonRule(left_and_ahead), PythonRule(right_and_ahead)]
    rules = RuleSet("both", both)
    lost = [*obstacles(rules, Board.square(5), walks=5, seed=0)]
    assert len(lost) == 5
    for some in lost:
        assert {met.rule for met in some} <= {"left-and-ahead", "right-and-ahead"}
        assert len({met.position for met in some}) == 1
    assert any(len(some) == 2 for some in lost)


@pytest.mark.slow
def test_the_four_rules_have_gaps_on_large_boards() -> None:
    rules = load_rules("universal-4")
    position, moves = next(gaps_of_walks(rules, Board.square(31), walks=1000, seed=700))
    assert gap_moves(rules, position, SEARCH) == moves


def test_a_gap_of_a_case_is_made_small(tmp_path: Path) -> None:
    rules = load_rules(WEAK)
    position, moves = next(gaps_of_walks(rules, Board.square(9), walks=10, seed=0))
    case = rule_case("", position, position, moves, Origin(WEAK), "a walk")
    path, _ = save_case(case, tmp_path)
    ran = run("corpus", "add", path.stem, "--any-board", "--corpus", str(tmp_path))
    (other,) = {*tmp_path.glob("gap/*.toml")} - {path}
    small = load_case(other)
    cells = small.position.board.open_cells
    assert f"cells: {cells}\n  was: 81\n" in ran.out
    assert cells < 81
    assert small.found == case.position.notation
    assert replay(small).good
    assert cause(small.position, small.subject) == cause(position, moves)
