"""Bounds of distance families: found by proofs, compared with published tables."""

import pytest

from heuristic.drawing import Kind
from solver.errors import OptionError, UnknownNameError
from verify.families import (
    FAMILIES,
    Table,
    bounds,
    corner,
    corner_bounds,
    excluded,
    get_family,
    markdown,
    table,
)


def published(family: str, move: str, d: int) -> tuple[int, int]:
    """Return most white, most black, by the formulas of the source; all divide.

    The texts and the program of the source disagree on the straight border for D = 6,
    10, ... moving straight on: these are the program's numbers.
    """
    now = {"straight": "straight", "up-small": "left", "up-big": "straight"}
    entered = move == now[family] or (family, move) in (
        ("up-big", "right"),
        ("straight", "left"),
    )
    if d == 2 and family != "up-small":  # the cell entered is the last but one
        sideways = (family, move) in (("up-big", "right"), ("straight", "left"))
        return (1, 0) if sideways else (0, 0)
    q = d // 4
    if family == "up-small":
        numbers = {
            3: ((q + 1, q), (q, q + 1)),
            0: ((q, q - 1), (q, q)),
            1: ((q, q), (q, q)),
            2: ((q + 1, q), (q, q)),
        }
    elif family == "up-big":
        numbers = {
            3: ((q + 1, q), (q + 1, q)),
            0: ((q, q - 1), (q, q)),
            1: ((q + 1, q - 1), (q, q)),
            2: ((q + 1, q), (q, q)),
        }
    else:
        left = move == "left"
        numbers = {
            3: ((q + 1, q - 1 if left else q), (q + 1, q)),
            0: ((q, q - 1), (q, q)),
            1: ((q + 1, q - 1), (q, q - 1)),
            2: ((q + 1 if left else q, q), (q, q)),
        }
    return numbers[d % 4][0 if entered else 1]


def published_corner(h: int, v: int, move: str) -> tuple[int, int]:
    """Return most white, most black, of a corner, by the formulas of the source."""
    x, n, odd = min(h, v) - 1, abs(h - v) // 2, abs(h - v) % 2
    later = move in ("straight", "right")

    def even(k: int) -> int:
        return (k - k % 2) // 2

    if h == v:
        return (-1 if later else 0), x - 1
    if h > v and odd:
        if later:
            return x - 1 + even(n + 1), even(n + 2) if n else 0
        return (x + even(n) if n or move == "behind" else x - 1), even(n + 1)
    if v > h and odd:
        if later:
            return (1 + even(n) if n else 0), x - 1 + even(n + 1)
        return 1 + even(n + 1), x - 1 + even(n)
    if later:
        return even(n), x + even(n)
    first = h > v and n == 1 and move != "behind"
    return (0 if first else even(n + 1)), x + even(n - 1)


def agree(name: str, distances: range) -> None:
    for move in ("straight", "left", "right"):
        for d, (low, high) in table(name, move, distances).bounds.items():
            assert (high, -low) == published(name, move, d), (name, move, d)


def agree_on_corner(h: int, v: int) -> None:
    for move in ("left", "behind", "straight"):
        low, high = corner_bounds(h, v, move)
        assert (high, -low) == published_corner(h, v, move), (h, v, move)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_proved_bounds_are_the_published_ones(name: str) -> None:
    agree(name, range(2, 8))


@pytest.mark.parametrize(("h", "v"), [(3, 2), (2, 4), (5, 3), (3, 3), (4, 4), (3, 6)])
def test_the_proved_bounds_of_corners_are_the_published_ones(h: int, v: int) -> None:
    agree_on_corner(h, v)


def test_bounds_repeat_every_four_cells() -> None:
    one = table("up-big", "straight", range(2, 12))
    assert one.regular_from == 3  # at 2 the cell entered is the border's last but one
    assert table("up-small", "left", range(2, 12)).regular_from == 2
    assert Table("up-small", "left", {2: (0, 1)}).regular_from is None
    lines = markdown([one]).splitlines()
    assert lines[2] == "| 2 | 0W to 0B |"
    assert lines[-1] == "| regular from | 3 |"


def test_a_wrong_guess_changes_nothing() -> None:
    three = get_family("straight").drawing(3)
    assert bounds(three, "left") == (1, 1)
    assert bounds(three, "left", (0, 1)) == (1, 1)
    assert bounds(three, "left", (1, 1)) == (1, 1)
    assert excluded(three, "left", Kind.WITHIN, 0, 0)


def test_names_and_distances_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="known: straight, up-small, up-big"):
        get_family("corner")
    with pytest.raises(OptionError, match="no distance 1"):
        FAMILIES["straight"].drawing(1)
    with pytest.raises(OptionError, match="no corner 2 to the left and 2 ahead"):
        corner(2, 2)
    with pytest.raises(UnknownNameError, match="no move is called 'up'"):
        corner_bounds(3, 3, "up")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_as_published_up_to_distance_43(name: str) -> None:
    agree(name, range(2, 44))
    for move in ("straight", "left", "right"):
        assert table(name, move, range(2, 44)).regular_from in (2, 3), move


@pytest.mark.slow
def test_corners_are_as_published_up_to_16_by_16() -> None:
    for h in range(2, 17):
        for v in range(2, 17):
            if h > 2 or v > 2:
                agree_on_corner(h, v)


@pytest.mark.slow
@pytest.mark.parametrize("thin", [2, 3])
def test_thin_corners_are_as_published_up_to_43(thin: int) -> None:
    for far in range(17, 44):
        agree_on_corner(thin, far)
        agree_on_corner(far, thin)
