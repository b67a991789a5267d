"""The search for a counterexample of rules, with Hypothesis.

Hypothesis chooses a kind of boards, a board, and the choices of a complete walk on it.
The search tests the rules along that walk and a few like it. Each step of a complete
walk is a completable move. So a rule that forbids a step is wrong. The first time that
a pattern of firing occurs, an oracle also decides a forbidden move that the walk does
not make. `hypothesis.target` steers towards walks along which rules fire. For drawings
that seldom fire a SAT solver builds positions around the drawing.

A *firing* is a position at which a rule forbids something. Its *pattern* is the rule,
the moves, and the 5 x 5 cells around the live end, all as seen from the walk.

The search begins with the positions of a corpus and their variants. `verify.shrink`
shrinks a counterexample, and a large one is searched for again on smaller boards.

A search for gaps looks for the opposite fault: a dead move that all rules allow.

Nothing is reported before `verify.checker` has accepted a completion, and for a gap a
proof that the move is dead.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count, pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import HealthCheck, Phase, Verbosity, given, reject, settings, target
from hypothesis import seed as seeded_by

from heuristic.rule import (
    Boards,
    RuleSet,
    mask_moves,
    mask_of,
    narrowest,
    related_oracles,
)
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position, Symmetry, Walk
from solver.errors import OptionError, WitnessError
from solver.oracles.oracle import get_oracle
from verify.checker.position import find_fault
from verify.corpus.cases import load_corpus
from verify.shrink import WrongRule, shrink_gap, size_by_moves, smallest_wrong
from verify.strategies import Source, more_walks, source_walk, walk_sources
from verify.truth import gap_moves, is_asked, is_completable, proof_fault, wrong_moves

SECONDS = 20.0
MAX_SIDE = 15
WALKS = 16  # followed in an example
RADIUS = 2  # cells that a pattern shows on each side of the live end
_LOOKED_AT = 40  # firings of a walk whose patterns count
_AGAIN = 400  # examples of each search on smaller boards
_NO_LIMIT = 10**9
_SELDOM = 8  # a position is built in one of 8 examples, for rules that fired less
_PLACES = 64  # live ends that are tried for a built position
_CONFLICTS = 2000  # of the solver, for each live end
_GAP_STEPS = 24  # steps of a walk at which a gap is possible
_MOVES = ((0, -1), (-1, 0), (0, 1))  # left, ahead and right on the page


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Completable moves that a rule forbids, or dead moves that all rules allow.

    - `rule`: the wrong rule; empty for a gap.
    - `witness`: the cells of a completion after the live end; for a wrong rule it
      begins with the first of the moves.
    - `original`: the position before it was shrunk.
    """

    rule: str
    position: Position
    moves: str
    witness: Walk
    original: Position


@dataclass(slots=True)
class FuzzResult:
    """The counts of a search, and its counterexample.

    - `fired`: positions by rule at which it forbade a move.
    - `examples`: examples of Hypothesis, the last one included.
    - `saved`: positions of the corpus and their variants.
    - `positions`: those on complete walks and those of the corpus.
    - `patterns`: distinct patterns of firing; a walk adds the first ones alone.
    """

    boards: tuple[Boards, ...]
    max_side: int
    fired: dict[str, int]
    examples: int = 0
    saved: int = 0
    walks: int = 0
    positions: int = 0
    patterns: int = 0
    counterexample: Counterexample | None = None

    @property
    def firings(self) -> int:
        """Firings of all rules."""
        return sum(self.fired.values())


Steps: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Hit: TypeAlias = tuple[str, Position]  # a wrong rule, empty for a gap; and where


class _StopError(BaseException):
    """A counterexample, or the end of time or examples; not caught by Hypothesis."""


