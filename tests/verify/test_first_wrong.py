"""Rules tried on all positions of a small board."""

from solver.board import Board
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from tests.doubles.exhaustion import first_wrong, refute_exhaustive
from tests.doubles.mutation import mutants
from tests.samples import book
from verify.checker.position import find_fault
from verify.proof.counterexample import refute_on, wrong_move


def test_a_small_board_refutes_the_rules_that_evidence_finds_wrong() -> None:
    board = Board.square(5)
    rules = [
        mutant
        for name in ("c-shape", "near-border-front")
        for _, mutant in mutants(book(name))
    ]
    tree = completable_positions(board)
    found = first_wrong(rules, tree)
    assert {rules[n].name for n in found} == set(refute_exhaustive(rules, board)[0])
    assert 0 < len(found) < len(rules)
    oracle = get_oracle("sat")
    for number, index in found.items():
        position = tree.position(index)
        completion = wrong_move(rules[number], position, oracle)
        assert completion is not None
        assert find_fault(position.notation, completion) is None
    for number, rule in enumerate(rules[:20]):
        refutation = refute_on(rule, board)
        assert (refutation is not None) == (number in found)
        if refutation is not None:
            assert refutation.position == tree.position(found[number])
