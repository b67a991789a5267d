"""Left-first walks under drawings and procedures: the kernel against the tracker."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.matching.leftfirst import (
    MOST_CELLS,
    WORDS,
    find_try,
    keep_try,
    key_of,
    new_tries,
    turn_cell,
)
from heuristic.procedures.sequence import BookWalker
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from solver.board import Position
from tests.doubles.walkers import SlowWalker
from tests.heuristic.test_walker import found

MIXED = ["seed-2024-full", "c-shape,seed-kernels", "c-shape,sequence-recursion"]


@pytest.mark.parametrize("text", ["5:", "4x5@1,1>4,1:", "5x7:RRDLD", "1x1:"])
@pytest.mark.parametrize("spec", MIXED)
def test_kernel_and_tracker_walk_left_first_alike(spec: str, text: str) -> None:
    rules, root = load_rules(spec), Position.parse(text)
    walker = rules.walker(root.board)
    assert isinstance(walker, BookWalker)
    fast = LeftFirstWalk(rules, root, walker)
    slow = LeftFirstWalk(rules, root, SlowWalker(rules.walker(root.board)))
    event = None
    for _ in range(40):  # then to the end
        event = fast.run(stop_stuck=True, stop_needed=True)
        assert slow.run(stop_stuck=True, stop_needed=True) is event
        assert found(fast) == found(slow)
        assert fast.position == slow.position
        if event is Event.FINISHED:
            return
    assert fast.run() is slow.run() is Event.FINISHED
    assert found(fast) == found(slow)


@st.composite
def places(draw: st.DrawFn) -> tuple[frozenset[int], int, int]:
    cells = st.integers(0, MOST_CELLS - 1)
    return draw(st.frozensets(cells)), draw(cells), draw(st.integers(0, 3))


@settings(deadline=None)  # the first call compiles
@given(places(), places())
def test_positions_that_differ_have_different_keys(
    one: tuple[frozenset[int], int, int], other: tuple[frozenset[int], int, int]
) -> None:
    none = np.zeros(0, np.int32)

    def key(place: tuple[frozenset[int], int, int]) -> tuple[int, int, int]:
        words = np.zeros(2 * WORDS, np.int64)
        for cell in place[0]:
            turn_cell(words, none, cell)
        return key_of(words, none, place[1], place[2])

    assert (key(one) == key(other)) == (one == other)
    tries = new_tries(8)
    keep_try(tries, key(one), (3, 1, 4, 1))
    assert find_try(tries, key(one)) >= 0
    assert (find_try(tries, key(other)) >= 0) == (one == other)


def test_a_position_and_its_image_share_a_key() -> None:
    side = 13
    image = [cell % side * side + cell // side for cell in range(side * side)]
    to = np.array(image, np.int32)
    rng = np.random.default_rng(5)
    for _ in range(50):
        cells = rng.choice(side * side, 70, replace=False).tolist()
        own, turned = np.zeros((2, 2 * WORDS), np.int64)
        for cell in cells:
            turn_cell(own, to, cell)
            turn_cell(turned, to, image[cell])
        for heading in range(4):
            here = key_of(own, to, cells[0], heading)
            assert here == key_of(turned, to, image[cells[0]], 3 - heading)
            assert here != key_of(own, to, cells[1], heading)


@pytest.mark.slow
def test_11x11_is_first_stuck_where_it_was() -> None:
    """Two minutes: the run of docs/explanation/measured.md."""
    walk = LeftFirstWalk(load_rules("seed-2024-full"), Position.parse("11:"))
    assert walk.run(stop_stuck=True) is Event.STUCK
    assert (walk.completed, walk.stuck) == (148_062_162, 1)
