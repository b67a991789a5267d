"""The dead moves that a book misses, as rows: against a slow double."""

import numpy as np
import pytest

from heuristic.groups import drawings_of, load_rules
from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from solver.board import Board
from solver.positions import completable_positions
from verify.discovery.gaps import (
    END,
    LEFT,
    STRAIGHT,
    VISITED_CELL,
    Gaps,
    columns_of,
    missed_by,
    page_of,
    vicinities_of,
)

FIVE = Board.square(5)


def gaps_of_5(rules: tuple[RuleSpec, ...] = ()) -> Gaps:
    return missed_by(rules, completable_positions(FIVE))


def naive_gaps(board: Board, rules: str) -> set[tuple[frozenset[int], int, int, int]]:
    """Return distinct dead moves the slow way: visited, live end, heading, move."""
    rule_set = load_rules(rules) if rules else None
    gaps = set()
    for position, good in completable_positions(board):
        if position.heading < 0:
            continue
        banned = {f.move for f in rule_set.forbids(position)} if rule_set else set()
        for move in position.options():
            last = len(position.walk) == board.cells - 1
            early = position.step(move).live_end == board.end and not last
            if move not in good and move not in banned and not early:
                cells = frozenset(position.walk)
                number = "URDL".index(move)
                gaps.add((cells, position.live_end, position.heading, number))
    return gaps


@pytest.mark.parametrize(
    ("text", "rules"), [("5", ""), ("5", "c-shape"), ("3x4@1,2>3,3", "")]
)
def test_gaps_are_the_dead_moves_that_rules_allow(text: str, rules: str) -> None:
    """On the last board two first moves are dead: they have no heading, so no gap."""
    board = Board.parse(text)
    drawings = tuple(drawings_of(load_rules(rules)) if rules else ())
    gaps = missed_by(drawings, completable_positions(board))
    seen = set()
    for number in range(len(gaps)):
        cells = frozenset(np.flatnonzero(gaps.states[number] == VISITED_CELL).tolist())
        last = gaps.live[number], gaps.heading[number], gaps.move[number]
        seen.add((cells, *map(int, last)))
    assert len(seen) == len(gaps)
    assert seen == naive_gaps(board, rules)


def test_an_example_of_a_gap_shows_it() -> None:
    gaps, tree = gaps_of_5(), completable_positions(FIVE)
    assert (len(gaps), gaps.counts.sum()) == (332, 550)
    for number in range(0, len(gaps), 17):
        position = tree.position(int(gaps.first[number]))
        assert set(position.walk) == {
            *np.flatnonzero(gaps.states[number] == VISITED_CELL).tolist()
        }
        assert position.live_end == gaps.live[number]
        assert position.heading == gaps.heading[number]


def test_views_show_what_pages_show() -> None:
    gaps = gaps_of_5()
    views = vicinities_of(gaps, 3)
    for row, number in enumerate(views.of[: len(gaps)]):
        page = page_of(gaps, int(number))
        assert page.move in (STRAIGHT, LEFT)
        assert views.straight[row] == (page.move == STRAIGHT)
        for cell in ((r, c) for r in range(-3, 4) for c in range(-3, 4)):
            code = page.state(cell) | (END if cell == page.end else 0)
            assert views.codes[row, views.column(cell)] == code


def test_columns_are_what_the_rules_forbid() -> None:
    gaps, tree = gaps_of_5(), completable_positions(FIVE)
    rules = drawings_of(load_rules("seed-5"))
    sets = [RuleSet(rule.name, [rule]) for rule in rules]
    columns = columns_of(rules, gaps)
    for number in range(0, len(gaps), 7):
        position = tree.position(int(gaps.first[number]))
        move = "URDL"[int(gaps.move[number])]
        for column, alone in enumerate(sets):
            forbidden = {f.move for f in alone.forbids(position)}
            assert columns[number, column] == (move in forbidden)
