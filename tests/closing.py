"""The flood fill of the book against the source's way to decide that an area is closed.

The source never floods an area. Where its line runs into the walk it looks at the
order of two visited cells, which shows on which side the older walk has closed (the
*order test*). Then it counts: from the first cell of the line it follows the wall of
the area until it comes to the last cell, and takes what the way encloses (the *wall
walk*). Only when it meets the end cell on the way it says that the area is not closed.

For every counted area of drawn rules with a line of two cells or more, wherever all
cells are what the drawing needs, both are asked. They may differ: the source finds no
area, an area where the flood fill finds none, or other cells.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np

from heuristic.groups import load_rules
from heuristic.matching.drawn import DrawnRule
from heuristic.matching.pattern import (
    CLOSED,
    SIZE,
    board_numbers,
    fill_shape,
    needs_hold,
    new_order,
    next_step,
    scratch_size,
    slot_of,
)
from heuristic.matching.tables import Ints
from heuristic.rule import Rule
from heuristic.rules.drawing import (
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Placement,
    RuleSpec,
)
from solver.board import STEPS, Board, Cell, Position
from solver.jit import njit
from solver.oracles.oracle import get_oracle
from verify.trial.evidence import sampled_positions

Place = tuple[int, int]  # (row, col) from 0, on the board or not

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # U, R, D, L
_AROUND = ((-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1))


class Order(Enum):
    """Which of its two order tests the source makes at the wall of a line."""

    SINGLE = "the single-area code: the outer cell is visited after the wall, or not"
    DRAWN = "the generated rules: the outer cell if it is visited, else the inner one"


@dataclass(frozen=True, slots=True)
class Line:
    """A line laid on a board: an area's marked cells between base and wall.

    Attributes
    ----------
    base, wall : (row, col)
        Where the line comes from and what it runs into; the wall may be off the board.
    cells : tuple of (row, col)
        The marked cells, all free.
    left : bool
        Whether the area lies on the left of the line, walked from base to wall, as the
        page of the rule shows it.
    heading : int
        The direction in which the line comes to the wall, U 0 to L 3.
    mirrored : bool
        Whether left on the page is right on the board.
    """

    base: Place
    cells: tuple[Place, ...]
    wall: Place
    left: bool
    heading: int
    mirrored: bool


def order_test(position: Position, line: Line, order: Order) -> bool:
    """Tell if the order of the walk says that the area is on the line's side.

    The wall is compared with its neighbours across the line, those on the page's left
    and right; a rule that is mirrored exchanges the two. A cell that is not
    visited counts as visited before the start. At the edge of the board the sum of row
    and column stands for the order: larger is nearer the end.
    """
    row, col = line.wall
    down, across = _STEPS[(line.heading + (1 if line.mirrored else 3)) % 4]
    left, right = (row + down, col + across), (row - down, col - across)
    index = {place: n for n, place in enumerate(_places(position))}
    if line.wall not in index:
        return sum(right if line.left else left) > row + col
    here, before, after = index[line.wall], index.get(left, -1), index.get(right, -1)
    if order is Order.DRAWN and before < 0:
        return after < here if line.left else after > here
    return before > here if line.left else before < here


def wall_walk(position: Position, line: Line) -> frozenset[Cell] | None:
    """Return the cells that the wall walk encloses; None if it says not closed.

    From the first marked cell along the wall, the area on the other hand, to the last
    one. None too when it never comes there. O(cells) time.
    """
    board = position.board
    taken = {divmod(cell, board.cols) for cell in (*position.walk, *board.walls)}

    def free(place: Place) -> bool:
        inside = 0 <= place[0] < board.rows and 0 <= place[1] < board.cols
        return inside and place not in taken

    # At the first cell it turns from the base towards the area, elsewhere from the
    # wall on the hand that touches it; the first free cell is next.
    here, hand = line.cells[0], -1 if line.left != line.mirrored else 1
    at = _AROUND.index((line.base[0] - here[0], line.base[1] - here[1]))
    around = [_AROUND[(at + hand * k) % 8] for k in range(1, 8)]
    steps = [_STEPS.index(step) for step in around if step in _STEPS]
    way = [here]
    for _ in range(4 * board.cells):
        moves = [d for d in steps if free(_next(here, d))]
        if not moves:
            return None
        here = _next(here, moves[0])
        if here == divmod(board.end, board.cols):
            return None
        way.append(here)
        if here == line.cells[-1]:
            loop = {*way, *line.cells}
            return frozenset(r * board.cols + c for r, c in _enclosed(loop))
        steps = [(moves[0] + hand * (1 - k)) % 4 for k in range(4)]
    return None


def closed_by_wall(
    position: Position, line: Line, order: Order
) -> frozenset[Cell] | None:
    """Return the area as the source decides it, None if it says that there is none."""
    return wall_walk(position, line) if order_test(position, line, order) else None


def _places(position: Position) -> list[Place]:
    return [divmod(cell, position.board.cols) for cell in position.walk]


def _next(place: Place, direction: int) -> Place:
    return place[0] + _STEPS[direction][0], place[1] + _STEPS[direction][1]


def _enclosed(loop: set[Place]) -> set[Place]:
    """Return the cells of a loop and within: all that the outside cannot reach."""
    rows, cols = {r for r, _ in loop}, {c for _, c in loop}
    box = {
        (r, c)
        for r in range(min(rows) - 1, max(rows) + 2)
        for c in range(min(cols) - 1, max(cols) + 2)
    }
    outside, fresh = set[Place](), [(min(rows) - 1, min(cols) - 1)]
    while fresh:
        r, c = fresh.pop()
        if (r, c) in box and (r, c) not in loop and (r, c) not in outside:
            outside.add((r, c))
            fresh += [(r + dr, c + dc) for dr, dc in _AROUND]
    return box - outside


# Where the border of a corner comes from, on the page: (left, ahead).
_CORNERS = {"border-ahead": (0, 1), "border-left": (1, 0)}
KINDS = ("closed by flood fill alone", "closed by wall alone", "other cells")


@dataclass(frozen=True, slots=True)
class Difference:
    """A position where the two differ: how, the rule, and the marked cells."""

    kind: str
    rule: str
    position: Position
    line: tuple[int, ...]


@dataclass(slots=True)
class Closing:
    """How often both were asked, and where they differed.

    Attributes
    ----------
    positions, asked, closed, bare : int
        Positions; areas asked for; those that are closed by flood fill; those of these
        that are nothing but their line for the flood fill or the wall walk, which
        has nothing to walk around then: they are not compared.
    counts : dict of str to int
        By kind, how often the two differed.
    first : dict of str to Difference
        By kind, the shortest position.
    """

    positions: int = 0
    asked: int = 0
    closed: int = 0
    bare: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    first: dict[str, Difference] = field(default_factory=dict)

    def add(self, difference: Difference) -> None:
        """Count a difference."""
        kind = difference.kind
        self.counts[kind] += 1
        old = self.first.get(kind)
        if old is None or len(difference.position.walk) < len(old.position.walk):
            self.first[kind] = difference


@dataclass(frozen=True, slots=True)
class _Asked:
    """A counted area of a placed drawing, offsets (row, col) from the live end."""

    rule: str
    heading: int
    needs: tuple[tuple[int, int, int], ...]
    parts: tuple[tuple[tuple[int, int], ...], ...]
    line: Line
    order: Order

    @property
    def key(self) -> tuple[object, ...]:
        return self.heading, self.needs, self.parts, self.line, self.order


class Comparison:
    """The counted areas of some rules, ready to be asked on a board."""

    def __init__(self, rules: Sequence[Rule], board: Board) -> None:
        self.board = board
        kept: dict[tuple[object, ...], _Asked] = {}
        for rule in rules:
            if isinstance(rule, DrawnRule):
                for one in _asked(rule):
                    if _fits(one, board):
                        kept.setdefault(one.key, one)
        self.asked = sorted(kept.values(), key=lambda one: one.heading)
        self._tables = _tables(self.asked)
        self._scratch = np.zeros(scratch_size(board.cells, 1), dtype=np.int32)
        self._out = np.zeros(2 * len(self.asked), dtype=np.int32)

    def differences(self, position: Position, found: Closing) -> Iterator[Difference]:
        """Ask both at a position; count in `found`, yield every difference."""
        found.positions += 1
        if position.heading < 0:
            return
        count = _there(
            self._tables,
            new_order(self.board, position.walk),
            board_numbers(self.board),
            (position.live_end, position.heading),
            self._scratch,
            self._out,
        )
        here = divmod(position.live_end, self.board.cols)
        for k in range(count):
            one, size = self.asked[self._out[2 * k]], int(self._out[2 * k + 1])
            found.asked += 1
            found.closed += size > 0
            line = _laid(one.line, here)
            area = closed_by_wall(position, line, one.order)
            by_wall = len(area) if area else 0
            if len(line.cells) in (size, by_wall):
                found.bare += 1
            elif by_wall != size:
                kind = KINDS[0 if not by_wall else 1 if not size else 2]
                cells = tuple(r * self.board.cols + c for r, c in line.cells)
                yield Difference(kind, one.rule, position, cells)


def compare(rules: Sequence[Rule], positions: Iterable[Position]) -> Closing:
    """Ask both at every position, all of one board.

    Areas are compared by their size: both hold the marked cells.
    """
    found, comparison = Closing(), None
    for position in positions:
        comparison = comparison or Comparison(rules, position.board)
        for difference in comparison.differences(position, found):
            found.add(difference)
    return found


def _asked(rule: DrawnRule) -> Iterator[_Asked]:
    if "visited" in rule.spec.program:
        return  # there the source compares two visited cells that the drawing names
    for drawing in rule.spec.drawings:
        counted = [
            area
            for area in drawing.areas
            if area.kind is not Kind.CLOSED and len(area.cells) > 1
        ]
        for placement in drawing.placements() if counted else ():
            needs = tuple(  # those that may be free hold most often, so they come last
                (*placement.on_board(n.at), int(n.states) | 8 * n.not_end)
                for n in sorted(drawing.needs, key=lambda n: n.states & CellState.FREE)
            )
            if "ends-free" in rule.spec.program:
                ends = counted[0].cells[0], counted[0].cells[-1]
                beside = [placement.on_board((at[0] - 1, at[1])) for at in ends]
                needs += tuple((*at, 1) for at in beside)
            for area in counted:
                yield _placed(rule.spec, drawing, area, placement, needs)


def _placed(
    spec: RuleSpec,
    drawing: Drawing,
    area: AreaSpec,
    placement: Placement,
    needs: tuple[tuple[int, int, int], ...],
) -> _Asked:
    on_board = placement.on_board
    before, last = area.cells[-2:]
    to_wall = (last[0] - before[0], last[1] - before[1])
    for word in spec.program:
        to_wall = _CORNERS.get(word, to_wall)
    line = Line(
        base=on_board(area.base),
        cells=tuple(on_board(at) for at in area.cells),
        wall=on_board(area.wall),
        left=area.side == "left",
        heading=STEPS.index(on_board(to_wall)),
        mirrored=placement.left != STEPS[(STEPS.index(placement.ahead) + 3) % 4],
    )
    parts = (area.cells, area.inside, area.outside)
    return _Asked(
        spec.name,
        placement.heading,
        needs,
        tuple(tuple(on_board(at) for at in part) for part in parts),
        line,
        Order.SINGLE if "single" in spec.program else Order.DRAWN,
    )


def _fits(one: _Asked, board: Board) -> bool:
    cells = [need[:2] for need in one.needs if not need[2] & 4]
    rows, cols = {0, *(r for r, _ in cells)}, {0, *(c for _, c in cells)}
    wide, high = max(cols) - min(cols), max(rows) - min(rows)
    return wide < board.cols and high < board.rows


def _laid(line: Line, here: tuple[int, int]) -> Line:
    def there(place: tuple[int, int]) -> tuple[int, int]:
        return place[0] + here[0], place[1] + here[1]

    return Line(
        there(line.base),
        tuple(there(cell) for cell in line.cells),
        there(line.wall),
        line.left,
        line.heading,
        line.mirrored,
    )


class _Tables(NamedTuple):
    """The areas as tables: heading and needs of each, then as in `Tables`."""

    rows: Ints
    needs: Ints
    shapes: Ints
    offsets: Ints


def _tables(asked: Sequence[_Asked]) -> _Tables:
    rows: list[list[int]] = []
    shapes: list[list[int]] = []
    needs: list[tuple[int, int, int]] = []
    offsets: list[tuple[int, int]] = []
    for one in asked:
        begin = len(needs)
        needs += one.needs
        rows.append([one.heading, begin, len(needs)])
        bounds = []
        for part in one.parts:
            bounds.append(len(offsets))
            offsets += part
            bounds.append(len(offsets))
        shapes.append(bounds)

    def table(values: Sequence[Sequence[int]], width: int) -> Ints:
        return np.array(values, dtype=np.int32).reshape(len(values), width)

    return _Tables(table(rows, 3), table(needs, 3), table(shapes, 6), table(offsets, 2))


@njit
def _there(
    tables: _Tables,
    order: Ints,
    board: tuple[int, int, int],
    at: tuple[int, int],
    scratch: Ints,
    out: Ints,
) -> int:
    """Fill `out` with pairs: an area whose needs hold, its size or 0 if not closed."""
    live_end, heading = at
    rows, needs, shapes = tables.rows, tables.needs, tables.shapes
    slot, count = slot_of(0, len(order)), 0
    for k in range(len(rows)):
        if rows[k, 0] != heading or not needs_hold(
            needs, rows[k, 1], rows[k, 2], order, board, live_end
        ):
            continue
        next_step(scratch)
        state = fill_shape(
            order, board, live_end, shapes[k], tables.offsets, scratch, slot
        )
        out[2 * count] = k
        out[2 * count + 1] = scratch[slot + SIZE] if state == CLOSED else 0
        count += 1
    return count


def main(sides: Sequence[int], count: int = 2000) -> None:
    """Compare the two under all drawn rules of the book's program, and print counts."""
    rules = load_rules("seed-2024").rules
    for side in sides:
        oracle = get_oracle("search")
        known = sampled_positions(Board.square(side), count, seed=2, oracle=oracle)
        found = compare(rules, (position for position, _ in known))
        print(f"{side}: {found.asked:,} areas asked for, {found.closed:,} closed")
        for kind, times in found.counts.items():
            print(f"  {kind}: {times:,}")


if __name__ == "__main__":
    main([int(side) for side in sys.argv[1:]])
