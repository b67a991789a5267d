"""The views of a cell against all values that a plain reading of the words allows."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.proof.scenes import AREA, scene
from verify.checker.claim import LIVE
from verify.checker.views import STATES, Around, around_of, views_of

View = dict[Any, bool]


def broken(around: Around, state: str, kinds: str, view: View) -> Iterator[Any]:
    """Yield whether a cell breaks a condition, one after another."""
    used = {kind: [d for d in range(4) if kinds[d] == kind] for kind in "cwv"}
    free, visited, planar = state == "free", state == "visited", around.planar
    end, start, entered = view["T",], view["S",], view["entered",]
    yield not around.bits & STATES[state]
    yield any(kind not in may for kind, may in zip(kinds, around.kinds, strict=True))
    yield end not in around.ends or (end and not free)
    yield start and not (visited and planar)
    yield entered not in (around.entries if free else (False,))
    # The walk leads to the live end, and the completion leads on to the end cell. In
    # planar scopes the arc outside the board joins the end cell to the start.
    last, degrees = end + entered, tuple(map(kinds.count, "cwv"))
    if around.live:
        yield degrees != (1, planar and not start, start)
    elif free:
        yield degrees != (2 - last, 0, last * planar)
    elif visited:
        yield degrees != (0, planar and 2 - start, start)
    else:
        yield degrees not in ((0, 0, 0), (0, 0, 2))
    inner = free and not end
    for k, known in enumerate(around.members):
        member = view["a", k]
        yield known == "line" and not member
        yield known == "outside" and member
        yield known == "entered" and not (member and inner)
        yield known == "inside" and (member != inner or (free and not inner))
        yield known == "" and member and not inner
    # Only at the cut does the line change from one half to the other.
    for k, kind, role in around.roles:
        late = [view["l", k, d] for d in used[kind]]
        if role == "cut" and kind == "v":
            places = [around.along[d] for d in used["v"]]
            yield any(x not in (None, y) for x, y in zip(places, late, strict=True))
            continue
        late += [True] * (entered and kind == "c")
        yield sorted(late) != [False, True] if role == "cut" else len({*late}) > 1
        if role != "cut":
            first = end if kind == "v" else around.live
            yield first and False in late
            yield True in late and (role == "far" or (end if kind == "c" else start))
    # One edge leads in and one out. The far cell names an edge up or left.
    if around.facts is not None:
        out = {d: view["d", d] == (d in (1, 2)) for d in used["c"]}
        yield sum(out.values()) != (around.live or inner)
        for k, kind, role in around.roles:
            if kind == "c" and role == "cut":
                yield any(view["l", k, d] == out[d] for d in out)
        yield any((out.get(d) is to) != passed for d, to, passed in around.facts)


def all_values(around: Around) -> Iterator[tuple[str, str, View]]:
    """Yield the values of all names, none that a cell's edges or bits forbid."""
    for state, kinds in product(STATES, product(*around.kinds)):
        if not around.bits & STATES[state] or max(map(kinds.count, "cwv")) > 2:
            continue
        names: list[Any] = [("T",), ("S",), ("entered",)]
        names += [("a", k) for k in range(len(around.members))]
        for k, kind, _ in around.roles:
            names += [("l", k, d) for d in range(4) if kinds[d] == kind]
        if around.facts is not None:
            names += [("d", d) for d in range(4) if kinds[d] == "c"]
        known: View = {(name,): name == state for name in STATES}
        known |= {(x, d): x == kinds[d] for x in "cwv" for d in range(4)}
        for values in product((False, True), repeat=len(names)):
            yield state, "".join(kinds), known | dict(zip(names, values, strict=True))


def drawn(rng: random.Random) -> Around:
    """Return surroundings of a cell, such as a scene can have and some more."""
    planar, live = rng.random() < 0.7, rng.random() < 0.2
    most = "-cwv" if planar else "-c"
    kinds = tuple(
        "".join(x for x in most if rng.random() < 0.85) or "-" for _ in range(4)
    )
    areas = rng.sample(["line", "inside", "outside", "entered", ""], rng.randint(0, 1))
    orders = rng.sample("cw" if planar else "c", rng.randint(0, 1))
    arcs = tuple(rng.choice([None, False, True]) for _ in range(4))
    directed = rng.random() < 0.4
    facts = {
        (rng.randrange(4), rng.random() < 0.5, rng.random() < 0.5)
        for _ in range(rng.randint(0, 2) * directed)
    }
    roles = [(k, x, rng.choice(["cut", "far", ""])) for k, x in enumerate(orders)]
    if planar and rng.random() < 0.5:
        roles.append((len(roles), "v", rng.choice(["cut", "", ""])))
    return Around(
        bits=2 if live else rng.choice([1, 2, 4, 7, 7]),
        live=live,
        ends=rng.choice([(False, True), (False, True), (False,), (True,)]),
        planar=planar,
        kinds=kinds,
        members=tuple(areas),
        roles=tuple(roles),
        along=arcs,
        facts=tuple(facts) if directed else None,
        entries=rng.choice([(False,), (False,), (True,), (False, True)]),
    )


KINDS = ("-w", "-cwv", "-", "-v")
ROLES = (0, "w", ""), (1, "c", "")
# Where a walk may begin that comes before something.
START = Around(2, False, True, (False, True), (False,), KINDS, (), ROLES, (), None)


def test_views_are_all_that_is_lawful() -> None:
    rng, found = random.Random(5), 0
    for around in [START, *(drawn(rng) for _ in range(70))]:
        views = [frozenset(view.items()) for view in views_of(around)]
        assert len(set(views)) == len(views)
        assert set(views) == {
            frozenset(view.items())
            for state, kinds, view in all_values(around)
            if not any(broken(around, state, kinds, view))
        }, around
        found += len(views)
    assert found > 250


@pytest.mark.parametrize(
    ("at", "d", "arcs"),
    [
        ([0, 2], 0, (None, True, None, False)),
        ([-1, 0], 1, (False, None, True, None)),
        ([0, -2], 2, (None, True, None, False)),
        ([1, 0], 3, (False, None, True, None)),
    ],
)
def test_the_arc_is_cut_across_the_rim(at: Any, d: int, arcs: Any) -> None:
    """The board's start is its upper left corner; late is the way to the other one."""
    board: dict[str, Any] = {"frame": "board", "poses": ["IDENTITY"]}
    one = scene("CORNERS", needs=[[*at, 4, False]], pose="IDENTITY", **board)
    place = (-at[1], -at[0])
    side, cells = one.sides[0]
    assert side == d
    assert place in cells
    assert one.orders == {0: ("v", place, None)}
    assert (around_of(one, place).along, around_of(one, LIVE).along) == (arcs, ())
    assert around_of(one, place).roles == ((0, "v", "cut"),)
    assert around_of(one, LIVE).roles == ((0, "v", ""),)


@pytest.mark.parametrize(("side", "place"), [("right", "entered"), ("left", "outside")])
def test_the_move_enters_an_area_or_stays_outside(side: str, place: str) -> None:
    needs = [[1, 1, 1, False], [2, 1, 2, False]]
    areas, right = [AREA | {"side": side}], (0, 1)
    one = scene("RIM", radius=4, needs=needs, areas=areas, moves=[[-1, 0]])
    assert around_of(one, right).members == (place,)
    assert around_of(one, (-1, -1)).members == ("line",)
    one.entered = [None]
    assert around_of(one, right).members == ("",)
    assert around_of(one, (3, 3)).members == ("",)
