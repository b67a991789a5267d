"""What the formulas of both directed searches share: edges, and a cut of the walk."""

from itertools import combinations

from solver.board import Board, Cell


class EdgeFormula:
    """Clauses over the edges of a board and which of its cells are visited.

    Who builds on it gives each edge and each cell a variable by `new`, in any order.
    """

    edges: dict[tuple[Cell, Cell], int]
    visited: list[int]

    def __init__(self, board: Board, live: Cell) -> None:
        self.board, self.live = board, live
        self.around = [[int(x) for x in row if x >= 0] for row in board.neighbours]
        self.count = 0
        self.clauses: list[list[int]] = []

    def new(self) -> int:
        """Return a variable that no clause names yet."""
        self.count += 1
        return self.count

    def edge(self, a: Cell, b: Cell) -> int:
        """Return the variable of the edge between two touching cells."""
        return self.edges[min(a, b), max(a, b)]

    def cut_behind(self, first: Cell, then: Cell) -> list[int]:
        """Cut the walk behind `then`; `first` lies before the cut.

        Returns for each cell the variable "visited after the cut". That the start lies
        before it is left to the caller.
        """
        add = self.clauses.append
        late = [self.new() for _ in range(self.board.cells)]
        add([-late[first]])
        add([late[self.live]])
        for (a, b), used in self.edges.items():
            if then not in (a, b):
                given = [-used, -self.visited[a], -self.visited[b]]
                add([*given, -late[a], late[b]])
                add([*given, late[a], -late[b]])
        for a, b in combinations(self.around[then], 2):
            given = [-self.edge(then, a), -self.edge(then, b)]
            add([*given, late[a], late[b]])
            add([*given, -late[a], -late[b]])
        return late
