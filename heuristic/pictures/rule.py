"""A rule picture as a rule of a rule file: its drawing, and what it does not hold.

What is known of pictures besides stands in a small TOML file of *facts*.

Areas are read as the author's program reads them. In older editions marks draw the line
of an area. His class Rules generates code from a picture; what it does with the marks
is done here (functions GenerateCode and GetCircleDirection): an end belongs to a start
when marks of one kind stand at every distance between them; the arrow beyond the end
shows the side; two cells that touch, away from the live end, are not counted.

The last edition has no marks of areas. The border of an area is drawn with the signs
that are there: opaque black for a cell of the live end's colour, grey for the others.
Where two black cells touch by a corner, the cell between them on the side of the area
belongs to the border too, as his program counts (Path.cs, class Path, functions
StairAt...). So the border can be distinguished from obstacles by its colours.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeAlias

import msgspec
from msgspec import Meta, Struct

from heuristic.pictures.picture import Picture, Sign, read_bytes
from heuristic.rules.drawing import (
    AROUND,
    LIMIT,
    LIVE_END,
    MOVES,
    AreaSpec,
    Kind,
    RuleSpec,
    Spot,
    area_behind,
    between,
    spot,
    step,
    written,
)
from heuristic.rules.letters import (
    FORBIDDEN,
    area_table,
    line_marks,
    rows_of,
    rule_text,
)
from heuristic.rules.rulefile import parse_rules
from solver.errors import PictureError, RuleError

ARROWS: dict[Sign, Spot] = {
    Sign.LEFT: (0, -1),
    Sign.RIGHT: (0, 1),
    Sign.UP: (-1, 0),
    Sign.DOWN: (1, 0),
}
OTHERS: dict[Sign, Spot] = {
    Sign["OTHER_" + sign.name]: way for sign, way in ARROWS.items()
}


_KINDS = {word: Kind[word] for word in ("PAIR", "IMPAIR", "DETERMINED")}
TAKEN = (Sign.TAKEN, Sign.VISITED, *ARROWS)


def is_black(at: Spot) -> bool:
    """Whether a cell has the live end's colour."""
    return (at[0] + at[1]) % 2 == 0


def side_of(end: Spot, before: Spot, wall: Spot, arrow: Spot) -> str | None:
    """Return the side of the line on which the arrow of its wall says the area is.

    The line comes to `end` from `before`. The wall is straight on, or across from
    there, and its arrow runs across the line. Where the wall lies across and the arrow
    runs along, the line is taken to turn towards the wall. Else there is no answer.

    >>> side_of((-3, 0), (-2, 0), (-4, -1), (0, -1))
    'left'
    >>> side_of((-3, 0), (-2, 0), (-4, 0), (-1, 0))  # None
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
    return "left" if arrow == (-on[1], on[0]) else "right"


def find_border(picture: Picture, given: Sequence[Spot] = ()) -> AreaSpec | None:
    """Return the area behind the border that black and grey cells draw, uncounted.

    None if no cell is black.

    `given` are its cells in order, where the picture leaves some out.

    Raises `PictureError` if a black cell has the wrong colour for its place, or the
    cells are no line from the live end to an arrow.
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
                "border cell, and visited or outside cannot be distinguished from it"
            )
            raise PictureError(picture.file, why, cell=picture.cell(at))
    greys = [at for at in picture.having(Sign.FREE) if not is_black(at)]
    chain = _chain(picture, {*blacks, *greys}, set(blacks))
    return _ended(picture, chain)


def _chain(picture: Picture, cells: set[Spot], blacks: set[Spot]) -> list[Spot]:
    """Put the cells in order, beginning beside the live end.

    A grey cell beside the live end may be a mere free cell: it is left out where the
    line is whole without it, and where the line can begin with the black cell ahead.
    """
    beside = {at for at in ((0, -1), (0, 1)) if (-1, at[1]) in blacks}
    cells = cells - beside
    begins = [at for at in cells if at in AROUND]
    best: list[Spot] = []
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
    forks = best and any(step(best[-1], at) in AROUND for at in cells - set(best))
    if forks or not best:
        why = "black and grey cells are no line that begins beside the live end"
        raise PictureError(picture.file, why)
    return best


