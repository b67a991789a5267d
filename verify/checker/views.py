"""The views of a cell: all lawful states of it and its four edges.

A *view* of a cell gives values to the names of the cell and its edges. There a name is
without the cell, and an edge is a direction, as `NEAR` has them. Views are numbered,
and a set of them is the bits of a whole number. Each name has the sets of views in
which it is false and true. A clause fails in the views that the sets of its names have
in common. Cells with the same surroundings (`Around`) share their views.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce
from itertools import product
from operator import or_
from typing import Any, NamedTuple

from verify.checker.claim import LIVE, NEAR, Spot
from verify.checker.scene import Name, Scene, Values, edge_of, near

STATES = {"free": 1, "visited": 2, "out": 4}


class Around(NamedTuple):
    """The surroundings that decide the views of a cell."""

    bits: int  # what it may be
    live: bool  # it is the live end
    planar: bool
    ends: tuple[bool, ...]  # whether it may be the end
    entries: tuple[bool, ...]  # whether the live end, itself not looked at, enters it
    kinds: tuple[str, ...]  # of each edge: completion, walk, arc, ``-`` for unused
    members: tuple[str, ...]  # its place in each area
    roles: tuple[tuple[int, str, str], ...]  # number, kind and role in each order test
    along: tuple[bool | None, ...]  # where the arc is cut: the half of each edge
    # Direction, whether outwards, and whether the completion passes the edge so. None
    # if the drawing speaks of no directions.
    facts: tuple[tuple[int, bool, bool], ...] | None


class End(NamedTuple):
    """An edge and its cell, as a view shows them."""

    kind: str
    marks: tuple[tuple[Name, bool], ...]  # its halves and direction
    free: bool
    out: bool
    members: tuple[bool, ...]  # one value an area


class Looks:
    """The views of all cells with the same surroundings."""

    def __init__(self, around: Around) -> None:
        views = list(views_of(around))
        self.all = (1 << len(views)) - 1
        self._sets = {(name, x): 0 for view in views for name in view for x in (0, 1)}
        # by direction: what views show of the edge, each with its views
        self.ends: list[dict[End, int]] = [{} for _ in NEAR]
        for i, view in enumerate(views):
            for name, value in self._sets:
                if view.get(name, value) == value:
                    self._sets[name, value] |= 1 << i
            for d, ends in enumerate(self.ends):
                end = _end(view, d, len(around.members))
                ends[end] = ends.get(end, 0) | 1 << i

    def where(self, name: Name, value: bool) -> int:
        """Return the views in which a name has a value; all if none speaks of it."""
        return self._sets.get((name, value), self.all)


def _end(view: Values, d: int, areas: int) -> End:
    kind = next((kind for kind in "cwv" if view[kind, d]), "-")
    marks = ((n[:-1], x) for n, x in view.items() if n[0] in ("l", "d") and n[-1] == d)
    members = tuple(view["a", k] for k in range(areas))
    return End(kind, tuple(marks), view["free",], view["out",], members)


_looks = cache(Looks)


class Views:
    """The views of a scene's cells."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.looks = cache(lambda cell: _looks(around_of(scene, cell)))

    def left(self, false: Values, cells: Iterable[Spot]) -> dict[Spot, int]:
        """Return for each cell the views that agree with a clause's values."""
        left = {cell: self.looks(cell).all for cell in cells}
        for name, value in false.items():
            for cell in name[1:]:
                if cell in left:
                    d = near(cell).index  # of the edge that the name is of, if any
                    own = (x for x in name if x != cell)
                    short = tuple(d(x) if type(x) is tuple else x for x in own)
                    left[cell] &= self.looks(cell).where(short, value)
        return left

    def torn(self, left: dict[Spot, int]) -> bool:
        """Find a cell whose views go together with none that a neighbour has left."""
        areas = list(enumerate(self.scene.sketch.areas))
        for a, views in left.items():
            for d, b in enumerate(near(a)):
                if b in self.scene.cells:
                    shared = tuple(k for k, x in areas if not {a, b} & {*x.line})
                    there = self.looks(b)
                    others = left.get(b, there.all)
                    if not _go_together(self.looks(a), views, d, there, others, shared):
                        return True
        return False


@lru_cache(1 << 16)
def _go_together(
    a: Looks, here: int, d: int, b: Looks, there: int, shared: tuple[int, ...]
) -> bool:
    """Return whether views of a cell and of that in direction `d` go together."""
    others = [end for end, views in b.ends[(d + 2) % 4].items() if views & there]
    return any(
        views & here and any(agree(end, other, shared) for other in others)
        for end, views in a.ends[d].items()
    )


def agree(a: End, b: End, shared: tuple[int, ...]) -> bool:
    """Return whether two touching cells show the same of their edge and areas."""
    marks = dict(b.marks)
    return (
        a.kind == b.kind
        and all(marks.get(name, value) == value for name, value in a.marks)
        # the arc joins no two cells of the board
        and (a.kind != "v" or a.out or b.out)
        and (
            not (a.free and b.free) or all(a.members[k] == b.members[k] for k in shared)
        )
    )


