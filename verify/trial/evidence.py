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
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

from heuristic.groups import load_rules
from heuristic.rule import (
    Followed,
    Rule,
    RuleSet,
    Tracker,
    choices,
    letters,
    mask_of,
    union_mask,
)
from solver.board import Board, Position
from solver.counting.uniform import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_moves, get_oracle
from solver.positions import PositionTree, completable_positions
from verify.campaign.campaign import advancing

GROUPS = (
    *("seed-5", "seed-close", "seed-7", "seed-9-size"),
    *("seed-single-area", "seed-composite", "seed-2024", "seed-superseded"),
    *("seed-kernels", "seed-kernels-old", "seed-2024-full"),
)
EXHAUSTIVE = 7  # boards with sides up to this are tried on every position
_BATCH = 1000
_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.int64)

Masks = npt.NDArray[np.uint8]
Depths = npt.NDArray[np.int32]
Progress = Callable[[int, int], None]  # positions done, positions in all


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
            good = _good_moves(position, oracle)
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


def known_moves(oracle: Oracle, position: Position) -> dict[str, Answer]:
    """Return what `decide_moves` does.

    Raises `OptionError` if one is UNKNOWN.
    """
    answers = decide_moves(oracle, position)
    for move, one in answers.items():
        if one.verdict is Verdict.UNKNOWN:
            raise OptionError(
                f"oracle {oracle.name!r} does not know move {move} of "
                f"{position.notation}: {one.why or one.verdict.value}"
            )
    return answers


