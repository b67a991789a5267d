"""The search for semi-magic tours, against a naive double and known counts."""

from dataclasses import replace
from itertools import pairwise

import pytest

from solver.errors import UnknownNameError
from solver.puzzles.knight.search import (
    STARTS,
    canonical,
    chess_name,
    class_of,
    named_cell,
    start_class,
)
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.symmetric import all_symmetric
from tests.puzzles.knight.samples import Tour, example_tour, images
from tests.runs.sums import answer_of
from verify.puzzles.knight.enumeration import (
    check_semimagic,
    enumeration,
    prefixes,
    tally,
)
from verify.puzzles.knight.judge import board_of, judge
from verify.runs.longrun import Unit


@pytest.fixture(scope="module")
def symmetric() -> list[Tour]:
    return [*all_symmetric()[0]]


def lawful(tour: Tour) -> bool:
    """Whether the enumeration is to meet a tour, by the sentence of `starts`."""
    start = start_class(class_of(tour[0]))
    end = STARTS.index(class_of(tour[-1]))
    mirrored = tour[1] not in start.second
    return start.cell == tour[0] and end >= STARTS.index(start.name) and not mirrored


def cycle(tour: Tour) -> set[tuple[int, int]]:
    """Return the moves of a closed tour."""
    return {(min(m), max(m)) for m in pairwise((*tour, tour[0]))}


def test_symmetric_tours_have_the_known_counts(symmetric: list[Tour]) -> None:
    assert tally(symmetric) == {
        "hits": 18,
        "classes": 17,
        "closed": 17,
        "open": 0,
        "symmetric": 17,
        "magic": 0,
    }
    boards = {image for tour in symmetric for image in images(tour)}
    assert len(boards | {image[::-1] for image in boards}) == 272
    cycles = [[cycle(image) for image in images(tour)] for tour in symmetric]
    assert len({tuple(min(map(sorted, some))) for some in cycles}) == 16
    for tour in symmetric:
        assert check_semimagic(tour).holds(5)
        assert judge(board_of(tour, 8, 8)).holds(6)
        assert lawful(tour)
    classes = {canonical(tour, 8) for tour in symmetric}
    assert canonical(example_tour(), 8) in classes
    prefix = symmetric[0][:24]  # stopping at prefixes loses nothing
    whole, parts = below(prefix), map(below, below(prefix, stop=30).tours)
    assert whole.tours == tuple(tour for part in parts for tour in part.tours)


def test_each_symmetric_tour_is_met_again_below_its_prefix(
    symmetric: list[Tour],
) -> None:
    """Also from its other images that the enumeration is to meet."""
    met = 0
    for tour in symmetric:
        for image in images(tour):
            for one in (image, image[::-1]):
                if lawful(one):
                    assert one in below(one[:26]).tours
                    met += 1
    assert met >= 18


def test_units_are_the_different_prefixes_of_the_search(
    symmetric: list[Tour],
) -> None:
    units = {start: prefixes(start) for start in STARTS}
    for start, cells in units.items():
        assert cells == sorted(set(cells))
        assert all(one[0] == named_cell(start) for one in cells)
    for tour in symmetric:
        assert tour[:7] in units[class_of(tour[0])]


def test_a_unit_returns_the_tours_below_it() -> None:
    tour = next(one for one in all_symmetric()[0] if one[0] == named_cell("c3"))
    unit = Unit(list(tour[:26]))
    found = answer_of(replace(enumeration(["c3"]), units=[unit]))
    assert tour in found.tours
    assert found.tried == below(tour[:26]).tried


def test_names_of_cells() -> None:
    assert [chess_name(named_cell(name)) for name in STARTS] == list(STARTS)
    with pytest.raises(UnknownNameError):
        start_class("a2")
