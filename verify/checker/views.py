"""All lawful states of a cell and its four edges.

A *view* of a cell gives a value to every name that speaks of the cell or its edges,
without the cell; an edge is named by its direction, as `NEAR` has them. The views of a
cell are numbered, and a set of them is the bits of a whole number. The views in which a
clause fails are what the sets of its names have in common. Which views there are
depends on little (`Around`), and is worked out once for all cells with the same.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from itertools import product
from typing import NamedTuple

from verify.checker.claim import LIVE, NEAR, Spot
from verify.checker.scene import Name, Scene, Values, edge_of, near

STATES = {"free": 1, "visited": 2, "out": 4}
Marks = dict[int, bool]  # by the directions of edges


class Around(NamedTuple):
    """What decides the views of a cell.

    - `bits`: what it may be. `live`: it is the live end. `ends`: may it be the end.
    - `entries`: whether the live end, itself not looked at, enters it.
    - `kinds`: what each edge may be: completion, walk or arc, ``-`` for unused.
    - `members`: its place in each area.
    - `roles`: number, kind and role in each order test.
    - `arcs`: the half of the arc that each edge lies on, where that is known; `place`:
      the arc is cut here. None if the arc is not cut.
    - `facts`: directions, whether outwards, and whether the completion passes the edge
      so, or does not. None if nothing is said of directions.
    """

    bits: int
    live: bool
    planar: bool
    ends: tuple[bool, ...]
    entries: tuple[bool, ...]
    kinds: tuple[str, ...]
    members: tuple[str, ...]
    roles: tuple[tuple[int, str, str], ...]
    arcs: tuple[bool | None, ...] | None
    place: bool
    facts: tuple[tuple[int, bool, bool], ...] | None


class End(NamedTuple):
    """What a view says of one edge, and of its cell.

    `marks` are its halves and direction, by name; `members` is one value an area.
    """

    kind: str
    marks: tuple[tuple[Name, bool], ...]
    free: bool
    out: bool
    members: tuple[bool, ...]


class Looks:
    """The views of all cells with the same surroundings.

    - `sets`: by name the views in which it is false, and in which it is true.
    - `ends`: by direction what views say of the edge, each with its views.
    """

    def __init__(self, around: Around) -> None:
        views = list(_views(around))
        self.all = (1 << len(views)) - 1
        self.sets = {name: [0, 0] for view in views for name in view}
        self.ends: list[dict[End, int]] = [{} for _ in NEAR]
        areas = range(len(around.members))
        marks = [
            [n for n in self.sets if n[0] in ("l", "u", "d") and n[-1] == d]
            for d in range(4)
        ]
        for i, view in enumerate(views):
            for name, both in self.sets.items():
                for value in (False, True):
                    if view.get(name, value) == value:
                        both[value] |= 1 << i
            for d, ends in enumerate(self.ends):
                end = End(
                    next((kind for kind in "cwv" if view[kind, d]), "-"),
                    tuple((n[:-1], view[n]) for n in marks[d] if n in view),
                    view["free",],
                    view["out",],
                    tuple(view["a", k] for k in areas),
                )
                ends[end] = ends.get(end, 0) | 1 << i

    def where(self, name: Name, value: bool) -> int:
        """Return the views in which a name has a value; all if none speaks of it."""
        both = self.sets.get(name)
        return self.all if both is None else both[value]


class Views:
    """The views of a scene's cells."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._looks: dict[Spot, Looks] = {}

    def looks(self, cell: Spot) -> Looks:
        """Return every view of a cell."""
        if cell not in self._looks:
            self._looks[cell] = _looks(_around(self.scene, cell))
        return self._looks[cell]

    def left(self, false: Values, cells: Iterable[Spot]) -> dict[Spot, int]:
        """Return for each cell the views that agree with a clause's values."""
        found = {cell: self.looks(cell).all for cell in cells}
        for name, value in false.items():
            for cell in name[1:]:
                if cell in found:
                    found[cell] &= self._set_of(cell, name, value)
        return found

    def _set_of(self, cell: Spot, name: Name, value: bool) -> int:
        short = tuple(x for x in name if type(x) is not tuple)
        if type(name[-2]) is tuple:
            a, b = name[-2:]
            row, col = b if a == cell else a
            short = (*short, NEAR.index((row - cell[0], col - cell[1])))
        return self.looks(cell).where(short, value)

    def torn(self, left: dict[Spot, int]) -> bool:
        """Find a cell whose views go together with none of a neighbour's.

        `left` are views of some cells; a neighbour that is not among them has all.
        """
        areas = list(enumerate(self.scene.sketch.areas))
        for a, views in left.items():
            for d, b in enumerate(near(a)):
                if b in self.scene.cells:
                    shared = tuple(k for k, x in areas if not {a, b} & {*x.line})
                    one, two = self.looks(a), self.looks(b)
                    others = left.get(b, two.all)
                    if not _joined(one, views, d, two, others, shared):
                        return True
        return False


