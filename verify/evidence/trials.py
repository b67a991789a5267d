"""Runs of evidence: rules tried on positions, random walks, and left-first walks.

Positions are sampled in blocks, each by a generator of its own; walk number k is that
of seed `seed` + k. So the result does not depend on how a run is cut into units.

A left-first run (`milestones`) notes the walks completed when each rule was *first
needed*, that is when it alone forbade a move, and the first stuck positions. Walks
ahead of a position that was met before are counted, not walked, so all of 9 x 9 takes a
minute or two.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import Event, LeftFirstWalk
from heuristic.walks.walker import Statistics, summarise
from solver.board import Board, Position
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
    alone: bool = False,
) -> LongRun[list[Evidence]]:
    """Try groups of rules on boards; the answer is an evidence a board and group.

    - `groups`: each as `load_rules` reads it.
    - `boards`: the notation of each, the oracle, and how many positions to sample; None
      tries all positions.
    - `alone`: see `verify.evidence.evidence.gather`.
    """
    units = []
    for text, oracle, number in boards:
        board = Board.parse(text)
        scope = scope_of(board, number, seed)
        if number is None:
            weight = _WHOLE * board.cells**2
            units.append(Unit([text, oracle, scope, None, seed], weight))
            continue
        size = BLOCK if board.cells <= LARGE else BLOCK // 10
        for many, block_seed in blocks(number, size, seed):
            weight = many * board.cells * _POSITION
            units.append(Unit([text, oracle, scope, many, block_seed], weight))
    parameters = {"groups": [*groups], "alone": alone}
    rules = ",".join(groups)
    work = work_of(_trying, parameters, *ROOMS, rules=rules)
    return LongRun("verify", work, units, _evidence)


def _trying(
    groups: list[str], alone: bool
) -> Callable[[list[Any], Advance], list[Any]]:
    """Return what tries groups of rules on a whole board, or a block of positions."""

    def gathered(payload: list[Any], advance: Advance) -> list[Any]:
        text, oracle, scope, many, seed = payload
        board = Board.parse(text)
        if many is None:
            parts = gather(board, scope, groups, alone=alone, progress=advance)
        else:
            positions = sampled_positions(
                board, many, seed=seed, oracle=get_oracle(oracle)
            )
            known = advancing(positions, many, advance)
            parts = gather(known, scope, groups, alone=alone)
        return [asdict(part) for part in parts]

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


SHOWN = 5  # stuck positions that a left-first run notes


@dataclass(slots=True)
class Milestones:
    """What a left-first run met.

    - `completed`, `stuck`, `steps`: walks completed, positions stuck, steps made.
    - `needed`: walks completed before each rule was first needed, in that order.
    - `stuck_at`: the first stuck positions, with the walks completed before.
    - `finished`: whether everything was tried.
    """

    completed: int = 0
    stuck: int = 0
    steps: int = 0
    needed: dict[str, int] = field(default_factory=dict)
    stuck_at: list[tuple[int, Position]] = field(default_factory=list)
    finished: bool = False


def milestones(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int = 0,
    stop_stuck: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Milestones:
    """Walk left first on a board under rules.

    - `walks`: stop after so many completed walks; 0 for no limit.
    - `stop_stuck`: stop at the first stuck position.
    - `progress`: called several times a second with the walks completed.

    >>> from heuristic.groups import load_rules
    >>> run = milestones(load_rules("seed-5,seed-close"), Board.square(5))
    >>> run.completed, run.stuck, run.finished
    (104, 0, True)
    """
    walk, run = LeftFirstWalk(rule_set, Position(board)), Milestones()
    stopped = False
    while not (stopped or run.finished):
        event = walk.run(
            stop_stuck=stop_stuck or len(run.stuck_at) < SHOWN,
            stop_needed=True,
            walks=walks or None,
            progress=lambda walk: progress(walk.completed),
        )
        if event is Event.NEEDED:
            for rule in walk.needed:
                run.needed.setdefault(rule, walk.completed)
        elif event is Event.STUCK:
            if len(run.stuck_at) < SHOWN:
                run.stuck_at.append((walk.completed, walk.position))
            stopped = stop_stuck
        else:
            stopped = event is Event.WALKS
            run.finished = event is Event.FINISHED
    run.completed, run.stuck, run.steps = walk.completed, walk.stuck, walk.steps
    return run
