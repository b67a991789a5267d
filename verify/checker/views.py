"""All lawful states of a cell and its four edges: imports nothing of the toolkit.

A *view* of a cell gives a value to every name that speaks of the cell or its edges. The
lists are short enough to be written out; what of them agrees with a clause's values is
remembered, because thousands of clauses ask the same.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from verify.checker.page import (
    LIVE,
    STATE,
    Cell,
    Edge,
    Name,
    Page,
    Values,
    edge_of,
    near,
)

Key = frozenset[tuple[Name, bool]]


class Views(Page):
    """A page, and the lawful views of its cells."""

    def __init__(self, drawing: dict[str, Any], part: dict[str, Any]) -> None:
        super().__init__(drawing, part)
        self._views: dict[Cell, list[Values]] = {}
        self._named: dict[Cell, frozenset[Name]] = {}
        self._lawful: dict[tuple[Cell, Key], list[Values]] = {}
        self._ends: dict[tuple[Cell, Cell, Key], set[tuple[Any, ...]]] = {}
        self._joined: dict[tuple[Cell, Cell, Key, Key], bool] = {}

    def view(self, cell: Cell) -> list[Values]:
        """Return every lawful state of a cell and its edges, as values of names."""
        if cell not in self._views:
            found = [v for s in STATE for v in self._states(cell, s)]
            self._views[cell] = found
            self._named[cell] = frozenset(name for v in found for name in v)
        return self._views[cell]

    def key(self, cell: Cell, false: Values) -> Key:
        """Return what a clause's values say of a cell and its edges."""
        self.view(cell)
        named = self._named[cell]
        return frozenset(item for item in false.items() if item[0] in named)

    def lawful(self, cell: Cell, key: Key) -> list[Values]:
        """Return the views of a cell that agree with the values in `key`."""
        at = cell, key
        if at not in self._lawful:
            self._lawful[at] = [
                view
                for view in self.view(cell)
                if all(view.get(name, value) == value for name, value in key)
            ]
        return self._lawful[at]

    def _states(self, cell: Cell, state: str) -> Iterator[Values]:
        if not self.mask.get(cell, 7) & STATE[state]:
            return
        planar, free = self.planar, state == "free"
        can_end = free and cell not in self.not_end and cell not in self.lines
        allowed = [self._kinds(cell, other, state) for other in near(cell)]
        edges = [edge_of(cell, other) for other in near(cell)]
        names = [(k, *edge) for edge in edges for k in "cwv"]
        for end, start in product((False, True), repeat=2):
            if (end and not can_end) or (start and not (planar and state == "visited")):
                continue
            for kinds in product(*allowed):
                c, w, v = (kinds.count(kind) for kind in "cwv")
                good = {
                    "free": (c, w, v) == (2 - end, 0, end if planar else 0),
                    "visited": (c, w, v) == (0, (2 - start) * planar, start),
                    "out": c == w == 0 and v in (0, 2),
                }[state]
                if cell == LIVE:
                    good = (c, w, v) == (1, (1 - start) * planar, start)
                if good:
                    base: Values = {(name, cell): name == state for name in STATE}
                    base |= {("T", cell): end, ("S", cell): start}
                    used = (k == kind for kind in kinds for k in "cwv")
                    base.update(zip(names, used, strict=True))
                    yield from self._marks(cell, base)

    def _kinds(self, cell: Cell, other: Cell, state: str) -> str:
        """Return the kinds an edge may have at the cell, ``-`` for unused."""
        planar = self.planar
        if LIVE in (cell, other):
            far = other if cell == LIVE else cell
            if far == self.target:
                return "c"
            if far == self.behind and planar:
                return "w"
            return "-wv" if planar else "-"
        kinds = "-"
        if state == "free" and self.may(other, 1):
            kinds += "c"
        if planar and state == "visited" and self.may(other, 2):
            kinds += "w"
        return kinds + "v" * planar

    def _marks(self, cell: Cell, base: Values) -> Iterator[Values]:
        """Add membership in areas, and which half of walk and arc the edges lie on."""
        choices: list[list[Values]] = [[base]]
        for k, area in enumerate(self.areas):
            member = base["free", cell] and not base["T", cell]
            values = {False, member}
            if cell == self.target and self.entered[k] is not None:
                values = values & {self.entered[k]}
            if cell in area["line"]:
                values = {True}
            elif cell in area["inside"] and base["free", cell]:
                values = {True} if member else set()
            elif cell in area["outside"]:
                values = {False}
            choices.append([{("a", k, cell): value} for value in values])
        edges = [edge_of(cell, other) for other in near(cell)]
        for k, (first, then) in enumerate(self.runs):
            if self.planar and {first, then} <= self.cells:
                walk = [e for e in edges if base["w", *e]]
                choices.append(list(self._halves(cell, k, walk, first, then, base)))
        if self.scope == "CORNERS":
            arcs = [e for e in edges if base["v", *e]]
            choices.append(list(self._arc_halves(cell, arcs, base)))
        for parts in product(*choices):
            yield {name: value for part in parts for name, value in part.items()}

    def _halves(
        self,
        cell: Cell,
        k: int,
        walk: list[Edge],
        first: Cell,
        then: Cell,
        base: Values,
    ) -> Iterator[Values]:
        """Which walk edges lie behind `then`: the half that holds the live end."""
        for late in product((False, True), repeat=len(walk)):
            if cell == then != LIVE:
                good = len(late) == 2 and late[0] != late[1]
            else:
                good = len(set(late)) < 2
                good &= not (cell == LIVE != then and False in late)
                good &= not ((cell == first or base["S", cell]) and True in late)
            if good:
                yield {("l", k, *e): x for e, x in zip(walk, late, strict=True)}

    def _arc_halves(
        self, cell: Cell, arcs: list[Edge], base: Values
    ) -> Iterator[Values]:
        rim = self.rim
        if rim is None:
            yield {}
            return
        place, d = rim
        assert self.start is not None
        for late in product((False, True), repeat=len(arcs)):
            good = True
            if cell == place:
                axis = 1 if d % 2 == 0 else 0
                for (a, b), x in zip(arcs, late, strict=True):
                    other = b if a == cell else a
                    along = other[axis] - cell[axis]
                    good &= not along or x == (along != self.start[axis])
            else:
                good = len(set(late)) < 2
                good &= not (base["S", cell] and True in late)
                good &= not (base["T", cell] and False in late)
            if good:
                yield {("u", *e): x for e, x in zip(arcs, late, strict=True)}

    def joined(self, a: Cell, b: Cell, one: Key, two: Key) -> bool:
        """Tell whether two touching cells have views that go together."""
        at = a, b, one, two
        if at not in self._joined:
            ends = self.ends(a, b, one), self.ends(b, a, two)
            self._joined[at] = any(self._go(*pair) for pair in product(*ends))
        return self._joined[at]

    def ends(self, cell: Cell, other: Cell, key: Key) -> set[tuple[Any, ...]]:
        """Return what the views of a cell say of its edge to another, and of itself.

        Which kind of edge, on which halves of walk and arc; whether the cell is free,
        is out; to which areas it belongs, where a free cell's neighbour does too.
        """
        at = cell, other, key
        if at not in self._ends:
            edge = edge_of(cell, other)
            marked = [{cell, other} & set(area["line"]) for area in self.areas]
            bound = LIVE not in (cell, other)
            self._ends[at] = {
                (
                    tuple(view[kind, *edge] for kind in "cwv"),
                    tuple(view.get(("l", k, *edge)) for k in range(len(self.runs))),
                    view.get(("u", *edge)),
                    view["free", cell],
                    view["out", cell],
                    tuple(
                        view["a", k, cell]
                        for k, known in enumerate(marked)
                        if bound and not known
                    ),
                )
                for view in self.lawful(cell, key)
            }
        return self._ends[at]

    def _go(self, one: tuple[Any, ...], two: tuple[Any, ...]) -> bool:
        if one[0] != two[0]:
            return False
        halves = zip((*one[1], one[2]), (*two[1], two[2]), strict=True)
        if any(None not in pair and pair[0] != pair[1] for pair in halves):
            return False
        if one[0][2] and not (one[4] or two[4]):
            return False
        return not (one[3] and two[3]) or bool(one[5] == two[5])
