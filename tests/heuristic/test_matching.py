"""Drawn rules on a board: the kernel against the literal reading of drawings."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.groups import drawings_of, load_rules
from heuristic.rule import RuleSet, mask_moves
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from solver.positions import completable_positions
from tests.doubles import rules as naive
from tests.rule_texts import rule_drawings
from verify.strategies import positions

BOARDS = [Board.square(5), Board.square(7), Board.parse("6x7@2,1>5,6!3,4;4,4")]


def rule_set(rules: Sequence[RuleSpec]) -> RuleSet:
    return RuleSet("these", rules)


def masks_of(rules: Sequence[RuleSpec], position: Position) -> list[set[str]]:
    """Return the moves that each rule forbids at a position."""
    return [set(mask_moves(mask)) for mask in rule_set(rules).masks(position)]


def walked(board: Board, seed: int, walks: int) -> list[Position]:
    """Return the positions of a few random walks, from the second step on."""
    walker = load_rules("c-shape").walker(board)
    whole = [walker.walk(seed + number) for number in range(walks)]
    return [full.back(k) for full in whole for k in range(len(full.walk) - 2)]


@st.composite
def rules_at(draw: st.DrawFn) -> tuple[list[RuleSpec], Position]:
    """Draw three rules, some of which depend on earlier ones, and a position."""
    position = draw(positions())
    rules = []
    for name in ("first", "second", "third"):
        rule = draw(rule_drawings(position))
        unless = draw(st.lists(st.sampled_from(["first", "second"]), max_size=1))
        stops = draw(st.booleans()) and draw(st.booleans())
        rules.append(replace(rule, name=name, stops=stops, unless=tuple(unless)))
    return rules, position


@settings(deadline=None, max_examples=80)
@given(rules_at())
def test_all_roads_are_the_literal_reading(
    case: tuple[list[RuleSpec], Position],
) -> None:
    rules, position = case
    board, walker = position.board, rule_set(rules).walker(position.board)
    expected = [
        naive.forbidden_by_all(rules, position.back(k))
        for k in reversed(range(len(position.walk)))
    ]
    for at, place in enumerate(reversed([*map(position.back, range(len(expected)))])):
        walker.follow(place.walk)
        assert [set(mask_moves(mask)) for mask in walker.masks()] == expected[at]
    last = expected[-1]
    forbids = rule_set(rules).forbids(position)
    alone = [f for rule in rules for f in RuleSet(rule.name, [rule]).forbids(position)]
    assert all(forbid in alone for forbid in forbids)
    assert [(f.rule, f.move) for f in forbids] == [
        (rule.name, move)
        for rule, moves in zip(rules, last, strict=True)
        for move in "URDL"
        if move in moves
    ]
    for at, row in enumerate(walker.along(position.walk).tolist()):
        assert [set(mask_moves(mask)) for mask in row] == expected[at]
    walk = walker.walk(3, position)
    if len(walk.walk) > len(position.walk):
        assert walk.moves[len(position.moves)] not in set().union(*last)
    if board.open_cells < 14 and (tree := completable_positions(board)).walks:
        rows = [row for part in walker.tree(tree) for row in part.masks.tolist()]
        for number in range(0, len(tree), 1 + len(tree) // 20):
            there = naive.forbidden_by_all(rules, tree.position(number))
            assert [set(mask_moves(mask)) for mask in rows[number]] == there


@pytest.mark.parametrize(
    ("spec", "seen"),
    [("seed-5", 4), ("seed-close", 8), ("seed-5,seed-close", 5), ("found-7", 9)],
)
def test_the_book_is_matched_as_the_naive_double_does(spec: str, seen: int) -> None:
    rules = load_rules(spec)
    specs, fired = drawings_of(rules), set()
    for position in [p for board in BOARDS for p in walked(board, 3, 4)]:
        expected = naive.forbidden_by_all(specs, position)
        assert [set(mask_moves(mask)) for mask in rules.masks(position)] == expected
        fired |= {x.name for x, moves in zip(specs, expected, strict=True) if moves}
    assert len(fired) >= seen, fired


RULE = """
[[rule]]
name = "{name}"
claim = "sound"
origin = "a test"
reason = "it is forbidden"
{more}
drawing = '''
? x ?
x @ x
'''
"""


@pytest.mark.parametrize(
    ("more", "obeyed"),
    [
        (("", ""), "11"),
        (("stops = true", ""), "10"),
        (("", 'unless = ["rule-0"]'), "10"),
        (('unless = ["rule-1"]', ""), "11"),
        (("", 'unless = ["other"]'), "11"),
        # rule-1 forbids nothing here, so it excludes no rule
        (("", 'unless = ["rule-0"]', 'unless = ["rule-1"]'), "101"),
    ],
)
def test_a_rule_is_not_asked_where_an_earlier_one_excludes_it(
    more: tuple[str, ...], obeyed: str
) -> None:
    text = "".join(RULE.format(name=f"rule-{k}", more=x) for k, x in enumerate(more))
    rules, position = list(parse_rules(text)), Position.parse("5:R")
    expected = [{"R", "D"} if flag == "1" else set() for flag in obeyed]
    assert masks_of(rules, position) == expected
    assert naive.forbidden_by_all(rules, position) == expected


ORDERED = """
[[rule]]
name = "ordered"
claim = "unargued"
origin = "a test"
reason = "the older walk runs so"
drawing = '''
# #
? x
? @
'''
runs = [[[{first}, 2], [{then}, 2]]]
"""


def test_runs_ask_which_cell_was_visited_first() -> None:
    first, second = (
        parse_rules(ORDERED.format(first=a, then=1 - a))[0] for a in (0, 1)
    )
    seen = set()
    for position in [p for board in BOARDS for p in walked(board, 6, 8)]:
        for rule in (first, second):
            expected = naive.forbidden(rule, position)
            assert masks_of([rule], position) == [expected], position
            seen |= {(rule is first, move) for move in expected}
    assert len(seen) == 8


def test_a_door_with_nothing_behind_it_may_be_passed() -> None:
    # straight on (L) a completion exists: the old walk runs as it must, but the area
    # on the right is the door alone
    position = Position.parse("7:DDRRDDDLUULDDDRRRURDRUUL")
    assert not load_rules("close-mid-across-right").forbids(position)
    text = Path("heuristic/book/seed-close.toml").read_text()
    careless = parse_rules(text.replace(", least = 2", ""))[5]
    assert careless.name == "close-mid-across-right"
    assert "L" in naive.forbidden(careless, position)
