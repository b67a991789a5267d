"""Bounds of distance families: found by proofs, compared with published tables."""

import pytest

from heuristic.drawing import Kind
from solver.errors import OptionError, UnknownNameError
from verify.families import (
    FAMILIES,
    Table,
    bounds,
    excluded,
    get_family,
    markdown,
    table,
)

# Most white, most black for D = 2 to 6, from the texts and the program of the source.
PUBLISHED = {
    ("up-small", "left"): ["1 0", "1 0", "1 0", "1 1", "2 1"],
    ("up-small", "right"): ["0 0", "0 1", "1 1", "1 1", "1 1"],
    ("up-big", "straight"): ["0 0", "1 0", "1 0", "2 0", "2 1"],
    ("up-big", "right"): ["1 0", "1 0", "1 0", "2 0", "2 1"],
    ("up-big", "left"): ["0 0", "1 0", "1 1", "1 1", "1 1"],
    ("straight", "straight"): ["0 0", "1 0", "1 0", "2 0", "1 1"],
    ("straight", "left"): ["1 0", "1 -1", "1 0", "2 0", "2 1"],
    ("straight", "right"): ["0 0", "1 0", "1 1", "1 0", "1 1"],
}


@pytest.mark.parametrize("key", PUBLISHED, ids="-".join)
def test_the_proved_bounds_are_the_published_ones(key: tuple[str, str]) -> None:
    found = table(*key, range(2, 7)).bounds
    told = [f"{high} {-low}" for low, high in found.values()]
    assert told == PUBLISHED[key]


def test_bounds_repeat_every_four_cells() -> None:
    one = table("up-big", "straight", range(2, 12))
    assert one.regular_from == 3  # at 2 the cell entered is the border's last but one
    assert table("up-small", "left", range(2, 12)).regular_from == 2
    assert Table("up-small", "left", {2: (0, 1)}).regular_from is None
    lines = markdown([one]).splitlines()
    assert lines[2] == "| 2 | 0W to 0B |"
    assert lines[-1] == "| regular from | 3 |"


def test_a_wrong_guess_changes_nothing() -> None:
    family = get_family("straight")
    assert bounds(family, 3, "left") == (1, 1)
    assert bounds(family, 3, "left", (0, 1)) == (1, 1)
    assert bounds(family, 3, "left", (1, 1)) == (1, 1)
    assert excluded(family, 3, "left", Kind.WITHIN, 0, 0)


def test_names_and_distances_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="known: straight, up-small, up-big"):
        get_family("corner")
    with pytest.raises(OptionError, match="no distance 1"):
        FAMILIES["straight"].drawing(1)


@pytest.mark.slow
def test_every_family_is_regular_up_to_distance_43() -> None:
    for name in FAMILIES:
        for move in ("straight", "left", "right"):
            one = table(name, move, range(2, 44))
            assert one.regular_from in (2, 3), (name, move)
