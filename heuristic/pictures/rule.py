"""A rule picture as a rule of a rule file: its drawing, and what it does not hold.

What is known of pictures besides stands in a small TOML file of *facts*.

The border of an area is read as the author's program reads it: opaque black is a cell
of the live end's colour, grey another one. Where two black cells touch by a corner, the
cell between them on the side of the area belongs to the border too (Path.cs, class
Path, functions StairAt...). The arrow at its end shows the side.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from heuristic.pictures.picture import ARROWS, BLACK, OTHERS, Picture, read_bytes
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

SIDES = AROUND[::2]
REASON = "the picture of the source shows the place, and no reason"

_Bound: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
_Far: TypeAlias = Annotated[int, Meta(ge=-30, le=30)]
_Cells: TypeAlias = list[tuple[_Far, _Far]]  # left, ahead
_WAYS = ARROWS | OTHERS
_MOST = 1_000_000  # bytes of a file of facts
_CONDITION = re.compile(
    r"_(?:(?P<even>E)|(?:(?P<n>\d)|(?P<far>[hv])|\((?P<of>[hv])(?P<more>p1|-1)\))"
    r"(?P<colour>[WB]))(?:_\d)?"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


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
    - `unread`: why no rule can be read from the picture; stands alone.
    """

    names: Annotated[list[str], Meta(min_length=1)]
    source: Annotated[str, Meta(pattern=r"\S")]
    forbid: list[Literal["straight", "left", "right", "behind"]] = []
    turns: list[Literal["0", "cw", "ccw", "180"]] = []
    low: _Bound | None = None
    high: _Bound | None = None
    kind: Literal["within", "beyond", "even", "odd", "closed"] = "within"
    border: _Cells = []
    free: _Cells = []
    corners: bool = False
    unread: str = ""


class _File(Struct, forbid_unknown_fields=True):
    picture: Annotated[list[Facts], Meta(min_length=1)]


def load_facts(path: Path) -> dict[str, list[Facts]]:
    """Read a file of facts, by the name of the picture without its end.

    A picture may stand in several tables: each is a rule of its own.

    Raises `PictureError` if the file cannot be read, or is not of the schema; names the
    place.
    """
    data = read_bytes(path, _MOST)
    try:
        tables = msgspec.toml.decode(data, type=_File).picture
    except (ValueError, RecursionError) as error:
        raise PictureError(path.name, f"cannot be read: {str(error)[:200]}") from None
    facts: dict[str, list[Facts]] = {}
    for table in tables:
        for name in table.names:
            facts.setdefault(name, []).append(table)
    for name, several in facts.items():
        if len(several) > 1 and any(one.unread for one in several):
            raise PictureError(path.name, f"{name!r} is a rule and is unread")
    return facts


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
    match = _CONDITION.fullmatch(stem[stem.find("_") :]) if "_" in stem else None
    if match is None:
        return None
    if match["even"]:
        return 0
    count = int(match["n"] or abs(wall["vh".index(match["far"] or match["of"])]))
    count += {"p1": 1, "-1": -1}.get(match["more"] or "", 0)
    return count if match["colour"] == "W" else -count


def rule_name(stem: str, prefix: str = "") -> str:
    """Return a rule's name for a picture's.

    >>> rule_name("StairAtEndConvexIn3_(vp1)B_1", "his-")
    'his-stair-at-end-convex-in-3-vp-1-b-1'
    """
    words = _WORD.findall(stem)
    return prefix + "-".join(word.lower() for word in words) or "picture"


