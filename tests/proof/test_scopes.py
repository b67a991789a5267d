"""A proof holds on the boards it names: every start on them, of both colours."""

from dataclasses import replace
from random import Random

import pytest

from heuristic.rules.drawing import Frame, RuleSpec
from solver.board import Board
from solver.positions import completable_positions
from tests.proof.test_proofs_agree import small
from tests.runner import run
from tests.samples import book, proof_of
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule
from verify.proof.window import UPPER_LEFT
from verify.refute.refute import Trier
from verify.verdict.sharpen import advice, spared
from verify.verdict.verdict import boards_in, in_all_scopes


def boards_of(proved: Proved, sizes: list[tuple[int, int]]) -> list[Board]:
    """Return boards without walls for which a rule is proved, with all their ends."""
    found = []
    for rows, cols in sizes:
        for scope in list(Scope)[list(Scope).index(proved.scope) :]:
            many = boards_in(scope, rows, cols, Random(0), most=10**6)
            found += [board for board in many if not board.walls]
    return [b for b in dict.fromkeys(found) if not proved.upper_left or b.start == 0]


def wrong_boards(rules: list[RuleSpec], boards: list[Board]) -> list[str]:
    """Return for each rule that forbids a good move the first board where it does."""
    trier = Trier([replace(rule, stops=False, unless=()) for rule in rules])
    return [
        f"{rules[number].name}: {board.notation}"
        for board in boards
        for number, _ in trier.run(completable_positions(board))
    ]


def test_a_proof_in_the_board_frame_says_where_the_start_lies() -> None:
    for name in ("near-border-front", "near-border-side"):
        proved = proof_of(book(name))
        assert proved.boards == UPPER_LEFT
        others = [Board.parse(text) for text in ("2x3@2,1>1,3", "2x3@1,3>2,1")]
        assert wrong_boards([book(name)], [*others, Board.parse("3@1,3>3,1")])
        assert not wrong_boards(
            [book(name)], boards_of(proved, [(3, 3), (3, 4), (4, 3)])
        )
    turned = proof_of(book("double-c-shape"))
    assert turned.boards == Scope.CORNERS.value


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
    assert wrong_boards([book(name)], boards) == []


@pytest.mark.slow
def test_no_start_of_the_scope_is_left_out_by_any_small_rule() -> None:
    found = [(rule, prove_rule(rule)) for rule in small()]
    alike: dict[tuple[Scope, bool], list[tuple[RuleSpec, Proved]]] = {}
    for rule, proved in found:
        if isinstance(proved, Proved):
            key = proved.scope, proved.upper_left
            alike.setdefault(key, []).append((rule, proved))
    for (scope, _), group in alike.items():
        sizes = [(3, 3), (3, 4), (4, 3), (4, 4), (3, 5), (4, 5), (5, 5)]
        sizes = sizes[:4] if scope in (Scope.PLAIN, Scope.PLANAR) else sizes
        rules = [rule for rule, _ in group]
        assert wrong_boards(rules, boards_of(group[0][1], sizes)) == []


def test_all_scopes_are_reported_with_the_smallest_counterexample() -> None:
    told = in_all_scopes(book("near-border-side"), seconds=2.0)
    assert [one.word for one in told] == ["REFUTED"] * 3 + ["PROVED"]
    assert told[-1].boards == UPPER_LEFT
    for one in told[:3]:
        assert one.refutation is not None
        assert one.refutation.position.board.cells <= 6
    assert book("near-border-side").drawings[0].frame is Frame.BOARD
    ran = run("prove", "near-border-side", "--all-scopes", "--seconds", "2")
    assert ran.out.count("  REFUTED for every") == 3
    assert f"  PROVED for {UPPER_LEFT}\n" in ran.out


@pytest.mark.parametrize("scope", list(Scope), ids=lambda scope: scope.name)
def test_boards_of_a_scope_are_in_it(scope: Scope) -> None:
    for most in (10, 10**6):
        for board in boards_in(scope, 3, 4, Random(1), most=most):
            edge = [
                bool((board.neighbours[cell] < 0).any())
                for cell in (board.start, board.end)
            ]
            assert scope.walled or not board.walls
            assert scope is Scope.PLAIN or all(edge)
            if scope is Scope.CORNERS:
                assert board.start + board.end == 11
                assert board.start in (0, 3, 8, 11)


def test_sharpening_keeps_the_boards_or_says_that_they_are_fewer() -> None:
    rule = book("far-across-right-start-c")
    proved = proof_of(rule)
    fewer = [line for line in advice(proved) if "for fewer boards" in line]
    kept = spared(rule, within=proved.scope)
    some = spared(rule)
    assert len(some) == len(kept) + len(fewer) > len(kept)
    for number, change in kept:
        drawings = list(rule.drawings)
        drawings[number] = change.drawing
        again = proof_of(replace(rule, drawings=tuple(drawings)), within=proved.scope)
        assert list(Scope).index(again.scope) <= list(Scope).index(proved.scope)
