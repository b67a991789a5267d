from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from heuristic.groups import drawings_of, load_rules
from heuristic.matching import areas
from heuristic.matching.areas import STEP, next_step
from heuristic.matching.pattern import (
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
    placement_matches,
)
from heuristic.matching.tables import compile_rules, planted
from heuristic.rule import letters
from heuristic.rules.drawing import (
    ANY,
    AROUND,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Kind,
    RuleSpec,
)
from heuristic.rules.rulefile import parse_rules
from heuristic.written import WrittenRule
from solver.board import LETTERS, STEPS, Board, Position
from solver.symmetry import ROTATIONS, Symmetry
from tests.doubles import rules as naive_rules
from tests.heuristic.test_forced import random_positions
from tests.samples import book
from verify.strategies import positions, rule_drawings

BOARDS = [Board.square(5), Board.square(7), Board.parse("6x7@2,1>5,6!3,4;4,4")]


def walked(board: Board, seed: int, walks: int) -> list[Position]:
    """Return the positions of a few random walks, from the second step on."""
    walker = load_rules("c-shape").walker(board)
    found = []
    for number in range(walks):
        position = walker.walk(seed + number).position
        found += [position.back(k) for k in range(len(position.walk) - 2)]
    return found


def kernel_masks(
    rules: list[RuleSpec], position: Position, *, tree: bool = False
) -> list[set[str]]:
    tables, board = compile_rules(rules), position.board
    tables = planted(tables) if tree else tables
    masks = np.zeros(len(rules), dtype=np.int32)
    united = evaluate(
        tables,
        new_order(board, position.walk),
        board_numbers(board),
        position.live_end,
        position.heading,
        new_scratch(tables, board),
        masks,
    )
    assert united == np.bitwise_or.reduce(masks)
    return [set(letters(int(mask))) for mask in masks]


@st.composite
def rules_at(draw: st.DrawFn) -> tuple[RuleSpec, Position]:
    position = draw(positions())
    return draw(rule_drawings(position=position)), position


@settings(deadline=None, max_examples=200)
@given(rules_at())
def test_the_kernel_is_the_literal_reading(case: tuple[RuleSpec, Position]) -> None:
    rule, position = case
    assert kernel_masks([rule], position) == [naive_rules.forbidden(rule, position)]


def one_area(rng: Random) -> RuleSpec:
    """Return a rule that tests a random area beside the live end, and forbids all."""
    line = [rng.choice(AROUND)]
    for _ in range(rng.randrange(3)):
        nexts = [(line[-1][0] + d[0], line[-1][1] + d[1]) for d in AROUND[::2]]
        nexts = [at for at in nexts if at not in line and at != (0, 0)]
        line.append(rng.choice(nexts))
    walls = [(line[-1][0] + d[0], line[-1][1] + d[1]) for d in AROUND]
    walls = [at for at in walls if at not in line and at != (0, 0)]
    low = rng.randrange(-1, 2)
    area = AreaSpec(
        cells=tuple(line),
        side=rng.choice(["left", "right"]),
        base=(0, 0),
        wall=rng.choice(walls),
        kind=rng.choice(list(Kind)),
        low=low,
        high=low + rng.randrange(2),
        entry=rng.choice(line),
        least=rng.choice([1, 1, 3]),
    )
    needs = [CellNeed(at, CellState.FREE) for at in line]
    needs.append(CellNeed(area.wall, CellState.VISITED | CellState.OUTSIDE))
    drawing = Drawing("", tuple(needs), (area,), (), AROUND[::2])
    return RuleSpec("area", "sound", "a test", "it was drawn so", (drawing,))


def test_areas_are_filled_and_judged_as_the_naive_double_does() -> None:
    rng = Random(5)
    places = [p for board in BOARDS for p in walked(board, 11, 40)]
    fired = dict.fromkeys(Kind, 0)
    for _ in range(1200):
        rule, position = one_area(rng), rng.choice(places)
        expected = naive_rules.forbidden(rule, position)
        assert kernel_masks([rule], position) == [expected], (rule, position)
        fired[rule.drawings[0].areas[0].kind] += bool(expected)
    assert min(fired.values()) >= 2, fired


@pytest.mark.parametrize(
    ("spec", "seen"), [("seed-5", 4), ("seed-close", 8), ("seed-5,seed-close", 5)]
)
def test_the_book_is_matched_as_the_naive_double_does(spec: str, seen: int) -> None:
    rules = load_rules(spec)
    specs = drawings_of(rules)
    fired = set()
    for position in [p for board in BOARDS for p in walked(board, 3, 4)]:
        expected = naive_rules.forbidden_by_all(specs, position)
        assert kernel_masks(specs, position) == expected, position
        forbids = rules.forbids(position)
        assert [(f.rule, f.move) for f in forbids] == [
            (spec.name, move)
            for spec, moves in zip(specs, expected, strict=True)
            for move in "URDL"
            if move in moves
        ]
        fired |= {f.rule for f in forbids}
    assert len(fired) >= seen, fired


