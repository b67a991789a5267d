"""The first wrong position of many rules."""

from solver.board import LETTERS, Board
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from tests.doubles.exhaustion import refute_exhaustive
from tests.doubles.mutation import mutants
from tests.samples import book
from verify.checker.position import find_fault
from verify.refute.refute import Trier, completion, wrong_moves


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
