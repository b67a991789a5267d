"""Compile rules to flat tables, and match a whole rule set in one kernel call.

Every drawing is laid on the board in every placement beforehand; at a position only
the placements of the walk's heading are tried, rule by rule. Most of them fail at
their first or second cell, so a step costs little more than one look a placement.

The state of a walk is the array `order`: for each cell -1 when free, -2 for a wall,
else its index in the walk.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.areas import CLOSED, HEAD, fill_shape, next_step, scratch_size
from heuristic.drawing import ANY, Drawing, Kind, Placement, RuleSpec, State
from solver.board import STEPS, Board
from solver.jit import njit

Ints = npt.NDArray[np.int32]

_PAIR, _IMPAIR, _DETERMINED, _WITHIN, _BEYOND = 1, 2, 3, 4, 5
_KINDS = {
    Kind.CLOSED: 0,
    Kind.PAIR: _PAIR,
    Kind.IMPAIR: _IMPAIR,
    Kind.DETERMINED: _DETERMINED,
    Kind.WITHIN: _WITHIN,
    Kind.BEYOND: _BEYOND,
}
_NOT_END = 8


class Tables(NamedTuple):
    """A compiled rule set, plain int32 arrays for kernels.

    Attributes
    ----------
    heads : (5,)
        Placements of heading h are rows ``heads[h]`` to ``heads[h + 1]``.
    placements : (n, 10)
        Rule, forbidden moves as bits, then begin and end of needs, areas and runs,
        then the number of the drawing, then the next row with other needs or another
        rule. In the order of the rules.
    group_heads : (5,)
        Groups of heading h are rows ``group_heads[h]`` to ``group_heads[h + 1]``.
    groups : (n, 6)
        Placements of one rule that share their first need: row, column and states of
        the need, begin and end in `placements`, and the rule. Most groups fail here.
    needs : (n, 3)
        Row, column from the live end; allowed states as bits, 8 = not the end cell.
    areas : (n, 6)
        Shape, kind, low, high, 1 if the entry has the live end's colour, least size.
    shapes : (n, 6)
        Begin and end in `offsets` of the line, the inside and the outside cells.
    offsets : (n, 2)
    runs : (n, 4)
        Row, column of the first visited cell, then of the later one.
    rules : (n, 3)
        1 if the rule stops, then begin and end in `unless`.
    unless : (n,)
        Numbers of earlier rules.
    """

    heads: Ints
    placements: Ints
    group_heads: Ints
    groups: Ints
    needs: Ints
    areas: Ints
    shapes: Ints
    offsets: Ints
    runs: Ints
    rules: Ints
    unless: Ints


@njit
def condition_holds(area: Ints, size: int, black: int) -> bool:
    """Kernel: judge a row of `Tables.areas` by the counts of a closed area."""
    kind, surplus = area[1], size - 2 * black
    if size < area[5]:
        return False
    if kind == _PAIR:
        return size % 2 == 0
    if kind == _IMPAIR:
        return size % 2 == 1
    if kind == _DETERMINED:
        more = -surplus if area[4] == 1 else surplus
        return size % 2 == 1 and more != 1
    if kind == _WITHIN:
        return bool(area[2] <= surplus <= area[3])
    if kind == _BEYOND:
        return bool(surplus < area[2] or surplus > area[3])
    return True


@njit
def need_holds(
    allowed: int,
    row: int,
    col: int,
    order: Ints,
    board: tuple[int, int, int],
) -> bool:
    """Kernel: test the state of a cell against the bits of a row of `Tables.needs`."""
    rows, cols, end = board
    if not (0 <= row < rows and 0 <= col < cols):
        return allowed & 4 != 0
    cell = row * cols + col
    at = order[cell]
    bit = 1 if at == -1 else (2 if at >= 0 else 4)
    return allowed & bit != 0 and not (allowed & 8 != 0 and cell == end)


@njit
def needs_hold(
    needs: Ints,
    begin: int,
    end: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
) -> bool:
    """Kernel: test rows `begin` to `end` of `Tables.needs` at a live end."""
    row0, col0 = live_end // board[1], live_end % board[1]
    for n in range(begin, end):
        row, col = row0 + needs[n, 0], col0 + needs[n, 1]
        if not need_holds(needs[n, 2], row, col, order, board):
            return False
    return True


@njit
def placement_matches(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test needs, then runs, then areas of placement `p` at a live end."""
    begin, end = tables.placements[p, 2], tables.placements[p, 3]
    return needs_hold(
        tables.needs, begin, end, order, board, live_end
    ) and rest_matches(tables, p, order, board, live_end, scratch)


