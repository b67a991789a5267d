"""Evidence about rules: what they forbid at positions with known truth.

The positions are all completable positions of a small board, or random positions along
exact walks. They come in batches, and the evidence of the batches is added up.

`verify_exhaustive` and `verify_positions` try a rule set as it stands. `gather` tries
several groups: it uses each rule at every position without precedence (`stops` and
`unless`), so that a wrong rule cannot hide behind another.

Positions are sampled in blocks with a generator each, and walk number k has the seed
`seed` + k. So the result does not depend on how a run is cut into units.

A left-first run (`milestones`) notes when each rule was *first needed*, that is when it
alone forbade a move, and the first stuck positions. Walks beyond a position that was
met before are counted, not walked, so all of 9 x 9 takes a minute or two.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, product
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from heuristic.groups import load_rules, without_precedence
from heuristic.rule import RuleSet, choices, mask_moves, mask_of
from heuristic.walker import (
    UNLIMITED,
    Event,
    LeftFirstWalk,
    Statistics,
    TreeMasks,
    Walker,
)
from solver.board import Board, Position
from solver.errors import NoWalkError
from solver.files import checked
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.positions import completable_positions
from verify.runs.longrun import Advance, LongRun, Unit, advancing, spans, work_of
from verify.shrink import size
from verify.truth import truth

GROUPS = (
    *("seed-5", "seed-close", "seed-7", "seed-9-size"),
    *("seed-single-area", "seed-composite", "seed-2024", "seed-superseded"),
    *("seed-kernels", "seed-kernels-old", "seed-2024-full"),
)
# Rooms that decide the results of this one, besides the solver and the rules.
ROOMS = "verify.checker", "verify.evidence", "verify.shrink", "verify.truth"
EXHAUSTIVE = 49  # open cells of a board that is tried on all positions, at most
BATCH = 1000  # sampled positions
BLOCK = 20_000  # positions sampled by one generator on a small board
LARGE = 169  # cells above which a block is a tenth of that
SHOWN = 5  # stuck positions that a left-first run notes
_BOARD = 1e-5  # seconds for all positions of a board, by the square of its cells
_POSITION = 2e-5  # seconds to sample a position, by the cells of its board
_WALK = 2e-8  # seconds of a walk, by the square of the open cells

Masks: TypeAlias = npt.NDArray[np.uint8]
Decided: TypeAlias = Iterable[tuple[Position, str]]  # with their completable moves
_Part = TypeVar("_Part", "Evidence", "RuleEvidence")


def sampled_positions(
    board: Board, count: int, *, seed: int, oracle: Oracle
) -> Iterator[tuple[Position, str]]:
    """Yield `count` positions along random walks, with their completable moves.

    A walk chooses uniformly among the completable moves of each step, so it never gets
    stuck. Its positions come in order, and a new walk begins when it is complete. So
    positions of one walk depend on each other; walks are independent.

    - `oracle`: decides the moves.

    Raises `NoWalkError` if the board has no Hamiltonian path; `OptionError` if the
    oracle meets its limit.
    """
    rng = np.random.default_rng(seed % 2**64)
    position = Position(board)
    if oracle.decide(position).verdict is Verdict.DEAD:
        raise NoWalkError(board.notation)
    for _ in range(count):
        moves = truth(position, oracle).items()
        good = "".join(move for move, word in moves if word == "completable")
        yield position, good
        if good:
            position = position.step(good[int(rng.integers(len(good)))])
        else:
            position = Position(board)


def blocks(count: int, size: int, seed: int) -> list[tuple[int, int]]:
    """Return the number of positions of each block, and the seed of its generator.

    The first block has the given seed, so that a small sample begins a large one.

    >>> [many for many, _ in blocks(25, 10, 3)], blocks(25, 10, 3)[0]
    ([10, 10, 5], (10, 3))
    """
    sizes = []
    for block, first in enumerate(range(0, count, size)):
        mixed = np.random.SeedSequence([seed, block]).generate_state(1, np.uint64)
        own = int(mixed[0]) >> 1 if block else seed
        sizes.append((min(size, count - first), own))
    return sizes


@dataclass(frozen=True, slots=True)
class Example:
    """A position, by its notation, and the moves in question."""

    notation: str
    moves: str

    @property
    def position(self) -> Position:
        """The position that the notation names."""
        return Position.parse(self.notation)


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """The evidence of one rule at the positions.

    - `fired`, `wrong`: positions in which it forbade a move, and a completable move.
    - `caught`: dead moves that it forbade.
    - `only`: dead moves that it forbade and no other rule of the set did.
    - `first_wrong`: the position with the shortest walk in which it was wrong.
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
        """One of unsound, never fired and sound, on these positions."""
        if self.wrong:
            return "unsound"
        return "sound" if self.fired else "never fired"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a rule set at completable positions of a board.

    - `rule_set`, `scope`: the name of the rules; the positions in words.
    - `dead_moves`, `missed`: dead moves at them, and those that no rule forbade.
    - `gaps`: positions with a dead move that no rule forbade.
    - `first_gap`: the gap with the shortest walk, with its allowed dead moves.
    - `walks`: random walks under the rule set, if any were made.
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
    walks: Statistics | None = None

    @property
    def sound(self) -> bool:
        """True if no rule forbade a completable move."""
        return not any(rule.wrong for rule in self.rules)

    @property
    def complete(self) -> bool:
        """True if some rule forbade each dead move."""
        return self.missed == 0


