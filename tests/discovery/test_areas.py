"""Lines that cut an area off, and what they explain."""

from itertools import islice, pairwise

import numpy as np

from heuristic.rules.drawing import Turn
from solver.board import Position
from verify.discovery.areas import LONG, SHORT, cuts_of
from verify.discovery.explaining import page_of
from verify.discovery.gaps import columns_of, gaps_at
from verify.discovery.question import Found, Picture
from verify.discovery.search import Pool, Search, by_pairs
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule

LONG_CUT = "9:DRURDDDRDR"  # four cells of a line are needed; D is dead
# A sequence: each of two short lines shuts off an area, and both need the same cell.
TWO_AREAS = "9:DDDRRULUURDRURDRURDRURDDLDRDDDDLULURULUULLLDDD"


def test_areas_are_cut_off_from_the_end_by_free_cells() -> None:
    position = Position.parse(LONG_CUT)
    gaps = gaps_at(position.board, [(position, "D")])
    page = page_of(gaps, 0)
    for lengths in (SHORT, LONG[0]):
        cuts = cuts_of(page, lengths)
        assert cuts
        for cut in cuts[:: 1 + len(cuts) // 5]:
            line = [(-ahead, -left) for left, ahead in cut.area.cells]
            assert lengths[0] <= len(line) <= lengths[1]
            assert page.end not in line
            assert all(page.free(cell) for cell in line)
            alone = Found(Picture((), (cut.area,)), ((Turn.NONE, (page.move,)),))
            assert columns_of((alone.rule(),), gaps).all()


def test_a_long_line_explains_what_no_short_one_does() -> None:
    position = Position.parse(LONG_CUT)
    pool = Pool(gaps_at(position.board, [(position, "D")]))
    entry = next(Search(pool, 0, np.ones(1)).explain())
    assert pool.add(entry).all()
    assert max(len(area.cells) for area in entry.found.picture.areas) >= 4
    assert isinstance(prove_rule(entry.rule, seconds=5), Proved)


def test_two_areas_together_explain_a_gap_in_few_facts() -> None:
    position = Position.parse(TWO_AREAS)
    pool = Pool(gaps_at(position.board, [(position, "D")]))
    pictures = by_pairs(pool, pool.page(0), np.ones(1))
    picture, radius = min(islice(pictures, 12), key=lambda one: one[0].facts)
    assert len(picture.areas) == 2
    assert picture.facts <= 10
    entry = pool.entry(picture, 0, radius, Scope.PLAIN)
    assert entry is not None
    assert pool.add(entry).all()
    assert isinstance(prove_rule(entry.rule, seconds=5), Proved)


def test_long_lines_are_straight_or_bend_once_or_are_stairs() -> None:
    position = Position.parse("9:DDDRURDRDR")
    gaps = gaps_at(position.board, [(position, "D")])
    long = cuts_of(page_of(gaps, 0), (4, 6))
    shapes = set()
    for cut in long:
        cells = cut.area.cells
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)]
        bends = [one != two for one, two in pairwise(steps)]
        stair = [*map(all, (bends[: sum(bends)], bends[len(bends) - sum(bends) :]))]
        assert sum(bends) < 2 or any(stair)
        assert len(set(steps)) < 3
        shapes.add(sum(bends))
    assert len(shapes) > 2
