"""Rules on trial: what they forbid, measured on positions whose truth is known.

A batch is a run of completable positions with, for each, the moves a walker chooses
among (not the end cell before its time), the completable ones, and one mask a rule.
Batches come from all positions of a small board or from positions drawn along random
walks; the tally is the same for both.

A rule set is tried as it stands (`verify_exhaustive`, `verify_positions`). Of many
groups (`gather`) every rule is asked at every position, whatever its precedence says:
`stops` and `unless` are left out, so that a wrong rule cannot hide behind another.
Random walks obey a group as it stands.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.groups import load_rules, without_precedence
from heuristic.rule import (
    Rule,
    RuleSet,
    choices,
    letters,
    mask_of,
    union_mask,
)
from heuristic.walks.walker import TreeMasks, Walker
from solver.board import Board, Position
from solver.counting.uniform import UniformWalks
from solver.errors import NoWalkError
from solver.oracles.oracle import Oracle, Verdict
from solver.positions import completable_positions
from verify.truth import known_moves

GROUPS = (
    *("seed-5", "seed-close", "seed-7", "seed-9-size"),
    *("seed-single-area", "seed-composite", "seed-2024", "seed-superseded"),
    *("seed-kernels", "seed-kernels-old", "seed-2024-full"),
)
EXHAUSTIVE = 7  # boards with sides up to this are tried on every position
_BATCH = 1000
# The number of moves of each mask.
COUNTS = np.array([mask.bit_count() for mask in range(16)], dtype=np.int64)

Masks = npt.NDArray[np.uint8]
Depths = npt.NDArray[np.int32]
Progress = Callable[[float, float], None]  # positions done, positions in all
Known: TypeAlias = Iterable[tuple[Position, str]]  # with their completable moves


def sampled_positions(
    board: Board, count: int, *, seed: int, oracle: Oracle, uniform: bool = False
) -> Iterator[tuple[Position, str]]:
    """Yield `count` completable positions along random walks, with their good moves.

    A walk never gets stuck; its positions come in order, and a new walk begins when one
    is complete. Positions of one walk are not independent of each other; walks are.

    - `oracle`: says which moves are good.
    - `uniform`: whether all walks of the board are drawn with the same probability, see
      `solver.counting.uniform.UniformWalks` for what that costs; if not, a walk chooses
      uniformly among the completable moves of each step.

    Raises `NoWalkError` if the board has no Hamiltonian walk; `OptionError` if the
    oracle does not know one of the verdicts within its limit.
    """
    rng = np.random.default_rng(seed % 2**64)
    walks = UniformWalks(board, seed=seed) if uniform else None
    left = count
    while left > 0:
        position = Position(board)
        moves = walks.draw().moves if walks else ""
        if not walks and oracle.decide(position).verdict is Verdict.DEAD:
            raise NoWalkError(board.notation)
        while left > 0:
            answers = known_moves(oracle, position).items()
            good = "".join(m for m, a in answers if a.verdict is Verdict.COMPLETABLE)
            yield position, good
            left -= 1
            if not good:
                break
            step = len(position.walk) - 1
            move = moves[step] if walks else good[int(rng.integers(len(good)))]
            position = position.step(move)


def blocks(count: int, size: int, seed: int) -> list[tuple[int, int]]:
    """Cut so many positions into blocks that are drawn apart: how many, by which seed.

    The first block is drawn by the seed itself, so fewer positions are the same ones.

    >>> [many for many, _ in blocks(25, 10, 3)], blocks(25, 10, 3)[0]
    ([10, 10, 5], (10, 3))
    """
    found = []
    for block, first in enumerate(range(0, count, size)):
        mixed = np.random.SeedSequence([seed, block]).generate_state(1, np.uint64)
        drawn_by = int(mixed[0]) >> 1 if block else seed
        found.append((min(size, count - first), drawn_by))
    return found


@dataclass(frozen=True, slots=True)
class Example:
    """A position, by its notation, and the moves in question, letters."""

    notation: str
    moves: str

    @property
    def position(self) -> Position:
        """The position itself."""
        return Position.parse(self.notation)


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """What one rule did on the positions seen.

    - `fired`: positions in which it forbade at least one move.
    - `wrong`: positions in which it forbade a completable move.
    - `caught`: dead moves it forbade.
    - `only`: dead moves that it forbade and no other rule of the set did.
    - `first_wrong`: the smallest position with a wrongly forbidden move: the shortest
      walk.
    - `first_only`: the smallest with a dead move that it forbade and the rules that it
      is compared with did not, if it is compared with others.
    """

    name: str
    claim: str
    fired: int
    wrong: int
    caught: int
    only: int
    first_wrong: Example | None
    first_only: Example | None = None

    @property
    def verdict(self) -> str:
        """The verdict on these positions: unsound, never fired, or sound."""
        if self.wrong:
            return "unsound"
        return "sound" if self.fired else "never fired"


@dataclass(frozen=True, slots=True)
class WalksFound:
    """Random walks under a rule set: how many, from which seed, how many got stuck."""

    walks: int
    seed: int
    stuck: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a rule set did on the positions seen of a board.

    - `rule_set`, `board`, `scope`: which rules, on which positions, in words.
    - `positions`: completable positions seen.
    - `dead_moves`, `missed`: dead moves in them, and those that no rule forbade.
    - `gaps`: positions with a dead move that no rule forbade.
    - `first_gap`: the smallest gap, with its allowed dead moves.
    - `walks`: random walks under the rule set on the board, if any were made.
    """

    rule_set: str
    board: str
    scope: str
    positions: int
    dead_moves: int
    missed: int
    gaps: int
    first_gap: Example | None
    rules: tuple[RuleEvidence, ...]
    walks: WalksFound | None = None

    @property
    def sound(self) -> bool:
        """Whether no rule forbade a completable move."""
        return not any(rule.wrong for rule in self.rules)

    @property
    def complete(self) -> bool:
        """Whether every dead move was forbidden by some rule."""
        return self.missed == 0


