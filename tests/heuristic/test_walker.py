from collections.abc import Iterator
from functools import cache
from math import inf

import pytest

from heuristic.groups import load_rules
from heuristic.matching import drawn as drawn_walks
from heuristic.rule import union_mask
from heuristic.walks.leftfirst import Event, LeftFirstWalk
from heuristic.walks.walker import summarise
from solver.board import LETTERS, Board, Position
from solver.errors import OptionError
from solver.splitmix import below, seeded
from tests.doubles import positions as naive
from tests.doubles.walkers import SlowWalker

BOTH = "seed-5,seed-close"


def left_first(spec: str, root: str, *, slow: bool = False) -> LeftFirstWalk:
    """Return a walk from a position, by kernels or with none."""
    rules, place = load_rules(spec), Position.parse(root)
    walker = rules.walker(place.board)
    return LeftFirstWalk(rules, place, SlowWalker(walker) if slow else walker)


# a walker of every kind: drawings, procedures, future lines, theorems, and mixed ones
KINDS = [BOTH, "seed-kernels", "seed-future", "universal-4", "universal"]
KINDS += ["fragments", "strips,two-factor"]
KINDS += ["forced-edges", "block-chain,two-factor", "seed-5,fragments", "sa-next-step"]


@pytest.mark.parametrize("text", ["5", "8", "6x7@2,1>5,6!3,4;4,4", "1x4", "1x1"])
@pytest.mark.parametrize("spec", KINDS)
def test_kernel_and_tracker_make_the_same_random_walks(
    spec: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn_walks, "SLICE", 3)  # the kernel in slices
    board, rules = Board.parse(text), load_rules(spec)
    fast, slow = rules.walker(board), SlowWalker(rules.walker(board))
    walks = [fast.walk(seed) for seed in range(15)]
    assert walks == [slow.walk(seed) for seed in range(15)]
    assert walks[::-1] == [fast.walk(seed) for seed in reversed(range(15))]
    for result in walks[:3]:
        middle = result.position.back(len(result.position.walk) // 2)
        further = fast.walk(7, middle)
        assert further == slow.walk(7, middle)
        assert further.position.walk[: len(middle.walk)] == middle.walk
    if spec == BOTH:
        assert len({result.position for result in walks}) > 1 or board.rows == 1


def test_a_random_walk_obeys_its_rules_and_ends_with_no_move_left() -> None:
    rules, board = load_rules(BOTH), Board.square(9)
    results = [rules.walker(board).walk(seed) for seed in range(40)]
    assert {result.stuck for result in results} == {True, False}
    for result in results[:25]:
        position = result.position
        assert result.stuck != position.complete
        tracker = rules.walker(board)
        for index, cell in enumerate(position.walk[1:], 1):
            before = position.back(len(position.walk) - index)
            move = before.board.direction(before.live_end, cell)
            assert not union_mask(tracker.masks()) >> move & 1
            tracker.push(cell)
        allowed = [
            move
            for move, cell in position.options().items()
            if cell != board.end and not union_mask(tracker.masks()) & bit(move)
        ]
        assert allowed == []


def bit(move: str) -> int:
    return 1 << LETTERS.index(move)


def test_the_generator_is_the_published_one() -> None:
    # first output of splitmix64 for the seed 1234567 (Vigna's reference code)
    assert below(seeded(1234567), 1 << 31) == 6457827717110365317 >> 33


def test_statistics_lie_within_their_interval() -> None:
    walker = load_rules("seed-5").walker(Board.square(7))
    stuck = sum(walker.walk(seed).stuck for seed in range(200))
    stats = summarise(200, stuck)
    assert (stats.walks, stats.stuck) == (200, stuck)
    assert 0 < stats.error_low < stats.error_rate < stats.error_high < 1
    low, high = stats.before_error_interval
    assert low < stats.before_error < high
    assert stats.before_error == pytest.approx((200 - stuck) / stuck)


def test_statistics_without_an_error_have_no_upper_end() -> None:
    stats = summarise(100, 0)
    assert stats.before_error == inf
    assert stats.before_error_interval[1] == inf
    assert 20 < stats.before_error_interval[0] < 30
    assert summarise(100, 100).before_error_interval[0] == 0


def completed(walk: LeftFirstWalk) -> Iterator[Position]:
    while walk.run(stop_complete=True) is Event.COMPLETE:
        yield walk.position


@cache
def complete_walks() -> frozenset[Position]:
    every = naive.every_position(Board.square(5))
    return frozenset(position for position, _ in every if position.complete)


@pytest.mark.parametrize(
    ("spec", "stuck"), [("seed-5", 28), ("seed-close", 8970), (BOTH, 0)]
)
def test_the_left_first_walk_finds_all_walks_of_the_5x5_board(
    spec: str, stuck: int
) -> None:
    walk = LeftFirstWalk(load_rules(spec), Position.parse("5:"))
    found = list(completed(walk))
    assert set(found) == complete_walks()
    assert (walk.completed, len(found), walk.stuck) == (104, 104, stuck)
    assert walk.run() is Event.FINISHED


def test_left_comes_first_then_straight_then_right() -> None:
    walk = LeftFirstWalk(load_rules(BOTH), Position.parse("5:"))
    found = list(completed(walk))
    assert found[0].moves.startswith("RRRRD")
    keys = []
    for position in found:
        heading, key = 1, []
        for move in map(LETTERS.index, position.moves):
            key.append((move - heading + 1) % 4)
            heading = move
        keys.append(key)
    assert keys == sorted(keys)


def test_a_rule_is_needed_before_its_move_is_left_out() -> None:
    rules, root = load_rules(BOTH), Position.parse("5:")
    walk = LeftFirstWalk(rules, root)
    told: dict[str, int] = {}
    while (event := walk.run(stop_needed=True)) is Event.NEEDED:
        forbids = rules.forbids(walk.position)
        for name in set(walk.needed) - set(told):
            mine = {f.move for f in forbids if f.rule == name}
            others = {f.move for f in forbids if f.rule != name}
            assert mine - others
            told[name] = walk.completed
    assert event is Event.FINISHED
    assert told == walk.needed
    assert walk.completed == 104


def test_a_run_may_begin_where_another_one_stands() -> None:
    rules = load_rules("seed-7")
    for slow in (False, True):
        whole, rest = (
            left_first("seed-7", "5:", slow=slow),
            list[tuple[int, LeftFirstWalk]](),
        )
        while whole.run(stop_needed=True) is Event.NEEDED:
            resumed = LeftFirstWalk.standing(rules, whole.position)
            rest.append((whole.completed, resumed))
        assert len(rest) > 3
        for before, walk in rest[::3]:
            assert walk.run() is Event.FINISHED
            assert before + walk.completed == whole.completed


def test_progress_is_reported_and_a_bad_budget_refused() -> None:
    walk = left_first("seed-5", "7:", slow=True)
    told: list[int] = []
    walk.run(budget=2 * walk.pace, progress=lambda w: told.append(w.steps))
    assert told
    assert told == sorted(told)
    with pytest.raises(OptionError, match="budget is -1"):
        walk.run(budget=-1)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "stuck"), [("seed-5", 185256), (BOTH, 604)])
def test_the_left_first_walk_finds_all_walks_of_the_7x7_board(
    spec: str, stuck: int
) -> None:
    walk = LeftFirstWalk(load_rules(spec), Position.parse("7:"))
    assert walk.run() is Event.FINISHED
    assert (walk.completed, walk.stuck) == (111712, stuck)