def _worth(picture: Picture, chain: list[Spot]) -> tuple[bool, int]:
    """Return what is better: an arrow at the end, then a longer line."""
    if not chain:
        return False, 0
    ends = [at for at in picture.having(*ARROWS) if step(chain[-1], at) in AROUND]
    return bool(ends), len(chain)


def _ended(picture: Picture, chain: list[Spot]) -> AreaSpec:
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
        why += " at the border's end shows on which side the area is"
        raise PictureError(picture.file, why, cell=picture.cell(chain[-1]))
    wall, side, cells = found.pop()
    return area_behind(cells, wall, side)


def _filled(chain: list[Spot], side: str) -> list[Spot]:
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


def find_areas(picture: Picture) -> tuple[AreaSpec, ...]:
    """Return the areas that marks draw.

    Raises `PictureError` if a start has no end, marks are missing or left over, or no
    arrow shows the side.
    """
    areas: list[AreaSpec] = []
    for kind in _KINDS:
        starts = picture.having(Sign[f"{kind}_START"])
        ends = picture.having(Sign[f"{kind}_END"])
        if len(starts) != len(ends):
            _fail(picture, f"{len(starts)} areas begin and {len(ends)} end", starts)
        found = [_area(picture, kind, start, ends) for start in starts]
        used = [at for area in found for at in area.cells]
        marks = picture.having(*(s for s in Sign if s.name.startswith(kind + "_")))
        for at in marks:
            if at not in used:
                _fail(picture, "the mark belongs to no area", [at])
        areas += found
    return tuple(areas)


def _fail(picture: Picture, why: str, cells: list[Spot]) -> NoReturn:
    raise PictureError(
        picture.file, why, cell=picture.cell(cells[0]) if cells else None
    )


def _area(picture: Picture, kind: str, start: Spot, ends: list[Spot]) -> AreaSpec:
    """Return the area that begins at a mark, its end the first that fits."""
    why = "no end of its kind is joined to it by marks"
    for end in ends:
        cells = _between(picture, kind, start, end)
        if not cells:
            continue
        wall = _wall(picture, cells)
        if wall is None:
            why = "no arrow beyond its end shows on which side the area is"
            continue
        base = LIVE_END if start in AROUND else _base(picture, cells)
        area = area_behind(cells, *wall, base=base)
        if len(cells) == 2 and start not in AROUND:
            return area
        entry = [at for at in picture.having(Sign.DETERMINED_ENTRY) if at in cells]
        return replace(area, kind=_KINDS[kind], entry=[*entry, start][0])
    _fail(picture, f"an area begins, but {why}", [start])


def _between(picture: Picture, kind: str, start: Spot, end: Spot) -> list[Spot]:
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


def _wall(picture: Picture, cells: list[Spot]) -> tuple[Spot, str] | None:
    """Return the wall and the side that its arrow shows."""
    for at, sign in picture.signs:
        if sign in ARROWS:
            side = side_of(cells[-1], cells[-2], at, ARROWS[sign])
            if side is not None:
                return at, side
    return None


def _base(picture: Picture, cells: list[Spot]) -> Spot:
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


Move: TypeAlias = Literal["straight", "left", "right", "behind"]
Quarter: TypeAlias = Literal["0", "cw", "ccw", "180"]
Bound: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Cell: TypeAlias = tuple[  # left, ahead
    Annotated[int, Meta(ge=-30, le=30)], Annotated[int, Meta(ge=-30, le=30)]
]
_MOST = 1_000_000  # bytes
_CONDITION = re.compile(
    r"_(?:(?P<even>E)|(?:(?P<n>\d)|(?P<far>[hv])|\((?P<of>[hv])(?P<more>p1|-1)\))"
    r"(?P<colour>[WB]))(?:_\d)?"
)


