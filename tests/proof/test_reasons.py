"""A forged reason for each condition of its checker, refused for its fault."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.rule import Reason
from solver.board import Board, Position
from solver.oracles.brute import BruteOracle
from solver.oracles.oracle import Verdict
from tests.doubles.reasons import find_reason_fault


def because(kind: str, **of: Any) -> Reason:
    return Reason("", kind=kind, **of)


def after(kind: str, **of: Any) -> Reason:
    """Return a reason whose one step is of a kind; its conflict is one that holds."""
    return because("starved", cells=(4,), steps=(because(kind, **of),))


# Board 3 x 3, the walk over cells 0, 1, 2: completable by 5, 4, 3, 6, 7, 8. Cells:
# 0 1 2
# 3 4 5
# 6 7 8
GOOD = ("3:R", "R")

ON_GOOD: dict[str, list[Reason]] = {
    "unknown conflict 'hope'": [because("hope")],
    "unknown step 'hope'": [after("hope")],
    "starved: it names no open cell": [
        because("starved"),
        because("starved", cells=(9,)),
    ],
    "crowded: it names no open cell": [because("crowded", cells=(3, 4))],
    "starved: cell 3 can still have 2 edges of the 2 it needs": [
        because("starved", cells=(3,))
    ],
    "certificate: it is no JSON": [because("certificate", certificate="{")],
    "unknown kind None": [because("certificate", certificate="{}")],
    "crowded: cell 1 has no edge too many": [because("crowded", cells=(1,))],
    "forced: cell 4 has more edges than it needs": [after("forced", cells=(4,))],
    "forced: an edge is none that cell 3 may still get": [
        after("forced", cells=(3,), edges=((4, 5),))
    ],
    "forced: an edge is none that cell 1 may still get": [
        after("forced", cells=(1,), edges=((1, 4),))
    ],
    "no-loop: it names no edge": [after("no-loop")],
    "no-loop: edges in do not lead from cell 4 to cell 5": [
        after("no-loop", edges=((4, 5),))
    ],
    "no-loop: edge 0-1 was shown otherwise": [after("no-loop", edges=((0, 1),))],
    "overdrawn: its area names no open cells": [
        because("overdrawn"),
        because("overdrawn", area=(9,)),
    ],
    "overdrawn: 2 lies in 0 to 2": [because("overdrawn", area=(6,))],
    "overdrawn: -2 lies in -2 to 0": [because("overdrawn", area=(3,))],
    "overdrawn: black is 1, not 2": [
        because("overdrawn", area=(6,), facts=(("black", 2),))
    ],
    "overdrawn: grey is None, not 0": [
        because("overdrawn", area=(6,), facts=(("grey", 0),))
    ],
    "tight: 2 wanted, 0 to 3 possible": [after("tight", area=(4,))],
    "tight: the edges in are not those of its border": [
        after("tight", area=(6,), edges=((3, 6),))
    ],
    "loop: edge 1-0 must be named 0-1": [because("loop", edges=((0, 1), (1, 0)))],
    "loop: an edge is named twice": [because("loop", edges=((0, 1), (0, 1)))],
    "no-loop: edge 5-4 must be named 4-5": [after("no-loop", edges=((5, 4),))],
    "cut-off: a cell is named twice": [because("cut-off", area=(6, 6), cells=(3,))],
    "block: a cell is named twice": [because("block", area=(6,), cells=(3, 3))],
    "block: it names no open cell": [because("block", area=(6,), cells=(3, -1))],
    "loop: the edges close no loop": [
        because("loop"),
        because("loop", edges=((0, 1), (1, 2))),
        because("loop", edges=((4, 5), (5, 8), (7, 8), (4, 7))),
    ],
    "cut-off: the walk was in its area already": [because("cut-off", area=(1, 4))],
    "cut-off: live end or end cell lie in its area": [
        because("cut-off", area=(2, 5, 8), cells=()),
        because("cut-off", area=(5, 8), cells=(4,)),
        because("cut-off", area=(6,), cells=(6,)),
        because("cut-off", area=(6,), cells=(3, 7)),
    ],
    "cut-off: cell 6 can be reached from cell 7": [
        because("cut-off", area=(6,), cells=(3,))
    ],
    "block: the walk was in its area already": [
        because("block", area=(0, 6), cells=(3, 7))
    ],
    "block: an end lies in its area": [
        because("block", area=(6,), cells=(3,)),
        because("block", area=(6,), cells=(3, 6)),
        because("block", area=(8,), cells=(5, 7)),
        because("block", area=(2,), cells=(5, 7)),
    ],
    "block: cell 6 can be reached from cell 3": [
        because("block", area=(6,), cells=(4, 7))
    ],
    "block: white is 0, not 1": [
        because("block", area=(6,), cells=(3, 7), facts=(("white", 1),))
    ],
    "block: its colours are as they should be": [
        because("block", area=(6,), cells=(3, 7))
    ],
}
REASONS: list[tuple[tuple[str, str], Reason, str]] = [
    *((GOOD, reason, why) for why, of in ON_GOOD.items() for reason in of),
    (("3:", "L"), because("starved", cells=(4,)), "walk: cells -1 and 0 do not touch"),
    (
        ("2@1,1>1,2:D", "R"),
        because("starved", cells=(1,), steps=(because("no-loop", edges=((1, 3),)),)),
        "no-loop: the loop would leave no cell out",
    ),
    (
        ("2@1,1>1,2:DR", "U"),
        because("loop", edges=((0, 2), (2, 3), (1, 3))),
        "loop: the edges close no loop",
    ),
]


@pytest.mark.parametrize(("at", "reason", "why"), REASONS)
def test_a_reason_is_refused_for_its_own_fault(
    at: tuple[str, str], reason: Reason, why: str
) -> None:
    assert str(find_reason_fault(*at, reason)).startswith(why)


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
        for _ in range(1500):
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
