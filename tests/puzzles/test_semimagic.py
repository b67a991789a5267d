"""Semi-magic tours: search, estimate and record, against slow doubles."""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import BoardError, UnknownNameError
from solver.puzzles.knight import (
    STARTS,
    StartClass,
    Tour,
    canonical_tour,
    chess_name,
    class_of,
    knight_moves,
    named_cell,
    start_class,
)
from solver.puzzles.semimagic import all_symmetric, estimate, tours_below
from tests.doubles.knight_semimagic_sat import semimagic_tours
from tests.puzzles.knights import example_tour, images, sums, walks_on
from tests.puzzles.samples import ROOT
from tests.runs.sums import answer_of
from verify.puzzles.judge import board_of, judge_board
from verify.puzzles.knight import (
    check_semimagic,
    enumeration,
    prefixes,
    tally,
    tally_lines,
)
from verify.runs.longrun import Unit

SYMMETRIC = all_symmetric()[0]


def is_first_of_its_class(tour: Tour) -> bool:
    """Return whether the enumeration meets a tour; see the docstring of `knight`."""
    start = start_class(class_of(tour[0]))
    end = STARTS.index(class_of(tour[-1]))
    mirrored = tour[1] not in start.second
    later = end >= STARTS.index(class_of(tour[0]))
    return start.cell == tour[0] and later and not mirrored


def cycle(tour: Tour) -> set[tuple[int, int]]:
    """Return the moves of a closed tour."""
    return {(min(m), max(m)) for m in pairwise((*tour, tour[0]))}


def test_symmetric_tours_have_the_known_counts() -> None:
    names = ("hits", "classes", "closed", "open", "symmetric", "magic")
    assert tally(SYMMETRIC) == dict(zip(names, (18, 17, 17, 0, 17, 0), strict=True))
    boards = {image for tour in SYMMETRIC for image in images(tour)}
    assert len(boards | {image[::-1] for image in boards}) == 272
    cycles = [[cycle(image) for image in images(tour)] for tour in SYMMETRIC]
    assert len({tuple(min(map(sorted, some))) for some in cycles}) == 16
    for tour in SYMMETRIC:
        assert check_semimagic(tour).holds(5)
        assert judge_board(board_of(tour, 8, 8)).holds(6)
        assert is_first_of_its_class(tour)
    assert canonical_tour(example_tour()) in {
        canonical_tour(tour) for tour in SYMMETRIC
    }


def test_each_symmetric_tour_is_met_again_below_its_prefix() -> None:
    """Also from its other images that the enumeration meets."""
    met = 0
    for tour in SYMMETRIC:
        for image in images(tour):
            for way in (image, image[::-1]):
                if is_first_of_its_class(way):
                    assert way in tours_below(way[:26]).tours
                    met += 1
    assert met >= 18
    below = [tours_below(tour[:22]) for tour in SYMMETRIC]
    assert all(is_first_of_its_class(tour) for some in below for tour in some.tours)
    work = [(some.tried, sum(some.taken)) for some in below]
    assert [*map(sum, zip(*work, strict=True))] == [641_104, 402_285]  # what is pruned
    prefix = SYMMETRIC[0][:24]  # stopping at prefixes loses nothing
    parts = map(tours_below, tours_below(prefix, stop=30).tours)
    assert tours_below(prefix).tours == tuple(
        tour for part in parts for tour in part.tours
    )


def test_units_are_the_different_prefixes_of_the_search() -> None:
    units = {start: prefixes(start) for start in STARTS}
    for start, cells in units.items():
        assert cells == sorted(set(cells))
        assert all(prefix[0] == named_cell(start) for prefix in cells)
    counts = [2604, 4425, 3437, 4854, 2736, 506, 5688, 3377, 7817, 4014]
    assert [*map(len, units.values())] == counts
    for tour in SYMMETRIC:
        assert tour[:7] in units[class_of(tour[0])]


