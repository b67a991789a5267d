"""Statistics of random mazes, checked where the answer is known."""

from math import isclose

import pytest

from solver.errors import OptionError
from solver.interval import wilson
from solver.puzzles.maze.board import Weights
from verify.puzzles.maze import stats
from verify.puzzles.maze.stats import (
    Curve,
    Survey,
    chunks,
    plan,
    plot,
    shares,
    surveys,
    ticks,
)


def survey(
    size: int, weights: Weights, *, mazes: int = 10_000, seed: int = 0
) -> Survey:
    """Do all units of a campaign of one figure."""
    figure = [size, str(weights)]
    campaign = surveys({"figures": [figure], "mazes": mazes, "seed": seed})
    results = [campaign.work(unit.payload) for unit in campaign.units()]
    return campaign.fold(iter(results))[0]


def test_wilson_against_the_published_example() -> None:
    low, high = wilson(81, 263)  # Newcombe, Statistics in Medicine 17, 1998, table I
    assert round(low, 4) == 0.2553
    assert round(high, 4) == 0.3662
    assert wilson(5, 5)[1] == 1.0


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_x_alone_has_a_known_probability(size: int) -> None:
    found = survey(size, Weights.parse("X=1"), mazes=20_000, seed=5)
    low, high = found.interval
    expected = (4 * size - 4) / size**2
    assert low - 0.01 <= expected <= high + 0.01
    assert found.moves == ((1, found.reached),)


def test_figures_of_a_survey() -> None:
    found = Survey(8, Weights(), 100, 0, ((1, 10), (2, 20), (9, 10)))
    assert found.reached == 40
    assert found.probability == 0.4
    assert found.mean == (10 + 40 + 90) / 40
    assert [found.quantile(q) for q in (0.25, 0.5, 0.75, 0.95, 1)] == [1, 2, 2, 9, 9]
    nothing = Survey(8, Weights(), 100, 0, ())
    assert nothing.mean is None
    assert nothing.quantile(0.5) is None
    assert nothing.interval[0] == 0.0


def test_a_survey_is_the_same_in_chunks_of_a_campaign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stats, "_CHUNK", 6400)
    weights = Weights.parse("S=0.12345678,X=1e-1")
    figures = [[8, str(weights)], [3, str(Weights())]]
    campaign = surveys({"figures": figures, "mazes": 450, "seed": 9})
    units = [*campaign.units()]
    assert len(units) == 6
    assert chunks(8, 450) == [100, 100, 100, 100, 50]
    results = [campaign.work(unit.payload) for unit in units]
    assert results[0][1:] != results[1][1:]  # chunks draw other mazes
    assert campaign.fold(iter(results[::-1])) == [
        survey(8, weights, mazes=450, seed=9),
        survey(3, Weights(), mazes=450, seed=9),
    ]
    assert (
        survey(8, weights, mazes=450, seed=10).moves
        != survey(8, weights, mazes=450, seed=9).moves
    )


def test_shares_keep_proportions() -> None:
    given = shares(Weights.parse("S=3,L=1,X=5"), "X", 0.6)
    assert given == Weights.parse("S=0.3,L=0.1,X=0.6")
    only = shares(Weights.parse("X=1"), "X", 0.5)
    assert all(isclose(p, 0.1) for p in (only.values[i] for i in (0, 1, 2, 3, 5)))
    with pytest.raises(OptionError, match="'G' is none of"):
        shares(Weights(), "G", 0.5)


def test_plans() -> None:
    weights = [Weights.parse("S=1"), Weights.parse("L=1")]
    assert [name for name, _ in plan([4, 8], weights[:1])] == ["S=1"]
    both = plan([4, 8], weights, "X=0:1:2")
    assert [name for name, _ in both] == [
        f"n={n}, {w}" for n in (4, 8) for w in weights
    ]
    assert [place for place, _, _ in both[0][1]] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 37), (2, 32), (0.1, 0.2), (3, 5), (0, 1000)]
)
def test_ticks_are_few_and_inside(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 3 <= len(found) <= 10
    assert all(low <= tick <= high for tick in found)


def test_plot_holds_every_point() -> None:
    curves = [
        Curve(name, tuple((n, survey(n, Weights(), mazes=50)) for n in (2, 4, 6)))
        for name in ("one", "two")
    ]
    svg = plot(curves, "rows and columns")
    assert svg.count("<circle") == 12
    assert svg.count('class="bar"') == 12
    assert 'data-text="two"' in svg
    assert "nan" not in svg
    lonely = plot([Curve("one", curves[0].points[:1])], "n")
    assert lonely.count("<circle") == 2
    nothing = Curve("none", ((0, Survey(8, Weights(), 100, 0, ())),))
    assert plot([nothing], "n").count("<circle") == 1
    with pytest.raises(OptionError, match="7 curves, more than 6"):
        plot(curves[:1] * 7, "n")
