"""How many walks of a board use each edge, exactly: slow, and with nothing shared."""

from solver.board import Board, Position
from tests.doubles.frontier import Grid

Edge = tuple[int, int]  # two cells of a board, the lower number first


def edge_shares(board: Board) -> dict[Edge, float]:
    """Return which share of a square board's walks uses each edge.

    Every state of the frontier is reached in so many ways and has so many ways on; an
    edge gets their product. Seconds on 11 x 11, some 1.5 GB on 13 x 13.
    """
    assert board.rows == board.cols
    grid, cols = Grid(Position(board)), board.cols
    reached: list[dict[int, int]] = [{0: 1}]
    for at in range(board.cells):
        after: dict[int, int] = {}
        for state, ways in reached[-1].items():
            for new in grid.steps(at, state):
                after[new] = after.get(new, 0) + ways
        reached.append(after)
    total = reached.pop()[0]
    used: dict[Edge, int] = {}
    onward = {0: 1}
    for at in range(board.cells - 1, -1, -1):
        layer: dict[int, int] = {}
        low = 2 * (at % cols) + (2 if (at + 1) % cols == 0 else 0)
        for state, ways in reached.pop().items():
            sums = 0
            for new in grid.steps(at, state):
                ends = onward.get(new, 0)
                sums += ends
                if new >> low & 3:
                    used[at, at + cols] = used.get((at, at + cols), 0) + ways * ends
                if (at + 1) % cols and new >> low + 2 & 3:
                    used[at, at + 1] = used.get((at, at + 1), 0) + ways * ends
            if sums:
                layer[state] = sums
        onward = layer
    assert onward == {0: total}
    return {edge: count / total for edge, count in used.items()}
