"""Symmetric semi-magic tours made of quads."""

import json
from itertools import islice
from math import isqrt

import numpy as np
import pytest

from solver.puzzles.knight.quads import by_quarters, quad_tours
from solver.puzzles.knight.symmetric import all_symmetric
from solver.puzzles.knight.tour import Tour, canonical, canonical_cycle, images
from tests.runner import assert_refused, run
from verify.puzzles.knight.boards import as_rows
from verify.puzzles.knight.enumeration import check_semimagic


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


def tours(side: int, seed: int, most: int | None = None) -> list[Tour]:
    return list(islice(filter(None, quad_tours(side, seed=seed)[1]), most))


def test_8x8_has_exactly_those_that_the_full_search_finds() -> None:
    found = tours(8, 3)
    labelled = {image for one in all_symmetric()[0] for image in images(one, 8)}
    assert len(labelled) == 272
    assert len(found) == len(set(found)) == 80
    assert set(found) == {one for one in labelled if whole_quads(one)}


def test_tours_of_12x12_are_symmetric_and_semi_magic() -> None:
    found = tours(12, 3, 2)
    assert len(set(found)) == 2
    for tour in found:
        judged = check_semimagic(tour, 12)
        assert [one.holds for one in judged.conditions] == [True] * 6 + [False]
    ran = run("knight", "symmetric", "12", "--json", "--seed", "3")
    assert json.loads(ran.out)["numbers"] == as_rows(found[0], 12)


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
    found = tours(16, 0)
    assert len(found) == len(set(found)) == 4
    ran = run("knight", "symmetric", "16", "--json", "--seed", "0")
    told = [json.loads(line)["numbers"] for line in ran.out.splitlines()]
    assert told == [as_rows(tour, 16) for tour in found]
    for tour in found:
        assert whole_quads(tour)
        assert turned_quarters(tour)
        judged = check_semimagic(tour, 16)
        assert [one.holds for one in judged.conditions] == [True] * 6 + [False]
        assert judged.shifts == (0, 64, 128, 192)
    assert len({canonical(tour, 16) for tour in found}) == 2
    assert len({canonical_cycle(tour, 16) for tour in found}) == 1


def test_no_quarters_turn_on_8x8() -> None:
    """The full search of symmetric tours has none of this kind either."""
    assert not [*filter(None, by_quarters(8, np.random.default_rng(0))[1])]
    labelled = {image for one in all_symmetric()[0] for image in images(one, 8)}
    assert not any(map(turned_quarters, labelled))


@pytest.mark.parametrize("side", [0, 4, 10, 20])
def test_other_sides_are_refused(side: int) -> None:
    assert_refused(run("knight", "symmetric", str(side)))