_COUNTS = ("fired", "wrong", "caught", "only")
_SUMS = ("positions", "dead_moves", "missed", "gaps")


def merged(parts: Sequence[Evidence]) -> Evidence:
    """Join the evidence of a rule set on several runs of positions of a board."""
    columns = zip(*(part.rules for part in parts), strict=True)
    sums = {name: sum(getattr(one, name) for one in parts) for name in _SUMS}
    gap = _shortest(part.first_gap for part in parts)
    rules = tuple(map(merged_rule, columns))
    return replace(parts[0], **sums, first_gap=gap, rules=rules)


def merged_rule(some: Sequence[RuleEvidence]) -> RuleEvidence:
    """Join what one rule did on several runs of positions."""
    sums = {name: sum(getattr(one, name) for one in some) for name in _COUNTS}
    wrong = _shortest(one.first_wrong for one in some)
    only = _shortest(one.first_only for one in some)
    return replace(some[0], **sums, first_wrong=wrong, first_only=only)


def _shortest(examples: Iterable[Example | None]) -> Example | None:
    """Return the example with the shortest notation, the first of equals."""
    there = [example for example in examples if example is not None]
    return min(there, key=lambda example: len(example.notation), default=None)


@dataclass(slots=True)
class _Best:
    """The example with the shortest walk; the earliest among equals."""

    length: int = 1 << 30
    index: int = -1
    moves: int = 0

    def offer(
        self, hits: npt.NDArray[np.bool_], depth: Depths, moves: Masks, base: int
    ) -> None:
        where = np.flatnonzero(hits)
        if len(where) == 0:
            return
        at = int(where[np.argmin(depth[where])])
        if int(depth[at]) < self.length:
            self.length, self.index = int(depth[at]), base + at
            self.moves = int(moves[at])

    def example(self, position: Callable[[int], Position]) -> Example | None:
        if self.index < 0:
            return None
        return Example(position(self.index).notation, letters(self.moves))


