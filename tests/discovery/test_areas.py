"""Lines that cut an area off, and what they explain."""

from functools import partial
from itertools import islice

import numpy as np
import pytest

from heuristic.rules.drawing import Kind, Spot, area_behind
from solver.board import LETTERS, Board, Position, Symmetry
from solver.oracles.oracle import Verdict, get_oracle
from tests.doubles import rules as naive_rules
from tests.heuristic.test_forced import COUNTED
from tests.samples import proof_of
from verify.discovery.areas import LONG, SHORT, cuts_of, exactly, weakest
from verify.discovery.gaps import columns_of, gaps_at, page_of
from verify.discovery.question import Picture, rule_of
from verify.discovery.running import reason_of
from verify.discovery.search import Pool, Search
from verify.proof.formula import Scope
from verify.proof.window import neighbours, reached

LONG_CUT = "9:DRURDDDRDR"  # four cells of a line are needed; D is dead
# A sequence: each of two short lines shuts off an area, and both need the same cell.
TWO_AREAS = "9:DDDRRULUURDRURDRURDRURDDLDRDDDDLULURULUULLLDDD"


def touching(cells: set[Spot], cell: Spot) -> set[Spot]:
    return cells.intersection(neighbours(cell))


def test_areas_are_cut_off_from_the_end_by_free_cells() -> None:
    position = Position.parse(LONG_CUT)
    gaps = gaps_at(position.board, [(position, "D")])
    page = page_of(gaps, 0)
    for lengths in (SHORT, LONG[0]):
        cuts = cuts_of(page, lengths)
        assert cuts
        for area in (cut.area for cut in cuts):
            left = {at for at in page.states if page.free(at)} - {*area.cells}
            first = left.intersection(area.inside)
            flooded = reached(first, partial(touching, left))
            assert flooded >= first
            assert flooded.isdisjoint({page.end, *area.outside})
        for cut in cuts[:: 1 + len(cuts) // 5]:
            line = cut.area.cells
            assert lengths[0] <= len(line) <= lengths[1]
            assert page.end not in line
            assert all(page.free(cell) for cell in line)
            forbids = ((Symmetry.IDENTITY, (page.move,)),)
            alone = rule_of(Picture((), (cut.area,)), forbids)
            assert columns_of([alone], gaps).all()


def test_a_long_line_explains_what_no_short_one_does() -> None:
    position = Position.parse(LONG_CUT)
    pool = Pool(gaps_at(position.board, [(position, "D")]))
    drawing = next(Search(pool, 0, np.ones(1)).explain())
    assert pool.add([drawing]).all()
    assert max(len(area.cells) for area in drawing.picture.areas) >= 4
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
    position = Position.parse(LONG_CUT)
    pool = Pool(gaps_at(position.board, [(position, "D")]), quick=quick)
    search = Search(pool, 0, np.ones(1))
    picture, radius = next(search.by_areas(LONG[0]))
    monkeypatch.setattr("verify.discovery.search.ENOUGH", picture.facts - 1)
    assert bool(list(search._best(iter([(picture, radius)])))) is not quick


def test_two_areas_together_explain_a_gap_in_few_facts() -> None:
    position = Position.parse(TWO_AREAS)
    pool = Pool(gaps_at(position.board, [(position, "D")]))
    pictures = Search(pool, 0, np.ones(1)).by_pairs()
    picture, radius = min(islice(pictures, 12), key=lambda pair: pair[0].facts)
    assert len(picture.areas) == 2
    assert picture.facts <= 10
    drawing = pool.candidate(picture, radius)
    assert drawing is not None
    assert pool.add([drawing]).all()
    assert proof_of(drawing.rule, seconds=5)


@pytest.mark.parametrize("moves", COUNTED)
def test_a_step_is_followed_with_one_area_counted(moves: str) -> None:
    board = Board.square(13)
    position, oracle = Position.parse(f"13:{moves}"), get_oracle("search")
    dead = [
        move
        for move in position.options()
        if oracle.decide(position.step(move)).verdict is Verdict.DEAD
    ]
    pool = Pool(gaps_at(board, [(position, "".join(dead))]), quick=True)
    by_area = 0
    for number in range(len(pool.gaps)):
        drawing = next(Search(pool, number, np.ones(len(dead))).explain())
        assert drawing.picture.step
        assert drawing.picture.facts < 11
        by_area += len(drawing.picture.areas)
        assert pool.add([drawing])[number]
        move = LETTERS[int(pool.gaps.move[number])]
        assert move in naive_rules.forbidden(drawing.rule, position)
        assert proof_of(drawing.rule).scope is Scope.PLAIN
        assert "what the step forces" in reason_of(drawing.picture)
    assert by_area
