"""The tree of the needs of all placements, those near the live end first.

A *path* is what one placement needs, near needs before far ones. Paths are sorted, a
path before those that go on from it; so each node of the tree is a run of them.
"""

import numpy as np
import numpy.typing as npt

from heuristic.language.drawing import ANY
from heuristic.matching.tables import (
    BEGIN,
    BELOW,
    COL,
    END,
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT,
    NODE,
    ROW,
    STATES,
    Ints,
    Tables,
)

_Keys = npt.NDArray[np.int64]
_BITS = 16  # of one number in a key
_MASK, _MIDDLE = (1 << _BITS) - 1, 1 << _BITS - 1
_LAST = np.iinfo(np.int64).max


def planted(tables: Tables) -> Tables:
    """Return the tables with the tree of their needs; no rule of them may stop others.

    Families of many distances share what is near the live end, so a step looks at a
    small part of their needs. A quarter of a second for 50,000 placements.
    """
    keys = _keys(tables.needs)
    heads, nodes, leaves = [0], list[Ints](), list[Ints]()
    for heading in range(4):
        first, last = tables.heads[heading], tables.heads[heading + 1]
        rows = tables.placements[first:last]
        paths = _paths(keys, rows)
        order = np.lexsort(paths.T[::-1])
        tree = _nodes(paths[order], rows[order, MOVES])
        tree[:, [BEGIN, END]] += first
        tree[:, NEXT] += heads[-1]
        nodes.append(tree)
        leaves.append((first + order).astype(np.int32))
        heads.append(heads[-1] + len(tree))
    return tables._replace(
        node_heads=np.array(heads, dtype=np.int32),
        nodes=np.concatenate(nodes),
        leaves=np.concatenate(leaves),
    )


def _keys(needs: Ints) -> _Keys:
    """Return needs as numbers in the order of the tree, near ones first."""
    row, col, states = needs.astype(np.int64).T
    key: _Keys = abs(row) + abs(col)
    for number in (row + _MIDDLE, col + _MIDDLE, states):
        key = key << _BITS | number
    return key


def _paths(keys: _Keys, rows: Ints) -> _Keys:
    """Return the paths of placements as rows, in order, each filled up with -1."""
    length = rows[:, NEEDS_END] - rows[:, NEEDS]
    step = np.arange(1 + length.max(initial=0))  # one more: there is always a column
    is_need = step < length[:, None]
    paths = np.full(is_need.shape, _LAST)
    paths[is_need] = keys[(rows[:, NEEDS, None] + step)[is_need]]
    paths.sort(axis=1)
    paths[~is_need] = -1
    return paths


def _nodes(paths: _Keys, moves: Ints) -> Ints:
    """Return the nodes of sorted paths; leaves and next nodes are counted from 0."""
    count = len(paths)
    length = (paths >= 0).sum(axis=1)
    # Needs that a path shares with the one before. The first one adds the root too.
    shared = np.full(count + 1, -1)
    same = (paths[1:] == paths[:-1]) & (paths[1:] >= 0)
    shared[1:count] = np.logical_and.accumulate(same, axis=1).sum(axis=1)
    before = np.concatenate(([0], np.cumsum(length - shared[:count])))
    bits = np.zeros((count + 1, 4), dtype=np.int64)
    np.cumsum(moves[:, None] >> np.arange(4) & 1, axis=0, out=bits[1:])
    nodes = np.zeros((before[-1], NODE), dtype=np.int32)
    for depth in range(1 + length.max(initial=0)):
        runs = np.flatnonzero(shared < depth)
        begin, end = runs[:-1], runs[1:]
        begin, end = begin[length[begin] >= depth], end[length[begin] >= depth]
        here = np.concatenate(([0], np.cumsum(length == depth)))
        at = before[begin] + depth - shared[begin] - 1
        nodes[at, BEGIN] = begin
        nodes[at, END] = begin + here[end] - here[begin]
        nodes[at, NEXT] = before[end]
        nodes[at, BELOW] = (bits[end] > bits[begin]) @ (1 << np.arange(4))
        nodes[at, STATES] = int(ANY)
        if depth:
            need = paths[begin, depth - 1]
            nodes[at, ROW] = (need >> 2 * _BITS & _MASK) - _MIDDLE
            nodes[at, COL] = (need >> _BITS & _MASK) - _MIDDLE
            nodes[at, STATES] = need & _MASK
    return nodes
