"""All lawful states of a cell and its four edges.

A *view* of a cell gives a value to every name that speaks of the cell or its edges. The
lists are short enough to be written out; what of them agrees with a clause's values is
remembered, because thousands of clauses ask the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from verify.checker.reading import LIVE, Name, Spot
from verify.checker.scene import Edge, Scene, Values, edge_of, near

Key = frozenset[tuple[Name, bool]]
End = tuple[Any, ...]

STATES = {"free": 1, "visited": 2, "out": 4}


@dataclass(slots=True, eq=False)
class Views:
    """The lawful views of a scene's cells, remembered."""

    scene: Scene
    _all: dict[Spot, list[Values]] = field(default_factory=dict)
    _named: dict[Spot, frozenset[Name]] = field(default_factory=dict)
    _lawful: dict[tuple[Spot, Key], list[Values]] = field(default_factory=dict)
    _ends: dict[tuple[Spot, Spot, Key], set[End]] = field(default_factory=dict)
    _joined: dict[tuple[Spot, Spot, Key, Key], bool] = field(default_factory=dict)
    _carried: dict[tuple[int, str, Key], bool] = field(default_factory=dict)

    def all(self, cell: Spot) -> list[Values]:
        """Return every lawful state of a cell and its edges, as values of names."""
        if cell not in self._all:
            found = list(_views(self.scene, cell))
            self._all[cell] = found
            self._named[cell] = frozenset(name for view in found for name in view)
        return self._all[cell]

    def key(self, cell: Spot, false: Values) -> Key:
        """Return what a clause's values say of a cell and its edges."""
        self.all(cell)
        named = self._named[cell]
        return frozenset(item for item in false.items() if item[0] in named)

    def lawful(self, cell: Spot, key: Key) -> list[Values]:
        """Return the views of a cell that agree with the values in `key`."""
        at = cell, key
        if at not in self._lawful:
            self._lawful[at] = [
                view
                for view in self.all(cell)
                if all(view.get(name, value) == value for name, value in key)
            ]
        return self._lawful[at]

    def joined(self, a: Spot, b: Spot, one: Key, two: Key) -> bool:
        """Tell whether two touching cells have views that go together."""
        at = a, b, one, two
        if at not in self._joined:
            ends = self.ends(a, b, one), self.ends(b, a, two)
            self._joined[at] = any(_agree(*pair) for pair in product(*ends))
        return self._joined[at]

    def carries(self, i: int, kind: str, false: Values) -> bool:
        """Tell whether port i can carry a kind, ``-`` for nothing."""
        cell = self.scene.ports[i][0]
        edge = edge_of(*self.scene.ports[i])
        key = frozenset(item for item in false.items() if item[0][-2:] == edge)
        at = i, kind, key
        if at not in self._carried:
            self._carried[at] = any(
                not any(view[k, *edge] for k in "cwv")
                if kind == "-"
                else view[kind, *edge]
                for view in self.lawful(cell, key)
            )
        return self._carried[at]

    def ends(self, cell: Spot, other: Spot, key: Key) -> set[End]:
        """Return what the views of a cell say of its edge to another, and of itself.

        Which kind of edge, on which halves of walk and arc; whether the cell is free,
        is out; to which areas it belongs, where a free cell's neighbour does too.
        """
        at = cell, other, key
        if at not in self._ends:
            edge, areas = edge_of(cell, other), self.scene.areas
            shared = [
                k
                for k, area in enumerate(areas)
                if LIVE not in (cell, other) and not {cell, other} & set(area.line)
            ]
            self._ends[at] = {
                (
                    tuple(view[kind, *edge] for kind in "cwv"),
                    tuple(view.get(("l", k, *edge)) for k in self.scene.runs),
                    view.get(("u", *edge)),
                    view["free", cell],
                    view["out", cell],
                    tuple(view["a", k, cell] for k in shared),
                )
                for view in self.lawful(cell, key)
            }
        return self._ends[at]


def _agree(one: End, two: End) -> bool:
    if one[0] != two[0]:
        return False
    halves = zip((*one[1], one[2]), (*two[1], two[2]), strict=True)
    if any(None not in pair and pair[0] != pair[1] for pair in halves):
        return False
    if one[0][2] and not (one[4] or two[4]):  # the arc joins no two cells of the board
        return False
    return not (one[3] and two[3]) or bool(one[5] == two[5])


