"""Estimates of the search tree, against trees that are walked whole."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from solver.puzzles.knight.probing import estimate
from solver.puzzles.knight.tour import start_class
from tests.puzzles.knight.samples import near
from tests.runner import assert_refused, run


def walks(name: str, most: int) -> list[int]:
    """Return how many walks of 2, ... `most` cells begin in a class."""
    start = start_class(name)
    counts = [0] * (most + 1)
    walked: list[tuple[int, ...]] = [(start.cell, two) for two in start.second]
    for size in range(2, most + 1):
        counts[size] = len(walked)
        walked = [(*w, one) for w in walked for one in near(w[-1]) if one not in w]
    return counts


def test_estimates_without_rules_are_those_of_all_walks() -> None:
    exact = walks("c3", 6)
    assert exact[2] == 4  # of eight, half are mirrored
    found = estimate(("c3",), "none", probes=4000, seed=1)
    for size in range(2, 7):
        distance = abs(found.width[size] - exact[size])
        assert distance <= 5 * found.error[size] + 1e-9 * exact[size], size
    assert found.error[4] > 0


def test_more_rules_leave_fewer_prefixes() -> None:
    widths = [
        estimate(("c3", "d4"), name, probes=3000, seed=2)
        for name in ("none", "lines", "all")
    ]
    for weak, strong in pairwise(widths):
        noise = 4 * (weak.error[14] + strong.error[14])
        assert strong.width[14] < weak.width[14] + noise
    assert widths[2].width[14] < widths[0].width[14] / 3


def test_a_seed_says_which_walks() -> None:
    one, again, other = (
        estimate(("b2",), "all", probes=500, seed=seed) for seed in (3, 3, 4)
    )
    assert np.array_equal(one.width, again.width)
    assert not np.array_equal(one.width, other.width)


def test_the_command_draws_and_refuses(tmp_path: Path) -> None:
    picture = tmp_path / "onion.svg"
    args = ("knight", "estimate", "--start", "c3", "-n", "200", "--json")
    ran = run(*args, "--rules", "none", "--rules", "all", "-o", str(picture))
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [one["rules"] for one in told] == ["none", "all"]
    assert all(len(one["width"]) == len(one["error"]) >= 65 for one in told)
    assert picture.read_text().count('class="layer"') == 2


@pytest.mark.parametrize("bad", [("--start", "e9"), ("--rules", "some"), ("-n", "0")])
def test_bad_options_are_refused(bad: tuple[str, str]) -> None:
    assert_refused(run("knight", "estimate", *bad))
