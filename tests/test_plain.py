"""Small rounds through all kernels, of which known answers or doubles are at hand.

They take little here. `make plain` runs them once more without numba, where an index
beside an array or a number too large for its type is an error.
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
DEAD = "5:RRRD"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("4x5:RRDLD", Rules.FOUR),
        (DEAD, Rules.FOUR),
        (f"{ODD}:R", Rules.FOUR),
        ("3x5:RRDL", Rules.FOUR),
    ],
)
def test_the_universal_rules_say_what_their_double_says(
    text: str, rules: Rules
) -> None:
    position = Position.parse(text)
    fast, slow = Propagator(position.board, rules), Naive(position.board, rules)
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


@pytest.mark.parametrize("spec", ["seed-5,seed-close", "seed-kernels", "universal-4"])
def test_walks_are_those_of_a_tracker(spec: str) -> None:
    board, rules = Board.parse("6x7@2,1>5,6!3,4;4,4"), load_rules(spec)
    fast, slow = rules.walker(board), SlowWalker(rules.walker(board))
    assert [fast.walk(seed) for seed in range(4)] == [
        slow.walk(seed) for seed in range(4)
    ]


def test_walks_under_forced_edges_are_those_of_a_tracker() -> None:
    rules = RuleSet("ties", parse_rules(CORNER + FULL))
    board = Board.parse(ODD)
    fast, slow = rules.walker(board), SlowWalker(rules.walker(board))
    assert [fast.walk(seed) for seed in range(8)] == [
        slow.walk(seed) for seed in range(8)
    ]
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