def around_of(scene: Scene, cell: Spot) -> Around:
    """Return what decides the views of a cell."""
    sketch = scene.sketch
    bits = scene.mask.get(cell, 7)
    ends: tuple[bool, ...] = (False, True)
    if cell in sketch.not_end or cell in scene.lines or not bits & 1:
        ends = (False,)
    elif sketch.end is not None:
        ends = (cell == sketch.end,)
    entries: tuple[bool, ...] = (False, True)
    if sketch.frame != "away" or (LIVE, cell) in sketch.pairs["lacks"]:
        entries = (False,)
    if sketch.frame == "away" and (LIVE, cell) in sketch.pairs["passes"]:
        entries = (True,)
    roles = [
        (k, kind, "cut" if cell == cut else "far" if cell == far else "")
        for k, (kind, cut, far) in scene.orders.items()
    ]
    facts = [
        (d, outward, word == "passes")
        for word in ("passes", "lacks")
        for d, other in enumerate(near(cell))
        for outward, step in ((True, (cell, other)), (False, (other, cell)))
        if step in sketch.pairs[word]
    ]
    cut = any(kind == "v" and role == "cut" for _, kind, role in roles)
    return Around(
        bits=bits,
        live=cell == LIVE,
        planar=scene.planar,
        ends=ends,
        entries=entries,
        kinds=tuple(_kinds(scene, cell, other) for other in near(cell)),
        members=tuple(_member(scene, k, cell) for k in range(len(sketch.areas))),
        roles=tuple(roles),
        along=scene.along if cut else (),
        facts=tuple(facts) if scene.directed else None,
    )


def _kinds(scene: Scene, cell: Spot, other: Spot) -> str:
    if edge_of(cell, other) in scene.joined:
        return "c"
    if LIVE in (cell, other):
        far = other if cell == LIVE else cell
        if far == scene.move:
            return "c"
        if not scene.planar:
            return "-"
        return "w" if far == scene.behind else "-wv"
    free, visited = scene.may(other, 1), scene.may(other, 2)
    return "-" + "c" * free + ("w" * visited + "v") * scene.planar


def _member(scene: Scene, k: int, cell: Spot) -> str:
    """Return where a cell lies in an area, empty if the drawing leaves it open."""
    area, moved = scene.sketch.areas[k], cell == scene.move
    if cell in area.line:
        return "line"
    if cell in area.inside:
        return "inside"
    if cell in area.outside or (moved and scene.entered[k] is False):
        return "outside"
    return "entered" if moved and scene.entered[k] else ""


def views_of(around: Around) -> Iterator[Values]:
    """Yield the views of a cell."""
    live, planar = around.live, around.planar
    for state in (state for state, bit in STATES.items() if around.bits & bit):
        free, begins = state == "free", state == "visited" and planar
        ends = [x for x in around.ends if free or not x]
        starts = [False, True] if begins else [False]
        entries = around.entries if free else [False]
        for end, start, entered in product(ends, starts, entries):
            missing = end + entered  # edges beyond the end, and before a cell entered
            # edges of the completion, the walk and the arc
            degrees: dict[str, list[tuple[int, ...]]] = {
                "free": [(2 - missing, 0, missing * planar)],
                "visited": [(live, (2 - live - start) * planar, start)],
                "out": [(0, 0, 0), (0, 0, 2)],
            }
            for kinds in product(*around.kinds):
                if tuple(map(kinds.count, "cwv")) in degrees[state]:
                    view: Values = {(name,): name == state for name in STATES}
                    view |= {("T",): end, ("S",): start, ("entered",): entered}
                    view |= {(x, d): x == kinds[d] for x in "cwv" for d in range(4)}
                    yield from _marked(around, view)


def _marked(around: Around, view: Values) -> Iterator[Values]:
    """Add membership in areas, halves of lines, and directions, in all lawful ways."""
    free, member = view["free",], view["free",] and not view["T",]
    values = {
        "line": [True],
        "inside": [member] if member or not free else [],
        "outside": [False],
        "entered": [True] if member else [],
        "": [False, True] if member else [False],
    }
    choices: list[list[Values]] = [
        [{("a", k): x} for x in values[y]] for k, y in enumerate(around.members)
    ]
    for k, kind, role in around.roles:
        halves = _marks(view, kind, "l", k)
        choices.append([x for x in halves if _half(around, view, kind, role, x)])
    if around.facts is not None:
        choices.append(_marks(view, "c", "d"))
    for choice in product(*choices):
        more = reduce(or_, choice, view)
        if around.facts is None or _ways(around, more):
            yield more


def _marks(view: Values, kind: str, *name: Any) -> list[Values]:
    """Return all values of a name for the used edges of a kind."""
    used = [(*name, d) for d in range(4) if view[kind, d]]
    every = product((False, True), repeat=len(used))
    return [dict(zip(used, values, strict=True)) for values in every]


def _half(around: Around, view: Values, kind: str, role: str, marks: Values) -> bool:
    """Return whether edges lie so on the half of the live end, or of the end (arc)."""
    if role == "cut" and kind == "v":
        return all(around.along[name[-1]] in (None, x) for name, x in marks.items())
    halves = [*marks.values()] + [True] * (view["entered",] and kind == "c")
    if role == "cut":
        return sorted(halves) == [False, True]
    far = role == "far" or view["T" if kind == "c" else "S",]
    first = view["T",] if kind == "v" else around.live
    wrong = (first and False in halves) or (far and True in halves)
    return len(set(halves)) < 2 and not wrong


def _ways(around: Around, view: Values) -> bool:
    """Return whether the completion passes edges so: one in, one out."""
    leaves = around.live or (view["free",] and not view["T",])
    cuts = [k for k, kind, role in around.roles if kind == "c" and role == "cut"]
    # the name of an edge has its cells in order: those to the right and down lead on
    out = {d: view["d", d] == (d in (1, 2)) for d in range(4) if view["c", d]}
    return (
        sum(out.values()) == leaves
        and all((out.get(d) is way) == x for d, way, x in around.facts or ())
        and all(view["l", k, d] != x for k in cuts for d, x in out.items())
    )
