"""Kernels of `solver.oracles.sat`: loops cut, areas counted.

`Edges` says how cells and variables belong together.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit, njit_making

Ints: TypeAlias = npt.NDArray[np.int32]
Bools: TypeAlias = npt.NDArray[np.bool_]


class Edges(NamedTuple):
    """The edges of a board and their variables, int32 arrays.

    - `ends`, (variables, 2): the two cells of each variable's edge.
    - `near`, `variable`, (cells, 4): the neighbour and the edge in direction U, R, D,
      L.
    """

    ends: Ints
    near: Ints
    variable: Ints


class Cuts(NamedTuple):
    """Where cuts are written: variables of the rims, their ends, the cells within."""

    rim: Ints
    stops: Ints
    inside: Bools


@njit
def _parts(link: Ints, is_open: Bools, start: int, part: Ints, path: Ints) -> int:
    """Kernel: number the paths and loops of a model; return how many there are.

    Number 0 is the path from the start, its cells are left in `path`.
    """
    parts = 0
    for k in range(-1, is_open.size):
        cell, size = start if k < 0 else k, 0
        if not is_open[cell] or part[cell] >= 0:
            continue
        while cell >= 0:
            part[cell] = parts
            if parts == 0:
                path[size] = cell
            size += 1
            a, b = link[cell, 0], link[cell, 1]
            if a >= 0 and part[a] < 0:
                cell = a
            elif b >= 0 and part[b] < 0:
                cell = b
            else:
                cell = -1
        parts += 1
    return parts


@njit_making
def _cut(
    edges: Edges, cuts: Cuts, number: int, part: Ints, p: int, mark: Ints, stack: Ints
) -> int:
    """Kernel: cut off what is connected without part `p` to the cell on the stack.

    Returns where the rim ends, -1 if there is no room for it.
    """
    at, size = cuts.stops[number], 1
    mark[stack[0]] = p
    cuts.inside[number] = False
    while size:
        size -= 1
        cell = stack[size]
        cuts.inside[number, cell] = True
        for d in range(4):
            other = edges.near[cell, d]
            if other < 0:
                continue
            if part[other] == p:
                if at == cuts.rim.size:
                    return -1
                cuts.rim[at] = edges.variable[cell, d]
                at += 1
            elif mark[other] != p:
                mark[other] = p
                stack[size] = other
                size += 1
    return int(at)


@njit_making
def cut_loops(
    model: Ints, edges: Edges, is_open: Bools, start: int, path: Ints, cuts: Cuts
) -> int:
    """Kernel of `Formula.cut_loops`; returns the number of cuts written."""
    cells = is_open.size
    link = np.full((cells, 2), -1, np.int32)
    for i in range(model.size):
        if model[i] > 0:
            for side in range(2):
                a, b = edges.ends[model[i], side], edges.ends[model[i], 1 - side]
                link[a, 1 if link[a, 0] >= 0 else 0] = b
    part = np.full(cells, -1, np.int32)
    parts = _parts(link, is_open, start, part, path)
    cuts.stops[0] = 0
    if parts == 1:
        return 0
    number = 0
    mark = np.full(cells, -1, np.int32)
    stack = np.empty(cells, np.int32)
    for p in range(parts):
        for first in range(cells):
            if not is_open[first] or part[first] == p or mark[first] == p:
                continue
            if number == cuts.stops.size - 1:
                return number
            stack[0] = first
            end = _cut(edges, cuts, number, part, p, mark, stack)
            if end < 0:
                return number
            number += 1
            cuts.stops[number] = end
    return number


@njit_making
def _settle(used: Ints, edges: Edges, rest: Ints, state: npt.NDArray[np.int8]) -> bool:
    """Kernel: take and drop edges as degrees demand; False if a cell cannot get its.

    `rest` are the edges that each cell has still to choose, `state` of a variable is 1
    if it is used, -1 if it is dropped.
    """
    ends, near, variable = edges.ends, edges.near, edges.variable
    cells = rest.size
    left = np.zeros(cells, np.int32)  # edges to choose from
    for cell in range(cells):
        for d in range(4):
            left[cell] += variable[cell, d] > 0
    stack = np.empty(9 * cells + used.size, np.int32)
    size = 0
    for i in range(used.size):
        v = used[i]
        state[v] = 1
        for side in range(2):
            rest[ends[v, side]] -= 1
            left[ends[v, side]] -= 1
    for cell in range(cells):
        stack[size] = cell
        size += 1
    while size:
        size -= 1
        cell = stack[size]
        if rest[cell] < 0 or left[cell] < rest[cell]:
            return False
        if left[cell] == 0 or 0 < rest[cell] < left[cell]:
            continue
        sign = 1 if rest[cell] else -1
        for d in range(4):
            v = variable[cell, d]
            if v and state[v] == 0:
                state[v] = sign
                for side in range(2):
                    left[ends[v, side]] -= 1
                    rest[ends[v, side]] -= sign == 1
                stack[size] = near[cell, d]
                size += 1
    return True


@njit_making
def _count_rim(
    cells: Ints,
    colour: int,
    cols: int,
    edges: Edges,
    need: Ints,
    state: npt.NDArray[np.int8],
    area: Bools,
    rim: Ints,
) -> int:
    """Kernel: write the count clause of an area to `rim`; return its size.

    The area's cells of that colour need more than the others and the edges across its
    rim can give.
    """
    near, variable = edges.near, edges.variable
    slack = 0
    for cell in cells:
        area[cell] = True
        sign = 1 if (cell // cols + cell % cols) % 2 == colour else -1
        slack += sign * need[cell]
    at = 0
    for cell in cells:
        same = (cell // cols + cell % cols) % 2 == colour
        for d in range(4):
            v = variable[cell, d]
            if v == 0 or area[near[cell, d]]:
                continue
            if same:
                slack -= state[v] >= 0
                if state[v] < 0:
                    rim[at] = v
                    at += 1
            elif state[v] > 0:
                slack += 1
                rim[at] = -v
                at += 1
    return at - max(0, min(at, slack - 1))


@njit_making
def count_area(
    used: Ints, edges: Edges, need: Ints, cols: int, area: Bools, rim: Ints
) -> int:
    """Kernel of `Formula.count_area`: the size of the clause in `rim`, -1 if none."""
    ends, near, variable = edges.ends, edges.near, edges.variable
    cells = need.size
    state = np.zeros(ends.shape[0], np.int8)  # 1 used, -1 dropped
    lack = need.copy()  # edges still to choose
    if not _settle(used, edges, lack, state):
        return -1  # the degree clauses say so already
    # Maximum flow from black to white cells over the edges to choose from: `flow` is
    # True for chosen ones. Augment along breadth-first paths.
    flow = np.zeros(ends.shape[0], np.bool_)
    stack = np.empty(cells, np.int32)
    before = np.empty(cells, np.int32)
    stamp = np.zeros(cells, np.int32)
    now = 0
    for root in range(2 * cells):
        # Black roots first; then white ones, whose lack proves a count as well.
        colour = 0 if root < cells else 1
        source = root % cells
        if (source // cols + source % cols) % 2 != colour:
            continue
        while lack[source] > 0:
            now += 1
            stamp[source] = now
            stack[0] = source
            head, size, target = 0, 1, -1
            while head < size and target < 0:
                cell = stack[head]
                head += 1
                chosen = (cell // cols + cell % cols) % 2 != colour
                for d in range(4):
                    v = variable[cell, d]
                    if v and state[v] == 0 and flow[v] == chosen:
                        other = near[cell, d]
                        if stamp[other] != now:
                            stamp[other] = now
                            before[other] = v
                            stack[size] = other
                            size += 1
                            if not chosen and lack[other] > 0:
                                target = other
                                break
            if target < 0:
                break
            lack[source] -= 1
            lack[target] -= 1
            cell = target
            while cell != source:
                v = before[cell]
                flow[v] = not flow[v]
                cell = ends[v, 0] + ends[v, 1] - cell
        if lack[source] > 0:
            # All that was reached is the area.
            return _count_rim(stack[:size], colour, cols, edges, need, state, area, rim)
    return -1