def _side(end: Spot, before: Spot, wall: Spot, arrow: Spot) -> str | None:
    """Return the side of the line on which the arrow of its wall says the area is.

    The line comes to `end` from `before`. The wall is straight on, or across from
    there, and its arrow runs across the line. Where the wall lies across and the arrow
    runs along, the line is taken to turn towards the wall. Else there is no answer.
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


def _distance(a: Spot, b: Spot) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def drawn_border(picture: Picture, given: Sequence[Spot] = ()) -> AreaSpec | None:
    """Return the area behind the border that black and grey cells draw, uncounted.

    None if no cell is black. `given` are its cells in order, where the picture leaves
    some out.

    Raises `PictureError` if a black cell has the wrong colour for its place, or the
    cells are no line from the live end to an arrow.
    """
    if given:
        return _ended(picture, given)
    blacks = picture.having(BLACK)
    for at in blacks:
        if sum(at) % 2:
            why = (
                "an opaque black cell of the other colour than the live end is no "
                "border cell, and visited or outside cannot be distinguished from it"
            )
            picture.fail(why, at)
    greys = [at for at in picture.having(".") if sum(at) % 2]
    return _ended(picture, _chain(picture, blacks, greys)) if blacks else None


def _chain(picture: Picture, blacks: list[Spot], greys: list[Spot]) -> list[Spot]:
    """Return the cells of a border in order, beginning beside the live end.

    A grey cell beside the live end may be a mere free cell: it is left out where the
    line can begin with the black cell ahead of it.
    """
    cells = {*blacks, *greys}
    cells -= {at for at in ((0, -1), (0, 1)) if (-1, at[1]) in blacks}
    best: list[Spot] = []
    for begin in cells.intersection(AROUND):
        chain = [begin]
        while True:
            left = cells - set(chain)
            nexts = [at for at in left if step(chain[-1], at) in SIDES]
            nexts = nexts or [at for at in left if step(chain[-1], at) in AROUND]
            if len(nexts) != 1:
                break
            chain.append(nexts[0])
        if set(blacks) <= set(chain) and len(chain) > len(best):
            best = chain
    if not best or any(step(best[-1], at) in AROUND for at in cells - set(best)):
        picture.fail("black and grey cells are no line that begins beside the live end")
    return best


def _ended(picture: Picture, chain: Sequence[Spot]) -> AreaSpec:
    """Return the area of a border: its wall, its side, and its corners filled."""
    areas = []
    for wall in picture.having(ARROWS):
        if step(chain[-1], wall) not in AROUND:
            continue
        for side in ("left", "right"):
            line = _filled(chain, side)
            before = line[-2] if len(line) > 1 else LIVE_END
            if step(before, line[-1]) not in SIDES:
                continue
            if _side(line[-1], before, wall, ARROWS[picture.cells[wall]]) == side:
                areas.append(area_behind(line, wall, side))
    if len(areas) != 1:
        why = "more than one arrow" if areas else "no arrow"
        why += " at the border's end shows on which side the area is"
        picture.fail(why, chain[-1])
    return areas[0]


def _filled(chain: Sequence[Spot], side: str) -> list[Spot]:
    """Put a cell between any two that touch by a corner, on one side of the line."""
    line = [chain[0]]
    for here in chain[1:]:
        before = line[-1]
        back = step(here, before)
        if back not in SIDES:
            for way in between((-back[0], -back[1]), back, side == "left"):
                at = here[0] + way[0], here[1] + way[1]
                line += [at] if step(before, at) in SIDES else []
        line.append(here)
    return line


@dataclass(frozen=True, slots=True)
class Imported:
    """A rule read from a picture; its note says what the picture lacks."""

    text: str
    rule: RuleSpec


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
    if facts is None:
        if picture.by_hand:
            picture.fail(f"{picture.by_hand}; needs border")
        facts = Facts(names=[stem], source="the picture")
    page = _Page(picture, facts)
    page.count_area(stem)
    page.draw_cells()
    page.draw_arrows()
    page.draw_moves()
    table = {"name": rule_name(stem, prefix) + end, "claim": "unargued"}
    text = rule_text(table | {"origin": origin, "reason": REASON} | page.table())
    try:
        (rule,) = parse_rules(text, picture.file)
    except RuleError as error:
        picture.fail(f"has no drawing in our language: {error.why}")
    return Imported(text, rule)


class _Page:
    """The drawing of a picture while it is put together.

    - `runs`: of each arrow that is no wall, the two cells in the walk's order.
    - `corners`: cells that are free as an arrow is a corner, by arrow.
    """

    def __init__(self, picture: Picture, facts: Facts) -> None:
        self.picture, self.facts = picture, facts
        self.area = drawn_border(picture, [spot(*at) for at in facts.border])
        self.letters: dict[Spot, str] = {}
        self.notes: list[str] = []
        self.runs: dict[Spot, tuple[Spot, Spot]] = {}
        self.corners: dict[Spot, list[Spot]] = {}

    def count_area(self, stem: str) -> None:
        """Find when the area counts: by the facts, or by the picture's name."""
        picture, facts = self.picture, self.facts
        missing = []
        if self.area:
            low, high, kind = facts.low, facts.high, Kind(facts.kind)
            if low is None and high is None and kind is Kind.WITHIN:
                low = high = surplus_in_name(stem, self.area.wall)
                self.notes.append("its count stands in the name, not in the picture")
                if low is None:
                    missing.append("low, high (when the area of the border counts)")
            if (low, high) != (None, None) and not kind.bounded:
                picture.fail("low and high go with the kinds within and beyond")
            low, high = -LIMIT if low is None else low, LIMIT if high is None else high
            self.area = replace(self.area, kind=kind, low=low, high=high)
        if not facts.forbid and not picture.crosses:
            missing.append("forbid (no cell is crossed)")
        if missing:
            picture.fail("needs " + " and ".join(missing))

    def draw_cells(self) -> None:
        """Draw the cells that are no arrows, what is known to be free, and the area."""
        picture, letters = self.picture, self.letters
        for at, letter in picture.cells.items():
            if letter not in _WAYS and not (self.area and letter == BLACK):
                letters[at] = "%" if letter == BLACK else letter
        for at in (spot(*cell) for cell in self.facts.free):
            if letters.setdefault(at, ".") != ".":
                picture.fail("is free by the facts, and not by the picture", at)
        for at in picture.ahead - {LIVE_END}:
            if picture.cells.get(at) not in (*_WAYS, BLACK):
                letters.setdefault(at, ".")
        for at in picture.not_end:
            if letters.get(at) != ".":
                picture.fail("not the end cell, and not drawn free", at)
            letters[at] = "K"
        for at, mark in line_marks(self.area.cells if self.area else ()).items():
            if letters.get(at, ".") != ".":
                picture.fail("a cell of the area's line is not free", at)
            letters[at] = mark

    def draw_arrows(self) -> None:
        """Draw the arrows, and find the runs of those that are no walls.

        An arrow is read as his program tests it: the cell it points to was visited
        later than its own, or, where that one is free, its own later than the one
        before. Cells of blue lines are free.
        """
        picture, letters = self.picture, self.letters
        wall = self.area.wall if self.area else LIVE_END
        for at, letter in picture.cells.items():
            if at == wall and letter in ARROWS:
                letters[at] = letter
            elif letter in _WAYS:
                letters[at] = "#" if letter in ARROWS else "?"
                row, col = _WAYS[letter]
                back, ahead = (at[0] - row, at[1] - col), (at[0] + row, at[1] + col)
                runs = [run for run in ((at, ahead), (back, at)) if self._visited(run)]
                if not runs:
                    why = "the walk cannot run that way: both cells beside are free"
                    picture.fail(why, at)
                self.runs[at] = runs[0]
        if self.facts.corners:
            self._free_corners(wall)

    def _visited(self, run: tuple[Spot, Spot]) -> bool:
        """Whether the walk may have run through both cells."""
        return all(self.letters.get(at, "?") in "?#%<>^v" for at in run)

    def _free_corners(self, wall: Spot) -> None:
        """Find what is free beside each arrow but the wall, so that it is a corner."""
        line = (*(self.area.cells if self.area else ()), LIVE_END)
        for at, letter in self.picture.cells.items():
            if letter in _WAYS and at != wall:
                row, col = _WAYS[letter]
                sides = [(at[0] + k * col, at[1] + k * row) for k in (1, -1)]
                near = min(sides, key=lambda x: min(_distance(x, end) for end in line))
                both = {(at[0] - row, at[1] - col): 0, near: 0}.keys() - {LIVE_END}
                free = [x for x in both if self.letters.get(x, "?") == "?"]
                self.corners[at] = free
        why = "cells at the corners of obstacles are free, as the program asks"
        self.notes.append(why)

    def draw_moves(self) -> None:
        """Mark the forbidden moves: those crossed, or those of the facts."""
        crosses = self.picture.crosses
        moves = [MOVES[name] for name in self.facts.forbid]
        if crosses and moves and set(crosses) != set(moves):
            why = "other moves are crossed than those that the facts forbid"
            self.picture.fail(why)
        if not crosses:
            self.notes.append(f"what it forbids is from {self.facts.source}")
        for at in crosses or moves:
            letter = self.letters.get(at, "?")
            if letter not in FORBIDDEN:
                self.picture.fail(f"the move to {letter!r} cannot be forbidden", at)
            self.letters[at] = FORBIDDEN[letter]

    def table(self) -> dict[str, Any]:
        """Return the table of the rule, from its note on.

        Of several other obstacles one must be there: they are alternatives.
        """
        others = [at for at in self.runs if self.picture.cells[at] in OTHERS]
        either = others if len(others) > 1 else []
        runs = [run for at, run in self.runs.items() if at not in either]
        letters = dict(self.letters)
        for at in self.corners.keys() - set(either):
            letters |= dict.fromkeys(self.corners[at], ".")
        for at in (at for run in runs for at in run):
            letters[at] = "#" if letters.get(at, "?") == "?" else letters[at]
        one_line = "G" in letters.values() and {"F", "f"} & set(letters.values())
        table: dict[str, Any] = {
            "note": "; ".join(self.notes),
            "turns": list(self.picture.turns or self.facts.turns or ("0",)),
            "one_line": bool(one_line),
            "drawing": rows_of(letters),
            "runs": [list(map(written, run)) for run in runs],
            "area": [area_table(self.area)] if self.area else [],
            "either": [
                {
                    "drawing": rows_of(dict.fromkeys(self.corners.get(at, ()), ".")),
                    "runs": [list(map(written, self.runs[at]))],
                }
                for at in either
            ],
        }
        return {key: value for key, value in table.items() if value}
