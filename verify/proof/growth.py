"""Which cells of a window to look at first: what is drawn, then more around it.

A formula for a few cells is quickly settled, and when it has no model, neither has any
with more of them. So a window grows from what is drawn, and what did can be made
smaller, cell by cell. What did for one drawing mostly does for the next of the same
rule: it is described by a *shape*, for a rectangle the rows and columns around the
marked cells, else the cells beside the marked ones, each by where it lies from the live
end or from the end of a marked line.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from verify.proof.view import ANY, LIVE, Spot, Window, neighbours, reached

Margins: TypeAlias = tuple[int, int, int, int]  # top, left, bottom, right
Offsets: TypeAlias = frozenset[tuple[int, Spot]]  # number of the anchor, offset from it
Shape: TypeAlias = Margins | Offsets


def marked(window: Window) -> set[Spot]:
    """Return the cells that every planar formula speaks of: live end, marked cells."""
    return {LIVE}.union(*(area.line for area in window.areas))


def _anchors(window: Window) -> list[Spot]:
    return [LIVE, *(area.line[-1] for area in window.areas)]


def shape_of(window: Window, cells: Sequence[Spot]) -> Shape:
    """Return which cells are looked at, so that a like window can do the same."""
    anchors, known = _anchors(window), marked(window)
    box = box_of(window.part(cells))
    if len(cells) == (box[2] - box[0] + 1) * (box[3] - box[1] + 1):
        least = box_of(window.part(known))
        top, left = least[0] - box[0], least[1] - box[1]
        return top, left, box[2] - least[2], box[3] - least[3]
    found = set()
    for cell in cells:
        if cell not in known:
            far = [max(abs(cell[0] - a[0]), abs(cell[1] - a[1])) for a in anchors]
            i = far.index(min(far))
            found.add((i, (cell[0] - anchors[i][0], cell[1] - anchors[i][1])))
    return frozenset(found)


def growing(window: Window, first: Iterable[Shape] = ()) -> Iterator[Window]:
    """Yield parts of a window: the shapes given, then from small ones on to the whole.

    What is drawn and what touches it, and rectangles from the least one on: a side
    grows when the row or column beyond it holds most that is drawn, all sides when
    nothing drawn is left outside.
    """
    seen = set()
    for cells in _placed(window, first):
        if cells not in seen:
            seen.add(cells)
            yield window.part(cells)
    parts = [window.part(x) for x in {*_around(window)} - seen]
    parts += [part for part in _rectangles(window) if part != window]
    yield from sorted(parts, key=lambda part: len(part.cells()) + len(part.ports()))
    yield window


def widening(window: Window) -> Iterator[Window]:
    """Yield what touches the marked cells, then the whole: where no rim is needed."""
    if window.away:
        yield window
        return
    near = {x for cell in marked(window) for x in neighbours(cell)}
    part = window.part(cell for cell in marked(window) | near if window.holds(cell))
    if len(part.cells()) < len(window.cells()):
        yield part
    yield window


def _rectangles(window: Window) -> Iterator[Window]:
    part = window.cropped(*box_of(window.part(marked(window))))
    yield part
    while box_of(part) != box_of(window):
        part = _grown(window, part)
        yield part


def _placed(window: Window, shapes: Iterable[Shape]) -> Iterator[frozenset[Spot]]:
    anchors, known = _anchors(window), marked(window)
    for shape in shapes:
        if isinstance(shape, tuple):
            top, left, bottom, right = box_of(window.part(known))
            box = top - shape[0], left - shape[1], bottom + shape[2], right + shape[3]
            yield frozenset(window.cropped(*box).cells())
        elif all(i < len(anchors) for i, _ in shape):
            cells = {(anchors[i][0] + r, anchors[i][1] + c) for i, (r, c) in shape}
            yield joined(window, known | cells)


def _around(window: Window) -> Iterator[frozenset[Spot]]:
    """Yield what is drawn, with cells between, with cells that touch it."""
    known = marked(window)
    drawn = {cell for cell in window.cells() if window.state(cell) != ANY}
    yield joined(window, known | drawn)
    across, along = _between(drawn, 0), _between(drawn, 1)
    yield joined(window, known | drawn | (across & along))
    yield joined(window, known | drawn | across | along)
    beside = {LIVE} | (drawn - known)
    near = {x for cell in beside for x in neighbours(cell)}
    yield joined(window, known | drawn | near)
    near |= {(row, col + d) for row, col in near for d in (-1, 1)}
    yield joined(window, known | drawn | near)


def _between(cells: set[Spot], axis: int) -> set[Spot]:
    """Return what lies between two of the cells in a row (axis 0) or column (1)."""
    lines: dict[int, list[Spot]] = {}
    for cell in cells:
        lines.setdefault(cell[axis], []).append(cell)
    found = set()
    for line in lines.values():
        (row, col), (last, end) = min(line), max(line)
        found |= {(r, c) for r in range(row, last + 1) for c in range(col, end + 1)}
    return found


def joined(window: Window, cells: set[Spot]) -> frozenset[Spot]:
    """Return the cells of the window in one piece: with ways between them, no holes.

    The live end must be one of them.
    """
    found = {cell for cell in cells if window.holds(cell)}
    while True:
        piece = reached([LIVE], lambda cell: found.intersection(neighbours(cell)))
        if piece == found:
            return frozenset(_filled(found))
        found.update(_way(window, piece, found))


def _way(window: Window, piece: set[Spot], cells: set[Spot]) -> list[Spot]:
    """Return a shortest way from a piece to the nearest other cell."""
    before: dict[Spot, Spot] = {}
    todo = deque(sorted(piece))
    while True:
        cell = todo.popleft()
        if cell in cells and cell not in piece:
            break
        for other in neighbours(cell):
            if window.holds(other) and other not in before and other not in piece:
                before[other] = cell
                todo.append(other)
    way = []
    while cell not in piece:
        way.append(cell)
        cell = before[cell]
    return way


def _filled(cells: set[Spot]) -> set[Spot]:
    """Add the holes: cells that no way leads out of, corners passed too."""
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    top, bottom = min(rows) - 1, max(rows) + 1
    left, right = min(cols) - 1, max(cols) + 1

    def beside(cell: Spot) -> Iterator[Spot]:
        for r in range(max(cell[0] - 1, top), min(cell[0] + 1, bottom) + 1):
            for c in range(max(cell[1] - 1, left), min(cell[1] + 1, right) + 1):
                if (r, c) not in cells:
                    yield r, c

    outside = reached([(top, left)], beside)
    box = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
    return box - outside


def box_of(window: Window) -> tuple[int, int, int, int]:
    """Return top, left, bottom and right of a window."""
    return window.top, window.left, window.bottom, window.right


def _grown(window: Window, part: Window) -> Window:
    best, most = part, 0
    for side in range(4):
        box = list(box_of(part))
        box[side] += -1 if side < 2 else 1
        larger = window.cropped(*box)
        if box_of(larger) == box_of(part):
            continue
        new = set(larger.cells()) - set(part.cells())
        drawn = sum(window.state(cell) != ANY for cell in new)
        if drawn > most:
            best, most = larger, drawn
    if not most:
        top, left, bottom, right = box_of(part)
        return window.cropped(top - 1, left - 1, bottom + 1, right + 1)
    return best
