"""The border of an area in the pictures of the last edition: black and grey cells.

That edition has no marks of areas. Its author draws the border of an area with the
signs that are there: opaque black for a cell of the live end's colour, grey for the
others. Where two black cells touch by a corner, the cell between them on the side of
the area belongs to the border too, as his program counts (Path.cs, class Path,
functions StairAt...). So the border can be told from obstacles by its colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heuristic.pictures.picture import Picture, Sign
from heuristic.rules.drawing import AROUND, LIVE_END, Offset, between, step
from solver.errors import PictureError

ARROWS: dict[Sign, Offset] = {
    Sign.LEFT: (1, 0),
    Sign.RIGHT: (-1, 0),
    Sign.UP: (0, 1),
    Sign.DOWN: (0, -1),
}
OTHERS: dict[Sign, Offset] = {
    Sign["OTHER_" + sign.name]: way for sign, way in ARROWS.items()
}


@dataclass(frozen=True, slots=True)
class Line:
    """The line of an area: its cells in order, where it comes from and ends, its side.

    `filled` are the cells that the picture leaves out.
    """

    cells: tuple[Offset, ...]
    base: Offset
    wall: Offset
    side: str
    filled: tuple[Offset, ...] = ()


def is_black(at: Offset) -> bool:
    """Whether a cell has the live end's colour."""
    return (at[0] + at[1]) % 2 == 0


def side_of(end: Offset, before: Offset, wall: Offset, arrow: Offset) -> str | None:
    """Return the side of the line on which the arrow of its wall says the area is.

    The line comes to `end` from `before`. The wall is straight on, or across from
    there, and its arrow runs across the line. Where the wall lies across and the arrow
    runs along, the line is taken to turn towards the wall. Else there is no answer.

    >>> side_of((0, 3), (0, 2), (1, 4), (1, 0)), side_of((0, 3), (0, 2), (0, 4), (0, 1))
    ('left', None)
    """
    on = step(before, end)
    way = step(end, wall)
    across = way[0] - on[0], way[1] - on[1]
    if across[0] * on[0] + across[1] * on[1] or abs(across[0]) + abs(across[1]) > 1:
        return None
    if arrow[0] * on[0] + arrow[1] * on[1]:
        on = across
    if on == (0, 0):
        return None
    # left of the way (a, b) on the page is (b, -a): left counts to the left
    return "left" if arrow == (on[1], -on[0]) else "right"


def find_border(picture: Picture, given: Sequence[Offset] = ()) -> Line | None:
    """Return the border that black and grey cells draw; None if no cell is black.

    `given` are its cells in order, where the picture leaves some out.

    Raises
    ------
    PictureError
        If a black cell has the wrong colour for its place, or the cells are no line
        from the live end to an arrow.
    """
    if given:
        return _ended(picture, list(given))
    blacks = picture.having(Sign.BLACK)
    if not blacks:
        return None
    for at in blacks:
        if not is_black(at):
            why = (
                "an opaque black cell of the other colour than the live end is no "
                "border cell, and visited or outside is not told apart from it"
            )
            raise PictureError(picture.file, why, cell=picture.cell(at))
    greys = [at for at in picture.having(Sign.FREE) if not is_black(at)]
    chain = _chain(picture, {*blacks, *greys}, set(blacks))
    return _ended(picture, chain)


def _chain(picture: Picture, cells: set[Offset], blacks: set[Offset]) -> list[Offset]:
    """Put the cells in order, beginning beside the live end.

    A grey cell beside the live end may be a mere free cell: it is left out where the
    line is whole without it, and where the line can begin with the black cell ahead.
    """
    beside = {at for at in ((1, 0), (-1, 0)) if (at[0], 1) in blacks}
    cells = cells - beside
    begins = [at for at in cells if at in AROUND]
    best: list[Offset] = []
    for begin in begins:
        chain = [begin]
        while True:
            here, left = chain[-1], cells - set(chain)
            nexts = [at for at in left if step(here, at) in AROUND[::2]]
            nexts = nexts or [at for at in left if step(here, at) in AROUND]
            if len(nexts) != 1:
                break
            chain.append(nexts[0])
        if blacks <= set(chain) and _worth(picture, chain) > _worth(picture, best):
            best = chain
    if not best or _forks(cells - set(best), best):
        why = "black and grey cells are no line that begins beside the live end"
        raise PictureError(picture.file, why)
    return best


def _worth(picture: Picture, chain: list[Offset]) -> tuple[bool, int]:
    """Return what is better: an arrow at the end, then a longer line."""
    if not chain:
        return False, 0
    ends = [at for at in picture.having(*ARROWS) if step(chain[-1], at) in AROUND]
    return bool(ends), len(chain)


def _forks(left: set[Offset], chain: list[Offset]) -> bool:
    """Whether a cell that is left touches the line's last cell: a fork."""
    return any(step(chain[-1], at) in AROUND for at in left)


def _ended(picture: Picture, chain: list[Offset]) -> Line:
    """Find the wall and the side, and fill the corners on the area's side."""
    arrows = [(at, way) for sign, way in ARROWS.items() for at in picture.having(sign)]
    found = set()
    for wall, way in arrows:
        if step(chain[-1], wall) not in AROUND:
            continue
        for side in ("left", "right"):
            line = _filled(chain, side)
            before = line[-2] if len(line) > 1 else LIVE_END
            if step(before, line[-1]) not in AROUND[::2]:
                continue
            if side_of(line[-1], before, wall, way) == side:
                found.add((wall, side, tuple(line)))
    if len(found) != 1:
        why = "no arrow" if not found else "more than one arrow"
        why += " at the border's end tells on which side the area is"
        raise PictureError(picture.file, why, cell=picture.cell(chain[-1]))
    wall, side, cells = found.pop()
    filled = tuple(at for at in cells if at not in chain)
    return Line(cells, LIVE_END, wall, side, filled)


def _filled(chain: list[Offset], side: str) -> list[Offset]:
    """Put a cell between any two that touch by a corner, on one side of the line."""
    line = chain[:1]
    for here in chain[1:]:
        before = line[-1]
        if step(before, here) not in AROUND[::2]:
            back = step(here, before)
            for way in between((-back[0], -back[1]), back, side == "left"):
                at = here[0] + way[0], here[1] + way[1]
                if step(before, at) in AROUND[::2]:
                    line.append(at)
        line.append(here)
    return line
