"""Found drawings that grow: tables of proved bounds, sound, read again as written."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from heuristic.groups import rules_together
from heuristic.rule import Boards
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from tests.samples import proof_of
from verify.discovery import search
from verify.discovery.families import (
    Family,
    bounds,
    drawable,
    enlarged,
    families,
    growths,
    in_front,
    rule_of,
    ways_of,
)
from verify.discovery.gaps import gaps_at
from verify.discovery.question import Picture
from verify.discovery.search import Pool, Search
from verify.evidence.evidence import verify_exhaustive
from verify.proof.prove import Proved, prove_rule
from verify.strategies import Source, more_walks, walk_of

STRAIGHT = """
[[rule]]
name = "four"
claim = "sound"
origin = "here"
reason = "a line of four cells"
drawing = \"\"\"
% e m m s ?
? ? ? ? x @
\"\"\"
area = [{ side = "left", kind = "beyond", low = 0, high = 1, base = [0, 0] }]
"""
STAIR = """
[[rule]]
name = "stair"
claim = "sound"
origin = "here"
reason = "a stair"
drawing = \"\"\"
% ? ? ?
? e m ?
? ? s ?
? ? x @
\"\"\"

[[rule.area]]
cells = [[1, 1], [1, 2], [2, 2]]
side = "left"
kind = "even"
base = [0, 0]
wall = [3, 3]
"""


def picture_of(text: str) -> Picture:
    """Return the picture of a drawing that asks for nothing but its areas."""
    return Picture((), parse_rules(text, "here")[0].drawings[0].areas)


@pytest.fixture(scope="module")
def straight() -> Family:
    found = list(families(picture_of(STRAIGHT), 9))
    assert len(found) == 1
    return found[0]


def test_a_line_grows_straight_on_from_one_cell(straight: Family) -> None:
    lengths = [
        len(enlarged(straight.picture, straight.growth, k).areas[0].cells)
        for k in range(3)
    ]
    assert lengths == [1, 2, 3]
    assert straight.distances == (1, 7)  # with the wall and the live end 9 columns
    fourth = enlarged(straight.picture, straight.growth, 3)
    assert fourth == in_front(picture_of(STRAIGHT), 0)


@pytest.mark.parametrize(
    ("column", "begins", "shortest"), [(1, 1, 2), (3, 3, 4), (4, 1, 1)]
)
def test_a_family_begins_with_what_grows_into_its_drawing(
    column: int, begins: int, shortest: int
) -> None:
    """A cell that is asked stays beside the line, or goes on with the line's end."""
    asked = replace(picture_of(STRAIGHT), cells=(((0, -column), "#"),))
    (family,) = families(asked, 9)
    assert family.picture.cells == (((0, -begins), "#"),)
    assert family.distances == (shortest, 7)
    assert enlarged(family.picture, family.growth, 4 - shortest) == in_front(asked, 0)


def test_a_stair_grows_by_steps() -> None:
    found = [enlarged(page, growth, 2) for page, growth in growths(picture_of(STAIR))]
    lines = {one.areas[0].cells for one in found}
    assert (
        (-1, -1),
        (-2, -1),
        (-2, -2),
        (-3, -2),
        (-3, -3),
        (-4, -3),
        (-4, -4),
    ) in lines
    assert all(drawable(one) for one in found)


def test_bounds_are_those_that_a_proof_confirms(straight: Family) -> None:
    """One less on either side is no bound: the prover has a model then."""
    ways, ranges = straight.tables[0]
    turn, move = ways[0]
    for step in (0, 2):
        member = enlarged(straight.picture, straight.growth, step)
        low, high = ranges[step]
        assert bounds(member, (turn, move)) == (low, high)

        for shrunk in ((low + 1, high), (low, high - 1)):
            text = rule_of(Family(member, straight.growth, ((ways, (shrunk,)),)))
            assert not isinstance(prove_rule(text, seconds=2), Proved)


def test_a_family_is_proved_and_sound(straight: Family) -> None:
    rule = rule_of(straight, "family", "a line that grows")
    assert proof_of(rule, seconds=5)
    assert verify_exhaustive(rules_together("one", [rule]), Board.parse("5x7")).sound
    rules, fired = rules_together("one", [rule]), 0
    for source in more_walks(Source(Board.square(11), Boards.ANY, seed=3), 60):
        found = walk_of(source)
        assert found is not None
        board, walk = found
        masks = rules.walker(board).along(walk)[:, 0].tolist()
        for mask, (here, after) in zip(masks, pairwise(walk), strict=True):
            assert not mask >> board.direction(here, after) & 1
        fired += sum(map(bool, masks))
    assert fired


def test_a_way_whose_numbers_a_cell_does_not_change_is_left_out() -> None:
    """The cell's table differs from that of the line alone in some member."""
    asked = replace(picture_of(STRAIGHT), cells=(((0, -1), "#"),))
    (family,) = families(asked, 9)
    bare = Picture((), family.picture.areas[:1])
    ways = {way for ways, _ in family.tables for way in ways}
    assert ways < set(ways_of(family.picture))
    for ways_alike, ranges in family.tables:
        for way in ways_alike:
            plain = [
                bounds(enlarged(bare, family.growth, times), way)
                for times in range(len(ranges))
            ]
            assert plain != list(ranges)


def test_a_family_catches_what_its_drawing_did_and_takes_its_place(
    straight: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position.parse("9:DRURDDDRDR")
    pool = Pool(gaps_at(position.board, [(position, "D")]))
    entry = next(Search(pool, 0, np.ones(1)).explain())
    pool.add([entry])
    both = [*families(entry.found.picture, 9), straight]  # straight catches nothing
    monkeypatch.setattr(search, "families", lambda *_: both)
    assert pool.grow(entry, 9) == len(both)
    assert entry not in pool.entries
    grown = [one for one in pool.entries if isinstance(one.found, Family)]
    assert grown
    assert pool.columns.shape == (len(pool.gaps), len(pool.entries))
    assert not pool.open[0]
    before = len(pool.entries)
    assert pool.grow(grown[0], 9) == 0
    assert len(pool.entries) == before
