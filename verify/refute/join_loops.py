"""Join the pieces of a solver's model, closed loops beside a path, to one path.

Where two pieces pass a unit square on opposite sides, leading them over the other two
sides makes one piece of them, and every cell keeps two edges. A solver that only knows
degrees leaves dozens of loops on a large board; nearly all of them go this way, and
cutting off the few that are left takes far fewer models.
"""

from collections.abc import Callable, Collection, Iterable

from solver.board import Board, Cell

Edge = tuple[Cell, Cell]


def joined(
    board: Board,
    edges: Iterable[Edge],
    locked: Collection[Edge],
    alike: Callable[[Cell], bool],
) -> set[Edge]:
    """Return edges with the same degrees, in fewer pieces if possible.

    Parameters
    ----------
    board : Board
    edges : iterable of (int, int)
        The smaller cell first.
    locked : collection of (int, int)
        Edges that stay.
    alike : callable
        No edge is led between cells for which it differs.

    Notes
    -----
    Linear in the board for each of a few rounds, but that every join renames a piece.

    Examples
    --------
    Two loops around unit squares become one:

    >>> loops = [(0, 1), (0, 4), (1, 5), (4, 5), (2, 3), (2, 6), (3, 7), (6, 7)]
    >>> sorted(joined(Board.parse("2x4"), loops, [], lambda cell: True))
    [(0, 1), (0, 4), (1, 2), (2, 3), (3, 7), (4, 5), (5, 6), (6, 7)]
    """
    used = set(edges)
    piece = _pieces(board, used)
    members: dict[int, list[Cell]] = {}
    for cell, name in enumerate(piece):
        members.setdefault(name, []).append(cell)
    squares = [
        (cell, cell + 1, cell + board.cols, cell + board.cols + 1)
        for cell in range(board.cells - board.cols)
        if (cell + 1) % board.cols
    ]
    squares = [square for square in squares if len({*map(alike, square)}) == 1]
    count = len(members) + 1
    while 1 < len(members) < count:
        count = len(members)
        for a, b, c, d in squares:
            for one, two, left, right in (
                ((a, b), (c, d), (a, c), (b, d)),
                ((a, c), (b, d), (a, b), (c, d)),
            ):
                if piece[one[0]] == piece[two[0]] or not {one, two} <= used:
                    continue
                if one in locked or two in locked:
                    continue
                used -= {one, two}
                used |= {left, right}
                less, more = sorted(
                    (piece[one[0]], piece[two[0]]), key=lambda n: len(members[n])
                )
                for cell in members[less]:
                    piece[cell] = more
                members[more] += members.pop(less)
    return used


def _pieces(board: Board, used: set[Edge]) -> list[int]:
    """Return the piece that each cell lies on."""
    near: list[list[Cell]] = [[] for _ in range(board.cells)]
    for a, b in used:
        near[a].append(b)
        near[b].append(a)
    piece = [-1] * board.cells
    for begin in range(board.cells):
        todo = [begin]
        while todo:
            cell = todo.pop()
            if piece[cell] < 0:
                piece[cell] = begin
                todo += near[cell]
    return piece