@settings(deadline=None, max_examples=60)
@given(rules_at(), st.sampled_from(list(Symmetry)))
def test_a_turned_position_is_forbidden_the_turned_moves(
    case: tuple[RuleSpec, Position], symmetry: Symmetry
) -> None:
    rule, position = case
    if rule.drawings[0].frame.value == "board" or not rule.drawings[0].mirror:
        return
    here = naive_rules.forbidden(rule, position)
    there = kernel_masks([rule], symmetry.position(position))[0]
    assert there == {"URDL"[symmetry.direction("URDL".index(move))] for move in here}


def test_a_tracker_answers_as_a_fresh_question_does() -> None:
    rules = load_rules("seed-5,seed-close")
    specs = drawings_of(rules)
    full = walked(BOARDS[1], 8, 1)[0]
    tracker = rules.walker(full.board)
    assert tracker.masks() == [0] * len(specs)
    for cell in full.walk[1:]:
        tracker.push(cell)
    for steps in range(1, len(full.walk)):
        tracker.pop()
        masks = [set(letters(mask)) for mask in tracker.masks()]
        assert masks == kernel_masks(specs, full.back(steps))


@pytest.mark.parametrize(("name", "ways"), [("c-shape", 4), ("area-near-border", 1)])
def test_every_placement_of_a_rule_matches_somewhere(name: str, ways: int) -> None:
    drawing, matched = book(name).drawings[0], set[int]()
    tables = compile_rules([replace(book(name), drawings=(drawing,))])
    assert tables.heads.tolist() == [heading * ways for heading in range(5)]
    for board in BOARDS:
        scratch, numbers = new_scratch(tables, board), board_numbers(board)
        for position in walked(board, 2, 10):
            order = new_order(board, position.walk)
            next_step(scratch)
            found = set()
            for p in range(*tables.heads[position.heading :][:2]):
                here = position.live_end
                if placement_matches(tables, p, order, numbers, here, scratch):
                    found.add(p)
            laid = naive_rules.layouts(drawing, LETTERS[position.heading])
            slow = [naive_rules.matches(drawing, position, way) for way in laid]
            assert len(found) == sum(slow)
            matched |= found
    assert matched == set(range(4 * ways))


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
    ("first", "second", "obeyed"),
    [
        ("", "", False),
        ("stops = true", "", True),
        ("", 'unless = ["first"]', True),
        ('unless = ["second"]', "", False),
        ("", 'unless = ["other"]', False),
    ],
)
def test_precedence(first: str, second: str, obeyed: bool) -> None:
    text = RULE.format(name="first", more=first)
    text += RULE.format(name="second", more=second)
    rules, position = list(parse_rules(text)), Position.parse("5:R")
    expected = [{"R", "D"}, set() if obeyed else {"R", "D"}]
    assert kernel_masks(rules, position) == expected
    assert naive_rules.forbidden_by_all(rules, position) == expected


def test_a_rule_stands_back_for_those_alone_that_it_names() -> None:
    more = ("", 'unless = ["rule-0"]', 'unless = ["rule-1"]')
    text = "".join(RULE.format(name=f"rule-{k}", more=x) for k, x in enumerate(more))
    rules, position = list(parse_rules(text)), Position.parse("5:R")
    expected = [{"R", "D"}, set(), {"R", "D"}]  # rule-1 forbids nothing here
    assert kernel_masks(rules, position) == expected
    assert naive_rules.forbidden_by_all(rules, position) == expected


def test_a_reason_names_the_cells_and_the_counts_of_the_area() -> None:
    rule = load_rules("area-near-border").rules[0]
    position, forbid = next(
        (p, f) for p in walked(Board.square(7), 1, 30) for f in rule.forbids(p)
    )
    reason = forbid.reason
    black = sum(position.board.black(cell) for cell in reason.area)
    white = len(reason.area) - black
    assert dict(reason.facts) == {"black 1": black, "white 1": white}
    assert (black + white) % 2 == 1
    told = f"its area has {black + white} cells, {black} black and {white} white"
    assert told in reason.sentence
    assert reason.cells
    assert not set(reason.area) & set(position.walk)


def test_a_drawn_rule_shrinks_to_the_smallest_drawing() -> None:
    smallest = find(rule_drawings(), lambda rule: True)
    # Shrinking may end at either letter of a forbidden move.
    assert smallest.drawings[0].text.lower() == "x\n@"
    with_area = find(rule_drawings(), lambda rule: bool(rule.drawings[0].areas))
    assert with_area.drawings[0].text.lower() == "s\n@"


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
    one, other = (parse_rules(ORDERED.format(first=a, then=1 - a))[0] for a in (0, 1))
    seen = set()
    for position in [p for board in BOARDS for p in walked(board, 6, 8)]:
        for rule in (one, other):
            expected = naive_rules.forbidden(rule, position)
            assert kernel_masks([rule], position) == [expected], position
            seen |= {(rule is one, move) for move in expected}
    assert len(seen) == 8