def merged(parts: Sequence[Evidence]) -> Evidence:
    """Return the evidence of a rule set from several parts of one board."""
    columns = zip(*(part.rules for part in parts), strict=True)
    return _sum(
        parts,
        ("positions", "dead_moves", "missed", "gaps"),
        first_gap=_shortest(part.first_gap for part in parts),
        rules=tuple(map(merged_rule, columns)),
    )


def merged_rule(parts: Sequence[RuleEvidence]) -> RuleEvidence:
    """Return the evidence of one rule from several parts."""
    wrong = _shortest(part.first_wrong for part in parts)
    return _sum(parts, ("fired", "wrong", "caught", "only"), first_wrong=wrong)


def _sum(parts: Sequence[_Part], names: Sequence[str], **values: Any) -> _Part:
    sums = {name: sum(getattr(part, name) for part in parts) for name in names}
    return replace(parts[0], **sums, **values)


def _shortest(examples: Iterable[Example | None]) -> Example | None:
    """Return the example with the shortest notation, the first of equals."""
    present = [example for example in examples if example is not None]
    return min(present, key=lambda example: len(example.notation), default=None)


class Batch(NamedTuple):
    """The moves that rules forbid at some positions, and each position by number."""

    masks: TreeMasks
    position: Callable[[int], Position]
    first: int = 0  # the number of the first position

    def example(self, moves: Masks) -> Example | None:
        """Return the first of the shortest positions that have such moves."""
        where = np.flatnonzero(moves)
        if len(where) == 0:
            return None
        at = int(where[np.argmin(self.masks.depth[where])])
        notation = self.position(self.first + at).notation
        return Example(notation, mask_moves(int(moves[at])))


def batches(rules: RuleSet, where: Board | Decided) -> Iterator[Batch]:
    """Yield what rules forbid at all positions of a board, or at given ones.

    Raises as `verify_exhaustive`.
    """
    if not isinstance(where, Board):
        yield from _batches_of(rules, where)
        return
    tree, first = completable_positions(where), 0
    if not tree.walks:
        raise NoWalkError(where.notation)
    for masks in rules.walker(where).tree(tree):
        yield Batch(masks, tree.position, first)
        first += len(masks.depth)


