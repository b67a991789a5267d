"""Long runs of evidence: rules tried on boards and sampled positions, random walks.

Positions are sampled in blocks, each by a generator of its own; walk number k is that
of seed `seed` + k. So the result does not depend on how a run is cut into units.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from heuristic.walks.statistics import Statistics, summarise
from solver.board import Board
from solver.files import checked
from solver.oracles.oracle import get_oracle
from verify.evidence.evidence import (
    Evidence,
    blocks,
    gather,
    merged,
    sampled_positions,
    scope_of,
)
from verify.runs.work import Advance, LongRun, Unit, advancing, spans, work_of

# Rooms that decide the results of this one, besides the solver and the rules.
ROOMS = "verify.checker", "verify.evidence", "verify.shrink", "verify.truth"
BLOCK = 20_000  # positions sampled by one generator on a small board
LARGE = 169  # cells above which a block is a tenth of that
_WHOLE = 1e-5  # seconds to the square of the cells: a whole small board
_POSITION = 2e-5  # seconds a sampled position and cell of its board, with the oracle
_CELL = 2e-8  # about the seconds of a walk, by the square of its board's cells


def seconds_of(board: Board) -> float:
    """Return about the seconds of a walk on a board."""
    return _CELL * board.open_cells**2


def block_of(board: Board) -> int:
    """Return the walks of a unit on a board: about half a second of work."""
    return max(1, min(20_000, round(0.5 / seconds_of(board))))


def trials(
    groups: Sequence[str],
    boards: Sequence[tuple[str, str, int | None]],
    *,
    seed: int,
    uniform: bool = False,
    alone: bool = False,
) -> LongRun[list[Evidence]]:
    """Try groups of rules on boards; the answer is an evidence a board and group.

    - `groups`: each as `load_rules` reads it.
    - `boards`: the notation of each, the oracle, and how many positions to sample; None
      tries all positions.
    - `uniform`: sample along walks that all have the same probability.
    - `alone`: see `verify.evidence.evidence.gather`.
    """
    units = []
    for text, oracle, number in boards:
        board = Board.parse(text)
        scope = scope_of(board, number, seed, uniform=uniform)
        if number is None:
            weight = _WHOLE * board.cells**2
            units.append(Unit([text, oracle, scope, None, seed], weight))
            continue
        size = BLOCK if board.cells <= LARGE else BLOCK // 10
        for many, block_seed in blocks(number, size, seed):
            weight = many * board.cells * _POSITION
            units.append(Unit([text, oracle, scope, many, block_seed], weight))
    parameters = {"groups": [*groups], "uniform": uniform, "alone": alone}
    rules = ",".join(groups)
    work = work_of(_trying, parameters, *ROOMS, rules=rules)
    return LongRun("verify", work, units, _evidence)


def _trying(
    groups: list[str], uniform: bool, alone: bool
) -> Callable[[list[Any], Advance], list[Any]]:
    """Return what tries groups of rules on a whole board, or a block of positions."""

    def gathered(payload: list[Any], advance: Advance) -> list[Any]:
        text, oracle, scope, many, seed = payload
        board = Board.parse(text)
        if many is None:
            found = gather(board, scope, groups, alone=alone, progress=advance)
        else:
            positions = sampled_positions(
                board, many, seed=seed, oracle=get_oracle(oracle), uniform=uniform
            )
            found = gather(
                advancing(positions, many, advance), scope, groups, alone=alone
            )
        return [asdict(evidence) for evidence in found]

    return gathered


def _evidence(results: Iterator[list[Any]]) -> list[Evidence]:
    parts: dict[tuple[str, str, str], list[Evidence]] = {}
    for result in results:
        for part in checked(result, list[Evidence], "evidence"):
            key = part.board, part.scope, part.rule_set
            parts.setdefault(key, []).append(part)
    return [merged(blocks) for blocks in parts.values()]


def walk_counts(
    rule_set: RuleSet, boards: Sequence[Board], *, count: int, seed: int
) -> LongRun[dict[str, Statistics]]:
    """Make `count` random walks on each board; the answer has statistics by board."""
    units = []
    for board in boards:
        size, seconds = block_of(board), seconds_of(board)
        units += spans(count, size, seconds, board.notation)

    def statistics(results: Iterator[list[Any]]) -> dict[str, Statistics]:
        walks, stuck = Counter[str](), Counter[str]()
        for board, made, lost in results:
            walks[board] += made
            stuck[board] += lost
        return {board: summarise(made, stuck[board]) for board, made in walks.items()}

    parameters = {"rules": rule_set.name, "seed": seed}
    work = work_of(_walking, parameters, *ROOMS, rules=rule_set.name)
    return LongRun("stats", work, units, statistics)


def _walking(rules: str, seed: int) -> Callable[[list[Any], Advance], list[Any]]:
    """Return what makes a block of walks on a board and counts the stuck ones."""
    rule_set = load_rules(rules)

    def walked(payload: list[Any], advance: Advance) -> list[Any]:
        text, first, walks = payload
        walker = rule_set.walker(Board.parse(text))
        numbers = range(seed + first, seed + first + walks)
        made = map(walker.walk, advancing(numbers, walks, advance))
        stuck = sum(walk.stuck for walk in made)
        return [text, walks, stuck]

    return walked
