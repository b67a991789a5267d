"""Rules compiled to flat tables, which `heuristic.matching.pattern` matches.

Every drawing is laid on the board in every placement. The needs of all placements of a
heading are made a tree, those near the live end first. A *path* is what one placement
needs, near needs before far ones. Paths are sorted, a path before those that continue
it; so each node of the tree is a run of them. Families of many distances share what is
near the live end, so a step looks at a small part of their needs.
"""

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.rules.drawing import (
    ANY,
    AROUND,
    FACTS,
    AreaSpec,
    Drawing,
    Kind,
    Placement,
    RuleSpec,
    Spot,
    between,
    step,
)
from solver.board import STEPS
from solver.errors import OptionError
from solver.files import read_with_digest, write_with_digest
from solver.jit import cache_folder, source_key

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

# Columns of `Tables.leaves`: where rows begin and end in the tables of that name.
RULE, MOVES, NEEDS, NEEDS_END, AREAS, AREAS_END = range(6)
RUNS, RUNS_END, MARKS, MARKS_END, TIES, TIES_END, NUMBER = range(6, 13)
LEAF = 13  # columns

ROW, COL, STATES = range(3)  # columns of `needs` and `marks`
WAYS = 2  # of `offsets`, after those of the cell
THEN_ROW, THEN_COL = 2, 3  # of `runs` and `ties`, after those of the first cell
WAY = 4  # of `ties`
SHAPE, KIND, LOW, HIGH, SAME_COLOUR, LEAST = range(6)  # of `areas`
LINE, LINE_END, INSIDE, INSIDE_END, OUTSIDE, OUTSIDE_END = range(6)  # of `shapes`
FROM, FROM_SIDE, FROM_THEN, TO, TO_SIDE, TO_THEN, WIDE, MORE, TINT, BESIDE = range(
    6, 16
)
STOPS, UNLESS, UNLESS_END = range(3)  # of `rules`

# Bits in the states of a need.
IS_FREE, IS_VISITED, IS_OUTSIDE, NOT_END_CELL = 1, 2, 4, 8
# Beside bits of directions: a cell is white; and where those of a second set begin.
IS_WHITE, SECOND = 16, 4
# Bits of a mark: how far an end of a future line is, and of which line.
IS_NEAR, IS_FAR, SAME_LINE = 1, 2, 4
# Kinds of areas, in the order of `Kind`.
CLOSED_KIND, PAIR, IMPAIR, DETERMINED, WITHIN, BEYOND = range(6)

FREE_CELL, WALL_CELL = -1, -2  # in the array `order`, see `pattern`