@lru_cache(1 << 16)
def _joined(
    a: Looks, one: int, d: int, b: Looks, two: int, shared: tuple[int, ...]
) -> bool:
    """Return whether views of two sets go together; `shared` areas hold both or none.

    The second cell lies in direction `d` of the first.
    """
    others = [end for end, views in b.ends[(d + 2) % 4].items() if views & two]
    return any(
        views & one and any(_agree(end, other, shared) for other in others)
        for end, views in a.ends[d].items()
    )


def _agree(one: End, two: End, shared: tuple[int, ...]) -> bool:
    marks = dict(two.marks)
    return (
        one.kind == two.kind
        and all(marks.get(name, value) == value for name, value in one.marks)
        # the arc joins no two cells of the board
        and (one.kind != "v" or one.out or two.out)
        and (
            not (one.free and two.free)
            or all(one.members[k] == two.members[k] for k in shared)
        )
    )


# What surrounds a cell ------------------------------------------------------------


def _around(scene: Scene, cell: Spot) -> Around:
    sketch = scene.sketch
    bits = scene.mask.get(cell, 7)
    ends: tuple[bool, ...] = (False, True)
    if cell in sketch.not_end or cell in scene.lines or not bits & 1:
        ends = (False,)
    elif sketch.end is not None:
        ends = (cell == sketch.end,)
    entries: tuple[bool, ...] = (False,)
    if sketch.frame == "away" and (LIVE, cell) in sketch.said["passes"]:
        entries = (True,)
    elif sketch.frame == "away" and (LIVE, cell) not in sketch.said["lacks"]:
        entries = (False, True)
    arcs: tuple[bool | None, ...] | None = None
    if scene.rim and scene.start:
        arcs = (None,) * 4
        if cell == scene.rim[0]:
            axis = 1 if scene.rim[1] % 2 == 0 else 0
            back = scene.start[axis]
            arcs = tuple(step[axis] != back if step[axis] else None for step in NEAR)
    return Around(
        bits=bits,
        live=cell == LIVE,
        planar=scene.planar,
        ends=ends,
        entries=entries,
        kinds=tuple(_kinds(scene, cell, other) for other in near(cell)),
        members=tuple(_member(scene, k, cell) for k in range(len(sketch.areas))),
        roles=tuple(
            (k, kind, "cut" if cell == cut else "far" if cell == far else "")
            for k, (kind, cut, far) in scene.orders.items()
        ),
        arcs=arcs,
        place=scene.rim is not None and cell == scene.rim[0],
        facts=tuple(_facts(scene, cell)) if scene.directed else None,
    )


def _kinds(scene: Scene, cell: Spot, other: Spot) -> str:
    """Return what an edge may be."""
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


def _facts(scene: Scene, cell: Spot) -> Iterator[tuple[int, bool, bool]]:
    for word, passed in (("passes", True), ("lacks", False)):
        steps = scene.sketch.said[word]
        for d, other in enumerate(near(cell)):
            for outward, step in ((True, (cell, other)), (False, (other, cell))):
                if step in steps:
                    yield d, outward, passed


# Its views ------------------------------------------------------------------------


@cache
def _looks(around: Around) -> Looks:
    return Looks(around)


