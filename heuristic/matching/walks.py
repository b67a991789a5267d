"""Walks under drawn rules, in kernels: random, along a walk, down a tree, left first.

Left-first walks remember what they tried.

Drawings without runs, and the sequence, look at the visited cells, the live end and the
heading, not at the order of the walk. So do forced edges: turned with the board, they
are those of the turned position. Two walks that agree in these have the same walks
ahead of them: as many are complete, as many get stuck, and the same rules forbid the
same moves. On 9 x 9 most positions come back many times.

A *try* is such a position whose walks were all walked; it is counted and not walked
again. A row of the table is its key, three numbers, then the walks completed, the
positions stuck and the steps made in it, and the rules needed there. The key is the
position itself, not a hash of it, so two positions are never confused. Two rows share a
bucket: the first keeps the larger try, the second the last one.

If rules and board are their own mirror images, a position and its image have as many
walks ahead and need the same rules: they share a key.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import (
    ALL_MOVES,
    Drawn,
    evaluate,
    list_matching,
)
from heuristic.matching.tables import FREE_CELL, RUNS, Ints, Longs, Tables
from heuristic.walks.leftfirst import (
    COMPLETED,
    FRESH,
    LENGTH,
    RIGHT,
    STEPS,
    STUCK,
    Event,
    Run,
    Stops,
)
from heuristic.walks.walker import CHUNK, TreeMasks
from solver.board import Board
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import shuffle

Bytes = npt.NDArray[np.uint8]


@njit
def _options(drawn: Drawn, here: int, length: int) -> int:
    """Kernel: the moves of a walker before any rule; the end cell is entered last."""
    free = 0
    for d in range(4):
        cell = drawn.neighbours[here, d]
        early = cell == drawn.board[2] and length < drawn.open_cells - 1
        if cell >= 0 and drawn.order[cell] == FREE_CELL and not early:
            free |= 1 << d
    return free


@njit
def heading_of(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: the direction of the last step, -1 before the first one."""
    if length > 1:
        for d in range(4):
            if drawn.neighbours[walk[length - 2], d] == walk[length - 1]:
                return d
    return -1


@njit_within
def allowed_moves(drawn: Drawn, walk: Ints, length: int, asked: int) -> int:
    """Kernel: which of some moves a walker may make; `drawn.masks` is filled."""
    here = walk[length - 1]
    free = _options(drawn, here, length) & asked
    if free == 0:
        drawn.masks[:] = 0
        return 0
    return free & ~evaluate(drawn, here, heading_of(drawn, walk, length), asked)


