"""Mining finds gaps of weak rules, makes them minimal and goes on where it was."""

from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.oracles.oracle import Verdict, get_oracle
from verify.corpus.cases import load_corpus, replay
from verify.evidence.mining import Gap, gap_moves, mine, run_mine, shrink

WEAK = "forced-edges,fragments"
SEARCH = get_oracle("search")


def found(rules: str, walks: int, *, minimal: bool = True) -> list[Gap]:
    board = Board.square(9)
    return list(mine(load_rules(rules), board, walks=walks, seed=0, minimal=minimal))


def test_gaps_are_gaps_and_minimal() -> None:
    rules, sat = load_rules(WEAK), get_oracle("sat")
    gaps = found(WEAK, 40)
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
        assert shrink(rules, position, SEARCH).board.open_cells == (
            position.board.open_cells
        )


def test_gaps_as_they_were_found() -> None:
    for gap in found(WEAK, 40, minimal=False):
        assert gap.position.board.open_cells == 81
        assert gap_moves(load_rules(WEAK), gap.found, SEARCH)


def test_rules_written_as_drawings_have_gaps_too() -> None:
    assert found("seed-5", 20, minimal=False)


def test_no_gap_where_nothing_is_wrong() -> None:
    rules = load_rules("universal")
    for text in ("5:", "5:RRDL", "5:RRDLD", "3x9@1,5>3,5:", "1:", "2:"):
        assert gap_moves(rules, Position.parse(text), SEARCH) == ""
    assert gap_moves(load_rules("universal-4"), Position.parse("3x9@1,5>3,5:"), SEARCH)


def test_a_run_is_saved_and_resumed(tmp_path: Path) -> None:
    corpus, state = tmp_path / "corpus", tmp_path / "state.json"
    board, told = Board.square(9), []
    first = run_mine(
        WEAK,
        board,
        corpus=corpus,
        walks=30,
        resume=state,
        tell=lambda gap, path, new: told.append((path, new)),
    )
    assert first.walks == first.next_seed == 30
    assert first.gaps == len(told) >= first.saved == sum(new for _, new in told) > 0
    cases = list(load_corpus(corpus))
    assert len(cases) == first.saved
    assert [replay(case) for case in cases] == [[]] * len(cases)
    assert all("forced-edges forbids" in case.why for case in cases)
    again = run_mine(WEAK, board, corpus=corpus, walks=30, resume=state)
    assert again == first
    more = run_mine(WEAK, board, corpus=corpus, walks=40, resume=state)
    assert more.walks == 40
    assert not list(tmp_path.glob("**/.*"))


@pytest.mark.slow
def test_the_four_rules_have_gaps_on_large_boards() -> None:
    rules = load_rules("universal-4")
    gap = next(mine(rules, Board.square(31), walks=1000, seed=700))
    assert gap_moves(rules, gap.position, SEARCH) == gap.moves
