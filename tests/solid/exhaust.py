"""All graphs without holes in a box, all ends, all path factors: the static search.

``python -m tests.solid.exhaust ROWS COLS [EVERY [SEED]]`` checks the search on each
graph that fills the box, or on one in so many, and prints what it saw.

A graph is a number with the bit ``cols * row + col`` for each cell. A factor is a
number with two bits for each cell, the edges to the right and down; those of the first
cell are the highest. So factors are listed in order, and `_index` finds each: distances
between them come from breadth first search over flips.
"""

import sys
from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.jit import njit
from solver.solid.grid import (
    AREA,
    BEFORE,
    COUNT,
    END,
    LIVE,
    WHOLE,
    Solid,
    enter,
    is_square,
    new_solid,
    sides,
)
from solver.solid.static import APART, NO_FACTOR, finish, solve
from solver.solid.strips import (
    GIVEN_UP,
    MERGED,
    NEVER,
    is_open,
    is_straight,
    merge,
    search_strips,
)
from solver.solid.witness import components, part_of

Numbers = npt.NDArray[np.int64]

# What is counted of the graphs whose ends have so many neighbours in all, three each.
GRAPHS, ALIVE, LOOPS, SEARCHED, LEAST, EVEN, LATERAL, OPENED = range(8)
NAMES = ("graphs", "alive", "loops", "searched", "least", "even", "lateral", "open")
FAR = 1 << 30


class Room(NamedTuple):
    """Arrays for the factors of one graph."""

    need: Numbers  # (cells,)
    choice: Numbers  # (cells + 1,)
    factor: Numbers  # (most,): in ascending order
    parts: Numbers  # (most,): components
    kind: Numbers  # (most,): neighbour of the first end in the factor, a direction
    far: Numbers  # (4, most): flips to a better factor, by kind of that
    queue: Numbers  # (most,)


def new_arrays(cells: int, most: int = 4096) -> Room:
    """Return room for so many factors."""

    def many(*shape: int) -> Numbers:
        return np.zeros(shape, np.int64)

    return Room(
        need=many(cells),
        choice=many(cells + 1),
        factor=many(most),
        parts=many(most),
        kind=many(most),
        far=many(4, most),
        queue=many(most),
    )


@njit
def ones(x: int) -> int:
    """Kernel: how many bits are set."""
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count


@njit
def is_whole(graph: int, rows: int, cols: int) -> bool:
    """Kernel: whether a graph is connected."""
    first = ((1 << rows * cols) - 1) // ((1 << cols) - 1)
    now, seen = graph & -graph, 0
    while now != seen:
        seen = now
        beside = (now & ~(first << (cols - 1))) << 1 | (now & ~first) >> 1
        now = (now | beside | now << cols | now >> cols) & graph
    return now == graph


@njit
def list_factors(room: Room, cols: int) -> int:
    """Kernel: list the factors in ascending order; how many."""
    need, choice = room.need, room.choice
    n, i, count, code = need.size, 0, 0, 0
    choice[0] = -1
    while i >= 0:
        if i == n:
            room.factor[count] = code
            count += 1
            i -= 1
            continue
        if choice[i] >= 0:  # back again
            if choice[i] & 1:
                need[i + 1] += 1
            if choice[i] & 2:
                need[i + cols] += 1
            code ^= choice[i] << 2 * (n - 1 - i)
        choice[i] += 1
        while choice[i] < 4:
            east, south = choice[i] & 1, choice[i] >> 1
            fits = east + south == need[i]
            if east and (i % cols == cols - 1 or need[i + 1] == 0):
                fits = False
            if south and (i + cols >= n or need[i + cols] == 0):
                fits = False
            if fits:
                break
            choice[i] += 1
        if choice[i] == 4:
            i -= 1
            continue
        if choice[i] & 1:
            need[i + 1] -= 1
        if choice[i] & 2:
            need[i + cols] -= 1
        code ^= choice[i] << 2 * (n - 1 - i)
        i += 1
        choice[i] = -1
    return count