def _views(scene: Scene, cell: Spot) -> Iterator[Values]:
    edges = [edge_of(cell, other) for other in near(cell)]
    names = [(kind, *edge) for edge in edges for kind in "cwv"]
    for state, bit in STATES.items():
        if not scene.mask.get(cell, 7) & bit:
            continue
        can_end = state == "free" and cell not in scene.not_end | scene.lines
        can_start = state == "visited" and scene.planar
        allowed = [_kinds(scene, cell, other, state) for other in near(cell)]
        for end, start in product((False, True), repeat=2):
            if (end and not can_end) or (start and not can_start):
                continue
            for kinds in product(*allowed):
                if _degrees(scene, cell, state, kinds, end, start):
                    base: Values = {(name, cell): name == state for name in STATES}
                    base |= {("T", cell): end, ("S", cell): start}
                    used = (k == kind for kind in kinds for k in "cwv")
                    base.update(zip(names, used, strict=True))
                    yield from _marked(scene, cell, edges, base)


def _kinds(scene: Scene, cell: Spot, other: Spot, state: str) -> str:
    """Return the kinds an edge may have at the cell, ``-`` for unused."""
    if LIVE in (cell, other):
        far = other if cell == LIVE else cell
        if far == scene.target:
            return "c"
        if far == scene.behind and scene.planar:
            return "w"
        return "-wv" if scene.planar else "-"
    kinds = "-"
    if state == "free" and scene.may(other, 1):
        kinds += "c"
    if scene.planar and state == "visited" and scene.may(other, 2):
        kinds += "w"
    return kinds + "v" * scene.planar


def _degrees(
    scene: Scene, cell: Spot, state: str, kinds: tuple[str, ...], end: bool, start: bool
) -> bool:
    """Tell whether a cell has as many edges of each kind as it must."""
    c, w, v = (kinds.count(kind) for kind in "cwv")
    if cell == LIVE:
        return (c, w, v) == (1, (1 - start) * scene.planar, start)
    if state == "free":
        return (c, w, v) == (2 - end, 0, end * scene.planar)
    if state == "visited":
        return (c, w, v) == (0, (2 - start) * scene.planar, start)
    return c == w == 0 and v in (0, 2)


def _marked(
    scene: Scene, cell: Spot, edges: list[Edge], base: Values
) -> Iterator[Values]:
    """Add membership in areas, and which half of walk and arc the edges lie on."""
    choices: list[list[Values]] = [[base]]
    member = base["free", cell] and not base["T", cell]
    for k, area in enumerate(scene.areas):
        values = {False, member}
        if cell == scene.target and scene.entered[k] is not None:
            values &= {bool(scene.entered[k])}
        if cell in area.line:
            values = {True}
        elif cell in area.inside and base["free", cell]:
            values = {True} if member else set()
        elif cell in area.outside:
            values = {False}
        choices.append([{("a", k, cell): value} for value in values])
    for k, run in scene.runs.items():
        walk = [edge for edge in edges if base["w", *edge]]
        choices.append(list(_halves(cell, k, walk, run, base["S", cell])))
    if scene.rim is not None and scene.scope == "CORNERS":
        arcs = [edge for edge in edges if base["v", *edge]]
        choices.append(list(_arc_halves(scene, cell, arcs, base)))
    for parts in product(*choices):
        yield {name: value for part in parts for name, value in part.items()}


def _halves(
    cell: Spot, k: int, walk: list[Edge], run: Edge, start: bool
) -> Iterator[Values]:
    """Which walk edges lie behind the second cell: on the half with the live end."""
    first, then = run
    for late in product((False, True), repeat=len(walk)):
        if cell == then:
            good = len(late) == 2 and late[0] != late[1]
        else:
            good = len(set(late)) < 2
            good &= not (cell == LIVE and False in late)
            good &= not ((cell == first or start) and True in late)
        if good:
            yield {("l", k, *e): x for e, x in zip(walk, late, strict=True)}


def _arc_halves(
    scene: Scene, cell: Spot, arcs: list[Edge], base: Values
) -> Iterator[Values]:
    """Which edges of the arc lie on the end's side of the rim cell."""
    assert scene.rim is not None
    assert scene.start is not None
    place, d = scene.rim
    for late in product((False, True), repeat=len(arcs)):
        good = True
        if cell == place:
            axis = 1 if d % 2 == 0 else 0
            for (a, b), x in zip(arcs, late, strict=True):
                along = (b if a == cell else a)[axis] - cell[axis]
                good &= not along or x == (along != scene.start[axis])
        else:
            good = len(set(late)) < 2
            good &= not (base["S", cell] and True in late)
            good &= not (base["T", cell] and False in late)
        if good:
            yield {("u", *e): x for e, x in zip(arcs, late, strict=True)}
