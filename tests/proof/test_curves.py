"""Doors, loops, early ends, sealed areas and ports, function by function.

Most clauses that one of these functions explains another one explains too; asked of the
judge, a fault of one would not be seen.
"""

from itertools import pairwise
from typing import Any

import pytest

from tests.proof.scenes import AREA, scene, sketch
from verify.checker.claim import LIVE, Spot
from verify.checker.clauses import (
    Carried,
    Judge,
    Ports,
    ended_early,
    is_piece,
    looped,
    sealed,
    stepped_over,
    too_small,
)
from verify.checker.scene import Scene, edge_of

UP = (-1, 0)
FREE = [[1, 1, 1, False], [2, 1, 2, False]]


def values(*true: Any, false: tuple[Any, ...] = ()) -> dict[Any, bool]:
    return dict.fromkeys(true, True) | dict.fromkeys(false, False)


def beside(radius: int = 4, needs: Any = (), **of: Any) -> Scene:
    """Return a line of one cell, left ahead, with the area behind it or ahead."""
    area = AREA | of
    return scene("RIM", radius, needs=[*FREE, *needs], areas=[area])


def used(*cells: Spot) -> tuple[Any, ...]:
    """Return the edges from each cell to the next one, as used."""
    return tuple(("c", *edge_of(a, b)) for a, b in pairwise(cells))


RING = ((-1, 1), (-1, 2), (-2, 2), (-2, 1), (-1, 1))


def test_an_area_larger_than_its_line_has_a_free_cell_inside() -> None:
    two = {"line": [[1, 1], [2, 1]], "wall": [3, 1], "side": "right"}
    needs = [[2, 1, 1, False], [3, 1, 2, False]]

    def larger(least: int = 3) -> Scene:
        area = AREA | two | {"least": least}
        return scene("RIM", 4, needs=[FREE[0], *needs], areas=[area])

    seen = larger()
    inside = [("free", cell) for cell in sorted(seen.sketch.areas[0].inside)]
    assert len(inside) > 1
    assert too_small(seen, values(false=tuple(inside)))
    assert not too_small(seen, values(false=tuple(inside[1:])))
    assert not too_small(seen, values(*inside))
    assert not too_small(larger(least=2), values(false=tuple(inside)))
    seen.mask |= {cell: 2 for _, cell in inside}
    assert too_small(seen, values())
    seen.mask[inside[0][1]] = 3
    assert not too_small(seen, values())
    del seen.mask[inside[0][1]]
    assert not too_small(seen, values())


def test_an_area_without_doors_has_the_sum_none() -> None:
    seen = beside(kind="within", low=1, high=2)
    assert seen.doors[0]
    assert not Judge(seen).none
    seen.doors = [[]]
    assert Judge(seen).none
    none = beside(kind="within", low=0, high=0)
    none.doors = [[]]
    assert not Judge(none).none


def test_three_ties_are_a_loop_and_known_edges_count() -> None:
    free = [[-1, 1, 1, False], [-2, 1, 1, False], [-2, 2, 1, False], [-1, 2, 1, False]]
    joined = [["joined", -1, 1, -2, 1], ["joined", -2, 1, -2, 2]]
    seen = scene(needs=free, lines=joined)
    rest = used(*RING[2:])
    assert looped(seen, values(*rest))
    assert not looped(seen, values(*rest[:1]))
    assert not looped(seen, values(rest[0], false=rest[1:]))
    assert not looped(scene(), values(*rest))
    assert looped(scene(), values(*used(*RING)))
    assert not looped(scene(), values(*used(LIVE, *RING[:4], (-2, 0), (-1, 0), LIVE)))


def test_a_loop_is_found_behind_a_longer_piece() -> None:
    """Whichever piece comes first, and whatever was seen before it."""
    seen = scene(radius=3)
    tail, open_ends = used((2, -3), (2, -2), (2, -1)), used((3, 3), (2, 3))
    for order in (
        (*tail, *used(*RING), *open_ends),
        (*open_ends, *tail, *used(*RING)),
        (*used(*RING), *tail),
    ):
        assert looped(seen, values(*order))
        assert not looped(seen, values(*[x for x in order if x != used(*RING)[1]]))


