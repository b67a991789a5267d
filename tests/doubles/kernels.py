"""Naive doubles of the kernel rules: sets of cells and complex numbers.

The cell in row r and column c is the number c - r * i. So up is i, and a turn to the
left multiplies by i. A `Sight` corresponds to a view of the kernels.
"""

import cmath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, product

from heuristic.groups import load_rules
from heuristic.rules.drawing import MOVES, Kind, RuleSpec, left_ahead
from solver.board import LETTERS, Board, Position

DIRECTIONS = {"U": 1j, "R": 1 + 0j, "D": -1j, "L": -1 + 0j}
Area = frozenset[complex]

Offset = tuple[int, int]  # to the left, ahead


def number(board: Board, cell: int) -> complex:
    row, col = divmod(cell, board.cols)
    return complex(col, -row)


@dataclass(frozen=True)
class Sight:
    free: frozenset[complex]
    visited: frozenset[complex]
    end: complex
    here: complex
    ahead: complex
    left: complex

    def at(self, left: int, ahead: int) -> complex:
        return self.here + left * self.left + ahead * self.ahead

    def is_free(self, *cells: Offset) -> bool:
        return all(self.at(*cell) in self.free for cell in cells)

    def is_visited(self, *cells: Offset) -> bool:
        return all(self.at(*cell) in self.visited for cell in cells)

    def passing(self, cells: Area) -> "Sight":
        cells &= self.free
        return replace(self, free=self.free - cells, visited=self.visited | cells)

    def going(self, left: int, ahead: int, turned: bool) -> "Sight":
        there = replace(self, here=self.at(left, ahead))
        if turned:
            there = replace(there, ahead=-self.left, left=self.ahead)
        return there

    def moves(self, *names: str) -> set[str]:
        ways = self.ahead, self.left, -self.left, -self.ahead
        steps = dict(zip(("straight", "left", "right", "behind"), ways, strict=True))
        letter = {step: name for name, step in DIRECTIONS.items()}
        return {letter[steps[name]] for name in names}

    def area(self, line: list[Offset], wall: Offset, base: Offset) -> Area | None:
        """Return the closed area on the left of a line, None if it is not there."""
        if not self.is_free(*line):
            return None
        marked = {self.at(*cell) for cell in line}
        whole = [base, *line, wall]
        inside: set[complex] = set()
        outside: set[complex] = set()
        for before, here, after in zip(whole, whole[1:], whole[2:], strict=False):
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                turn = angle((a, b), here, after)
                side = inside if 0 < turn < angle_to(before, here, after) else outside
                if turn not in (0, angle_to(before, here, after)):
                    side.add(self.at(here[0] + a, here[1] + b))
        grown, fresh = set(marked), (inside & self.free) - marked
        while fresh:
            grown |= fresh
            near = {c + d for c in fresh for d in DIRECTIONS.values()}
            fresh = (near & self.free) - grown
        if self.end in grown or (outside & self.free - marked) & grown:
            return None
        return frozenset(grown)

    def surplus(self, area: Area) -> int:
        """White less black, black being the colour of the cell looked from."""
        odd = [(c - self.here).real + (c - self.here).imag for c in area]
        return sum(1 if n % 2 else -1 for n in odd)


def angle(step: Offset, here: Offset, after: Offset) -> float:
    zero = complex(-(after[0] - here[0]), after[1] - here[1])
    turned = cmath.phase(complex(-step[0], step[1]) / zero) % (2 * cmath.pi)
    return round(turned, 6)


def angle_to(cell: Offset, here: Offset, after: Offset) -> float:
    return angle((cell[0] - here[0], cell[1] - here[1]), here, after)


def sights(position: Position, turns: tuple[int, ...]) -> Iterator[tuple[int, Sight]]:
    """Yield every turn with its sight, unmirrored and mirrored."""
    board = position.board
    if len(position.walk) < 2:
        return
    visited = frozenset(number(board, cell) for cell in position.walk)
    free = frozenset(number(board, c) for c in position.free.nonzero()[0].tolist())
    here, end = number(board, position.live_end), number(board, board.end)
    heading = DIRECTIONS[LETTERS[position.heading]]
    for turn, flip in product(turns, (1, -1)):
        ahead = heading * (-1j * flip) ** turn
        yield turn, Sight(free, visited, end, here, ahead, ahead * 1j * flip)


def wall_corners(sight: Sight) -> list[Offset]:
    """Follow the wall on the left hand; on the page left is -1 and ahead is i."""

    def free(z: complex) -> bool:
        return sight.is_free((-round(z.real), round(z.imag)))

    if not free(-1 + 1j):
        return []
    z = -1 + 1j
    while free(z - 1):
        z -= 1
    first, step, corners = z, 1j, []
    for _ in range(4 * len(sight.free) + 4):
        before = step
        choices = [step * 1j * (-1j) ** k for k in range(4)]
        good = [d for d in choices if free(z + d)]
        if not good:
            break
        step = good[0]
        corner = (-round(z.real) + 1, round(z.imag) + 1)
        if (round((before - 1).real), round((before - 1).imag)) == (0, 0):
            turned_up = abs(step - 1j) < 0.5
            if turned_up and z.imag >= 1 and sight.is_visited(corner):
                corners.append(corner)
        z = complex(round((z + step).real), round((z + step).imag))
        if z.real == 0 or z == first:
            break
    return corners