@dataclass
class _Search:
    """A search and its result.

    - `kinds`: the kinds of boards that Hypothesis chooses.
    - `boards`: the kind on which a rule counts; None: that of each rule.
    - `until`, `most`: the end, by `time.monotonic` and in examples.
    - `below`, `only`: with `boards`, boards of fewer open cells and one rule.
    - `hit`: the smallest counterexample.
    """

    rule_set: RuleSet
    kinds: tuple[Boards, ...]
    boards: Boards | None
    max_side: int
    seed: int
    gaps: bool = False
    progress: Callable[[int], object] = lambda _: None
    until: float = math.inf
    most: int = _NO_LIMIT
    below: int = _NO_LIMIT
    only: str = ""
    hit: Hit | None = None

    def __post_init__(self) -> None:
        self.names = [rule.name for rule in self.rule_set.rules]
        fired = dict.fromkeys(self.names, 0)
        self.result = FuzzResult(self.kinds, self.max_side, fired)
        self.patterns: set[tuple[int, int, bytes]] = set()
        self.oracle = get_oracle("search")
        # the oracle of gaps shares no kernel with a rule
        self.judge = get_oracle("auto", without=related_oracles(self.rule_set))
        self.accused = lru_cache(maxsize=256)(self._accused)

    def compile(self) -> None:
        """Compile all kernels before the time starts."""
        board = Board.square(3)
        made = source_walk(Source(board, Boards.CORNERS, 0))
        assert made is not None
        self.rule_set.walker(board).along(made[1])
        is_completable(Position(board), self.oracle)

    def _accused(self, board: Board) -> Bools:
        """Return for each rule whether it counts on a board."""
        small = board.open_cells < self.below
        counts = [
            small
            and self.only in ("", rule.name)
            and (self.boards or rule.boards).admits(board)
            for rule in self.rule_set.rules
        ]
        return np.array(counts, np.bool_)

    def start_from(self, positions: Sequence[Position]) -> None:
        """Test the rules at saved positions and their variants."""
        seen = set[Position]()
        for position in chain(positions, variants(positions)):
            if self.hit is not None or time.monotonic() > self.until:
                return
            if position in seen:
                continue
            seen.add(position)
            accused = self.accused(position.board)
            if not accused.any():
                continue
            self.result.saved += 1
            self.result.positions += 1
            if self.gaps:
                self._judge_gap(position)
                continue
            options = mask_of(position.options())
            for rule, mask in enumerate(self.rule_set.masks(position)):
                if accused[rule] and mask & options:
                    self.result.fired[self.names[rule]] += 1
                    self._judge(rule, position, mask & options)

    def _judge(self, rule: int, position: Position, moves: int) -> bool:
        """Note the first forbidden move that the oracle can complete, if any."""
        for move in mask_moves(moves):
            if is_completable(position.step(move), self.oracle):
                self._note(self.names[rule], position)
                return True
        return False

    def _judge_gap(self, position: Position) -> bool:
        """Note a position with a dead move that no rule forbids."""
        if not (
            self.accused(position.board).all()
            and is_asked(self.rule_set, position)
            and gap_moves(self.rule_set, position, self.judge)
        ):
            return False
        self._note("", position)
        return True

    def _note(self, rule: str, position: Position) -> None:
        if self.hit is None or size_by_moves(position) < size_by_moves(self.hit[1]):
            self.hit = rule, position

    def explore(self) -> None:
        """Run Hypothesis to a counterexample, or the end of time or examples."""

        @seeded_by(self.seed)
        @settings(
            database=None,
            deadline=None,
            max_examples=_NO_LIMIT,
            phases=(Phase.generate, Phase.target),
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(walk_sources(*self.kinds, max_side=self.max_side))
        def example(source: Source) -> None:
            whole = source.kind not in (Boards.ANY, Boards.RIM)
            if whole and source.board.cells >= self.below:
                reject()
            if time.monotonic() > self.until or self.result.examples == self.most:
                raise _StopError
            self.result.examples += 1
            self.progress(self.result.examples)
            if self._follow(source) or self._build(source):
                raise _StopError

        with suppress(_StopError):
            example()

    def _follow(self, source: Source) -> bool:
        """Test the rules along the walks of an example; return whether one is wrong."""
        before, hit = self.result.firings, False
        for other in more_walks(source, WALKS):
            made = source_walk(other)
            if made is None:
                break
            if hit := self._test_walk(*made, other.seed):
                break
        target(math.log1p(self.result.firings - before), label="firings")
        return hit

    def _test_walk(self, board: Board, walk: Walk, seed: int) -> bool:
        """Test what rules forbid before each step of a walk; return whether one errs.

        The seed chooses the steps that an oracle decides.
        """
        accused = self.accused(board)
        if not accused.any():
            return False
        masks = self.rule_set.walker(board).along(walk)  # (steps, rules) int32
        masks[:, ~accused] = 0
        self.result.walks += 1
        self.result.positions += len(masks)
        for number, fired in enumerate(np.count_nonzero(masks, axis=0).tolist()):
            self.result.fired[self.names[number]] += fired
        rng = np.random.default_rng(seed)
        if self.gaps:
            some = min(_GAP_STEPS, len(walk) - 1)
            chosen = np.sort(rng.choice(len(walk) - 1, some, replace=False)).tolist()
            places = (Position(board, walk[: step + 1]) for step in chosen)
            return any(map(self._judge_gap, places))
        steps = [1 << board.direction(a, b) for a, b in pairwise(walk)]
        taken = np.array(steps, np.int32)
        wrong = (masks & taken[:, None]) != 0
        for number in np.flatnonzero(wrong.any(axis=0)).tolist():
            step = int(np.argmax(wrong[:, number]))
            self._note(self.names[number], Position(board, walk[: step + 1]))
        firings = np.argwhere(masks)
        rng.shuffle(firings)
        grid = np.full(board.cells, -1)  # the step at which the walk enters each cell
        grid[list(walk)] = np.arange(len(walk))
        padded = np.pad(grid.reshape(board.rows, -1), RADIUS, constant_values=-1)
        for step, rule in firings[:_LOOKED_AT].tolist():
            pattern = _pattern(board, walk, padded, step, rule, int(masks[step, rule]))
            if pattern not in self.patterns:
                self.patterns.add(pattern)
                others = int(masks[step, rule] & ~taken[step])
                if others:  # the oracle decides one firing of a walk
                    place = Position(board, walk[: step + 1])
                    return self._judge(rule, place, others) or bool(wrong.any())
        return bool(wrong.any())

    def _build(self, source: Source) -> bool:
        """Test a position built around a drawing that seldom fired, in few examples.

        The source determines the drawing, and where it lies on the largest odd square.
        """
        rng = np.random.default_rng([source.seed, *source.choices])
        side = min(self.max_side, math.isqrt(self.below - 1))
        board = Board.square(max(1, side - 1 + side % 2))
        if self.gaps or rng.integers(_SELDOM):
            return False
        silent = [
            rule
            for rule, accused in zip(
                self.rule_set.rules, self.accused(board), strict=True
            )
            if isinstance(rule, RuleSpec) and rule.kind == "ban"
            if accused and self.result.fired[rule.name] < _SELDOM
        ]
        if not silent:
            return False
        drawings = silent[rng.integers(len(silent))].drawings
        drawing = drawings[rng.integers(len(drawings))]
        # few runs need this large module
        from verify.proof.counterexample import position_at

        placements = drawing.placements()
        for _ in range(_PLACES):
            if time.monotonic() > self.until:
                break
            placement = placements[rng.integers(len(placements))]
            move = _MOVES[rng.integers(len(_MOVES))]
            live = int(rng.integers(board.cells))
            built = position_at(
                drawing, placement, move, board, live, conflicts=_CONFLICTS
            )
            if built is not None:
                walk = (*built[0].walk, *built[1])
                return self._test_walk(board, walk, source.seed)
        return False

    def again(self, wrong: WrongRule, best: Position, number: int) -> Position | None:
        """Search on boards of fewer open cells than a counterexample has."""
        smaller = _Search(
            wrong.rule_set,
            (wrong.boards,),
            wrong.boards,
            max_side=max(best.board.rows, best.board.cols),
            seed=self.seed + number,
            gaps=self.gaps,
            most=_AGAIN // 10 if self.gaps else _AGAIN,
            below=best.board.open_cells,
            only=wrong.rule,
        )
        smaller.explore()
        return smaller.hit[1] if smaller.hit else None


def _pattern(
    board: Board, walk: Walk, grid: Steps, step: int, rule: int, mask: int
) -> tuple[int, int, bytes]:
    """Return the rule, moves and near cells of a firing, the heading turned up."""
    row, col = divmod(walk[step], board.cols)
    side = 2 * RADIUS + 1
    view = grid[row : row + side, col : col + side]
    states = np.where(view < 0, 2, view <= step).astype(np.uint8)
    heading = board.direction(walk[step - 1], walk[step]) if step else 0
    turned = mask * 17 >> heading & 15
    return rule, turned, np.rot90(states, heading).tobytes()


def variants(positions: Sequence[Position]) -> Iterator[Position]:
    """Yield variants of positions: turned, a move less or more, a wall more."""
    for position in positions:
        for symmetry in Symmetry:
            image = symmetry.position(position)
            yield image
            if len(image.walk) > 1:
                yield image.back()
            yield from map(image.step, image.options())
        board = position.board
        row, col = divmod(position.live_end, board.cols)
        for cell in range(board.cells):
            down, right = cell // board.cols - row, cell % board.cols - col
            near = max(abs(down), abs(right)) <= RADIUS
            if near and position.is_free(cell) and cell not in (board.start, board.end):
                walled = replace(board, walls=(*board.walls, cell))
                yield Position(walled, position.walk)


def _counterexample(search: _Search, rule: str, hit: Position) -> Counterexample:
    """Return a small counterexample whose witness the checker accepts.

    Raises `WitnessError` if it does not.
    """
    numbers = count(1)
    accused = [other for other in search.rule_set.rules if rule in ("", other.name)]
    boards = search.boards or narrowest(other.boards for other in accused)
    wrong = WrongRule(search.rule_set, rule, boards, search.oracle)
    if rule:
        position = smallest_wrong(
            wrong, hit, lambda part, best: search.again(part, best, next(numbers))
        )
        moves = wrong_moves(search.rule_set, position, search.oracle, rule)
        start = position.step(moves[0])
    else:
        place: Position | None = hit
        while place is not None:
            position = shrink_gap(
                search.rule_set, place, search.judge, any_board=boards is Boards.ANY
            )
            place = search.again(wrong, position, next(numbers))
        moves = gap_moves(search.rule_set, position, search.judge)
        start = position
    whole = (*start.walk, *(get_oracle("sat").decide(start).witness or ()))
    witness = whole[len(position.walk) :]
    faults = [find_fault(position.notation, witness)]
    faults += [proof_fault(position.step(move)) for move in moves if not rule]
    for fault in filter(None, faults):
        raise WitnessError(f"{position.notation} {moves}: {fault}")
    return Counterexample(rule, position, moves, witness, hit)


def fuzz_rules(
    rule_set: RuleSet,
    *,
    seconds: float | None = None,
    examples: int | None = None,
    boards: Boards | None = None,
    gaps: bool = False,
    max_side: int = MAX_SIDE,
    seed: int = 0,
    corpus: Path | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> FuzzResult:
    """Search for a counterexample of rules on random boards.

    A rule counts only on boards that it is meant for, unless `boards` names others.
    Without a limit the search stops after 20 seconds.

    - `seconds`, `examples`: when to stop looking; shrinking comes on top, and takes
      seconds. With `examples` alone the same seed gives the same result on every
      machine with the same version of Hypothesis.
    - `gaps`: look for a dead move that all rules allow, not for a wrong rule.
    - `corpus`: a folder of cases to begin with.
    - `progress`: called with the number of each example.

    Raises `OptionError` if a limit leaves nothing; `WitnessError` if the checker does
    not accept the witness of a counterexample.
    """
    if max_side < 1 or (examples is not None and examples < 1):
        raise OptionError("examples and sides are 1 or more")
    if seconds is not None and not seconds > 0:
        raise OptionError(f"{seconds} seconds are not above 0")
    if seconds is None and examples is None:
        seconds = SECONDS
    kinds = tuple(dict.fromkeys(rule.boards for rule in rule_set.rules))
    if boards is not None or gaps:
        kinds = (boards or narrowest(kinds),)
    search = _Search(rule_set, kinds, boards, max_side, seed, gaps, progress)
    search.compile()
    if seconds is not None:
        search.until = time.monotonic() + seconds
    if examples is not None:
        search.most = examples
    if corpus is not None:
        saved = load_corpus(corpus, refused=lambda _: None)
        search.start_from([case.position for case in saved])
    if search.hit is None:
        search.explore()
    search.result.patterns = len(search.patterns)
    if search.hit:
        search.result.counterexample = _counterexample(search, *search.hit)
    return search.result
