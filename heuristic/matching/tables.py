"""Rules compiled to flat tables, which `heuristic.matching.pattern` matches.

A *placement* is a drawing turned for a walk whose last step runs up the page. Each
drawing has one for each turn and mirror image. Kernels turn placements to the heading
of the walk, so the tables hold drawings in the heading frame once for all headings.

The needs of the placements of a heading form a tree, those near the live end first. The
*path* of a placement is its needs in that order. Sorted paths put a path before those
that continue it, so each node of the tree is a run of paths. Families of many distances
share their needs near the live end, so a step tests few of them.
"""

from collections.abc import Container, Sequence
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
THEN = 2  # of `runs` and `ties`, where the other cell begins
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
    - `runs`, (n, 4): row, column of the cell visited first, then of the later one.
    - `marks`, (n, 3): row, column of an end of a future line; 1 near, 2 far, 4 of the
      first mark's line. `heuristic.future` tests them.
    - `ties`, (n, 5): row, column of a free cell, then of another, and a way: the
      direction of the forced edge from the first to the second; or `MATES`, the open
      ends of one forced line; or `STEP_DEAD` - d, the step from the live end in
      direction d is dead when followed (`heuristic.matching.forced`). Steps come last.
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
    - `blocks`, (rules, rules): 1 where a rule that forbids a move switches off the
      later rule of the column; no rows if all entries are 0.
    """

    trees: Ints
    nodes: Longs
    firsts: Ints
    leaves: Ints
    needs: Ints
    areas: Ints
    runs: Ints
    marks: Ints
    ties: Ints
    shapes: Ints
    arcs: Ints
    offsets: Ints
    blocks: Ints


# A node is one number, so that a tree takes a third of the memory. The moves are in the
# lowest bits; here the other parts begin. Rows and columns have `MIDDLE` added.
STATES_BIT, COL_BIT, ROW_BIT, NEED_BITS, NEXT_BIT = 4, 8, 24, 40, 41
HAS_LEAVES = 1 << NEED_BITS
MASK, MIDDLE = (1 << 16) - 1, 1 << 15
_LAST = np.iinfo(np.int64).max
_PARITIES = {Kind.EVEN: 0, Kind.ODD: 1, Kind.DETERMINED: 1}
_ANY_PARITY = 2
_TURNS = tuple(Symmetry)
# By turn, then heading: the number of both together.
_HEADED = np.array([[_TURNS.index(t.then(r)) for r in ROTATIONS] for t in _TURNS])


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


def _blocks(rules: Sequence[RuleSpec]) -> Ints:
    blocks = [
        [int(rule.stops or rule.name in other.unless) for other in rules]
        for rule in rules
    ]
    return _table(blocks if any(map(any, blocks)) else [], len(rules))


class _Rows:
    def __init__(self) -> None:
        self.leaves: tuple[list[Row], ...] = ([], [], [], [])  # by heading
        # needs, areas, runs, marks and ties
        self.parts: tuple[list[Row], ...] = ([], [], [], [], [])
        self.shapes: list[tuple[AreaSpec, Symmetry]] = []
        self._begins: dict[object, int] = {}  # of equal rows
        self._numbers: dict[object, int] = {}  # of shapes

    def add(self, rule: int, drawing: Drawing) -> None:
        """Add the placements of a drawing."""
        by_board = drawing.frame is Frame.BOARD
        needs = [
            (need.at, int(need.states) | NOT_END_CELL * need.not_end)
            for need in drawing.needs
        ]
        seen = set()
        for heading, turn in drawing.placements():
            if heading and not by_board:
                break  # the placements of the first heading, turned
            turn = turn.then(ROTATIONS[-heading % 4])
            leaf = rule, *self._leaf(drawing, needs, turn)
            if leaf[MOVES] and (heading, leaf) not in seen:
                seen.add((heading, leaf))
                for number in (heading,) if by_board else range(4):
                    self.leaves[number].append(leaf)

    def _leaf(
        self, drawing: Drawing, needs: list[tuple[Spot, int]], turn: Symmetry
    ) -> Row:
        laid = turn.turn
        targets = {STEPS.index(laid(at)) for at in drawing.forbidden} - {2}
        ties = [_tie(word, laid(a), laid(b)) for word, a, b in drawing.tested_facts]
        parts: tuple[list[Row], ...] = (
            sorted((*laid(at), states) for at, states in needs),
            [self.area(area, turn) for area in drawing.areas],
            [(*laid(run.first), *laid(run.then)) for run in drawing.runs],
            [(*laid(m.at), m.end | SAME_LINE * m.same) for m in drawing.marks],
            sorted(ties, key=lambda tie: (tie[WAY] <= STEP_DEAD, tie)),
        )
        leaf = [sum(1 << target for target in targets)]
        for number, rows in enumerate(parts):
            table = self.parts[number]
            begin = self._begins.setdefault((number, *rows), len(table))
            if begin == len(table):
                table.extend(rows)
            leaf += begin, begin + len(rows)
        return tuple(leaf)

    def area(self, area: AreaSpec, turn: Symmetry) -> Row:
        """Return a row of `Tables.areas`."""
        line = tuple(map(turn.turn, (area.base, *area.cells, area.wall)))
        key = line, (area.side == "left") != turn.mirrors
        shape = self._numbers.setdefault(key, len(self.shapes))
        if shape == len(self.shapes):
            self.shapes.append((area, turn))
        low, high = -LIMIT, LIMIT
        if area.kind.bounded:
            low, high = area.low, area.high
        elif area.kind is Kind.DETERMINED:
            low = high = -1 if sum(area.entry) % 2 == 0 else 1
        parity = _PARITIES.get(area.kind, _ANY_PARITY)
        beyond = int(area.kind in (Kind.DETERMINED, Kind.BEYOND))
        return shape, parity, low, high, beyond, area.least

    def tables(self, blocks: Ints) -> Tables:
        """Return all tables, with the trees."""
        widths = 3, LEAST + 1, THEN + 2, 3, WAY + 1
        needs, areas, runs, marks, ties = map(_table, self.parts, widths)
        keys = _keys(needs)
        trees, planted = list[Row](), list[tuple[Longs, Ints, Ints]]()
        begin = first = 0
        for heading, rows in enumerate(self.leaves):
            same = self.leaves.index(rows)
            if same < heading:
                trees.append(trees[same])
                continue
            numbered = [(*row, number) for number, row in enumerate(rows)]
            planted.append(_plant(keys, _table(numbered, NUMBER + 1), begin))
            end = begin + len(planted[-1][0])
            trees.append((begin, end - 1, first))
            begin, first = end, first + len(rows)
        nodes, firsts, leaves = map(np.concatenate, zip(*planted, strict=True))
        shapes = shape_tables(self.shapes)
        first_tables = _table(trees, 3), nodes, firsts, leaves, needs
        return Tables(*first_tables, areas, runs, marks, ties, *shapes, blocks)


def _table(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


def _tie(word: str, here: Spot, there: Spot) -> Row:
    if FACTS[word].step:
        return *here, *there, STEP_DEAD - STEPS.index(there)
    here, there = sorted((here, there))
    way = STEPS.index(step(here, there)) if FACTS[word].edge else MATES
    return *here, *there, way


def _ways(here: Spot, cells: Container[Spot]) -> int:
    """Return the directions from a cell to some others, as bits."""
    near = [(here[0] + row, here[1] + col) in cells for row, col in STEPS]
    return sum(1 << d for d in range(4) if near[d])


def shape_tables(
    laid: Sequence[tuple[AreaSpec, Symmetry]],
) -> tuple[Ints, Ints, Ints]:
    """Return `Tables.shapes`, `Tables.arcs` and `Tables.offsets` of areas as laid.

    Python loops over the areas as drawn, and numpy turns all of them.
    """
    areas = {id(area): area for area, _ in laid}
    cells, sides, ends, lengths = list[Row](), list[Row](), list[Row](), list[Row]()
    bounds = [0]  # of the sides of each area
    for area in areas.values():
        line, inside, outside = area.cells, area.inside, area.outside
        cells += [(*at, _ways(at, outside)) for at in line]
        cells += [(*at, 0) for at in inside + outside]
        lengths.append((len(line), len(inside), len(outside)))
        near = _ways(LIVE_END, line + inside) | _ways(LIVE_END, outside) << SECOND
        ends.append((*_end_sides(area), near))
        sides += _outer_sides(area)
        bounds.append(len(sides))
    tables = _table(cells, WAYS + 1), _table(ends, WIDE + 1), _table(sides, 3)
    turned = [_turned(turn, *tables, bounds) for turn in _TURNS]
    offsets, beside, arcs = (np.stack(part) for part in zip(*turned, strict=True))

    numbers = {key: number for number, key in enumerate(areas)}
    pairs = [(numbers[id(area)], _TURNS.index(turn)) for area, turn in laid]
    chosen, turns = _table(pairs, 2).T
    length = _table(lengths, 3)
    total = length.sum(axis=1)
    end = length[chosen].cumsum().reshape(-1, 3)
    shapes = np.stack((end - length[chosen], end), axis=2).reshape(-1, BESIDE)
    arcs = arcs[_HEADED[turns], chosen[:, None]]
    arcs[..., [FROM, TO]] += shapes[:, LINE, None, None]
    rows = np.repeat((total.cumsum() - total)[chosen] - shapes[:, LINE], total[chosen])
    rows += np.arange(len(rows))
    return (
        np.column_stack((shapes, beside[turns, chosen])).astype(np.int32),
        arcs.reshape(-1, TINT + 1),
        offsets[np.repeat(turns, total[chosen]), rows],
    )


def _outer_sides(area: AreaSpec) -> list[Row]:
    """Return the sides of a line away from its area: row, column, direction."""
    line, left = (area.base, *area.cells, area.wall), area.side == "left"
    return [
        (*here, STEPS.index(out))
        for before, here, after in zip(line, line[1:], line[2:], strict=False)
        for out in between(step(here, after), step(here, before), not left)
    ]


def _end_sides(area: AreaSpec) -> Row:
    """Return the sides of `Tables.arcs`, with cells counted from that of the line."""
    left, sides = area.side == "left", list[Row]()
    for at, beyond, way in ((0, area.base, -1), (len(area.cells) - 1, area.wall, 1)):
        out = step(area.cells[at], beyond)
        number = AROUND.index(out)
        if number % 2 == 0:
            sides.append((at, STEPS.index(out), -1))
        else:  # at a corner: the side towards the area there, or that of its neighbour
            near = AROUND[(number + (way if left else -way)) % 8]
            sides.append((at, STEPS.index(near), STEPS.index(step(near, out))))
    return *sides[not left], *sides[left]


def _turned(
    turn: Symmetry, cells: Ints, ends: Ints, sides: Ints, bounds: list[int]
) -> tuple[Ints, Ints, Ints]:
    """Return offsets, `BESIDE` and arcs of all areas in a turn."""
    a, b, c, d = turn.matrix
    ways = np.array([*map(turn.direction, range(4)), -1], dtype=np.int32)
    row, col, bits = cells.T
    bits = _turned_bits(bits, ways) | (row + col & 1) * IS_WHITE
    offsets = np.column_stack((a * row + b * col, c * row + d * col, bits))
    arcs, turned = ends[:, :WIDE].copy(), [FROM_SIDE, FROM_THEN, TO_SIDE, TO_THEN]
    arcs[:, turned] = ways[arcs[:, turned]]
    if turn.mirrors:
        arcs = np.roll(arcs, TO, axis=1)
    row, col, way = sides.T
    right = np.array([0, 1, 0, -1], dtype=np.int32)[ways[way]]
    wide = right * (c * row + d * col) + (right > 0)
    tint = abs(right) * (1 - 2 * (row + col & 1))
    sums = np.zeros((len(sides) + 1, 3), dtype=np.int32)
    np.column_stack((wide, right, tint)).cumsum(axis=0, out=sums[1:])
    arcs = np.column_stack((arcs, np.diff(sums[bounds], axis=0)))
    return offsets, _turned_bits(ends[:, WIDE], ways), arcs


def _turned_bits(bits: Ints, ways: Ints) -> Ints:
    """Return two sets of directions, as bits, with each direction turned."""
    moved = [(bits >> d & 1) << ways[d % 4] + (d & SECOND) for d in range(2 * SECOND)]
    both: Ints = np.array(moved).sum(axis=0, dtype=np.int32)
    return both


def _keys(needs: Ints) -> Longs:
    """Return needs as numbers in the order of the tree."""
    row, col, states = needs.astype(np.int64).T
    at = row + MIDDLE << ROW_BIT | col + MIDDLE << COL_BIT
    key: Longs = abs(row) + abs(col) << NEED_BITS | at | states << STATES_BIT
    return key


def _plant(keys: Longs, rows: Ints, begin: int) -> tuple[Longs, Ints, Ints]:
    """Return nodes from a number on, with one more at the end; first leaves; leaves."""
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