def _views(around: Around) -> Iterator[Values]:
    for state, bit in STATES.items():
        if not around.bits & bit:
            continue
        free, begins = state == "free", state == "visited" and around.planar
        gone = {"free": "w", "visited": "c" * (not around.live), "out": "cw"}[state]
        for end, start, entered, kinds in product(
            [x for x in around.ends if free or not x],
            [False, True] if begins else [False],
            around.entries if free else [False],
            product(*([x for x in may if x not in gone] for may in around.kinds)),
        ):
            if _degrees(around, state, kinds, end + entered, start):
                view: Values = {(name,): name == state for name in STATES}
                view |= {("T",): end, ("S",): start, ("entered",): entered}
                view |= {(x, d): x == kinds[d] for x in "cwv" for d in range(4)}
                yield from _marked(around, view)


def _degrees(
    around: Around, state: str, kinds: tuple[str, ...], missing: int, start: bool
) -> bool:
    """Return whether a cell has as many edges of each kind as it must.

    Of the completion some are `missing`: beyond the end, and before a cell entered.
    """
    c, w, v = (kinds.count(kind) for kind in "cwv")
    live, planar = around.live, around.planar
    if state == "free":
        return (c, w, v) == (2 - missing, 0, missing * planar)
    if state == "visited":
        return (c, w, v) == (live, (2 - live - start) * planar, start)
    return c == w == 0 and v in (0, 2)


def _marked(around: Around, view: Values) -> list[Values]:
    """Add membership in areas, halves of walk, completion and arc, and directions."""
    member = view["free",] and not view["T",]
    views = [view]
    for k, place in enumerate(around.members):
        values = {
            "line": {True},
            "inside": {member} if member or not view["free",] else set(),
            "outside": {False},
            "entered": {True} if member else set(),
            "": {False, member},
        }[place]
        views = [one | {("a", k): value} for one in views for value in values]
    for k, kind, role in around.roles:
        lawful = partial(_half, around, view, kind, role)
        views = _with_marks(views, ("l", k), kind, lawful)
    if around.arcs is not None:
        views = _with_marks(views, ("u",), "v", partial(_arc_half, around, view))
    if around.facts is not None:
        views = [
            other
            for one in views
            for other in _with_marks([one], ("d",), "c", partial(_ways, around, one))
        ]
    return views


def _with_marks(
    views: list[Values], name: Name, kind: str, lawful: Callable[[Marks], bool]
) -> list[Values]:
    """Return views with a value for each used edge of a kind, in all lawful ways."""
    used = [d for d in range(4) if views and views[0][kind, d]]
    every = product((False, True), repeat=len(used))
    marks = [dict(zip(used, values, strict=True)) for values in every]
    added = [{(*name, d): x for d, x in one.items()} for one in marks if lawful(one)]
    return [view | more for view in views for more in added]


def _half(around: Around, view: Values, kind: str, role: str, marks: Marks) -> bool:
    """Return whether edges lie so on the live end's half of an order test."""
    halves = [*marks.values()] + [True] * view["entered",]
    if role == "cut":
        return sorted(halves) == [False, True]
    far = role == "far" or view["S" if kind == "w" else "T",]
    wrong = (around.live and False in halves) or (far and True in halves)
    return len(set(halves)) < 2 and not wrong


def _arc_half(around: Around, view: Values, marks: Marks) -> bool:
    """Return whether edges of the arc lie so on the end's side of the rim cell."""
    if around.place and around.arcs:
        return all(around.arcs[d] in (None, x) for d, x in marks.items())
    halves = set(marks.values())
    wrong = (view["S",] and True in halves) or (view["T",] and False in halves)
    return len(halves) < 2 and not wrong


def _ways(around: Around, view: Values, marks: Marks) -> bool:
    """Return whether the completion passes edges so: one in, one out."""
    leaves = around.live or (view["free",] and not view["T",])
    cuts = [k for k, kind, role in around.roles if kind == "c" and role == "cut"]
    # an edge is named by its cells in order: those to the right and down lead on
    out = {d: x == (d in (1, 2)) for d, x in marks.items()}
    return (
        sum(out.values()) == leaves
        and all((out.get(d) is way) == x for d, way, x in around.facts or ())
        and all(view["l", k, d] != x for k in cuts for d, x in out.items())
    )
