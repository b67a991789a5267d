"""The rounds of a left-first walk, as a kernel: a step forward, or a step back.

`heuristic.walks.leftfirst` says what the walk is, keeps its arrays and runs it in
pieces.
"""

from enum import Enum

from heuristic.matching.pattern import Ints, Tables
from heuristic.walks.runstate import FRESH
from heuristic.walks.tried import Longs, find_try, keep_try, turn_cell
from heuristic.walks.walker import allowed_moves
from solver.jit import njit

RIGHT = 1  # the direction that the walk counts as heading before its first step


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    NEEDED = 4
    WALKS = 5


@njit
def note_needed(masks: Ints, firsts: Longs, completed: int) -> bool:
    """Kernel: note in `firsts` the rules that forbid a move which no other does.

    `allowed_moves` leaves the masks of free neighbours, all 0 where no move is free.
    True if one of them was not needed before.
    """
    once, twice = 0, 0
    for rule in range(len(masks)):
        twice |= once & masks[rule]
        once |= masks[rule]
    alone = once & ~twice
    new = False
    if alone != 0:
        for rule in range(len(masks)):
            if firsts[rule] < 0 and masks[rule] & alone != 0:
                firsts[rule] = completed
                new = True
    return new


@njit
def run_rounds(
    tables: Tables,
    neighbours: Ints,
    order: Ints,
    board: tuple[int, int, int],
    walk: Ints,
    todo: Ints,
    sizes: tuple[int, int],
    scratch: Ints,
    masks: Ints,
    counts: Longs,
    firsts: Longs,
    memory: tuple[Longs, Longs, Longs],
    stops: tuple[bool, bool, bool],
    limits: tuple[int, int],
) -> int:
    """Kernel of `LeftFirstWalk.run`; `sizes` is (root length, open cells).

    `counts` holds length, completed, stuck and steps; `firsts` see `needed`. `memory`
    is (marks, words, tries): the counts when each cell was stepped on, the visited
    cells as bits, and the table of `heuristic.walks.tried`, without rows if nothing may
    be kept. `limits` is (rounds, walks). Returns an `Event` value.
    """
    root, open_cells = sizes
    marks, words, tries = memory
    for _ in range(limits[0]):
        length = counts[0]
        at, here = length - 1, walk[length - 1]
        heading = RIGHT
        if length > 1:
            for d in range(4):
                if neighbours[walk[length - 2], d] == here:
                    heading = d
        if todo[at] == FRESH:
            known = -1
            if length == open_cells:
                todo[at] = 0
                counts[1] += 1
                if stops[1]:
                    return 3
            else:
                if counts[1] >= limits[1]:
                    return 5
                if len(tries) > 0 and length > root:
                    known = find_try(tries, words, here, heading)
                if known >= 0 and (
                    (stops[0] and tries[known, 3] > 0)
                    or counts[1] + tries[known, 2] > limits[1]
                ):
                    known = -1
                if known >= 0:
                    todo[at] = 0
                    for k in range(3):
                        counts[1 + k] += tries[known, 2 + k]
                    marks[at, 0] = -1  # kept already
                else:
                    moves = allowed_moves(
                        tables,
                        neighbours,
                        order,
                        board,
                        walk,
                        length,
                        open_cells,
                        scratch,
                        masks,
                    )
                    if note_needed(masks, firsts, counts[1]) and stops[2]:
                        return 4  # still fresh: the next run asks again
                    todo[at] = moves
                    if moves == 0:
                        counts[2] += 1
                        if stops[0]:
                            return 2
        if todo[at] == 0:
            if length <= root:
                return 1
            if len(tries) > 0 and marks[at, 0] >= 0 and length < open_cells:
                found = (
                    counts[1] - marks[at, 0],
                    counts[2] - marks[at, 1],
                    counts[3] - marks[at, 2],
                )
                keep_try(tries, words, here, heading, found)
            order[here] = -1
            turn_cell(words, here)
            counts[0] = at
            continue
        for turn in range(4):
            d = (heading + 3 + turn) % 4
            if (todo[at] >> d) & 1:
                todo[at] &= ~(1 << d)
                here = neighbours[here, d]
                break
        walk[length] = here
        order[here] = length
        turn_cell(words, here)
        todo[length] = FRESH
        counts[0] = length + 1
        counts[3] += 1
        for k in range(3):
            marks[length, k] = counts[1 + k]
    return 0
