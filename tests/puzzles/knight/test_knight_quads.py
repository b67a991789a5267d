"""Symmetric semi-magic tours made of quads."""

import json
from itertools import islice
from math import isqrt

import pytest

from solver.errors import BoardError
from solver.puzzles.knight.quads import QuadTours
from solver.puzzles.knight.symmetric import all_symmetric
from solver.puzzles.knight.tour import Tour, canonical, canonical_cycle, images
from solver.puzzles.knight.turned import TurnedTours
from tests.runner import assert_refused, run
from verify.puzzles.knight.enumeration import check_semimagic
from verify.puzzles.knight.judge import judge
from verify.puzzles.knight.tell import as_rows


def whole_quads(tour: Tour) -> bool:
    """Tell whether every four cells lie in one block, a circle of knight's moves."""
    side = isqrt(len(tour))
    for begin in range(0, len(tour), 4):
        cells = [divmod(cell, side) for cell in tour[begin : begin + 4]]
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


def turned_quarters(tour: Tour) -> bool:
    """Tell whether the second quarter is the first one turned, walked backwards."""
    side, part = isqrt(len(tour)), len(tour) // 4
    cells = [divmod(cell, side) for cell in tour[: 2 * part]]
    for turns in (1, 3):
        image = cells[:part]
        for _ in range(turns):
            image = [(c, side - 1 - r) for r, c in image]
        if image[::-1] == cells[part:]:
            return True
    return False


def test_quarters_that_turn_on_16x16() -> None:
    tours = list(TurnedTours(16, seed=0).tours())
    assert len(tours) == len(set(tours)) == 4
    assert next(TurnedTours(16, seed=1).tours()) in tours
    for tour in tours:
        check_semimagic(tour, 16)
        assert whole_quads(tour)
        assert turned_quarters(tour)
        found = judge(as_rows(tour, 16))
        assert [one.holds for one in found.conditions] == [True] * 6 + [False]
        assert found.shifts == (0, 64, 128, 192)
    assert len({canonical(tour, 16) for tour in tours}) == 2
    assert len({canonical_cycle(tour, 16) for tour in tours}) == 1


def test_no_quarters_turn_on_8x8() -> None:
    """The full search of symmetric tours has none of this kind either."""
    assert not list(TurnedTours(8, seed=0).tours())
    labelled = {image for one in all_symmetric()[0] for image in images(one, 8)}
    assert not any(map(turned_quarters, labelled))


def test_the_command_tells_and_refuses() -> None:
    ran = run("knight", "construct", "8", "-n", "3", "--json", "--seed", "5")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert len(told) == 3
    assert {sum(row) for one in told for row in one["numbers"]} == {260}
    again = run("knight", "construct", "8", "-n", "3", "--json", "--seed", "5")
    assert again.out == ran.out
    assert_refused(run("knight", "construct", "20"))


def test_the_command_makes_16x16() -> None:
    ran = run("knight", "construct", "16", "--json")
    told = json.loads(ran.out)
    assert {sum(row) for row in told["numbers"]} == {2056}


@pytest.mark.parametrize("side", [0, 4, 10, 16])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match="8 and 12"):
        QuadTours(side, seed=0)
    with pytest.raises(BoardError, match="8 and 16"):
        TurnedTours(side if side < 16 else 12, seed=0)
