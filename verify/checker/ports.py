"""Ports: which of them can be one piece of the path outside the cells looked at."""

from dataclasses import dataclass, field
from itertools import combinations, product

from verify.checker.reading import LIVE
from verify.checker.scene import Scene, Values, edge_of
from verify.checker.views import Views


def crossed(false: Values) -> bool:
    """Find two pairs of ports that cross or share a port."""
    pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
    return len(pairs) > 1 and any(
        len({a, b, c, d}) < 4 or a < c < b < d
        for (a, b), (c, d) in combinations(sorted(pairs), 2)
    )


def mispaired(views: Views, false: Values) -> bool:
    """Find ports that pair up wrongly, or do not keep what they carry."""
    return _Said(views, false).mispaired()


@dataclass(slots=True)
class _Said:
    """What a clause's values say of the ports: the kinds that each can carry."""

    views: Views
    false: Values
    left: dict[int, int] = field(default_factory=dict)  # views of the port's cell
    _kinds: dict[int, str] = field(default_factory=dict)

    @property
    def scene(self) -> Scene:
        return self.views.scene

    def kinds(self, i: int) -> str:
        """Return what port i can carry, ``-`` for nothing."""
        if i not in self._kinds:
            self._kinds[i] = self.views.carried(i, self.left.get(i))
        return self._kinds[i]

    def mispaired(self) -> bool:
        edges, ports, false = self.scene.port_of, self.scene.ports, self.false
        numbers, paired = set(), set()
        for name, value in false.items():
            i = edges.get(name[-2:])
            if i is not None:
                numbers.add(i)
                cell = ports[i][0]
                before = self.left.get(i, -1)
                self.left[i] = before & self.views.set_of(cell, name, value)
            elif name[0] in ("p", "s", "t"):
                numbers |= set(name[1:])
                paired |= set(name[1:]) if value and name[0] == "p" else set()
        for i in numbers:
            if not any(self._alone(i, kind, i in paired) for kind in self.kinds(i)):
                return True
            if "-" not in self.kinds(i) and all(
                j == i
                or false.get(("p", min(i, j), max(i, j))) is False
                or self.kinds(j) in ("", "-")
                for j in range(len(ports))
            ):
                return True
        return any(
            not any(
                self._one_piece(name[1], name[2], one, two)
                for one, two in product("cwv", repeat=2)
            )
            for name, value in false.items()
            if value and name[0] == "p"
        )

    def _leaves(self, i: int) -> bool | None:
        """Return whether the completion leaves the cells at port i, if that is said."""
        edge = edge_of(*self.scene.ports[i])
        forward = self.false.get(("d", *edge))
        return None if forward is None else forward == (edge == self.scene.ports[i])

    def _late(self, i: int, kind: str) -> dict[int, bool | None]:
        """Return on which half of each order test on a kind port i lies, if said."""
        edge = edge_of(*self.scene.ports[i])
        orders = self.scene.orders.items()
        return {k: self.false.get(("l", k, *edge)) for k, x in orders if x[0] == kind}

    def _ends(self, i: int, kind: str) -> bool:
        """Return whether start or end can lie beyond port i, which carries a kind."""
        if any(self._late(i, kind).values()):
            return False
        if kind == "c":
            areas = range(len(self.scene.areas))
            return self._leaves(i) is not False and all(
                False in self._beyond(k, i) for k in areas
            )
        return True

    def _alone(self, i: int, kind: str, paired: bool) -> bool:
        """Return whether port i can carry the kind, given what is said beyond it."""
        if kind == "-":
            return not paired
        beyond = {"c": "t", "w": "s", "v": ""}[kind]
        return not self.false.get((beyond, i)) or self._ends(i, kind)

    def _beyond(self, k: int, i: int) -> set[bool]:
        """Return whether the unseen cell beyond port i can belong to area k, or not.

        The port carries the completion: a free cell's neighbour lies in the area with
        it, but for marked cells, and for the live end, whose only edge is the move.
        """
        scene = self.scene
        area, (cell, other) = scene.areas[k], scene.ports[i]
        if cell in area.line:
            return {other in area.inside}
        name = ("a", k, other if cell == LIVE else cell)
        if name in self.false:
            return {self.false[name]}
        if cell == LIVE:
            known = False if other in area.outside else scene.entered[k]
            return {False, True} if known is None else {known}
        sets = self.views.looks(cell).sets
        free = sets["free",][1]
        return {value for value in (False, True) if sets["a", k][value] & free}

    def _one_piece(self, i: int, j: int, one: str, two: str) -> bool:
        """Return whether ports i and j can be one piece that carries two kinds."""
        if one not in self.kinds(i) or two not in self.kinds(j):
            return False
        false = self.false
        if one != two:
            for p, kind in ((i, one), (j, two)):
                beyond = {"c": "t", "w": "s", "v": ""}[kind]
                if beyond and false.get((beyond, p)) is False:
                    return False
                if beyond and not self._ends(p, kind):
                    return False
        elif one == "c":
            areas = range(len(self.scene.areas))
            if any(not self._beyond(k, i) & self._beyond(k, j) for k in areas):
                return False
            if self._leaves(i) is not None and self._leaves(i) == self._leaves(j):
                return False
        if one == two != "v":
            there = self._late(j, two)
            if any(
                {x, there[k]} == {False, True} for k, x in self._late(i, one).items()
            ):
                return False
        half = [false.get(("u", *edge_of(*self.scene.ports[p]))) for p in (i, j)]
        if one == two == "v":
            return set(half) != {False, True}
        for a, b, x in ((one, two, half[1]), (two, one, half[0])):
            if b == "v" and ((a == "w" and x) or (a == "c" and x is False)):
                return False
        return True
