"""The dead moves that a book misses, as rows of numbers.

A *gap* here is a visited set, a live end, a heading and a dead move: what the order of
the walk was does not matter to a drawing without runs, so walks that agree in these are
one row, counted. A row is ``words`` unsigned 64-bit numbers for the visited cells (bit
``cell % 64`` of word ``cell // 64``), and one more: live end, heading and move.

Rows may come from several boards: a smaller board is laid into the corner of the
largest where the task ends (`laid`), and what is not of it is outside. So a drawing is
asked of all of them at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import evaluate
from heuristic.matching.tables import (
    FREE_CELL,
    WALL_CELL,
    Ints,
    Tables,
    compile_rules,
)
from heuristic.matching.walks import Drawn, new_drawn, tree_masks
from heuristic.rules.drawing import RuleSpec
from heuristic.walks.walker import CHUNK
from solver.board import LETTERS, Board, Position
from solver.jit import njit
from solver.positions import PositionTree

Words = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
Met: TypeAlias = Iterable[tuple[Position, str]]  # gaps, each with its dead moves

_WORD = 64
_HEADING = 1 << 2  # of the last word: move + 4 * heading + 16 * live end
_LIVE = 1 << 4
_ROWS = 4096  # between two looks at the keyboard
_FEW = 8  # drawings whose tables are made in no time


@dataclass(frozen=True, slots=True)
class Gaps:
    """Distinct dead moves of one board, the earliest first.

    - `rows`, (n, words + 1) uint64: see the module.
    - `counts`, (n,) int64: positions with this row.
    - `first`, (n,) int64: the number of one of them, where they come from.
    - `outside`, (n, words) uint64: cells of the board that are outside in a row,
      besides its walls; none if left out.
    """

    board: Board
    rows: Words
    counts: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    outside: Words | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def live(self) -> npt.NDArray[np.int64]:
        """The live ends."""
        return (self.rows[:, -1] // _LIVE).astype(np.int64)

    @property
    def heading(self) -> npt.NDArray[np.int64]:
        """The directions of the last steps, 0 to 3 for U, R, D, L."""
        return (self.rows[:, -1] // _HEADING % 4).astype(np.int64)

    @property
    def move(self) -> npt.NDArray[np.int64]:
        """The dead moves, 0 to 3 for U, R, D, L."""
        return (self.rows[:, -1] % 4).astype(np.int64)

    def visited_at(
        self, numbers: npt.NDArray[np.int64], cells: npt.NDArray[np.int64]
    ) -> Bools:
        """Return whether some rows have visited one cell each."""
        return _bits(self.rows, numbers, cells)

    def out_at(
        self, numbers: npt.NDArray[np.int64], cells: npt.NDArray[np.int64]
    ) -> Bools:
        """Return whether one cell each is a wall or not of some rows' boards."""
        walls = np.zeros(self.board.cells, np.bool_)
        walls[list(self.board.walls)] = True
        if self.outside is None:
            return walls[cells]
        return walls[cells] | _bits(self.outside, numbers, cells)

    def order_of(self, number: int) -> Ints:
        """Return one row as kernels take a walk, (cells,); the order is not kept."""
        cells = np.arange(self.board.cells)
        numbers = np.full_like(cells, number)
        order = np.where(self.visited_at(numbers, cells), 0, FREE_CELL)
        return np.where(self.out_at(numbers, cells), WALL_CELL, order).astype(np.int32)

    def key(self, number: int) -> bytes:
        """Return a row as bytes, with what is outside."""
        row = self.rows[number]
        if self.outside is not None:
            row = np.hstack([row, self.outside[number]])
        return bytes(row.tobytes())

    def kept(self, which: Bools) -> "Gaps":
        """Return some of the rows."""
        return Gaps(
            *(self.board, self.rows[which], self.counts[which], self.first[which]),
            None if self.outside is None else self.outside[which],
        )


