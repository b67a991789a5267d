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

from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import HEADINGS
from solver.puzzles.maze.solve import Solution


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The arcs of a maze, ascending, from ``tails[k]`` to ``heads[k]``; int64 arrays.

    >>> net = network(Maze.parse("SG"))
    >>> [(net.name(t), net.name(h)) for t, h in zip(net.tails[:2], net.heads)]
    [('(1, 1) E', '(1, 2) E'), ('top, column 1', '(1, 1) S')]
    """

    maze: Maze
    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Number of nodes, entries included."""
        return 4 * self.maze.cells + 2 * (self.maze.rows + self.maze.cols)

    def name(self, node: int) -> str:
        """Return what people call the node: ``(row, col) heading`` or the entry."""
        if node >= 4 * self.maze.cells:
            return str(self.maze.entries[node - 4 * self.maze.cells])
        row, col = self.maze.row_col(node // 4)
        return f"({row}, {col}) {HEADINGS[node % 4]}"


def network(maze: Maze) -> Network:
    """Return the network of a maze; time and memory linear in the cells."""

    def arcs() -> Iterator[tuple[int, int]]:
        for node in range(4 * maze.cells):
            for cell, ahead in sorted(maze.moves(node // 4, node % 4)):
                yield node, 4 * cell + ahead
        for node, entry in enumerate(maze.entries, start=4 * maze.cells):
            yield node, 4 * maze.entry_cell(entry) + entry.side.inward

    tails, heads = np.fromiter(arcs(), dtype=np.dtype((np.int64, 2))).T
    return Network(maze, tails, heads)


def ways(net: Network) -> Iterator[int]:
    """Yield, for k = 1, 2, ..., how many ways of exactly k moves lead in to the goal.

    It applies the adjacency matrix once for each k, in whole numbers of any size, and
    ends when no way that long is left; where ways run in circles it goes on for ever.

    >>> list(ways(network(Maze.parse("SG"))))
    [3, 1]
    """
    cells, goal = net.maze.cells, net.maze.goal
    count = np.zeros(net.nodes, dtype=object)
    count[4 * goal : 4 * goal + 4] = 1
    while True:
        after = np.zeros(net.nodes, dtype=object)
        np.add.at(after, net.tails, count[net.heads])
        if not np.any(after):
            return
        yield int(sum(after[4 * cells :]))
        count = after


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be reached in a network, in numbers of nodes."""

    nodes: int
    arcs: int
    ends: int  # nodes but the goal's that no arc leaves: the walker is lost next
    entered: int  # that some entry leads to
    hopeful: int  # with a way to the goal, the goal's own four among them
    both: int  # on a way from an entry to the goal
    farthest: int  # the most moves that any node needs at its best
    ways: tuple[int, ...]  # for k = 1, 2, ..., as far as they were asked for


def figures(solution: Solution, *, longest: int) -> Figures:
    """Count what arcs reach in a solved maze, and the ways of up to `longest` moves."""
    maze, net, steps = solution.maze, network(solution.maze), solution.all_steps
    lost = np.bincount(net.tails, minlength=net.nodes) == 0
    lost[4 * maze.goal : 4 * maze.goal + 4] = False
    first = np.searchsorted(net.tails, np.arange(net.nodes + 1)).tolist()
    seen, todo = set[int](), [*range(4 * maze.cells, net.nodes)]
    while todo:
        node = todo.pop()
        new = set(net.heads[first[node] : first[node + 1]].tolist()) - seen
        seen |= new
        todo += new
    on_a_way = [*seen, *range(4 * maze.cells, net.nodes)]
    return Figures(
        nodes=net.nodes,
        arcs=len(net.heads),
        ends=int(lost.sum()),
        entered=len(seen),
        hopeful=int((steps >= 0).sum()),
        both=int((steps[on_a_way] >= 0).sum()),
        farthest=int(steps.max()),
        ways=tuple(islice(ways(net), longest)),
    )