@njit
def rest_matches(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test runs and areas of placement `p`, whose needs hold."""
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    placement = tables.placements[p]
    for r in range(placement[6], placement[7]):
        first = (row0 + tables.runs[r, 0]) * cols + col0 + tables.runs[r, 1]
        then = (row0 + tables.runs[r, 2]) * cols + col0 + tables.runs[r, 3]
        if order[first] >= order[then]:
            return False
    for a in range(placement[4], placement[5]):
        shape = tables.areas[a, 0]
        slot = HEAD + 2 * rows * cols + 4 * shape
        if scratch[slot] != scratch[1]:
            fill_shape(
                order,
                board,
                live_end,
                tables.shapes[shape],
                tables.offsets,
                scratch,
                slot,
            )
        if scratch[slot + 1] != CLOSED or not condition_holds(
            tables.areas[a], scratch[slot + 2], scratch[slot + 3]
        ):
            return False
    return True


@njit
def evaluate(
    tables: Tables,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    scratch: Ints,
    masks: Ints,
) -> int:
    """Kernel: ask a whole rule set at one position; return the united mask.

    Parameters
    ----------
    tables : Tables
        From `compile_rules`.
    order : (cells,) int32
        Index in the walk of every cell; -1 free, -2 wall.
    board : (rows, cols, end) ints
        See `board_numbers`.
    live_end, heading : int
        The last cell and the direction of the last step, -1 before the first step:
        then no rule is asked.
    scratch : int32
        From `new_scratch`, kept between calls on one board and rule set.
    masks : (rules,) int32
        Filled: the forbidden free neighbours of the live end, one mask a rule, bits
        U = 1, R = 2, D = 4, L = 8.
    """
    masks[:] = 0
    if heading < 0:
        return 0
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    free = 0
    if row0 > 0 and order[live_end - cols] == -1:
        free |= 1
    if col0 + 1 < cols and order[live_end + 1] == -1:
        free |= 2
    if row0 + 1 < rows and order[live_end + cols] == -1:
        free |= 4
    if col0 > 0 and order[live_end - 1] == -1:
        free |= 8
    next_step(scratch)
    # plain arrays: a call that takes all tables costs as much as many needs
    groups, placements, needs = tables.groups, tables.placements, tables.needs
    united, asked, current = 0, True, -1
    for g in range(tables.group_heads[heading], tables.group_heads[heading + 1]):
        rule = groups[g, 5]
        if rule != current:
            if current >= 0 and masks[current] != 0 and tables.rules[current, 0] == 1:
                break
            current, asked = rule, True
            for u in range(tables.rules[rule, 1], tables.rules[rule, 2]):
                if masks[tables.unless[u]] != 0:
                    asked = False
        row, col = row0 + groups[g, 0], col0 + groups[g, 1]
        if not asked or not need_holds(groups[g, 2], row, col, order, board):
            continue
        p = groups[g, 3]
        while p < groups[g, 4]:
            wanted = placements[p, 1] & free & ~masks[rule]
            if wanted != 0:
                begin, end = placements[p, 2], placements[p, 3]
                if not needs_hold(needs, begin, end, order, board, live_end):
                    p = placements[p, 9]
                    continue
                if rest_matches(tables, p, order, board, live_end, scratch):
                    masks[rule] |= wanted
                    united |= wanted
            p += 1
    return united


def board_numbers(board: Board) -> tuple[int, int, int]:
    """Return (rows, cols, end), as kernels take a board."""
    return board.rows, board.cols, board.end


def new_order(board: Board, walk: Sequence[int] = ()) -> Ints:
    """Return the order array of a walk on a board, (cells,) int32.

    >>> new_order(Board.parse("2x2"), [0, 1])
    array([ 0,  1, -1, -1], dtype=int32)
    """
    order = np.full(board.cells, -1, dtype=np.int32)
    order[list(board.walls)] = -2
    order[list(walk)] = np.arange(len(walk), dtype=np.int32)
    return order


def new_scratch(tables: Tables, board: Board) -> Ints:
    """Return the scratch array for a rule set on a board."""
    return np.zeros(scratch_size(board.cells, len(tables.shapes)), dtype=np.int32)


def compile_rules(rules: Sequence[RuleSpec]) -> Tables:
    """Compile rules, in order; `unless` names of rules not earlier are left out.

    Placements of one drawing that test the same and forbid the same are kept once.
    """
    return _Compiler(rules).tables()


def fitting(tables: Tables, board: Board) -> Tables:
    """Return the tables without the placements that are larger than a board.

    Families draw borders of many lengths; on a small board most of them can never
    match, and a step is the faster for leaving them out.
    """
    needs, rows = tables.needs, tables.placements
    on_board = (needs[:, 2] & 4) == 0
    keep = np.ones(len(rows), dtype=bool)
    for p, (begin, end) in enumerate(rows[:, 2:4].tolist()):
        here = needs[begin:end][on_board[begin:end]]
        if len(here):
            high = np.maximum(here[:, :2].max(axis=0), 0)
            low = np.minimum(here[:, :2].min(axis=0), 0)
            keep[p] = (high - low < (board.rows, board.cols)).all()
    position = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
    kept = rows[keep].copy()
    kept[:, 9] = position[kept[:, 9]]
    return grouped(tables._replace(heads=position[tables.heads], placements=kept))


def grouped(tables: Tables) -> Tables:
    """Return the tables with the groups that belong to their placements."""
    heads = [0]
    groups: list[list[int]] = []
    for heading in range(4):
        before: tuple[int, ...] = ()
        for p in range(tables.heads[heading], tables.heads[heading + 1]):
            rule, begin, end = tables.placements[p, [0, 2, 3]].tolist()
            need = tables.needs[begin].tolist() if begin < end else [0, 0, int(ANY)]
            if (rule, *need) == before:
                groups[-1][4] = p + 1
            else:
                before = (rule, *need)
                groups.append([*need, p, p + 1, rule])
        heads.append(len(groups))
    return tables._replace(
        group_heads=np.array(heads, dtype=np.int32), groups=_table(groups, 6)
    )


class _Compiler:
    """Rows of the tables while they grow."""

    def __init__(self, rules: Sequence[RuleSpec]) -> None:
        self.placements: list[list[list[int]]] = [[], [], [], []]
        self.needs: list[tuple[int, int, int]] = []
        self.areas: list[tuple[int, int, int, int, int, int]] = []
        self.shapes: dict[tuple[tuple[tuple[int, int], ...], ...], int] = {}
        self.bounds: list[list[int]] = []
        self.offsets: list[tuple[int, int]] = []
        self.runs: list[tuple[int, int, int, int]] = []
        self.rules: list[tuple[int, int, int]] = []
        self.unless: list[int] = []
        numbers: dict[str, int] = {}
        drawing_number = 0
        for number, rule in enumerate(rules):
            begin = len(self.unless)
            self.unless += [numbers[name] for name in rule.unless if name in numbers]
            self.rules.append((int(rule.stops), begin, len(self.unless)))
            numbers[rule.name] = number
            for drawing in rule.drawings:
                self.add(number, drawing_number, drawing)
                drawing_number += 1

    def add(self, rule: int, number: int, drawing: Drawing) -> None:
        seen = set()
        for placement in drawing.placements():
            mask = forbidden_mask(drawing, placement)
            needs = _decisive_first(drawing, placement)
            runs = [
                (*placement.on_board(run.first), *placement.on_board(run.then))
                for run in drawing.runs
            ]
            areas = [
                (
                    self.shape(
                        tuple(
                            tuple(placement.on_board(at) for at in part)
                            for part in (area.cells, area.inside, area.outside)
                        )
                    ),
                    _KINDS[area.kind],
                    area.low,
                    area.high,
                    int(sum(area.entry) % 2 == 0),
                    area.least,
                )
                for area in drawing.areas
            ]
            key = placement.heading, mask, tuple(sorted(needs)), *areas, *runs
            if key in seen or not mask:
                continue
            seen.add(key)
            row = [rule, mask]
            for table, rows in (
                (self.needs, needs),
                (self.areas, areas),
                (self.runs, runs),
            ):
                row.append(len(table))
                table.extend(rows)  # type: ignore[arg-type]
                row.append(len(table))
            self.placements[placement.heading].append([*row, number])

    def shape(self, parts: tuple[tuple[tuple[int, int], ...], ...]) -> int:
        if parts not in self.shapes:
            self.shapes[parts] = len(self.bounds)
            row = []
            for part in parts:
                row.append(len(self.offsets))
                self.offsets += part
                row.append(len(self.offsets))
            self.bounds.append(row)
        return self.shapes[parts]

    def rows(self) -> Ints:
        """Return all placements, those of a rule that share a first need together."""

        def first(row: list[int]) -> tuple[int, int, int]:
            return self.needs[row[2]] if row[2] < row[3] else (0, 0, 0)

        found: list[list[int]] = []
        for rows in self.placements:
            begin, end = len(found), len(found) + len(rows)

            def every(row: list[int]) -> list[tuple[int, int, int]]:
                return self.needs[row[2] : row[3]]

            rows = sorted(rows, key=lambda row: (row[0], first(row), every(row)))
            skips = [end] * len(rows)
            for at in range(len(rows) - 2, -1, -1):
                one, other = rows[at], rows[at + 1]
                same = one[0] == other[0] and every(one) == every(other)
                skips[at] = skips[at + 1] if same else begin + at + 1
            found += [[*row, skip] for row, skip in zip(rows, skips, strict=True)]
        return _table(found, 10)

    def tables(self) -> Tables:
        counts = [0, *(len(rows) for rows in self.placements)]
        none = np.zeros(0, dtype=np.int32)
        tables = Tables(
            heads=np.cumsum(counts, dtype=np.int32),
            placements=self.rows(),
            group_heads=none,
            groups=_table([], 6),
            needs=_table(self.needs, 3),
            areas=_table(self.areas, 6),
            shapes=_table(self.bounds, 6),
            offsets=_table(self.offsets, 2),
            runs=_table(self.runs, 4),
            rules=_table(self.rules, 3),
            unless=np.array(self.unless, dtype=np.int32),
        )
        return grouped(tables)


def _table(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


def forbidden_mask(drawing: Drawing, placement: Placement) -> int:
    """Return the forbidden moves of a placed drawing as bits, behind left out."""
    behind = (placement.heading + 2) % 4
    mask = 0
    for at in drawing.forbidden:
        direction = STEPS.index(placement.on_board(at))
        mask |= (direction != behind) << direction
    return mask


def _decisive_first(
    drawing: Drawing, placement: Placement
) -> list[tuple[int, int, int]]:
    """Return the needs on the board, those that fail most often in front.

    Far from the live end a cell is free or outside more often than visited, near the
    live end the reverse: so visited cells come first, far ones before near ones, and
    free cells follow, near ones first.
    """

    def rank(need: tuple[int, int, int]) -> tuple[int, int]:
        distance = abs(need[0]) + abs(need[1])
        states = need[2] & 7
        if states == State.OUTSIDE:
            return 0, -distance
        if not states & State.FREE:
            return 1, -distance
        return 2, distance

    rows = [
        (*placement.on_board(need.at), int(need.states) | _NOT_END * need.not_end)
        for need in drawing.needs
    ]
    return sorted(rows, key=rank)
