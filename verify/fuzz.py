"""The search for a counterexample of rules, with Hypothesis.

Hypothesis chooses a kind of boards, a board, and the choices of a complete walk on it.
The rules are asked along that walk and a few more like it. Each step of a complete walk
is a completable move, so a rule that forbids one is wrong; the rest of the walk is the
witness. The first time that a pattern of firing is seen, an oracle also decides
forbidden moves that the walk does not make. `hypothesis.target` steers towards walks
along which rules fire. For drawings that seldom fire a SAT solver builds positions
around the drawing, completable by a random move.

A *firing* is a position at which a rule forbids something. Its *pattern* is the rule,
the moves, and the 5 x 5 cells around the live end, all as seen from the walk.

The search begins with the positions of a corpus and their neighbours. A counterexample
is made small in three ways: Hypothesis shrinks its choices, `verify.shrink` shrinks the
position, and what is still large is searched for again on smaller boards.

A search for gaps asks for the other mistake: a dead move that all rules allow.

Nothing is reported before `verify.checker` has accepted a completion, and for a gap a
proof that the move is dead.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, pairwise
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt
from hypothesis import HealthCheck, Phase, Verbosity, given, reject, settings, target
from hypothesis import seed as seeded_by
from hypothesis.errors import Flaky

from heuristic.boards import Boards, narrowest
from heuristic.rule import (
    RuleSet,
    letters,
    mask_of,
    related_oracles,
    union_mask,
)
from heuristic.rules.drawing import RuleSpec
from solver.board import LETTERS, Board, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.symmetry import Symmetry
from verify.checker.position import find_fault
from verify.corpus.cases import load_corpus
from verify.proof.directed import position_at
from verify.shrink import (
    WrongRule,
    exhausted,
    minimised,
    part_with,
    shrink,
    size_by_moves,
)
from verify.strategies import Source, more_walks, walk_of, walk_sources
from verify.truth import gap_moves, is_asked, proof_fault, wrong_moves

SECONDS = 20.0
MAX_SIDE = 15
WALKS = 16  # followed in an example
_LOOKED_AT = 40  # firings of a walk whose patterns are looked at
_SHRINKS = 150  # examples that Hypothesis may take to shrink
_AGAIN = 400  # examples of each search on smaller boards
RADIUS = 2  # cells that a pattern shows on each side of the live end
_NO_LIMIT = 10**9
_SELDOM = 8  # one in so many examples is built; rules that have fired less often
_PLACES = 64  # live ends that are tried for it
_CONFLICTS = 2000  # of the solver, for each
_MOVES = ((0, -1), (-1, 0), (0, 1))  # left, ahead and right on the page
_GAP_WALKS = 8  # followed in an example of a search for gaps
_GAPS_AGAIN = 40  # examples of each search for a gap on smaller boards
_GAP_STEPS = 24  # steps of a walk at which dead moves are looked for


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Completable moves that a rule forbids, or dead moves that all rules allow.

    - `rule`: the rule that is wrong; empty for a gap.
    - `position`, `moves`: where, and the moves, letters.
    - `witness`: the cells of a completion after the live end; for a wrong rule it
      begins with the first of the moves.
    - `found`: the position before it was made smaller.
    """

    rule: str
    position: Position
    moves: str
    witness: Walk
    found: Position


@dataclass(frozen=True, slots=True)
class FuzzResult:
    """What a search looked at, and what it found.

    - `boards`: the kinds of boards.
    - `max_side`: the longest side.
    - `examples`: examples of Hypothesis, the last one included.
    - `saved`: positions of the corpus and their neighbours.
    - `walks`, `positions`: complete walks, and positions at which the rules were asked.
    - `fired`: positions by rule at which it forbade a move.
    - `patterns`: distinct patterns of firing, as far as they were looked at.
    - `counterexample`: None if nothing was found.
    """

    boards: tuple[Boards, ...]
    max_side: int
    examples: int
    saved: int
    walks: int
    positions: int
    fired: dict[str, int]
    patterns: int
    counterexample: Counterexample | None

    @property
    def firings(self) -> int:
        """Firings of all rules."""
        return sum(self.fired.values())


