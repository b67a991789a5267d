"""Estimates of the search tree, against trees that are walked whole."""

import json

import numpy as np
import pytest

from solver.puzzles.knight.probing import estimate
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import start_class
from tests.runner import assert_refused, run


def test_the_estimate_of_the_first_levels_is_the_true_count() -> None:
    start = start_class("c3")
    width, error = estimate(["c3"], walks=4000, seed=1)
    for size in range(2, 8):
        exact = 0
        for second in start.second:
            exact += (
                len(below((start.cell, second), stop=size).tours) if size > 2 else 1
            )
        assert abs(width[size] - exact) <= 5 * error[size] + 1e-9, size
    assert error[5] > 0


def test_the_seed_decides_the_walks() -> None:
    seeds = (3, 3, 4)
    one, again, other = (estimate(["b2"], walks=500, seed=k)[0] for k in seeds)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_the_command_prints_levels() -> None:
    words = ("knight", "enumerate", "--start", "c3", "--estimate", "200")
    found = json.loads(run(*words, "--json").out)
    assert len(found["width"]) == len(found["error"]) == 65
    assert found["width"][2] == 4
    out = run(*words).out
    assert "branching" in out
    assert "all levels" in out


@pytest.mark.parametrize("bad", [("--start", "e9"), ("--estimate", "3")])
def test_bad_options_are_refused(bad: tuple[str, str]) -> None:
    assert_refused(run("knight", "enumerate", "--estimate", "200", *bad))