def row_corners(sight: Sight) -> list[Offset]:
    corners, v = [], 2
    while sight.is_free((1, v)):
        h = next(h for h in count(1) if not sight.is_free((h, v)))
        if sight.is_visited((h, v)) and sight.is_free((h, v - 1)):
            corners.append((h, v))
        v += 1
    return corners


@cache
def drawn_corners() -> dict[Offset, list[tuple[set[str], str, int, int, list[Offset]]]]:
    """Return for every drawn corner: turns, move, bounds and line."""
    rule = load_rules("sa-corner-small").rules[0]
    assert isinstance(rule, RuleSpec)
    names = {at: name for name, at in MOVES.items()}
    table: dict[Offset, list[tuple[set[str], str, int, int, list[Offset]]]] = {}
    for drawing in rule.drawings:
        (area,) = drawing.areas
        low, high = area.low, area.high
        if area.kind is Kind.CLOSED:
            low, high = 1, 0
        turns = set(drawing.poses)
        for move in drawing.forbidden:
            line = [left_ahead(at) for at in area.cells]
            row = (turns, names[move], low, high, line)
            table.setdefault(left_ahead(area.wall), []).append(row)
    return table


def corner_forbidden(position: Position, by_wall: bool) -> set[str]:
    """Return what the corners that are discovered forbid; none over 12 away."""
    moves = set()
    for turn, sight in sights(position, (0, 1, 2, 3) if by_wall else (0, 1, 2)):
        if by_wall:
            corners = wall_corners(sight)
        else:
            page = replace(sight, ahead=sight.left, left=sight.ahead)
            corners = [(v, h) for h, v in row_corners(page)]
        name = ("NONE", "CW", "HALF", "CCW")[turn]
        for corner in corners:
            for turns, move, low, high, line in drawn_corners()[corner]:
                if name in turns:
                    area = sight.area(line, corner, (0, 0))
                    if area and not low <= sight.surplus(area) <= high:
                        moves |= sight.moves(move)
    return moves & set(position.options())


def stair_leads_back(sight: Sight) -> bool:
    """Return whether a step to the left leads down a stair and to an obstacle."""
    k = 0
    while sight.is_free((1 + k, -1 - k)) and sight.is_visited((1 + k, -2 - k)):
        k += 1
    h, v = 1 + k, -1 - k
    base, foot = (h + 2, v + 1), (h + 1, v + 1)
    if not (k and sight.is_free((1, 0), foot) and sight.is_visited((h, v), base)):
        return False
    way = [foot]
    left, ahead = h + 1, v + 2
    while ahead <= 0 and sight.is_free((left, ahead)):
        way.append((left, ahead))
        line = [*way, (left + 1, ahead + 1)]
        for wall, free in (
            ((left + 1, ahead + 2), [(left, ahead + 2)]),
            ((left + 2, ahead + 2), [(left + 1, ahead + 2), (left + 2, ahead + 1)]),
        ):
            if not (sight.is_visited(wall) and sight.is_free(*free)):
                continue
            if sight.area(line, wall, base):
                return True
        left, ahead = left - 1, ahead + 1
    return False


def stair_forbidden(position: Position, always: bool) -> set[str]:
    moves = set()
    for _, sight in sights(position, (0, 1)):

        def closed(cells: int, sight: Sight = sight) -> bool:
            line = [(0, k) for k in range(1, cells + 1)]
            wall = (0, cells + 1)
            return not sight.is_free(wall) and bool(sight.area(line, wall, (0, 0)))

        across = (
            sight.is_visited((1, 3))
            and sight.is_free((0, 3))
            and sight.area([(0, 1), (0, 2)], (1, 3), (0, 0))
        )
        begins = always or closed(1) or closed(2) or across
        if begins and stair_leads_back(sight):
            moves |= sight.moves("left")
        if not always and closed(2) and stair_leads_back(sight.going(0, 1, False)):
            moves |= sight.moves("straight", "right")
    return moves & set(position.options())


def second_corner_forbidden(position: Position) -> set[str]:
    moves = set()
    longest = max(position.board.rows, position.board.cols)
    for turn, sight in sights(position, (0, 1, 3)):
        for d in range(1, longest):
            line = [(0, k) for k in range(1, d + 1)]
            if d % 4 == 0 and sight.is_free((0, d + 1)):
                area = sight.is_visited((1, d + 1)) and sight.area(
                    line, (1, d + 1), (0, 0)
                )
                if area and sight.surplus(area) == -d // 4:
                    after = sight.passing(area - {sight.at(0, d)})
                    if second_excluded(after.going(0, d - 1, True)):
                        moves |= sight.moves("straight")
            line = [(1, k) for k in range(1, d + 1)]
            around = ((1, d + 1), (2, d), (0, d))
            if d % 4 == 2 and turn != 3 and sight.is_free(*around):
                area = sight.is_visited((2, d + 1)) and sight.area(
                    line, (2, d + 1), (0, 0)
                )
                if area and sight.surplus(area) == -((d - 2) // 4):
                    after = sight.passing(area)
                    if second_excluded(after.going(1, d, True)):
                        moves |= sight.moves("left")
    return moves & set(position.options())


def second_excluded(sight: Sight) -> bool:
    for corner in wall_corners(sight):
        for _, move, low, high, line in drawn_corners()[corner]:
            if move == "straight":
                area = sight.area(line, corner, (0, 0))
                if area and not low <= sight.surplus(area) <= high:
                    return True
    return False
