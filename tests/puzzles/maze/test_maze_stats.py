"""Statistics of random mazes, checked where the answer is known."""

from dataclasses import replace
from math import isclose

import pytest

from solver.errors import OptionError
from solver.interval import wilson
from solver.puzzles.maze.board import Weights
from verify.puzzles.maze import stats
from verify.puzzles.maze.stats import (
    Survey,
    chunks,
    plan,
    plot,
    shares,
    surveys,
    ticks,
)


def survey(
    *sizes: int, weights: Weights, mazes: int = 10_000, seed: int = 0
) -> list[Survey]:
    """Do all units of a campaign, the last first."""
    parameters = {"sizes": sizes, "weights": [str(weights)], "vary": ""}
    campaign = surveys(parameters | {"mazes": mazes, "seed": seed})
    results = [campaign.work(unit.payload) for unit in campaign.units()]
    return campaign.fold(iter(results[::-1]))


def of(*moves: tuple[int, int]) -> Survey:
    return Survey("one", 8, 8, Weights(), 100, 0, moves)


def test_wilson_against_the_published_example() -> None:
    low, high = wilson(81, 263)  # Newcombe, Statistics in Medicine 17, 1998, table I
    assert round(low, 4) == 0.2553
    assert round(high, 4) == 0.3662
    assert wilson(5, 5)[1] == 1.0


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_x_alone_has_a_known_probability(size: int) -> None:
    (found,) = survey(size, weights=Weights.parse("X=1"), mazes=20_000, seed=5)
    low, high = (found.figures()[name] for name in ("low", "high"))
    expected = (4 * size - 4) / size**2
    assert low - 0.01 <= expected <= high + 0.01
    assert found.moves == ((1, found.reached),)


def test_figures_of_a_survey() -> None:
    found = of((1, 10), (2, 20), (9, 10))
    assert found.reached == 40
    assert found.figures()["probability"] == 0.4
    assert found.figures()["mean"] == (10 + 40 + 90) / 40
    assert [found.quantile(q) for q in (0.25, 0.5, 0.75, 0.95, 1)] == [1, 2, 2, 9, 9]
    nothing = of()
    assert nothing.figures()["mean"] is None
    assert nothing.quantile(0.5) is None
    assert nothing.figures()["low"] == 0.0
    assert nothing.row()[2:] == ["0.0000", "0.0000-0.0370", *[""] * 4]


def test_a_survey_is_the_same_in_chunks_of_a_campaign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = Weights.parse("S=0.12345678,X=1e-1")
    whole, three = survey(8, 3, weights=weights, mazes=450, seed=9)
    monkeypatch.setattr(stats, "_CHUNK", 6400)
    assert chunks(8, 450) == [100, 100, 100, 100, 50]
    parts, same = survey(8, 3, weights=weights, mazes=450, seed=9)
    assert (parts.mazes, same) == (whole.mazes, three) == (450, same)
    assert 0 < abs(parts.reached - whole.reached) < 60  # chunks draw other mazes
    assert survey(8, weights=weights, mazes=450, seed=10)[0].moves != parts.moves


def test_shares_keep_proportions() -> None:
    given = shares(Weights.parse("S=3,L=1,X=5"), "X", 0.6)
    assert given == Weights.parse("S=0.3,L=0.1,X=0.6")
    only = shares(Weights.parse("X=1"), "X", 0.5)
    assert all(isclose(p, 0.1) for p in (only.values[i] for i in (0, 1, 2, 3, 5)))
    with pytest.raises(OptionError, match="'G' is none of"):
        shares(Weights(), "G", 0.5)


def test_plans() -> None:
    weights = [Weights.parse("S=1"), Weights.parse("L=1")]
    assert plan([4, 8], weights[:1]) == [
        ("S=1", 4, 4, weights[0]),
        ("S=1", 8, 8, weights[0]),
    ]
    both = plan([4, 8], weights, "X=0:1:2")
    assert [name for name, *_ in both[::2]] == [
        f"n={n}, {w}" for n in (4, 8) for w in weights
    ]
    assert [place for _, place, *_ in both[:2]] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 37), (2, 32), (0.1, 0.2), (3, 5), (0, 1000)]
)
def test_ticks_are_few_and_inside(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 3 <= len(found) <= 10
    assert all(low <= tick <= high for tick in found)


def test_plot_holds_every_point() -> None:
    one = survey(2, 4, 6, weights=Weights(), mazes=50)
    svg = plot([*one, *(replace(each, curve="two") for each in one)], "rows")
    assert svg.count("<circle") == 12
    assert svg.count('class="bar"') == 12
    assert 'data-text="two"' in svg
    assert "nan" not in svg
    assert plot(one[:1], "n").count("<circle") == 2
    assert plot([of()], "n").count("<circle") == 1
    with pytest.raises(OptionError, match="7 curves, more than 6"):
        plot([replace(one[0], curve=str(k)) for k in range(7)], "n")
