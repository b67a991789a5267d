"""Why a move is dead, in as few facts as will do, and those that hold most often.

A gap is laid as a page: the cells around the live end, turned until the walk runs up.
Cells are ``(row, col)`` from the live end as in `verify.proof.view`: row -1 ahead,
column -1 to the left. A gap whose dead move is to the right is laid mirrored, so the
move of a page is straight on or to the left.

The core of a question is made smaller by leaving out cells. Which one first decides
where it ends: the one whose loss lets the drawing fit most of the gaps that are still
open, then the one that is farthest from the live end. So a drawing is made general by
what the board shows, and right by the solver.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.forced import forced_lines
from heuristic.matching.pattern import board_numbers
from heuristic.matching.tables import FREE_CELL, WALL_CELL
from heuristic.rules.drawing import ASKED, AreaSpec
from heuristic.rules.letters import LETTER, STATES
from solver.board import STEPS
from verify.discovery.gaps import Gaps
from verify.discovery.question import (
    Asked,
    Fact,
    Picture,
    Question,
    Tie,
    moved,
    ties_as_facts,
)
from verify.proof.view import (
    FREE,
    LIVE,
    OUT,
    STATE_NAMES,
    VISITED,
    Spot,
    edge,
    neighbours,
)

STRAIGHT, LEFT = 0, 3  # of `verify.proof.view.STEPS`


@dataclass(frozen=True, slots=True)
class Page:
    """What a gap shows around the live end.

    - `move`: the dead move, `STRAIGHT` or `LEFT`.
    - `states`, dict of cell to int: FREE, VISITED or OUT, of each cell of a square
      around the live end.
    - `end`: where the end cell lies, seen or not.
    - `ties`, frozenset of (word, cell, cell): forced edges, those of the live end left
      out, and ends of forced lines.
    """

    move: int
    states: dict[Spot, int]
    end: Spot
    ties: frozenset[Tie] = frozenset()

    @property
    def bare(self) -> "Page":
        """The page without forced edges and lines."""
        return replace(self, ties=frozenset())

    def mirrored(self) -> frozenset[Tie]:
        """Return forced edges and lines with left and right exchanged."""
        return frozenset(moved(self.ties, lambda cell: (cell[0], -cell[1])))

    @property
    def target(self) -> Spot:
        """The cell that the dead move goes to."""
        return neighbours(LIVE)[self.move]

    def state(self, cell: Spot) -> int:
        """Return the state of a cell; far away all is outside."""
        return self.states.get(cell, OUT)

    def free(self, cell: Spot) -> bool:
        """Tell whether a cell is free."""
        return self.state(cell) == FREE


def page_of(gaps: Gaps, number: int) -> Page:
    """Return the page of a row; it holds the whole board."""
    board, order = gaps.board, gaps.order_of(number)
    live, heading = int(gaps.live[number]), int(gaps.heading[number])
    move = (int(gaps.move[number]) - heading) % 4
    mirrored = move == 1
    up, side = STEPS[heading], STEPS[(heading + (3 if mirrored else 1)) % 4]
    row0, col0 = divmod(live, board.cols)

    def place(row: int, col: int) -> Spot:
        """Return where a cell of the board, or beside it, lies on the page."""
        row, col = row - row0, col - col0
        return -(row * up[0] + col * up[1]), row * side[0] + col * side[1]

    shown = np.full((board.rows + 2, board.cols + 2), WALL_CELL)
    shown[1:-1, 1:-1] = order.reshape(board.rows, board.cols)
    states = {
        place(row - 1, col - 1): {FREE_CELL: FREE, WALL_CELL: OUT}.get(code, VISITED)
        for row, codes in enumerate(shown.tolist())
        for col, code in enumerate(codes)
    }
    ways, mates = forced_lines(order, board_numbers(board), live)
    ties = [
        ("joined", cell, cell + step)
        for d, step in ((1, 1), (2, board.cols))
        for cell in np.flatnonzero(ways >> d & 1).tolist()
        if live not in (cell, cell + step)
    ]
    ties += [("mates", a, b) for a, b in enumerate(mates.tolist()) if a < b]
    laid = {
        (word, *edge(*(place(*divmod(cell, board.cols)) for cell in pair)))
        for word, *pair in ties
    }
    end = place(*divmod(board.end, board.cols))
    return Page(LEFT if mirrored else move, states, end, frozenset(laid))


Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

END = 8  # bit of the end cell in views, beside that of its state
_Step: TypeAlias = tuple[Spot, str]  # a cell, and what becomes of it or goes
_DROPS = {"?": 2, "m": 1, "j": 1}  # 0: a cell gets a weaker letter
_WEAKER = {".": "o", "#": "%o", "B": "%", "K": ".o"}


@dataclass(frozen=True, slots=True)
class Views:
    """What many gaps show within some cells of the live end, as bytes.

    - `codes`, (n, cells) uint8: FREE, VISITED or OUT, and END besides; row by row of
      the square.
    - `of`, (n,) int64: the gap's number; one that goes straight on is there twice, once
      mirrored.
    - `straight`, (n,) bool
    - `ties`, tuple of frozenset of (word, cell, cell): forced edges and lines of each
      view; none where nobody asks for them.
    """

    radius: int
    codes: Bytes
    of: npt.NDArray[np.int64]
    straight: Bools
    ties: tuple[frozenset[Tie], ...] = ()

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

    def fitting(self, asked: Asked) -> Bools:
        """Return which views show what a picture asks for, see `Picture.asks`."""
        if asked[0] in STATES:
            return self.fits(asked[1], asked[0])
        if not self.ties:  # nobody looked at them
            return np.zeros(len(self.of), np.bool_)
        return np.array([asked in ties for ties in self.ties], np.bool_)


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


def with_ties(views: Views, gaps: Gaps) -> Views:
    """Return views with their forced edges and lines: a millisecond each."""
    pages = [page_of(gaps, number) for number in range(len(gaps))]
    ties = [page.ties for page in pages]
    ties += [pages[number].mirrored() for number in views.of[len(gaps) :]]
    return replace(views, ties=tuple(ties))


def square(radius: int) -> list[Spot]:
    """Return the cells so many each way from the live end."""
    span = range(-radius, radius + 1)
    return [(row, col) for row in span for col in span]


def facts_of(page: Page, cells: Collection[Spot]) -> list[Fact]:
    """Return all that a page shows of some cells, but of the forbidden one."""
    found: list[Fact] = []
    for cell in cells:
        if cell in (LIVE, page.target):
            continue
        state = page.state(cell)
        found += [(name, cell) for name, bit in STATE_NAMES if not state & bit]
        if state == FREE and cell != page.end:
            found.append(("T", cell))
    return [*found, *ties_of(page, cells, cells)]


def ties_of(page: Page, cells: Collection[Spot], far: Collection[Spot]) -> list[Fact]:
    """Return the forced edges that touch some cells, and lines with both ends in far.

    The first edges of a line belong to its fact.
    """
    cells, far, ties = set(cells), set(far), sorted(page.ties)
    return [
        fact
        for (word, a, b), fact in zip(ties, ties_as_facts(ties), strict=True)
        if ({a, b} <= far if word == "mates" else {a, b} & cells)
    ]


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
    ties = set[Tie]()
    for word, *fact in core:
        if word in ASKED:
            spots: Any = fact
            ties |= {
                ("joined", *edge(*spots[i : i + 2])) for i in range(0, len(fact), 2)
            }
            if word == "mates":
                ties.add(("mates", *edge(spots[0], spots[2])))
    cells = sorted((cell, letter_of(page, cell, names)) for cell, names in of.items())
    return Picture(tuple(cells), tuple(areas), tuple(sorted(ties))).tidy()


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

    Cells before forced edges and lines, which stand for many cells.

    - `asked`: says of facts whether they make the move impossible; of the picture it
      does.
    - `fixed`: facts that are kept: what is counted of an area.
    - `views`: what gaps show.
    - `weights`, (views,) float: what a view is worth that a picture comes to fit; 0 for
      those that it must not be looked at for, such as views without the picture's area.
    - `late`: when it says so, the picture is left as it is.
    """
    tried: set[_Step] = set()
    while True:
        asks = {one: views.fitting(one) for one in picture.asks()}
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
                    less += ~views.fitting(one)
                gain = float(weights[(misses > 0) & (less == 0)].sum())
                cell, drops = step[0], _DROPS.get(step[1][:1], 0)
                far = max(abs(cell[0]), abs(cell[1])), abs(cell[0]) + abs(cell[1])
                options.append((drops, gain, far if drops else (0, 0), step, fewer))
        if not options or late():
            return picture
        *_, step, fewer = max(options, key=lambda option: option[:-1])
        tried.add(step)
        if asked.core([*fewer.known(), *fixed]) is not None:
            picture = fewer


def _weaker(picture: Picture) -> Iterator[tuple[_Step, Picture]]:
    """Yield the pictures that ask for one thing less, or for less of a cell."""
    cells, tied = dict(picture.cells), picture.of_ties()
    for cell, letter in picture.cells:
        fewer = {x: what for x, what in cells.items() if x != cell}
        yield (cell, "?"), replace(picture, cells=tuple(fewer.items()))
        for weaker in "" if cell in tied else _WEAKER.get(letter, ""):
            some = sorted({**fewer, cell: weaker}.items())
            yield (cell, weaker), replace(picture, cells=tuple(some))
    led = {end for ends in picture.pairs("mates") for end in ends}
    for tie in picture.ties:
        word, *pair = tie
        if word != "joined" or led.isdisjoint(pair):
            rest = tuple(other for other in picture.ties if other != tie)
            more = tuple(sorted((dict.fromkeys(pair, ".") | cells).items()))
            less = replace(picture, cells=more, ties=rest).tidy()
            yield (pair[0], f"{word} {pair[1]}"), less
