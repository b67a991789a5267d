"""Random walks counted: a campaign whose units are blocks of walks on a board."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from heuristic.groups import load_rules
from heuristic.walks.walker import Statistics, summarise
from solver.board import Board
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts

_CELL = 2e-8  # about the seconds of a walk, by the square of its board's cells


def seconds_of(board: Board) -> float:
    """Return about the seconds of a walk on a board."""
    return _CELL * board.open_cells**2


def block_of(board: Board) -> int:
    """Return the walks of a unit on a board: about half a second of work."""
    return max(1, min(20_000, round(0.5 / seconds_of(board))))


def walk_counts(parameters: dict[str, Any]) -> Campaign[dict[str, Statistics]]:
    """Make `count` random walks on each of `boards` under `rules`; count the stuck.

    Walk number k is that of seed `seed` + k. The answer has statistics for each board.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    boards = [Board.parse(text) for text in parameters["boards"]]
    rule_set = cache(lambda: load_rules(rules))  # who only folds results needs none

    def units() -> Iterator[Unit]:
        for place, board in enumerate(boards):
            block, count = block_of(board), parameters["count"]
            for first in range(0, count, block):
                walks = min(block, count - first)
                yield Unit(
                    f"{board.notation}: walks {first + 1}-{first + walks}",
                    [place, first, walks],
                    walks * seconds_of(board),
                )

    def work(payload: list[int]) -> list[int]:
        place, first, walks = payload
        walker = rule_set().walker(boards[place])
        numbers = range(seed + first, seed + first + walks)
        stuck = sum(walker.walk(number).stuck for number in numbers)
        return [place, walks, stuck]

    def fold(results: Iterator[list[int]]) -> dict[str, Statistics]:
        walks, stuck = Counter[int](), Counter[int]()
        for place, made, lost in results:
            walks[place] += made
            stuck[place] += lost
        return {
            boards[place].notation: summarise(made, stuck[place])
            for place, made in sorted(walks.items())
        }

    return Campaign(
        "stats",
        parameters,
        deciding("solver", "heuristic", __name__, texts=rule_texts(rules)),
        units,
        work,
        fold,
        told,
        extent=("count",),
    )


def told(found: dict[str, Statistics]) -> list[str]:
    """Return a line a board."""
    return [
        f"{board}: {one.walks:,} walks, {one.stuck:,} stuck, {one.told()[0]} "
        f"({one.told()[1]})"
        for board, one in found.items()
    ]
