"""The proved bounds of distance families, compared with the published tables."""

import pytest

from tests.doubles.members import bounds_by_chains
from verify.proof.families import FAMILIES

BEHIND = "behind from the right"


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
        return (x + even(n) if n or move == BEHIND else x - 1), even(n + 1)
    if v > h and odd:
        if later:
            return (1 + even(n) if n else 0), x - 1 + even(n + 1)
        return 1 + even(n + 1), x - 1 + even(n)
    if later:
        return even(n), x + even(n)
    first = h > v and n == 1 and move != BEHIND
    return (0 if first else even(n + 1)), x + even(n - 1)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_proved_bounds_are_the_published_ones(name: str) -> None:
    for (d,), ways in bounds_by_chains(name, 43).items():
        for way in ("straight", "left", "right"):
            most = published(name, way, d)
            assert ways[way] == (-most[1], most[0]), (d, way)


def test_the_proved_bounds_of_corners_are_the_published_ones() -> None:
    for (h, v), ways in bounds_by_chains("corner", 43).items():
        for way in ("left", BEHIND, "straight"):
            most = published_corner(h, v, way)
            assert ways[way] == (-most[1], most[0]), (h, v, way)
