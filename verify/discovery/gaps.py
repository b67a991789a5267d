"""The dead moves that a book misses, as rows of numbers.

A *gap* here is a visited set, a live end, a heading and a dead move: what the order of
the walk was does not matter to a drawing without runs, so walks that agree in these are
one row, counted.

Rows may come from several boards: a smaller board is laid into the corner of the
largest where the task ends, and what is not of it is outside. So a drawing is asked of
all of them at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import ALL_MOVES, Drawn, evaluate, new_drawn
from heuristic.matching.tables import (
    FREE_CELL,
    WALL_CELL,
    Ints,
    Tables,
    compile_rules,
)
from heuristic.matching.walks import tree_masks
from heuristic.rules.drawing import RuleSpec
from heuristic.walks.walker import CHUNK
from solver.board import LETTERS, Board, Position
from solver.jit import njit
from solver.positions import PositionTree

States: TypeAlias = npt.NDArray[np.int8]
Bools: TypeAlias = npt.NDArray[np.bool_]
Met: TypeAlias = Iterable[tuple[Position, str]]  # gaps, each with its dead moves

VISITED_CELL = 0  # in states, with FREE_CELL and WALL_CELL
_FEW = 8  # drawings whose tables are made in no time


@dataclass(frozen=True, slots=True)
class Gaps:
    """Distinct dead moves of one board, the earliest first.

    - `states`, (n, cells) int8: VISITED_CELL, FREE_CELL or WALL_CELL.
    - `live`, `heading`, `move`, `first`, each (n,) int32: the live end; the direction
      of the last step and the dead move, 0 to 3 for U, R, D, L; the number of a
      position with the gap, where they come from.
    - `counts`, (n,) int64: positions with this gap.
    """

    board: Board
    states: States
    live: Ints
    heading: Ints
    move: Ints
    first: Ints
    counts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.states)

    def key(self, number: int) -> bytes:
        """Return a gap as bytes, the same in every run."""
        facts = self.live[number], self.heading[number], self.move[number]
        return b"%r %b" % (facts, self.states[number].tobytes())

    def some(self, which: Bools) -> "Gaps":
        """Return some of the rows."""
        return Gaps(
            *(self.board, self.states[which], self.live[which], self.heading[which]),
            *(self.move[which], self.first[which], self.counts[which]),
        )


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

    Moves onto the end cell before its time are none. A microsecond a position and a
    rule set of a hundred drawings.
    """
    board = tree.board
    tables = compile_rules(rules, max(board.rows, board.cols))
    walk, length = np.zeros(board.cells, np.int32), 0
    drawn = new_drawn(tables, board)
    state = drawn.order.astype(np.int8)
    rows = np.zeros((2 * CHUNK, board.cells), np.int8)
    row_facts = np.zeros((2 * CHUNK, 4), np.int32)
    states, facts, begin = [], [], 0
    for told in tree_masks(drawn, tree):
        dead = told.options & ~told.good & ~np.bitwise_or.reduce(told.masks, axis=1)
        cells = tree.cell[begin : begin + len(dead)]
        places = told.depth, cells, dead
        length, count = _gap_rows(
            board.neighbours, places, walk, length, state, (rows, row_facts)
        )
        states.append(rows[:count].copy())
        facts.append(row_facts[:count] + np.array([0, 0, 0, begin], np.int32))
        begin += len(dead)
    return _distinct(board, np.concatenate(states), np.concatenate(facts))


def gaps_at(board: Board, met: Met) -> Gaps:
    """Return the rows of dead moves, letters, of some positions.

    Positions of other boards are laid into the board; they must fit (`fits`).
    """
    states, facts = [], []
    for number, (position, moves) in enumerate(met):
        own = position.board
        assert fits(own, board), f"{own.notation} is not in {board.notation}"
        assert position.heading >= 0
        inner = np.where(position.free, FREE_CELL, WALL_CELL)
        inner[list(position.walk)] = VISITED_CELL
        outer = np.full((board.rows, board.cols), WALL_CELL, np.int8)
        down, right = board.rows - own.rows, board.cols - own.cols
        outer[down:, right:] = inner.reshape(own.rows, own.cols)
        row, col = divmod(position.live_end, own.cols)
        live = (row + down) * board.cols + col + right
        for move in moves:
            states.append(outer.reshape(-1))
            facts.append((live, position.heading, LETTERS.index(move), number))
    return _distinct(
        board,
        np.array(states, np.int8).reshape(-1, board.cells),
        np.array(facts, np.int32).reshape(-1, 4),
    )


def fits(own: Board, board: Board) -> bool:
    """Tell whether a board is another, or its lower right corner with the end."""
    small = own.rows <= board.rows and own.cols <= board.cols
    ends = (own.end, board.end) == (own.cells - 1, board.cells - 1)
    return own == board or (small and ends and not board.walls)


def _distinct(board: Board, states: States, facts: Ints) -> Gaps:
    """Return rows once each, counted, those of shorter walks first."""
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
    asked: tuple[Ints, Ints, Ints],
    columns: Bools,
) -> None:
    """Kernel of `columns_of`; `asked` are live ends, headings and moves."""
    live, heading, move = asked
    for i in range(len(states)):
        for cell in range(len(drawn.order)):
            drawn.order[cell] = states[i, cell]
        evaluate(drawn, live[i], heading[i], ALL_MOVES)
        columns[i] = drawn.masks[0] >> move[i] & 1 == 1


def columns_of(rules: tuple[RuleSpec, ...], gaps: Gaps) -> Bools:
    """Return which rules forbid which rows' moves, (rows, rules) bool.

    Each rule is asked always, whatever its precedence says, and may have no runs: rows
    do not keep the order of the walk. Families take a tenth of a second the first time:
    their tables are kept.
    """
    columns = np.zeros((len(rules), len(gaps)), np.bool_)
    asked = gaps.live, gaps.heading, gaps.move
    for number, rule in enumerate(rules if len(gaps) else ()):
        drawn = new_drawn(_tables_of(rule, gaps.board), gaps.board)
        _forbidden(drawn, gaps.states, asked, columns[number])
    return columns.T.copy()


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
