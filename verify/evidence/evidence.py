"""Evidence about rules: what they forbid at positions whose truth is known.

Positions are all completable ones of a small board, or random ones along walks. The
tally is the same for both.

A rule set is tried as it stands (`verify_exhaustive`, `verify_positions`). Of many
groups (`gather`) every rule is asked at every position, whatever its precedence says:
`stops` and `unless` are left out, so that a wrong rule cannot hide behind another.
Random walks obey a group as it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.groups import load_rules, without_precedence
from heuristic.rule import Rule, RuleSet, choices, letters, mask_of
from heuristic.walks.walker import TreeMasks, Walker
from solver.board import Board, Position
from solver.errors import NoWalkError
from solver.oracles.oracle import Oracle, Verdict
from solver.positions import PositionTree, completable_positions
from verify.truth import known_moves

GROUPS = (
    *("seed-5", "seed-close", "seed-7", "seed-9-size"),
    *("seed-single-area", "seed-composite", "seed-2024", "seed-superseded"),
    *("seed-kernels", "seed-kernels-old", "seed-2024-full"),
)
EXHAUSTIVE = 7  # boards with sides up to this are tried on every position
_SIZE = 1000  # known positions of a batch
# The number of moves of each mask.
COUNTS = np.array([mask.bit_count() for mask in range(16)], dtype=np.int64)

Masks = npt.NDArray[np.uint8]
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
    walks = None
    if uniform:
        from solver.counting.uniform import UniformWalks  # loads all of counting

        walks = UniformWalks(board, seed=seed)
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
    - `first_wrong`: the position with a wrongly forbidden move that has the shortest
      walk.
    """

    name: str
    claim: str
    fired: int
    wrong: int
    caught: int
    only: int
    first_wrong: Example | None

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
    - `first_gap`: the gap with the shortest walk, with its allowed dead moves.
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
    return replace(some[0], **sums, first_wrong=wrong)


def _shortest(examples: Iterable[Example | None]) -> Example | None:
    """Return the example with the shortest notation, the first of equals."""
    there = [example for example in examples if example is not None]
    return min(there, key=lambda example: len(example.notation), default=None)


class Batch(NamedTuple):
    """What rules forbid at some positions, and the position of each number."""

    told: TreeMasks
    position: Callable[[int], Position]


@dataclass(slots=True)
class _Shortest:
    """The example with the shortest walk; the earliest among equals."""

    depth: int = 1 << 30
    example: Example | None = None

    def offer(self, moves: Masks, batch: Batch) -> None:
        """Take the first of the shortest positions at which there are such moves."""
        where = np.flatnonzero(moves)
        if len(where) == 0:
            return
        depth = batch.told.depth
        at = int(where[np.argmin(depth[where])])
        if int(depth[at]) < self.depth:
            self.depth = int(depth[at])
            place = batch.position(at)
            self.example = Example(place.notation, letters(int(moves[at])))


