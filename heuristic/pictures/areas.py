"""The marked areas of a rule picture, as the author's program reads its own marks.

His class Rules generates code from a picture; what it does with the marks is done here
(functions GenerateCode and GetCircleDirection): an end belongs to a start when marks of
one kind stand at every distance between them; the arrow beyond the end tells the side;
two cells that touch, away from the live end, are not counted.
"""

from dataclasses import dataclass
from typing import NoReturn

from heuristic.pictures.border import ARROWS, Line, side_of
from heuristic.pictures.picture import Picture, Sign
from heuristic.rules.drawing import AROUND, LIVE_END, Offset, step
from solver.errors import PictureError

_WORDS = {
    "PAIR": "pair",
    "IMPAIR": "impair",
    "DETERMINED": "impair-determined",
}
TAKEN = (Sign.TAKEN, Sign.VISITED, *ARROWS)


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