@dataclass
class Tally:
    """Running sums over batches for some rules of a set, those in some columns.

    With `against` the last column is of other rules: `only` counts what a rule forbids
    and these allow, `missed` and `gaps` what these allow.
    """

    rules: Sequence[Rule]
    columns: Sequence[int] | None = None
    against: bool = False
    positions: int = 0
    dead_moves: int = 0
    missed: int = 0
    gaps: int = 0
    gap: _Best = field(default_factory=_Best)

    def __post_init__(self) -> None:
        self.sums = np.zeros((len(_COUNTS), len(self.rules)), dtype=np.int64)
        self.wrong = [_Best() for _ in self.rules]
        self.alone = [_Best() for _ in self.rules]

    def add(self, batch: TreeMasks) -> None:
        """Add a batch."""
        options, good, depth = batch.options, batch.good, batch.depth
        masks = batch.masks if self.columns is None else batch.masks[:, self.columns]
        masks = masks & options[:, None]
        dead = options & ~good
        once = np.zeros(len(options), dtype=np.uint8)  # forbidden by at least one rule
        twice = np.zeros(len(options), dtype=np.uint8)
        for mask in masks.T:
            twice |= once & mask
            once |= mask
        if self.against:
            once = twice = masks[:, -1]
        for rule, mask in enumerate(masks.T[: len(self.rules)]):
            hits = (mask & good) != 0
            self.sums[0, rule] += np.count_nonzero(mask)
            self.sums[1, rule] += np.count_nonzero(hits)
            self.sums[2, rule] += COUNTS[mask & dead].sum()
            self.sums[3, rule] += COUNTS[mask & dead & ~twice].sum()
            self.wrong[rule].offer(hits, depth, mask & good, self.positions)
            if self.against:
                only = mask & dead & ~twice
                self.alone[rule].offer(only != 0, depth, only, self.positions)
        allowed_dead = dead & ~once
        self.gap.offer(allowed_dead != 0, depth, allowed_dead, self.positions)
        self.dead_moves += int(COUNTS[dead].sum())
        self.missed += int(COUNTS[allowed_dead].sum())
        self.gaps += int(np.count_nonzero(allowed_dead))
        self.positions += len(options)

    def evidence(
        self, name: str, scope: str, position: Callable[[int], Position]
    ) -> Evidence:
        """Sum up; `position` rebuilds a position by its number."""
        rules = tuple(
            RuleEvidence(
                rule.name,
                rule.claim,
                **dict(zip(_COUNTS, counts, strict=True)),
                first_wrong=wrong.example(position),
                first_only=alone.example(position),
            )
            for rule, counts, wrong, alone in zip(
                self.rules, self.sums.T.tolist(), self.wrong, self.alone, strict=True
            )
        )
        sums = {name: getattr(self, name) for name in _SUMS}
        board = position(0).board.notation if self.positions else ""
        gap = self.gap.example(position)
        return Evidence(name, board, scope, **sums, first_gap=gap, rules=rules)


def scope_of(
    board: Board, drawn: int | None, seed: int = 0, *, uniform: bool = False
) -> str:
    """Say which positions of a board are seen: all, or so many drawn."""
    if drawn is None:
        return f"every completable position of {board.notation}"
    kind = "uniformly drawn" if uniform else "drawn"
    return f"{drawn:,} {kind} positions of {board.notation}, seed {seed}"


def verify_exhaustive(
    rule_set: RuleSet, board: Board, *, progress: Progress | None = None
) -> Evidence:
    """Try a rule set on every completable position of a small board.

    Exponential in the cells: 7x7 with its 2,043,335 positions takes seconds.

    Raises `NoWalkError` if the board has no Hamiltonian walk; `OptionError` if the
    board has too many positions to enumerate.
    """
    tally = Tally(rule_set.rules)
    place = _tally(rule_set, board, [tally], progress)
    return tally.evidence(rule_set.name, scope_of(board, None), place)


def verify_positions(
    rule_set: RuleSet, known: Known, scope: str, *, against: RuleSet | None = None
) -> Evidence:
    """Try a rule set on positions whose completable moves are given as letters.

    Positions of one walk on one board, in order, are followed step by step. With
    `against` the evidence counts what a rule forbids and other rules allow, and what
    these miss.
    """
    tally = Tally(rule_set.rules, against=against is not None)
    place = _tally(rule_set, known, [tally], against=against)
    return tally.evidence(rule_set.name, scope, place)


def small(board: Board) -> bool:
    """Whether every completable position of a board is tried."""
    return max(board.rows, board.cols) <= EXHAUSTIVE


