"""The proved bounds of distance families, compared with the published tables."""

from pathlib import Path

import pytest

from heuristic.rules.drawing import Drawing
from tests.doubles.members import bounds
from verify.families.tables import FAMILIES, corner, get_family, places
from verify.proof.surplus import NoBounds

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


def agree(name: str, distances: range) -> None:
    for d in distances:
        for way in ("straight", "left", "right"):
            low, high = _bounds(get_family(name).drawing(d), way)
            assert (high, -low) == published(name, way, d), (name, way, d)


def agree_on_corner(h: int, v: int) -> None:
    for way in ("left", BEHIND, "straight"):
        low, high = _bounds(corner(h, v), way)
        assert (high, -low) == published_corner(h, v, way), (h, v, way)


def _bounds(drawing: Drawing, way: str) -> tuple[int, int]:
    found = bounds(drawing, way)
    assert not isinstance(found, NoBounds)
    return found


@pytest.mark.parametrize("name", FAMILIES)
def test_the_proved_bounds_are_the_published_ones(name: str) -> None:
    agree(name, range(2, 10))


def test_the_proved_bounds_of_corners_are_the_published_ones() -> None:
    for h, v in places("corner", 8):
        agree_on_corner(h, v)


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a family's table on the page of the project, by column."""
    page = (Path(__file__).parents[2] / "docs/tables/families.md").read_text()
    section = page.split(f"## {name}\n")[1].split("\n## ")[0]
    lines = [x.strip("| ") for x in section.splitlines() if x.startswith("| ")]
    names = lines[0].split(" | ")
    return [dict(zip(names, x.split(" | "), strict=True)) for x in lines[1:]]


def numbers(text: str) -> tuple[int, int]:
    low, high = text.split(",")[0].split(" to ")
    return int(high), -int(low)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_page_says_what_is_published(name: str) -> None:
    rows = [row for row in rows_of(name) if row["D"].isdigit()]
    assert [row["D"] for row in rows] == [str(d) for d in range(2, 44)]
    for row in rows:
        for column, text in row.items():
            for way in {"straight", "left", "right"} & set(column.split(", ")):
                assert numbers(text) == published(name, way, int(row["D"]))


def test_the_page_says_what_is_published_of_corners() -> None:
    rows = [row for row in rows_of("corner") if "," in row["nearest"]]
    assert len(rows) > 8
    for row in rows:
        h, v = map(int, row["nearest"].split(", "))
        for column, text in row.items():
            for way in {"straight", "left", "right", BEHIND} & set(column.split(", ")):
                white, black = numbers(text)
                for k in range(40):  # each step of the stair: one more
                    most = (
                        white + k * text.endswith("W"),
                        black + k * text.endswith("B"),
                    )
                    assert most == published_corner(h + k, v + k, way)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_as_published_up_to_distance_43(name: str) -> None:
    agree(name, range(10, 44))


@pytest.mark.slow
def test_corners_are_as_published_up_to_16_by_16() -> None:
    for h, v in places("corner", 16):
        agree_on_corner(h, v)


@pytest.mark.slow
@pytest.mark.parametrize("thin", [2, 3])
def test_thin_corners_are_as_published_up_to_43(thin: int) -> None:
    for far in range(17, 44):
        agree_on_corner(thin, far)
        agree_on_corner(far, thin)


@pytest.mark.slow
@pytest.mark.parametrize("far", [23, 33, 43])
def test_wide_corners_are_as_published(far: int) -> None:
    for near in (4, 9, 16, far - 3, far - 2, far - 1, far):
        agree_on_corner(near, far)
        agree_on_corner(far, near)
