"""The judge of reasons takes the honest ones, and no forged one."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.rule import Reason
from solver.board import Board, Position
from solver.oracles.oracle import Verdict
from tests.doubles.brute import BruteOracle
from tests.doubles.reasons import find_reason_fault


def because(kind: str, **of: Any) -> Reason:
    return Reason("", kind=kind, **of)


# Board 3 x 3, the walk over cells 0, 1, 2: completable by 5, 4, 3, 6, 7, 8. Cells:
# 0 1 2
# 3 4 5
# 6 7 8
GOOD = ("3:R", "R")


# Right reasons ------------------------------------------------------------------

RIGHT = (
    "3x9@1,5>3,5:",
    "4:R",
    "4x5:RRDD",
    "5:RRDL",
    "5:RRRDDRDL",
    "5:RRRRDLLDD",
    "7:RRDRURDDLDLDR",
    "9:RDLDRRUURRRRRRDDDDDLULL",
    "9:RRRDLDDLUULDDDDRURRRDRD",
)


def kinds(reason: Reason) -> set[str]:
    """Return the kinds of a reason and of all its steps."""
    return {reason.kind}.union(*(kinds(step) for step in reason.steps))


def test_right_reasons_are_accepted_and_each_step_counts() -> None:
    """Honest reasons of every kind; one with an edge more or a fact less is none."""
    seen = set[str]()
    for text in RIGHT:
        for rules in ("universal", "universal-4", "two-factor", "block-chain"):
            for forbid in load_rules(rules).forbids(Position.parse(text)):
                reason = forbid.reason
                assert find_reason_fault(text, forbid.move, reason) is None
                seen |= kinds(reason)
                for at, step in enumerate(reason.steps):
                    wrong = replace(step, edges=(*step.edges, (-2, -1)))
                    steps = (*reason.steps[:at], wrong, *reason.steps[at + 1 :])
                    spoilt = replace(reason, steps=steps)
                    assert find_reason_fault(text, forbid.move, spoilt) is not None
    assert seen >= {"forced", "no-loop", "tight", "starved", "overdrawn"}
    assert seen >= {"cut-off", "block", "loop"}


# Forged reasons -----------------------------------------------------------------

CONFLICTS = ("starved", "crowded", "loop", "cut-off", "block", "overdrawn")
STEPS = ("forced", "no-loop", "tight")


def forged(rng: random.Random, board: Board, walk: list[int], depth: int) -> Reason:
    """Return a made-up reason: cells, edges and steps with repeats, turned and empty.

    Half of its edges are those of the walk, which the checker knows to be in.
    """
    near = [(a, b) for a in range(board.cells) for b in board.neighbours[a] if b >= 0]
    known = [*pairwise(walk), *((b, a) for a, b in pairwise(walk))] or near

    def cells(most: int) -> tuple[int, ...]:
        return tuple(rng.choices(range(board.cells), k=rng.randint(0, most)))

    edges = [rng.choice(rng.choice((near, known))) for _ in range(rng.randint(0, 4))]
    edges += [rng.choice([(a, b), (b, a)]) for a, b in edges[:2]]
    steps = [
        replace(forged(rng, board, walk, depth - 1), kind=rng.choice(STEPS))
        for _ in range(rng.randint(0, 2) if depth else 0)
    ]
    if steps and rng.random() < 0.5:
        steps[-1] = replace(steps[-1], kind=rng.choice(CONFLICTS))
    return because(
        rng.choice(CONFLICTS),
        cells=cells(3),
        area=cells(6),
        edges=tuple((int(a), int(b)) for a, b in edges),
        facts=(("assumed", rng.randint(0, 1)),),
        steps=tuple(steps),
    )


def forgeries(rng: random.Random, reason: Reason) -> Iterator[Reason]:
    """Yield a reason with repeats, empty parts and pairs turned round, at one depth."""
    for part in ("cells", "area", "edges", "steps", "facts"):
        value = getattr(reason, part)
        for wrong in ((), value * 2, value[1:]):
            changed: dict[str, Any] = {part: wrong}
            yield replace(reason, **changed)
    yield replace(reason, edges=tuple((b, a) for a, b in reason.edges))
    yield replace(reason, edges=(*reason.edges, *((b, a) for a, b in reason.edges)))
    for at, step in enumerate(reason.steps):
        steps = [*reason.steps]
        steps[at] = rng.choice([*forgeries(rng, step)])
        yield replace(reason, steps=tuple(steps))


@pytest.mark.parametrize("text", ["3:", "3:R", "4@1,1>4,1:R", "3x4:RD", "2x3@1,1>1,2:"])
def test_no_forged_reason_is_taken_for_a_completable_move(text: str) -> None:
    """Random reasons, and honest ones of other moves with forged parts."""
    rng = random.Random(5)
    position = Position.parse(text)
    oracle = BruteOracle()
    alive = [
        move
        for move in position.options()
        if oracle.decide(position.step(move)).verdict is Verdict.COMPLETABLE
    ]
    assert alive
    honest = [
        forbid.reason
        for other in RIGHT
        for forbid in load_rules("universal-4").forbids(Position.parse(other))
    ]
    for move in alive:
        walk = list(position.step(move).walk)
        for _ in range(400):
            reason = forged(rng, position.board, walk, 2)
            assert find_reason_fault(text, move, reason) is not None, reason
        for reason in honest:
            for wrong in forgeries(rng, reason):
                assert find_reason_fault(text, move, wrong) is not None, wrong


# Each number of an argument is compared: the facts that a picture shows.
def test_each_fact_is_compared() -> None:
    area = (3, 6)
    right = {"black": 1, "white": 1, "wanted": 0, "at-black": 1, "at-white": 1}
    for name, number in right.items():
        facts = ((name, number),)
        why = find_reason_fault(*GOOD, because("overdrawn", area=area, facts=facts))
        assert why == "overdrawn: 0 lies in -1 to 1"
        facts = ((name, number + 1),)
        why = find_reason_fault(*GOOD, because("overdrawn", area=area, facts=facts))
        assert why == f"overdrawn: {name} is {number}, not {number + 1}"