def small_boards() -> Iterator[Board]:
    """Yield the rectangles up to 5 x 5 that have a walk from corner to corner.

    The smallest come first; enumerating all their positions takes milliseconds.
    """
    shapes = [(rows, cols) for rows in range(1, 6) for cols in range(1, 6)]
    for rows, cols in sorted(shapes, key=lambda shape: (shape[0] * shape[1], shape)):
        if rows * cols > 2:
            board = Board(rows, cols, 0, rows * cols - 1)
            if completable_positions(board).walks:
                yield board


def gather(
    where: Board | Known,
    scope: str,
    groups: Sequence[str] = GROUPS,
    *,
    alone: bool = True,
    progress: Progress | None = None,
) -> list[Evidence]:
    """Try all rules of groups on all positions of a board, or on known ones.

    Each rule is asked at every position, if they are asked `alone`; else rules that
    stop or exclude others do so across all groups. One evidence a group.
    """
    rules = load_rules(",".join(groups))
    rules = without_precedence(rules) if alone else rules
    number = {rule.name: column for column, rule in enumerate(rules.rules)}
    tallies = []
    for group in groups:
        columns = [number[rule.name] for rule in load_rules(group).rules]
        tallies.append(Tally([rules.rules[k] for k in columns], columns))
    place = _tally(rules, where, tallies, progress)
    return [
        tally.evidence(group, scope, place)
        for group, tally in zip(groups, tallies, strict=True)
    ]


def _tally(
    rules: RuleSet,
    where: Board | Known,
    tallies: Sequence[Tally],
    progress: Progress | None = None,
    against: RuleSet | None = None,
) -> Callable[[int], Position]:
    """Add what rules say at all positions of a board, or known ones, to tallies.

    Returns what rebuilds a position by its number.
    """
    seen, total = _Seen(), 0
    place: Callable[[int], Position] = seen.position
    if isinstance(where, Board):
        tree = completable_positions(where)
        if not tree.walks:
            raise NoWalkError(where.notation)
        batches = rules.walker(where).tree(tree)
        place, total = tree.position, len(tree)
    else:
        batches = _asked([rules, against] if against else [rules], where, seen)
    for batch in batches:
        for tally in tallies:
            tally.add(batch)
        if progress:
            progress(tallies[0].positions, total)
    return place


class _Seen:
    """Positions by number; of those of one walk in order the last holds them all."""

    def __init__(self) -> None:
        self._ends: list[int] = []  # the number after the last of each walk
        self._lasts: list[Position] = []

    def add(self, position: Position, follows: bool) -> None:
        if follows:
            self._ends[-1] += 1
            self._lasts[-1] = position
        else:
            self._ends.append((self._ends[-1] if self._ends else 0) + 1)
            self._lasts.append(position)

    def position(self, number: int) -> Position:
        walk = bisect_right(self._ends, number)
        return self._lasts[walk].back(self._ends[walk] - 1 - number)


def _asked(
    rule_sets: Sequence[RuleSet], known: Known, seen: _Seen
) -> Iterator[TreeMasks]:
    """Yield what rules say at positions, in batches; note the positions in `seen`.

    Of the first rule set there is a column a rule, of each other one column for all.
    """

    def rows() -> Iterator[tuple[list[int], int, int, int]]:
        walkers: list[Walker] = []
        before: Position | None = None
        for position, good in known:
            if before is None or before.board != position.board:
                walkers = [rules.walker(position.board) for rules in rule_sets]
                before = None
            for walker in walkers:
                walker.follow(position.walk)
            seen.add(position, before is not None and before.walk == position.walk[:-1])
            before = position
            masks, *others = (walker.masks() for walker in walkers)
            moves = mask_of(choices(position)), mask_of(good)
            yield [*masks, *map(union_mask, others)], *moves, len(position.walk)

    each = rows()
    while batch := list(islice(each, _BATCH)):
        masks, options, good, depth = zip(*batch, strict=True)
        yield TreeMasks(
            np.array(masks, dtype=np.uint8).reshape(len(batch), -1),
            np.array(options, dtype=np.uint8),
            np.array(good, dtype=np.uint8),
            np.array(depth, dtype=np.int32),
        )