def test_a_second_end_of_one_walk_leaves_no_cell_out() -> None:
    end = (-1, 1)
    way = used(UP, end)
    seen = scene(needs=[[-1, 1, 1, False]])
    bare = scene()
    out = ("free", (2, 2))
    assert not ended_early(bare, values(*way, ("T", end)))
    assert ended_early(bare, values(*way, ("T", end), out))
    assert not ended_early(bare, values(*way, out))
    assert not ended_early(bare, values(*way, ("T", end), false=(out,)))
    assert not ended_early(bare, values(*way, out, false=(("T", end),)))
    assert not ended_early(bare, values(*way, ("T", end), ("free", UP)))
    assert not ended_early(bare, values(("T", end), out))
    assert not ended_early(seen, values(*way, ("T", end)))
    more = [[-1, 1, 1, False], [2, 2, 1, False]]
    assert ended_early(scene(needs=more), values(*way, ("T", end)))
    drawn = scene(needs=more, end=[-1, 1])
    assert ended_early(drawn, values(*way))


def test_the_end_is_stepped_over() -> None:
    needs = [[0, 2, 1, False], [1, 2, 1, False], [1, 1, 1, False]]
    seen = scene(needs=needs, lines=[["before", 0, 2, 1, 2]])
    cut, far, other = (-2, 0), (-2, -1), (-2, 1)
    assert stepped_over(seen, values(("T", other), *used(cut, other)))
    assert not stepped_over(seen, values(("T", far), *used(cut, far)))
    assert not stepped_over(seen, values(*used(cut, other), false=(("T", other),)))
    assert not stepped_over(seen, values(("T", other), false=used(cut, other)))
    needs.append([-1, 2, 1, False])
    ended = scene(needs=needs, lines=[["before", 0, 2, 1, 2]], end=[-1, 2])
    assert stepped_over(ended, values(*used(cut, other)))
    assert stepped_over(ended, values(("T", far), *used(cut, other)))
    assert not stepped_over(ended, values())


def tied(scope: str, joined: list[list[int]], *mates: list[int]) -> Scene:
    """Return forced edges and the ends of lines, four cells around the live end."""
    cells = {(line[i], line[i + 1]) for line in joined for i in (0, 2)}
    lines = [["joined", *x] for x in joined] + [["mates", *x] for x in mates]
    needs = [[*cell, 1, False] for cell in sorted(cells)]
    return scene(scope, radius=3, needs=needs, lines=lines)


def test_a_line_closes_a_curve_in_place_of_its_first_edges() -> None:
    """It goes from one end of the line to the other, but not by those edges."""
    joined = [[-1, 1, -2, 1], [1, 1, 2, 1]]
    over = used((-1, 1), (-2, 1), (-2, 0), (-2, -1), (-1, -1))
    seen = tied("PLAIN", joined, [-1, 1, 1, 1])
    assert looped(seen, values(*over))
    assert not looped(seen, values(*over[1:]))
    assert not looped(tied("PLAIN", joined), values(*over))
    back = used((-1, 1), (-1, 2), (-2, 2), (-2, -2), (-1, -2), (-1, -1))
    assert not looped(seen, values(*back))


@pytest.mark.parametrize("scope", ["PLAIN", "PLANAR"])
def test_a_line_may_leave_its_ends_for_cells_not_looked_at(scope: str) -> None:
    seen = tied(scope, [[1, 3, 1, 4], [-1, 3, -1, 4]], [1, 3, -1, 3])
    assert bool(seen.ports) == (scope == "PLANAR")
    assert looped(seen, values(*used((-3, -1), (-3, 0), (-3, 1))))
    assert not looped(seen, values(*used((-3, -1), (-3, 0))))


def test_two_lines_are_two_parts_of_one_curve() -> None:
    joined = [[-2, 2, -3, 2], [-2, -2, -3, -2], [-1, -2, -1, -3], [-1, 2, -1, 3]]
    seen = tied("PLAIN", joined, [-2, 2, -2, -2], [-1, -2, -1, 2])
    over = used((-2, 2), (-2, 1)), used((2, 2), (2, 1))
    assert looped(seen, values(*over[0], *over[1]))
    assert not looped(seen, values(*over[0]))


def test_what_no_door_leads_to_is_sealed() -> None:
    """The area: the marked cell, the one behind it, and one more at its left."""
    line, behind, other = (-1, -1), (0, -1), (1, -1)
    shut = [[1, -2, 2, False], [2, 0, 2, False], [2, -1, 2, False], [0, -1, 2, False]]
    seen = scene("RIM", 3, needs=[*FREE, *shut], areas=[AREA])
    far = ("a", 0, UP)
    doors = used((-2, -1), line, UP)
    assert sealed(seen, 0, values(false=(*doors, far)))
    assert not sealed(seen, 0, values(false=(doors[0], far)))
    assert not sealed(seen, 0, values(doors[0], false=(doors[1], far)))
    inner, last = ("a", 0, other), used(behind, other)
    assert not sealed(seen, 0, values(doors[0], inner, false=(far,)))
    assert sealed(seen, 0, values(doors[0], inner, false=(far, *last)))
    assert not sealed(seen, 0, values(doors[0], false=(far, *last, inner)))
    assert sealed(seen, 0, values(doors[0], ("a", 0, (3, 3)), false=(far,)))
    loose = scene("RIM", 3, needs=[*FREE, *shut[1:]], areas=[AREA])
    assert sealed(loose, 0, values(inner, false=(*doors, far)))
    assert not sealed(loose, 0, values(doors[0], ("a", 0, (3, 3)), false=(far,)))
    entering = scene("RIM", 3, needs=[*FREE, *shut], areas=[AREA], moves=[[1, 0]])
    assert not sealed(entering, 0, values(false=doors))