@njit
def _index(room: Room, count: int, code: int) -> int:
    """Kernel: the number of a factor in the list, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if room.factor[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low if low < count and room.factor[low] == code else -1


@njit
def load(s: Solid, cols: int, graph: int, ends: tuple[int, int]) -> None:
    """Kernel: make the graph, without dark edges."""
    width = cols + 2
    for c in range(s.inside.size):
        s.inside[c] = 0
        s.dark[c] = 0
    for i in range(63):
        if graph >> i & 1:
            s.inside[i + width + 1 + 2 * (i // cols)] = 1
    a, b = ends
    enter(s, a + width + 1 + 2 * (a // cols), b + width + 1 + 2 * (b // cols))


@njit
def darken(s: Solid, cols: int, n: int, code: int) -> int:
    """Kernel: make a factor the dark edges; the number of its components."""
    width = cols + 2
    for c in range(s.dark.size):
        s.dark[c] = 0
    for i in range(n):
        c = i + width + 1 + 2 * (i // cols)
        if code >> 2 * (n - 1 - i) & 1:
            s.dark[c] |= np.uint8(2)
            s.dark[c + 1] |= np.uint8(8)
        if code >> (2 * (n - 1 - i) + 1) & 1:
            s.dark[c] |= np.uint8(4)
            s.dark[c + width] |= np.uint8(1)
    return components(s)


@njit
def is_path(s: Solid) -> bool:
    """Kernel: whether the dark edges are a Hamiltonian path."""
    for c in range(s.dark.size):
        if s.inside[c] and (s.dark[c] & ~s.near[c] or ones(s.dark[c]) != s.need[c]):
            return False
    return components(s) == 1


@njit
def measure(room: Room, s: Solid, cols: int, count: int, most: int) -> None:
    """Kernel: flips from each factor to the nearest with fewer components than `most`.

    Written to `far`, for each kind of the better factor alone.
    """
    n = room.need.size
    for kind in range(4):
        head = tail = 0
        for i in range(count):
            near = room.parts[i] < most and room.kind[i] == kind
            room.far[kind, i] = 0 if near else FAR
            if near:
                room.queue[tail] = i
                tail += 1
        while head < tail:
            i = int(room.queue[head])
            head += 1
            code = room.factor[i]
            for q in range(n - cols - 1):
                if q % cols == cols - 1:
                    continue
                left = np.int64(2) << 2 * (n - 1 - q)
                right = np.int64(2) << 2 * (n - 2 - q)
                top = np.int64(1) << 2 * (n - 1 - q)
                bottom = np.int64(1) << 2 * (n - 1 - q - cols)
                square = left | right | top | bottom
                row = code & square
                if row not in (left | right, top | bottom):
                    continue
                j = _index(room, count, code ^ square)
                if j >= 0 and room.far[kind, j] == FAR:
                    room.far[kind, j] = room.far[kind, i] + 1
                    room.queue[tail] = j
                    tail += 1


@njit
def _has_parallel(s: Solid) -> bool:
    """Kernel: whether a square is of type III; `components` found them."""
    width = int(s.info[0])
    for q in range(s.dark.size - width - 1):
        if is_square(s.near, width, q):
            row = sides(s.dark, width, q)
            other = q + width + 1
            if row in (5, 10) and part_of(s, q) != part_of(s, other):
                return True
    return False


@njit
def try_graph(
    s: Solid,
    room: Room,
    box: tuple[int, int, int],
    ends: tuple[int, int],
    seen: Numbers,
    left: Numbers,
    opened: int,
) -> int:
    """Kernel: check the search from each factor of a graph; the rows of `left` in use.

    A row is written for each factor that `merge` gave up: the graph, the ends, the
    factor, how many ends have three neighbours, and the fewest components of a factor.
    """
    rows, cols, graph = box
    n = rows * cols
    for i in range(n):
        room.need[i] = 2 * (graph >> i & 1)
    room.need[ends[0]] -= 1
    room.need[ends[1]] -= 1
    count = list_factors(room, cols)
    load(s, cols, graph, ends)
    if count == 0:
        assert solve(s, True) == NO_FACTOR
        return opened
    info = s.info
    info[WHOLE] = 1
    three = int(ones(s.near[info[LIVE]]) == 3) + int(ones(s.near[info[END]]) == 3)
    p = info[END] if ones(s.near[info[END]]) == 3 else info[LIVE]
    fewest, straight, worst = FAR, FAR, 0
    for i in range(count):
        k = darken(s, cols, n, room.factor[i])
        room.parts[i] = k
        room.kind[i] = 0
        while s.dark[p] >> room.kind[i] & 1 == 0:
            room.kind[i] += 1
        fewest = min(fewest, k)
        worst = max(worst, k)
        if three == 1 and is_straight(s, p):
            straight = min(straight, k)
    row = seen[three]
    row[GRAPHS] += 1
    row[ALIVE] += fewest == 1
    for k in range(2, worst + 1):
        measure(room, s, cols, count, k)
        for i in range(count):
            if room.parts[i] != k:
                continue
            row[LOOPS] += 1
            darken(s, cols, n, room.factor[i])
            if three < 2 and not _has_parallel(s):
                row[SEARCHED] += 1
                own, other = FAR, FAR
                for kind in range(4):
                    if kind == room.kind[i]:
                        own = room.far[kind, i]
                    else:
                        other = min(other, room.far[kind, i])
                nearest = min(own, other)
                components(s)
                found = search_strips(s, False)
                lateral = is_open(s, p) and not is_straight(s, p)
                row[LATERAL] += lateral
                sure = not lateral or straight > k or own < other
                if found:
                    assert info[AREA] >= nearest
                    row[LEAST] += 1
                    row[EVEN] += info[BEFORE] >= 0
                if sure:
                    assert (info[AREA] if found else FAR) == nearest
            for closed in range(2):
                darken(s, cols, n, room.factor[i])
                answer = merge(s, 1, closed == 1)
                if answer == MERGED:
                    assert fewest == 1
                    assert is_path(s)
                elif answer == NEVER:
                    assert fewest > 1
                    assert closed == 1 or info[COUNT] == fewest
                else:
                    assert answer == GIVEN_UP or three == 2
                    row[OPENED] += 1
                    left[opened, 0] = graph
                    left[opened, 1] = ends[0]
                    left[opened, 2] = ends[1]
                    left[opened, 3] = room.factor[i]
                    left[opened, 4] = three
                    left[opened, 5] = fewest
                    opened += 1
                    break
    return opened


@njit
def try_graphs(
    s: Solid,
    room: Room,
    box: tuple[int, int, int],
    sample: tuple[int, int],
    seen: Numbers,
    left: Numbers,
) -> tuple[int, int]:
    """Kernel: check the graphs after number ``box[2]``, until `left` is half full.

    Returns the number of the last graph, -1 after all, and the rows of `left` in use.
    One graph in ``sample[0]`` is checked, chosen by the seed ``sample[1]``.
    """
    rows, cols, graph = box
    opened = 0
    while graph >= 0 and 2 * opened < left.shape[0]:
        graph = next_graph(graph, rows, cols)
        chance = (graph * 2654435761 + sample[1] * 40503) >> 7
        if graph < 0 or chance % sample[0]:
            continue
        for a in range(rows * cols):
            for b in range(a + 1, rows * cols):
                both = 1 << a | 1 << b
                if both & ~graph == 0 and fits(graph, cols, a, b):
                    case = (rows, cols, graph)
                    opened = try_graph(s, room, case, (a, b), seen, left, opened)
    return graph, opened


@njit
def next_graph(graph: int, rows: int, cols: int) -> int:
    """Kernel: the next number of a connected graph without holes that fills the box."""
    first = ((1 << rows * cols) - 1) // ((1 << cols) - 1)
    while graph < 1 << rows * cols:
        graph += 1
        if graph & first == 0 or graph & first << (cols - 1) == 0:
            continue
        if graph & (1 << cols) - 1 == 0 or graph >> (rows - 1) * cols == 0:
            continue
        east, west = graph & (graph & ~first) >> 1, graph & (graph << 1) & ~first
        south, north = graph & graph >> cols, graph & graph << cols
        two = (east & west) | (north & south) | ((east | west) & (north | south))
        bare = graph & ~two  # must be ends
        if (bare & (bare - 1)) & ((bare & (bare - 1)) - 1):
            continue
        euler = ones(graph) - ones(east) - ones(south)
        euler += ones(east & south & east >> cols)
        if euler == 1 and is_whole(graph, rows, cols):
            return graph
    return -1


@njit
def fits(graph: int, cols: int, a: int, b: int) -> bool:
    """Kernel: whether two cells may be the ends of a path, by degrees and colours."""
    surplus = 0
    for i in range(63):
        if graph >> i & 1:
            sign = 1 - 2 * ((i // cols + i % cols) & 1)
            surplus += 2 * sign
            if i in (a, b):
                surplus -= sign
    for i in (a, b):
        near = i % cols > 0 and graph >> (i - 1) & 1
        near += i % cols < cols - 1 and graph >> (i + 1) & 1
        near += i >= cols and graph >> (i - cols) & 1
        near += graph >> (i + cols) & 1
        if near > 3:
            return False
    return surplus == 0


def try_box(rows: int, cols: int, every: int = 1, seed: int = 0) -> Counter[str]:
    """Check graphs that fill a box; count what was seen.

    A name begins with how many ends have three neighbours.
    """
    s = new_solid(Board(rows, cols, 0, rows * cols - 1))
    room = new_arrays(rows * cols)
    seen = np.zeros((3, len(NAMES)), np.int64)
    left = np.zeros((1 << 14, 6), np.int64)
    total = Counter[str]()
    graph = 0
    while graph >= 0:
        box = (rows, cols, graph)
        graph, opened = try_graphs(s, room, box, (every, seed), seen, left)
        for row in left[:opened].tolist():
            total[f"{row[4]} {settle(s, cols, rows * cols, row)}"] += 1
    for three in range(3):
        for i, name in enumerate(NAMES):
            total[f"{three} {name}"] = int(seen[three, i])
    return total


def settle(s: Solid, cols: int, n: int, row: list[int]) -> str:
    """Check what `finish` makes of a factor that the search gave up."""
    graph, a, b, code, three, fewest = row
    load(s, cols, graph, (a, b))
    darken(s, cols, n, code)
    found, _ = finish(s, merge(s, 1, False), Position(Board(1, 2)))
    if found == MERGED:
        assert fewest == 1
        assert is_path(s)
        return "freed"
    if found == GIVEN_UP:
        assert three == 2
        return "unknown"
    assert found in (NEVER, APART)
    assert fewest > 1
    assert three == 2 or s.info[COUNT] == fewest
    return "dead"


def main() -> None:
    for name, count in sorted(try_box(*map(int, sys.argv[1:])).items()):
        print(name, count)


if __name__ == "__main__":
    main()
