"""Wrong searches, made by hand: each is noticed on a factor of 27 cells.

A mutant is a copy of the kernels as plain Python with one function changed. It is
noticed if its path has not the fewest squares, or cannot be flipped.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from solver.jit import plain
from solver.solid.witness import (
    AREA,
    BEFORE,
    COUNT,
    LENGTH,
    STRIP,
    Witness,
    components,
)
from tests.solid.patterns import GADGET, drawn
from tests.solid.worlds import loaded, room_of

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def notices(search: ModuleType) -> bool:
    """Whether a search fails on the gadget, whose least path has five squares."""
    w = room_of(loaded(*drawn(GADGET)))
    components(w)
    assert w.info[COUNT] == 2
    found = search.search_strips(w, False) and w.info[AREA] == 5
    return not (found and search.flip_path(w) and components(w) == 1)


def without(name: str) -> Callable[[ModuleType], None]:
    """Return a change that leaves out strips: after an end, or of one rule of two."""

    def change(search: ModuleType) -> None:
        reach = search._reach

        def mutant(w: Witness, number: int, q: int, end: int, flipped: bool) -> int:
            left_out = {
                "R2a": end >= 0 and not flipped,
                "R2b": end >= 0 and flipped,
                "all but the first odd strip": w.info[AREA] > 0,
            }
            return 0 if left_out[name] else int(reach(w, number, q, end, flipped))

        search._reach = mutant  # type: ignore[attr-defined] # a module

    return change


def no_split(search: ModuleType) -> None:
    """Let strips by R2a begin anywhere."""
    around = search._reach_around

    def mutant(w: Witness, number: int, mark: int, count: int, end: int) -> bool:
        if end >= 0:
            width = int(w.step[2])
            for q in range(w.dark.size - width - 1):
                search._reach(w, number, q, end, False)
        return bool(around(w, number, mark, count, end))

    search._reach_around = mutant  # type: ignore[attr-defined] # a module


def no_touch(search: ModuleType) -> None:
    """Let strips by R2a touch the end before them."""
    search._touches = lambda *_: False  # type: ignore[attr-defined] # a module


def wrong_order(search: ModuleType) -> None:
    """Flip the last strip first."""

    def mutant(w: Witness) -> bool:
        flip: Any = search._flip_strip
        good = flip(w, int(w.info[STRIP]), int(w.info[LENGTH]))
        e = int(w.info[BEFORE])
        while good and e >= 0:
            first, many, parent = search.FIRST, search.MANY, search.PARENT
            good = flip(w, int(w.way[e, first]), int(w.way[e, many]))
            e = int(w.way[e, parent])
        return bool(good)

    search.flip_path = mutant  # type: ignore[attr-defined] # a module


def end_last(search: ModuleType) -> None:
    """Take the first square of a strip for its end."""
    flip = search._flip_strip

    def mutant(w: Witness, strip: int, length: int) -> bool:
        return bool(flip(w, strip, max(1, length - 1)))

    search._flip_strip = mutant  # type: ignore[attr-defined] # a module


def test_the_search_as_it_is_does_well() -> None:
    assert not notices(plain("solver.solid.strips"))


@pytest.mark.parametrize(
    "change",
    [
        without("R2a"),
        without("R2b"),
        without("all but the first odd strip"),
        no_split,
        no_touch,
        wrong_order,
        end_last,
    ],
    ids=["R2a", "R2b", "first odd", "split", "touch", "order", "end"],
)
def test_a_mutant_is_noticed(change: Callable[[ModuleType], None]) -> None:
    search = plain("solver.solid.strips")
    change(search)
    assert notices(search)