def _batches_of(rules: RuleSet, decided: Decided) -> Iterator[Batch]:
    walker: Walker | None = None
    rest = iter(decided)
    while batch := list(islice(rest, BATCH)):
        rows = []
        for position, good in batch:
            if walker is None or walker.board != position.board:
                walker = rules.walker(position.board)
            walker.follow(position.walk)
            moves = mask_of(choices(position)), mask_of(good)
            rows.append((walker.masks(), *moves, len(position.walk)))
        forbidden, options, goods, depth = zip(*rows, strict=True)
        masks = TreeMasks(
            np.array(forbidden, dtype=np.uint8).reshape(len(batch), -1),
            np.array(options, dtype=np.uint8),
            np.array(goods, dtype=np.uint8),
            np.array(depth, dtype=np.int32),
        )
        yield Batch(masks, [position for position, _ in batch].__getitem__)


def _batch_evidence(
    name: str, scope: str, rules: RuleSet, columns: Sequence[int], batch: Batch
) -> Evidence:
    """Return the evidence of some rules of a set at the positions of a batch."""
    options, good = batch.masks.options, batch.masks.good
    masks = batch.masks.masks[:, columns] & options[:, None]
    dead = options & ~good
    once = np.zeros(len(masks), np.uint8)  # forbidden by at least one rule
    twice = np.zeros(len(masks), np.uint8)
    for mask in masks.T:
        twice |= once & mask
        once |= mask
    wrong, caught = masks & good[:, None], masks & dead[:, None]
    evidence = [
        RuleEvidence(
            rules.rules[column].name,
            rules.rules[column].claim,
            fired=int(np.count_nonzero(masks[:, number])),
            wrong=int(np.count_nonzero(wrong[:, number])),
            caught=_moves_in(caught[:, number]),
            only=_moves_in(caught[:, number] & ~twice),
            first_wrong=batch.example(wrong[:, number]),
        )
        for number, column in enumerate(columns)
    ]
    allowed = dead & ~once
    return Evidence(
        name,
        batch.position(batch.first).board.notation,
        scope,
        positions=len(masks),
        dead_moves=_moves_in(dead),
        missed=_moves_in(allowed),
        gaps=int(np.count_nonzero(allowed)),
        first_gap=batch.example(allowed),
        rules=tuple(evidence),
    )


def _moves_in(masks: Masks) -> int:
    return int(np.bitwise_count(masks).sum())


def scope_of(board: Board, count: int | None, seed: int = 0) -> str:
    """Return the positions of a board in words: all, or a sample."""
    if count is None:
        return f"every completable position of {board.notation}"
    return f"{count:,} random positions of {board.notation}, seed {seed}"


def verify_exhaustive(
    rule_set: RuleSet, board: Board, *, progress: Advance = lambda done, total: None
) -> Evidence:
    """Try a rule set at every completable position of a small board.

    Exponential in the cells: 7x7 with its 2,043,335 positions takes seconds.

    Raises `NoWalkError` if the board has no Hamiltonian path; `OptionError` if it has
    too many positions to enumerate.
    """
    columns = {rule_set.name: range(len(rule_set.rules))}
    return _tried(rule_set, columns, board, scope_of(board, None), progress)[0]


def verify_positions(rule_set: RuleSet, decided: Decided, scope: str) -> Evidence:
    """Try a rule set at positions whose completable moves are given as letters."""
    columns = {rule_set.name: range(len(rule_set.rules))}
    return _tried(rule_set, columns, decided, scope)[0]


def gather(
    where: Board | Decided,
    scope: str,
    groups: Sequence[str],
    *,
    alone: bool = True,
    progress: Advance = lambda done, total: None,
) -> list[Evidence]:
    """Try all rules of groups; return one evidence a group.

    If `alone`, each rule counts at every position. Else rules that stop or exclude
    others do so across all groups.
    """
    rules = load_rules(",".join(groups))
    rules = without_precedence(rules) if alone else rules
    number = {rule.name: column for column, rule in enumerate(rules.rules)}
    columns = {
        group: [number[rule.name] for rule in load_rules(group).rules]
        for group in groups
    }
    return _tried(rules, columns, where, scope, progress)


