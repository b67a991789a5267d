"""Rules compiled to flat tables, which `heuristic.matching.pattern` matches.

Every drawing is laid on the board in every placement; placements of a heading stand
together, and those that begin with the same need are looked at once.

Of large rule sets the needs of all placements are made a tree, those near the live end
first. A *path* is what one placement needs, near needs before far ones. Paths are
sorted, a path before those that go on from it; so each node of the tree is a run of
them.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
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
    CellState,
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

# Columns of `Tables.placements`: where rows begin and end in the tables of that name.
RULE, MOVES, NEEDS, NEEDS_END, AREAS, AREAS_END = range(6)
RUNS, RUNS_END, MARKS, MARKS_END, TIES, TIES_END, DRAWING, SKIP = range(6, 14)
PLACEMENT = 14  # columns

# Columns of `needs` and `marks`, and the first ones of `groups`.
ROW, COL, STATES = range(3)
BEGIN, END, OF_RULE = range(3, 6)  # of `groups`
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
    """A compiled rule set, plain int32 arrays for kernels.

    - `heads`, (5,): placements of heading h are rows ``heads[h]`` to ``heads[h + 1]``.
    - `placements`, (n, 14): rule, forbidden moves as bits, then begin and end of needs,
      areas, runs, marks and ties, then the number of the drawing, then the next row
      with other needs or another rule. In the order of the rules.
    - `group_heads`, (5,): groups of heading h are rows ``group_heads[h]`` to
      ``group_heads[h + 1]``.
    - `groups`, (n, 6): placements of one rule that share their first need: row, column
      and states of the need, begin and end in `placements`, and the rule. Most groups
      fail here.
    - `needs`, (n, 3): row, column from the live end; allowed states as bits, 8 = not
      the end cell.
    - `areas`, (n, 6): shape, kind, low, high, 1 if the entry has the live end's colour,
      least size.
    - `shapes`, (n, 16): begin and end in `offsets` of the line, the inside and the
      outside cells. Then the arc around the area, clockwise: the first and the last
      side of it as a row of `offsets`, a side U, R, D or L, and -1; or the side of the
      cell beyond that is meant where that cell is free. Last what the outer sides of
      the line add to the sums of `heuristic.matching.contour`: to sizes, and again so
      often the column of the live end; to tints, for a live end of even tone. At last
      the directions from the live end to cells of the line and inside, as bits, and
      those to cells outside, four bits higher.
    - `offsets`, (n, 3): row, column; and of cells of a line the directions to cells
      outside, where doors of the area may lead, as bits, with 16 for white cells.
    - `runs`, (n, 4): row, column of the first visited cell, then of the later one.
    - `marks`, (n, 3): row, column of an end of a future line; 1 near, 2 far, 4 of the
      first mark's line. `evaluate` does not look at them:
      `heuristic.future.futurerules` does.
    - `ties`, (n, 5): row, column of a free cell, then of another one. Then the bit of
      the direction in which a forced edge leads from the first to the second; or 0, and
      they are the open ends of one forced line; or -1 - d, and the step from the first,
      the live end, in direction d is dead when it is followed: see
      `heuristic.matching.forced`. Those of a placement come last.
    - `rules`, (n, 3): 1 if the rule stops, then begin and end in `unless`.
    - `unless`, (n,): numbers of earlier rules.
    - `node_heads`, (4, 3): nodes of heading h are rows ``node_heads[h, 0]`` to
      ``node_heads[h, 1]``, and what is added to `firsts` for the leaves of it.
      Headings whose trees are the same but for the turn share their nodes.
    - `nodes`, (n,) int64: the needs of all rules as a tree, those near the live end
      first, a node before what is below it. Turned so that the heading is U: the moves
      that are forbidden there or below as bits, the states of a need, its column and
      row, whether there are leaves, and the next node that is not below.
      Empty where groups are looked at instead.
    - `firsts`, (n,): the first leaf of each node; that of the next one is the end.
    - `leaves`, (n, 14): placements in the order of the tree: their needs are those of a
      node and of all above it. Copies, so that what a step looks at lies together.
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
    marks: Ints
    ties: Ints
    rules: Ints
    unless: Ints
    node_heads: Ints
    nodes: Longs
    firsts: Ints
    leaves: Ints


# A node as one number: moves in the lowest bits, then states; where the others begin.
# Rows and columns are stored with `MIDDLE` added. In one number a tree takes a third of
# the memory, and most of it is not read.
STATES_BIT, COL_BIT, ROW_BIT, NEED_BITS, NEXT_BIT = 4, 8, 24, 40, 41
HAS_LEAVES = 1 << NEED_BITS
MASK, MIDDLE = (1 << 16) - 1, 1 << 15
_LAST = np.iinfo(np.int64).max


