"""Procedures put to a proof: what is proved of them is what their kernels do."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from heuristic.groups import drawn_rules, load_rules
from heuristic.rule import Tracker
from heuristic.rules.drawing import Drawing, Kind, Offset, RuleSpec
from solver.board import LETTERS, Board, Position
from solver.positions import completable_positions
from tests.doubles import rules as naive
from tests.doubles.mutation import complete_walks
from tests.samples import FIRING, proof_of
from verify.corpus.cases import cases_against, corpus_folder
from verify.proof import procedures
from verify.proof.certificate import check_certificate, save_certificate
from verify.proof.procedures import procedure, stair
from verify.proof.provable import provable
from verify.proof.prove import Proved, prove_rule
from verify.verdict.verdict import Refuted, judge

_STEPS = {1j: "U", 1: "R", -1j: "D", -1: "L"}
# Where the walk goes on behind what stands on the left, and whether it turns there.
_NEXT: tuple[tuple[Offset, bool], ...] = (
    ((0, 1), True),
    ((1, 1), True),
    ((-1, 1), True),
    ((1, 1), False),
)


def form(name: str, most: int = 12) -> RuleSpec:
    found = procedure(name, most)
    assert found is not None
    return found


def starts() -> list[tuple[int, Drawing]]:
    """Return how a sequence begins, with nothing granted."""
    ways = ((1, False), (1, True), (2, False), (3, False))
    return [(n, replace(next(procedures._start(n, x)), facts=())) for n, x in ways]


class Sight:
    """A cell of a forced walk, and the cells visited by then, as a position."""

    def __init__(
        self, board: Board, visited: list[int], here: int, left: complex, ahead: complex
    ) -> None:
        self.board, self.visited, self.here = board, visited, here
        self.left, self.ahead = left, ahead

    def cell(self, at: Offset) -> int | None:
        z = at[0] * self.left + at[1] * self.ahead
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
        landed = {at: at[0] * self.left + at[1] * self.ahead for at in offsets}
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

    def going(self, at: Offset, turned: bool, passed: list[int]) -> "Sight | None":
        here = self.cell(at)
        visited = [*self.visited, *passed]
        if here is None or here in {*self.visited, *self.board.walls}:
            return None
        left, ahead = (self.ahead, -self.left) if turned else (self.left, self.ahead)
        return Sight(self.board, [*visited, here], here, left, ahead)


def lefts() -> list[Drawing]:
    return [
        procedures._drawing(needs, areas, (), (), (), not_end)
        for needs, areas, not_end, *_ in procedures._LEFTS
    ]


def dies(sight: Sight) -> bool:
    """Follow the forced walk by the drawings that are proved, to its end."""
    ends = list(procedures._ends())
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
            passed = [x for x in [sight.cell(((0, 1), (1, 0))[kind - 2])] if x]
        following = sight.going(at, turned, [])
        if following is None:
            return False
        following.visited[-1:-1] = [x for x in passed if x != following.here]
        sight = following
    return False


def by_drawings(position: Position) -> set[str]:
    """Return what the drawings of the sequence forbid, one after the other."""
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
                passed += [sight.cell((0, 1))] if number == 3 else []  # type: ignore[list-item] # it is free
                first = (0, 2) if number == 3 else (-1, 2)
                following = sight.going(first, True, passed)
                if following is not None and dies(following):
                    for at in drawing.forbidden:
                        if sight.free(sight.cell(at)):
                            step = at[0] * left + at[1] * ahead
                            found.add(
                                _STEPS[complex(round(step.real), round(step.imag))]
                            )
    return found


def along(board: Board, trackers: list[Tracker], most: int) -> Iterator[tuple]:  # type: ignore[type-arg] # walk and masks
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
    rules = load_rules("sequence-recursion"), drawn_rules("begins", [begins])
    trackers = [one.tracker(board) for one in rules]
    for walk, (kernel, begun) in along(board, trackers, most):
        told["positions"] += 1
        if kernel or begun:
            told["begun"] += 1
            told["fired"] += bool(kernel)
            position = Position(board, tuple(walk))
            seen = {LETTERS[d] for d in range(4) if kernel >> d & 1}
            assert by_drawings(position) == seen, position.notation
    return told


def drawn_agree(name: str, text: str, most: int = 0) -> Counter[str]:
    """Find no move that the kernel forbids and its drawings allow."""
    board, told = Board.parse(text), Counter[str]()
    rules = load_rules(name), drawn_rules(name, [form(name)])
    trackers = [one.tracker(board) for one in rules]
    for walk, (kernel, drawn) in along(board, trackers, most):
        told["positions"] += 1
        told["fired"] += bool(kernel)
        told["drawn alone"] += kernel != drawn
        assert not kernel & ~drawn, Position(board, tuple(walk)).notation
    return told


SLOW = pytest.mark.slow
CORNERS = "sa-corner-discovery-2024-07", "sa-corner-discovery-2024-06"
DRAWN = "end-obstacle-corners", "down-stair-scan"


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


@pytest.mark.slow
@pytest.mark.parametrize("text", ["5x7", "7x5", "7"])
@pytest.mark.parametrize("name", [*CORNERS, *DRAWN])
def test_everywhere_on_small_boards(name: str, text: str) -> None:
    assert drawn_agree(name, text)["fired"] > 0 or name in DRAWN


@pytest.mark.slow
@pytest.mark.parametrize("text", ["9", "11", "13"])
@pytest.mark.parametrize("name", ["sequence-recursion", *CORNERS, *DRAWN])
def test_on_many_drawn_positions(name: str, text: str) -> None:
    if name == "sequence-recursion":
        assert sequence_agrees(text, 100_000)["fired"] > 0
    else:
        fired = drawn_agree(name, text, 100_000)["fired"]
        assert fired > 0 or name in DRAWN  # these are rare


@pytest.mark.parametrize("name", DRAWN)
def test_what_kernels_forbid_the_drawings_forbid(name: str) -> None:
    rules = load_rules(name), drawn_rules(name, [form(name)])
    for text in FIRING[name]:
        position = Position.parse(text)
        kernel, drawn = ({x.move for x in one.forbids(position)} for one in rules)
        assert kernel == drawn != set(), text
    assert drawn_agree(name, "5")["positions"] > 1000


@pytest.mark.parametrize("name", [CORNERS[0], pytest.param(CORNERS[1], marks=SLOW)])
def test_a_corner_that_is_found_is_drawn(name: str) -> None:
    assert drawn_agree(name, "5")["positions"] > 1000
    assert drawn_agree(name, "9", 2000)["fired"] > 0


def test_stairs() -> None:
    assert stair(2, 2) == [(1, 1)]
    assert stair(4, 2) == [(1, 1), (2, 1), (3, 1)]
    assert stair(3, 3) == [(1, 1), (2, 1), (2, 2)]


@pytest.mark.parametrize(
    ("name", "boards"),
    [
        (
            CORNERS[0],
            "every board, with any walls and ends, corners up to 4 cells away",
        ),
        (
            CORNERS[1],
            "every board, with any walls and ends, corners up to 4 cells away",
        ),
        (
            "end-obstacle-corners",
            "every board, with any walls and ends, corners up to 4 cells away",
        ),
        (
            "sequence-recursion",
            "every rectangle without walls, start and end in opposite corners, "
            "along a forced walk of any length, step by step",
        ),
    ],
)
def test_proofs(name: str, boards: str, tmp_path) -> None:  # type: ignore[no-untyped-def] # a path
    proved = proof_of(form(name, 4))
    assert proved.boards == boards
    path = save_certificate(proved, tmp_path)
    assert check_certificate(path, provable(name, 4)).fault is None
    other = check_certificate(path, {name: form("sequence-recursion", 5)})
    assert name == "sequence-recursion" or other.fault is not None


def test_a_stair_is_proved() -> None:
    rule = form("down-stair-scan", 6)
    assert len(rule.drawings) == 8
    proved = proof_of(rule)
    assert proved.boards == (
        "every rectangle without walls, start and end in opposite corners, "
        "stairs down to 2 cells to the left"
    )


def narrowed(rule: RuleSpec) -> list[RuleSpec]:
    """Return drawings whose last area may have one surplus less."""
    found = []
    for d in rule.drawings:
        *first, area = d.areas
        if area.kind is Kind.BEYOND and area.low < area.high:
            areas = (*first, replace(area, high=area.high - 1))
            found.append(replace(rule, drawings=(replace(d, areas=areas),)))
    return found


@pytest.mark.parametrize("name", [CORNERS[0], "end-obstacle-corners"])
def test_wrong_bounds_are_not_proved(name: str) -> None:
    wrong = narrowed(form(name, 6))
    assert len(wrong) > 5
    kinds = [type(prove_rule(one, seconds=0.5)) for one in wrong[:4]]
    assert kinds.count(Proved) < len(kinds)


def test_other_steps_are_not_proved() -> None:
    """A walk that goes elsewhere."""
    sequence = form("sequence-recursion")
    lacking = [d for d in sequence.drawings if any(g[0] == "lacks" for g in d.facts)]
    wrong = [replace(d, facts=()) for d in lacking]
    assert not any(
        isinstance(prove_rule(replace(sequence, drawings=(d,)), seconds=0.3), Proved)
        for d in wrong[::4]
    )


@pytest.mark.parametrize(
    "name", ["down-stair-program", pytest.param("sa-next-step", marks=SLOW)]
)
def test_what_cannot_be_drawn_is_refuted_by_a_case(name: str) -> None:
    cases = cases_against(corpus_folder())
    assert isinstance(judge(provable(name)[name], cases=cases[name]), Refuted)
    assert judge(provable(name)[name]).word == "OPEN"


def test_no_procedure_is_left_out() -> None:
    found = provable(("seed-kernels-old", *DRAWN))
    undrawn = {name for name, rule in found.items() if not rule.drawings}
    assert undrawn == {"down-stair-program", "sa-next-step"}
    assert len(found) == 5