def _bits(
    words: Words, numbers: npt.NDArray[np.int64], cells: npt.NDArray[np.int64]
) -> Bools:
    """Return one cell's bit of each of some rows."""
    found: Words = words[numbers, cells // _WORD]
    return (found >> (cells % _WORD).astype(np.uint64) & np.uint64(1)).astype(np.bool_)


@njit
def _gap_rows(
    neighbours: Ints,
    places: tuple[Ints, Ints, npt.NDArray[np.uint8]],
    walk: Ints,
    visited: Words,
    length: int,
    found: tuple[Words, npt.NDArray[np.int64]],
) -> tuple[int, int]:
    """Kernel: write a row for each dead move of some places.

    `places` are depth, live end and dead moves; `walk`, its cells as bits in `visited`
    and its length carry the walk from one run to the next. Returns that length and the
    number of rows.
    """
    depth, cells, dead = places
    rows, at = found
    count, last = 0, rows.shape[1] - 1
    for i in range(len(depth)):
        while length > depth[i]:
            length -= 1
            cell = walk[length]
            visited[cell // _WORD] ^= np.uint64(1) << np.uint64(cell % _WORD)
        here = cells[i]
        walk[length] = here
        length += 1
        visited[here // _WORD] |= np.uint64(1) << np.uint64(here % _WORD)
        if dead[i] == 0 or length < 2:
            continue
        heading = 0
        for d in range(4):
            if neighbours[walk[length - 2], d] == here:
                heading = d
        for d in range(4):
            if dead[i] >> d & 1:
                for word in range(last):
                    rows[count, word] = visited[word]
                rows[count, last] = np.uint64(d + _HEADING * heading + _LIVE * here)
                at[count] = i
                count += 1
    return length, count


def missed_by(rules: tuple[RuleSpec, ...], tree: PositionTree) -> Gaps:
    """Return the dead moves at the positions of a tree that no rule forbids.

    Moves onto the end cell before its time are none. A microsecond a position and a
    rule set of a hundred drawings.
    """
    board = tree.board
    tables = compile_rules(rules, max(board.rows, board.cols))
    walk, length = np.zeros(board.cells, np.int32), 0
    found, numbers = [], []
    words = -(-board.cells // _WORD)
    rows, visited = (
        np.zeros((2 * CHUNK, words + 1), np.uint64),
        np.zeros(words, np.uint64),
    )
    at = np.zeros(2 * CHUNK, np.int64)
    begin = 0
    for told in tree_masks(tables, tree):
        dead = told.options & ~told.good & ~np.bitwise_or.reduce(told.masks, axis=1)
        cells = tree.cell[begin : begin + len(dead)]
        places = told.depth, cells, dead
        length, count = _gap_rows(
            board.neighbours, places, walk, visited, length, (rows, at)
        )
        found.append(rows[:count].copy())
        numbers.append(at[:count] + begin)
        begin += len(dead)
    return distinct(board, np.concatenate(found), np.concatenate(numbers))


def distinct(
    board: Board,
    rows: Words,
    numbers: npt.NDArray[np.int64],
    outside: Words | None = None,
) -> Gaps:
    """Return rows once each, counted, those of shorter walks first."""
    steps = np.bitwise_count(rows[:, :-1]).sum(axis=1)
    both = rows if outside is None else np.hstack([rows, outside])
    order = np.lexsort((*both.T, steps))
    rows, both, numbers = rows[order], both[order], numbers[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (both[1:] != both[:-1]).any(axis=1)
    first = np.flatnonzero(new)
    counts = np.diff(np.append(first, len(rows))).astype(np.int64)
    out = None if outside is None else outside[order][first]
    return Gaps(board, rows[first], counts, numbers[first], out)


def gaps_at(board: Board, known: Met) -> Gaps:
    """Return the rows of dead moves, letters, of some positions.

    Positions of other boards are laid into the board, see `laid`.
    """
    rows, outs, numbers = [], [], []
    for number, (position, moves) in enumerate(known):
        row, out = laid(position, board)
        for move in moves:
            rows.append(row.copy())
            rows[-1][-1] += np.uint64(LETTERS.index(move))
            outs.append(out)
            numbers.append(number)
    words = -(-board.cells // _WORD)
    outside = np.array(outs, np.uint64).reshape(-1, words)
    return distinct(
        board,
        np.array(rows, np.uint64).reshape(-1, words + 1),
        np.array(numbers, np.int64),
        outside if outside.any() else None,
    )


def fits(own: Board, board: Board) -> bool:
    """Tell whether a board is another, or its lower right corner with the end."""
    small = own.rows <= board.rows and own.cols <= board.cols
    ends = (own.end, board.end) == (own.cells - 1, board.cells - 1)
    return own == board or (small and ends and not board.walls)


def laid(position: Position, board: Board) -> tuple[Words, Words]:
    """Return the row of a position with move 0, and what is outside, on a board.

    The position's board must fit (`fits`).
    """
    own = position.board
    down, right = board.rows - own.rows, board.cols - own.cols
    assert fits(own, board), f"{own.notation} cannot be laid into {board.notation}"

    def cell(of: int) -> int:
        row, col = divmod(of, own.cols)
        return (row + down) * board.cols + col + right

    assert position.heading >= 0
    words = -(-board.cells // _WORD)
    row, out = np.zeros(words + 1, np.uint64), np.zeros(words, np.uint64)
    for at in map(cell, position.walk):
        row[at // _WORD] |= np.uint64(1 << at % _WORD)
    row[-1] = np.uint64(_HEADING * position.heading + _LIVE * cell(position.live_end))
    if own != board:
        inside = {cell(at) for at in range(own.cells) if at not in own.walls}
        for at in set(range(board.cells)) - inside:
            out[at // _WORD] |= np.uint64(1 << at % _WORD)
    return row, out


@njit
def _forbidden(
    drawn: Drawn, rows: Words, outside: Words, walls: Ints, columns: Bools
) -> None:
    """Kernel of `columns_of`: fill one row of `columns` for each row."""
    last = rows.shape[1] - 1
    for i in range(len(rows)):
        for cell in range(len(drawn.order)):
            word, bit = cell // _WORD, np.uint64(cell % _WORD)
            drawn.order[cell] = walls[cell]
            if rows[i, word] >> bit & np.uint64(1):
                drawn.order[cell] = 0
            elif len(outside) and outside[i, word] >> bit & np.uint64(1):
                drawn.order[cell] = WALL_CELL
        code = int(rows[i, last])
        heading = code // _HEADING % 4
        evaluate(
            drawn.tables,
            drawn.order,
            drawn.board,
            code // _LIVE,
            heading,
            drawn.scratch,
            drawn.masks,
        )
        for rule in range(len(drawn.masks)):
            columns[i, rule] = drawn.masks[rule] >> (code % 4) & 1 == 1


def columns_of(rules: tuple[RuleSpec, ...], gaps: Gaps) -> Bools:
    """Return which rules forbid which rows' moves, (rows, rules) bool.

    Each rule is asked always, whatever its precedence says, and may have no runs: rows
    do not keep the order of the walk. Families take a tenth of a second the first time:
    their tables are kept.
    """
    found = np.zeros((len(gaps), len(rules)), np.bool_)
    for number, rule in enumerate(rules if len(gaps) else ()):
        drawn = new_drawn(_tables_of(rule, gaps.board), gaps.board)
        walls = drawn.order.copy()
        for begin in range(0, len(gaps), _ROWS):
            part = slice(begin, begin + _ROWS)
            rows = gaps.rows[part]
            out = rows[:0, :-1] if gaps.outside is None else gaps.outside[part]
            _forbidden(drawn, rows, out, walls, found[part, number : number + 1])
    return found


_kept: dict[tuple[int, Board], tuple[RuleSpec, Tables]] = {}


def _tables_of(rule: RuleSpec, board: Board) -> Tables:
    """Return the tables of a rule alone; those of families are kept.

    By the object, which is kept too: a family is slow to compare.
    """
    key = id(rule), board
    if key in _kept and _kept[key][0] is rule:
        return _kept[key][1]
    assert not any(drawing.runs for drawing in rule.drawings)
    alone = replace(rule, stops=False, unless=())
    tables = compile_rules((alone,), max(board.rows, board.cols))
    if len(rule.drawings) > _FEW:
        _kept[key] = rule, tables
    return tables
