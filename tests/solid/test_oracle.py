"""The oracle `strips` on hard cases and small boards; where it has no answer."""

import tomllib
from collections import Counter

import pytest

from solver.board import Board, Position
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.solid.certificate import find_certificate
from verify.checker.dead import find_dead_fault
from verify.corpus.cases import corpus_folder

HARD = tomllib.loads(
    (corpus_folder() / "dead" / "with-factor.toml").read_text(encoding="utf-8")
)["positions"]


@pytest.mark.parametrize(
    "every", [9, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.no_cover])]
)
def test_hard_cases(every: int) -> None:
    """Dead positions that have a factor: no count of an area refutes them."""
    strips, search_oracle = get_oracle("strips"), get_oracle("search")
    kinds = Counter[str]()
    for text in HARD[::every]:
        position = Position.parse(text)
        assert strips.decide(position).verdict is Verdict.DEAD
        assert search_oracle.decide(position).verdict is Verdict.DEAD
        found = find_certificate(position)
        assert found is not None
        assert find_dead_fault(text, found.data) is None
        kinds[found.kind] += 1
    assert set(kinds) <= {"cuts", "static"}
    if every == 1:
        assert kinds == {"cuts": len(HARD) - 2, "static": 2}


@pytest.mark.parametrize(
    ("side", "count"),
    [
        (5, 923),
        pytest.param(7, 116_509, marks=[pytest.mark.slow, pytest.mark.no_cover]),
    ],
)
def test_every_position_with_a_completable_parent(side: int, count: int) -> None:
    """Positions that differ in the order of visited cells alone count as one."""
    oracle, questions = get_oracle("strips"), set[tuple[int, int]]()
    for position, good in completable_positions(Board.square(side)):
        visited = sum(1 << cell for cell in position.walk)
        for move, cell in position.options().items():
            if (visited, cell) in questions:
                continue
            questions.add((visited, cell))
            answer = oracle.decide(position.step(move))
            assert (answer.verdict is Verdict.COMPLETABLE) == (move in good)
            assert (answer.verdict is Verdict.DEAD) == (move not in good)
    assert len(questions) == count
