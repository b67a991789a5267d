"""The tree of needs says what the groups of placements say, rule by rule."""

from itertools import pairwise

import numpy as np
import pytest

from heuristic.groups import written_rules
from heuristic.language.drawing import RuleSpec
from heuristic.matching.compiling import compile_rules, fitting, grouped
from heuristic.matching.steps import Drawn, ask, new_drawn
from heuristic.matching.tables import NEXT, Tables
from solver.board import Board, Position
from solver.oracles.exact import exact_walk


def specs(group: str) -> list[RuleSpec]:
    return [rule for rule in written_rules(group) if isinstance(rule, RuleSpec)]


def said(drawn: Drawn, position: Position) -> tuple[int, list[int]]:
    """Return what rules forbid at a position: all together, and each."""
    drawn.order[:] = -1
    walk = np.array(position.walk, np.int32)
    drawn.order[walk] = np.arange(len(walk), dtype=np.int32)
    united = ask(drawn, walk, len(walk))
    return united, drawn.masks.tolist()


def tables(group: str, board: Board) -> tuple[Tables, Tables]:
    """Return tables with a tree and without."""
    fit = fitting(compile_rules(specs(group)), board)
    return fit, grouped(fit)


@pytest.mark.parametrize("side", [7, 11])
def test_a_tree_says_what_groups_say(side: int) -> None:
    board = Board.square(side)
    tree, groups = tables("found-9", board)
    assert len(tree.nodes)
    assert not len(groups.nodes)
    by_tree, by_groups = new_drawn(tree, board), new_drawn(groups, board)
    alone = by_tree._replace(masks=np.zeros(1, np.int32))
    fired = 0
    for seed in range(4):
        whole = exact_walk(board, seed).position
        for steps in range(1, len(whole.walk) - 2):
            position = whole.back(steps)
            if position.heading < 0:
                continue
            united, masks = said(by_groups, position)
            assert said(by_tree, position) == (united, masks)
            assert said(alone, position) == (united, [united])
            fired += united > 0
    assert fired > 50


def test_what_is_below_a_node_lies_between_it_and_the_next() -> None:
    tree, _ = tables("found-9", Board.square(9))
    heads = tree.node_heads.tolist()
    for begin, end in pairwise(heads):
        for at in range(begin, end):
            assert at < tree.nodes[at, NEXT] <= end
    placements = sorted(tree.leaves.tolist())
    assert placements == list(range(len(tree.placements)))


def test_rules_that_stop_others_have_no_tree() -> None:
    rules = [rule for rule in specs("seed-9-size") if rule.stops or rule.unless]
    assert rules
    fit = fitting(compile_rules(specs("seed-9-size")), Board.square(9))
    assert not len(fit.nodes)
