"""A proof holds on the boards it names: every start on them, of both colours."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from heuristic.rule import Boards, RuleSet
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.oracles.oracle import why_dead
from solver.positions import completable_positions
from tests.doubles.exhaustion import first_wrong
from tests.proof.test_prove import STRAIGHT, rule
from tests.proof.tied_worlds import board_in
from tests.runner import run
from tests.samples import book, proof_of
from verify.proof.counterexample import Refutation
from verify.proof.encoding import UPPER_LEFT
from verify.proof.formula import Scope
from verify.proof.prove import Proved, never_fires, prove_void
from verify.verdict import verdict
from verify.verdict.conditions import missing
from verify.verdict.verdict import in_all_scopes

IN_A_CORNER = 'frame = "board"\nheading = "U"'


def boards_of(proved: Proved, sizes: list[tuple[int, int]]) -> list[Board]:
    """Return boards without walls for which a rule is proved, with all their ends."""
    boards = [
        Board(rows, cols, start, end)
        for rows, cols in sizes
        for start, end in permutations(range(rows * cols), 2)
        if start == 0 or not proved.upper_left
    ]
    inside = [board for board in boards if board_in(proved.scope, board)]
    return [board for board in inside if not why_dead(Position(board))]


def wrong_boards(name: str, boards: list[Board]) -> list[Board]:
    """Return the boards where a rule forbids a good move."""
    return [x for x in boards if first_wrong([book(name)], completable_positions(x))]


def test_a_proof_in_the_board_frame_says_where_the_start_lies() -> None:
    others = [*map(Board.parse, ("2x3@2,1>1,3", "2x3@1,3>2,1", "3@1,3>3,1"))]
    for name in ("near-border-front", "near-border-side"):
        proved = proof_of(book(name))
        assert proved.boards == UPPER_LEFT
        assert wrong_boards(name, others)
        boards = boards_of(proved, [(3, 3), (3, 4), (4, 3)])
        assert not wrong_boards(name, boards)
    wide = tuple((part, replace(proof, wide=True)) for part, proof in proved.proofs)
    assert replace(proved, proofs=wide).boards == Scope.CORNERS.value


@pytest.mark.parametrize(
    "name", ["area-near-border", "count-area-2-across", "double-c-shape", "c-shape"]
)
def test_no_start_of_the_scope_is_left_out(name: str) -> None:
    """All four corners, all rim cells, and of a rule proved everywhere all cells."""
    proved = proof_of(book(name))
    boards = boards_of(proved, [(3, 3), (3, 4)])
    starts = {(board.rows, board.cols, board.start) for board in boards}
    corners, rim = {0, 3, 8, 11}, set(range(12)) - {5, 6}
    wanted = {Scope.CORNERS: corners, Scope.RIM: rim}.get(proved.scope, set(range(12)))
    assert {start for rows, cols, start in starts if (rows, cols) == (3, 4)} == wanted
    assert {board.black(board.start) for board in boards} == {True, False}
    assert wrong_boards(name, boards) == []


def test_all_scopes_are_reported_with_the_smallest_counterexample() -> None:
    judged = in_all_scopes(book("near-border-side"), seconds=2.0, seed=0)
    assert [x.word for x in judged] == ["REFUTED"] * 3 + ["PROVED"]
    assert judged[-1].boards == UPPER_LEFT
    ran = run("prove", "near-border-side", "--all-scopes", "--seconds", "2")
    assert f"  PROVED for {UPPER_LEFT}\n" in ran.out
    for scope in judged[:3]:
        wrong = scope.refutation
        assert wrong is not None
        assert wrong.position.board.cells <= 6
        case = f"{wrong.position.notation} can be completed by {wrong.move}"
        assert f"  REFUTED for {scope.boards}: {case}\n" in ran.out


def test_what_is_wrong_in_a_scope_is_wrong_in_the_wider_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = Refutation("wrong", Position.parse("5:R"), "D", (), "a test")

    def only_there(rule: RuleSpec, scope: Scope, **limits: Any) -> Refutation | None:
        return wrong if scope is Scope.CORNERS else None

    monkeypatch.setattr(verdict, "counterexample_in", only_there)
    judged = in_all_scopes(STRAIGHT, seconds=1.0, seed=0)
    assert [x.word for x in judged] == ["REFUTED"] * 4


def test_conditions_do_not_move_the_start_to_the_upper_left() -> None:
    """A condition that helps only there is not listed for starts in all corners."""
    (drawing,) = rule("B % ?\nB K ?\nB x @", IN_A_CORNER).drawings
    (turn, *_), texts = drawing.turns, {}
    for boards in (Boards.UPPER_LEFT, Boards.CORNERS):
        changes = missing(drawing, turn, (0, 1), within=boards)
        texts[boards] = [change.text for change in changes]
    assert texts[Boards.UPPER_LEFT] == ["[0, 1] is not free", "[1, 2] is outside"]
    assert texts[Boards.CORNERS] == ["[0, 1] is not free"]


def test_a_void_rule_is_void_on_the_boards_that_were_proved() -> None:
    """From the lower left corner the position 3@3,1>1,3:U matches, completable by U."""
    silent = rule("? . ?\nB @ x", IN_A_CORNER)
    assert RuleSet(silent.name, [silent]).forbids(Position.parse("3@3,1>1,3:U"))
    void = prove_void(silent, seconds=5.0)
    assert void is not None
    assert void.admitted is Boards.UPPER_LEFT
    assert void.boards == UPPER_LEFT
    assert never_fires(silent, seconds=5.0)
    assert not never_fires(replace(silent, boards=Boards.CORNERS), seconds=5.0)
