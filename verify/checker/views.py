"""All lawful states of a cell and its four edges.

A *view* of a cell gives a value to every name that speaks of the cell or its edges. The
views of a cell are numbered, and a set of them is the bits of a whole number: each name
has the set in which it is true and the set in which it is false. What a clause's values
leave is what these sets have in common. Which views there are depends on little
(`Around`), and is worked out once for all cells that are alike.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from verify.checker.reading import LIVE, NEAR, Name, Spot
from verify.checker.scene import Scene, edge_of, near

End = tuple[Any, ...]  # what a view says of one edge, and of its cell
Place = tuple[bool, bool, bool, tuple[int, ...]]  # out, start, end, ways of the arc
View = dict[Name, bool]  # by the name without its cells; an edge by its direction

STATES = {"free": 1, "visited": 2, "out": 4}


class Around(NamedTuple):
    """What decides the views of a cell.

    `kinds` are those that its edges may have, ``-`` for unused; `members` what is known
    of it in each area; `roles` in each order test; `arcs` which half of the arc its
    edges lie on, if they must; `facts` which edges the completion passes or lacks;
    `entries` whether the live end, itself not looked at, can enter it.
    """

    bits: int
    live: bool
    end: bool | None  # must it be the end cell, or must it not
    planar: bool
    kinds: tuple[str, ...]
    members: tuple[str, ...]
    roles: tuple[tuple[int, str, str], ...]
    arcs: tuple[bool | None, ...] | None
    place: bool  # the arc is cut here
    directed: bool
    facts: tuple[tuple[bool, int, bool], ...]  # passes or lacks, direction, outward
    entries: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Looks:
    """The views of all cells that are alike.

    - `sets`: dict of name to (views in which it is false, in which it is true)
    """

    views: tuple[View, ...]
    sets: dict[Name, tuple[int, int]]  # false in, true in
    places: dict[Place, int]
    ends: dict[Any, list[tuple[int, End]]] = field(default_factory=dict)

    @property
    def all(self) -> int:
        """The set of all views."""
        return (1 << len(self.views)) - 1

    def ends_of(self, d: int, shared: tuple[int, ...]) -> list[tuple[int, End]]:
        """Return what the views say of the edge in a direction, and of the cell.

        Which kind of edge, which halves it lies on, which way it is passed; whether the
        cell is free, is out, and belongs to the `shared` areas. Each with its views.
        """
        if (d, shared) not in self.ends:
            found: dict[End, int] = {}
            halves = sorted({n[:-1] for n in self.sets if n[0] in "lud"})
            for i, view in enumerate(self.views):
                end = (
                    tuple(view[kind, d] for kind in "cwv"),
                    tuple((name, view.get((*name, d))) for name in halves),
                    view["free",],
                    view["out",],
                    tuple(view["a", k] for k in shared),
                )
                found[end] = found.get(end, 0) | 1 << i
            self.ends[d, shared] = [(views, end) for end, views in found.items()]
        return self.ends[d, shared]


@dataclass(slots=True, eq=False)
class Views:
    """The views of a scene's cells."""

    scene: Scene
    _looks: dict[Spot, Looks] = field(default_factory=dict)
    _carried: dict[tuple[int, int | None], str] = field(default_factory=dict)

    def looks(self, cell: Spot) -> Looks:
        """Return every view of a cell."""
        if cell not in self._looks:
            self._looks[cell] = _looks(_around(self.scene, cell))
        return self._looks[cell]

    def left(self, false: Iterable[tuple[Name, bool]], cells: Iterable[Spot]) -> Any:
        """Return for each cell the set of its views that agree with a clause's values.

        The cells must be all that the names speak of.
        """
        found = {cell: self.looks(cell).all for cell in cells}
        for name, value in false:
            for cell in name[1:]:
                if cell in found:
                    found[cell] &= self.set_of(cell, name, value)
        return found

    def set_of(self, cell: Spot, name: Name, value: bool) -> int:
        """Return the views of a cell in which a name has a value."""
        looks = self.looks(cell)
        short = tuple(x for x in name if type(x) is not tuple)
        if type(name[-2]) is tuple:
            a, b = name[-2:]
            row, col = b if a == cell else a
            short = (*short, NEAR.index((row - cell[0], col - cell[1])))
        both = looks.sets.get(short)
        return looks.all if both is None else both[value]

    def carried(self, i: int, left: int | None) -> str:
        """Return what port i can carry, ``-`` for nothing, if some views are left."""
        if (i, left) not in self._carried:
            cell, other = self.scene.ports[i]
            looks, d = self.looks(cell), near(cell).index(other)
            some = looks.all if left is None else left
            used = {kind: looks.sets.get((kind, d), (0, 0))[1] for kind in "cwv"}
            unused = looks.all & ~(used["c"] | used["w"] | used["v"])
            kinds = [kind for kind in "cwv" if used[kind] & some]
            self._carried[i, left] = "-" * bool(unused & some) + "".join(kinds)
        return self._carried[i, left]

    def joined(self, a: Spot, d: int, b: Spot, one: int, two: int) -> bool:
        """Return whether views of two touching cells, of two sets, go together."""
        areas = self.scene.areas
        shared = tuple(
            k
            for k, area in enumerate(areas)
            if LIVE not in (a, b) and a not in area.line and b not in area.line
        )
        others = [x for x in self.looks(b).ends_of((d + 2) % 4, shared) if x[0] & two]
        return any(
            views & one and any(_agree(end, other) for _, other in others)
            for views, end in self.looks(a).ends_of(d, shared)
        )


