"""Exact counts by frontiers, the double of the kernels in `solver.counting`.

Edges are used or not, one after the other. A state has a *mate* for each vertex of the
frontier, which has edges on both sides: itself without a used edge, the other end of
its path, None inside a path. The method is Knuth's Simpath (The Art of Computer
Programming 4A, 7.1.4). It shares no search, propagation or formula with the oracles.
"""

from collections import Counter
from collections.abc import Container

from solver.board import Board, Position

State = tuple[tuple[int, int | None], ...]


def _count_cycles(board: Board, cells: set[int], ends: Container[int]) -> int:
    """Count the Hamiltonian cycles of cells and a vertex -1 that touches the ends."""
    wide = board.cols > board.rows
    order = sorted(
        cells, key=lambda cell: divmod(cell, board.cols)[:: -1 if wide else 1]
    )
    edges = []
    for at, cell in enumerate(order):
        before = {*board.neighbours[cell].tolist()} & {*order[:at]}
        edges += [(other, cell) for other in ({-1} if cell in ends else set()) | before]
    last = {vertex: at for at, edge in enumerate(edges) for vertex in edge}
    if last.keys() != cells | {-1}:
        return 0
    total, begun, layer = 0, set[int](), Counter[State]({(): 1})
    for at, (a, b) in enumerate(edges):
        new = {vertex: vertex for vertex in (a, b) if vertex not in begun}
        done = [vertex for vertex in (a, b) if last[vertex] == at]
        begun |= {a, b}
        after = Counter[State]()
        for state, number in layer.items():
            mates = dict(state) | new
            x, y = mates[a], mates[b]
            options = [mates]
            if x == b:  # a loop, good only as the whole cycle
                rest = {mate for vertex, mate in mates.items() if vertex not in (a, b)}
                total += number * (begun == last.keys() and rest <= {None})
            elif x is not None and y is not None:
                options.append({**mates, a: None, b: None, x: y, y: x})
            for option in options:
                if all(option.pop(vertex) is None for vertex in done):
                    after[tuple(option.items())] += number
        layer = after
    return total


def count_completions(position: Position) -> int:
    """Count the completions of a position: a tenth of a second on 7 x 7."""
    board, live = position.board, position.live_end
    if position.complete or board.end in position.walk:
        return int(position.complete)
    cells = {live, *position.free.nonzero()[0].tolist()}
    return _count_cycles(board, cells, {live, board.end})


def count_paths(board: Board) -> int:
    """Count the undirected Hamiltonian paths between any two cells."""
    cells = {*range(board.cells)}.difference(board.walls)
    return _count_cycles(board, cells, cells) if len(cells) > 1 else 1
