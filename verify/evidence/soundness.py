"""Rules on trial: what they forbid, measured on positions whose truth is known.

A batch is a run of completable positions with, for each, the moves a walker chooses
among (not the end cell before its time), the completable ones, and one mask a rule.
Batches come from all positions of a small board
(`verify_exhaustive`) or from positions drawn at random (`verify_positions`); the tally
is the same for both.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristic.rule import Followed, RuleSet, choices, letters, mask_of
from solver.board import Board, Position
from solver.errors import NoWalkError
from solver.positions import completable_positions

Masks = npt.NDArray[np.uint8]
Depths = npt.NDArray[np.int32]

_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.int64)

Progress = Callable[[int, int], None]  # positions done, positions in all


@dataclass(frozen=True, slots=True)
class Example:
    """A position and the moves in question, letters."""

    position: Position
    moves: str


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """What one rule did on the positions seen.

    Attributes
    ----------
    name, claim : str
    fired : int
        Positions in which it forbade at least one move.
    wrong : int
        Positions in which it forbade a completable move.
    caught : int
        Dead moves it forbade.
    only : int
        Dead moves that it forbade and no other rule of the set did.
    first_wrong : Example or None
        The smallest position with a wrongly forbidden move: the shortest walk.
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

    Attributes
    ----------
    rule_set, scope : str
        Which rules, on which positions, in words.
    positions : int
        Completable positions seen.
    dead_moves, missed : int
        Dead moves in them, and those that no rule forbade.
    gaps : int
        Positions with a dead move that no rule forbade.
    blocked : int
        Positions, not complete, in which every move was forbidden.
    first_gap : Example or None
        The smallest gap, with its allowed dead moves.
    rules : tuple of RuleEvidence
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


