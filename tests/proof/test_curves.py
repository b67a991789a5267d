"""Small and sealed areas, sums of doors and ports, function by function.

Most clauses that one of these functions explains another one explains too; asked of the
judge, a fault of one would not be seen.
"""

from itertools import pairwise
from typing import Any

from tests.proof.scenes import AREA, scene
from verify.checker.claim import Spot
from verify.checker.clauses import (
    Carried,
    Judge,
    Ports,
    is_piece,
    sealed,
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


def test_an_area_larger_than_its_line_has_a_free_cell_inside() -> None:
    of = {"line": [[1, 1], [2, 1]], "wall": [3, 1], "side": "right"}
    needs = [FREE[0], [2, 1, 1, False], [3, 1, 2, False]]
    seen, small = (
        scene("RIM", 4, needs=needs, areas=[AREA | of | {"least": least}])
        for least in (3, 2)
    )
    inside = [("free", cell) for cell in sorted(seen.sketch.areas[0].inside)]
    assert len(inside) > 1
    assert too_small(seen, values(false=tuple(inside)))
    assert not too_small(seen, values(false=tuple(inside[1:])))
    assert not too_small(small, values(false=tuple(inside)))
    seen.mask |= {cell: 2 for _, cell in inside}
    assert too_small(seen, values())
    seen.mask[inside[0][1]] = 3
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


def ways(of: Scene, i: int, *true: Any, false: tuple[Any, ...] = ()) -> list[Carried]:
    """Return what port i may carry, used as the completion."""
    ports, known = Ports(Judge(of).views), values(*true, false=false)
    left = ports.views.left(known, {of.ports[i][0]})
    return [way for way in ports.ways(i, known, left) if way.kind == "c"]


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
