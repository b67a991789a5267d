"""Symmetric semi-magic tours made of quads."""

import json
from itertools import islice

import pytest

from solver.errors import BoardError
from solver.knight.quads import QuadTours
from solver.knight.symmetric import all_symmetric
from solver.knight.tour import Tour, images
from tests.runner import assert_refused, run
from verify.knight.enumeration import check_semimagic
from verify.knight.judge import judge
from verify.knight.tell import as_rows


def whole_quads(tour: Tour) -> bool:
    """Tell whether every four cells lie in one block, a circle of knight's moves."""
    for begin in range(0, 64, 4):
        cells = [divmod(cell, 8) for cell in tour[begin : begin + 4]]
        (first, _, _, last) = cells
        if len({(r // 4, c // 4) for r, c in cells}) > 1:
            return False
        if abs(first[0] - last[0]) * abs(first[1] - last[1]) != 2:
            return False
        if len({r for r, _ in cells}) < 4 or len({c for _, c in cells}) < 4:
            return False
    return True


def test_8x8_has_exactly_those_that_the_full_search_finds() -> None:
    found = list(QuadTours(8, seed=3).tours())
    labelled = {image for one in all_symmetric()[0] for image in images(one, 8)}
    assert len(labelled) == 272
    assert len(found) == len(set(found)) == 80
    assert set(found) == {one for one in labelled if whole_quads(one)}


def test_tours_of_12x12_are_symmetric_and_semi_magic() -> None:
    tours = list(islice(QuadTours(12, seed=0).tours(), 2))
    assert len(set(tours)) == 2
    for tour in tours:
        check_semimagic(tour, 12)
        found = judge(as_rows(tour, 12))
        assert [one.holds for one in found.conditions] == [True] * 6 + [False]
    assert tours[0] == next(QuadTours(12, seed=0).tours())


def test_the_command_tells_and_refuses() -> None:
    ran = run("knight", "construct", "8", "-n", "3", "--json", "--seed", "5")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert len(told) == 3
    assert {sum(row) for one in told for row in one["numbers"]} == {260}
    again = run("knight", "construct", "8", "-n", "3", "--json", "--seed", "5")
    assert again.out == ran.out
    assert_refused(run("knight", "construct", "16"))


@pytest.mark.parametrize("side", [0, 4, 10, 16])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match="8 and 12"):
        QuadTours(side, seed=0)
