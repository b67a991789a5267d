"""Evidence for the rules of many groups at once, gathered board by board.

Every rule is asked at every position, whatever its precedence says: `stops` and
`unless` are left out, so that a wrong rule cannot hide behind another. What a group
catches and misses is then told for its rules together. Random walks obey a group as it
stands, precedence and all.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heuristic.groups import load_rules, rule_names
from heuristic.rule import Followed, RuleSet, choices, mask_of
from solver.board import Board
from solver.errors import NoWalkError
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from verify.evidence.sample import sampled_positions
from verify.evidence.soundness import Example, Tally

GROUPS = (
    *("seed-5", "seed-close", "seed-7", "seed-9-size"),
    *("seed-single-area", "seed-composite", "seed-2024", "seed-superseded"),
    *("seed-kernels", "seed-kernels-old", "seed-2024-full"),
)
EXHAUSTIVE = 7  # boards with sides up to this are tried on every position
_BATCH = 1000

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Found:
    """What one rule did on the positions of one board.

    Attributes
    ----------
    fired, wrong, caught : int
        As in `verify.evidence.soundness.RuleEvidence`.
    example : (str, str) or None
        Notation and moves of the shortest position where it was wrong.
    """

    fired: int
    wrong: int
    caught: int
    example: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class GroupFound:
    """What a group did: gaps, dead moves missed, and by rule what only it caught."""

    gaps: int
    missed: int
    blocked: int
    only: dict[str, int]
    first_gap: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class WalksFound:
    """Random walks under a group: how many, from which seed, how many got stuck."""

    walks: int
    seed: int
    stuck: int


@dataclass(frozen=True, slots=True)
class BoardFound:
    """The evidence of one board.

    Attributes
    ----------
    board : str
        Its notation.
    exhaustive : bool
        Every completable position, or positions drawn along random walks.
    seed : int
        Of the drawn positions; 0 if exhaustive.
    positions, dead_moves : int
    rules : dict of str to Found
    groups : dict of str to GroupFound
    walks : dict of str to WalksFound
        Of each group that walks were made under.
    """

    board: str
    exhaustive: bool
    seed: int
    positions: int
    dead_moves: int
    rules: dict[str, Found]
    groups: dict[str, GroupFound] = field(default_factory=dict)
    walks: dict[str, WalksFound] = field(default_factory=dict)


def asked_always(names: Sequence[str]) -> RuleSet:
    """Return all rules of some groups, each asked at every position."""
    return load_rules(",".join(names)).asked_always()


def gather(
    board: Board,
    *,
    count: int,
    seed: int,
    groups: Sequence[str] = GROUPS,
    progress: Progress | None = None,
) -> BoardFound:
    """Try all rules of the groups on a board; `progress` is told positions done.

    Up to 7 x 7 every completable position is tried, else `count` positions drawn along
    random walks that the oracle `search` keeps completable.

    Raises
    ------
    NoWalkError
        If the board has no Hamiltonian walk.
    """
    rules = asked_always(groups)
    names = [rule.name for rule in rules.rules]
    columns = {group: _columns(names, rule_names(group)) for group in groups}
    whole, parts = Tally(len(names)), {g: Tally(len(columns[g])) for g in groups}
    exhaustive = small(board)
    place: Callable[[int], Any]
    if exhaustive:
        tree = completable_positions(board)
        if not tree.walks:
            raise NoWalkError(board.notation)
        batches: Iterator[Followed] = rules.followed(tree)
        place = tree.position
    else:
        seen: list[Any] = []
        batches = _drawn(rules, board, count, seed, seen)
        place = seen.__getitem__
    for batch in batches:
        whole.add(batch)
        for group, tally in parts.items():
            tally.add(batch, columns[group])
        if progress:
            progress(whole.positions)
    evidence = whole.evidence(rules, board.notation, place)
    return BoardFound(
        board.notation,
        exhaustive,
        0 if exhaustive else seed,
        whole.positions,
        whole.dead_moves,
        {
            one.name: Found(one.fired, one.wrong, one.caught, _told(one.first_wrong))
            for one in evidence.rules
        },
        {
            group: GroupFound(
                *(tally.gaps, tally.missed, tally.blocked),
                {
                    names[column]: int(only)
                    for column, only in zip(columns[group], tally.sums[3], strict=True)
                },
                _told(tally.gap.example(place)),
            )
            for group, tally in parts.items()
        },
    )


def small(board: Board) -> bool:
    """Whether every completable position of a board is tried."""
    return max(board.rows, board.cols) <= EXHAUSTIVE


def joined(parts: Sequence[BoardFound], seed: int) -> BoardFound:
    """Join the evidence of blocks of positions of one board, drawn from a seed."""
    first = parts[0]
    if not parts[1:]:
        return first
    rules = {}
    for name in first.rules:
        some = [part.rules[name] for part in parts]
        rules[name] = Found(
            sum(one.fired for one in some),
            sum(one.wrong for one in some),
            sum(one.caught for one in some),
            _shortest(one.example for one in some),
        )
    groups = {}
    for group in first.groups:
        told = [part.groups[group] for part in parts]
        groups[group] = GroupFound(
            sum(one.gaps for one in told),
            sum(one.missed for one in told),
            sum(one.blocked for one in told),
            {name: sum(one.only[name] for one in told) for name in told[0].only},
            _shortest(one.first_gap for one in told),
        )
    positions = sum(part.positions for part in parts)
    dead = sum(part.dead_moves for part in parts)
    return BoardFound(
        first.board, first.exhaustive, seed, positions, dead, rules, groups
    )


def _shortest(
    examples: Iterable[tuple[str, str] | None],
) -> tuple[str, str] | None:
    """Return the example with the fewest moves, the first among equals."""
    there = [example for example in examples if example is not None]
    return min(there, key=lambda example: len(example[0]), default=None)


def _columns(names: list[str], wanted: list[str]) -> list[int]:
    return [names.index(name) for name in wanted]


def _told(example: Example | None) -> tuple[str, str] | None:
    return None if example is None else (example.position.notation, example.moves)


def _drawn(
    rules: RuleSet, board: Board, count: int, seed: int, seen: list[Any]
) -> Iterator[Followed]:
    """Yield drawn positions in batches, and put the positions themselves in `seen`."""
    tracker = rules.tracker(board)
    rows: list[tuple[list[int], int, int, int]] = []
    known = sampled_positions(board, count, seed=seed, oracle=get_oracle("search"))
    for position, good in known:
        if len(position.walk) == 1:
            tracker = rules.tracker(board)
        else:
            tracker.push(position.live_end)
        seen.append(position)
        row = (tracker.masks(), mask_of(choices(position)), mask_of(good))
        rows.append((*row, len(position.walk)))
        if len(rows) == _BATCH:
            yield _batch(rows)
            rows = []
    if rows:
        yield _batch(rows)


def _batch(rows: list[tuple[list[int], int, int, int]]) -> Followed:
    masks, options, good, depth = zip(*rows, strict=True)
    return Followed(
        np.array(masks, dtype=np.uint8),
        np.array(options, dtype=np.uint8),
        np.array(good, dtype=np.uint8),
        np.array(depth, dtype=np.int32),
    )
