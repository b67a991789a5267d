"""The dead moves that a book misses, as rows: against a slow double."""

from collections import Counter
from typing import TypeAlias

import numpy as np
import pytest

from heuristic.groups import drawings_of, load_rules
from heuristic.rule import RuleSet
from solver.board import LETTERS, Board
from solver.positions import completable_positions
from verify.discovery.gaps import (
    END,
    STRAIGHT,
    VISITED_CELL,
    Gaps,
    cells_within,
    columns_of,
    missed_by,
    page_of,
    vicinities_of,
)

FIVE = Board.square(5)
Gap: TypeAlias = tuple[frozenset[int], int, int, int]


def gap(gaps: Gaps, number: int) -> Gap:
    cells = np.flatnonzero(gaps.states[number] == VISITED_CELL).tolist()
    rows = gaps.live, gaps.heading, gaps.move
    live, heading, move = (int(row[number]) for row in rows)
    return frozenset(cells), live, heading, move


def naive_gaps(board: Board, rules: str) -> Counter[Gap]:
    """Count dead moves the slow way: visited, live end, heading, move."""
    rule_set = load_rules(rules) if rules else None
    gaps = Counter[Gap]()
    for position, good in completable_positions(board):
        if position.heading < 0:
            continue
        banned = {f.move for f in rule_set.forbids(position)} if rule_set else set()
        for move in position.options():
            last = len(position.walk) == board.cells - 1
            early = position.step(move).live_end == board.end and not last
            if move not in good and move not in banned and not early:
                place = frozenset(position.walk), position.live_end, position.heading
                gaps[*place, LETTERS.index(move)] += 1
    return gaps


@pytest.mark.parametrize(
    ("text", "rules"), [("5", ""), ("5", "c-shape"), ("3x4@1,2>3,3", "")]
)
def test_gaps_are_the_dead_moves_that_rules_allow(text: str, rules: str) -> None:
    """On the last board two first moves are dead: they have no heading, so no gap."""
    board = Board.parse(text)
    drawings = tuple(drawings_of(load_rules(rules)) if rules else ())
    tree = completable_positions(board)
    gaps = missed_by(drawings, tree)
    rows = [gap(gaps, number) for number in range(len(gaps))]
    counts = dict(zip(rows, gaps.counts.tolist(), strict=True))
    assert (len(counts), counts) == (len(rows), naive_gaps(board, rules))
    sizes = [len(cells) for cells, *_ in rows]
    assert sizes == sorted(sizes)
    for row, first in zip(rows, gaps.first.tolist(), strict=True):
        position = tree.position(first)
        place = frozenset(position.walk), position.live_end, position.heading
        assert place == row[:3]


def test_views_show_what_pages_show() -> None:
    gaps = missed_by((), completable_positions(FIVE))
    views = vicinities_of(gaps, 3)
    for row, number in enumerate(views.of[: len(gaps)]):
        page = page_of(gaps, int(number))
        assert views.straight[row] == (page.move == STRAIGHT)
        for cell in cells_within(3):
            code = page.state(cell) | (END if cell == page.end else 0)
            assert views.codes[row, views.column(cell)] == code


def test_columns_are_what_the_rules_forbid() -> None:
    tree = completable_positions(FIVE)
    gaps, rules = missed_by((), tree), drawings_of(load_rules("seed-5"))
    columns = columns_of(rules, gaps)
    for number in range(0, len(gaps), 7):
        position = tree.position(int(gaps.first[number]))
        move = LETTERS[int(gaps.move[number])]
        forbids = [RuleSet(rule.name, [rule]).forbids(position) for rule in rules]
        expected = [move in {f.move for f in some} for some in forbids]
        assert columns[number].tolist() == expected