def _tried(
    rules: RuleSet,
    columns: Mapping[str, Sequence[int]],
    where: Board | Decided,
    scope: str,
    progress: Advance = lambda done, total: None,
) -> list[Evidence]:
    """Return the evidence of groups of rules, by their columns in a set."""
    total = len(completable_positions(where)) if isinstance(where, Board) else 0
    parts: dict[str, list[Evidence]] = {group: [] for group in columns}
    done = 0
    for batch in batches(rules, where):
        for group, members in columns.items():
            parts[group].append(_batch_evidence(group, scope, rules, members, batch))
        done += len(batch.masks.depth)
        progress(done, total)
    return [merged(evidence) for evidence in parts.values()]


# Long runs -------------------------------------------------------------------------


def trials(
    groups: Sequence[str],
    boards: Sequence[tuple[str, str, int | None]],
    *,
    seed: int,
    alone: bool = False,
) -> LongRun[list[Evidence]]:
    """Try groups of rules on boards; the answer is an evidence a board and group.

    - `boards`: the notation of each, the oracle, and how many positions to sample; None
      tries all positions.
    - `alone`: see `gather`.
    """
    units = []
    for text, oracle, number in boards:
        board = Board.parse(text)
        scope = scope_of(board, number, seed)
        if number is None:
            weight = _BOARD * board.cells**2
            units.append(Unit([text, oracle, scope, None, seed], weight))
            continue
        size = BLOCK if board.cells <= LARGE else BLOCK // 10
        for many, block_seed in blocks(number, size, seed):
            weight = many * board.cells * _POSITION
            units.append(Unit([text, oracle, scope, many, block_seed], weight))
    parameters = {"groups": [*groups], "alone": alone}
    work = work_of(_trying, parameters, *ROOMS, rules=",".join(groups))
    return LongRun("verify", work, units, _fold_trials)


def _trying(
    groups: list[str], alone: bool
) -> Callable[[list[Any], Advance], list[Any]]:
    def evidence_of(payload: list[Any], advance: Advance) -> list[Any]:
        text, oracle, scope, many, seed = payload
        board = Board.parse(text)
        if many is None:
            parts = gather(board, scope, groups, alone=alone, progress=advance)
        else:
            sample = sampled_positions(
                board, many, seed=seed, oracle=get_oracle(oracle)
            )
            decided = advancing(sample, many, advance)
            parts = gather(decided, scope, groups, alone=alone)
        return [asdict(part) for part in parts]

    return evidence_of


def _fold_trials(results: Iterator[list[Any]]) -> list[Evidence]:
    parts: dict[tuple[str, str, str], list[Evidence]] = {}
    for result in results:
        for part in checked(result, list[Evidence], "evidence"):
            key = part.board, part.scope, part.rule_set
            parts.setdefault(key, []).append(part)
    return [merged(evidence) for evidence in parts.values()]


def walk_seconds(board: Board) -> float:
    """Return about the time of a walk on a board."""
    return _WALK * board.open_cells**2


def walks_of_unit(board: Board) -> int:
    """Return how many walks on a board take about half a second."""
    return max(1, min(20_000, round(0.5 / walk_seconds(board))))


def walk_counts(
    rule_set: RuleSet, boards: Sequence[Board], *, count: int, seed: int
) -> LongRun[dict[str, Statistics]]:
    """Count the stuck ones of `count` random walks on each board."""
    units = []
    for board in boards:
        size, seconds = walks_of_unit(board), walk_seconds(board)
        units += spans(count, size, seconds, board.notation)

    def statistics(results: Iterator[list[Any]]) -> dict[str, Statistics]:
        walks, stuck = Counter[str](), Counter[str]()
        for board, made, lost in results:
            walks[board] += made
            stuck[board] += lost
        return {board: Statistics(made, stuck[board]) for board, made in walks.items()}

    parameters = {"rules": rule_set.name, "seed": seed}
    work = work_of(_walking, parameters, *ROOMS, rules=rule_set.name)
    return LongRun("stats", work, units, statistics)


