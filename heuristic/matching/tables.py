"""Rules compiled to flat tables, which `heuristic.matching.pattern` matches.

A *placement* is a drawing turned for a walk whose last step runs up the page. Each
drawing has one for each turn and mirror image. Kernels turn placements to the heading
of the walk, so the tables hold drawings in the heading frame once for all headings.

The needs of the placements of a heading form a tree, those near the live end first. The
*path* of a placement is its needs in that order. Sorted paths put a path before those
that continue it, so each node of the tree is a run of paths. Families of many distances
share their needs near the live end, so a step tests few of them.
"""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.rules.drawing import (
    ANY,
    AROUND,
    FACTS,
    LIMIT,
    LIVE_END,
    AreaSpec,
    Drawing,
    Frame,
    Kind,
    RuleSpec,
    Spot,
    between,
    step,
)
from solver.board import ROTATIONS, STEPS, Symmetry

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Row: TypeAlias = tuple[int, ...]

# Columns of `Tables.leaves`. A pair of columns bounds rows of another table.
RULE, MOVES, NEEDS, AREAS, RUNS, MARKS, TIES, NUMBER = 0, 1, 2, 4, 6, 8, 10, 12

ROW, COL, STATES = range(3)  # columns of `needs` and `marks`
WAYS = 2  # of `offsets`, after those of the cell
THEN_ROW, THEN_COL = 2, 3  # of `runs` and `ties`, after those of the first cell
WAY = 4  # of `ties`
SHAPE, PARITY, LOW, HIGH, BEYOND, LEAST = range(6)  # of `areas`
LINE, INSIDE, OUTSIDE, BESIDE = 0, 2, 4, 6  # of `shapes`, with ends like `leaves`
FROM, FROM_SIDE, FROM_THEN, TO, TO_SIDE, TO_THEN, WIDE, MORE, TINT = range(9)  # `arcs`
NODES, LEAVES = 0, 2  # of `trees`, with the end of the nodes between

# Bits in the states of a need.
IS_FREE, IS_VISITED, IS_OUTSIDE, NOT_END_CELL = 1, 2, 4, 8
# Next to bits of directions: a cell is white; the first bit of a second set.
IS_WHITE, SECOND = 16, 4
# Bits of a mark: which end of a future line, and whether of the first mark's line.
IS_NEAR, IS_FAR, SAME_LINE = 1, 2, 4
# Ways of ties that are not directions; a step in direction d is `STEP_DEAD` - d.
MATES, STEP_DEAD = -1, -2

FREE_CELL, WALL_CELL = -1, -2  # in the array `order` of `pattern`


class Tables(NamedTuple):
    """A compiled rule set, plain arrays for kernels; int32 but for `nodes`.

    Rows, columns and directions are those of a walk that heads up.

    - `trees`, (4, 3): by heading the first node, the end of the nodes, and the first
      leaf. Headings with the same placements share a tree.
    - `nodes`, (n,) int64: each node before those below it. The moves forbidden there or
      below as bits; the states of a need, its column and row; whether there are leaves;
      the next node that is not below.
    - `firsts`, (n,): the first leaf of each node, counted from that of the tree; the
      next entry is the end.
    - `leaves`, (n, 13): the placements, in the order of the tree. Rule; forbidden moves
      as bits; bounds of needs, areas, runs, marks and ties; a number. Of the placements
      that match, the one with the lowest number gives the reason.
    - `needs`, (n, 3): row, column from the live end; allowed states as bits, 8 = not
      the end cell.
    - `areas`, (n, 6): shape; the parity of the size, 2 for any; low and high of the
      surplus, and 1 if it must not lie between; least size.
    - `shapes`, (n, 7): bounds in `offsets` of the line, the inside and the outside
      cells. Then the directions from the live end to cells of the line and inside, as
      bits, and to cells outside, four bits higher.
    - `arcs`, (4 n, 9): for `heuristic.matching.areas`, a row for each heading of each
      shape. The first side of the arc around the area, clockwise, and the last one. A
      side is a row of `offsets`, a direction, and -1 or the direction in the cell
      beyond, which counts if that cell is free. Then the sums over the outer sides of
      the line: of sizes, of columns of the live end, and of tints for an even live end.
    - `offsets`, (n, 3): row, column; for cells of a line the directions to outside
      cells, where doors can lead, as bits, with 16 for white cells.
    - `runs`, (n, 4): row, column of the cell visited first, then of the later one.
    - `marks`, (n, 3): row, column of an end of a future line; 1 near, 2 far, 4 of the
      first mark's line. `heuristic.future` tests them.
    - `ties`, (n, 5): row, column of a free cell, then of another, and a way: the
      direction of the forced edge from the first to the second; or `MATES`, the open
      ends of one forced line; or `STEP_DEAD` - d, the step from the live end in
      direction d is dead when followed (`heuristic.matching.forced`). Steps come last.
    - `blocks`, (rules, rules): 1 where a rule that forbids a move switches off the
      later rule of the column; no rows if all entries are 0.
    """

    trees: Ints
    nodes: Longs
    firsts: Ints
    leaves: Ints
    needs: Ints
    areas: Ints
    shapes: Ints
    arcs: Ints
    offsets: Ints
    runs: Ints
    marks: Ints
    ties: Ints
    blocks: Ints