def test_a_unit_returns_the_tours_below_it() -> None:
    tour = next(tour for tour in SYMMETRIC if tour[0] == named_cell("c3"))
    unit = Unit(list(tour[:26]))
    result = answer_of(replace(enumeration(["c3"]), units=[unit]))
    assert tour in result.tours
    assert result.tried == tours_below(tour[:26]).tried


def test_more_walks_than_fit_are_refused() -> None:
    prefix = named_cell("c3"), named_cell("e4")
    assert len(tours_below(prefix, stop=3, room=7).tours) == 7
    with pytest.raises(BoardError, match="7 walks, more than the 6 that fit"):
        tours_below(prefix, stop=3, room=6)


def test_names_of_cells() -> None:
    assert [chess_name(named_cell(name)) for name in STARTS] == list(STARTS)
    with pytest.raises(UnknownNameError):
        start_class("a2")


def completions(walk: Tour) -> tuple[Tour, ...]:
    """Return what the search finds below any walk, wherever the tour may end."""
    colour = sum(divmod(walk[0], 8)) % 2
    finish = sum(1 << c for c in range(64) if sum(divmod(c, 8)) % 2 != colour)
    start = StartClass(walk[0], finish, knight_moves(8, 8)[walk[0]])
    return tours_below(walk, start=start).tours


@pytest.mark.parametrize("count", [25, 34, 40])
def test_formula_and_search_agree_on_prefixes(count: int) -> None:
    tour = example_tour()
    by_search = completions(tour[:count])
    assert tour in by_search
    given_cells = dict(enumerate(tour[:count], start=1))
    assert sorted(semimagic_tours(8, given_cells)) == sorted(by_search)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(images(example_tour())), st.integers(46, 60))
def test_the_search_agrees_with_a_naive_search(tour: Tour, k: int) -> None:
    naive = [walk for walk in walks_on(tour[:k]) if set(sums(walk)) == {260}]
    assert list(completions(tour[:k])) == naive


def test_the_estimate_of_the_first_levels_is_the_true_count() -> None:
    start = start_class("c3")
    width, error = estimate(["c3"], walks=4000, seed=1)
    assert width[2] == len(start.second)
    for size in range(3, 8):
        firsts = [(start.cell, second) for second in start.second]
        exact = sum(len(tours_below(first, stop=size).tours) for first in firsts)
        assert abs(width[size] - exact) <= 5 * error[size] + 1e-9, size
    assert error[5] > 0
    deep = [17, 3705.59, 630_937_233, 4_196_037_717, 0]
    sizes, _ = estimate(["c3"], walks=400, seed=1)
    assert sizes[[3, 7, 22, 30, 45]] == pytest.approx(deep)


@cache
def record() -> tuple[dict[str, Any], list[Tour]]:
    """Return the counts of c3 and its tours, printed by `enumerate --start c3`."""
    text = (ROOT / "docs" / "tables" / "knight-c3.jsonl").read_text("utf-8")
    *lines, counts = map(json.loads, text.splitlines())
    tours = []
    for line in lines:
        assert judge_board(line["numbers"]).semimagic
        flat = [number for row in line["numbers"] for number in row]
        tours.append(tuple(flat.index(number) for number in range(1, 65)))
    return counts, tours


def test_counts_of_the_record() -> None:
    counts, tours = record()
    count = tally(tours)
    assert {name: counts[name] for name in count} == count
    assert list(count.values()) == [9, 9, 6, 3, 1, 0]
    for tour in tours:
        assert tour[0] == named_cell("c3")
        assert STARTS.index(class_of(tour[-1])) >= STARTS.index("c3")
    forms = [min(i for way in (t, t[::-1]) for i in images(way)) for t in tours]
    assert len(set(forms)) == counts["classes"]
    assert counts["taken"][64] == len(tours)
    assert sum(counts["taken"]) <= counts["steps"]
    assert "     6 of these closed" in tally_lines(tours, 0)


def test_the_search_meets_the_tours_of_the_record() -> None:
    units = prefixes("c3")
    assert len(units) > 100
    for tour in record()[1]:
        assert tour in tours_below(tour[:22]).tours
        assert sum(tour[: len(cells)] == cells for cells in units) == 1