def plain(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as a JSON value; `evidence_of` reads it."""
    rules = []
    for rule in evidence.rules:
        wrong = _written(rule.first_wrong)
        rules.append({name: getattr(rule, name) for name in _RULE} | {_WRONG: wrong})
    found = {name: getattr(evidence, name) for name in _EVIDENCE}
    return found | {"first_gap": _written(evidence.first_gap), "rules": rules}


def evidence_of(found: dict[str, Any]) -> Evidence:
    """Return the evidence that `plain` wrote."""
    rules = [
        RuleEvidence(**rule | {_WRONG: _read(rule[_WRONG])}) for rule in found["rules"]
    ]
    first_gap = _read(found["first_gap"])
    return Evidence(**found | {"first_gap": first_gap, "rules": tuple(rules)})


def merged(parts: Sequence[Evidence], scope: str) -> Evidence:
    """Join the evidence of a rule set on several runs of positions, in their order."""
    first = parts[0]
    rules = []
    for column, rule in enumerate(first.rules):
        some = [part.rules[column] for part in parts]
        sums = {name: sum(getattr(one, name) for one in some) for name in _RULE[2:]}
        wrong = _shortest(one.first_wrong for one in some)
        rules.append(RuleEvidence(rule.name, rule.claim, **sums, first_wrong=wrong))
    sums = {name: sum(getattr(one, name) for one in parts) for name in _SUMS}
    gap = _shortest(part.first_gap for part in parts)
    return Evidence(first.rule_set, scope, **sums, first_gap=gap, rules=tuple(rules))


_RULE = ("name", "claim", "fired", "wrong", "caught", "only")
_SUMS = ("positions", "dead_moves", "missed", "gaps", "blocked")
_EVIDENCE = ("rule_set", "scope", *_SUMS)
_WRONG = "first_wrong"


def _written(example: Example | None) -> list[str] | None:
    return None if example is None else [example.position.notation, example.moves]


def _read(example: list[str] | None) -> Example | None:
    return None if example is None else Example(Position.parse(example[0]), example[1])


def _shortest(examples: Iterable[Example | None]) -> Example | None:
    """Return the example with the shortest walk, the first among equals."""
    there = [example for example in examples if example is not None]
    return min(there, key=lambda example: len(example.position.walk), default=None)


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
        return Example(position(self.index), letters(self.moves))


@dataclass
class Tally:
    """Running sums over batches."""

    count: int  # rules
    positions: int = 0
    dead_moves: int = 0
    missed: int = 0
    gaps: int = 0
    blocked: int = 0
    gap: _Best = field(default_factory=_Best)

    def __post_init__(self) -> None:
        self.sums = np.zeros((4, self.count), dtype=np.int64)
        self.wrong = [_Best() for _ in range(self.count)]

    def add(self, batch: Followed, columns: Sequence[int] | None = None) -> None:
        """Add a batch; of the rules with these numbers only, if they are given."""
        options, good, depth = batch.options, batch.good, batch.depth
        masks = batch.masks if columns is None else batch.masks[:, columns]
        masks = masks & options[:, None]
        dead = options & ~good
        once = np.zeros(len(options), dtype=np.uint8)  # forbidden by at least one rule
        twice = np.zeros(len(options), dtype=np.uint8)
        for rule in range(self.count):
            twice |= once & masks[:, rule]
            once |= masks[:, rule]
        for rule in range(self.count):
            mask = masks[:, rule]
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
        self, rule_set: RuleSet, scope: str, position: Callable[[int], Position]
    ) -> Evidence:
        """Sum up; `position` rebuilds a position by its number."""
        rules = tuple(
            RuleEvidence(
                rule.name,
                rule.claim,
                fired=int(self.sums[0, index]),
                wrong=int(self.sums[1, index]),
                caught=int(self.sums[2, index]),
                only=int(self.sums[3, index]),
                first_wrong=self.wrong[index].example(position),
            )
            for index, rule in enumerate(rule_set.rules)
        )
        return Evidence(
            rule_set.name,
            scope,
            self.positions,
            self.dead_moves,
            self.missed,
            self.gaps,
            self.blocked,
            self.gap.example(position),
            rules,
        )


def verify_exhaustive(
    rule_set: RuleSet, board: Board, *, progress: Progress | None = None
) -> Evidence:
    """Try a rule set on every completable position of a small board.

    Exponential in the cells: 7x7 with its 2,043,335 positions takes seconds.

    Raises
    ------
    NoWalkError
        If the board has no Hamiltonian walk.
    OptionError
        If the board has too many positions to enumerate.
    """
    tree = completable_positions(board)
    if not tree.walks:
        raise NoWalkError(board.notation)
    tally = Tally(len(rule_set.rules))
    for batch in rule_set.followed(tree):
        tally.add(batch)
        if progress:
            progress(tally.positions, len(tree))
    scope = f"every completable position of {board.notation}"
    return tally.evidence(rule_set, scope, tree.position)


def verify_positions(
    rule_set: RuleSet,
    known: Iterable[tuple[Position, str]],
    scope: str,
    *,
    progress: Progress | None = None,
    total: int = 0,
) -> Evidence:
    """Try a rule set on positions whose completable moves are given as letters.

    Positions of one walk in order are followed step by step; `total` is for progress.
    """
    tally, seen = Tally(len(rule_set.rules)), _Seen()
    tracker = None
    before: Position | None = None
    for position, good in known:
        follows = before is not None and before.walk == position.walk[:-1]
        seen.add(position, follows)
        if tracker is None or not follows or before is None:
            tracker = rule_set.tracker(position.board)
            for cell in position.walk[1:]:
                tracker.push(cell)
        else:
            tracker.push(position.live_end)
        before = position
        tally.add(
            Followed(
                np.array([tracker.masks()], dtype=np.uint8).reshape(1, -1),
                _mask(choices(position)),
                _mask(good),
                np.array([len(position.walk)], dtype=np.int32),
            )
        )
        if progress:
            progress(tally.positions, total)
    return tally.evidence(rule_set, scope, seen.position)


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


def _mask(moves: Iterable[str]) -> Masks:
    return np.array([mask_of(moves)], dtype=np.uint8)
