"""Naive double of future lines: lists of cells, copied before every step.

A cell is the complex number col - row * 1j. For a heading h, ahead is + h and left is
+ h * 1j. A line is a list of cells from near end to far end; the walk eats it up from
the front.
"""

from collections.abc import Iterator
from copy import deepcopy

from heuristic.rules.drawing import INFERENCES
from solver.board import Board

Line = list[complex]


class Dead(Exception):  # noqa: N818 (an outcome)
    """The walk leaves a line, enters one inside, or lets an end without a way."""


class NaiveLines:
    """The future lines along a walk, in `lines` and `contradicted`."""

    def __init__(self, board: Board, names: tuple[str, ...] = INFERENCES) -> None:
        self.names = names
        self.width = board.cols
        cells = [c for c in range(board.cells) if c not in board.walls]
        self.board = {self.place(c) for c in cells}
        self.end = self.place(board.end)
        self.walk = [self.place(board.start)]
        self.ahead: list[Line] = []
        self.walked: Line = []  # the rest of the line that the live end stands on
        self.contradicted = False
        self.seams: set[complex] = set()  # cells behind which two lines were joined
        self.past: list[tuple[list[Line], Line, bool, set[complex]]] = []

    def place(self, cell: int) -> complex:
        return complex(cell % self.width, -(cell // self.width))

    def lines(self) -> set[tuple[int, ...]]:
        walked = [[self.walk[-1], *self.walked]] if self.walked else []
        return {
            tuple(int(-z.imag) * self.width + int(z.real) for z in line)
            for line in [*self.ahead, *walked]
            if not self.contradicted
        }

    def pop(self) -> None:
        self.walk.pop()
        self.ahead, self.walked, self.contradicted, self.seams = self.past.pop()

    def push(self, cell: int) -> None:
        now = self.ahead, self.walked, self.contradicted, self.seams
        self.past.append(deepcopy(now))
        here = self.place(cell)
        self.walk.append(here)
        if self.contradicted:
            return
        try:
            self.enter(here)
        except Dead:
            self.contradicted = True

    def enter(self, here: complex) -> None:
        line = self.line_of(here)
        stepped_on = not self.walked and line is not None
        if self.walked and here != self.walked.pop(0):
            raise Dead
        if stepped_on and line is not None:
            if line[0] != here:
                raise Dead
            self.ahead.remove(line)
            self.walked = line[1:]
        self.infer(stepped_on)

    def free(self, z: complex) -> bool:
        return z in self.board and z not in self.walk

    def line_of(self, z: complex) -> Line | None:
        """Return the line that a free cell is in."""
        for line in [*self.ahead, self.walked]:
            if z in line:
                return line
        return None

    def plain(self, z: complex) -> bool:
        return self.free(z) and self.line_of(z) is None

    def near(self, z: complex) -> bool:
        return any(line[0] == z for line in self.ahead)

    def far(self, z: complex) -> bool:
        return any(line and line[-1] == z for line in [*self.ahead, self.walked])

    def inside(self, z: complex) -> bool:
        """Return whether both steps of a free cell are in a line ahead of the walk."""
        return any(z in line[1:-1] for line in [*self.ahead, self.walked])

    def section(self, z: complex) -> complex:
        """Return the first cell of the section that a cell of a line is in."""
        line = self.line_of(z) or []
        for at in range(line.index(z), 0, -1):
            if line[at - 1] in self.seams:
                return line[at]
        return line[0]

    def frames(self, heading: complex) -> Iterator[tuple[complex, complex]]:
        """Yield (left, ahead): plain, turned clockwise, and both mirrored."""
        for left in (heading * 1j, -heading * 1j):
            yield left, heading
            yield heading, -left

    def infer(self, stepped_on: bool) -> None:
        if len(self.walk) < 3:
            return
        live, before = self.walk[-1], self.walk[-2]
        heading, last = live - before, before - self.walk[-3]
        if stepped_on:
            gap = self.walked[-1] - live
            close = abs(gap) == 2 or (abs(gap.real), abs(gap.imag)) == (1, 1)
            corner = abs(self.walked[-1] - self.end) == 1
            if (close and "future-step-on" in self.names) or (
                corner and "future-far-end-corner" in self.names
            ):
                self.grow(self.walked, "far", tied=True)
        if "future-1-thin" in self.names:
            for left, ahead in self.frames(heading):
                self.thin(live + left, left, ahead)
        for name, distance in (("future-step-away", 1), ("future-2-side", 2)):
            if name in self.names:
                for left, ahead in self.frames(last):
                    self.beside(before, left, ahead, distance)
        shorter = False
        for name, size in (("future-1x2", 2), ("future-1x3", 3)):
            if name in self.names and not shorter:
                for left, ahead in self.frames(last):
                    shorter |= self.pocket(before, left, ahead, size)
        if "future-corner-pass" in self.names:
            for left in (heading * 1j, -heading * 1j):
                self.corner(live + left, left, heading)

    def thin(self, near: complex, left: complex, ahead: complex) -> None:
        line = self.line_of(near)
        if line is None or not self.near(near) or line[-1] != self.end:
            return
        beyond_shut = not self.free(near + left)
        if beyond_shut and not self.far(near - ahead) and self.plain(near + ahead):
            line.insert(0, near + ahead)
            self.grow(line, "near")

    def no_way(self, z: complex, own: Line) -> bool:
        if not self.free(z):
            return True
        line = self.line_of(z)
        return line is not None and (line is own or line[-1] != z)

    def beside(
        self, here: complex, left: complex, ahead: complex, distance: int
    ) -> None:
        between, near = here + left, here + left * distance
        behind, side = between - ahead, between + ahead
        line = self.line_of(near)
        if line is None or not self.near(near):
            return
        if distance == 1:
            shut = self.no_way(near + left, line) and self.no_way(behind, line)
        else:
            shut = self.plain(between) and between != self.end
            shut = shut and not (self.free(behind) and not self.inside(behind))
        if not shut:
            return
        if not self.free(side) or side == self.end:
            raise Dead
        add = self.plain(side)
        if distance == 2:
            line.insert(0, between)
        if add:
            line.insert(0, side)
        self.grow(line, "near")

    def pocket(self, here: complex, left: complex, ahead: complex, size: int) -> bool:
        cells = [here + left * k for k in range(1, size + 1)]
        for z in cells:
            if not self.plain(z) or self.free(z - ahead) or z == self.end:
                return False
        entry, mouth = cells[0] + ahead, cells[-1] + ahead
        if self.free(cells[-1] + left) or self.end in (entry, mouth):
            return False
        if not self.free(entry) or not self.free(mouth):
            raise Dead
        line = [z for z in (entry, *cells, mouth) if self.plain(z)]
        self.ahead.append(line)
        self.grow(line, "far")
        return True

    def corner(self, cell: complex, left: complex, ahead: complex) -> None:
        doors = [z for z in (self.end + 1j**k for k in range(4)) if self.free(z)]
        alone = doors == [cell] == [self.end + ahead] and not self.free(cell + left)
        plain = self.plain(cell) and self.plain(cell + ahead)
        if alone and plain and len(self.board) - len(self.walk) > 2:
            self.ahead.append([cell + ahead, cell])

    def ways(self, line: Line, side: str, tied: bool = False) -> list[complex]:
        """Return where an end can grow, without what a pocket next to it bans."""
        if side == "near":
            end, inner = line[0], line[1]
        else:
            inner = line[-2] if len(line) > 1 else self.walk[-1]
            end = line[-1]
        live = self.walk[-1]
        open_live = side == "near" and not self.walked

        def shuts(z: complex) -> bool:
            if self.free(z):
                inside = self.line_of(z) is not None
                return inside and not self.near(z) and not self.far(z)
            return z != live or tied or bool(self.walked)

        banned = set()
        for left, ahead in self.frames(end - inner):
            z = end + left
            pocket = self.plain(z) and z != self.end
            if pocket and shuts(z + left) and shuts(z - ahead):
                banned |= {end + ahead, end - left}

        def good(z: complex) -> bool:
            other = self.line_of(z)
            if not self.free(z):
                return open_live and z == live
            if other is None or other is line:
                return other is None
            if side == "near":
                return other[-1] == z and z != self.end
            return other is not self.walked and other[0] == z

        around = {end + 1j, end + 1, end - 1j, end - 1} - {inner, *banned}
        return [z for z in around if z in self.board and good(z)]

    def one_way(self, line: Line, side: str, tied: bool, done: bool) -> complex | None:
        """Return the only cell that an end can grow to; None if there are two."""
        ways = self.ways(line, side, tied)
        for barred in [self.end] * tied + [self.walk[-1]] * done:
            if len(ways) == 2 and barred in ways:
                ways.remove(barred)
        if not ways or (side == "near" and ways == [self.end]):
            raise Dead
        return ways[0] if len(ways) == 1 else None

    def grow(self, line: Line, side: str, tied: bool = False) -> None:
        """Grow the ends of a line in turns while they have one way each."""
        done = side == "near" and line[-1] == self.end
        resting = {"near": tied, "far": done}

        def finished() -> bool:
            return line is self.walked if side == "near" else line[-1] == self.end

        while True:
            grown = joined = False
            while not (joined or finished()):
                way = self.one_way(line, side, tied, done)
                if way == self.walk[-1] and done:
                    return
                if way == self.walk[-1]:
                    tied = grown = True
                if way is None or way == self.walk[-1]:
                    break
                partner = self.line_of(way)
                if partner is None:
                    line.insert(0, way) if side == "near" else line.append(way)
                    grown = True
                elif "future-connect" in self.names:
                    line, joined = self.merged(line, partner, side), True
                else:
                    return
            other = "far" if side == "near" else "near"
            if joined:
                side = other if finished() else side
                continue
            tied = tied or (side == "near" and finished())
            done = done or (side == "far" and finished())
            if grown and (done if side == "near" else tied):
                return
            if grown:
                resting = dict.fromkeys(resting, False)
                resting[side] = tied if side == "near" else done
            else:
                resting[side] = True
            if all(resting.values()):
                return
            side = other

    def merged(self, line: Line, partner: Line, side: str) -> Line:
        """Join two lines into the one that comes first."""
        first, second = (partner, line) if side == "near" else (line, partner)
        self.seams.add(first[-1] if first else self.walk[-1])
        first += second
        self.ahead = [other for other in self.ahead if other is not second]
        return first
