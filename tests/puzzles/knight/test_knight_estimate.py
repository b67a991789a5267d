"""Estimates of the search tree, against trees that are walked whole."""

import json

from solver.puzzles.knight.probing import estimate
from solver.puzzles.knight.search import start_class
from solver.puzzles.knight.semimagic import below
from tests.runner import run


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


def test_the_command_prints_levels() -> None:
    words = ("knight", "enumerate", "--start", "c3", "--estimate", "200")
    found = json.loads(run(*words, "--json").out)
    assert len(found["width"]) == len(found["error"]) == 65
    assert found["width"][2] == 4
    out = run(*words).out
    assert "branching" in out
    assert "all levels" in out
