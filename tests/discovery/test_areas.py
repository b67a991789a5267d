"""Lines that cut an area off, and what they explain."""

from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest

from heuristic.rules.drawing import Kind, Spot, area_behind, step
from solver.board import Position, Symmetry
from solver.oracles.oracle import Verdict, get_oracle
from tests.doubles import rules as naive_rules
from tests.heuristic.test_forced import COUNTED
from tests.samples import proof_of
from verify.discovery.areas import LONG, SHORT, cuts_of, exactly, weakest
from verify.discovery.gaps import columns_of, gaps_at, page_of
from verify.discovery.question import Picture, rule_of
from verify.discovery.running import reason_of
from verify.discovery.search import Pool, Search, by_following
from verify.proof.formula import Scope
from verify.proof.window import LIVE, edge, neighbours, reached

LONG_CUT = Position.parse("9:DRURDDDRDR")  # four cells of a line are needed; D is dead
# A sequence: each of two short lines shuts off an area, and both need the same cell.
TWO_AREAS = Position.parse("9:DDDRRULUURDRURDRURDRURDDLDRDDDDLULURULUULLLDDD")


def search_of(position: Position, moves: str = "D", *, quick: bool = False) -> Search:
    """Return the search for the first of some dead moves."""
    pool = Pool(gaps_at(position.board, [(position, moves)]), quick=quick)
    return Search(pool, 0, np.ones(len(moves)))


def touching(cells: set[Spot], cell: Spot) -> set[Spot]:
    return cells.intersection(neighbours(cell))


@pytest.mark.parametrize(
    ("lengths", "count", "bends"),
    [(SHORT, 20, 31), (LONG[0], 440, 1212), (LONG[1], 764, 3101)],
    ids=["short", "long", "longest"],
)
def test_areas_are_cut_off_from_the_end_by_free_cells(
    lengths: tuple[int, int], count: int, bends: int
) -> None:
    gaps = gaps_at(LONG_CUT.board, [(LONG_CUT, "D")])
    page = page_of(gaps, 0)
    cuts = cuts_of(page, lengths)
    lines = [(cut.area.base, *cut.area.cells, cut.area.wall) for cut in cuts]
    steps = [[step(a, b) for a, b in pairwise(line)] for line in lines]
    turns = sum(a != b for line in steps for a, b in pairwise(line))
    assert (len(cuts), turns) == (count, bends)  # where lines may differ: few bends
    for area in (cut.area for cut in cuts):
        left = {at for at in page.states if page.free(at)} - {*area.cells}
        first = left.intersection(area.inside)
        flooded = reached(first, partial(touching, left))
        assert flooded >= first
        assert flooded.isdisjoint({page.end, *area.outside})
        assert area.wall != LIVE
        assert lengths[0] <= len(area.cells) <= lengths[1]
        assert page.end not in area.cells
        assert all(map(page.free, area.cells))
    for cut in cuts[:: 1 + len(cuts) // 5]:
        forbids = ((Symmetry.IDENTITY, (page.move,)),)
        alone = rule_of(Picture((), (exactly(cut.area, cut.surplus),)), forbids)
        assert columns_of([alone], gaps).all()


def test_a_long_line_explains_what_no_short_one_does() -> None:
    search = search_of(LONG_CUT)
    drawing = next(search.explain())
    assert search.pool.add([drawing]).all()
    assert [len(area.cells) for area in drawing.picture.areas] == [4]
    assert drawing.picture.facts == 6
    assert proof_of(drawing.rule, seconds=5)


@pytest.mark.parametrize(
    ("impossible", "kind"),
    [
        ({1}, Kind.WITHIN),
        ({-3, -1, 1, 3}, Kind.ODD),
        ({-3, -1, 0, 1, 3}, Kind.ODD),
        ({1, 2, 3}, Kind.BEYOND),
        (set(range(-3, 4)), Kind.CLOSED),
    ],
)
def test_the_weakest_condition_allows_impossible_surpluses_alone(
    impossible: set[int], kind: Kind
) -> None:
    area = exactly(area_behind(((-1, -1),), (-1, -2), "left"), 1)
    weaker = weakest(range(-3, 4), area, impossible)
    assert weaker.kind is kind
    assert {x for x in range(-3, 4) if weaker.allows(x)} <= impossible


@pytest.mark.parametrize("quick", [True, False])
def test_drawings_of_many_facts_are_left_out_where_gaps_are_many(
    quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = search_of(LONG_CUT, quick=quick)
    picture, radius = next(search.by_areas(LONG[0]))
    monkeypatch.setattr("verify.discovery.search.ENOUGH", picture.facts - 1)
    assert bool(list(search._best(iter([(picture, radius)])))) is not quick


def test_two_areas_together_explain_a_gap_in_few_facts() -> None:
    search = search_of(TWO_AREAS)
    pictures = islice(search.by_pairs(), 3)
    picture, radius = min(pictures, key=lambda pair: pair[0].facts)
    assert (len(picture.areas), picture.facts) == (2, 8)
    drawing = search.pool.candidate(picture, radius)
    assert drawing is not None
    assert search.pool.add([drawing]).all()
    assert proof_of(drawing.rule, seconds=5)
    # the step followed shows the same without an area
    followed = Picture((), (), edge(LIVE, search.page.target))
    assert list(by_following(search.page)) == [(followed, 1)]


@pytest.mark.parametrize(
    ("moves", "facts"), [*zip(COUNTED, (8, 8, 8, 7), strict=True)], ids=COUNTED
)
def test_a_step_is_followed_with_one_area_counted(moves: str, facts: int) -> None:
    position, oracle = Position.parse(f"13:{moves}"), get_oracle("search")
    for move in position.options():
        if oracle.decide(position.step(move)).verdict is not Verdict.DEAD:
            continue
        search = search_of(position, move, quick=True)
        drawing = next(search.explain())
        picture = drawing.picture
        assert picture.step == edge(LIVE, search.page.target)
        assert (picture.facts, len(picture.areas)) == (facts, 1)
        assert search.pool.add([drawing]).tolist() == [True]
        assert move in naive_rules.forbidden(drawing.rule, position)
        assert proof_of(drawing.rule).scope is Scope.PLAIN
        assert "what the step forces" in reason_of(picture)