# A node is one number, so that a tree takes a third of the memory. The moves are in the
# lowest bits; here the other parts begin. Rows and columns have `MIDDLE` added.
STATES_BIT, COL_BIT, ROW_BIT, NEED_BITS, NEXT_BIT = 4, 8, 24, 40, 41
HAS_LEAVES = 1 << NEED_BITS
MASK, MIDDLE = (1 << 16) - 1, 1 << 15
_LAST = np.iinfo(np.int64).max
_PARITIES = {Kind.EVEN: 0, Kind.ODD: 1, Kind.DETERMINED: 1}
_ANY_PARITY = 2


def compile_rules(rules: Sequence[RuleSpec]) -> Tables:
    """Compile rules, in order; a second at most.

    Equal placements of one drawing become one. Names in `unless` count only for earlier
    rules.
    """
    rows = _Rows()
    for number, rule in enumerate(rules):
        for drawing in rule.drawings:
            rows.add(number, drawing)
    return rows.tables(_blocks(rules))


def shapes_of(areas: Iterable[AreaSpec]) -> tuple[Ints, Ints]:
    """Return `Tables.shapes` and `Tables.offsets` of areas that differ, in order."""
    rows = _Rows()
    for area in areas:
        rows.area(area, Symmetry.IDENTITY)
    return _table(rows.shapes, BESIDE + 1), _table(rows.offsets, WAYS + 1)


def _blocks(rules: Sequence[RuleSpec]) -> Ints:
    """Return `Tables.blocks`."""
    blocks = [
        [int(rule.stops or rule.name in other.unless) for other in rules]
        for rule in rules
    ]
    return _table(blocks if any(map(any, blocks)) else [], len(rules))


