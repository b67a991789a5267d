"""Random walks, left-first walks and their statistics, with kernels and without."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.matching import drawn
from heuristic.matching.drawn import (
    MOST_CELLS,
    Key,
    Tried,
    find_row,
    key_of,
    new_tried,
    store_row,
    toggle_cell,
)
from heuristic.matching.tables import compile_rules
from heuristic.rule import RuleSet, mask_of, union_mask
from heuristic.rules.rulefile import parse_rules
from heuristic.walker import UNLIMITED, Event, LeftFirstWalk, Statistics
from solver.board import LETTERS, Board, Position
from solver.errors import OptionError
from solver.splitmix import below, seeded
from tests.doubles import positions as naive
from tests.doubles.walkers import SlowRules, SlowWalker
from tests.heuristic.test_matching import ORDERED
from tests.heuristic.test_ties import CORNER, FULL
from tests.samples import NEVER_AHEAD, specs

CLOSE = "seed-5,seed-close"
# drawings, procedures, future lines, theorems, and mixed kinds
KINDS = [CLOSE, "seed-kernels", "seed-future", "universal-4", "universal"]
KINDS += ["fragments", "strips,two-factor", "forced-edges", "block-chain,two-factor"]
KINDS += ["seed-5,fragments", "sa-next-step"]


@pytest.mark.parametrize("text", ["5", "8", "6x7@2,1>5,6!3,4;4,4", "1x4", "1x1"])
@pytest.mark.parametrize("spec", KINDS)
def test_random_walks_are_those_of_the_slow_walker(
    spec: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn, "SLICE", 3)  # the kernel in slices
    board, rules = Board.parse(text), load_rules(spec)
    fast, slow = rules.walker(board), SlowWalker(rules.walker(board))
    walks = [fast.walk(seed) for seed in range(15)]
    assert walks == [slow.walk(seed) for seed in range(15)]
    assert walks[::-1] == [fast.walk(seed) for seed in reversed(range(15))]
    for walk in walks[:3]:
        middle = walk.back(len(walk.walk) // 2)
        further = fast.walk(7, middle)
        assert further == slow.walk(7, middle)
        assert further.walk[: len(middle.walk)] == middle.walk
    if spec == CLOSE:
        assert len(set(walks)) > 1 or board.rows == 1


def test_a_random_walk_obeys_its_rules_and_ends_with_no_move_left() -> None:
    rules, board = load_rules(CLOSE), Board.square(9)
    walks = [rules.walker(board).walk(seed) for seed in range(40)]
    assert {walk.complete for walk in walks} == {True, False}
    for walk in walks[:25]:
        walker = rules.walker(board)
        for before, cell in pairwise(walk.walk):
            made = board.direction(before, cell)
            assert not union_mask(walker.masks()) >> made & 1
            walker.push(cell)
        forbidden = union_mask(walker.masks())
        for move, cell in walk.options().items():
            assert cell == board.end or forbidden & mask_of(move)


def test_the_generator_is_the_published_one() -> None:
    # first output of splitmix64 for the seed 1234567 (Vigna's reference code)
    assert below(seeded(1234567), 1 << 31) == 6457827717110365317 >> 33


def test_statistics_of_walks_that_all_get_stuck() -> None:
    assert Statistics(100, 20).error_rate == 0.2
    assert Statistics(100, 100).in_words() == ("0", "0 to 0.0384")


def completed(walk: LeftFirstWalk) -> Iterator[Position]:
    while walk.run(stop_complete=True) is Event.COMPLETE:
        yield walk.position


@pytest.mark.parametrize(
    ("text", "spec", "walks", "stuck"),
    [
        ("5:", "seed-5", 104, 28),
        ("5:", "seed-close", 104, 8970),
        ("5:", CLOSE, 104, 0),
        pytest.param("7:", "seed-5", 111712, 185256, marks=pytest.mark.slow),
        pytest.param("7:", CLOSE, 111712, 604, marks=pytest.mark.slow),
    ],
)
def test_the_left_first_walk_finds_all_walks(
    text: str, spec: str, walks: int, stuck: int
) -> None:
    walk = LeftFirstWalk(load_rules(spec), Position.parse(text))
    assert walk.run() is Event.FINISHED
    assert (walk.completed, walk.stuck) == (walks, stuck)


def test_left_comes_first_then_straight_then_right() -> None:
    walks = list(completed(LeftFirstWalk(load_rules(CLOSE), Position.parse("5:"))))
    every = naive.every_position(Board.square(5))
    assert {*walks} == {position for position, _ in every if position.complete}
    assert walks[0].moves.startswith("RRRRD")
    keys = []
    for walk in walks:
        headings = [1, *map(LETTERS.index, walk.moves)]
        pairs = pairwise(headings)
        keys.append([(move - heading + 1) % 4 for heading, move in pairs])
    assert keys == sorted(keys)


def test_a_rule_is_needed_where_no_other_forbids_the_move() -> None:
    rules = load_rules(CLOSE)
    walk = LeftFirstWalk(rules, Position.parse("5:"))
    firsts = dict[str, int]()
    event = Event.BUDGET
    while event is Event.BUDGET:
        forbids = rules.forbids(walk.position)
        for forbid in forbids:
            others = [f for f in forbids if f.move == forbid.move]
            if others == [forbid]:
                firsts.setdefault(forbid.rule, walk.completed)
        event = walk.run(budget=1)
    assert walk.needed == firsts
    assert [*walk.needed.values()] == sorted(firsts.values())


@pytest.mark.parametrize("slow", [False, True])
def test_a_run_may_begin_where_another_one_stands(slow: bool) -> None:
    rules = SlowRules(load_rules("seed-7")) if slow else load_rules("seed-7")
    whole = completed(LeftFirstWalk(rules, Position.parse("5:")))
    for number, position in [*enumerate(whole, 1)][::20]:
        for counted in (True, False):
            rest = LeftFirstWalk.standing(rules, position, counted=counted)
            assert rest.run() is Event.FINISHED
            assert number + rest.completed == 104 + (not counted)


def test_progress_is_reported_five_times_a_second() -> None:
    walk = LeftFirstWalk(SlowRules(load_rules("seed-5")), Position.parse("7:"))
    steps: list[int] = []
    walk.run(budget=2 * walk.pace + 1, progress=lambda w: steps.append(w.steps))
    assert len(steps) == 11
    assert steps == sorted(steps)
    with pytest.raises(OptionError, match="budget is -1"):
        walk.run(budget=-1)


TEXTS = {"never-ahead": NEVER_AHEAD, "ties": CORNER + FULL}


@cache
def rule_set(group: str) -> RuleSet:
    texts = TEXTS.get(group)
    return RuleSet(group, parse_rules(texts)) if texts else load_rules(group)


GROUPS = ["seed-5", "seed-7", "seed-2024-full", "c-shape,sequence-recursion", *TEXTS]


@pytest.mark.parametrize("text", ["5:RRD", "4x5@1,1>4,1:", "4x4!2,3:", "1x1:", "1x3:"])
@pytest.mark.parametrize("group", GROUPS)
def test_left_first_kernels_stop_where_the_slow_walker_stops(
    text: str, group: str
) -> None:
    rules, root, rng = rule_set(group), Position.parse(text), Random(3)
    fast, slow = LeftFirstWalk(rules, root), LeftFirstWalk(SlowRules(rules), root)
    seen, ends = set[Event](), 0
    while ends < 2:
        stuck, complete = rng.random() < 0.4, rng.random() < 0.4
        most = slow.completed + rng.randrange(3) if rng.random() < 0.5 else UNLIMITED
        event, other = (
            walk.run(stop_stuck=stuck, stop_complete=complete, walks=most)
            for walk in (fast, slow)
        )
        assert event is other
        assert (fast.position, fast.needed) == (slow.position, slow.needed)
        counts = fast.completed, fast.stuck, fast.steps
        assert counts == (slow.completed, slow.stuck, slow.steps)
        seen.add(event)
        ends += event is Event.FINISHED
    assert len(seen) > 1 or "1x" in text or group not in ("seed-5", "seed-7")


@pytest.mark.parametrize("walks", range(8, 12))
def test_a_limit_of_walks_stops_within_what_was_tried_before(walks: int) -> None:
    # of the position that has the ninth walk ahead, a way that gets stuck comes last
    rules, root = load_rules("seed-5"), Position.parse("4x6@1,1>4,1:")
    fast, slow = LeftFirstWalk(rules, root), LeftFirstWalk(SlowRules(rules), root)
    assert fast.run(walks=walks) is slow.run(walks=walks) is Event.WALKS
    assert fast.completed == slow.completed == walks
    assert (fast.stuck, fast.steps) == (slow.stuck, slow.steps)
    assert fast.position == slow.position


def test_positions_met_before_are_counted_and_not_walked() -> None:
    walk, rounds = LeftFirstWalk(load_rules("seed-5"), Position.parse("6:")), 1
    while walk.run(budget=1) is Event.BUDGET:
        rounds += 1
    assert rounds < walk.steps  # forward alone; without them twice as many


def test_nothing_is_stored_where_more_than_the_position_counts() -> None:
    runs = compile_rules(parse_rules(ORDERED.format(first=0, then=1)))
    tables = compile_rules(specs("seed-5"))
    assert len(new_tried(tables, Board(6, 29, 0, 173), rows=8).table) == 8
    assert not len(new_tried(tables, Board(7, 25, 0, 174)).table)
    assert not len(new_tried(runs, Board.square(5)).table)


@st.composite
def places(draw: st.DrawFn) -> tuple[frozenset[int], int, int]:
    cells = st.integers(0, MOST_CELLS - 1)
    return draw(st.frozensets(cells)), draw(cells), draw(st.integers(0, 3))


def key_in(memory: Tried, cells: Iterable[int], live_end: int, heading: int) -> Key:
    memory.words[:] = 0
    for cell in cells:
        toggle_cell(memory, cell)
    return key_of(memory, live_end, heading)


@settings(deadline=None)  # the first call compiles
@given(places(), places())
def test_positions_that_differ_have_different_keys(
    a: tuple[frozenset[int], int, int], b: tuple[frozenset[int], int, int]
) -> None:
    memory = new_tried(compile_rules([]), Board.parse("6x29"), rows=8)
    first, second = key_in(memory, *a), key_in(memory, *b)
    assert (first == second) == (a == b)
    store_row(memory.table, first, 3, 1, 4)
    assert memory.table[find_row(memory.table, first), 3:].tolist() == [3, 1, 4]
    assert (find_row(memory.table, second) >= 0) == (a == b)


@pytest.mark.slow
def test_11x11_is_first_stuck_where_it_was() -> None:
    """Two minutes: the run of docs/explanation/measured.md."""
    walk = LeftFirstWalk(load_rules("seed-2024-full"), Position.parse("11:"))
    assert walk.run(stop_stuck=True) is Event.STUCK
    assert (walk.completed, walk.stuck) == (148_062_162, 1)
