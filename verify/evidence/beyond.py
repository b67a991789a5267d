"""What rules forbid beyond other rules: dead moves that the others allow."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from heuristic.rule import RuleSet, Tracker, choices, letters, mask_of, union_mask
from solver.board import Position


@dataclass(slots=True)
class Beyond:
    """Dead moves that a rule set allows, and the other rules that forbid them.

    Attributes
    ----------
    positions, dead_moves, missed : int
        Positions seen, dead moves in them, and those that the rule set allows.
    forbidden : dict of str to int
        Dead moves that each rule forbids; 0 for a rule that never did.
    rules : dict of str to int
        Dead moves that a rule forbids and the rule set allows; only rules with any.
    examples : dict of str to (Position, str)
        The first such position and move of each of these rules.
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
    in order, as `verify.evidence.sample.sampled_positions` does; `progress` is told
    positions done.

    >>> from heuristic.groups import load_rules
    >>> from solver.board import Board
    >>> from solver.oracles.oracle import get_oracle
    >>> from verify.evidence.sample import sampled_positions
    >>> brute = get_oracle("brute")
    >>> known = sampled_positions(Board.square(5), 50, seed=1, oracle=brute)
    >>> found = beyond(load_rules("c-shape"), load_rules("seed-5"), known)
    >>> found.positions, found.rules
    (50, {})
    """
    names = [rule.name for rule in rules.rules]
    found = Beyond(forbidden=dict.fromkeys(names, 0))
    before: Position | None = None
    trackers: tuple[Tracker, Tracker] | None = None
    for position, good in known:
        follows = before is not None and before.walk == position.walk[:-1]
        if trackers is None or not follows:
            trackers = _followed(rules, position), _followed(others, position)
        else:
            for tracker in trackers:
                tracker.push(position.live_end)
        before = position
        dead = mask_of(choices(position)) & ~mask_of(good)
        left = dead & ~union_mask(trackers[1].masks())
        found.positions += 1
        if progress:
            progress(found.positions)
        found.dead_moves += dead.bit_count()
        found.missed += left.bit_count()
        if not dead:
            continue
        for name, mask in zip(names, trackers[0].masks(), strict=True):
            found.forbidden[name] += (mask & dead).bit_count()
            if mask & left:
                found.rules[name] = found.rules.get(name, 0) + (mask & left).bit_count()
                found.examples.setdefault(name, (position, letters(mask & left)))
    return found


def _followed(rules: RuleSet, position: Position) -> Tracker:
    tracker = rules.tracker(position.board)
    for cell in position.walk[1:]:
        tracker.push(cell)
    return tracker
