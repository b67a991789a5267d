"""How the source decides whether an area is closed: the order of the walk, and a wall.

The source never floods an area. Where its line runs into the walk it looks at the
order of two visited cells, which tells on which side the older walk has closed (the
*order test*). Then it counts: from the first cell of the line it follows the wall of
the area until it comes to the last cell, and takes what the way encloses (the *wall
walk*). Only when it meets the end cell on the way it says that the area is not closed.

The rules of this book ask a flood fill instead. `closed_by_wall` is kept to compare.
"""

from dataclasses import dataclass
from enum import Enum

from solver.board import Cell, Position

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
