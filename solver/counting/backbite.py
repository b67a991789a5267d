"""Random walks of boards too large to count: a Markov chain that keeps both ends.

The classical *backbite* joins an end of a walk to a neighbour and cuts the loop that
this makes (Mansfield, J. Chem. Phys. 77, 1982; Oberdorf, Ferguson, Jacobsen and Kondev,
Phys. Rev. E 74, 051801, 2006). It moves the ends. To wait until both are back in their
corners takes about as many bites as there are pairs of cells; and if one end never
moves, few walks are reached at all, on 5 x 5 only 7 of 104. So here the walk is bitten
within: four cells that form a square, and two sides of it that the walk uses. The two
are exchanged for the other two sides. Then

* either the walk is whole again, a part of it walked the other way round;
* or a loop is bitten off. Then of all squares that join it to the walk again one is
  drawn, the first one included, and its sides are exchanged.

The square is drawn from all; where it has no two such sides, or the part or loop has
more than `CAP` cells, nothing changes. From what a bite makes the same bite leads back
with the same probability, since the loop has the same squares both ways. So the chain
favours no walk among those it can reach.

It does not reach all walks of every board: between the middle cells of the long sides
of 3 x 5 there are two, and no bite leads from one to the other; on 6 x 6 with a wall at
3,4 it misses some of the 480. Between opposite corners of a rectangle without
walls it reached all walks wherever we tried all (up to 5 x 7), so only these boards are
taken. How soon it forgets its beginning is known by experiment only.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.counting.uniform import follow
from solver.errors import NoWalkError, OptionError
from solver.jit import njit
from solver.oracles.exact import exact_walk
from solver.splitmix import below, seeded

Cells = npt.NDArray[np.int32]

BITES = 40  # a cell of the board, and so many more:
MORE_BITES = 20_000
CAP = 400  # cells of a part or loop
_PARTS = 4  # looks at the chain on its way
_SLICE = 1 << 26  # cells passed between two returns to Python


@njit
def _linked(links: Cells, a: int, b: int) -> bool:
    return bool(links[a, 0] == b or links[a, 1] == b)


@njit
def _relink(links: Cells, a: int, old: int, new: int) -> None:
    links[a, int(links[a, 0] != old)] = new


@njit
def _ahead(links: Cells, cell: int, before: int) -> int:
    """Return the cell after one, coming from another; -1 at the end of the walk."""
    return int(links[cell, int(links[cell, 0] == before)])


@njit
def _part_between(links: Cells, a: int, b: int, d: int, e: int) -> tuple[int, int, int]:
    """Look for the part of the walk between its steps a, b and d, e.

    Returns its cells, and its two ends: one of a, b and one of d, e. 0 cells if there
    are more than `CAP`. Both ways are tried in turn: one of them leads there.
    """
    before_a, at_a, before_b, at_b = b, a, a, b
    for cells in range(1, CAP + 1):
        if at_a in (d, e):
            return cells, a, at_a
        if at_b in (d, e):
            return cells, b, at_b
        if at_a >= 0:
            before_a, at_a = at_a, _ahead(links, at_a, before_a)
        if at_b >= 0:
            before_b, at_b = at_b, _ahead(links, at_b, before_b)
    return 0, a, d


@njit
def _bite(
    links: Cells,
    cols: int,
    corners: Cells,
    rng: npt.NDArray[np.uint64],
    marks: npt.NDArray[np.int64],
    found: Cells,
    left: npt.NDArray[np.int64],
    budget: int,
) -> None:
    """Kernel: bite until `left[0]` bites were tried or `budget` cells passed.

    `links` is (cells, 2), the cells joined to each, -1 for none; at an end the -1 comes
    second. `corners` are the upper left cells of the squares. `marks` (cells,) and
    `found` (2 CAP, 3) are for the loops; `left[1]` makes their marks.
    """
    while left[0] > 0 and budget > 0:
        left[0] -= 1
        budget -= 4
        a = int(corners[below(rng, len(corners))])
        b, d, e = a + 1, a + cols, a + cols + 1
        top, bottom = _linked(links, a, b), _linked(links, d, e)
        near, far = _linked(links, a, d), _linked(links, b, e)
        if near and far and not top and not bottom:
            b, d = d, b
        elif near or far or not top or not bottom:
            continue
        # the walk uses a-b and d-e; a-d and b-e are the other two sides
        cells, one, other = _part_between(links, a, b, d, e)
        budget -= 2 * cells if cells else 2 * CAP
        if not cells:
            continue
        _relink(links, a, b, d)
        _relink(links, b, a, e)
        _relink(links, d, e, a)
        _relink(links, e, d, b)
        if not _linked(links, one, other):
            continue  # the part was turned round
        left[1] += 1
        mark = left[1]
        before, at = other, one
        for _ in range(cells):
            marks[at] = mark
            before, at = at, _ahead(links, at, before)
        many = 0
        before, at = other, one
        for _ in range(cells):
            # the step from `before` to `at` is the loop's; beside it, one of the walk?
            along = at - before
            side = cols if along in (1, -1) else 1
            for way in (side, -side):
                if side == 1 and (at % cols + way < 0 or at % cols + way == cols):
                    continue
                x, y = before + way, at + way
                if x < 0 or y < 0 or x >= len(links) or y >= len(links):
                    continue
                if _linked(links, x, y) and marks[x] != mark:
                    found[many, 0] = before
                    found[many, 1] = at
                    found[many, 2] = way
                    many += 1
            before, at = at, _ahead(links, at, before)
        pick = found[below(rng, many)]
        u, v, way = int(pick[0]), int(pick[1]), int(pick[2])
        x, y = u + way, v + way
        _relink(links, u, v, x)
        _relink(links, v, u, y)
        _relink(links, x, y, u)
        _relink(links, y, x, v)


@dataclass(frozen=True, slots=True)
class Mixing:
    """What the chain looked like at one time: whether it has forgotten its beginning.

    - `bites`: bites tried so far.
    - `straight`: the share of cells that are passed straight on.
    - `level`: the share of steps along rows.
    - `kept`: the share of the first walk's edges that this walk has too.
    """

    bites: int
    straight: float
    level: float
    kept: float


class BackbiteWalks:
    """Draws walks with a Markov chain; each begins where the one before ended.

    Both ends are kept. Uniform only as far as the chain has mixed, which is conjectured
    from experiments and not proved: `mixing` shows what it looked like on its way. The
    chain begins with rows walked to and fro.

    - `effort`: a factor of the bites that are tried for each walk: 40 a cell, and
      20,000.
    - `any_board`: take any board, though the chain may miss most of its walks; it
      begins with an exact walk there.

    - `mixing`, list of Mixing: five looks at the last draw, from its beginning to its
      end.

    Raises `NoWalkError` if the board has no walk; `OptionError` if none is found, the
    effort is not above 0, or the chain may not reach all walks.

    >>> walks = BackbiteWalks(Board.square(11), seed=1)
    >>> walk = walks.draw()
    >>> walk.complete, len(walks.mixing)
    (True, 5)
    """

    def __init__(
        self, board: Board, *, seed: int, effort: float = 1.0, any_board: bool = False
    ) -> None:
        if not 0 < effort <= 1e6:
            raise OptionError(f"the effort is above 0 and at most 1e6, not {effort}")
        if not any_board and not _is_plain(board):
            raise OptionError(
                "backbite takes rectangles without walls, start and end in opposite "
                f"corners, not {board.notation}: elsewhere it may miss walks; exact "
                "layers take any board, and so do walks step by step"
            )
        self.board = board
        self.mixing: list[Mixing] = []
        self._rng = seeded(seed)
        self._effort = effort
        walk = np.array(_first_walk(board, seed), dtype=np.int32)
        self._links = np.full((board.cells, 2), -1, dtype=np.int32)
        self._links[walk[1:], 0] = walk[:-1]
        self._links[walk[1:-1], 1] = walk[2:]
        self._links[walk[0], 0] = walk[1] if len(walk) > 1 else -1
        self._corners = _squares(board)
        self._marks = np.zeros(board.cells, dtype=np.int64)
        self._found = np.zeros((2 * CAP, 3), dtype=np.int32)
        self._marked = self._tried = 0

    def draw(self) -> Position:
        """Return the next walk of the chain, after enough bites."""
        first = walk = self._walk()
        self.mixing = [self._look(walk, first)]
        cells = self.board.open_cells
        bites = max(1, int(self._effort * (BITES * cells + MORE_BITES)))
        for part in range(_PARTS):
            self._run(bites * (part + 1) // _PARTS - bites * part // _PARTS)
            walk = self._walk()
            self.mixing.append(self._look(walk, first))
        return Position(self.board, tuple(walk.tolist()))

    def _run(self, bites: int) -> None:
        if not len(self._corners):
            return
        left = np.array([bites, self._marked], dtype=np.int64)
        while left[0] > 0:
            _bite(
                self._links,
                self.board.cols,
                self._corners,
                self._rng,
                self._marks,
                self._found,
                left,
                _SLICE,
            )
        self._marked = int(left[1])
        self._tried += bites

    def _walk(self) -> Cells:
        walk = np.empty(self.board.open_cells, dtype=np.int32)
        follow(self._links, self.board.start, walk)
        return walk

    def _look(self, walk: Cells, first: Cells) -> Mixing:
        steps = np.diff(walk)
        if len(steps) < 2:
            return Mixing(self._tried, 0.0, 0.0, 1.0)
        kept = np.isin(_edges(walk), _edges(first), assume_unique=True)
        return Mixing(
            self._tried,
            float((steps[1:] == steps[:-1]).mean()),
            float((np.abs(steps) == 1).mean()) if self.board.cols > 1 else 0.0,
            float(kept.mean()),
        )


def _edges(walk: Cells) -> npt.NDArray[np.int64]:
    """Return a number for each edge of a walk."""
    low = np.minimum(walk[1:], walk[:-1]).astype(np.int64)
    edges: npt.NDArray[np.int64] = 2 * low + (np.abs(np.diff(walk)) == 1)
    return edges


def _squares(board: Board) -> Cells:
    """Return the upper left cells of the squares of four open cells."""
    is_open = np.ones(board.cells, dtype=np.bool_)
    is_open[list(board.walls)] = False
    grid = is_open.reshape(board.rows, board.cols)
    square = grid[:-1, :-1] & grid[1:, :-1] & grid[:-1, 1:] & grid[1:, 1:]
    rows, cols = np.nonzero(square)
    return (rows * board.cols + cols).astype(np.int32)


def _is_plain(board: Board) -> bool:
    """Whether a board has no walls, and its ends lie in opposite corners."""
    row, col = divmod(board.start, board.cols)
    corner = row in (0, board.rows - 1) and col in (0, board.cols - 1)
    return corner and not board.walls and board.start + board.end == board.cells - 1


def _first_walk(board: Board, seed: int) -> list[int]:
    """Return a walk to begin with."""
    rows, cols = board.rows, board.cols
    corners = _is_plain(board)
    if corners and rows % 2:
        lines = [range(r * cols, (r + 1) * cols) for r in range(rows)]
    elif corners and cols % 2:
        lines = [range(c, board.cells, cols) for c in range(cols)]
    else:
        found = exact_walk(board, seed)
        if found.position.complete:
            return list(found.position.walk)
        if found.position.unvisited and found.verdict.name != "UNKNOWN":
            raise NoWalkError(board.notation)
        raise OptionError(f"no walk of {board.notation} was found to begin with")
    from_first = [
        cell
        for number, line in enumerate(lines)
        for cell in (reversed(line) if number % 2 else line)
    ]
    row, col = divmod(board.start, cols)
    return [
        (rows - 1 - cell // cols if row else cell // cols) * cols
        + (cols - 1 - cell % cols if col else cell % cols)
        for cell in from_first
    ]
