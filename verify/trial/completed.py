"""Drawn rules along complete walks: a move that a walk made is never to be forbidden.

A complete walk is its own witness, so nothing is decided: each rule is asked at each
step whether it forbids the next one. Boards are rectangles up to a size, drawn at
random, and pieces of them: of a random walk through the whole rectangle a piece is cut
out, and the cells before and after it are walls. So start and end may lie anywhere, and
walls lie as they come.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristic.groups import in_one, written_rules
from heuristic.matching.pattern import board_numbers
from heuristic.matching.tables import FREE_CELL, WALL_CELL, Ints, compile_rules, fitting
from heuristic.matching.walks import Drawn, ask, new_drawn
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.errors import OptionError
from solver.jit import njit
from solver.oracles.exact import exact_walk
from solver.symmetry import Symmetry
from verify.campaign.campaign import Campaign, Unit, advancing, deciding_rules, spans

LEAST = 3  # cells of a side
BLOCK = 500  # walks of a unit
_STEP = 2e-5  # seconds a step, about
_WHOLE = 0.25  # of the walks, those that are not cut


@dataclass(slots=True)
class Completed:
    """What rules said along complete walks.

    - `walled`: walks among walls, with start and end anywhere.
    - `fired`, `wrong`: by rule: steps at which it forbade something, and those at which
      it forbade the move that was made.
    - `example`: the notation of the first position at which a rule was wrong; empty if
      none was.
    """

    walks: int = 0
    steps: int = 0
    walled: int = 0
    fired: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    example: str = ""


@njit
def _along(drawn: Drawn, walk: Ints, length: int, counts: npt.NDArray[np.int64]) -> int:
    """Kernel: follow a walk; count what each rule forbids, return the first wrong step.

    `counts` are, for each rule, steps at which it fired and at which it was wrong. The
    step is the number of cells before it, 0 if no rule was wrong. `drawn.order` is left
    as it was.
    """
    first = 0
    drawn.order[walk[0]] = 0
    for k in range(1, length - 1):
        drawn.order[walk[k]] = k
        taken = 0
        for d in range(4):
            if drawn.neighbours[walk[k], d] == walk[k + 1]:
                taken = 1 << d
        ask(drawn, walk, k + 1)
        for rule in range(len(drawn.masks)):
            if drawn.masks[rule] != 0:
                counts[rule, 0] += 1
            if drawn.masks[rule] & taken != 0:
                counts[rule, 1] += 1
                if first == 0:
                    first = k + 1
    for k in range(length - 1):
        drawn.order[walk[k]] = FREE_CELL
    return first


class Trial:
    """Drawn rules, compiled once for all rectangles up to a size."""

    def __init__(self, rules: tuple[RuleSpec, ...], side: int) -> None:
        self.tables = fitting(compile_rules(rules), Board.square(side))
        self.names = [rule.name for rule in rules]
        self.on = lru_cache(maxsize=1024)(self._on)

    def _on(self, board: Board) -> Drawn:
        return new_drawn(self.tables, board)

    def follow(self, walk: list[int], board: Board, found: Completed) -> None:
        """Ask the rules along a piece of a walk; all other cells are walls."""
        drawn = self.on(board)
        piece = np.array(walk, np.int32)
        drawn.order[:] = WALL_CELL
        drawn.order[piece] = FREE_CELL
        rows, cols, _ = board_numbers(board)
        ends = drawn._replace(board=(rows, cols, walk[-1]))
        counts = np.zeros((len(self.names), 2), np.int64)
        first = _along(ends, piece, len(piece), counts)
        found.walks += 1
        found.steps += len(walk) - 1
        found.walled += len(walk) < board.cells
        for name, (fired, wrong) in zip(self.names, counts.tolist(), strict=True):
            found.fired[name] = found.fired.get(name, 0) + fired
            found.wrong[name] = found.wrong.get(name, 0) + wrong
        if first and not found.example:
            walls = tuple(sorted(set(range(board.cells)) - set(walk)))
            place = Board(rows, cols, walk[0], walk[-1], walls)
            found.example = Position(place, tuple(walk[:first])).notation


def random_rectangle(rng: np.random.Generator, side: int) -> Board:
    """Return a rectangle with a Hamiltonian walk, ends in two corners."""
    rows, cols = (int(rng.integers(LEAST, side + 1)) for _ in range(2))
    if rows % 2 == 0 and cols % 2 == 0:  # opposite corners have one colour there
        return Board(rows, cols, 0, cols * (rows - 1))
    if rows % 2 != cols % 2:
        return Board(rows, cols, 0, rows * cols - 1)
    corners = rows * cols - 1, cols - 1, cols * (rows - 1)
    return Board(rows, cols, 0, corners[int(rng.integers(3))])


def complete_walk(rng: np.random.Generator, side: int) -> tuple[Board, list[int]]:
    """Return a random walk on a random rectangle, or a piece of it.

    It is turned and mirrored at random; cells that are not on it are to be walls.
    """
    while True:
        board = random_rectangle(rng, side)
        made = exact_walk(board, int(rng.integers(1 << 40)))
        if made.position.complete:
            break
    symmetry = list(Symmetry)[int(rng.integers(len(Symmetry)))]
    board, walk = turned(board, list(made.position.walk), symmetry)
    if rng.random() < 0.5:
        walk.reverse()
    if rng.random() < _WHOLE:
        return board, walk
    begin, end = sorted(int(x) for x in rng.integers(0, len(walk) + 1, 2))
    return (board, walk[begin:end]) if end - begin > 2 else (board, walk)


def turned(
    board: Board, walk: list[int], symmetry: Symmetry
) -> tuple[Board, list[int]]:
    """Return the plain rectangle and a walk on it, laid another way."""
    image = symmetry.board(board)
    plain = Board(image.rows, image.cols, 0, image.cells - 1)
    return plain, [symmetry.cell(board, cell) for cell in walk]


def completed_walks(parameters: dict[str, Any]) -> Campaign[Completed]:
    """Ask `rules` along `count` complete walks, on rectangles up to `side` cells.

    Raises `OptionError` if a rule is no drawing of cells and areas.
    """
    rules, side, seed = parameters["rules"], parameters["side"], parameters["seed"]
    count = parameters["count"]
    known = written_rules(rules)
    specs = tuple(rule for rule in known if isinstance(rule, RuleSpec))
    if len(specs) < len(known) or any(rule.reads_lines for rule in specs):
        raise OptionError(f"rules {in_one(rules)!r}: one is no drawing of cells")
    trial = cache(lambda: Trial(specs, side))

    def units() -> Iterator[Unit]:
        return spans(count, BLOCK, side**2 / 3 * _STEP, "walks")

    def work(payload: list[int]) -> dict[str, Any]:
        first, many = payload
        found = Completed()
        for number in advancing(range(first, first + many), many):
            rng = np.random.default_rng([seed, number])
            board, walk = complete_walk(rng, side)
            trial().follow(walk, board, found)
        return asdict(found)

    def fold(results: Iterator[dict[str, Any]]) -> Completed:
        total = Completed()
        for one in results:
            total.walks += one["walks"]
            total.steps += one["steps"]
            total.walled += one["walled"]
            total.example = total.example or one["example"]
            for key, sums in (("fired", total.fired), ("wrong", total.wrong)):
                for name, number in one[key].items():
                    sums[name] = sums.get(name, 0) + number
        return total

    decides = deciding_rules(rules, "verify.trial")
    made = units, work, fold, summary_lines
    return Campaign("completed", parameters, decides, *made, noun="walks")


def summary_lines(found: Completed) -> list[str]:
    """Return what was found in a line."""
    wrong = [name for name, number in found.wrong.items() if number]
    return [f"{found.walks:,} complete walks: {len(wrong)} rules wrong"]
