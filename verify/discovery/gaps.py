"""The dead moves that a rule book misses, as rows of numbers and as pages.

A *gap* here is a visited set, a live end, a heading and a dead move. A drawing without
runs does not depend on the order of the walk. So walks that agree in these four are one
row, with a count.

A *page* is a row as drawings see it: cells are ``(row, col)`` from the live end, turned
until the walk runs up, row -1 ahead, column -1 to the left. A gap whose dead move is to
the right is mirrored, so the move of a page is straight on or to the left. `Vicinities`
are the cells near the live end of many gaps at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.drawn import tree_masks
from heuristic.matching.pattern import ALL_MOVES, Drawn, evaluate, new_drawn
from heuristic.matching.tables import FREE_CELL, WALL_CELL, Ints, compile_rules
from heuristic.rules.drawing import RuleSpec, Spot
from heuristic.rules.letters import STATES
from heuristic.walker import CHUNK
from solver.board import LETTERS, STEPS, Board, Position
from solver.jit import njit
from solver.positions import PositionTree
from verify.proof.window import FREE, LIVE, OUT, VISITED, neighbours

States: TypeAlias = npt.NDArray[np.int8]
Bools: TypeAlias = npt.NDArray[np.bool_]
Longs: TypeAlias = npt.NDArray[np.int64]

VISITED_CELL = 0  # in `Gaps.states`, with FREE_CELL and WALL_CELL
STRAIGHT, LEFT = 0, 3  # moves of pages
END = 8  # bit of the end cell in views, next to that of its state
_CODES = np.zeros(3, np.uint8)
_CODES[[VISITED_CELL, FREE_CELL, WALL_CELL]] = VISITED, FREE, OUT


@dataclass(frozen=True, slots=True)
class Gaps:
    """Distinct dead moves of one board, those of shorter walks first.

    - `states`, (n, cells) int8: VISITED_CELL, FREE_CELL or WALL_CELL.
    - `live`, `heading`, `move`, each (n,) int32: the live end; the direction of the
      last step and the dead move, 0 to 3 for U, R, D, L.
    - `first`, (n,) int32: number of a position with the gap, in its source.
    - `counts`, (n,) int64: positions with this gap.
    """

    board: Board
    states: States
    live: Ints
    heading: Ints
    move: Ints
    first: Ints
    counts: Longs

    def __len__(self) -> int:
        return len(self.states)

    def key(self, number: int) -> bytes:
        """Return a gap as bytes, the same in every run."""
        facts = self.live[number], self.heading[number], self.move[number]
        return b"%r %b" % (facts, self.states[number].tobytes())


@njit
def _gap_rows(
    neighbours: Ints,
    places: tuple[Ints, Ints, npt.NDArray[np.uint8]],
    walk: Ints,
    length: int,
    state: States,
    rows: tuple[States, Ints],
) -> tuple[int, int]:
    """Kernel: write a row for each dead move of some places.

    `places` are depth, live end and dead moves; `walk`, `length` and its cells in
    `state` carry the walk from one run to the next. Returns that length and the number
    of rows; a row of facts is live end, heading, move and place.
    """
    depth, cells, dead = places
    states, facts = rows
    count = 0
    for i in range(len(depth)):
        while length > depth[i]:
            length -= 1
            state[walk[length]] = FREE_CELL
        here = cells[i]
        walk[length] = here
        length += 1
        state[here] = VISITED_CELL
        if dead[i] == 0 or length < 2:
            continue
        heading = 0
        for d in range(4):
            if neighbours[walk[length - 2], d] == here:
                heading = d
        for d in range(4):
            if dead[i] >> d & 1:
                for cell in range(len(state)):
                    states[count, cell] = state[cell]
                facts[count, 0] = here
                facts[count, 1] = heading
                facts[count, 2] = d
                facts[count, 3] = i
                count += 1
    return length, count


def missed_by(rules: tuple[RuleSpec, ...], tree: PositionTree) -> Gaps:
    """Return the dead moves at the positions of a tree that no rule forbids.

    Moves onto the end cell before its time do not count. A microsecond a position for a
    rule set of a hundred drawings.
    """
    board = tree.board
    tables = compile_rules(rules)
    walk, length = np.zeros(board.cells, np.int32), 0
    drawn = new_drawn(tables, board)
    state = drawn.order.astype(np.int8)
    rows = np.zeros((2 * CHUNK, board.cells), np.int8)
    row_facts = np.zeros((2 * CHUNK, 4), np.int32)
    states, facts, begin = [], [], 0
    for part in tree_masks(drawn, tree):
        dead = part.options & ~part.good & ~np.bitwise_or.reduce(part.masks, axis=1)
        cells = tree.cell[begin : begin + len(dead)]
        places = part.depth, cells, dead
        length, count = _gap_rows(
            board.neighbours, places, walk, length, state, (rows, row_facts)
        )
        states.append(rows[:count].copy())
        facts.append(row_facts[:count] + np.array([0, 0, 0, begin], np.int32))
        begin += len(dead)
    return _distinct(board, np.concatenate(states), np.concatenate(facts))


def gaps_at(board: Board, met: Iterable[tuple[Position, str]]) -> Gaps:
    """Return the rows of dead moves, given as letters, of positions of a board."""
    states, facts = [], []
    for number, (position, moves) in enumerate(met):
        assert position.board == board
        assert position.heading >= 0
        cells = np.where(position.free, FREE_CELL, WALL_CELL).astype(np.int8)
        cells[list(position.walk)] = VISITED_CELL
        for move in moves:
            live, heading = position.live_end, position.heading
            states.append(cells)
            facts.append((live, heading, LETTERS.index(move), number))
    return _distinct(
        board,
        np.array(states, np.int8).reshape(-1, board.cells),
        np.array(facts, np.int32).reshape(-1, 4),
    )


def _distinct(board: Board, states: States, facts: Ints) -> Gaps:
    """Return each row once, with a count, those of shorter walks first."""
    visited, outside = states == VISITED_CELL, states == WALL_CELL
    bits = [np.packbits(some, axis=1, bitorder="little") for some in (visited, outside)]
    key = np.hstack([bits[0], facts[:, 2::-1], bits[1]])  # move, heading, live end
    order = np.lexsort((*key.T, visited.sum(axis=1)))
    key = key[order]
    new = np.ones(len(key), np.bool_)
    new[1:] = (key[1:] != key[:-1]).any(axis=1)
    first = np.flatnonzero(new)
    counts = np.diff(np.append(first, len(key))).astype(np.int64)
    rows = order[first]
    live, heading, move, number = facts[rows].T.copy()
    return Gaps(board, states[rows], live, heading, move, number, counts)


@njit
def _forbidden(
    drawn: Drawn,
    states: States,
    moves: tuple[Ints, Ints, Ints],
    columns: Bools,
) -> None:
    """Kernel of `columns_of`; `moves` are live ends, headings and dead moves."""
    live, heading, move = moves
    for i in range(len(states)):
        for cell in range(len(drawn.order)):
            drawn.order[cell] = states[i, cell]
        evaluate(drawn, live[i], heading[i], ALL_MOVES)
        columns[i] = drawn.masks[0] >> move[i] & 1 == 1


def columns_of(rules: Iterable[RuleSpec], gaps: Gaps) -> Bools:
    """Return which rules forbid which rows' moves, (rows, rules) bool.

    Each rule is evaluated alone, whatever its precedence says. It may have no runs:
    rows do not keep the order of the walk.
    """
    columns, board = [np.zeros((len(gaps), 0), np.bool_)], gaps.board
    for rule in rules:
        assert not any(drawing.runs for drawing in rule.drawings)
        alone = replace(rule, stops=False, unless=())
        drawn = new_drawn(compile_rules((alone,)), board)
        column = np.zeros(len(gaps), np.bool_)
        moves = gaps.live, gaps.heading, gaps.move
        _forbidden(drawn, gaps.states, moves, column)
        columns.append(column[:, None])
    return np.hstack(columns)


# Pages ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page:
    """A gap, as it shows around the live end.

    - `move`: the dead move, `STRAIGHT` or `LEFT`.
    - `states`, dict of cell to int: FREE or VISITED, of each open cell of the board.
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
        """Return the state of a cell: FREE, VISITED or OUT."""
        return self.states.get(cell, OUT)

    def free(self, cell: Spot) -> bool:
        """Return whether a cell is free."""
        return self.state(cell) == FREE


