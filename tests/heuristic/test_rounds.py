"""Kernels that walk under drawn rules make the walks of slow doubles."""

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.matching import walks
from heuristic.matching.tables import compile_rules
from heuristic.matching.walks import (
    MOST_CELLS,
    Key,
    Memory,
    find_try,
    forgets,
    keep_try,
    key_of,
    new_memory,
    turn_cell,
)
from heuristic.rule import RuleSet
from heuristic.rules.rulefile import parse_rules
from heuristic.walks.leftfirst import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.symmetry import Symmetry
from tests.doubles.walkers import SlowWalker
from tests.heuristic.test_matching import ORDERED
from tests.samples import NEVER_AHEAD, specs


def rule_set(group: str) -> RuleSet:
    rules = parse_rules(NEVER_AHEAD) if group == "never-ahead" else specs(group)
    return RuleSet(group, rules)


@pytest.mark.parametrize(
    ("group", "texts"),
    [
        ("seed-5", ["5:RRDLLDR", "5:DDRUURD", "5:DDRRUULD"]),
        ("seed-5,seed-close", ["4x5@1,1>4,1:", "4x5@1,1>4,1:R"]),
        ("seed-5", ["4x4!2,3:", "4x4!2,3:D"]),
    ],
)
def test_a_walk_counts_what_earlier_ones_met(group: str, texts: list[str]) -> None:
    rules = rule_set(group)
    walker = rules.walker(Position.parse(texts[0]).board)
    rounds = list[int]()
    for text in [*texts, texts[0]]:
        root = Position.parse(text)
        slow = LeftFirstWalk(rules, root, SlowWalker(rules.walker(root.board)))
        walk, made = LeftFirstWalk(rules, root, walker), 1
        while walk.run(budget=1) is Event.BUDGET:
            made += 1
        assert slow.run() is Event.FINISHED
        assert (walk.completed, walk.stuck) == (slow.completed, slow.stuck)
        assert (walk.steps, walk.needed) == (slow.steps, slow.needed)
        rounds.append(made)
    assert 2 * rounds[-1] < rounds[0]  # most was met before


def test_what_is_ahead_is_not_kept_where_it_cannot_be_known() -> None:
    runs = compile_rules(parse_rules(ORDERED.format(first=0, then=1)), 29)
    tables = compile_rules(specs("seed-5"), 29)
    assert forgets(tables, Board.square(5))
    assert not forgets(runs, Board.square(5))
    assert forgets(tables, Board(6, 29, 0, 173))
    assert not forgets(tables, Board(7, 25, 0, 174))


# drawings and the sequence behind them: a kernel of their own
MIXED = ["seed-2024-full", "c-shape,sequence-recursion"]
EVENTS = (Event.STUCK, Event.COMPLETE, Event.NEEDED)


@pytest.mark.parametrize("text", ["5:RRD", "4x5@1,1>4,1:", "4x4!2,3:", "1x1:", "1x3:"])
@pytest.mark.parametrize("group", ["seed-5", "seed-7", "never-ahead", *MIXED])
def test_rounds_stop_where_those_of_a_tracker_stop(text: str, group: str) -> None:
    rules = load_rules(group) if group in MIXED else rule_set(group)
    root, rng = Position.parse(text), Random(3)
    fast = LeftFirstWalk(rules, root)
    slow = LeftFirstWalk(rules, root, SlowWalker(rules.walker(root.board)))
    seen, event, ends = set[Event](), Event.BUDGET, 0
    while ends < 2:
        stops = [rng.random() < 0.4 for _ in EVENTS]
        most = slow.completed + rng.randrange(3) if rng.random() < 0.5 else None
        event, other = (
            walk.run(
                stop_stuck=stops[0],
                stop_complete=stops[1],
                stop_needed=stops[2],
                walks=most,
            )
            for walk in (fast, slow)
        )
        assert event is other
        assert (fast.position, fast.needed) == (slow.position, slow.needed)
        ahead = fast.completed, fast.stuck, fast.steps
        assert ahead == (slow.completed, slow.stuck, slow.steps)
        good = {one for one, stop in zip(EVENTS, stops, strict=True) if stop}
        assert event in good | {Event.FINISHED, Event.WALKS}
        seen.add(event)
        ends += event is Event.FINISHED
    assert len(seen) > 2 or "1x" in text or group not in ("seed-5", "seed-7")


