"""The rounds of a left-first walk of any rule set, asked through its tracker."""

from dataclasses import dataclass

import numpy as np

from heuristic.rounds import (
    COMPLETED,
    FRESH,
    LENGTH,
    RIGHT,
    STEPS,
    STUCK,
    Event,
    Ints,
    Longs,
    Run,
    Stops,
)
from heuristic.rule import Tracker, union_mask
from solver.board import Board
from solver.jit import njit

_SHARED = 62  # the last bit of 63 that a number has


@njit
def bit_of(rule: int) -> int:
    """Kernel: the bit that stands for a rule; those from the 63rd on share the last."""
    return 1 << min(rule, _SHARED)


@njit
def note_needed(masks: Ints, firsts: Longs, completed: int) -> tuple[bool, int]:
    """Kernel: note in `firsts` the rules that forbid a move which no other does.

    `masks` are those of free neighbours, all 0 where no move is free. Returns whether
    one of the rules was not needed before, and the rules as bits, see `bit_of`.
    """
    once, twice = 0, 0
    for rule in range(len(masks)):
        twice |= once & masks[rule]
        once |= masks[rule]
    alone = once & ~twice
    new, needs = False, 0
    if alone != 0:
        for rule in range(len(masks)):
            if masks[rule] & alone != 0:
                needs |= bit_of(rule)
                if firsts[rule] < 0:
                    firsts[rule] = completed
                    new = True
    return new, needs


@njit
def noted(firsts: Longs) -> int:
    """Kernel: the rules whose first need is known, as bits.

    A bit that rules share is there if all of them are.
    """
    missing, there = 0, 0
    for rule in range(len(firsts)):
        if firsts[rule] < 0:
            missing |= bit_of(rule)
        else:
            there |= bit_of(rule)
    return there & ~missing


def free_moves(board: Board, walk: list[int], visited: set[int]) -> list[int]:
    """Return the directions a walker may try, before any rule; U, R, D, L order."""
    last = len(walk) == board.open_cells - 1
    row = board.neighbours[walk[-1]].tolist()
    return [
        d
        for d, cell in enumerate(row)
        if cell >= 0 and cell not in visited and (cell != board.end or last)
    ]


@dataclass(slots=True)
class TrackedRounds:
    """Rounds of any rule set, asked through its tracker; `Rounds`.

    Attributes
    ----------
    board : Board
    tracker : Tracker
        At the end of `walk`, which it has followed.
    walk : list of int
    pace : int
    """

    board: Board
    tracker: Tracker
    walk: list[int]
    pace: int = 10_000
    forgets: bool = False

    def go(self, run: Run, stops: Stops) -> Event:
        """Do what the kernel of drawn rules does, round by round."""
        self._follow(run.walk[: run.counts[LENGTH]].tolist())
        for _ in range(stops.rounds):
            event = self._round(run, stops)
            if event is not Event.BUDGET:
                return event
        return Event.BUDGET

    def _follow(self, walk: list[int]) -> None:
        pairs = zip(self.walk, walk, strict=False)
        common = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
        common = min(len(self.walk), len(walk)) if common is None else common
        while len(self.walk) > common:
            self._back()
        for cell in walk[common:]:
            self._step(cell)

    def _step(self, cell: int) -> None:
        self.walk.append(cell)
        self.tracker.push(cell)

    def _back(self) -> None:
        self.walk.pop()
        self.tracker.pop()

    def _round(self, run: Run, stops: Stops) -> Event:
        walk, at = self.walk, len(self.walk) - 1
        if run.todo[at] == FRESH:
            event = self._arrive(run, stops)
            if event is not Event.BUDGET:
                return event
        if run.todo[at] == 0:
            if len(walk) <= run.root:
                return Event.FINISHED
            self._back()
            run.counts[LENGTH] -= 1
            return Event.BUDGET
        heading = self.board.direction(*walk[-2:]) if at else RIGHT
        turned = ((heading + 3 + turn) % 4 for turn in range(4))
        d = next(d for d in turned if run.todo[at] >> d & 1)
        run.todo[at] &= ~(1 << d)
        cell = int(self.board.neighbours[walk[-1], d])
        run.walk[at + 1], run.todo[at + 1] = cell, FRESH
        run.counts[LENGTH] += 1
        run.counts[STEPS] += 1
        self._step(cell)
        return Event.BUDGET

    def _arrive(self, run: Run, stops: Stops) -> Event:
        """Find what is to be tried from a cell that was just stepped on."""
        at = len(self.walk) - 1
        if len(self.walk) == run.open_cells:
            run.todo[at] = 0
            run.counts[COMPLETED] += 1
            return Event.COMPLETE if stops.complete else Event.BUDGET
        if run.counts[COMPLETED] >= stops.walks:
            return Event.WALKS
        moves = free_moves(self.board, self.walk, set(self.walk))
        masks = self.tracker.masks() if moves else [0] * len(run.firsts)
        row = np.array(masks, dtype=np.int32)
        new, _ = note_needed(row, run.firsts, run.counts[COMPLETED])
        if new and stops.needed:
            return Event.NEEDED
        forbidden = union_mask(masks)
        run.todo[at] = sum(1 << d for d in moves if not forbidden >> d & 1)
        if run.todo[at] == 0:
            run.counts[STUCK] += 1
            if stops.stuck:
                return Event.STUCK
        return Event.BUDGET
