"""Rounds of a left-first walk, and how any walker makes them.

A *round* is a step forward or a step back. A rule is *needed* at a position if it
forbids a move there that no other rule of the set forbids.
"""

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.rule import union_mask
from solver.board import Board
from solver.jit import njit

if TYPE_CHECKING:
    from heuristic.walks.walker import Walker

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

FRESH = -1  # in `Run.todo`: the moves of this cell were not asked for yet
RIGHT = 1  # the direction that the walk counts as heading before its first step
LENGTH, COMPLETED, STUCK, STEPS = range(4)  # entries of `Run.counts`


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    NEEDED = 4
    WALKS = 5


class Run(NamedTuple):
    """Where a left-first walk stands, as kernels take it.

    - `walk`, (cells,) int32: the cells visited, as many as `counts` says.
    - `todo`, (cells,) int32: moves left to try at each of them, as bits; `FRESH` if not
      asked for yet.
    - `counts`, (4,) int64: cells of the walk, walks completed, positions stuck, steps
      made.
    - `firsts`, (rules,) int64: walks completed when each rule was first needed, -1 if
      it was not.
    - `root`: cells of the position that the walk began with.
    - `open_cells`: of the board.
    """

    walk: Ints
    todo: Ints
    counts: Longs
    firsts: Longs
    root: int
    open_cells: int


class Stops(NamedTuple):
    """When to come back: at which events, and behind how many rounds and walks."""

    stuck: bool
    complete: bool
    needed: bool
    rounds: int
    walks: int


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


def moves_to_try(board: Board, around: list[int], visited: set[int]) -> list[int]:
    """Return the directions a walker may try, before any rule; U, R, D, L order.

    `around` are the neighbours of the live end.
    """
    last = len(visited) == board.open_cells - 1
    return [
        d
        for d, cell in enumerate(around)
        if cell >= 0 and cell not in visited and (cell != board.end or last)
    ]


def make_rounds(walker: "Walker", run: Run, stops: Stops) -> Event:
    """Make rounds with any walker, as `heuristic.matching.walks` makes them.

    A *round* is a step forward or a step back.
    """
    walker.follow(run.walk[: run.counts[LENGTH]].tolist())
    for _ in range(stops.rounds):
        event = _make_round(walker, run, stops)
        if event is not Event.BUDGET:
            return event
    return Event.BUDGET


def _make_round(walker: "Walker", run: Run, stops: Stops) -> Event:
    walk, at = walker.path, len(walker.path) - 1
    if run.todo[at] == FRESH:
        event = _arrive(walker, run, stops)
        if event is not Event.BUDGET:
            return event
    if run.todo[at] == 0:
        if len(walk) <= run.root:
            return Event.FINISHED
        walker.pop()
        run.counts[LENGTH] -= 1
        return Event.BUDGET
    board = walker.board
    heading = board.direction(*walk[-2:]) if at else RIGHT
    turned = ((heading + 3 + turn) % 4 for turn in range(4))
    d = next(d for d in turned if run.todo[at] >> d & 1)
    run.todo[at] &= ~(1 << d)
    cell = int(board.neighbours[walk[-1], d])
    run.walk[at + 1], run.todo[at + 1] = cell, FRESH
    run.counts[LENGTH] += 1
    run.counts[STEPS] += 1
    walker.push(cell)
    return Event.BUDGET


def _arrive(walker: "Walker", run: Run, stops: Stops) -> Event:
    """Find what is to be tried from a cell that was just stepped on."""
    board, at = walker.board, len(walker.path) - 1
    if len(walker.path) == run.open_cells:
        run.todo[at] = 0
        run.counts[COMPLETED] += 1
        return Event.COMPLETE if stops.complete else Event.BUDGET
    if run.counts[COMPLETED] >= stops.walks:
        return Event.WALKS
    around = board.neighbours[walker.path[-1]].tolist()
    moves = moves_to_try(board, around, set(walker.path))
    masks = walker.masks() if moves else [0] * len(run.firsts)
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