def _agree(one: End, two: End) -> bool:
    kinds, halves, free, out, members = one
    if kinds != two[0]:
        return False
    other = dict(two[1])
    for name, value in halves:
        if value is not None and other.get(name) not in (None, value):
            return False
    if kinds[2] and not (out or two[3]):  # the arc joins no two cells of the board
        return False
    return not (free and two[2]) or bool(members == two[4])


def _around(scene: Scene, cell: Spot) -> Around:
    members = []
    for k, area in enumerate(scene.areas):
        if cell in area.line:
            known = "line"
        elif cell in area.inside:
            known = "inside"
        elif cell in area.outside or (
            cell == scene.target and scene.entered[k] is False
        ):
            known = "outside"
        else:
            known = "entered" * (cell == scene.target and scene.entered[k] is True)
        members.append(known)
    arcs: tuple[bool | None, ...] | None = None
    if scene.rim is not None and scene.start is not None:
        arcs = (None,) * 4
        place, d = scene.rim
        if cell == place:
            axis = 1 if d % 2 == 0 else 0
            arcs = tuple(
                step[axis] != scene.start[axis] if step[axis] else None for step in NEAR
            )
    end = None
    if cell in scene.not_end | scene.lines or not scene.mask.get(cell, 7) & 1:
        end = False
    elif scene.end is not None:
        end = cell == scene.end
    return Around(
        bits=scene.mask.get(cell, 7),
        live=cell == LIVE,
        end=end,
        planar=scene.planar,
        kinds=tuple(_kinds(scene, cell, other) for other in near(cell)),
        members=tuple(members),
        roles=tuple(
            (k, kind, "cut" * (cell == cut) or "far" * (cell == far))
            for k, (kind, cut, far) in scene.orders.items()
        ),
        arcs=arcs,
        place=scene.rim is not None and cell == scene.rim[0],
        directed=scene.directed,
        facts=tuple(
            (facts is scene.passes, d, outward)
            for facts in (scene.passes, scene.lacks)
            for d, other in enumerate(near(cell))
            for outward in (False, True)
            if ((cell, other) if outward else (other, cell)) in facts
        ),
        entries=(False,) * (not scene.away or (LIVE, cell) not in scene.passes)
        + (True,) * (scene.away and (LIVE, cell) not in scene.lacks),
    )


def _kinds(scene: Scene, cell: Spot, other: Spot) -> str:
    """Return the kinds an edge may have."""
    if edge_of(cell, other) in scene.joined:
        return "c"
    if LIVE in (cell, other):
        far = other if cell == LIVE else cell
        if far == scene.target:
            return "c"
        if far == scene.behind and scene.planar:
            return "w"
        return "-wv" if scene.planar else "-"
    kinds = "-" + "c" * scene.may(other, 1)
    return kinds + ("w" * scene.may(other, 2) + "v") * scene.planar


@cache
def _looks(around: Around) -> Looks:
    views = tuple(_views(around))
    sets = {name: [0, 0] for view in views for name in view}
    for i, view in enumerate(views):
        for name, both in sets.items():
            for value in (False, True):
                if view.get(name, value) == value:
                    both[value] |= 1 << i
    places: dict[Place, int] = {}
    for i, view in enumerate(views):
        at = view["out",], view["S",], view["T",], tuple(_used(view, "v"))
        places[at] = places.get(at, 0) | 1 << i
    pairs = {name: (both[0], both[1]) for name, both in sets.items()}
    return Looks(views, pairs, places)