@njit
def _random_move(
    drawn: Drawn,
    walk: Ints,
    length: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: the first allowed move, in a random order as every walker makes it.

    Rules are asked for move by move where they may be: most often the first is made.
    """
    count, known, allowed = 0, 0, 0
    for d in range(4):
        cell = drawn.neighbours[walk[length - 1], d]
        if cell >= 0 and drawn.order[cell] == FREE_CELL:
            directions[count] = d
            count += 1
    shuffle(rng, directions, count)
    for i in range(count):
        move = 1 << directions[i]
        if known & move == 0:
            asked = ALL_MOVES if len(drawn.tables.blocks) > 0 else move
            allowed |= allowed_moves(drawn, walk, length, asked)
            known |= asked
        if allowed & move != 0:
            return int(directions[i])
    return -1


@njit
def fill_walk(
    drawn: Drawn,
    walk: Ints,
    length: int,
    most: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: extend a walk at random from `length` cells to `most`.

    `drawn.order` has the walk, or any if it is one cell. Returns the new length, which
    is `most` if the walk can go on.
    """
    order = drawn.order
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = FREE_CELL
        order[walk[0]] = 0
    while length < most:
        d = _random_move(drawn, walk, length, directions, rng)
        if d < 0:
            break
        walk[length] = drawn.neighbours[walk[length - 1], d]
        order[walk[length]] = length
        length += 1
    return length


@njit
def follow_tree(
    drawn: Drawn,
    depth: Ints,
    cells: Ints,
    masks: Bytes,
    options: Bytes,
    matching: Ints,
    walk: Ints,
    length: int,
) -> tuple[int, int]:
    """Kernel: ask the rules at positions of a tree, each a depth and the last cell.

    Fills a row of `masks` and an entry of `options` for each. `drawn.order`, `walk` and
    its length carry the walk from one call to the next; the length is returned. If
    `matching` has room it gets the leaves that match at the last position, and their
    number is returned too; masks are not filled then.
    """
    count = 0
    for i in range(len(depth)):
        while length > depth[i]:
            length -= 1
            drawn.order[walk[length]] = FREE_CELL
        here = cells[i]
        walk[length] = here
        drawn.order[here] = length
        length += 1
        heading = heading_of(drawn, walk, length)
        options[i] = _options(drawn, here, length)
        if len(matching) > 0:
            count = list_matching(drawn, here, heading, ALL_MOVES, matching)
            continue
        evaluate(drawn, here, heading, ALL_MOVES)
        for rule in range(len(drawn.masks)):
            masks[i, rule] = drawn.masks[rule]
    return length, count


def tree_masks(drawn: Drawn, tree: PositionTree) -> Iterator[TreeMasks]:
    """Yield what rules forbid at all positions, a microsecond each or less.

    `drawn.order` is without visited cells.
    """
    walk, length = np.zeros(tree.board.cells, np.int32), 0
    for begin in range(0, len(tree), CHUNK):
        part = slice(begin, begin + CHUNK)
        depth, cells = tree.depth[part].astype(np.int32), tree.cell[part]
        masks = np.zeros((len(depth), len(drawn.masks)), np.uint8)
        options = np.zeros(len(depth), np.uint8)
        length, _ = follow_tree(
            drawn, depth, cells, masks, options, drawn.order[:0], walk, length
        )
        yield TreeMasks(masks, options, tree.good[part], depth)


MOST_CELLS = 174  # of a board whose positions have keys: 63 + 63 + 48 bits
WORDS = 3  # numbers of a key
_BITS, _LAST = 63, 48
_TRIES = 1 << 22  # rows of the table, 235 MB when all are used
_SHARED = 62  # the last bit of 63 that a number has
# Columns of a row: the key, then what the walks ahead came to.
KEY_LOW, KEY_MIDDLE, KEY_HIGH, TRY_WALKS, TRY_STUCK, TRY_STEPS, TRY_NEEDS = range(7)
Key = tuple[int, int, int]


class Memory(NamedTuple):
    """What was tried before; see the module.

    - `marks`, (cells, 3): walks completed, positions stuck and steps made when each
      cell was stepped on; -1 in front where nothing is to be kept.
    - `needs`, (cells + 1,): the rules needed from each cell of the walk on, as bits; in
      the last place those whose first need is known.
    - `words`, (6,): the visited cells as bits, and their images.
    - `tries`, (rows, 7): the table; `rows` is a power of two from 2 on, or 0 if nothing
      may be kept. Memory is used only for rows that are used, 56 bytes each.
    - `image`, (cells,) or (0,): the image of each cell on the transposed board, if that
      is the same for all.
    """

    marks: Longs
    needs: Longs
    words: Longs
    tries: Longs
    image: Ints


def new_memory(
    tables: Tables, board: Board, *, symmetric: bool, rows: int = _TRIES
) -> Memory:
    """Return memory without tries.

    - `symmetric`: whether the rules say of a transposed position the transposed.
    """
    image = _transposed(board) if symmetric else ()
    return Memory(
        marks=np.full((board.cells, 3), -1, dtype=np.int64),
        needs=np.zeros(board.cells + 1, dtype=np.int64),
        words=np.zeros(2 * WORDS, dtype=np.int64),
        tries=np.zeros((rows if forgets(tables, board) else 0, 7), dtype=np.int64),
        image=np.array(image, dtype=np.int32),
    )


def forgets(tables: Tables, board: Board) -> bool:
    """Whether all ahead follows from visited cells, live end and heading, in a key.

    What is forced follows from what is visited, as areas do. Runs do not.
    """
    runs = (tables.leaves[:, RUNS] < tables.leaves[:, RUNS + 1]).any()
    return bool(board.cells <= MOST_CELLS and not runs)


def _transposed(board: Board) -> list[int]:
    """Return the image of each cell on the transposed board if that is the same."""
    if board.rows != board.cols:
        return []
    side = board.rows
    image = [cell % side * side + cell // side for cell in range(board.cells)]
    ends = image[board.start] == board.start and image[board.end] == board.end
    same = ends and {image[wall] for wall in board.walls} == {*board.walls}
    return image if same else []


@njit
def turn_cell(memory: Memory, cell: int) -> None:
    """Kernel: put a cell among the visited ones, or take it out again."""
    if len(memory.tries) == 0:
        return  # the board may be larger than a key
    memory.words[cell // _BITS] ^= np.int64(1) << (cell % _BITS)
    if len(memory.image) > 0:
        other = memory.image[cell]
        memory.words[WORDS + other // _BITS] ^= np.int64(1) << (other % _BITS)


@njit
def key_of(memory: Memory, live_end: int, heading: int) -> Key:
    """Kernel: the key of a position, or that of its image if it is the smaller one.

    The image is the transposed board, on which U is L and R is D.
    """
    words, image = memory.words, memory.image
    low, middle = words[0], words[1]
    high = words[2] | np.int64(4 * live_end + heading) << _LAST
    if len(image) > 0:
        turned = np.int64(4 * image[live_end] + 3 - heading) << _LAST
        other = words[3], words[4], words[5] | turned
        if other < (low, middle, high):
            low, middle, high = other
    return low, middle, high


@njit
def _bucket(tries: Longs, key: Key) -> int:
    """Kernel: the first row of the bucket of a key."""
    mixed = key[0] * -7046029254386353131 + key[2] * -4658895280553007687
    mixed += key[1] * -5840758589994634535
    mixed ^= mixed >> 31
    mixed *= -7723592293110705685
    mixed ^= mixed >> 29
    return mixed & (len(tries) - 2)


@njit
def find_try(tries: Longs, key: Key) -> int:
    """Kernel: the row of a try, -1 if it is not there."""
    row = _bucket(tries, key)
    for at in range(row, row + 2):
        # what was tried ended somewhere: an empty row has neither walks nor stuck ones
        used = tries[at, TRY_WALKS] + tries[at, TRY_STUCK] > 0
        same = tries[at, KEY_LOW] == key[0] and tries[at, KEY_MIDDLE] == key[1]
        if used and same and tries[at, KEY_HIGH] == key[2]:
            return at
    return -1


@njit
def keep_try(tries: Longs, key: Key, ahead: tuple[int, int, int, int]) -> None:
    """Kernel: keep a try; `ahead` is walks completed, stuck, steps, rules needed."""
    row = _bucket(tries, key)
    if tries[row, TRY_STEPS] > ahead[2]:
        row += 1
    tries[row, KEY_LOW], tries[row, KEY_MIDDLE], tries[row, KEY_HIGH] = key
    tries[row, TRY_WALKS], tries[row, TRY_STUCK] = ahead[0], ahead[1]
    tries[row, TRY_STEPS], tries[row, TRY_NEEDS] = ahead[2], ahead[3]


@njit
def _bit_of(rule: int) -> int:
    """Kernel: the bit that stands for a rule; those from the 63rd on share the last."""
    return 1 << min(rule, _SHARED)


@njit
def _noted(firsts: Longs) -> int:
    """Kernel: the rules whose first need is known; a shared bit if all of them are."""
    missing, there = 0, 0
    for rule in range(len(firsts)):
        if firsts[rule] < 0:
            missing |= _bit_of(rule)
        else:
            there |= _bit_of(rule)
    return there & ~missing


@njit
def _note_needed(masks: Ints, firsts: Longs, completed: int) -> tuple[bool, int]:
    """Kernel: note in `firsts` the rules that forbid a move which no other does.

    Returns whether one of them was not needed before, and the rules as bits.
    """
    once, twice = 0, 0
    for rule in range(len(masks)):
        twice |= once & masks[rule]
        once |= masks[rule]
    new, needs, alone = False, 0, once & ~twice
    if alone != 0:
        for rule in range(len(masks)):
            if masks[rule] & alone != 0:
                needs |= _bit_of(rule)
                if firsts[rule] < 0:
                    firsts[rule] = completed
                    new = True
    return new, needs


_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
_STUCK, _COMPLETE = Event.STUCK.value, Event.COMPLETE.value
_NEEDED, _WALKS = Event.NEEDED.value, Event.WALKS.value


@njit_within
def _known(run: Run, memory: Memory, heading: int, stops: Stops) -> int:
    """Kernel: the row of a try that can be counted in place of walking, or -1."""
    length, tries = run.counts[LENGTH], memory.tries
    if len(tries) == 0 or length <= run.root:
        return -1
    row = find_try(tries, key_of(memory, run.walk[length - 1], heading))
    if row < 0 or (stops.stuck and tries[row, TRY_STUCK] > 0):
        return -1
    if run.counts[COMPLETED] + tries[row, TRY_WALKS] >= stops.walks:
        return -1  # it stops there, perhaps before the last of those that get stuck
    if tries[row, TRY_NEEDS] & ~memory.needs[-1] != 0:
        return -1  # met in another walk: here a rule is first needed in it
    return row


@njit_within
def _arrive(drawn: Drawn, run: Run, memory: Memory, heading: int, stops: Stops) -> int:
    """Kernel: decide what to try from a cell that was just stepped on; an event."""
    counts, length = run.counts, run.counts[LENGTH]
    at = length - 1
    if length == drawn.open_cells:
        run.todo[at] = 0
        counts[COMPLETED] += 1
        return _COMPLETE if stops.complete else _BUDGET
    if counts[COMPLETED] >= stops.walks:
        return _WALKS
    row = _known(run, memory, heading, stops)
    if row >= 0:
        run.todo[at] = 0
        for k in range(3):
            counts[COMPLETED + k] += memory.tries[row, TRY_WALKS + k]
        memory.marks[at, 0] = -1  # kept already
        memory.needs[at] = memory.tries[row, TRY_NEEDS]
        return _BUDGET
    moves = allowed_moves(drawn, run.walk, length, ALL_MOVES)
    new, needs = _note_needed(drawn.masks, run.firsts, counts[COMPLETED])
    memory.needs[at] |= needs
    if new:
        memory.needs[-1] = _noted(run.firsts)
        if stops.needed:
            return _NEEDED  # still fresh: the next run asks again
    run.todo[at] = moves
    if moves == 0:
        counts[STUCK] += 1
        if stops.stuck:
            return _STUCK
    return _BUDGET


@njit_within
def _step_back(drawn: Drawn, run: Run, memory: Memory, heading: int) -> None:
    """Kernel: leave a cell from which all was tried, and keep what it led to."""
    counts, marks = run.counts, memory.marks
    at = counts[LENGTH] - 1
    here = run.walk[at]
    if len(memory.tries) > 0 and marks[at, 0] >= 0 and at + 1 < drawn.open_cells:
        ahead = (
            counts[COMPLETED] - marks[at, 0],
            counts[STUCK] - marks[at, 1],
            counts[STEPS] - marks[at, 2],
            memory.needs[at],
        )
        keep_try(memory.tries, key_of(memory, here, heading), ahead)
    memory.needs[at - 1] |= memory.needs[at]
    drawn.order[here] = FREE_CELL
    turn_cell(memory, here)
    counts[LENGTH] = at


@njit_within
def _step_on(drawn: Drawn, run: Run, memory: Memory, heading: int) -> None:
    """Kernel: make the first move that is left to try, from the left."""
    counts, length = run.counts, run.counts[LENGTH]
    here = run.walk[length - 1]
    for turn in range(4):
        d = (heading + 3 + turn) % 4
        if (run.todo[length - 1] >> d) & 1:
            run.todo[length - 1] &= ~(1 << d)
            here = drawn.neighbours[here, d]
            break
    run.walk[length], run.todo[length] = here, FRESH
    drawn.order[here] = length
    turn_cell(memory, here)
    memory.needs[length] = 0
    counts[LENGTH] = length + 1
    counts[STEPS] += 1
    for k in range(3):
        memory.marks[length, k] = counts[COMPLETED + k]


@njit
def make_rounds(drawn: Drawn, run: Run, memory: Memory, stops: Stops) -> int:
    """Kernel: make rounds until an event that stops the run; return its value.

    `drawn.order` has the walk of the run.
    """
    memory.words[:] = 0
    for at in range(run.counts[LENGTH]):
        turn_cell(memory, run.walk[at])
    memory.needs[-1] = _noted(run.firsts)
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(drawn, run.walk, at + 1)
        if heading < 0:
            heading = RIGHT
        if run.todo[at] == FRESH:
            event = _arrive(drawn, run, memory, heading, stops)
            if event != _BUDGET:
                return event
        if run.todo[at] != 0:
            _step_on(drawn, run, memory, heading)
        elif at < run.root:
            return _FINISHED
        else:
            _step_back(drawn, run, memory, heading)
    return _BUDGET
