"""Verdicts on drawings with forced edges: refuted and compared."""

from dataclasses import replace

import pytest

from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Symmetry
from tests.heuristic.test_ties import CORNER, FULL, loop
from verify.checker.position import find_fault
from verify.proof.counterexample import directed_search
from verify.verdict.comparison import implies

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
        directed_search(drawing, Symmetry.IDENTITY, move, Board.square(side))
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
    hit = directed_search(drawing, Symmetry.IDENTITY, (-1, 0), board, seconds=20.0)
    assert hit is not None
    position, completion = hit
    assert find_fault(position.notation, completion) is None
    step = position.board.direction(position.live_end, completion[0])
    assert "URDL"[step] in {
        f.move for f in RuleSet(rule.name, [rule]).forbids(position)
    }
    small = Board.square(5)
    assert directed_search(drawing, Symmetry.IDENTITY, (0, -1), small) is None


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