@dataclass
class Tally:
    """Running sums over batches for some rules of a set, those in some columns."""

    rules: Sequence[Rule]
    columns: Sequence[int] | None = None
    board: str = ""
    positions: int = 0
    dead_moves: int = 0
    missed: int = 0
    gaps: int = 0
    gap: _Shortest = field(default_factory=_Shortest)

    def __post_init__(self) -> None:
        self.sums = np.zeros((len(_COUNTS), len(self.rules)), dtype=np.int64)
        self.wrong = [_Shortest() for _ in self.rules]

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        told = batch.told
        masks = told.masks if self.columns is None else told.masks[:, self.columns]
        masks = masks & told.options[:, None]
        dead = told.options & ~told.good
        once = np.zeros(len(masks), dtype=np.uint8)  # forbidden by at least one rule
        twice = np.zeros(len(masks), dtype=np.uint8)
        for mask in masks.T:
            twice |= once & mask
            once |= mask
        for rule, mask in enumerate(masks.T):
            wrong = mask & told.good
            self.sums[0, rule] += np.count_nonzero(mask)
            self.sums[1, rule] += np.count_nonzero(wrong)
            self.sums[2, rule] += COUNTS[mask & dead].sum()
            self.sums[3, rule] += COUNTS[mask & dead & ~twice].sum()
            self.wrong[rule].offer(wrong, batch)
        allowed = dead & ~once
        self.gap.offer(allowed, batch)
        self.dead_moves += int(COUNTS[dead].sum())
        self.missed += int(COUNTS[allowed].sum())
        self.gaps += int(np.count_nonzero(allowed))
        self.board = self.board or batch.position(0).board.notation
        self.positions += len(masks)

    def evidence(self, name: str, scope: str) -> Evidence:
        """Return the sums as the evidence of a rule set."""
        rules = tuple(
            RuleEvidence(
                rule.name,
                rule.claim,
                **dict(zip(_COUNTS, counts, strict=True)),
                first_wrong=wrong.example,
            )
            for rule, counts, wrong in zip(
                self.rules, self.sums.T.tolist(), self.wrong, strict=True
            )
        )
        sums = {key: getattr(self, key) for key in _SUMS}
        gap = self.gap.example
        return Evidence(name, self.board, scope, **sums, first_gap=gap, rules=rules)


def scope_of(
    board: Board, drawn: int | None, seed: int = 0, *, uniform: bool = False
) -> str:
    """Return which positions of a board are seen, in words: all, or a sample."""
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
    _fill([tally], rule_set, board, progress)
    return tally.evidence(rule_set.name, scope_of(board, None))


def verify_positions(rule_set: RuleSet, known: Known, scope: str) -> Evidence:
    """Try a rule set on positions whose completable moves are given as letters."""
    tally = Tally(rule_set.rules)
    _fill([tally], rule_set, known)
    return tally.evidence(rule_set.name, scope)


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
    _fill(tallies, rules, where, progress)
    return [
        tally.evidence(group, scope)
        for group, tally in zip(groups, tallies, strict=True)
    ]


def _fill(
    tallies: Sequence[Tally],
    rules: RuleSet,
    where: Board | Known,
    progress: Progress | None = None,
) -> None:
    """Add what rules forbid at all positions of a board, or known ones, to tallies."""
    total = len(completable_positions(where)) if isinstance(where, Board) else 0
    for batch in batches(rules, where):
        for tally in tallies:
            tally.add(batch)
        if progress:
            progress(tallies[0].positions, total)


def batches(rules: RuleSet, where: Board | Known) -> Iterator[Batch]:
    """Yield what rules forbid at all positions of a board, or at known ones.

    Raises `NoWalkError` if the board has no Hamiltonian walk; `OptionError` if it has
    too many positions to enumerate.
    """
    if isinstance(where, Board):
        return _of_board(rules, where)
    return _of_positions(rules, where)


def _of_board(rules: RuleSet, board: Board) -> Iterator[Batch]:
    tree, begin = completable_positions(board), 0
    if not tree.walks:
        raise NoWalkError(board.notation)
    for told in rules.walker(board).tree(tree):
        yield Batch(told, partial(_position_of, tree, begin))
        begin += len(told.depth)


def _position_of(tree: PositionTree, begin: int, number: int) -> Position:
    return tree.position(begin + number)


def _of_positions(rules: RuleSet, known: Known) -> Iterator[Batch]:
    walker: Walker | None = None
    positions = iter(known)
    while batch := list(islice(positions, _SIZE)):
        rows = []
        for position, good in batch:
            if walker is None or walker.board != position.board:
                walker = rules.walker(position.board)
            walker.follow(position.walk)
            moves = mask_of(choices(position)), mask_of(good)
            rows.append((walker.masks(), *moves, len(position.walk)))
        masks, options, goods, depth = zip(*rows, strict=True)
        told = TreeMasks(
            np.array(masks, dtype=np.uint8).reshape(len(batch), -1),
            np.array(options, dtype=np.uint8),
            np.array(goods, dtype=np.uint8),
            np.array(depth, dtype=np.int32),
        )
        yield Batch(told, [position for position, _ in batch].__getitem__)
