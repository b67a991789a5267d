"""The areas of a rule picture, as the author's program reads them.

In older editions marks draw the line of an area. His class Rules generates code from
a picture; what it does with the marks is done here (functions GenerateCode and
GetCircleDirection): an end belongs to a start when marks of one kind stand at every
distance between them; the arrow beyond the end tells the side; two cells that touch,
away from the live end, are not counted.

The last edition has no marks of areas. The border of an area is drawn with the signs
that are there: opaque black for a cell of the live end's colour, grey for the others.
Where two black cells touch by a corner, the cell between them on the side of the area
belongs to the border too, as his program counts (Path.cs, class Path, functions
StairAt...). So the border can be told from obstacles by its colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

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


_WORDS = {"PAIR": "pair", "IMPAIR": "impair", "DETERMINED": "impair-determined"}
TAKEN = (Sign.TAKEN, Sign.VISITED, *ARROWS)


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


@dataclass(frozen=True, slots=True)
class Area:
    """An area of a picture: its line, when its condition holds, and the entry."""

    line: Line
    kind: str
    entry: Offset | None = None
    low: int | None = None
    high: int | None = None


def find_areas(picture: Picture) -> tuple[Area, ...]:
    """Return the areas that marks draw.

    Raises
    ------
    PictureError
        If a start has no end, marks are missing or left over, or no arrow tells the
        side.
    """
    areas: list[Area] = []
    for kind in _WORDS:
        starts = picture.having(Sign[f"{kind}_START"])
        ends = picture.having(Sign[f"{kind}_END"])
        if len(starts) != len(ends):
            _fail(picture, f"{len(starts)} areas begin and {len(ends)} end", starts)
        found = [_area(picture, kind, start, ends) for start in starts]
        used = [at for area in found for at in area.line.cells]
        marks = picture.having(*(s for s in Sign if s.name.startswith(kind + "_")))
        for at in marks:
            if at not in used:
                _fail(picture, "the mark belongs to no area", [at])
        areas += found
    return tuple(areas)


def _fail(picture: Picture, why: str, cells: list[Offset]) -> NoReturn:
    raise PictureError(
        picture.file, why, cell=picture.cell(cells[0]) if cells else None
    )


def _area(picture: Picture, kind: str, start: Offset, ends: list[Offset]) -> Area:
    """Return the area that begins at a mark, its end the first that fits."""
    why = "no end of its kind is joined to it by marks"
    for end in ends:
        cells = _between(picture, kind, start, end)
        if not cells:
            continue
        wall = _wall(picture, cells)
        if wall is None:
            why = "no arrow beyond its end tells on which side the area is"
            continue
        base = LIVE_END if start in AROUND else _base(picture, cells)
        line = Line(tuple(cells), base, *wall)
        entry = [at for at in picture.having(Sign.DETERMINED_ENTRY) if at in cells]
        if len(cells) == 2 and start not in AROUND:
            return Area(line, "closed")
        return Area(line, _WORDS[kind], entry[0] if entry else None)
    _fail(picture, f"an area begins, but {why}", [start])


def _between(picture: Picture, kind: str, start: Offset, end: Offset) -> list[Offset]:
    """Return the line from a start to an end, empty if marks are missing."""
    names = [f"{kind}_LINE", "DETERMINED_ENTRY"][: 2 if kind == "DETERMINED" else 1]
    marks = picture.having(*(Sign[name] for name in names))
    cells = [start]
    for _ in range(abs(end[0] - start[0]) + abs(end[1] - start[1]) - 1):
        far = len(cells)
        nexts = [
            at
            for at in marks
            if abs(at[0] - start[0]) + abs(at[1] - start[1]) == far
            and step(cells[-1], at) in AROUND[::2]
        ]
        if not nexts:
            return []
        cells.append(nexts[0])
    return [*cells, end] if step(cells[-1], end) in AROUND[::2] else []


def _wall(picture: Picture, cells: list[Offset]) -> tuple[Offset, str] | None:
    """Return the wall and the side that its arrow tells."""
    for at, sign in picture.signs:
        if sign in ARROWS:
            side = side_of(cells[-1], cells[-2], at, ARROWS[sign])
            if side is not None:
                return at, side
    return None


def _base(picture: Picture, cells: list[Offset]) -> Offset:
    """Return where a line away from the live end comes from.

    That is the cell straight back; if another behind the first cell is drawn taken and
    that one is not, the other.
    """
    back = step(cells[1], cells[0])
    start = cells[0]
    behind = start[0] + back[0], start[1] + back[1]
    sides = [(behind[0] + k * back[1], behind[1] + k * back[0]) for k in (0, 1, -1)]
    taken = picture.having(*TAKEN)
    return next((at for at in sides if at in taken), behind)
