"""Kernels of `solver.oracles.formula`: loops cut, areas counted.

`ends` are the two cells of each variable's edge, `near` and `variable` (cells, 4) the
neighbour and the edge in direction U, R, D, L.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import njit_making


@njit_making
def cut_loops(
    model: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    is_open: npt.NDArray[np.bool_],
    start: int,
    path: npt.NDArray[np.int32],
    rim: npt.NDArray[np.int32],
    stops: npt.NDArray[np.int32],
    inside: npt.NDArray[np.bool_],
) -> int:
    """Kernel of `Formula.cut_loops`; returns the number of cuts written."""
    cells = is_open.size
    link = np.full((cells, 2), -1, np.int32)
    for i in range(model.size):
        if model[i] > 0:
            for side in range(2):
                a, b = ends[model[i], side], ends[model[i], 1 - side]
                link[a, 1 if link[a, 0] >= 0 else 0] = b
    part = np.full(cells, -1, np.int32)
    parts = 0
    total = 0
    for k in range(-1, cells):
        first = start if k < 0 else k
        if not is_open[first] or part[first] >= 0:
            continue
        cell, size = first, 0
        while cell >= 0:
            part[cell] = parts
            if parts == 0:
                path[size] = cell
            size += 1
            total += 1
            a, b = link[cell, 0], link[cell, 1]
            if a >= 0 and part[a] < 0:
                cell = a
            elif b >= 0 and part[b] < 0:
                cell = b
            else:
                cell = -1
        parts += 1
    stops[0] = 0
    if parts == 1:
        return 0
    cuts = 0
    mark = np.full(cells, -1, np.int32)
    stack = np.empty(cells, np.int32)
    for p in range(parts):
        for first in range(cells):
            if not is_open[first] or part[first] == p or mark[first] == p:
                continue
            if cuts == stops.size - 1:
                return cuts
            size, at = 1, stops[cuts]
            mark[first] = p
            stack[0] = first
            inside[cuts] = False
            while size:
                size -= 1
                cell = stack[size]
                inside[cuts, cell] = True
                for d in range(4):
                    other = near[cell, d]
                    if other < 0:
                        continue
                    if part[other] == p:
                        if at == rim.size:
                            return cuts
                        rim[at] = variable[cell, d]
                        at += 1
                    elif mark[other] != p:
                        mark[other] = p
                        stack[size] = other
                        size += 1
            cuts += 1
            stops[cuts] = at
    return cuts


@njit_making
def _settle(
    used: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    rest: npt.NDArray[np.int32],
    state: npt.NDArray[np.int8],
) -> bool:
    """Kernel: take and drop edges as degrees demand; False if a cell cannot get its.

    `rest` are the edges that each cell has still to choose, `state` of a variable is 1
    if it is used, -1 if it is dropped.
    """
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
    cells: npt.NDArray[np.int32],
    colour: int,
    cols: int,
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    need: npt.NDArray[np.int32],
    state: npt.NDArray[np.int8],
    area: npt.NDArray[np.bool_],
    rim: npt.NDArray[np.int32],
) -> int:
    """Kernel: write the count clause of an area to `rim`; return its size.

    The area's cells of that colour need more than the others and the edges across its
    rim can give.
    """
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
    used: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    need: npt.NDArray[np.int32],
    cols: int,
    area: npt.NDArray[np.bool_],
    rim: npt.NDArray[np.int32],
) -> int:
    """Kernel of `Formula.count_area`: the size of the clause in `rim`, -1 if none."""
    cells = need.size
    state = np.zeros(ends.shape[0], np.int8)  # 1 used, -1 dropped
    lack = need.copy()  # edges still to choose
    if not _settle(used, ends, near, variable, lack, state):
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
            return _count_rim(
                stack[:size], colour, cols, near, variable, need, state, area, rim
            )
    return -1
