"""Boards and tours that the tests of knights share, and a slow double of the search."""

from collections.abc import Iterator

Tour = tuple[int, ...]

# The published example of the plan that `oneway knight enumerate` follows.
EXAMPLE = """
43,46,01,24,41,20,63,22 / 02,25,42,45,64,23,40,19 / 47,44,27,04,17,38,21,62
26,03,48,37,28,61,18,39 / 07,50,29,60,05,16,35,58 / 30,53,06,49,36,59,12,15
51,08,55,32,13,10,57,34 / 54,31,52,09,56,33,14,11
"""


def example_rows() -> list[list[int]]:
    rows = EXAMPLE.replace("\n", "/").split("/")
    return [[int(item) for item in row.split(",")] for row in rows if row.strip()]


def example_tour() -> Tour:
    flat = [item for row in example_rows() for item in row]
    return tuple(flat.index(number) for number in range(1, 65))


def near(cell: int, rows: int = 8, cols: int = 8) -> list[int]:
    r, c = divmod(cell, cols)
    return [
        y * cols + x
        for y in range(rows)
        for x in range(cols)
        if abs(y - r) * abs(x - c) == 2
    ]


def walks_on(prefix: Tour, rows: int = 8, cols: int = 8) -> Iterator[Tour]:
    """Yield every tour that begins so, in the order of the cells; nothing pruned."""
    if len(prefix) == rows * cols:
        yield prefix
        return
    for cell in near(prefix[-1], rows, cols):
        if cell not in prefix:
            yield from walks_on((*prefix, cell), rows, cols)


def sums(tour: Tour, side: int = 8) -> list[int]:
    lines = [0] * (2 * side)
    for number, cell in enumerate(tour, start=1):
        lines[cell // side] += number
        lines[side + cell % side] += number
    return lines


def images(tour: Tour, side: int = 8) -> list[Tour]:
    """The 8 images of a tour, by turning and mirroring coordinates."""
    cells = [divmod(cell, side) for cell in tour]
    out = []
    for _ in range(4):
        cells = [(c, side - 1 - r) for r, c in cells]
        out.append(tuple(r * side + c for r, c in cells))
        out.append(tuple(r * side + side - 1 - c for r, c in cells))
    return out