def test_a_door_with_nothing_behind_it_may_be_passed() -> None:
    # straight on (L) a completion exists: the old walk runs as it must, but the area
    # on the right is the door alone
    position = Position.parse("7:DDRRDDDLUULDDDRRRURDRUUL")
    rule = load_rules("close-mid-across-right").rules[0]
    assert isinstance(rule, WrittenRule)
    assert [f.move for f in rule.forbids(position)] == []
    text = Path("heuristic/book/seed-close.toml").read_text()
    careless = parse_rules(text.replace(", least = 2", ""))[5]
    assert careless.name == rule.name
    assert "L" in naive_rules.forbidden(careless, position)


def needs_at(position: Position, rng: Random, name: str) -> RuleSpec:
    """Return a rule whose needs nearly all hold at a position, in one placement."""
    ahead, left = STEPS[position.heading], STEPS[(position.heading + 3) % 4]
    span = [at for at in product(range(-3, 4), range(-2, 4)) if any(at)]
    landed = {
        (x, y): complex(-x * ahead[1] - y * left[1], x * ahead[0] + y * left[0])
        for x, y in span
    }
    cell, state = naive_rules.found_there(position, landed)
    needs = []
    for at in rng.sample(span, rng.randrange(4)):
        states = CellState(rng.randrange(1, 8)) | state(at)
        if rng.random() < 0.1:
            states = CellState(7) ^ state(at)
        not_end = rng.random() < 0.3 and cell(at) >= 0
        if states != ANY or not_end:
            needs.append(CellNeed(at, states, not_end))
    ends = [at for at in span if cell(at) == position.board.end]
    if ends and rng.random() < 0.3:
        needs = [need for need in needs if need.at != ends[0]]
        needs.append(CellNeed(ends[0], CellState.FREE, not_end=rng.random() < 0.5))
    moves = tuple(rng.sample(AROUND[::2], rng.randrange(1, 4)))
    turns = tuple(rng.sample(list(ROTATIONS), rng.randrange(1, 3)))
    drawing = Drawing("", tuple(needs), (), (), moves, turns=turns)
    return RuleSpec(name, "sound", "a test", "it was drawn so", (drawing,))


@pytest.mark.parametrize("text", ["5", "4x6", "6x7@2,1>5,6!3,4;4,4", "5@1,3>3,3"])
def test_needs_are_tested_as_the_naive_double_tests_them(text: str) -> None:
    rng, fired, silent = Random(6), 0, 0
    board = Board.parse(text)
    places = [p for p in random_positions(board, 2, 12) if p.heading >= 0]
    for _ in range(60):
        position = rng.choice(places)
        rules = [needs_at(position, rng, name) for name in "abc"]
        rules[1] = replace(rules[1], stops=rng.random() < 0.3)
        rules[2] = replace(rules[2], unless=("a",) if rng.random() < 0.3 else ())
        image = rng.choice(list(Symmetry)).position(position)
        expected = naive_rules.forbidden_by_all(rules, image)
        assert kernel_masks(rules, image) == expected, (rules, image)
        free = [replace(rule, stops=False, unless=()) for rule in rules]
        alone = [naive_rules.forbidden(rule, image) for rule in free]
        assert kernel_masks(free, image, tree=True) == alone, (free, image)
        fired, silent = fired + sum(map(bool, alone)), silent + alone.count(set())
    assert min(fired, silent) > 20, (fired, silent)


@pytest.mark.parametrize("tree", [False, True])
def test_nothing_is_left_of_a_step_long_ago(tree: bool) -> None:
    rule, board, fired = book("area-near-border"), BOARDS[1], 0
    tables = planted(compile_rules([rule])) if tree else compile_rules([rule])
    masks = np.zeros(1, dtype=np.int32)
    for position in [p for p in walked(board, 1, 8) if len(p.walk) > 3]:
        scratch = new_scratch(tables, board)
        for place, steps in ((position.back(2), 0), (position, areas._MANY + 1)):
            scratch[STEP] = steps
            order = new_order(board, place.walk)
            ask = board_numbers(board), place.live_end, place.heading
            evaluate(tables, order, *ask, scratch, masks)
            assert scratch[STEP] == 1
            expected = naive_rules.forbidden(rule, place)
            assert set(letters(int(masks[0]))) == expected, (place, steps)
        fired += bool(expected)
        scratch[STEP] = areas._MANY
        next_step(scratch)
        assert scratch[STEP] == areas._MANY + 1
    assert fired