def _walking(rules: str, seed: int) -> Callable[[list[Any], Advance], list[Any]]:
    rule_set = load_rules(rules)

    def count(payload: list[Any], advance: Advance) -> list[Any]:
        text, first, walks = payload
        walker = rule_set.walker(Board.parse(text))
        seeds = range(seed + first, seed + first + walks)
        made = map(walker.walk, advancing(seeds, walks, advance))
        stuck = sum(not walk.complete for walk in made)
        return [text, walks, stuck]

    return count


# Versions of rules -----------------------------------------------------------------


def small_boards() -> Iterator[Board]:
    """Yield the rectangles up to 5 x 5 with a path from corner to corner, by size."""
    shapes = product(range(1, 6), repeat=2)
    for rows, cols in sorted(shapes, key=lambda shape: (shape[0] * shape[1], shape)):
        if rows * cols > 2:
            board = Board(rows, cols, 0, rows * cols - 1)
            if completable_positions(board).walks:
                yield board


@dataclass(slots=True)
class Difference:
    """Moves that one version of rules forbids and the other allows.

    - `newer`: whether the new version forbids them.
    - `dead`: whether they are dead; else completable.
    - `smallest`: the smallest position with such moves, as `verify.shrink.size` orders.
    """

    newer: bool
    dead: bool
    moves: int = 0
    smallest: Example | None = None


class Versions(NamedTuple):
    """The comparison of two versions of rules at the same positions.

    - `both`: moves that both forbid.
    - `differences`: of each kind, the new version's first.
    """

    positions: int
    both: int
    differences: list[Difference]


def compare_versions(
    new: RuleSet, old: RuleSet, places: Iterable[Board | Decided]
) -> Versions:
    """Compare rules at every completable position of boards, or at given positions.

    Raises `OptionError` if a board has too many positions.
    """
    positions = both = 0
    kinds = [Difference(*kind) for kind in product((True, False), (False, True))]
    for place in places:
        where = place if isinstance(place, Board) else [*place]
        pairs = zip(batches(new, where), batches(old, where), strict=True)
        for batch, other in pairs:
            options, good = batch.masks.options, batch.masks.good
            now = np.bitwise_or.reduce(batch.masks.masks, axis=1) & options
            before = np.bitwise_or.reduce(other.masks.masks, axis=1) & options
            positions += len(now)
            both += _moves_in(now & before)
            for kind in kinds:
                moves = now & ~before if kind.newer else before & ~now
                moves &= ~good if kind.dead else good
                kind.moves += _moves_in(moves)
                examples = filter(None, [kind.smallest, batch.example(moves)])
                kind.smallest = min(
                    examples, key=lambda example: size(example.position), default=None
                )
    return Versions(positions, both, kinds)


# Left-first runs -------------------------------------------------------------------


@dataclass(slots=True)
class Milestones:
    """The events of a left-first run.

    - `completed`, `stuck`: walks completed, and stuck positions.
    - `needed`: walks completed before each rule was first needed, in that order.
    - `stuck_at`: the first stuck positions, with the walks completed before.
    - `finished`: whether all walks were tried.
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

    - `walks`: stop after this number of completed walks; 0 for no limit.
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
            walks=walks or UNLIMITED,
            progress=lambda walk: progress(walk.completed),
        )
        if event is Event.STUCK:
            run.stuck_at.append((walk.completed, walk.position))
            stopped = stop_stuck
        else:
            stopped = event is Event.WALKS
            run.finished = event is Event.FINISHED
    run.completed, run.stuck, run.steps = walk.completed, walk.stuck, walk.steps
    run.needed = walk.needed
    return run