class Tables(NamedTuple):
    """A compiled rule set, plain arrays for kernels; int32 but for `nodes`.

    - `heads`, (5,): leaves of heading h are rows ``heads[h]`` to ``heads[h + 1]``.
    - `leaves`, (n, 13): the placements, in the order of the tree. Rule, forbidden moves
      as bits, then begin and end of needs, areas, runs, marks and ties, then a number:
      of the placements that match, the lowest gives the reason.
    - `needs`, (n, 3): row, column from the live end; allowed states as bits, 8 = not
      the end cell.
    - `areas`, (n, 6): shape, kind, low, high, 1 if the entry has the live end's colour,
      least size.
    - `shapes`, (n, 16): begin and end in `offsets` of the line, the inside and the
      outside cells. Then the arc around the area, clockwise: the first and the last
      side of it as a row of `offsets`, a side U, R, D or L, and -1; or the side of the
      cell beyond that is meant where that cell is free. Then what the outer sides of
      the line add to the sums of `heuristic.matching.contour`: to sizes, and again so
      often the column of the live end; to tints, for a live end of even tone. At last
      the directions from the live end to cells of the line and inside, as bits, and
      those to cells outside, four bits higher.
    - `offsets`, (n, 3): row, column; and of cells of a line the directions to cells
      outside, where doors of the area may lead, as bits, with 16 for white cells.
    - `runs`, (n, 4): row, column of the first visited cell, then of the later one.
    - `marks`, (n, 3): row, column of an end of a future line; 1 near, 2 far, 4 of the
      first mark's line. `heuristic.future.futurerules` tests them.
    - `ties`, (n, 5): row, column of a free cell, then of another one. Then the bit of
      the direction in which a forced edge leads from the first to the second; or 0, and
      they are the open ends of one forced line; or -1 - d, and the step from the first,
      the live end, in direction d is dead when it is followed: see
      `heuristic.matching.forced`. Those of a placement come last.
    - `rules`, (n, 3): 1 if the rule stops, then begin and end in `unless`.
    - `unless`, (n,): numbers of earlier rules.
    - `ordered`, (0,) or (1,): there is one number if a rule stops or excludes others.
    - `node_heads`, (4, 2): nodes of heading h are rows ``node_heads[h, 0]`` to
      ``node_heads[h, 1]``. Headings whose trees are the same but for the turn share
      their nodes.
    - `nodes`, (n,) int64: a node before what is below it. Turned so that the heading is
      U: the moves that are forbidden there or below as bits, the states of a need, its
      column and row, whether there are leaves, and the next node that is not below.
    - `firsts`, (n,): the first leaf of each node, counted from the head of the heading;
      that of the next node is the end.
    """

    heads: Ints
    leaves: Ints
    needs: Ints
    areas: Ints
    shapes: Ints
    offsets: Ints
    runs: Ints
    marks: Ints
    ties: Ints
    rules: Ints
    unless: Ints
    ordered: Ints
    node_heads: Ints
    nodes: Longs
    firsts: Ints


# A node as one number: moves in the lowest bits, then states; where the others begin.
# Rows and columns are stored with `MIDDLE` added. In one number a tree takes a third of
# the memory, and most of it is not read.
STATES_BIT, COL_BIT, ROW_BIT, NEED_BITS, NEXT_BIT = 4, 8, 24, 40, 41
HAS_LEAVES = 1 << NEED_BITS
MASK, MIDDLE = (1 << 16) - 1, 1 << 15
_LAST = np.iinfo(np.int64).max


def _planted(tables: Tables) -> Tables:
    """Return the tables with the tree of their needs, and leaves in its order."""
    heads, leaves, trees = list[int](), list[Ints](), list[tuple[Longs, Ints]]()
    sorted_paths = list[Longs]()  # of each tree, with the moves
    for heading in range(4):
        rows = tables.leaves[slice(*tables.heads[heading : heading + 2])]
        paths = _paths(_keys(tables.needs, heading), rows)
        moves = rows[:, MOVES] * 17 >> heading & 15
        order = np.lexsort((rows[:, NUMBER], moves, *paths.T[::-1]))
        leaves.append(rows[order])
        whole = np.column_stack((paths, moves))[order]
        same = [k for k, x in enumerate(sorted_paths) if np.array_equal(x, whole)]
        heads.append(same[0] if same else len(trees))
        if not same:
            sorted_paths.append(whole)
            trees.append(_nodes(paths[order], moves[order]))
    sizes = [len(nodes) for nodes, _ in trees]
    begins = np.cumsum([0, *sizes]).tolist()
    shifted = [
        tree[0] + (at << NEXT_BIT) for tree, at in zip(trees, begins, strict=False)
    ]
    bounds = [[begins[tree], begins[tree + 1] - 1] for tree in heads]
    return tables._replace(
        node_heads=np.array(bounds, dtype=np.int32),
        nodes=np.concatenate(shifted),
        firsts=np.concatenate([firsts for _, firsts in trees]),
        leaves=np.concatenate(leaves),
    )


def _keys(needs: Ints, heading: int) -> Longs:
    """Return needs, turned to heading U, as numbers in the order of the tree."""
    row, col, states = needs.astype(np.int64).T
    for _ in range(heading):
        row, col = -col, row
    at = row + MIDDLE << ROW_BIT | col + MIDDLE << COL_BIT
    key: Longs = abs(row) + abs(col) << NEED_BITS | at | states << STATES_BIT
    return key


