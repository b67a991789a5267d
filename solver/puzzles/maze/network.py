"""The maze as a directed network: four nodes a cell and one node an entry.

Node ``4 * cell + heading`` is "cell entered with this heading"; the entries follow in
the order of `Maze.entries`, 4n of them on an n x n board, so ``4n(n + 1)`` nodes in
all. An arc is one move. The idea is Dan Larremore's (github.com/dblarremore/538): in
the k-th power of the adjacency matrix, row u and column v count the ways of exactly k
moves from u to v, so the first power that joins an entry to the goal names the fewest
moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from solver.board import STEPS
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import ANY
from solver.puzzles.maze.solve import Solution


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The arcs, sorted by their tail: the adjacency matrix in compressed rows.

    Attributes
    ----------
    maze : Maze
    first : (nodes + 1,) int32
        The arcs of node v are ``heads[first[v]:first[v + 1]]``.
    heads : (arcs,) int32
        The node each arc leads to.
    """

    maze: Maze
    first: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]

    @property
    def nodes(self) -> int:
        """Number of nodes, entries included."""
        return len(self.first) - 1

    @property
    def arcs(self) -> int:
        """Number of arcs."""
        return len(self.heads)

    @property
    def tails(self) -> npt.NDArray[np.int32]:
        """The node each arc comes from, shape (arcs,); a new array."""
        nodes = np.arange(self.nodes, dtype=np.int32)
        return np.repeat(nodes, np.diff(self.first))

    def name(self, node: int) -> str:
        """Return what people call the node: ``(row, col) heading`` or the entry."""
        if node >= 4 * self.maze.cells:
            return str(self.maze.entries[node - 4 * self.maze.cells])
        row, col = self.maze.row_col(node // 4)
        return f"({row}, {col}) {'NESW'[node % 4]}"


def network(maze: Maze) -> Network:
    """Return the network of a maze; time and memory linear in the cells.

    Examples
    --------
    >>> net = network(Maze.parse("SG"))
    >>> [(net.name(t), net.name(h)) for t, h in zip(net.tails[:2], net.heads)]
    [('(1, 1) E', '(1, 2) E'), ('top, column 1', '(1, 1) S')]
    """
    cells = maze.cells
    codes = maze.codes.astype(np.int32)
    row, col = np.divmod(np.arange(cells, dtype=np.int32), maze.cols)
    tails, heads = [], []
    for heading in range(4):
        for turn in range(4):
            ahead = (heading + turn) % 4
            r, c = row + STEPS[ahead][0], col + STEPS[ahead][1]
            moves = (codes == turn) | (codes == ANY)
            moves &= (r >= 0) & (r < maze.rows) & (c >= 0) & (c < maze.cols)
            here = np.flatnonzero(moves)
            tails.append(4 * here + heading)
            heads.append(4 * (r * maze.cols + c)[here] + ahead)
    entries = maze.entries
    tails.append(4 * cells + np.arange(len(entries)))
    inside = [4 * maze.entry_cell(e) + e.side.inward for e in entries]
    heads.append(np.array(inside, dtype=np.int64))
    tail, head = np.concatenate(tails), np.concatenate(heads)
    order = np.lexsort((head, tail))
    counts = np.bincount(tail, minlength=4 * cells + len(entries))
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    return Network(maze, first, head[order].astype(np.int32))


def ways(net: Network) -> Iterator[int]:
    """Yield, for k = 1, 2, ..., how many ways of exactly k moves lead in to the goal.

    It applies the adjacency matrix once for each k, in whole numbers of any size, and
    ends when no way that long is left; where ways run in circles it goes on for ever.

    Examples
    --------
    >>> list(ways(network(Maze.parse("SG"))))
    [3, 1]
    """
    cells, goal = net.maze.cells, net.maze.goal
    tails, heads = net.tails, net.heads
    count = np.zeros(net.nodes, dtype=object)
    count[4 * goal : 4 * goal + 4] = 1
    while True:
        after = np.zeros(net.nodes, dtype=object)
        np.add.at(after, tails, count[heads])
        if not np.any(after):
            return
        yield int(sum(after[4 * cells :]))
        count = after


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be reached in a network, in numbers of nodes.

    Attributes
    ----------
    nodes, arcs : int
    ends : int
        Nodes other than the goal's that no arc leaves: the walker is lost next.
    entered : int
        Nodes that some entry leads to.
    hopeful : int
        Nodes with a way to the goal, the goal's own four among them.
    both : int
        Nodes that lie on a way from an entry to the goal.
    farthest : int
        The most moves that any node needs at its best.
    ways : tuple of int
        The numbers of `ways` for k = 1, 2, ..., as far as they were asked for.
    """

    nodes: int
    arcs: int
    ends: int
    entered: int
    hopeful: int
    both: int
    farthest: int
    ways: tuple[int, ...]


def figures(solution: Solution, *, longest: int) -> Figures:
    """Count what arcs reach in a solved maze, and the ways of up to `longest` moves."""
    maze, net = solution.maze, network(solution.maze)
    lost = np.diff(net.first) == 0
    lost[4 * maze.goal : 4 * maze.goal + 4] = False
    entered = np.zeros(net.nodes, dtype=np.bool_)
    layer: npt.NDArray[np.int32]
    layer = np.arange(4 * maze.cells, net.nodes, dtype=np.int32)
    while len(layer):
        spans = [net.heads[net.first[v] : net.first[v + 1]] for v in layer]
        after = np.unique(np.concatenate(spans))
        layer = after[~entered[after]]
        entered[layer] = True
    steps = solution.all_steps
    from_entry = entered.copy()
    from_entry[4 * maze.cells :] = True
    return Figures(
        nodes=net.nodes,
        arcs=net.arcs,
        ends=int(lost.sum()),
        entered=int(entered.sum()),
        hopeful=int((steps >= 0).sum()),
        both=int((from_entry & (steps >= 0)).sum()),
        farthest=int(steps.max()),
        ways=tuple(islice(ways(net), longest)),
    )