# Ports --------------------------------------------------------------------------


def ways(of: Scene, i: int, *true: Any, false: tuple[Any, ...] = ()) -> list[Carried]:
    """Return what port i may carry, used as the completion."""
    ports, known = Ports(Judge(of).views), values(*true, false=false)
    left = ports.views.left(known, {of.ports[i][0]})
    return [way for way in ports.ways(i, known, left) if way.kind == "c"]


def test_what_lies_beyond_the_live_end_belongs_to_an_area_or_not() -> None:
    """Only the live end, the marked cell and one between them are looked at."""
    drawn = sketch(needs=FREE, areas=[AREA])
    cells = frozenset({LIVE, (0, -1), (-1, -1)})
    seen = Scene(drawn, ("NONE",), UP, "PLANAR", cells)
    port = seen.port_of[edge_of(LIVE, UP)]
    assert [way.members for way in ways(seen, port)] == [(False,)]
    assert UP in seen.sketch.areas[0].outside
    for value in (False, True):
        known = values(*[("a", 0, UP)] * value, false=(("a", 0, UP),) * (not value))
        found = Ports(Judge(seen).views).ways(port, known, {})
        assert [way.members for way in found if way.kind == "c"] == [(value,)]
    far = Scene(
        sketch(needs=FREE, areas=[AREA], moves=[[-1, 0]]),
        ("NONE",),
        (0, 1),
        "PLANAR",
        cells,
    )
    port = far.port_of[edge_of(LIVE, (0, 1))]
    for entered in (True, False, None):
        far.entered = [entered]
        assert [way.members for way in ways(far, port)] == [(entered,)]


def test_a_late_port_has_no_end_beyond_and_the_arc_has_halves() -> None:
    needs = [[1, 1, 1, False], [2, 2, 1, False]]
    seen = scene("PLANAR", needs=needs, lines=[["before", 1, 1, 2, 2]])
    (order,) = seen.orders
    early, late = (
        next(way for way in ways(seen, 1) if way.marks["l", order] is value)
        for value in (False, True)
    )
    assert (early.ends, late.ends) == (True, False)
    assert is_piece(late, 1, late, 3, {})
    assert not is_piece(late, 1, early, 3, {})
    for kind, value in (("w", True), ("c", False)):
        way = early._replace(kind=kind)
        for half, good in ((value, False), (not value, True)):
            arc = Carried("v", {("l", 2): half}, None, (), ends=True)
            assert is_piece(way, 1, arc, 3, {}) is good
            assert is_piece(arc, 3, way, 1, {}) is good
        arc = Carried("v", {}, None, (), ends=True)
        beyond = "t" if kind == "c" else "s"
        assert is_piece(way, 1, arc, 3, {(beyond, 1): True})
        assert not is_piece(way, 1, arc, 3, {(beyond, 1): False})
        assert not is_piece(way._replace(ends=False), 1, arc, 3, {})
    idle = early._replace(kind="-")
    assert not is_piece(idle, 1, idle, 3, {})
    inward = early._replace(leaves=False)
    assert not is_piece(inward, 1, inward, 3, {})
    assert is_piece(inward, 1, inward._replace(leaves=True), 3, {})
    member = early._replace(members=(True,))
    assert not is_piece(member, 1, member._replace(members=(False,)), 3, {})
    assert is_piece(member, 1, member._replace(members=(None,)), 3, {})


def test_a_paired_port_is_used() -> None:
    """Nothing ends beyond a late port, so only an unused one meets the end."""
    needs = [[1, 1, 1, False], [2, 2, 1, False]]
    seen = scene("PLANAR", needs=needs, lines=[["before", 1, 1, 2, 2]])
    (order,), edge = seen.orders, edge_of(*seen.ports[1])
    values: Any = dict.fromkeys([("l", order, *edge), ("t", 1)], True)
    values |= dict.fromkeys([("w", *edge), ("v", *edge)], False)
    assert not Judge(seen).explains(values)
    assert Judge(seen).explains(values | {("p", 1, 3): True})
