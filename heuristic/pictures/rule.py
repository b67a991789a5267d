"""A rule picture as a rule of a rule file: its drawing, and what it does not hold."""

import json
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from heuristic.pictures.areas import Area, find_areas
from heuristic.pictures.border import ARROWS, OTHERS, find_border
from heuristic.pictures.naming import rule_name, surplus_told
from heuristic.pictures.picture import Picture
from heuristic.pictures.signs import Sign
from heuristic.rules.drawing import LIVE_END, Offset, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.errors import PictureError, RuleError

MOVES: dict[str, Offset] = {
    "straight": (0, 1),
    "left": (1, 0),
    "right": (-1, 0),
    "behind": (0, -1),
}
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
_FORBIDDEN = {"?": "x", ".": "X", "s": "S", "m": "M", "e": "E", "F": "f"}
_Run: TypeAlias = tuple[Offset, Offset]
REASON = "the picture of the source shows the place, and no reason"


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a picture besides what it holds.

    Attributes
    ----------
    forbid : tuple of str
        Moves that are forbidden, of `MOVES`; empty where the crosses say it.
    turns : tuple of str
        Quarter turns, where the picture tells none.
    low, high : int or None
        Bounds of the surplus of the area, where neither marks nor the name tell them.
    corners : bool
        An arrow is a corner of the older walk, as seen from the border: the cell that
        it comes from and the one beside it towards the border are free.
    source : str
        Where that is known from.
    """

    forbid: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    corners: bool = False
    source: str = ""


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
    letters: dict[Offset, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def fail(self, why: str, at: Offset | None = None) -> NoReturn:
        cell = self.picture.cell(at) if at is not None else None
        raise PictureError(self.picture.file, why, cell=cell)


def import_rule(
    picture: Picture,
    stem: str,
    origin: str,
    *,
    told: Told | None,
    prefix: str = "",
    end: str = "",
) -> Imported:
    """Return the rule that a picture draws.

    `stem` is the file's name without its end, `origin` is kept in the rule; `prefix`
    and `end` stand around the rule's name.

    Raises
    ------
    PictureError
        If the picture forbids nothing and nothing is told of it, does not say when its
        area counts, or cannot be drawn in our language; the message says what.
    """
    told = told or Told()
    page = _Page(picture)
    marked, border = find_areas(picture), find_border(picture)
    if marked and border:
        page.fail("marks of areas and opaque black cells: one of the two can be read")
    areas = [*marked]
    if border:
        low, high = told.low, told.high
        if low is None and high is None:
            low = high = surplus_told(stem, border.wall)
        if low is None and high is None:
            page.fail("the border of an area is drawn, not when its count matters")
        areas = [Area(border, "within", None, low, high)]
        page.notes.append("its count stands in the name, not in the picture")
    for at, sign in picture.signs:
        if sign in _LETTERS and not (border and sign is Sign.BLACK):
            page.letters[at] = _LETTERS[sign]
    for at in picture.having(Sign.NOT_END):
        if page.letters.get(at) != ".":
            page.fail("not the end cell, and not drawn free", at)
        page.letters[at] = "K"
    for area in areas:
        _lay(page, area)
    ways = _obstacles(page, [area.line.wall for area in areas], bool(marked))
    if told.corners and border:
        _free_corners(page, border.cells, border.wall)
    _forbid(page, told)
    text = _text(page, areas, ways, told, rule_name(stem, prefix) + end, origin)
    try:
        (rule,) = parse_rules(text, picture.file)
    except RuleError as error:
        page.fail(f"has no drawing in our language: {error.why}")
    return Imported(text, rule, tuple(page.notes))


def _lay(page: _Page, area: Area) -> None:
    cells = area.line.cells
    marks = ["s", *"m" * (len(cells) - 2), "e"][: len(cells)]
    for at, mark in zip(cells, marks, strict=True):
        if page.letters.get(at, ".") != ".":
            page.fail("a cell of the area's line is not free", at)
        page.letters[at] = mark
    base = area.line.base
    if base != LIVE_END and page.letters.get(base) is None:
        drawn = dict(page.picture.signs).get(base)
        page.letters[base] = _WALLS.get(drawn, "%") if drawn else "%"
        if drawn is None:
            page.notes.append("where the line comes from is not drawn, and taken")


def _obstacles(
    page: _Page, walls: list[Offset], marked: bool
) -> tuple[list[_Run], list[_Run]]:
    """Draw the arrows; return the runs of those that are no walls, red and blue.

    An arrow is read as his program tests it: the cell it points to was visited later
    than its own, or, where that one cannot be visited, its own later than the one
    before. His generated code asks for no order where an area is marked.
    """
    red: list[_Run] = []
    blue: list[_Run] = []
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
        (blue if sign in OTHERS else red).append(can[0])
    return red, blue


def _free_corners(page: _Page, line: tuple[Offset, ...], wall: Offset) -> None:
    """Draw free what makes a corner of an obstacle with a direction."""

    def far(at: Offset) -> int:
        return min(abs(at[0] - a) + abs(at[1] - b) for a, b in (*line, LIVE_END))

    for at, sign in page.picture.signs:
        if sign not in ARROWS or at == wall:
            continue
        way = ARROWS[sign]
        sides = [(at[0] + k * way[1], at[1] + k * way[0]) for k in (1, -1)]
        for free in ((at[0] - way[0], at[1] - way[1]), min(sides, key=far)):
            if page.letters.get(free, "?") == "?" and free != LIVE_END:
                page.letters[free] = "."
    page.notes.append("cells at the corners of obstacles are free, as the program asks")


def _visited(page: _Page, at: Offset) -> bool:
    drawn = page.letters.get(at, "?")
    sign = dict(page.picture.signs).get(at)
    return drawn in "?#%<>^v" and at != LIVE_END and sign is not Sign.FREE


def _forbid(page: _Page, told: Told) -> None:
    crosses = page.picture.having(Sign.FORBIDDEN)
    moves = [MOVES[name] for name in told.forbid]
    if crosses and moves and set(crosses) != set(moves):
        page.fail("other moves are crossed than those that are told to be forbidden")
    if not crosses and not moves:
        page.fail("forbids no move: no cell is crossed")
    if not crosses:
        page.notes.append(f"what it forbids is from {told.source}")
    for at in crosses or moves:
        letter = page.letters.get(at, "?")
        if letter not in _FORBIDDEN:
            page.fail(f"the move to {letter!r} cannot be forbidden", at)
        page.letters[at] = _FORBIDDEN[letter]


def _text(
    page: _Page,
    areas: list[Area],
    ways: tuple[list[_Run], list[_Run]],
    told: Told,
    name: str,
    origin: str,
) -> str:
    red, blue = ways
    if len(blue) == 1:
        red, blue = red + blue, []
    letters = dict(page.letters)
    for at in (at for run in red for at in run):
        letters[at] = "#" if letters.get(at, "?") == "?" else letters[at]
    lines = [
        "[[rule]]",
        f"name = {json.dumps(name)}",
        'claim = "unargued"',
        f"origin = {json.dumps(origin, ensure_ascii=False)}",
        f"reason = {json.dumps(REASON)}",
    ]
    if page.notes:
        lines.append(f"note = {json.dumps('; '.join(page.notes), ensure_ascii=False)}")
    turns = page.picture.turns if page.picture.tells_turns else told.turns or ("0",)
    lines.append(f"turns = {json.dumps(list(turns))}")
    if "G" in letters.values() and {"F", "f"} & set(letters.values()):
        lines.append("one_line = true")
    lines += ["drawing = " + '"""', *_rows(letters), '"""']
    if red:
        lines.append(f"runs = {_runs(red)}")
    for area in areas:
        lines += ["", "[[rule.area]]", *_area_lines(area)]
    for run in blue:
        lines += ["", "[[rule.either]]", "drawing = " + '"""', "@", '"""']
        lines.append(f"runs = {_runs([run])}")
    return "\n".join(lines) + "\n"


def _runs(runs: list[_Run]) -> str:
    return json.dumps([[list(first), list(then)] for first, then in runs])


def _rows(letters: dict[Offset, str]) -> list[str]:
    lefts = [at[0] for at in letters]
    aheads = [at[1] for at in letters]
    return [
        " ".join(
            letters.get((left, ahead), "?")
            for left in range(max(lefts), min(lefts) - 1, -1)
        )
        for ahead in range(max(aheads), min(aheads) - 1, -1)
    ]


def _area_lines(area: Area) -> list[str]:
    line = area.line
    lines = [
        f"cells = {json.dumps([list(at) for at in line.cells])}",
        f'side = "{line.side}"',
        f"base = {json.dumps(list(line.base))}",
        f"wall = {json.dumps(list(line.wall))}",
        f'kind = "{area.kind}"',
    ]
    if area.entry is not None:
        lines.append(f"entry = {json.dumps(list(area.entry))}")
    if area.low is not None:
        lines.append(f"low = {area.low}")
    if area.high is not None:
        lines.append(f"high = {area.high}")
    return lines
