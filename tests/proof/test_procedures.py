"""Proofs of procedures: the proved drawings forbid what the kernel forbids."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.drawing import CellState, Drawing, RuleSpec, Spot
from solver.board import LETTERS, Board, Position
from tests.doubles import rules as naive
from tests.proof.lines import walks
from tests.samples import proof_of
from verify.corpus.cases import cases_against, corpus_folder
from verify.proof import inferences
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import provable
from verify.verdict.verdict import Refuted, judge

_STEPS = {1j: "U", 1: "R", -1j: "D", -1: "L"}
# The next cell of the forced walk after each left side, and whether the walk turns.
_NEXT: tuple[tuple[Spot, bool], ...] = (
    ((-1, 0), True),
    ((-1, -1), True),
    ((-1, 1), True),
    ((-1, -1), False),
)
SEQUENCE = provable(load_rules("sequence-recursion").rules)["sequence-recursion"]
STARTS = [
    (number, replace(next(inferences._start(number, over)), facts=()))
    for number, over in ((1, False), (1, True), (2, False), (3, False))
]
LEFTS = [
    inferences._drawing(needs, areas, (), (), (), not_end)
    for needs, areas, not_end, *_ in inferences._LEFTS
]
BOTH_SIDES = list(inferences._both_sides())


class Sight(NamedTuple):
    """A cell of a forced walk, and the cells visited by then, as a position."""

    board: Board
    visited: list[int]
    here: int
    left: complex
    ahead: complex

    def step(self, at: Spot) -> complex:
        return -at[1] * self.left - at[0] * self.ahead

    def seen(self, offsets: Iterable[Spot]) -> tuple[Any, dict[Spot, complex]]:
        """Return what stands for a position, and where offsets land."""
        free = np.ones(self.board.cells, dtype=bool)
        free[[*self.visited, *self.board.walls]] = False
        named = {"board": self.board, "walk": self.visited, "live_end": self.here}
        landed = {at: self.step(at) for at in offsets}
        return SimpleNamespace(free=free, **named), landed

    def cell(self, at: Spot) -> int:
        """Return the cell of an offset if it is free, else -1."""
        cell, state = naive.found_there(*self.seen([at]))
        return cell(at) if state(at) is CellState.FREE else -1

    def matches(self, drawing: Drawing) -> bool:
        return naive.matches(drawing, *self.seen(offsets_of(drawing)))

    def flooded(self, drawing: Drawing) -> set[int]:
        """Return the cells of its first area."""
        position, landed = self.seen(offsets_of(drawing))
        there = naive.found_there(position, landed)
        areas = [naive.cells_of(x, position, *there) for x in drawing.areas[:1]]
        return set[int]().union(*areas)

    def going(self, at: Spot, turned: bool, passed: set[int]) -> "Sight | None":
        here = self.cell(at)
        if here < 0:
            return None
        left, ahead = (self.ahead, -self.left) if turned else (self.left, self.ahead)
        visited = [*self.visited, *sorted(passed - {here, -1}), here]
        return Sight(self.board, visited, here, left, ahead)


def offsets_of(drawing: Drawing) -> list[Spot]:
    sides = [naive.beside(x, y) for x in drawing.areas for y in ("left", "right")]
    return [*(need.at for need in drawing.needs), *chain.from_iterable(sides)]


def dies(sight: Sight) -> bool:
    """Follow the forced walk by the drawings that are proved, to its end."""
    for _ in range(sight.board.cells):
        if sight.here == sight.board.end:
            return False
        if any(sight.matches(drawing) for drawing in BOTH_SIDES):
            return True
        kinds = [k for k, drawing in enumerate(LEFTS) if sight.matches(drawing)]
        if not kinds:
            return False
        kind = kinds[0]
        passed = sight.flooded(LEFTS[kind])
        if kind > 1:
            passed = {sight.cell(((-1, 0), (0, -1))[kind - 2])}
        following = sight.going(*_NEXT[kind], passed)
        if following is None:
            return False
        sight = following
    return False


def by_drawings(position: Position) -> set[str]:
    """Return the moves that the drawings of the sequence forbid, in their order."""
    if position.heading < 0:
        return set()
    board, walk, moves = position.board, list(position.walk), set()
    heading = naive._HEADING[LETTERS[position.heading]]
    ways = [(n, d, turn, m) for n, d in STARTS for turn in d.turns for m in (1, -1)]
    for number, drawing, turn, mirrored in ways:
        ahead, left = naive._TURNED[turn] * 1j, naive._TURNED[turn] * -1
        if mirrored < 0:
            ahead, left = -ahead.conjugate(), -left.conjugate()
        ahead, left = ahead * heading, left * heading
        sight = Sight(board, walk, position.live_end, left, ahead)
        if not sight.matches(drawing):
            continue
        passed = sight.flooded(drawing)
        passed |= {sight.cell((-1, 0))} if number == 3 else set()
        following = sight.going((-2, 0) if number == 3 else (-2, 1), True, passed)
        if following is None or not dies(following):
            continue
        steps = (sight.step(at) for at in drawing.forbidden if sight.cell(at) >= 0)
        moves |= {_STEPS[complex(round(z.real), round(z.imag))] for z in steps}
    return moves


def compare(text: str, most: int) -> tuple[int, int]:
    """Compare kernel and drawings along walks; count positions, and begun sequences."""
    begins = RuleSpec("begins", "sound", "", "", tuple(d for _, d in STARTS))
    rules = load_rules("sequence-recursion"), rules_together("begins", [begins])
    seen, begun = set[tuple[int, ...]](), 0
    for board, walk in walks(text, most):
        walkers = [rule.walker(board) for rule in rules]
        for k in range(1, board.cells - 1):
            for walker in walkers:
                walker.push(walk[k])
            prefix = tuple(walk[: k + 1])
            kernel, starts = (walker.masks()[0] for walker in walkers)
            if prefix in seen or not (kernel or starts):
                seen.add(prefix)
                continue
            seen.add(prefix)
            begun += 1
            position = Position(board, prefix)
            moves = {LETTERS[d] for d in range(4) if kernel >> d & 1}
            assert by_drawings(position) == moves, position.notation
    return len(seen), begun


def test_the_sequence_is_its_drawings_one_after_the_other() -> None:
    assert compare("5", 104)[0] > 1000
    assert compare("11", 25)[1] > 10
    far = Position.parse("9:DRURRDLDDDDRRRRULULDLUURUURD")  # farther than any drawing
    forbids = load_rules("sequence-recursion").forbids(far)
    assert by_drawings(far) == {x.move for x in forbids} != set()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["5x7", "7x5", "7"])
def test_the_sequence_on_small_boards(text: str) -> None:
    assert compare(text, 4000)[1] > 0


def test_the_sequence_is_proved(tmp_path: Path) -> None:
    proved = proof_of(SEQUENCE)
    assert proved.boards == (
        "every rectangle without walls, start and end in opposite corners, "
        "along a forced walk of any length, step by step"
    )
    path = save_certificate(proved, tmp_path)
    assert check_certificate(path, {SEQUENCE.name: SEQUENCE}).fault is None


def test_the_look_ahead_is_refuted_by_a_case() -> None:
    cases = cases_against(corpus_folder())
    rule = provable(load_rules("sa-next-step").rules)["sa-next-step"]
    assert isinstance(judge(rule, cases=cases[rule.name]), Refuted)
    assert judge(rule).word == "OPEN"
