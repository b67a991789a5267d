"""Proofs of procedures: the proved drawings forbid what the kernel forbids."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.drawing import Drawing, RuleSpec, Spot
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


class Sight:
    """A cell of a forced walk, and the cells visited by then, as a position."""

    def __init__(
        self, board: Board, visited: list[int], here: int, left: complex, ahead: complex
    ) -> None:
        self.board, self.visited, self.here = board, visited, here
        self.left, self.ahead = left, ahead

    def cell(self, at: Spot) -> int | None:
        z = -at[1] * self.left - at[0] * self.ahead
        row, col = self.board.row_col(self.here)
        row, col = row - round(z.imag), col + round(z.real)
        inside = 1 <= row <= self.board.rows and 1 <= col <= self.board.cols
        return self.board.cell(row, col) if inside else None

    def free(self, cell: int | None) -> bool:
        taken = {*self.visited, *self.board.walls}
        return cell is not None and cell not in taken

    def matches(self, drawing: Drawing) -> bool:
        free = np.ones(self.board.cells, dtype=bool)
        free[[*self.visited, *self.board.walls]] = False
        position = SimpleNamespace(
            board=self.board, walk=self.visited, live_end=self.here, free=free
        )
        offsets = [need.at for need in drawing.needs]
        for area in drawing.areas:
            offsets += [*naive.beside(area, "left"), *naive.beside(area, "right")]
        landed = {at: -at[1] * self.left - at[0] * self.ahead for at in offsets}
        return naive.matches(drawing, position, landed)  # type: ignore[arg-type] # like one

    def flooded(self, drawing: Drawing) -> list[int]:
        """Return the cells of its first area, and what it bounds besides."""
        if not drawing.areas:
            return []
        area = drawing.areas[0]
        marked = [self.cell(at) for at in area.cells]
        grown = {c for c in map(self.cell, naive.beside(area, "left")) if self.free(c)}
        todo = list(grown)
        while todo:
            for n in self.board.neighbours[todo.pop()].tolist():
                if n >= 0 and self.free(n) and n not in {*grown, *marked}:
                    grown.add(n)
                    todo.append(n)
        return [*grown, *marked]  # type: ignore[list-item] # they are on the board

    def going(self, at: Spot, turned: bool, passed: list[int]) -> "Sight | None":
        here = self.cell(at)
        visited = [*self.visited, *passed]
        if here is None or here in {*self.visited, *self.board.walls}:
            return None
        left, ahead = (self.ahead, -self.left) if turned else (self.left, self.ahead)
        return Sight(self.board, [*visited, here], here, left, ahead)


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
        at, turned = _NEXT[kind]
        passed = sight.flooded(LEFTS[kind])
        if kind > 1:
            passed = [x for x in [sight.cell(((-1, 0), (0, -1))[kind - 2])] if x]
        following = sight.going(at, turned, [])
        if following is None:
            return False
        following.visited[-1:-1] = [x for x in passed if x != following.here]
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
        passed += [sight.cell((-1, 0))] if number == 3 else []  # type: ignore[list-item] # it is free
        following = sight.going((-2, 0) if number == 3 else (-2, 1), True, passed)
        if following is None or not dies(following):
            continue
        for at in drawing.forbidden:
            if sight.free(sight.cell(at)):
                step = -at[1] * left - at[0] * ahead
                moves.add(_STEPS[complex(round(step.real), round(step.imag))])
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