class Facts(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one rule asks that its picture does not hold.

    - `names`: the pictures, without the end of the file's name.
    - `source`: where that is known from.
    - `forbid`: moves that are forbidden; empty where the crosses say it.
    - `turns`: quarter turns, where the picture gives none.
    - `low`, `high`: bounds of the area's surplus, where neither marks nor
      the name give them.
    - `kind`: when the area counts: see `heuristic.rules.drawing.Kind`.
    - `border`, list of (left, ahead): the cells of the area's line, where some are left
      out or drawn by hand.
    - `free`, list of (left, ahead): cells that the program asks to be free besides.
    - `corners`: an arrow is a corner of the older walk, as seen from the border: the
      cell that it comes from and the one beside it towards the border are free.
    - `unread`: why no rule can be read from the picture; then nothing else is said.
    """

    names: Annotated[list[str], Meta(min_length=1)]
    source: Annotated[str, Meta(pattern=r"\S")]
    forbid: list[Move] = []
    turns: list[Quarter] = []
    low: Bound | None = None
    high: Bound | None = None
    kind: Literal["within", "beyond", "pair", "impair", "closed"] = "within"
    border: list[Cell] = []
    free: list[Cell] = []
    corners: bool = False
    unread: str = ""


class _File(Struct, forbid_unknown_fields=True):
    picture: Annotated[list[Facts], Meta(min_length=1)]


def load_facts(path: Path) -> dict[str, list[Facts]]:
    """Read a file of facts, by the name of the picture without its end.

    A picture may stand in several tables: each is a rule of its own.

    Raises `PictureError` if the file cannot be read, or says what cannot be; names the
    place.
    """
    data = read_bytes(path, _MOST)
    try:
        tables = msgspec.toml.decode(data, type=_File).picture
    except (ValueError, RecursionError) as error:
        raise PictureError(path.name, f"cannot be read: {str(error)[:200]}") from None
    found: dict[str, list[Facts]] = {}
    for table in tables:
        for name in table.names:
            found.setdefault(name, []).append(table)
    for name, several in found.items():
        if len(several) > 1 and any(one.unread for one in several):
            raise PictureError(path.name, f"{name!r} is a rule and is unread")
    return found


def surplus_in_name(stem: str, wall: Spot) -> int | None:
    """Return the surplus of white cells that a picture's name gives, if it gives one.

    The author writes it behind the name: ``E`` is as many white as black cells, ``1W``
    one white more, ``vB`` as many black more as the wall lies cells ahead, ``(hp1)W``
    one white more than it lies cells to the side.

    >>> surplus_in_name("StairAtEndConvexIn3_(vp1)B_1", (-1, -5))
    -2
    >>> surplus_in_name("StairAtEndConcaveIn2_1W", (-1, -4))
    1
    """
    at = stem.find("_")
    match = _CONDITION.fullmatch(stem[at:]) if at >= 0 else None
    if match is None:
        return None
    if match["even"]:
        return 0
    if match["n"]:
        count = int(match["n"])
    else:
        count = abs(wall["vh".index(match["far"] or match["of"])])
        count += {"p1": 1, "-1": -1}.get(match["more"] or "", 0)
    return count if match["colour"] == "W" else -count


_LETTERS = {
    Sign.LIVE: "@",
    Sign.FREE: ".",
    Sign.BLACK: "%",
    Sign.TAKEN: "%",
    Sign.VISITED: "#",
    Sign.NEAR: "F",
    Sign.FAR: "G",
}
_WALLS = {Sign.LEFT: "<", Sign.RIGHT: ">", Sign.UP: "^", Sign.DOWN: "v"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_Run: TypeAlias = tuple[Spot, Spot]
_Runs: TypeAlias = dict[Spot, _Run]  # by the arrow's cell
NOT_FREE = (*ARROWS, *OTHERS, Sign.BLACK)  # drawn later, or the border
REASON = "the picture of the source shows the place, and no reason"


@dataclass(frozen=True, slots=True)
class Imported:
    """A rule read from a picture: its text, the rule, and what the picture lacks."""

    text: str
    rule: RuleSpec
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Page:
    """The drawing while it is put together."""

    picture: Picture
    letters: dict[Spot, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    corners: dict[Spot, list[Spot]] = field(default_factory=dict)  # of an obstacle

    def fail(self, why: str, at: Spot | None = None) -> NoReturn:
        cell = self.picture.cell(at) if at is not None else None
        raise PictureError(self.picture.file, why, cell=cell)


def rule_name(stem: str, prefix: str = "") -> str:
    """Return a rule's name for a picture's.

    >>> rule_name("StairAtEndConvexIn3_(vp1)B_1", "his-")
    'his-stair-at-end-convex-in-3-vp-1-b-1'
    """
    words = _WORD.findall(stem)
    return prefix + "-".join(word.lower() for word in words) or "picture"


def import_rule(
    picture: Picture,
    stem: str,
    origin: str,
    *,
    facts: Facts | None = None,
    prefix: str = "",
    end: str = "",
) -> Imported:
    """Return the rule that a picture draws.

    `stem` is the file's name without its end, `origin` is kept in the rule; `prefix`
    and `end` stand around the rule's name.

    Raises `PictureError` if picture and facts do not say what is forbidden or when the
    area counts, or if it cannot be drawn in our language; the message says what is
    missing.
    """
    page = _Page(picture)
    if facts is None:
        if picture.drawn_by_hand:
            page.fail(f"{picture.drawn_by_hand}; needs border")
        facts = Facts(names=[stem], source="the picture")
    given = [spot(*at) for at in facts.border]
    marked, border = find_areas(picture), find_border(picture, given)
    if marked and border:
        page.fail("marks of areas and opaque black cells: one of the two can be read")
    areas = [*marked]
    missing = []
    if border:
        low, high = facts.low, facts.high
        if low is None and high is None and facts.kind == "within":
            low = high = surplus_in_name(stem, border.wall)
            page.notes.append("its count stands in the name, not in the picture")
            if low is None:
                missing.append("low, high (when the area of the border counts)")
        kind = Kind(facts.kind)
        if (low, high) != (None, None) and not kind.bounded:
            page.fail("low and high go with the kinds within and beyond")
        low, high = -LIMIT if low is None else low, LIMIT if high is None else high
        areas = [replace(border, kind=kind, low=low, high=high)]
    if not facts.forbid and not picture.having(Sign.FORBIDDEN):
        missing.append("forbid (no cell is crossed)")
    if missing:
        page.fail("needs " + " and ".join(missing))
    for at, sign in picture.signs:
        if sign in _LETTERS and not (border and sign is Sign.BLACK):
            page.letters[at] = _LETTERS[sign]
    for at in (spot(*cell) for cell in facts.free):
        if page.letters.setdefault(at, ".") != ".":
            page.fail("is free by the facts, and not by the picture", at)
    signed = {LIVE_END, *(at for at, sign in picture.signs if sign in NOT_FREE)}
    for at in picture.ahead - signed:
        page.letters.setdefault(at, ".")
    for at in picture.having(Sign.NOT_END):
        if page.letters.get(at) != ".":
            page.fail("not the end cell, and not drawn free", at)
        page.letters[at] = "K"
    for area in areas:
        _lay(page, area)
    red, blue = _obstacles(page, [area.wall for area in areas], bool(marked))
    if facts.corners:
        _free_corners(page, border)
    _forbid(page, facts)
    if len(blue) == 1:
        red, blue = red | blue, {}
    name = rule_name(stem, prefix) + end
    text = _text(page, areas, red, blue, facts, name, origin)
    try:
        (rule,) = parse_rules(text, picture.file)
    except RuleError as error:
        page.fail(f"has no drawing in our language: {error.why}")
    return Imported(text, rule, tuple(page.notes))


def _lay(page: _Page, area: AreaSpec) -> None:
    for at, mark in line_marks(area.cells).items():
        if page.letters.get(at, ".") != ".":
            page.fail("a cell of the area's line is not free", at)
        page.letters[at] = mark
    base = area.base
    if base != LIVE_END and page.letters.get(base) is None:
        drawn = dict(page.picture.signs).get(base)
        page.letters[base] = _WALLS.get(drawn, "%") if drawn else "%"
        if drawn is None:
            page.notes.append("where the line comes from is not drawn, and taken")


def _obstacles(page: _Page, walls: list[Spot], marked: bool) -> tuple[_Runs, _Runs]:
    """Draw the arrows; return the runs of those that are no walls, red and blue.

    An arrow is read as his program tests it: the cell it points to was visited later
    than its own, or, where that one is free, its own later than the one before. Cells
    of blue lines are free. His generated code asks for no order where an area is
    marked.
    """
    red: _Runs = {}
    blue: _Runs = {}
    for at, sign in page.picture.signs:
        way = (ARROWS | OTHERS).get(sign)
        if way is None:
            continue
        if at in walls or (marked and sign in _WALLS):
            page.letters[at] = _WALLS[sign] if at in walls else "%"
            continue
        page.letters[at] = "?" if sign in OTHERS else "#"
        ahead, back = (at[0] + way[0], at[1] + way[1]), (at[0] - way[0], at[1] - way[1])
        runs = [(at, ahead), (back, at)]
        can = [run for run in runs if all(_visited(page, cell) for cell in run)]
        if not can:
            page.fail("the walk cannot run that way: both cells beside are free", at)
        (blue if sign in OTHERS else red)[at] = can[0]
    return red, blue


def _free_corners(page: _Page, border: AreaSpec | None) -> None:
    """Find what is free beside an obstacle with a direction, so that it is a corner."""
    line = (*(border.cells if border else ()), LIVE_END)

    def far(at: Spot) -> int:
        return min(abs(at[0] - a) + abs(at[1] - b) for a, b in line)

    for at, sign in page.picture.signs:
        way = (ARROWS | OTHERS).get(sign)
        if way is None or (border and at == border.wall):
            continue
        sides = [(at[0] + k * way[1], at[1] + k * way[0]) for k in (1, -1)]
        both = ((at[0] - way[0], at[1] - way[1]), min(sides, key=far))
        free = [cell for cell in both if page.letters.get(cell, "?") == "?"]
        page.corners[at] = [cell for cell in free if cell != LIVE_END]
    page.notes.append("cells at the corners of obstacles are free, as the program asks")


def _visited(page: _Page, at: Spot) -> bool:
    drawn = page.letters.get(at, "?")
    sign = dict(page.picture.signs).get(at)
    if at == LIVE_END or at in page.picture.ahead:
        return False
    return drawn in "?#%<>^v" and sign is not Sign.FREE


def _forbid(page: _Page, facts: Facts) -> None:
    crosses = page.picture.having(Sign.FORBIDDEN)
    moves = [MOVES[name] for name in facts.forbid]
    if crosses and moves and set(crosses) != set(moves):
        page.fail("other moves are crossed than those that the facts forbid")
    if not crosses:
        page.notes.append(f"what it forbids is from {facts.source}")
    for at in crosses or moves:
        letter = page.letters.get(at, "?")
        if letter not in FORBIDDEN:
            page.fail(f"the move to {letter!r} cannot be forbidden", at)
        page.letters[at] = FORBIDDEN[letter]


def _text(
    page: _Page,
    areas: list[AreaSpec],
    red: _Runs,
    blue: _Runs,
    facts: Facts,
    name: str,
    origin: str,
) -> str:
    letters = dict(page.letters)
    for obstacle in page.corners.keys() - blue.keys():
        letters |= dict.fromkeys(page.corners[obstacle], ".")
    for at in (at for run in red.values() for at in run):
        letters[at] = "#" if letters.get(at, "?") == "?" else letters[at]
    rule: dict[str, Any] = {
        "name": name,
        "claim": "unargued",
        "origin": origin,
        "reason": REASON,
    }
    if page.notes:
        rule["note"] = "; ".join(page.notes)
    turns = page.picture.turns if page.picture.tells_turns else facts.turns or ("0",)
    rule["turns"] = list(turns)
    if "G" in letters.values() and {"F", "f"} & set(letters.values()):
        rule["one_line"] = True
    rule["drawing"] = rows_of(letters)
    if red:
        rule["runs"] = [list(map(written, run)) for run in red.values()]
    rule["area"] = [area_table(area) for area in areas]
    rule["either"] = [
        {
            "drawing": rows_of(dict.fromkeys(page.corners.get(obstacle, ()), ".")),
            "runs": [list(map(written, run))],
        }
        for obstacle, run in blue.items()
    ]
    return rule_text({key: value for key, value in rule.items() if value != []})
