"""Random mazes in numbers, as a campaign: its units are chunks of mazes."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from solver.puzzles.maze.sample import Weights
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding
from verify.puzzles.maze.stats import Survey, chunks, draw_chunk

_SECONDS = 1e-7  # a cell


def surveys(parameters: dict[str, Any]) -> Campaign[list[Survey]]:
    """Survey each of `figures`, a size and weights, on so many `mazes` from `seed`."""
    mazes, seed = parameters["mazes"], parameters["seed"]
    figures = [(size, Weights.parse(text)) for size, text in parameters["figures"]]

    def units() -> Iterator[Unit]:
        for place, (size, weights) in enumerate(figures):
            for number, many in enumerate(chunks(size, mazes)):
                name = f"{size} x {size}, {weights}: chunk {number + 1}, {many} mazes"
                weight = many * size * size * _SECONDS
                yield Unit(name, [place, number, many], weight)

    def work(payload: list[int]) -> list[Any]:
        place, number, many = payload
        size, weights = figures[place]
        found = draw_chunk(size, weights, many, seed=seed, number=number)
        return [place, many, [[*pair] for pair in found.items()]]

    def fold(results: Iterator[list[Any]]) -> list[Survey]:
        drawn, counts = Counter[int](), [Counter[int]() for _ in figures]
        for place, many, found in results:
            drawn[place] += many
            counts[place].update(dict(found))
        return [
            Survey(*figures[place], many, seed, (*sorted(counts[place].items()),))
            for place, many in sorted(drawn.items())
        ]

    return Campaign(
        "maze-stats",
        parameters,
        deciding("solver.puzzles.maze", "verify.puzzles.maze.stats", __name__),
        units,
        work,
        fold,
        lambda found: [
            f"{one.size} x {one.size}, {one.weights}: {one.probability:.4f} of "
            f"{one.mazes:,} mazes have a route"
            for one in found
        ],
    )