class _Rows:
    """The growing rows of the tables."""

    def __init__(self) -> None:
        self.leaves: tuple[list[Row], ...] = ([], [], [], [])  # by heading
        self.needs: list[Row] = []
        self.areas: list[Row] = []
        self.shapes: list[Row] = []
        self.arcs: list[Row] = []
        self.offsets: list[Row] = []
        self.runs: list[Row] = []
        self.marks: list[Row] = []
        self.ties: list[Row] = []
        self._begins: dict[object, int] = {}  # of equal rows
        self._shapes: dict[object, int] = {}

    def add(self, rule: int, drawing: Drawing) -> None:
        """Add the placements of a drawing."""
        by_board = drawing.frame is Frame.BOARD
        seen = set()
        for heading, turn in drawing.placements():
            if heading and not by_board:
                break  # the placements of the first heading, turned
            leaf = self._leaf(rule, drawing, turn.then(ROTATIONS[-heading % 4]))
            if leaf[MOVES] and (heading, leaf) not in seen:
                seen.add((heading, leaf))
                headings = (heading,) if by_board else range(4)
                for number in headings:
                    self.leaves[number].append(leaf)

    def _leaf(self, rule: int, drawing: Drawing, turn: Symmetry) -> Row:
        """Return a row of `Tables.leaves` without its number."""
        a, b, c, d = turn.matrix

        def laid(at: Spot) -> tuple[int, int]:
            return a * at[0] + b * at[1], c * at[0] + d * at[1]

        targets = {STEPS.index(laid(at)) for at in drawing.forbidden} - {2}
        ties = [_tie(word, laid(a), laid(b)) for word, a, b in drawing.tested_facts]
        parts: list[tuple[list[Row], list[Row]]] = [
            (
                self.needs,
                sorted(
                    (*laid(need.at), int(need.states) | NOT_END_CELL * need.not_end)
                    for need in drawing.needs
                ),
            ),
            (self.areas, [self.area(area, turn) for area in drawing.areas]),
            (self.runs, [(*laid(run.first), *laid(run.then)) for run in drawing.runs]),
            (
                self.marks,
                [(*laid(m.at), m.end | SAME_LINE * m.same) for m in drawing.marks],
            ),
            (self.ties, sorted(ties, key=lambda tie: (tie[WAY] <= STEP_DEAD, tie))),
        ]
        leaf = [rule, sum(1 << target for target in targets)]
        for table, rows in parts:
            begin = self._begins.setdefault((id(table), *rows), len(table))
            if begin == len(table):
                table.extend(rows)
            leaf += begin, begin + len(rows)
        return tuple(leaf)

    def area(self, area: AreaSpec, turn: Symmetry) -> Row:
        """Return a row of `Tables.areas`."""
        parts = (area.cells, area.inside, area.outside, (area.base, area.wall))
        laid = tuple(tuple(map(turn.turn, part)) for part in parts)
        if laid not in self._shapes:
            self._shapes[laid] = len(self.shapes)
            line, inside, outside, _ = laid
            bounds = list[int]()
            for part in (line, inside, outside):
                bounds.append(len(self.offsets))
                for row, col in part:
                    ways = _ways((row, col), outside) if part is line else 0
                    self.offsets.append((row, col, ways | (row + col) % 2 * IS_WHITE))
                bounds.append(len(self.offsets))
            near = _ways(LIVE_END, line + inside) | _ways(LIVE_END, outside) << SECOND
            self.shapes.append((*bounds, near))
            ends = bounds[LINE], bounds[LINE + 1] - 1
            self.arcs += [_arc(area, turn.then(r), ends) for r in ROTATIONS]
        low, high = -LIMIT, LIMIT
        if area.kind.bounded:
            low, high = area.low, area.high
        elif area.kind is Kind.DETERMINED:
            low = high = -1 if sum(area.entry) % 2 == 0 else 1
        parity = _PARITIES.get(area.kind, _ANY_PARITY)
        beyond = int(area.kind in (Kind.DETERMINED, Kind.BEYOND))
        return self._shapes[laid], parity, low, high, beyond, area.least

    def tables(self, blocks: Ints) -> Tables:
        """Return all tables, with the trees."""
        needs = _table(self.needs, 3)
        keys = _keys(needs)
        trees, planted = list[Row](), list[tuple[Longs, Ints, Ints]]()
        nodes = leaves = 0
        for heading, rows in enumerate(self.leaves):
            same = [k for k in range(heading) if self.leaves[k] == rows]
            if same:
                trees.append(trees[same[0]])
                continue
            numbered = [(*row, number) for number, row in enumerate(rows)]
            planted.append(_plant(keys, _table(numbered, NUMBER + 1), nodes))
            trees.append((nodes, nodes + len(planted[-1][0]) - 1, leaves))
            nodes, leaves = nodes + len(planted[-1][0]), leaves + len(rows)
        return Tables(
            trees=_table(trees, 3),
            nodes=np.concatenate([nodes for nodes, _, _ in planted]),
            firsts=np.concatenate([firsts for _, firsts, _ in planted]),
            leaves=np.concatenate([leaves for _, _, leaves in planted]),
            needs=needs,
            areas=_table(self.areas, LEAST + 1),
            shapes=_table(self.shapes, BESIDE + 1),
            arcs=_table(self.arcs, TINT + 1),
            offsets=_table(self.offsets, WAYS + 1),
            runs=_table(self.runs, THEN_COL + 1),
            marks=_table(self.marks, 3),
            ties=_table(self.ties, WAY + 1),
            blocks=blocks,
        )


