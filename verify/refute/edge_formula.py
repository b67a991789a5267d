"""What the formulas of both directed searches share: edges, a cut of the walk, ties.

A formula says only what follows for the completion: it takes the edges that a drawing
asks to be forced. Whether they are forced is seen at a whole position, so a search asks
here before it believes.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import combinations

from heuristic.matching.forced import forced_lines
from heuristic.matching.pattern import board_numbers, new_order
from heuristic.rules.drawing import AreaSpec, Drawing, Offset
from solver.board import Board, Cell, Position


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

    def balance(
        self,
        area: AreaSpec,
        line: Sequence[Cell],
        member: Sequence[int],
        target: Cell,
    ) -> None:
        """Let the condition of a closed area hold, by what its doors come to.

        Doors used at black cells less those at white ones are twice the imbalance:
        far fewer terms than the cells themselves. `line` are the marked cells,
        `member` has a variable for each cell, `target` is where the move goes to.
        """
        add, black = self.clauses.append, self.board.black
        terms = []
        for cell in line:
            for other in self.around[cell]:
                if other not in line and other != self.live:
                    door, used = self.new(), self.edge(cell, other)
                    add([-door, used])  # used, and leading out
                    add([-door, -member[other]])
                    add([door, -used, member[other]])
                    terms.append((door, cell))
        terms.append((member[target], target))
        sums: dict[int, list[int]] = {0: []}  # literals that are false if it is reached
        for literal, cell in terms:
            sign = 1 if black(cell) == black(self.live) else -1
            after = {s + d: self.new() for s in sums for d in (0, sign)}
            for total, given in sums.items():
                add([*given, literal, after[total]])
                add([*given, -literal, after[total + sign]])
            sums = {total: [-reached] for total, reached in after.items()}
        for total, given in sums.items():
            if total % 2 or not area.allows(-total // 2):
                add(given)

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


class Ties(Enum):
    """How what is forced at a position stands to what a drawing asks."""

    HOLD = "all is as it asks"
    LITTLE = "an edge is not forced; taking more cells may force it"
    OTHER = "the edges are forced, but ends of lines lie elsewhere"


def ties_at(
    drawing: Drawing, cell: Callable[[Offset], Cell | None], position: Position
) -> Ties:
    """Look at what a placed drawing asks to be forced; `cell` lands its offsets.

    An edge that is forced stays so where more cells are taken, as long as a completion
    has cells left beside the lines of both ends.
    """
    if not (drawing.joined or drawing.mates):
        return Ties.HOLD
    board = position.board
    ways, mates = forced_lines(
        new_order(board, position.walk), board_numbers(board), position.live_end
    )
    for one, other in ((cell(a), cell(b)) for a, b in drawing.joined):
        if one is None or other is None:
            return Ties.LITTLE
        around = board.neighbours[one].tolist()
        if not ways[one] >> around.index(other) & 1:
            return Ties.LITTLE
    for one, other in ((cell(a), cell(b)) for a, b in drawing.mates):
        if one is None or other is None or mates[one] != other:
            return Ties.OTHER
    return Ties.HOLD