def planted(tables: Tables) -> Tables:
    """Return the tables with the tree of their needs; no rule of them may stop others.

    Families of many distances share what is near the live end, so a step looks at a
    small part of their needs. A quarter of a second for 50,000 placements.
    """
    heads, trees, leaves = list[list[int]](), dict[int, tuple[Longs, Ints]](), []
    for heading in range(4):
        first, last = tables.heads[heading : heading + 2].tolist()
        rows = tables.placements[first:last]
        paths = _paths(_keys(tables.needs, heading), rows)
        order = np.lexsort(paths.T[::-1])
        tree = _nodes(paths[order], rows[order, MOVES] * 17 >> heading & 15)
        leaves.append(rows[order])
        begin = sum(len(nodes) for nodes, _ in trees.values())
        for at, (nodes, firsts) in trees.items():
            if np.array_equal(tree[0], nodes) and np.array_equal(tree[1], firsts):
                begin = at
        trees[begin] = tree
        heads.append([begin, begin + len(tree[0]) - 1, first])
    shifted = [nodes + (begin << NEXT_BIT) for begin, (nodes, _) in trees.items()]
    return tables._replace(
        node_heads=np.array(heads, dtype=np.int32),
        nodes=np.concatenate(shifted),
        firsts=np.concatenate([firsts for _, firsts in trees.values()]),
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
_FREE = int(CellState.FREE)
_MANY = 500  # placements of which a tree is made
_LARGE = 1000  # drawings whose tables are kept on disk
_KEPT = 4  # of them


def compile_rules(rules: Sequence[RuleSpec]) -> Tables:
    """Compile rules, in order; `unless` names of rules not earlier are left out.

    Placements of one drawing that test the same and forbid the same are kept once. Some
    seconds for the largest groups as their files say them, so the tables of those are
    kept beside the compiled kernels, and of the last rules asked for in memory: nobody
    may write to them.
    """
    rules = tuple(rules)
    return _compiled(_Asked(rules, _key(rules) or rules))


@dataclass(frozen=True, slots=True)
class _Asked:
    rules: tuple[RuleSpec, ...] = field(compare=False)
    known_as: object  # a key where there is one: it is fast to compare


def _key(rules: Sequence[RuleSpec]) -> str:
    """Return a name for the tables of many drawings, all as their files say; or none.

    A digest of the files, and of the code that reads and compiles them.
    """
    many = sum(len(rule.drawings) for rule in rules) >= _LARGE
    if not many or not all(rule.source for rule in rules):
        return ""
    digest = sha256(repr([(rule.source, rule.name) for rule in rules]).encode())
    for module in (__name__, "heuristic.rules.rulefile"):
        digest.update(source_key(module, whole=True).encode())
    return digest.hexdigest()[:32]


@lru_cache(maxsize=16)
def _compiled(asked: _Asked) -> Tables:
    if not isinstance(asked.known_as, str):
        return _Compiler(asked.rules).tables()
    file = cache_folder() / f"tables-{asked.known_as}"
    tables = _read(file)
    if tables is None:
        tables = _Compiler(asked.rules).tables()
        _keep(file, tables)
    return tables


def _read(file: Path) -> Tables | None:
    """Return the tables of a file of ours, None where there is none that is whole."""
    data = read_with_digest(file)
    if data is None:
        return None
    with np.load(BytesIO(data), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    good = _shapes(arrays) == _shapes(_Compiler(()).tables()._asdict())
    return Tables(**arrays) if good else None


def _shapes(arrays: Mapping[str, Ints]) -> dict[str, object]:
    """Return types and widths; where rows begin has the same length in all tables."""
    return {
        name: (x.dtype, x.shape if name.endswith("heads") else x.shape[1:])
        for name, x in arrays.items()
    }


def _keep(file: Path, tables: Tables) -> None:
    """Write tables, and remove the oldest ones."""
    data = BytesIO()
    np.savez(data, **tables._asdict())
    with suppress(OptionError, OSError):  # another process may be at the same
        write_with_digest(file, data.getvalue())
        others = sorted(file.parent.glob("tables-*"), key=lambda p: p.stat().st_mtime)
        for old in others[:-_KEPT]:
            old.unlink()


def fitting(tables: Tables, side: int) -> Tables:
    """Return the tables without the placements that are larger than a board of a side.

    Families draw borders of many lengths; on a small board most of them can never
    match, and a step is the faster for leaving them out.
    """
    needs, placed = tables.needs, tables.placements
    on_board = (needs[:, STATES] & IS_OUTSIDE) == 0
    # a column of zeros, the live end, behind the last need: parts may end there
    at = np.zeros((STATES, len(needs) + 1), dtype=needs.dtype)
    at[:, :-1] = np.where(on_board, needs[:, :STATES].T, 0)
    parts = placed[:, [NEEDS, NEEDS_END]]
    high = np.maximum(np.maximum.reduceat(at, parts.ravel(), axis=1)[:, ::2], 0)
    low = np.minimum(np.minimum.reduceat(at, parts.ravel(), axis=1)[:, ::2], 0)
    keep = (high - low < side).all(axis=0)
    keep |= parts[:, 0] == parts[:, 1]
    position = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
    kept = placed[keep].copy()
    kept[:, SKIP] = position[kept[:, SKIP]]
    fit = grouped(tables._replace(heads=position[tables.heads], placements=kept))
    free = not (tables.rules[:, STOPS].any() or len(tables.unless))
    return planted(fit) if free and len(kept) >= _MANY else fit


def grouped(tables: Tables) -> Tables:
    """Return the tables with the groups of their placements, and without a tree."""
    rows = tables.placements
    needs = np.vstack((tables.needs, [0, 0, int(ANY)]))
    has_need = rows[:, NEEDS] < rows[:, NEEDS_END]
    groups = np.zeros((len(rows), OF_RULE + 1), dtype=np.int32)
    groups[:, : STATES + 1] = needs[np.where(has_need, rows[:, NEEDS], -1)]
    groups[:, OF_RULE] = rows[:, RULE]
    is_first = np.zeros(len(rows) + 1, dtype=np.bool_)
    is_first[1:-1] = (groups[1:] != groups[:-1]).any(axis=1)
    is_first[tables.heads] = True
    bounds = np.flatnonzero(is_first)
    groups = groups[bounds[:-1]]
    groups[:, BEGIN], groups[:, END] = bounds[:-1], bounds[1:]
    return tables._replace(
        group_heads=np.searchsorted(bounds, tables.heads).astype(np.int32),
        groups=groups,
        node_heads=np.zeros((4, 3), dtype=np.int32),
        nodes=np.zeros(0, dtype=np.int64),
        firsts=np.zeros(0, dtype=np.int32),
        leaves=_table([], PLACEMENT),
    )


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
        ordered = _decisive_first(drawing)
        cells = [at for at, _ in ordered]
        parts = [
            (area.cells, area.inside, area.outside, (area.base, area.wall))
            for area in drawing.areas
        ]
        for placement in drawing.placements():
            mask = forbidden_mask(drawing, placement)
            needs = [
                (*at, states)
                for at, (_, states) in zip(
                    _laid(cells, placement), ordered, strict=True
                )
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

    def rows(self) -> Ints:
        """Return all placements, those of a rule that share a first need together."""

        def first(row: list[int]) -> tuple[int, int, int]:
            begin, end = row[NEEDS], row[NEEDS_END]
            return self.needs[begin] if begin < end else (0, 0, 0)

        found: list[list[int]] = []
        for rows in self.placements:
            begin, end = len(found), len(found) + len(rows)

            def every(row: list[int]) -> list[tuple[int, int, int]]:
                return self.needs[row[NEEDS] : row[NEEDS_END]]

            rows = sorted(rows, key=lambda row: (row[RULE], first(row), every(row)))
            skips = [end] * len(rows)
            for at in range(len(rows) - 2, -1, -1):
                one, other = rows[at], rows[at + 1]
                same = one[RULE] == other[RULE] and every(one) == every(other)
                skips[at] = skips[at + 1] if same else begin + at + 1
            found += [[*row, skip] for row, skip in zip(rows, skips, strict=True)]
        return _table(found, PLACEMENT)

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
            shapes=_table(self.bounds, BESIDE + 1),
            offsets=_table(self.offsets, 3),
            runs=_table(self.runs, 4),
            marks=_table(self.marks, 3),
            ties=_table(self.ties, 5),
            rules=_table(self.rules, 3),
            unless=np.array(self.unless, dtype=np.int32),
            node_heads=np.zeros((4, 3), dtype=np.int32),
            nodes=np.zeros(0, dtype=np.int64),
            firsts=np.zeros(0, dtype=np.int32),
            leaves=_table([], PLACEMENT),
        )
        return grouped(tables)


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


def _decisive_first(drawing: Drawing) -> list[tuple[Spot, int]]:
    """Return the needs, where and their states, those that fail most often in front.

    Far from the live end a cell is free or outside more often than visited, near the
    live end the reverse: so visited cells come first, far ones before near ones, and
    free cells follow, near ones first. No placement changes a distance.
    """

    def rank(need: tuple[Spot, int]) -> tuple[int, int]:
        (row, col), states = need
        distance, states = abs(row) + abs(col), states & ~NOT_END_CELL
        if states == CellState.OUTSIDE:
            return 0, -distance
        if not states & _FREE:
            return 1, -distance
        return 2, distance

    needs = [
        (need.at, int(need.states) | NOT_END_CELL * need.not_end)
        for need in drawing.needs
    ]
    return sorted(needs, key=rank)
