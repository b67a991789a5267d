"""Campaigns: rules on trial on boards and drawn positions, random walks.

Positions are drawn in blocks, each by a generator of its own; walk number k is that of
seed `seed` + k. So what is found does not depend on how it is cut.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

from heuristic.groups import load_rules
from heuristic.walks.statistics import Statistics, summarise
from solver.board import Board
from solver.files import checked
from solver.oracles.oracle import get_oracle
from verify.campaign.campaign import (
    Campaign,
    Unit,
    advance,
    advancing,
    deciding_rules,
    spans,
)
from verify.evidence.evidence import (
    Evidence,
    Known,
    blocks,
    gather,
    merged,
    sampled_positions,
    scope_of,
)

BLOCK = 20_000  # positions drawn by one generator on a small board
LARGE = 169  # cells above which a block is a tenth of that
_WHOLE = 1e-5  # seconds to the square of the cells: a whole small board
_POSITION = 2e-5  # seconds a drawn position and cell of its board, with the oracle
_CELL = 2e-8  # about the seconds of a walk, by the square of its board's cells


def seconds_of(board: Board) -> float:
    """Return about the seconds of a walk on a board."""
    return _CELL * board.open_cells**2


def block_of(board: Board) -> int:
    """Return the walks of a unit on a board: about half a second of work."""
    return max(1, min(20_000, round(0.5 / seconds_of(board))))


def trial(parameters: dict[str, Any]) -> Campaign[list[Evidence]]:
    """Put groups of rules on trial on several boards; the answer is their evidence.

    Each of `trials` is a board, the oracle to ask, and how many positions are drawn;
    where there is no number, all are tried. They are drawn by `seed`, or if `uniform`,
    along walks that all have the same probability. `alone` is that of
    `verify.evidence.evidence.gather`. A board gives an evidence for each of `groups`.
    """
    groups, alone = parameters["groups"], parameters["alone"]
    seed, uniform = parameters["seed"], parameters["uniform"]
    trials = parameters["trials"]

    def units() -> Iterator[Unit]:
        for place, (text, _, drawn) in enumerate(trials):
            cells = Board.parse(text).cells
            if drawn is None:
                weight = _WHOLE * cells**2
                yield Unit(f"{text}: all positions", [place, None, seed], weight)
                continue
            size = BLOCK if cells <= LARGE else BLOCK // 10
            for block, (many, drawn_by) in enumerate(blocks(drawn, size, seed), 1):
                name = f"{text}: block {block}, {many} positions"
                yield Unit(name, [place, many, drawn_by], many * cells * _POSITION)

    def work(payload: list[Any]) -> list[Any]:
        place, many, drawn_by = payload
        text, oracle, drawn = trials[place]
        board = Board.parse(text)
        where: Board | Known = board
        if many is not None:
            judge = get_oracle(oracle)
            known = sampled_positions(
                board, many, seed=drawn_by, oracle=judge, uniform=uniform
            )
            where = advancing(known, many)
        progress = advance if many is None else None
        scope = scope_of(board, drawn, seed, uniform=uniform)
        found = gather(where, scope, groups, alone=alone, progress=progress)
        return [asdict(one) for one in found]

    def fold(results: Iterator[list[Any]]) -> list[Evidence]:
        parts: dict[tuple[str, str, str], list[Evidence]] = {}
        for result in results:
            for one in checked(result, list[Evidence], "evidence"):
                parts.setdefault((one.board, one.scope, one.rule_set), []).append(one)
        return [merged(some) for some in parts.values()]

    def summary_lines(found: list[Evidence]) -> list[str]:
        lines = []
        for one in found:
            wrong = [rule.name for rule in one.rules if rule.wrong]
            line = f"{one.rule_set}, {one.scope}: {one.gaps:,} gaps, {len(wrong)}"
            lines.append(f"{line} rules wrong{': ' * bool(wrong)}{', '.join(wrong)}")
        return lines

    decides = deciding_rules(",".join(groups), "verify.evidence")
    made = units, work, fold, summary_lines
    return Campaign("verify", parameters, decides, *made, noun="positions")


def walk_counts(parameters: dict[str, Any]) -> Campaign[dict[str, Statistics]]:
    """Make `count` random walks on each of `boards` under `rules`; count the stuck.

    The answer has statistics for each board.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    boards = [Board.parse(text) for text in parameters["boards"]]
    rule_set = cache(lambda: load_rules(rules))  # who only folds results needs none

    def units() -> Iterator[Unit]:
        for place, board in enumerate(boards):
            what = block_of(board), seconds_of(board), f"{board.notation}: walks", place
            yield from spans(parameters["count"], *what)

    def work(payload: list[int]) -> list[int]:
        place, first, walks = payload
        walker = rule_set().walker(boards[place])
        numbers = advancing(range(seed + first, seed + first + walks), walks)
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

    def summary_lines(found: dict[str, Statistics]) -> list[str]:
        return [
            f"{board}: {one.walks:,} walks, {one.stuck:,} stuck, {one.in_words()[0]} "
            f"({one.in_words()[1]})"
            for board, one in found.items()
        ]

    what, made = deciding_rules(rules, __name__), (units, work, fold, summary_lines)
    return Campaign("stats", parameters, what, *made, noun="walks", extent=("count",))
