"""Small rounds through all kernels, of which known answers or doubles are at hand.

`make plain` runs them once more without numba, where an index beside an array or a
number too large for its type is an error.
"""

import pytest

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from heuristic.rules.rulefile import parse_rules
from heuristic.walker import LeftFirstWalk
from solver.board import Board, Position
from solver.counting.count import UniformWalks, count_completions, rank, unrank
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import get_oracle
from solver.oracles.reference import BruteOracle
from solver.propagation.propagate import Propagator, Rules
from tests.doubles.propagate import Naive
from tests.doubles.walkers import SlowWalker
from tests.heuristic.test_ties import CORNER, FULL
from tests.samples import FIRING
from verify.checker.position import find_fault

pytestmark = pytest.mark.plain
ODD = "5x6@2,1>5,5!3,4"
WALLED = "6x7@2,1>5,6!3,4;4,4"
DEAD = "5:RRRD"


@pytest.mark.parametrize("text", ["4x5:RRDLD", DEAD, f"{ODD}:R", "3x5:RRDL"])
def test_the_universal_rules_say_what_their_double_says(text: str) -> None:
    position = Position.parse(text)
    fast = Propagator(position.board, Rules.FOUR)
    slow = Naive(position.board, Rules.FOUR)
    before = fast.refuted
    for cell in position.walk[1:]:
        if not fast.refuted:
            assert fast.push(cell) == slow.push(cell)
    assert fast.refuted == slow.refuted
    while len(fast.walk) > 1:
        fast.pop()
    assert fast.refuted == before


@pytest.mark.parametrize("name", ["sat", "search", "frontier"])
@pytest.mark.parametrize("text", ["5:RRDDL", DEAD, f"{ODD}:", "4x7@1,1>4,7:R"])
def test_oracles_say_what_brute_force_says(name: str, text: str) -> None:
    position = Position.parse(text)
    answer = get_oracle(name).decide(position)
    assert answer.verdict is BruteOracle().decide(position).verdict
    if answer.witness is not None:
        assert find_fault(position.notation, answer.witness) is None


def test_counts_ranks_and_draws_of_5x5() -> None:
    board = Board.square(5)
    assert count_completions(Position(board)) == 104
    assert [rank(unrank(board, n)) for n in (0, 50, 103)] == [0, 50, 103]
    assert UniformWalks(Position(board), seed=1).draw().complete
    assert exact_walk(board, 5).position.complete


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        (load_rules("seed-5,seed-close"), WALLED),
        (load_rules("seed-kernels"), WALLED),
        (load_rules("universal-4"), WALLED),
        (RuleSet("forced edges", parse_rules(CORNER + FULL)), ODD),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_walks_are_those_of_a_tracker(rules: RuleSet, board: str) -> None:
    fast = rules.walker(Board.parse(board))
    slow = SlowWalker(rules.walker(Board.parse(board)))
    for seed in range(8):
        assert fast.walk(seed) == slow.walk(seed)


def test_rules_of_forced_edges_are_needed() -> None:
    rules = RuleSet("forced edges", parse_rules(CORNER + FULL))
    run = LeftFirstWalk(rules, Position.parse("4x5@1,1>4,1:"))
    run.run()
    assert run.needed


def test_all_walks_of_5x5_left_first() -> None:
    run = LeftFirstWalk(load_rules("seed-5"), Position.parse("5:"))
    run.run()
    assert (run.completed, run.stuck) == (104, 28)


@pytest.mark.parametrize("name", FIRING)
def test_a_procedure_forbids_where_it_is_known_to(name: str) -> None:
    assert load_rules(name).forbids(Position.parse(FIRING[name][0]))