def _paths(keys: Longs, rows: Ints) -> Longs:
    """Return the paths of placements as rows, in order, each filled up with -1."""
    length = rows[:, NEEDS_END] - rows[:, NEEDS]
    step = np.arange(1 + length.max(initial=0))  # one more: there is always a column
    is_need = step < length[:, None]
    paths = np.full(is_need.shape, _LAST)
    paths[is_need] = keys[(rows[:, NEEDS, None] + step)[is_need]]
    paths.sort(axis=1)
    paths[~is_need] = -1
    return paths


def _nodes(paths: Longs, moves: Ints) -> tuple[Longs, Ints]:
    """Return nodes of sorted paths and their first leaves, and one of each more."""
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


_KINDS = {kind: number for number, kind in enumerate(Kind)}
_LARGE = 1000  # drawings whose tables are kept on disk
_KEPT = 4  # of them


def compile_rules(rules: Sequence[RuleSpec], side: int) -> Tables:
    """Compile rules, in order, for boards up to a longer side.

    `unless` names of rules not earlier are left out, and so are placements that are
    larger than a board. Placements of one drawing that test the same and forbid the
    same are kept once. A second for the largest groups as their files say them, so the
    tables of those are kept beside the compiled kernels.
    """
    file = _file_of(rules)
    whole = _read(file) if file else None
    if whole is None:
        whole = _Compiler(rules).tables()
        if file:
            _keep(file, whole)
    return _planted(_fitting(whole, side))


def _file_of(rules: Sequence[RuleSpec]) -> Path | None:
    """Return the file for the tables of many drawings, all as rule files say them.

    Its name is a digest of the rule files, and of the code that reads and compiles.
    """
    many = sum(len(rule.drawings) for rule in rules) >= _LARGE
    if not many or not all(rule.source for rule in rules):
        return None
    digest = sha256(repr([(rule.source, rule.name) for rule in rules]).encode())
    for module in (__name__, "heuristic.rules.rulefile"):
        digest.update(source_key(module, whole=True).encode())
    return cache_folder() / f"tables-{digest.hexdigest()[:32]}"


def _read(file: Path) -> Tables | None:
    data = read_with_digest(file)
    if data is None:
        return None
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return Tables(**arrays)


def _keep(file: Path, tables: Tables) -> None:
    """Write tables, and remove the oldest ones."""
    data = BytesIO()
    np.savez(data, **tables._asdict())
    with suppress(OptionError, OSError):  # another process may be at the same
        write_with_digest(file, data.getvalue())
        others = sorted(file.parent.glob("tables-*"), key=lambda p: p.stat().st_mtime)
        for old in others[:-_KEPT]:
            old.unlink()


def _fitting(tables: Tables, side: int) -> Tables:
    """Return the tables without the placements that are larger than a board of a side.

    Families draw borders of many lengths; on a small board most of them can never
    match, and a step is the faster for leaving them out.
    """
    needs, placed = tables.needs, tables.leaves
    on_board = (needs[:, STATES] & IS_OUTSIDE) == 0
    # a column of zeros, the live end, behind the last need: parts may end there
    at = np.zeros((STATES, len(needs) + 1), dtype=needs.dtype)
    at[:, :-1] = np.where(on_board, needs[:, :STATES].T, 0)
    parts = placed[:, [NEEDS, NEEDS_END]]
    high = np.maximum(np.maximum.reduceat(at, parts.ravel(), axis=1)[:, ::2], 0)
    low = np.minimum(np.minimum.reduceat(at, parts.ravel(), axis=1)[:, ::2], 0)
    fits = (high - low < side).all(axis=0) | (parts[:, 0] == parts[:, 1])
    position = np.concatenate(([0], np.cumsum(fits))).astype(np.int32)
    return tables._replace(heads=position[tables.heads], leaves=placed[fits])


