"""Verdicts on drawings with forced edges: refuted truly, sharpened, compared."""

from dataclasses import replace

import pytest

from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.symmetry import Symmetry
from tests.doubles.mutation import mutants
from tests.heuristic.test_ties import CORNER, FULL, loop
from verify.checker.position import find_fault
from verify.proof.counterexample import directed
from verify.verdict.comparison import implies
from verify.verdict.conditions import looser, removals

BEHIND = ((0, -1), (0, 1))


@pytest.fixture
def corner() -> RuleSpec:
    """Return a rule that is wrong: it asks for a forced line beside the walk."""
    (rule,) = parse_rules(CORNER)
    return rule


def test_directed_search_finds_positions_where_the_line_is_forced(
    corner: RuleSpec,
) -> None:
    (drawing,) = corner.drawings
    hits = [
        directed(drawing, Symmetry.IDENTITY, move, Board.square(side), seconds=10.0)
        for side in (7, 9)
        for move in BEHIND
    ]
    assert all(hits)
    for hit in hits:
        assert hit is not None
        position, completion = hit
        assert find_fault(position.notation, completion) is None
        step = position.board.direction(position.live_end, completion[0])
        forbidden = {f.move for f in RuleSet(corner.name, [corner]).forbids(position)}
        assert "URDL"[step] in forbidden


FOLLOWED = """
[[rule]]
name = "followed"
claim = "unargued"
dead = [[[0, 0], [1, 0]]]
drawing = '''
? ? ? x
% e s @
'''
area = [{ side = "left", kind = "closed" }]
"""


def test_directed_search_finds_positions_where_a_step_is_followed() -> None:
    (rule,) = parse_rules(FOLLOWED)
    (drawing,) = rule.drawings
    board = Board.square(7)
    hit = directed(drawing, Symmetry.IDENTITY, (-1, 0), board, seconds=20.0)
    assert hit is not None
    position, completion = hit
    assert find_fault(position.notation, completion) is None
    step = position.board.direction(position.live_end, completion[0])
    assert "URDL"[step] in {
        f.move for f in RuleSet(rule.name, [rule]).forbids(position)
    }
    assert (
        directed(drawing, Symmetry.IDENTITY, (0, -1), Board.square(5), seconds=5.0)
        is None
    )


def test_conditions_that_are_forced_can_be_dropped_one_by_one() -> None:
    drawing = loop(joined="[[[2, 1], [1, 1]], [[0, 2], [0, 3]], [[3, 3], [3, 4]]]")
    (one,) = drawing.drawings
    told = [change.text for change in looser(one)]
    assert told == [
        "the edge [3, 3] to [3, 4] need not be forced",
        "no forced line need end at [0, 2] and [1, 1]",
    ]
    changed = [change.drawing for change in looser(one)]
    assert [len(d.pairs("joined")) for d in changed] == [2, 3]
    assert [len(d.pairs("mates")) for d in changed] == [1, 0]
    free = {at for pair in one.pairs("joined") for at in pair}
    for change in removals(one):  # the cells of forced edges stay free
        assert {n.at for n in change.drawing.needs} >= free
    names = [change for change, _ in mutants(drawing)]
    assert sum("forced" in name for name in names) == 2


def test_less_that_is_forced_implies_more_never_the_other_way() -> None:
    (full,) = parse_rules(FULL)
    weaker = replace(
        full, drawings=tuple(replace(d, facts=d.facts[:1]) for d in full.drawings)
    )
    assert implies(full, full)
    assert implies(weaker, full)
    assert not implies(full, weaker)
    assert implies(loop(mates=""), loop())
    assert not implies(loop(), loop(mates=""))
    (followed,) = parse_rules(FOLLOWED)
    bare = replace(followed.drawings[0], areas=())  # a step is dead there with more
    assert not implies(replace(followed, drawings=(bare,)), followed)