def _table(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


def _tie(word: str, here: Spot, there: Spot) -> Row:
    """Return a row of `Tables.ties`."""
    if FACTS[word].step:
        return *here, *there, STEP_DEAD - STEPS.index(there)
    here, there = sorted((here, there))
    way = STEPS.index(step(here, there)) if FACTS[word].edge else MATES
    return *here, *there, way


def _ways(here: Spot, cells: Container[Spot]) -> int:
    """Return the directions from a cell to some others, as bits."""
    near = [(here[0] + row, here[1] + col) in cells for row, col in STEPS]
    return sum(1 << d for d in range(4) if near[d])


def _arc(area: AreaSpec, turn: Symmetry, ends: tuple[int, int]) -> Row:
    """Return a row of `Tables.arcs`; `ends` are the first and last cell's offsets."""
    left = area.side == "left"
    line, sides = (area.base, *area.cells, area.wall), list[Row]()
    for here, beyond, end, way in (
        (line[1], line[0], ends[0], -1 if left else 1),
        (line[-2], line[-1], ends[1], 1 if left else -1),
    ):
        out = step(here, beyond)
        number = AROUND.index(out)
        if number % 2 == 0:
            sides.append((end, turn.direction(STEPS.index(out)), -1))
        else:  # at a corner: the side towards the area there, or that of its neighbour
            near = AROUND[(number + way) % 8]
            then = step(near, out)
            towards = (turn.direction(STEPS.index(x)) for x in (near, then))
            sides.append((end, *towards))
    wide = more = tint = 0
    for before, here, after in zip(line, line[1:], line[2:], strict=False):
        row, col = turn.turn(here)
        for out in between(step(here, after), step(here, before), not left):
            direction = turn.direction(STEPS.index(out))
            if direction % 2:
                more += 2 - direction
                wide += col + 1 if direction == 1 else -col
                tint += 1 - 2 * ((row + col) % 2)
    if left == turn.mirrors:
        sides.reverse()
    return *sides[0], *sides[1], wide, more, tint


def _keys(needs: Ints) -> Longs:
    """Return needs as numbers in the order of the tree."""
    row, col, states = needs.astype(np.int64).T
    at = row + MIDDLE << ROW_BIT | col + MIDDLE << COL_BIT
    key: Longs = abs(row) + abs(col) << NEED_BITS | at | states << STATES_BIT
    return key


def _plant(keys: Longs, rows: Ints, begin: int) -> tuple[Longs, Ints, Ints]:
    """Return a tree of placements: nodes from a number on, first leaves, leaves.

    There is one node more, where the last leaf ends.
    """
    length = rows[:, NEEDS + 1] - rows[:, NEEDS]
    at = np.arange(1 + length.max(initial=0))  # one more: there is always a column
    is_need = at < length[:, None]
    paths = np.full(is_need.shape, _LAST)
    paths[is_need] = keys[(rows[:, NEEDS, None] + at)[is_need]]
    paths.sort(axis=1)
    paths[~is_need] = -1
    order = np.lexsort((rows[:, NUMBER], rows[:, MOVES], *paths.T[::-1]))
    nodes, firsts = _nodes(paths[order], rows[order, MOVES])
    return nodes + (begin << NEXT_BIT), firsts, rows[order]


def _nodes(paths: Longs, moves: Ints) -> tuple[Longs, Ints]:
    """Return the nodes of sorted paths and their first leaves."""
    count = len(paths)
    length = (paths >= 0).sum(axis=1)
    # Needs that a path shares with the one before. The first one adds the root too.
    shared = np.full(count + 1, -1)
    same = (paths[1:] == paths[:-1]) & (paths[1:] >= 0)
    shared[1:count] = np.logical_and.accumulate(same, axis=1).sum(axis=1)
    before = np.concatenate(([0], np.cumsum(length - shared[:count])))
    bits = np.zeros((count + 1, 4), dtype=np.int64)
    np.cumsum(moves[:, None] >> np.arange(4) & 1, axis=0, out=bits[1:])
    nodes = np.zeros(before[-1] + 1, dtype=np.int64)
    firsts = np.full(before[-1] + 1, count, dtype=np.int32)
    for depth in range(1 + length.max(initial=0)):
        runs = np.flatnonzero(shared < depth)
        begin, end = runs[:-1], runs[1:]
        begin, end = begin[length[begin] >= depth], end[length[begin] >= depth]
        at = before[begin] + depth - shared[begin] - 1
        firsts[at] = begin
        nodes[at] = before[end] << NEXT_BIT
        nodes[at] |= (bits[end] > bits[begin]) @ (1 << np.arange(4))
        nodes[at] |= np.where(length[begin] == depth, HAS_LEAVES, 0)
        if depth:
            nodes[at] |= paths[begin, depth - 1] & (1 << NEED_BITS) - 1
        else:
            nodes[at] |= MIDDLE << ROW_BIT | MIDDLE << COL_BIT | int(ANY) << STATES_BIT
    return nodes, firsts