def page_of(gaps: Gaps, number: int) -> Page:
    """Return the page of a row; it has the whole board."""
    views = vicinities_of(gaps, max(gaps.board.rows, gaps.board.cols), [number])
    codes = dict(zip(cells_within(views.radius), views.codes[0].tolist(), strict=True))
    (end,) = (cell for cell, code in codes.items() if code & END)
    states = {cell: code & ~END for cell, code in codes.items() if not code & OUT}
    return Page(STRAIGHT if views.straight[0] else LEFT, states, end)


@dataclass(frozen=True, slots=True)
class Vicinities:
    """Many gaps, as they show within some cells of the live end.

    - `codes`, (n, cells) uint8: FREE, VISITED or OUT, plus END; row by row of the
      square.
    - `of`, (n,) int64: number of the gap. One that goes straight on has two views, the
      second is mirrored.
    - `straight`, (n,) bool
    """

    radius: int
    codes: npt.NDArray[np.uint8]
    of: Longs
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


def vicinities_of(
    gaps: Gaps, radius: int, numbers: Iterable[int] | None = None
) -> Vicinities:
    """Return the views of some gaps, or of all; the mirrored ones come last."""
    some = np.arange(len(gaps)) if numbers is None else np.array(list(numbers))
    turned = (gaps.move[some] - gaps.heading[some]) % 4
    straight = turned == STRAIGHT
    twice = np.ones(straight.sum(), np.bool_)
    rows = np.concatenate([some, some[straight]])
    mirrored = np.concatenate([turned == 1, twice])
    board, heading = gaps.board, gaps.heading[rows]
    steps = np.array(STEPS)
    up, side = steps[heading], steps[(heading + np.where(mirrored, 3, 1)) % 4]
    row0, col0 = np.divmod(gaps.live[rows], board.cols)
    codes = []
    for r, c in cells_within(radius):
        row = row0 - r * up[:, 0] + c * side[:, 0]
        col = col0 - r * up[:, 1] + c * side[:, 1]
        inside = (row >= 0) & (row < board.rows) & (col >= 0) & (col < board.cols)
        cell = np.where(inside, row * board.cols + col, 0)
        states = np.where(inside, gaps.states[rows, cell], WALL_CELL)
        end = (cell == board.end) & inside
        codes.append(_CODES[states] + END * end)
    shown = np.array(codes, np.uint8).T.copy()
    return Vicinities(radius, shown, rows, np.concatenate([straight, twice]))


def cells_within(radius: int) -> list[Spot]:
    """Return the cells up to a distance each way from the live end, row by row."""
    span = range(-radius, radius + 1)
    return [(row, col) for row in span for col in span]