def _views(around: Around) -> Iterator[View]:
    for state, bit in STATES.items():
        if not around.bits & bit:
            continue
        ends: tuple[bool, ...] = (False, True) if state == "free" else (False,)
        if around.end is not None:
            ends = (around.end,) if state == "free" or not around.end else ()
        starts = (False, True) if state == "visited" and around.planar else (False,)
        gone = {"free": "w", "visited": "c" * (not around.live), "out": "cw"}[state]
        allowed = [[x for x in kinds if x not in gone] for kinds in around.kinds]
        entries = around.entries if state == "free" else (False,)
        for end, start, entered in product(ends, starts, entries):
            for kinds in product(*allowed):
                if _degrees(around, state, kinds, end + entered, start):
                    base: View = {(name,): name == state for name in STATES}
                    base |= {("T",): end, ("S",): start, ("entered",): entered}
                    base |= {(x, d): x == kinds[d] for x in "cwv" for d in range(4)}
                    yield from _marked(around, base)


def _degrees(
    around: Around, state: str, kinds: tuple[str, ...], end: int, start: bool
) -> bool:
    """Return whether a cell has as many edges of each kind as it must.

    `end` edges are missing: beyond the end, and before a cell that is entered.
    """
    c, w, v = (kinds.count(kind) for kind in "cwv")
    planar = around.planar
    if around.live:
        return (c, w, v) == (1, (1 - start) * planar, start)
    if state == "free":
        return (c, w, v) == (2 - end, 0, end * planar)
    if state == "visited":
        return (c, w, v) == (0, (2 - start) * planar, start)
    return c == w == 0 and v in (0, 2)


def _marked(around: Around, base: View) -> Iterator[View]:
    """Add membership in areas, halves of walk, completion and arc, and directions."""
    choices: list[list[View]] = [[base]]
    for k, known in enumerate(around.members):
        member = base["free",] and not base["T",]
        values = {
            "line": {True},
            "inside": {member} if member or not base["free",] else set(),
            "outside": {False},
            "entered": {True} if member else set(),
            "": {False, member},
        }[known]
        choices.append([{("a", k): value} for value in values])
    for k, kind, role in around.roles:
        choices.append(list(_halves(around, base, k, kind, role)))
    if around.arcs is not None:
        choices.append(list(_arc_halves(around, base, around.arcs)))
    for parts in product(*choices):
        view = {name: value for part in parts for name, value in part.items()}
        if around.directed:
            yield from _directed(around, view)
        else:
            yield view


def _used(base: View, kind: str) -> list[int]:
    return [d for d in range(4) if base[kind, d]]


def _halves(around: Around, base: View, k: int, kind: str, role: str) -> Iterator[View]:
    """Which edges of walk or completion lie between the live end and the cut cell."""
    used = _used(base, kind)
    for halves in product((False, True), repeat=len(used)):
        late = halves + (True,) * base["entered",]
        if role == "cut":
            good = len(late) == 2 and late[0] != late[1]
        else:
            good = len(set(late)) < 2
            good &= not (around.live and False in late)
            tail = base["S",] if kind == "w" else base["T",]
            good &= not ((role == "far" or tail) and True in late)
        if good:
            yield {("l", k, d): x for d, x in zip(used, halves, strict=True)}


def _arc_halves(
    around: Around, base: View, arcs: tuple[bool | None, ...]
) -> Iterator[View]:
    """Which edges of the arc lie on the end's side of the rim cell."""
    used = _used(base, "v")
    for late in product((False, True), repeat=len(used)):
        if around.place:
            good = all(arcs[d] in (None, x) for d, x in zip(used, late, strict=True))
        else:
            good = len(set(late)) < 2
            good &= not (base["S",] and True in late)
            good &= not (base["T",] and False in late)
        if good:
            yield {("u", d): x for d, x in zip(used, late, strict=True)}


def _directed(around: Around, view: View) -> Iterator[View]:
    """Add which way the completion passes its edges: one in, one out."""
    used = _used(view, "c")
    for outward in product((False, True), repeat=len(used)):
        out = dict(zip(used, outward, strict=True))
        on = around.live or (view["free",] and not view["T",])
        good = sum(outward) == on
        good &= all((out.get(d) is way) == passed for passed, d, way in around.facts)
        for k, kind, role in around.roles:
            if kind == "c" and role == "cut":
                good &= all(view["l", k, d] != x for d, x in out.items())
        if good:
            # an edge is named by its cells in order: up and left come first
            yield view | {("d", d): x == (d in (1, 2)) for d, x in out.items()}
