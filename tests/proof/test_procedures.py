"""Procedures put to a proof: what is proved of them is what they do."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.drawing import Drawing, RuleSpec, Spot
from heuristic.walker import Walker
from solver.board import LETTERS, Board, Position
from solver.positions import completable_positions
from tests.doubles import rules as naive
from tests.doubles.mutation import complete_walks
from tests.samples import proof_of
from verify.corpus.cases import cases_against, corpus_folder
from verify.proof import inferences
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import provable
from verify.verdict.verdict import Refuted, judge

_STEPS = {1j: "U", 1: "R", -1j: "D", -1: "L"}
# Where the walk goes on behind what stands on the left, and whether it turns there.
_NEXT: tuple[tuple[Spot, bool], ...] = (
    ((-1, 0), True),
    ((-1, -1), True),
    ((-1, 1), True),
    ((-1, -1), False),
)


SEQUENCE = provable(load_rules("sequence-recursion").rules)["sequence-recursion"]


def starts() -> list[tuple[int, Drawing]]:
    """Return how a sequence begins, with nothing granted."""
    ways = ((1, False), (1, True), (2, False), (3, False))
    return [(n, replace(next(inferences._start(n, x)), facts=())) for n, x in ways]


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


def lefts() -> list[Drawing]:
    return [
        inferences._drawing(needs, areas, (), (), (), not_end)
        for needs, areas, not_end, *_ in inferences._LEFTS
    ]


def dies(sight: Sight) -> bool:
    """Follow the forced walk by the drawings that are proved, to its end."""
    ends = list(inferences._both_sides())
    for _ in range(sight.board.cells):
        if sight.here == sight.board.end:
            return False
        if any(sight.matches(one) for one in ends):
            return True
        kinds = [k for k, one in enumerate(lefts()) if sight.matches(one)]
        if not kinds:
            return False
        kind = kinds[0]
        at, turned = _NEXT[kind]
        passed = sight.flooded(lefts()[kind])
        if kind > 1:
            passed = [x for x in [sight.cell(((-1, 0), (0, -1))[kind - 2])] if x]
        following = sight.going(at, turned, [])
        if following is None:
            return False
        following.visited[-1:-1] = [x for x in passed if x != following.here]
        sight = following
    return False


def by_drawings(position: Position) -> set[str]:
    """Return what the drawings of the sequence forbid, one after the other."""
    if position.heading < 0:
        return set()
    board, walk, found = position.board, list(position.walk), set()
    heading = naive._HEADING[LETTERS[position.heading]] * 1j
    for number, drawing in starts():
        for turn in drawing.turns:
            for mirrored in (1, -1):
                ahead = naive._TURNED[turn] * 1j
                left = naive._TURNED[turn] * -1
                if mirrored < 0:
                    ahead, left = -ahead.conjugate(), -left.conjugate()
                ahead, left = ahead * heading / 1j, left * heading / 1j
                sight = Sight(board, walk, position.live_end, left, ahead)
                if not sight.matches(drawing):
                    continue
                passed = sight.flooded(drawing)
                passed += [sight.cell((-1, 0))] if number == 3 else []  # type: ignore[list-item] # it is free
                first = (-2, 0) if number == 3 else (-2, 1)
                following = sight.going(first, True, passed)
                if following is not None and dies(following):
                    for at in drawing.forbidden:
                        if sight.free(sight.cell(at)):
                            step = -at[1] * left - at[0] * ahead
                            found.add(
                                _STEPS[complex(round(step.real), round(step.imag))]
                            )
    return found


def along(board: Board, trackers: list[Walker], most: int) -> Iterator[tuple]:  # type: ignore[type-arg] # walk and masks
    """Yield prefixes of walks and the masks of trackers there."""
    if board.cells <= 49 and not most:
        tree = completable_positions(board)
        walk = [board.start]
        steps = zip(tree.depth.tolist(), tree.cell.tolist(), strict=True)
        for depth, cell in steps:
            while len(walk) > max(depth, 1):
                walk.pop()
                for one in trackers:
                    one.pop()
            if depth:
                walk.append(cell)
                for one in trackers:
                    one.push(cell)
            yield walk, [one.masks()[0] for one in trackers]
        return
    for whole in complete_walks(board, most // board.cells + 1, seed=5):
        cells = whole.tolist()
        for cell in cells[1:-1]:
            for one in trackers:
                one.push(cell)
        for k in range(len(cells) - 1, 1, -1):
            yield cells[:k], [one.masks()[0] for one in trackers]
            for one in trackers:
                one.pop()


def sequence_agrees(text: str, most: int = 0) -> Counter[str]:
    """Compare kernel and drawings wherever either can fire; count."""
    board, told = Board.parse(text), Counter[str]()
    begins = RuleSpec("begins", "sound", "", "", tuple(d for _, d in starts()))
    rules = load_rules("sequence-recursion"), rules_together("begins", [begins])
    trackers = [one.walker(board) for one in rules]
    for walk, (kernel, begun) in along(board, trackers, most):
        told["positions"] += 1
        if kernel or begun:
            told["begun"] += 1
            told["fired"] += bool(kernel)
            position = Position(board, tuple(walk))
            seen = {LETTERS[d] for d in range(4) if kernel >> d & 1}
            assert by_drawings(position) == seen, position.notation
    return told


def test_the_sequence_is_its_drawings_one_after_the_other() -> None:
    assert sequence_agrees("5")["positions"] > 1000
    told = sequence_agrees("11", 3000)
    assert told["begun"] > 10
    for text in ("9:DRURRDLDDDDRRRRULULDLUURUURD",):  # farther than any drawing
        position = Position.parse(text)
        forbids = load_rules("sequence-recursion").forbids(position)
        assert by_drawings(position) == {x.move for x in forbids} != set()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["5x7", "7x5", "7"])
def test_the_sequence_everywhere_on_small_boards(text: str) -> None:
    assert sequence_agrees(text)["begun"] > 0


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
