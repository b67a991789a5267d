"""Random complete walks, and the first wrong position of many rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import LETTERS, Board
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from tests.samples import book
from verify.checker.position import find_fault
from verify.refute.first_wrong import Trier, complete_walks, completion, walked
from verify.refute.refute import refute_exhaustive, wrong_moves
from verify.verdict.mutants import mutants

SIZES = ["3x3", "4x5", "5x4", "5", "7x3", "9", "6x11"]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(SIZES), st.integers(0, 99), st.sampled_from([0.0, 0.5, 2.0]))
def test_every_walk_is_complete(text: str, seed: int, straightness: float) -> None:
    board = Board.parse(text)
    for walk in complete_walks(board, 3, seed=seed, straightness=straightness):
        assert find_fault(f"{text}:", walk[1:].tolist()) is None


def test_walks_reach_all_there_are() -> None:
    """All 104 walks of the 5 x 5 board are found, and none too rarely."""
    walks = complete_walks(Board.square(5), 20_000, seed=2)
    counts: dict[tuple[int, ...], int] = {}
    for walk in walks.tolist():
        counts[tuple(walk)] = counts.get(tuple(walk), 0) + 1
    assert len(counts) == 104
    assert min(counts.values()) > 20


def test_straight_walks_turn_less() -> None:
    board = Board.square(13)

    def turns(straightness: float) -> int:
        walks = complete_walks(board, 20, seed=1, straightness=straightness)
        steps = walks[:, 1:] - walks[:, :-1]
        return int((steps[:, 1:] != steps[:, :-1]).sum())

    assert turns(1.0) < turns(0.4) < turns(0.0)


@pytest.mark.parametrize("text", ["4x4", "1x5", "5!2,2", "5@1,5>5,1"])
def test_other_boards_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="no plain walk"):
        complete_walks(Board.parse(text), 1, seed=0)


def test_positions_of_walks_know_their_next_step() -> None:
    board = Board.parse("5x7")
    walks = complete_walks(board, 3, seed=5)
    tree = walked(board, walks)
    assert len(tree) == 3 * 35
    for index in (0, 3, 36, 80, 103):
        (move,) = (d for d in range(4) if tree.good[index] >> d & 1)
        rest = completion(tree, index, move)
        assert find_fault(tree.position(index).notation, rest) is None
        assert tuple(walks[index // 35][index % 35 + 1 :]) == rest
    assert tree.good[34] == 0


def test_the_first_wrong_positions_are_those_of_the_evidence() -> None:
    board = Board.square(5)
    rules = [
        mutant
        for name in ("c-shape", "near-border-front")
        for _, mutant in mutants(book(name))
    ]
    tree, trier = completable_positions(board), Trier(rules)
    found = dict(trier.run(tree))
    assert {rules[n].name for n in found} == set(refute_exhaustive(rules, board)[0])
    assert 0 < len(found) < len(rules)
    assert len(list(Trier([rules[n] for n in found]).run(tree))) == len(found)
    assert [bool(x) for x in trier.left] == [n not in found for n in range(len(rules))]
    oracle = get_oracle("sat")
    for number, index in found.items():
        position = tree.position(index)
        wrong = wrong_moves(rules[number], position, oracle)
        assert wrong is not None
        rest = completion(tree, index, LETTERS.index(wrong[0]))
        assert find_fault(position.notation, rest) is None
    assert list(trier.run(tree)) == []  # the others are right here
