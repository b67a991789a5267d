"""Ports and their pairs: imports nothing of the toolkit."""

from itertools import combinations, product
from typing import Any

from verify.checker.curves import Curves
from verify.checker.page import LIVE, Values, edge_of
from verify.checker.views import Key


class Ports(Curves):
    """What ports can carry, and which of them can be one piece of the path."""

    def __init__(self, drawing: dict[str, Any], part: dict[str, Any]) -> None:
        super().__init__(drawing, part)
        self.edges = [edge_of(*port) for port in self.ports]
        self._carried: dict[tuple[int, str, Key], bool] = {}

    def crossed(self, false: Values) -> bool:
        """Find two pairs of ports that cross or share a port."""
        pairs = [n[1:] for n, value in false.items() if value and n[0] == "p"]
        return any(
            len({a, b, c, d}) < 4 or a < c < b < d
            for (a, b), (c, d) in combinations(sorted(pairs), 2)
        )

    def paired(self, false: Values) -> bool:
        """Find ports that pair up wrongly, or do not keep what they carry."""
        pairs = [n[1:] for n, value in false.items() if value and n[0] == "p"]
        numbers = {i for n in false if n[0] == "p" for i in n[1:]}
        edges = self.port_of
        numbers |= {edges[n[-2:]] for n in false if len(n) > 2 and n[-2:] in edges}
        numbers |= {n[1] for n in false if n[0] in ("s", "t")}
        for i in numbers:
            if not any(self._alone(i, kind, false) for kind in "-cwv"):
                return True
            if not self._used(i, "-", false) and all(
                j == i
                or false.get(("p", i, j) if i < j else ("p", j, i)) is False
                or not any(self._used(j, kind, false) for kind in "cwv")
                for j in range(len(self.ports))
            ):
                return True
        return any(
            not any(
                self._meets(i, j, one, two, false)
                for one, two in product("cwv", repeat=2)
            )
            for i, j in pairs
        )

    def _used(self, i: int, kind: str, false: Values) -> bool:
        """Tell whether port i can carry a kind, ``-`` for nothing."""
        cell, edge = self.ports[i][0], self.edges[i]
        key = frozenset(item for item in false.items() if item[0][-2:] == edge)
        at = i, kind, key
        if at not in self._carried:
            self._carried[at] = any(
                v[kind, *edge] if kind != "-" else not any(v[k, *edge] for k in "cwv")
                for v in self.lawful(cell, key)
            )
        return self._carried[at]

    def _alone(self, i: int, kind: str, false: Values) -> bool:
        """Tell whether port i can carry the kind, given what is said beyond it."""
        if not self._used(i, kind, false):
            return False
        paired = any(v and n[0] == "p" and i in n[1:] for n, v in false.items())
        if paired and kind == "-":
            return False
        edge = self.edges[i]
        if kind == "c" and false.get(("t", i)):
            return all(
                False in self._beyond(k, i, false) for k in range(len(self.areas))
            )
        if kind == "w" and false.get(("s", i)):
            return not any(false.get(("l", k, *edge)) for k in self.tests())
        return True

    def _beyond(self, k: int, i: int, false: Values) -> set[bool]:
        """Return whether the unseen cell beyond port i can belong to area k, or not."""
        area, (cell, other) = self.areas[k], self.ports[i]
        if cell in area["line"]:
            return {other in area["inside"]}
        name = ("a", k, other if cell == LIVE else cell)
        if name in false:
            return {false[name]}
        if cell == LIVE:  # its only used edge out is the move
            entered = self.entered[k]
            if other in area["outside"] - area["inside"]:
                entered = False
            return {False, True} if entered is None else {entered}
        return {v["a", k, cell] for v in self.view(cell) if v["free", cell]}

    def _meets(self, i: int, j: int, one: str, two: str, false: Values) -> bool:
        """Tell whether ports i and j can be one piece that carries two kinds."""
        if not (self._used(i, one, false) and self._used(j, two, false)):
            return False
        starts = {p for p, kind in ((i, one), (j, two)) if kind == "w" and one != two}
        ends = {p for p, kind in ((i, one), (j, two)) if kind == "c" and one != two}
        if any(false.get(("s", p)) is False for p in starts):
            return False
        if any(false.get(("t", p)) is False for p in ends):
            return False
        edges = [self.edges[p] for p in (i, j)]
        for k in range(len(self.areas)):
            sides = [self._beyond(k, p, false) for p in (i, j)]
            if one == two == "c" and not sides[0] & sides[1]:
                return False
            for p, side in ((i, sides[0]), (j, sides[1])):
                if p in ends and False not in side:
                    return False
        for k in self.tests():
            late = [false.get(("l", k, *edge)) for edge in edges]
            if one == two == "w" and set(late) == {False, True}:
                return False
            if any(p in starts and x for p, x in ((i, late[0]), (j, late[1]))):
                return False
        if self.scope == "CORNERS" and self.rim is not None:
            half = [false.get(("u", *edge)) for edge in edges]
            if one == two == "v":
                return set(half) != {False, True}
            for a, b, x in ((one, two, half[1]), (two, one, half[0])):
                if b == "v" and ((a == "w" and x) or (a == "c" and x is False)):
                    return False
        return True
