"""Which part of a window to settle first: growing it, from the marked cells outwards.

A formula for a few cells is quickly settled, and when it has no model, neither has any
larger one. So a window grows, side by side, towards what is drawn. What did for one
drawing mostly does for the next of the same rule: it is told by *margins*, the rows and
columns around the live end and the marked cells.
"""

from collections.abc import Iterator
from typing import TypeAlias

from verify.view import ANY, LIVE, Window

Box: TypeAlias = tuple[int, int, int, int]  # top, left, bottom, right
Margins: TypeAlias = tuple[int, int, int, int]  # cells added on each side


def box_of(window: Window) -> Box:
    """Return the rectangle of a window."""
    return window.top, window.left, window.bottom, window.right


def least_box(window: Window) -> Box:
    """Return the smallest rectangle of a planar formula: live end and marked cells."""
    kept = [LIVE, *(cell for area in window.areas for cell in area.line)]
    rows, cols = [row for row, _ in kept], [col for _, col in kept]
    return min(rows), min(cols), max(rows), max(cols)


def margins_of(window: Window, box: Box) -> Margins:
    """Return how far a box reaches beyond the least one of the window."""
    top, left, bottom, right = least_box(window)
    return top - box[0], left - box[1], box[2] - bottom, box[3] - right


def growing(window: Window, first: Margins | None = None) -> Iterator[Window]:
    """Yield parts of a window: `first`, the least, then larger ones up to the whole.

    A side grows when the row or column beyond it holds most that is drawn; when nothing
    drawn is left outside, all sides do.
    """
    top, left, bottom, right = least_box(window)
    if first is not None:
        up, west, down, east = first
        yield window.cropped(top - up, left - west, bottom + down, right + east)
    part = window.cropped(top, left, bottom, right)
    yield part
    while box_of(part) != box_of(window):
        part = _grown(window, part)
        yield part


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
