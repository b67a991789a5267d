"""Why a move is dead, in as few facts as will do, and those that hold most often.

A gap is laid as a page: the cells around the live end, turned until the walk runs up.
Cells are ``(row, col)`` from the live end as in `verify.proof.window`: row -1 ahead,
column -1 to the left. A gap whose dead move is to the right is laid mirrored, so the
move of a page is straight on or to the left.

The core of a question is made smaller by leaving out cells. Which one first decides
where it ends: the one whose loss lets the drawing fit most of the gaps that are still
open, then the one that is farthest from the live end. So a drawing is made general by
what the board shows, and right by the solver.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.tables import FREE_CELL, WALL_CELL
from heuristic.rules.drawing import AreaSpec, Spot
from heuristic.rules.letters import LETTER, STATES
from solver.board import STEPS
from verify.discovery.gaps import VISITED_CELL, Bools, Gaps
from verify.discovery.question import Fact, Picture, Question
from verify.proof.window import FREE, LIVE, OUT, STATE_NAMES, VISITED, neighbours

STRAIGHT, LEFT = 0, 3  # of `verify.proof.window.STEPS`
END = 8  # bit of the end cell in views, next to that of its state
Floats: TypeAlias = npt.NDArray[np.float64]
_Step: TypeAlias = tuple[Spot, str]  # a cell, and the letter that it gets or loses
_STATES = {FREE_CELL: FREE, WALL_CELL: OUT, VISITED_CELL: VISITED}
_CODES = np.array([_STATES[code] for code in (VISITED_CELL, WALL_CELL, FREE_CELL)])
_WEAKER = {".": "o", "#": "%o", "B": "%", "K": ".o"}


@dataclass(frozen=True, slots=True)
class Page:
    """What a gap shows around the live end.

    - `move`: the dead move, `STRAIGHT` or `LEFT`.
    - `states`, dict of cell to int: FREE, VISITED or OUT, of each cell of the board and
      next to it.
    - `end`: where the end cell lies.
    """

    move: int
    states: dict[Spot, int]
    end: Spot

    @property
    def target(self) -> Spot:
        """The cell that the dead move goes to."""
        return neighbours(LIVE)[self.move]

    def state(self, cell: Spot) -> int:
        """Return the state of a cell; far away all is outside."""
        return self.states.get(cell, OUT)

    def free(self, cell: Spot) -> bool:
        """Whether a cell is free."""
        return self.state(cell) == FREE


def page_of(gaps: Gaps, number: int) -> Page:
    """Return the page of a row; it holds the whole board."""
    board, heading = gaps.board, int(gaps.heading[number])
    move = (int(gaps.move[number]) - heading) % 4
    mirrored = move == 1
    up, side = STEPS[heading], STEPS[(heading + (3 if mirrored else 1)) % 4]
    row0, col0 = divmod(int(gaps.live[number]), board.cols)

    def place(row: int, col: int) -> Spot:
        """Return where a cell of the board, or next to it, lies on the page."""
        row, col = row - row0, col - col0
        return -(row * up[0] + col * up[1]), row * side[0] + col * side[1]

    shown = np.full((board.rows + 2, board.cols + 2), WALL_CELL)
    shown[1:-1, 1:-1] = gaps.states[number].reshape(board.rows, board.cols)
    states = {
        place(row - 1, col - 1): _STATES[code]
        for row, codes in enumerate(shown.tolist())
        for col, code in enumerate(codes)
    }
    end = place(*divmod(board.end, board.cols))
    return Page(LEFT if mirrored else move, states, end)


@dataclass(frozen=True, slots=True)
class Views:
    """What many gaps show within some cells of the live end, as bytes.

    - `codes`, (n, cells) uint8: FREE, VISITED or OUT, plus END; row by row of the
      square.
    - `of`, (n,) int64: the gap's number; one that goes straight on is there twice, once
      mirrored.
    - `straight`, (n,) bool
    """

    radius: int
    codes: npt.NDArray[np.uint8]
    of: npt.NDArray[np.int64]
    straight: Bools

    def column(self, cell: Spot) -> int:
        """Return where a cell stands in `codes`."""
        side = 2 * self.radius + 1
        return (cell[0] + self.radius) * side + cell[1] + self.radius

    def fits(self, letter: str, cell: Spot) -> Bools:
        """Return which views show a cell as a letter asks; all, beyond the radius."""
        if max(abs(cell[0]), abs(cell[1])) > self.radius:
            return np.ones(len(self.of), np.bool_)
        states, not_end = STATES[letter]
        codes = self.codes[:, self.column(cell)]
        good: Bools = (codes & states) != 0
        if not_end:
            good &= (codes & END) == 0
        return good


def views_of(gaps: Gaps, radius: int) -> Views:
    """Return the views of all gaps; as `page_of` lays them, all at once."""
    turned = (gaps.move - gaps.heading) % 4
    straight = turned == STRAIGHT
    numbers = np.concatenate([np.arange(len(gaps)), np.flatnonzero(straight)])
    flipped = np.concatenate([turned == 1, np.ones(straight.sum(), np.bool_)])
    board, heading = gaps.board, gaps.heading[numbers]
    steps = np.array(STEPS)
    up, side = steps[heading], steps[(heading + np.where(flipped, 3, 1)) % 4]
    row0, col0 = np.divmod(gaps.live[numbers], board.cols)
    codes = []
    for r, c in square(radius):
        row = row0 - r * up[:, 0] + c * side[:, 0]
        col = col0 - r * up[:, 1] + c * side[:, 1]
        inside = (row >= 0) & (row < board.rows) & (col >= 0) & (col < board.cols)
        cell = np.where(inside, row * board.cols + col, 0)
        states = np.where(inside, gaps.states[numbers, cell], WALL_CELL)
        end = (cell == board.end) & (states != WALL_CELL)
        codes.append(_CODES[states] + END * end)
    return Views(radius, np.array(codes, np.uint8).T.copy(), numbers, straight[numbers])


def square(radius: int) -> list[Spot]:
    """Return the cells up to a distance each way from the live end, row by row."""
    span = range(-radius, radius + 1)
    return [(row, col) for row in span for col in span]


def facts_of(page: Page, cells: Collection[Spot]) -> list[Fact]:
    """Return all that a page shows of some cells, but of the forbidden one."""
    facts: list[Fact] = []
    for cell in cells:
        if cell in (LIVE, page.target):
            continue
        state = page.state(cell)
        facts += [(name, cell) for name, bit in STATE_NAMES if not state & bit]
        if state == FREE and cell != page.end:
            facts.append(("T", cell))
    return facts


def letter_of(page: Page, cell: Spot, facts: Collection[str]) -> str:
    """Return the weakest letter that says some facts of a cell, and holds there.

    What no letter says, free or outside, is said as it is.
    """
    states = sum(bit for name, bit in STATE_NAMES if name not in facts)
    if (states, "T" in facts) in LETTER:
        return LETTER[states, "T" in facts]
    state = page.state(cell)
    return LETTER[state, state == FREE and "T" in facts]


def picture_of(
    page: Page, core: Collection[Fact], areas: Sequence[AreaSpec] = ()
) -> Picture:
    """Return the cells that a core speaks of as a picture."""
    of: dict[Spot, set[str]] = {}
    marked = Picture((), tuple(areas)).of_areas()
    for name, *rest in core:
        if name in ("free", "visited", "out", "T") and rest[0] not in marked:
            of.setdefault(rest[0], set()).add(str(name))  # type: ignore[arg-type] # cells
    cells = sorted((cell, letter_of(page, cell, names)) for cell, names in of.items())
    return Picture(tuple(cells), tuple(areas))


def general(
    asked: Question,
    picture: Picture,
    fixed: Collection[Fact],
    views: Views,
    weights: Floats,
    late: Callable[[], bool],
) -> Picture:
    """Leave out what a picture can do without, the most restrictive first.

    - `asked`: says of facts whether they make the move impossible; of the picture it
      does.
    - `fixed`: facts that stay: what is counted of an area.
    - `views`: what gaps show.
    - `weights`, (views,) float: what a view is worth that a picture comes to fit; 0 for
      views that do not count, such as those without the picture's area.
    - `late`: when it says so, the picture is left as it is.
    """
    tried: set[_Step] = set()
    while True:
        asks = {one: views.fits(*one) for one in picture.asks()}
        misses = np.zeros(len(weights), np.int16)
        for good in asks.values():
            misses += ~good
        options = []
        for step, fewer in _weaker(picture):
            if step not in tried:
                less = misses.copy()
                now = set(fewer.asks())
                for one in asks.keys() - now:
                    less -= ~asks[one]
                for one in now - asks.keys():
                    less += ~views.fits(*one)
                gain = float(weights[(misses > 0) & (less == 0)].sum())
                cell, drops = step[0], step[1] == "?"
                far = max(abs(cell[0]), abs(cell[1])), abs(cell[0]) + abs(cell[1])
                options.append((drops, gain, far if drops else (0, 0), step, fewer))
        if not options or late():
            return picture
        *_, step, fewer = max(options, key=lambda option: option[:-1])
        tried.add(step)
        if asked.core([*fewer.facts_of_cells(), *fixed]) is not None:
            picture = fewer


def _weaker(picture: Picture) -> Iterator[tuple[_Step, Picture]]:
    """Yield the pictures that ask for one thing less, or for less of a cell."""
    cells = dict(picture.cells)
    for cell, letter in picture.cells:
        fewer = {x: what for x, what in cells.items() if x != cell}
        yield (cell, "?"), replace(picture, cells=tuple(fewer.items()))
        for weaker in _WEAKER.get(letter, ""):
            some = sorted({**fewer, cell: weaker}.items())
            yield (cell, weaker), replace(picture, cells=tuple(some))
