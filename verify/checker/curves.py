"""Doors, loops, early ends, sealed areas: imports nothing of the toolkit.

Each method finds one way in which no true world gives the values that would make a
clause false.
"""

from typing import Any

from verify.checker.page import LIVE, Cell, Values, edge_of, near
from verify.checker.views import Views


class Curves(Views):
    """What is followed by hand: sums over doors, and the curves of the path."""

    def unique(self, false: Values) -> bool:
        """Find a second start or end, at a cell or beyond a port."""
        for event, beyond in (("S", "s"), ("T", "t")):
            held = [
                n for n, value in false.items() if value and n[0] in (event, beyond)
            ]
            if len(held) > 1 and (self.planar or event == "T"):
                return True
        return False

    def least(self, false: Values) -> bool:
        """Find an area larger than its line without a free cell inside."""
        for area in self.areas:
            inside = [c for c in area["inside"] if self.mask.get(c, 7) & 1]
            if area["condition"]["least"] > len(area["line"]) and all(
                false.get(("free", c)) is False for c in inside
            ):
                return True
        return False

    def counted(self, false: Values) -> bool:
        """Find a sum over the doors of an area that goes on wrongly or ends wrongly."""
        held = [n for n in false if n[0] == "n"]
        for k in {n[1] for n in held}:
            doors = self.doors[k]
            sums = [n for n in held if n[1] == k and false[n]]
            for _, _, i, total in [*sums, ("n", k, 0, 0)]:
                if i == len(doors) and not self.allowed(k, total):
                    return True
                if i < len(doors):
                    name, sign = doors[i]
                    uses = {False, True} if name not in false else {false[name]}
                    uses = {True} if self.certain(name) else uses
                    if all(
                        false.get(("n", k, i + 1, total + sign * use)) is False
                        for use in uses
                    ):
                        return True
        return any(
            not self.doors[k] and not self.allowed(k, 0) for k in range(len(self.areas))
        )

    def graph(self, false: Values) -> dict[Any, list[Any]]:
        """Return what the clause takes to be used: cells and ports, and their ties."""
        ports = self.port_of
        ties: dict[Any, list[Any]] = {}
        used = {edge_of(LIVE, self.target)}
        used |= {n[1:] for n, value in false.items() if value and n[0] in "cwv"}
        pairs = [n[1:] for n, value in false.items() if value and n[0] == "p"]
        for a, b in used:
            one: Any = a
            two: Any = b
            if edge_of(a, b) in ports:
                one, two = (a if a in self.cells else b), ports[edge_of(a, b)]
            ties.setdefault(one, []).append(two)
            ties.setdefault(two, []).append(one)
        for a, b in pairs:
            ties.setdefault(a, []).append(b)
            ties.setdefault(b, []).append(a)
        return ties

    def looped(self, false: Values) -> bool:
        """Find a closed curve without the live end."""
        ties = self.graph(false)
        seen: set[Any] = set()
        for begin in ties:
            if begin in seen:
                continue
            piece = piece_of(ties, begin)
            seen |= piece
            if LIVE not in piece and all(
                len(set(ties[x])) == len(ties[x]) == 2 for x in piece
            ):
                return True
        return False

    def ended(self, false: Values) -> bool:
        """Find a path from live end to end cell that leaves a free cell out."""
        piece = piece_of(self.graph(false), LIVE)
        ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
        left_out = [n[1] for n, value in false.items() if value and n[0] == "free"]
        left_out += [c for c in self.cells if self.mask.get(c, 7) == 1]
        return any(end in piece for end in ends) and any(
            c not in piece for c in left_out
        )

    def sealed(self, false: Values) -> bool:
        """Find an area part of which no path leaves.

        Begin with the cells that may have a door, and add what they may lead on to; if
        that ends inside the box and something of the area is left, it is sealed.
        """
        return any(self._sealed(k, false) for k in range(len(self.areas)))

    def _sealed(self, k: int, false: Values) -> bool:
        line, inside = set(self.areas[k]["line"]), self.areas[k]["inside"]

        def within(cell: Cell) -> list[Cell]:
            around = [x for x in near(cell) if x != LIVE]
            return [x for x in around if cell not in line or x in line | inside]

        reached = {
            c
            for c in line
            for x in set(near(c)) - set(within(c))
            if not self._unused(c, x, false)
        }
        beside = self.target in self.areas[k]["outside"] - inside
        if not beside and false.get(("a", k, self.target), True):
            reached.add(self.target)
        todo = list(reached)
        while todo:
            cell = todo.pop()
            if cell not in self.cells:
                return False
            for other in within(cell):
                if other not in reached and not self._unused(cell, other, false):
                    reached.add(other)
                    todo.append(other)
        held = {n[2] for n, v in false.items() if v and n[:2] == ("a", k)}
        return bool((line | held) - reached)

    def _unused(self, a: Cell, b: Cell, false: Values) -> bool:
        if LIVE in (a, b):
            return self.target not in (a, b)
        if false.get(("c", *edge_of(a, b))) is False:
            return True
        return not (self.may(a, 1) and self.may(b, 1))


def piece_of(ties: dict[Any, list[Any]], begin: Any) -> set[Any]:
    """Return what is tied to a node, and to that, and so on."""
    piece, todo = {begin}, [begin]
    while todo:
        for other in ties.get(todo.pop(), ()):
            if other not in piece:
                piece.add(other)
                todo.append(other)
    return piece
