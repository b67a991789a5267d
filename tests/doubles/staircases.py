"""Staircases: pairs of positions that look alike, one dead and one completable.

Cells are (column, row) from 0 here. `completion` is a complete walk, piece by piece,
that continues ``D^m (RRRUUU)^(2k + 1)`` on a board of any size. What it is for stands
in docs/explanation/drawings.md.
"""

from collections.abc import Iterable
from itertools import pairwise

from solver.board import LETTERS, STEPS, Position

At = tuple[int, int]
Path = list[At]


def dead(k: int, side: int) -> Position:
    """Return A_k, k even: ``D^(5k-4) (RRRUUU)^k``."""
    return Position.parse(f"{side}:D^{5 * k - 4}(RRRUUU)^{k}")


def alive(k: int, side: int) -> Position:
    """Return B_k, k even: ``D^(5k+8) (RRRUUU)^(k-2)``."""
    return Position.parse(f"{side}:D^{5 * k + 8}(RRRUUU)^{k - 2}")


def path_to(path: Path, corners: Iterable[At]) -> None:
    """Go straight from corner to corner."""
    for col, row in corners:
        while path[-1] != (col, row):
            c, r = path[-1]
            path.append((c + (col > c) - (col < c), r + (row > r) - (row < r)))


def upper_leg(h: int) -> Path:
    """Return an upper leg from (6, 1) to (6, 3), in coordinates of its own."""
    path = [(6, 1)]
    path_to(path, [(1, 1), (1, h + 3), (3, h + 3), (3, h + 2), (2, h + 2)])
    path_to(path, [(2, h + 1), (3, h + 1), (3, h), (2, h)])
    wiggle(path, (3, 2), range(h - 1, 1, -1))
    path_to(path, [(4, 2), (4, h), (5, h)])
    wiggle(path, (6, 5), range(h, 3, -1))
    path_to(path, [(5, 4), (5, 2), (6, 2), (6, 3)])
    return path


def wiggle(path: Path, cols: tuple[int, int], rows: Iterable[int]) -> None:
    """Take two columns row by row, beginning where the path is."""
    for row in rows:
        c, _ = path[-1]
        path_to(path, [(c, row), (cols[0] + cols[1] - c, row)])


def lower_leg(h: int) -> Path:
    """Return a lower leg from (6, 1) to (6, 3), in coordinates of its own."""
    path = [(6, 1)]
    path_to(path, [(1, 1)])
    for row in range(2, h + 1):
        path_to(path, [(path[-1][0], row), (4 if row % 2 == 0 else 1, row)])
    path_to(path, [(4, h + 3), (5, h + 3)])
    wiggle(path, (6, 5), range(h + 3, 3, -1))
    path_to(path, [(5, 4), (5, 2), (6, 2), (6, 3)])
    return path


def fill(path: Path, blocks: list[set[At]], last: At) -> None:
    """Go through each block in its turn, and stop beside `last`.

    A block is a rung of two cells, or a corner of four; there is one way at most.
    """
    for block, following in zip(blocks, [*blocks[1:], {last}], strict=True):
        goals = {cell for last_of in following for cell in beside(last_of)}
        ways = [[cell] for cell in beside(path[-1]) if cell in block]
        for _ in range(len(block) - 1):
            ways = [
                [*way, cell]
                for way in ways
                for cell in beside(way[-1])
                if cell in block and cell not in way
            ]
        (way,) = [way for way in ways if way[-1] in goals]
        path += way


def beside(cell: At) -> list[At]:
    """Return the four cells that touch a cell."""
    return [(cell[0] + dc, cell[1] + dr) for dr, dc in STEPS]


def completion(bends: int, top: int, spare: int) -> Position:
    """Return a complete walk that begins ``D^M (RRRUUU)^(2 K + 1)``.

    K is `bends` >= 1, T is `top`, odd and >= 3, q is `spare` >= 1; M = 10 K + 3 + T on
    a board of side M + 3 + 2 q. What the pieces are stands in the page.
    """
    k, t = bends, top
    m = 10 * k + 3 + t
    n, x, y = m + 3 + 2 * spare, 6 * k + 3, m - 6 * k - 3
    path: Path = [(x, y), (x, y - 1), (x, y - 2)]
    for i in range(k, 0, -1):
        high, low = t + 4 * (i - 1), m + 1 - 4 * (i - 1)
        leg = upper_leg(m - 6 * i - high)
        path += [(6 * i - 4 + c, high - 1 + r) for c, r in reversed(leg)]
        s = x + 1 + 4 * (k - i)
        down = [{(c, high + j) for j in (0, 1)} for c in range(6 * i + 3, s)]
        down.append({(s + i, high + j) for i in (0, 1) for j in (0, 1)})
        down += [{(s, r), (s + 1, r)} for r in range(high + 2, low - 3)]
        down.append({(s + i, low - 3 + j) for i in (0, 1) for j in (0, 1)})
        left = range(s - 1, 6 * i + 3, -1)
        down += [{(c, low - 3), (c, low - 2)} for c in left]
        fill(path, down, (6 * i + 3, low - 2))
        leg = lower_leg(2 * i + 2)
        path += [(6 * i - 3 + c, low + 1 - r) for c, r in reversed(leg)]
        s += 2
        up = [{(c, low - j) for j in (0, 1)} for c in range(6 * i + 4, s)]
        up.append({(s + i, low - j) for i in (0, 1) for j in (0, 1)})
        up += [{(s, r), (s + 1, r)} for r in range(low - 2, high - 1, -1)]
        if i > 1:
            up.append({(s + i, high - 2 + j) for i in (0, 1) for j in (0, 1)})
            left = range(s - 1, 6 * i - 4, -1)
            up += [{(c, high - 2), (c, high - 1)} for c in left]
        fill(path, up, (6 * i - 4, high - 2) if i > 1 else (10 * k + 3, t - 1))
    frame(path, 10 * k + 3, t, m, n)
    return Position.parse(f"{n}:D^{m}(RRRUUU)^{2 * k + 1}{moves_of(path)}")


def frame(path: Path, edge: int, top: int, m: int, n: int) -> None:
    """Go round what is done, and take the rest of the board."""
    path.append((edge, top - 1))
    path_to(path, [(2, top - 1), (2, m - 1), (1, m - 1), (1, top - 1)])
    columns(path, range(1, edge + 1), top - 2, 0)
    for row in range(m + 2):
        ends = (edge + 1, n - 1) if row % 2 == 0 else (n - 1, edge + 1)
        path_to(path, [(ends[0], row), (ends[1], row)])
    path_to(path, [(edge + 1, m + 2), (3, m + 2), (3, m + 1), (2, m + 1)])
    path_to(path, [(2, m + 2), (1, m + 2), (1, m + 1), (0, m + 1), (0, m + 2)])
    columns(path, range(edge + 2), m + 3, n - 1)
    columns(path, range(edge + 2, n), n - 1, m + 2)


def columns(path: Path, cols: Iterable[int], first: int, last: int) -> None:
    """Take columns one after another, the first one from row `first` to row `last`."""
    for col in cols:
        path_to(path, [(col, first), (col, last)])
        first, last = last, first


def moves_of(path: Path) -> str:
    """Return the letters of the steps; fails if two cells do not touch."""
    steps = {(dc, dr): LETTERS[d] for d, (dr, dc) in enumerate(STEPS)}
    pairs = pairwise(path)
    return "".join(steps[b[0] - a[0], b[1] - a[1]] for a, b in pairs)