Masks = npt.NDArray[np.int32]
Pattern: TypeAlias = tuple[int, int, bytes]  # rule, moves and cells around


class _OverError(BaseException):
    """The time is over, or enough was tried; Hypothesis does not catch it."""


class _FoundError(Exception):
    """A counterexample; Hypothesis catches it and shrinks the example."""


@dataclass
class _Hit:
    """A counterexample as it was met."""

    rule: str
    position: Position


@dataclass
class _Search:
    """One search: the rules, what to look at, and what was seen.

    - `until`, `most`: when it ends, by `time.monotonic` and in examples.
    - `below`, `only`: with `boards`, boards of fewer open cells and one rule.
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
    examples: int = 0
    saved: int = 0
    walks: int = 0
    positions: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    patterns: set[Pattern] = field(default_factory=set)
    first: _Hit | None = None
    hit: _Hit | None = None

    def __post_init__(self) -> None:
        self.names = [rule.name for rule in self.rule_set.rules]
        self.fired.update(dict.fromkeys(self.names, 0))
        self.witness_oracle = get_oracle("search")
        self.accused = lru_cache(maxsize=256)(self._accused)

    def compile(self) -> None:
        """Compile all kernels, so that the time is not spent on it."""
        board = Board.square(3)
        found = walk_of(Source(board, Boards.CORNERS, 0))
        assert found is not None
        self.rule_set.walker(board).along(found[1])
        self._is_alive(Position(board))

    def _accused(self, board: Board) -> npt.NDArray[np.bool_]:
        """Return which rules count on a board: those that are meant for it."""
        if self.boards is not None:
            admitted = self.boards.admits(board) and board.open_cells < self.below
            counts = [admitted and self.only in ("", name) for name in self.names]
            return np.array(counts, np.bool_)
        meant = [rule.boards.admits(board) for rule in self.rule_set.rules]
        return np.array(meant, np.bool_)

    def kind_of(self, rule: str) -> Boards:
        """Return the boards on which a rule is accused; of a gap those of all."""
        if self.boards is not None:
            return self.boards
        if not rule:
            return narrowest(rule.boards for rule in self.rule_set.rules)
        return self.rule_set.rules[self.names.index(rule)].boards

    # The corpus.

    def start_from(self, positions: Sequence[Position]) -> None:
        """Look at saved positions, and then at their neighbours."""
        seen: set[Position] = set()
        for position in (*positions, *neighbours(positions)):
            if position in seen or self.hit is not None:
                continue
            seen.add(position)
            if time.monotonic() > self.until:
                return
            self._look_at(position)

    def _look_at(self, position: Position) -> None:
        accused = self.accused(position.board)
        if not accused.any() or (self.gaps and not accused.all()):
            return
        self.saved += 1
        self.positions += 1
        masks = self.rule_set.masks(position)
        if self.gaps:
            self._judge_gap(position, union_mask(masks))
            return
        options = mask_of(position.options())
        for rule, mask in enumerate(masks):
            if accused[rule] and mask & options:
                self.fired[self.names[rule]] += 1
                self._judge(rule, position, mask & options)

    def _judge(self, rule: int, position: Position, moves: int) -> bool:
        """Let the oracle decide forbidden moves; note the first completable one."""
        for move in letters(moves):
            after = position.step(move)
            if self._is_alive(after):
                self._note(_Hit(self.names[rule], position))
                return True
        return False

    def _judge_gap(self, position: Position, forbidden: int) -> bool:
        """Decide the moves that no rule forbids; note a gap."""
        allowed = [m for m in letters(15 & ~forbidden) if m in position.options()]
        if not allowed or not is_asked(self.rule_set, position):
            return False
        judge = gap_judge(self.rule_set)
        if not gap_moves(self.rule_set, position, judge):
            return False
        self._note(_Hit("", position))
        return True

    def _is_alive(self, position: Position) -> bool:
        answer = self.witness_oracle.decide(position)
        return answer.verdict is Verdict.COMPLETABLE

    def _note(self, hit: _Hit) -> None:
        self.first = self.first or hit
        hits = [hit] if self.hit is None else [self.hit, hit]
        self.hit = min(hits, key=lambda one: size_by_moves(one.position))

    # Hypothesis.

    def explore(self) -> None:
        """Let Hypothesis look for a counterexample, until time or examples are over."""
        failing, tried = set[Source](), 0
        sources = walk_sources(*self.kinds, max_side=self.max_side)

        @seeded_by(self.seed)
        @settings(
            database=None,
            deadline=None,
            max_examples=_NO_LIMIT,
            phases=(Phase.generate, Phase.target, Phase.shrink),
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(sources)
        def example(source: Source) -> None:
            nonlocal tried
            whole = source.kind not in (Boards.ANY, Boards.RIM)
            if whole and source.board.cells >= self.below:
                reject()
            if source in failing:  # Hypothesis shows what it has shrunk once more
                raise _FoundError
            if failing:
                tried += 1
                if tried > _SHRINKS:
                    raise _OverError
            elif time.monotonic() > self.until or self.examples == self.most:
                raise _OverError
            else:
                self.examples += 1
                self.progress(self.examples)
            if self._follow(source) or self._build(source):
                failing.add(source)
                raise _FoundError

        with suppress(_OverError, _FoundError, Flaky):
            example()

    def _follow(self, source: Source) -> bool:
        """Ask the rules along the walks of an example; whether one shows a fault."""
        fired, met = 0, False
        for one in more_walks(source, _GAP_WALKS if self.gaps else WALKS):
            found = walk_of(one)
            if found is None:
                break
            board, walk = found
            accused = self.accused(board)
            if not accused.any():
                continue
            masks = self._forbidden(board, walk, accused)
            fired += int(np.count_nonzero(masks))
            met = self._ask(board, walk, masks, one.seed)
            if met:
                break
        target(float(np.log1p(fired)), label="firings")
        return met

    def _forbidden(
        self, board: Board, walk: Walk, accused: npt.NDArray[np.bool_]
    ) -> Masks:
        """Return what rules forbid before each step; of rules that count alone."""
        masks = self.rule_set.walker(board).along(walk)
        masks[:, ~accused] = 0
        return masks

    def _ask(self, board: Board, walk: Walk, masks: Masks, seed: int) -> bool:
        """Look at what rules forbid before each step of a walk; whether one is wrong.

        - `masks`, (steps, rules) int32.
        """
        self.walks += 1
        self.positions += len(masks)
        for number, fired in enumerate(np.count_nonzero(masks, axis=0).tolist()):
            self.fired[self.names[number]] += fired
        if self.gaps:
            return self._gap_along(board, walk, masks, seed)
        rng = np.random.default_rng(seed)
        steps = [1 << board.direction(a, b) for a, b in pairwise(walk)]
        taken = np.array(steps, np.int32)
        wrong = (masks & taken[:, None]) != 0
        for number in np.flatnonzero(wrong.any(axis=0)).tolist():
            step = int(np.argmax(wrong[:, number]))
            self._note(_Hit(self.names[number], Position(board, walk[: step + 1])))
        firings = np.argwhere(masks)
        rng.shuffle(firings)
        grid = _numbered(board, walk)
        for step, rule in firings[:_LOOKED_AT].tolist():
            pattern = _pattern(board, walk, grid, step, rule, int(masks[step, rule]))
            if pattern not in self.patterns:
                self.patterns.add(pattern)
                others = int(masks[step, rule] & ~taken[step])
                if others:  # one of them is decided for each walk
                    place = Position(board, walk[: step + 1])
                    return self._judge(rule, place, others) or bool(wrong.any())
        return bool(wrong.any())

    def _gap_along(self, board: Board, walk: Walk, masks: Masks, seed: int) -> bool:
        """Look for an allowed dead move at some steps of a walk."""
        steps = np.arange(1, len(walk) - 1)
        if len(steps) > _GAP_STEPS:
            rng = np.random.default_rng(seed)
            steps = np.sort(rng.choice(steps, _GAP_STEPS, replace=False))
        for step in steps.tolist():
            taken = LETTERS[board.direction(walk[step], walk[step + 1])]
            forbidden = union_mask(masks[step].tolist()) | mask_of(taken)
            if self._judge_gap(Position(board, walk[: step + 1]), forbidden):
                return True
        return False

    def _build(self, source: Source) -> bool:
        """Build a position around a drawing that has seldom fired, now and then.

        Whether it shows that a rule is wrong. The source says which drawing, and where
        on the largest odd square.
        """
        rng = np.random.default_rng([source.seed, *source.choices])
        side = min(self.max_side, math.isqrt(self.below - 1))
        board = Board.square(max(1, side - 1 + side % 2))
        if self.gaps or rng.integers(_SELDOM):
            return False
        accused, silent = self.accused(board), list[RuleSpec]()
        for number, rule in enumerate(self.rule_set.rules):
            bans = isinstance(rule, RuleSpec) and rule.kind == "ban"
            if bans and accused[number] and self.fired[rule.name] < _SELDOM:
                silent.append(cast(RuleSpec, rule))
        if not silent:
            return False
        drawings = silent[rng.integers(len(silent))].drawings
        drawing = drawings[rng.integers(len(drawings))]
        placements = drawing.placements()
        for _ in range(_PLACES):
            if time.monotonic() > self.until:
                break
            placement = placements[rng.integers(len(placements))]
            move = _MOVES[rng.integers(len(_MOVES))]
            live = int(rng.integers(board.cells))
            found = position_at(
                drawing, placement, move, board, live, conflicts=_CONFLICTS
            )
            if found is not None:
                walk = (*found[0].walk, *found[1])
                masks = self._forbidden(board, walk, accused)
                return self._ask(board, walk, masks, source.seed)
        return False


def gap_judge(rule_set: RuleSet) -> Oracle:
    """Return the oracle that decides gaps: one that shares no kernel with a rule."""
    return get_oracle("auto", without=related_oracles(rule_set))


def _numbered(board: Board, walk: Walk) -> Masks:
    """Return the step at which a walk enters each cell, -1 outside, with a margin."""
    grid = np.full((board.rows + 2 * RADIUS, board.cols + 2 * RADIUS), -1, np.int32)
    rows, cols = np.divmod(walk, board.cols)
    grid[rows + RADIUS, cols + RADIUS] = np.arange(len(walk))
    return grid


def _pattern(
    board: Board, walk: Walk, grid: Masks, step: int, rule: int, mask: int
) -> Pattern:
    """Return what a firing looks like, the heading turned up."""
    row, col = divmod(walk[step], board.cols)
    side = 2 * RADIUS + 1
    view = grid[row : row + side, col : col + side]
    states = np.where(view < 0, 2, view <= step).astype(np.uint8)
    heading = board.direction(walk[step - 1], walk[step]) if step else 0
    turned = mask * 17 >> heading & 15
    return rule, turned, np.rot90(states, heading).tobytes()


def neighbours(positions: Sequence[Position]) -> Iterator[Position]:
    """Yield positions near others: turned, a move less or more, a wall more."""
    for position in positions:
        for symmetry in Symmetry:
            image = symmetry.position(position)
            yield image
            if len(image.walk) > 1:
                yield image.back()
            for move, cell in image.options().items():
                if cell != image.board.end or image.unvisited == 1:
                    yield image.step(move)
        yield from _walled(position)


def _walled(position: Position) -> Iterator[Position]:
    """Yield positions with one of the free cells near the live end as a wall."""
    board = position.board
    row, col = divmod(position.live_end, board.cols)
    for cell in range(board.cells):
        down, right = cell // board.cols - row, cell % board.cols - col
        near = max(abs(down), abs(right)) <= RADIUS
        if near and position.is_free(cell) and cell not in (board.start, board.end):
            yield Position(replace(board, walls=(*board.walls, cell)), position.walk)


def _smallest_wrong(search: _Search, hit: _Hit) -> Position:
    """Return a small position at which the rule alone is wrong, on its boards.

    What no small board shows is searched for on smaller and smaller ones.
    """
    boards, part = search.kind_of(hit.rule), part_with(search.rule_set, hit.rule)
    wrong = WrongRule(part, hit.rule, boards, search.witness_oracle)
    if (smallest := exhausted(wrong, hit.position)) is not None:
        return minimised(wrong, smallest)
    best = minimised(wrong, hit.position)
    for number in count(1):
        again = _Search(
            *(part, (boards,), boards, max(best.board.rows, best.board.cols)),
            seed=search.seed + number,
            most=_AGAIN,
            below=best.board.open_cells,
            only=hit.rule,
        )
        again.explore()
        if again.hit is None:
            break
        best = min(best, minimised(wrong, again.hit.position), key=size_by_moves)
    return best


def _gap(search: _Search, hit: _Hit, found: Position) -> Counterexample:
    """Return a small gap whose completion and proofs the checker accepts.

    Raises `WitnessError` if it does not.
    """
    rules, boards = search.rule_set, search.kind_of("")
    judge, walls = gap_judge(rules), boards is Boards.ANY
    position = shrink(rules, hit.position, judge, any_board=walls)
    for number in count(1):
        again = _Search(
            *(rules, (boards,), boards, max(position.board.rows, position.board.cols)),
            seed=search.seed + number,
            gaps=True,
            most=_GAPS_AGAIN,
            below=position.board.open_cells,
        )
        again.explore()
        if again.hit is None:
            break
        position = shrink(rules, again.hit.position, judge, any_board=walls)
    moves = gap_moves(rules, position, judge)
    witness = get_oracle("sat").decide(position).witness or ()
    faults = [find_fault(position.notation, witness)]
    faults += [proof_fault(position.step(move)) for move in moves]
    for fault in filter(None, faults):
        raise WitnessError(f"{position.notation} {moves}: {fault}")
    return Counterexample("", position, moves, tuple(witness), found)


def _counterexample(search: _Search, hit: _Hit, found: Position) -> Counterexample:
    """Return a small counterexample whose witness the checker accepts.

    Raises `WitnessError` if it does not.
    """
    if not hit.rule:
        return _gap(search, hit, found)
    position = _smallest_wrong(search, hit)
    oracle = search.witness_oracle
    moves = wrong_moves(search.rule_set, position, oracle, hit.rule)
    start = position.step(moves[0]) if moves else position
    rest = get_oracle("sat").decide(start).witness or ()
    witness = start.live_end, *rest
    fault = find_fault(position.notation, witness)
    if not moves or fault is not None:
        raise WitnessError(f"{position.notation} {moves}: {fault}")
    return Counterexample(hit.rule, position, moves, witness, found)


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
    """Look for a counterexample of rules on random boards.

    The rules are asked as the set asks them. A rule is accused only on boards that it
    is meant for, unless `boards` names others. Without a limit it stops after 20
    seconds.

    - `seconds`, `examples`: when to stop looking; shrinking comes on top, and takes
      seconds. With `examples` alone the same seed gives the same result on every
      machine with the same version of Hypothesis.
    - `gaps`: look for a dead move that all rules allow, not for a wrong rule.
    - `max_side`: the longest side of a board.
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
    counterexample = None
    if search.first is not None and search.hit is not None:
        counterexample = _counterexample(search, search.hit, search.first.position)
    return FuzzResult(
        *(kinds, max_side, search.examples, search.saved, search.walks),
        *(search.positions, dict(search.fired), len(search.patterns)),
        counterexample,
    )
