"""Why a move is dead, in as few facts as will do, and those that hold most often.

The core of a question is made smaller by leaving out cells. Which one first decides
where it ends: the one whose loss lets the drawing fit most of the gaps that are still
open, then the one that is farthest from the live end. So a drawing is made general by
what the board shows, and right by the solver.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heuristic.language.drawing import AreaSpec
from solver.board import STEPS
from verify.discovery.gaps import Gaps
from verify.discovery.page import STRAIGHT, Page
from verify.discovery.question import Fact, Question
from verify.discovery.sketch import LETTER, STATES, Picture
from verify.proof.view import FREE, LIVE, OUT, VISITED, Spot

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

END = 8  # bit of the end cell in views, beside that of its state
_NAMES = (("free", FREE), ("visited", VISITED), ("out", OUT))
_WEAKER = {".": "o", "#": "%o", "B": "%", "K": ".o"}


@dataclass(frozen=True, slots=True)
class Views:
    """What many gaps show within some cells of the live end, as bytes.

    Attributes
    ----------
    radius : int
    codes : (n, cells) uint8
        FREE, VISITED or OUT, and END besides; row by row of the square.
    of : (n,) int64
        The gap's number; one that goes straight on is there twice, once mirrored.
    straight : (n,) bool
    """

    radius: int
    codes: Bytes
    of: npt.NDArray[np.int64]
    straight: Bools

    def column(self, cell: Spot) -> int:
        """Return where a cell stands in `codes`."""
        side = 2 * self.radius + 1
        return (cell[0] + self.radius) * side + cell[1] + self.radius

    def fits(self, cell: Spot, letter: str) -> Bools:
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
    for r in range(-radius, radius + 1):
        for c in range(-radius, radius + 1):
            row = row0 - r * up[:, 0] + c * side[:, 0]
            col = col0 - r * up[:, 1] + c * side[:, 1]
            inside = (row >= 0) & (row < board.rows) & (col >= 0) & (col < board.cols)
            cell = np.where(inside, row * board.cols + col, 0)
            visited = gaps.visited_at(numbers, cell)
            code = np.where(visited, VISITED, FREE) + END * (cell == board.end)
            codes.append(np.where(inside & ~gaps.out_at(numbers, cell), code, OUT))
    return Views(radius, np.array(codes, np.uint8).T.copy(), numbers, straight[numbers])


def square(radius: int) -> list[Spot]:
    """Return the cells so many each way from the live end."""
    span = range(-radius, radius + 1)
    return [(row, col) for row in span for col in span]


def facts_of(page: Page, cells: Iterable[Spot]) -> list[Fact]:
    """Return all that a page shows of some cells, but of the forbidden one."""
    found: list[Fact] = []
    for cell in cells:
        if cell in (LIVE, page.target):
            continue
        state = page.state(cell)
        found += [(name, cell) for name, bit in _NAMES if not state & bit]
        if state == FREE and cell != page.end:
            found.append(("T", cell))
    return found


def letter_of(page: Page, cell: Spot, facts: Collection[str]) -> str:
    """Return the weakest letter that says some facts of a cell, and holds there.

    What no letter says, free or outside, is told as it is.
    """
    states = sum(bit for name, bit in _NAMES if name not in facts)
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
    cells = [(cell, letter_of(page, cell, names)) for cell, names in of.items()]
    return Picture(tuple(sorted(cells)), tuple(areas))


def general(
    asked: Question,
    picture: Picture,
    fixed: Collection[Fact],
    views: Views,
    weights: Floats,
    *,
    late: Callable[[], bool] = lambda: False,
) -> Picture:
    """Leave out what a picture can do without, the most restrictive first.

    Parameters
    ----------
    asked : Question
        Says of facts whether they make the move impossible; of the picture it does.
    fixed : facts
        Kept: what is counted of an area.
    views, weights : Views, (views,) float
        What a view is worth that a picture comes to fit; 0 for those that it must not
        be looked at for, such as views without the picture's area.
    late : function
        When it says so, the picture is left as it is.
    """
    cells = dict(picture.cells)
    tried: set[tuple[Spot, str]] = set()
    fit = {cell: views.fits(cell, letter) for cell, letter in cells.items()}
    while True:
        misses = np.zeros(len(weights), np.int16)
        for good in fit.values():
            misses += ~good
        options = []
        for cell, letter in cells.items():
            if (cell, "?") not in tried:
                gain = float(weights[(misses == 1) & ~fit[cell]].sum())
                far = max(abs(cell[0]), abs(cell[1])), abs(cell[0]) + abs(cell[1])
                options.append((1, gain, far, cell, "?"))
            for weaker in _WEAKER.get(letter, ""):
                if (cell, weaker) not in tried:
                    more = views.fits(cell, weaker) & ~fit[cell]
                    gain = float(weights[(misses == 1) & more].sum())
                    options.append((0, gain, (0, 0), cell, weaker))
        if not options or late():
            return Picture(tuple(sorted(cells.items())), picture.areas)
        _, _, _, cell, letter = max(options)
        tried.add((cell, letter))
        fewer = cells | {cell: letter}
        if letter == "?":
            del fewer[cell]
        facts = Picture(tuple(sorted(fewer.items()))).known()
        if asked.core([*facts, *fixed]) is not None:
            cells = fewer
            if letter == "?":
                del fit[cell]
            else:
                fit[cell] = views.fits(cell, letter)