def _good_moves(position: Position, oracle: Oracle) -> str:
    answers = known_moves(oracle, position)
    return "".join(
        move for move, a in answers.items() if a.verdict is Verdict.COMPLETABLE
    )


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
        """One word: unsound, unused (never fired) or sound, on these positions."""
        if self.wrong:
            return "unsound"
        return "sound" if self.fired else "unused"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a rule set did on the positions seen.

    - `rule_set`, `scope`: which rules, on which positions, in words.
    - `positions`: completable positions seen.
    - `dead_moves`, `missed`: dead moves in them, and those that no rule forbade.
    - `gaps`: positions with a dead move that no rule forbade.
    - `blocked`: positions, not complete, in which every move was forbidden.
    - `first_gap`: the smallest gap, with its allowed dead moves.
    """

    rule_set: str
    scope: str
    positions: int
    dead_moves: int
    missed: int
    gaps: int
    blocked: int
    first_gap: Example | None
    rules: tuple[RuleEvidence, ...]

    @property
    def sound(self) -> bool:
        """Whether no rule forbade a completable move."""
        return not any(rule.wrong for rule in self.rules)

    @property
    def complete(self) -> bool:
        """Whether every dead move was forbidden by some rule."""
        return self.missed == 0


@dataclass(frozen=True, slots=True)
class WalksFound:
    """Random walks under a group: how many, from which seed, how many got stuck."""

    walks: int
    seed: int
    stuck: int


@dataclass(frozen=True, slots=True)
class BoardEvidence:
    """The evidence of many groups on one board, at the same positions.

    - `board`: its notation.
    - `exhaustive`: every completable position, or positions drawn along random walks.
    - `seed`: of the drawn positions; 0 if exhaustive.
    - `walks`: of each group that walks were made under.
    """

    board: str
    exhaustive: bool
    seed: int
    groups: dict[str, Evidence]
    walks: dict[str, WalksFound] = field(default_factory=dict)

    @property
    def positions(self) -> int:
        """The positions seen."""
        return next(iter(self.groups.values())).positions

    @property
    def dead_moves(self) -> int:
        """The dead moves in them."""
        return next(iter(self.groups.values())).dead_moves

    @property
    def rules(self) -> dict[str, RuleEvidence]:
        """What each rule did, by name; of one in two groups, in the first of them."""
        found: dict[str, RuleEvidence] = {}
        for evidence in self.groups.values():
            for rule in evidence.rules:
                found.setdefault(rule.name, rule)
        return found


_COUNTS = ("fired", "wrong", "caught", "only")
_SUMS = ("positions", "dead_moves", "missed", "gaps", "blocked")


def merged(parts: Sequence[Evidence], scope: str) -> Evidence:
    """Join the evidence of a rule set on several runs of positions, in their order."""
    first = parts[0]
    rules = []
    for column, rule in enumerate(first.rules):
        some = [part.rules[column] for part in parts]
        sums = {name: sum(getattr(one, name) for one in some) for name in _COUNTS}
        wrong = _shortest(one.first_wrong for one in some)
        rules.append(RuleEvidence(rule.name, rule.claim, **sums, first_wrong=wrong))
    sums = {name: sum(getattr(one, name) for one in parts) for name in _SUMS}
    gap = _shortest(part.first_gap for part in parts)
    return Evidence(first.rule_set, scope, **sums, first_gap=gap, rules=tuple(rules))


def _shortest(examples: Iterable[Example | None]) -> Example | None:
    """Return the example of one board with the fewest moves, the first of equals."""
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
    """Running sums over batches for some rules of a set, those in some columns."""

    rules: Sequence[Rule]
    columns: Sequence[int] | None = None
    positions: int = 0
    dead_moves: int = 0
    missed: int = 0
    gaps: int = 0
    blocked: int = 0
    gap: _Best = field(default_factory=_Best)

    def __post_init__(self) -> None:
        self.sums = np.zeros((len(_COUNTS), len(self.rules)), dtype=np.int64)
        self.wrong = [_Best() for _ in self.rules]

    def add(self, batch: Followed) -> None:
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
        for rule, mask in enumerate(masks.T):
            hits = (mask & good) != 0
            self.sums[0, rule] += np.count_nonzero(mask)
            self.sums[1, rule] += np.count_nonzero(hits)
            self.sums[2, rule] += _BITS[mask & dead].sum()
            self.sums[3, rule] += _BITS[mask & dead & ~twice].sum()
            self.wrong[rule].offer(hits, depth, mask & good, self.positions)
        allowed_dead = dead & ~once
        self.gap.offer(allowed_dead != 0, depth, allowed_dead, self.positions)
        self.dead_moves += int(_BITS[dead].sum())
        self.missed += int(_BITS[allowed_dead].sum())
        self.gaps += int(np.count_nonzero(allowed_dead))
        self.blocked += int(np.count_nonzero((good != 0) & (options & ~once == 0)))
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
            )
            for rule, counts, wrong in zip(
                self.rules, self.sums.T.tolist(), self.wrong, strict=True
            )
        )
        sums = {name: getattr(self, name) for name in _SUMS}
        gap = self.gap.example(position)
        return Evidence(name, scope, **sums, first_gap=gap, rules=rules)


def verify_exhaustive(
    rule_set: RuleSet, board: Board, *, progress: Progress | None = None
) -> Evidence:
    """Try a rule set on every completable position of a small board.

    Exponential in the cells: 7x7 with its 2,043,335 positions takes seconds.

    Raises `NoWalkError` if the board has no Hamiltonian walk; `OptionError` if the
    board has too many positions to enumerate.
    """
    tree, tally = _all_positions(board), Tally(rule_set.rules)
    for batch in rule_set.followed(tree):
        tally.add(batch)
        if progress:
            progress(tally.positions, len(tree))
    scope = f"every completable position of {board.notation}"
    return tally.evidence(rule_set.name, scope, tree.position)


def verify_positions(
    rule_set: RuleSet, known: Iterable[tuple[Position, str]], scope: str
) -> Evidence:
    """Try a rule set on positions whose completable moves are given as letters.

    Positions of one walk in order are followed step by step.
    """
    tally, seen = Tally(rule_set.rules), _Seen()
    for batch in _asked(rule_set, known, seen):
        tally.add(batch)
    return tally.evidence(rule_set.name, scope, seen.position)


def asked_always(names: Sequence[str]) -> RuleSet:
    """Return all rules of some groups, each asked at every position."""
    return load_rules(",".join(names)).asked_always()


def small(board: Board) -> bool:
    """Whether every completable position of a board is tried."""
    return max(board.rows, board.cols) <= EXHAUSTIVE


def gather(
    board: Board, *, count: int, seed: int, groups: Sequence[str] = GROUPS
) -> BoardEvidence:
    """Try all rules of the groups on a board, each at every position.

    Up to 7 x 7 every completable position is tried, else `count` positions drawn along
    random walks that the oracle `search` keeps completable.

    Raises `NoWalkError` if the board has no Hamiltonian walk.
    """
    rules, seen, whole = asked_always(groups), _Seen(), small(board)
    number = {rule.name: column for column, rule in enumerate(rules.rules)}
    tallies = {}
    for group in groups:
        columns = [number[rule.name] for rule in load_rules(group).rules]
        tallies[group] = Tally([rules.rules[k] for k in columns], columns)
    place: Callable[[int], Position] = seen.position
    if whole:
        tree = _all_positions(board)
        batches, place = rules.followed(tree), tree.position
    else:
        known = sampled_positions(board, count, seed=seed, oracle=get_oracle("search"))
        batches = _asked(rules, advancing(known, count), seen)
    for batch in batches:
        for tally in tallies.values():
            tally.add(batch)
    found = {g: one.evidence(g, board.notation, place) for g, one in tallies.items()}
    return BoardEvidence(board.notation, whole, 0 if whole else seed, found)


def joined(parts: Sequence[BoardEvidence], groups: Sequence[str]) -> BoardEvidence:
    """Join the evidence of blocks of positions of one board, groups in this order."""
    first = parts[0]
    return BoardEvidence(
        *(first.board, first.exhaustive, first.seed),
        {g: merged([part.groups[g] for part in parts], first.board) for g in groups},
    )


def _all_positions(board: Board) -> PositionTree:
    tree = completable_positions(board)
    if not tree.walks:
        raise NoWalkError(board.notation)
    return tree


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


def _trackers(
    rule_sets: Sequence[RuleSet], known: Iterable[tuple[Position, str]]
) -> Iterator[tuple[Position, str, bool, list[Tracker]]]:
    """Yield positions with whether each goes on from the last, trackers following."""
    trackers: list[Tracker] = []
    before: Position | None = None
    for position, good in known:
        follows = before is not None and before.walk == position.walk[:-1]
        if not follows:
            trackers = [rules.tracker(position.board) for rules in rule_sets]
        for tracker in trackers:
            for cell in position.walk[-1:] if follows else position.walk[1:]:
                tracker.push(cell)
        before = position
        yield position, good, follows, trackers


def _asked(
    rules: RuleSet, known: Iterable[tuple[Position, str]], seen: _Seen
) -> Iterator[Followed]:
    """Yield what rules say at positions, in batches; note the positions in `seen`."""

    def rows() -> Iterator[tuple[list[int], int, int, int]]:
        for position, good, follows, (tracker,) in _trackers([rules], known):
            seen.add(position, follows)
            moves = mask_of(choices(position)), mask_of(good)
            yield tracker.masks(), *moves, len(position.walk)

    each = rows()
    while batch := list(islice(each, _BATCH)):
        masks, options, good, depth = zip(*batch, strict=True)
        yield Followed(
            np.array(masks, dtype=np.uint8).reshape(len(batch), -1),
            np.array(options, dtype=np.uint8),
            np.array(good, dtype=np.uint8),
            np.array(depth, dtype=np.int32),
        )


@dataclass(slots=True)
class Beyond:
    """Dead moves that a rule set allows, and the other rules that forbid them.

    - `positions`, `dead_moves`, `missed`: positions seen, dead moves in them, and those
      that the rule set allows.
    - `forbidden`: dead moves that each rule forbids; 0 for a rule that never did.
    - `rules`: dead moves that a rule forbids and the rule set allows; only rules with
      any.
    - `examples`: the first such position and move of each of these rules.
    """

    positions: int = 0
    dead_moves: int = 0
    missed: int = 0
    forbidden: dict[str, int] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)
    examples: dict[str, tuple[Position, str]] = field(default_factory=dict)


def beyond(
    rules: RuleSet,
    others: RuleSet,
    known: Iterable[tuple[Position, str]],
    *,
    progress: Callable[[int], None] | None = None,
) -> Beyond:
    """Compare rules with others on positions whose completable moves are known.

    `known` yields positions with their completable moves as letters, those of one walk
    in order, as `verify.trial.evidence.sampled_positions` does; `progress` is given
    positions done.

    >>> from heuristic.groups import load_rules
    >>> from solver.board import Board
    >>> from solver.oracles.oracle import get_oracle
    >>> from verify.trial.evidence import sampled_positions
    >>> brute = get_oracle("brute")
    >>> known = sampled_positions(Board.square(5), 50, seed=1, oracle=brute)
    >>> found = beyond(load_rules("c-shape"), load_rules("seed-5"), known)
    >>> found.positions, found.rules
    (50, {})
    """
    names = [rule.name for rule in rules.rules]
    found = Beyond(forbidden=dict.fromkeys(names, 0))
    for position, good, _, (mine, theirs) in _trackers([rules, others], known):
        dead = mask_of(choices(position)) & ~mask_of(good)
        left = dead & ~union_mask(theirs.masks())
        found.positions += 1
        if progress:
            progress(found.positions)
        found.dead_moves += dead.bit_count()
        found.missed += left.bit_count()
        if not dead:
            continue
        for name, mask in zip(names, mine.masks(), strict=True):
            found.forbidden[name] += (mask & dead).bit_count()
            if mask & left:
                found.rules[name] = found.rules.get(name, 0) + (mask & left).bit_count()
                found.examples.setdefault(name, (position, letters(mask & left)))
    return found