class _Compiler:
    """Rows of the tables while they grow."""

    def __init__(self, rules: Sequence[RuleSpec]) -> None:
        self.placements: list[list[list[int]]] = [[], [], [], []]
        self.needs: list[tuple[int, int, int]] = []
        self.areas: list[tuple[int, int, int, int, int, int]] = []
        self.shapes: dict[tuple[tuple[tuple[int, int], ...], ...], int] = {}
        self.bounds: list[list[int]] = []
        self.offsets: list[tuple[int, int, int]] = []
        self.runs: list[tuple[int, int, int, int]] = []
        self.marks: list[tuple[int, int, int]] = []
        self.ties: list[tuple[int, int, int, int, int]] = []
        self.rules: list[tuple[int, int, int]] = []
        self.unless: list[int] = []
        self.kept: dict[tuple[object, ...], int] = {}  # where equal rows begin
        numbers: dict[str, int] = {}
        for number, rule in enumerate(rules):
            begin = len(self.unless)
            self.unless += [numbers[name] for name in rule.unless if name in numbers]
            self.rules.append((int(rule.stops), begin, len(self.unless)))
            numbers[rule.name] = number
            for drawing in rule.drawings:
                self.add(number, drawing)

    def add(self, rule: int, drawing: Drawing) -> None:
        seen = set()
        cells = [need.at for need in drawing.needs]
        states = [int(n.states) | NOT_END_CELL * n.not_end for n in drawing.needs]
        parts = [
            (area.cells, area.inside, area.outside, (area.base, area.wall))
            for area in drawing.areas
        ]
        for placement in drawing.placements():
            mask = forbidden_mask(drawing, placement)
            needs = [
                (*at, allowed)
                for at, allowed in zip(_laid(cells, placement), states, strict=True)
            ]
            runs = [
                (*placement.turn.turn(run.first), *placement.turn.turn(run.then))
                for run in drawing.runs
            ]
            areas = [
                (
                    self.shape(
                        tuple(tuple(_laid(part, placement)) for part in shape),
                        area,
                        placement,
                    ),
                    _KINDS[area.kind],
                    area.low,
                    area.high,
                    int(sum(area.entry) % 2 == 0),
                    area.least,
                )
                for area, shape in zip(drawing.areas, parts, strict=True)
            ]
            marks = [
                (*placement.turn.turn(mark.at), mark.end | SAME_LINE * mark.same)
                for mark in drawing.marks
            ]
            ties = _ties(drawing, placement)
            asked = tuple(sorted(needs)), *areas, *runs, *marks, *sorted(ties)
            key = (placement.heading, mask, *asked)
            if key in seen or not mask:
                continue
            seen.add(key)
            row = [rule, mask]
            for table, rows in (
                (self.needs, needs),
                (self.areas, areas),
                (self.runs, runs),
                (self.marks, marks),
                (self.ties, ties),
            ):
                begin = self.kept.setdefault((id(table), *rows), len(table))
                if begin == len(table):
                    table.extend(rows)  # type: ignore[arg-type] # rows of its table
                row += [begin, begin + len(rows)]
            number = sum(map(len, self.placements))
            self.placements[placement.heading].append([*row, number])

    def shape(
        self,
        parts: tuple[tuple[tuple[int, int], ...], ...],
        area: AreaSpec,
        placement: Placement,
    ) -> int:
        if parts not in self.shapes:
            self.shapes[parts] = len(self.bounds)
            row, (line, inside, outside, _) = [], parts
            for part in (line, inside, outside):
                row.append(len(self.offsets))
                for x, y in part:
                    ways = _ways((x, y), outside) if part is line else 0
                    self.offsets.append((x, y, ways | (x + y) % 2 * IS_WHITE))
                row.append(len(self.offsets))
            beside = _ways((0, 0), line + inside) | _ways((0, 0), outside) << SECOND
            ends = row[LINE], row[LINE_END] - 1
            self.bounds.append([*row, *_arc(area, placement, ends), beside])
        return self.shapes[parts]

    def tables(self) -> Tables:
        """Return all tables, without a tree."""
        counts = [0, *(len(rows) for rows in self.placements)]
        ordered = bool(self.unless) or any(stops for stops, _, _ in self.rules)
        return Tables(
            heads=np.cumsum(counts, dtype=np.int32),
            leaves=_table([row for rows in self.placements for row in rows], LEAF),
            needs=_table(self.needs, 3),
            areas=_table(self.areas, 6),
            shapes=_table(self.bounds, BESIDE + 1),
            offsets=_table(self.offsets, 3),
            runs=_table(self.runs, 4),
            marks=_table(self.marks, 3),
            ties=_table(self.ties, 5),
            rules=_table(self.rules, 3),
            unless=np.array(self.unless, dtype=np.int32),
            ordered=np.ones(int(ordered), dtype=np.int32),
            node_heads=np.zeros((4, 2), dtype=np.int32),
            nodes=np.zeros(0, dtype=np.int64),
            firsts=np.zeros(0, dtype=np.int32),
        )