@pytest.mark.parametrize("walks", range(8, 12))
def test_a_run_for_so_many_walks_stops_in_what_is_counted(walks: int) -> None:
    # of the position that has the ninth walk ahead, a way that gets stuck comes last
    rules, root = rule_set("seed-5"), Position.parse("4x6@1,1>4,1:")
    fast = LeftFirstWalk(rules, root)
    slow = LeftFirstWalk(rules, root, SlowWalker(rules.walker(root.board)))
    assert fast.run(walks=walks) is slow.run(walks=walks) is Event.WALKS
    assert fast.completed == slow.completed == walks
    assert (fast.stuck, fast.steps) == (slow.stuck, slow.steps)
    assert fast.position == slow.position


@pytest.mark.parametrize("text", ["5", "4x5", "5@1,2>5,5", "5@2,2>4,3", "4@1,3>4,4"])
@pytest.mark.parametrize("walls", ["", "!2,4", "!2,4;4,2", "!3,3"])
def test_cells_have_images_where_the_transposed_board_is_the_same(
    text: str, walls: str
) -> None:
    board = Board.parse(text + walls)
    image = [Symmetry.TRANSPOSE.cell(board, cell) for cell in range(board.cells)]
    same = Symmetry.TRANSPOSE.board(board) == board
    assert walks._transposed(board) == (image if same else [])


@st.composite
def places(draw: st.DrawFn) -> tuple[frozenset[int], int, int]:
    cells = st.integers(0, MOST_CELLS - 1)
    return draw(st.frozensets(cells)), draw(cells), draw(st.integers(0, 3))


def key_in(memory: Memory, cells: Iterable[int], live_end: int, heading: int) -> Key:
    memory.words[:] = 0
    for cell in cells:
        turn_cell(memory, cell)
    return key_of(memory, live_end, heading)


@settings(deadline=None)  # the first call compiles
@given(places(), places())
def test_positions_that_differ_have_different_keys(
    one: tuple[frozenset[int], int, int], other: tuple[frozenset[int], int, int]
) -> None:
    board = Board.parse("6x29")
    assert board.cells == MOST_CELLS
    memory = new_memory(compile_rules([], 29), board, symmetric=False, rows=8)
    first, second = key_in(memory, *one), key_in(memory, *other)
    assert (first == second) == (one == other)
    keep_try(memory.tries, first, (3, 1, 4, 1))
    assert find_try(memory.tries, first) >= 0
    assert (find_try(memory.tries, second) >= 0) == (one == other)


def test_a_position_and_its_image_share_a_key() -> None:
    board = Board.square(13)
    image = [Symmetry.TRANSPOSE.cell(board, cell) for cell in range(board.cells)]
    memory = new_memory(compile_rules([], 13), board, symmetric=True, rows=8)
    rng = np.random.default_rng(5)
    for _ in range(50):
        cells = rng.choice(board.cells, 70, replace=False).tolist()
        for heading in range(4):
            here = key_in(memory, cells, cells[0], heading)
            turned = [image[cell] for cell in cells]
            assert here == key_in(memory, turned, turned[0], 3 - heading)
            assert here != key_in(memory, cells, cells[1], heading)


@pytest.mark.slow
def test_11x11_is_first_stuck_where_it_was() -> None:
    """Two minutes: the run of docs/explanation/measured.md."""
    walk = LeftFirstWalk(load_rules("seed-2024-full"), Position.parse("11:"))
    assert walk.run(stop_stuck=True) is Event.STUCK
    assert (walk.completed, walk.stuck) == (148_062_162, 1)