def _laid(cells: Iterable[Spot], placement: Placement) -> list[tuple[int, int]]:
    """Return where many cells lie on the board, from the live end."""
    a, b, c, d = placement.turn.matrix
    return [(a * row + b * col, c * row + d * col) for row, col in cells]


def _table(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


def _arc(area: AreaSpec, placement: Placement, ends: tuple[int, int]) -> list[int]:
    """Return the nine columns of `Tables.shapes` that say how to count."""
    left = area.side == "left"
    line, sides = (area.base, *area.cells, area.wall), list[tuple[int, ...]]()
    for here, beyond, turn in (
        (line[1], line[0], -1 if left else 1),
        (line[-2], line[-1], 1 if left else -1),
    ):
        way = step(here, beyond)
        number = AROUND.index(way)
        if number % 2 == 0:
            sides.append((_direction(way, placement), -1))
        else:  # at a corner: the side towards the area there, or that of its neighbour
            beside = AROUND[(number + turn) % 8]
            then = step(beside, way)
            sides.append((_direction(beside, placement), _direction(then, placement)))
    wide = more = tint = 0
    for before, here, after in zip(line, line[1:], line[2:], strict=False):
        row, col = placement.turn.turn(here)
        for way in between(step(here, after), step(here, before), not left):
            direction = _direction(way, placement)
            if direction % 2:
                more += 2 - direction
                wide += col + 1 if direction == 1 else -col
                tint += 1 - 2 * ((row + col) % 2)
    arc = [(ends[0], *sides[0]), (ends[1], *sides[1])]
    if left == placement.turn.mirrors:
        arc.reverse()
    return [*arc[0], *arc[1], wide, more, tint]


def _ways(here: tuple[int, int], cells: Container[tuple[int, int]]) -> int:
    """Return the directions from a cell to some others, as bits."""
    near = [(here[0] + row, here[1] + col) in cells for row, col in STEPS]
    return sum(1 << d for d in range(4) if near[d])


def _direction(way: Spot, placement: Placement) -> int:
    return STEPS.index(placement.turn.turn(way))


def forbidden_mask(drawing: Drawing, placement: Placement) -> int:
    """Return the forbidden moves of a placed drawing as bits, behind left out."""
    behind = (placement.heading + 2) % 4
    mask = 0
    for at in drawing.forbidden:
        direction = STEPS.index(placement.turn.turn(at))
        mask |= (direction != behind) << direction
    return mask


def _ties(
    drawing: Drawing, placement: Placement
) -> list[tuple[int, int, int, int, int]]:
    """Return the rows of `Tables.ties` of a placed drawing."""
    rows = []
    for word, one, other in drawing.asked:
        here, there = placement.turn.turn(one), placement.turn.turn(other)
        if FACTS[word].step:
            rows.append((*here, *there, ~STEPS.index(there)))
            continue
        here, there = sorted((here, there))
        way = (there[0] - here[0], there[1] - here[1])
        rows.append((*here, *there, 1 << STEPS.index(way) if FACTS[word].edge else 0))
    return rows
