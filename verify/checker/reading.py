"""What a certificate's file says, its shape checked before anything is used.

The file is JSON compressed by xz. Every value is looked at once, here: its type, its
range, that nothing is missing, nothing comes twice and nothing more is there. What is
left are frozen values. A *spot* is a cell as ``(row, col)`` around the live end, row -1
ahead of it. The spots beside an area's line are worked out from the line, not believed.
"""

import hashlib
import json
import lzma
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

Spot = tuple[int, int]
Name = tuple[Any, ...]
Clause = tuple[int, ...]
Step = tuple[Clause, Clause]  # a lemma, and the clauses it follows from, from 1

FORMAT = 4
PACKED, UNPACKED = 16 << 20, 64 << 20  # bytes
FAR = 1000  # no cell of a drawing lies farther from the live end
COUNT = 1 << 20  # no bound of an area is larger

LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
ROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
SCOPES = ("PLAIN", "PLANAR", "RIM", "CORNERS")  # each lies within the one before
KINDS = ("closed", "pair", "impair", "impair-determined", "within", "beyond")
# Where the cell before the live end lies when the page is turned so.
TURNS = {"NONE": (1, 0), "CW": (0, 1), "CCW": (0, -1), "HALF": (-1, 0)}
# Directions on the page that lead out of the board at the start corner.
CORNERS = {
    "IDENTITY": (-1, -1),
    "TRANSPOSE": (-1, -1),
    "FLIP_ROWS": (1, -1),
    "FLIP_COLS": (-1, 1),
    "ROTATE_HALF": (1, 1),
    "ANTI_TRANSPOSE": (1, 1),
    "ROTATE_RIGHT": (1, -1),
    "ROTATE_LEFT": (-1, 1),
}


class Fault(Exception):  # noqa: N818 (its text is what is told)
    """What is wrong with a certificate."""


@dataclass(frozen=True, slots=True)
class Area:
    """An area: free cells cut off by a line of marked ones, and what is counted.

    `line` comes from `base` and runs into `wall`; `inside` and `outside` are the other
    cells beside the line, on the area's side and on the far one.
    """

    line: tuple[Spot, ...]
    base: Spot
    wall: Spot
    left: bool
    inside: frozenset[Spot]
    outside: frozenset[Spot]
    kind: str
    low: int
    high: int
    entry: Spot
    least: int


@dataclass(frozen=True, slots=True)
class Sketch:
    """One drawing: what each cell may be (1 free, 2 visited, 4 out), areas, runs."""

    mask: dict[Spot, int]
    not_end: frozenset[Spot]
    areas: tuple[Area, ...]
    runs: tuple[tuple[Spot, Spot], ...]
    moves: tuple[Spot, ...]
    board: bool
    heading: int
    poses: tuple[str, ...]

    def behind(self, pose: str | None) -> Spot | None:
        """Return the cell before the live end; None if the pose decides."""
        if self.board:
            row, col = NEAR[self.heading]
            return -row, -col
        return None if pose is None else TURNS[pose]


@dataclass(frozen=True, slots=True)
class Part:
    """A proof that no world has a drawing's move in some of its poses."""

    drawing: int
    poses: tuple[str, ...]
    move: Spot
    scope: str
    cells: frozenset[Spot]
    names: tuple[Name, ...]
    clauses: tuple[Clause, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A whole file."""

    rule: str
    scope: str
    sketches: tuple[Sketch, ...]
    parts: tuple[Part, ...]


def unpacked(data: bytes) -> Any:
    """Return the JSON value of a file's bytes; little is unpacked of a bomb."""
    if len(data) > PACKED:
        raise Fault(f"the file has more than {PACKED >> 20} MiB")
    try:
        machine = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
        text = machine.decompress(data, UNPACKED + 1)
        if len(text) > UNPACKED:
            raise Fault(f"it unpacks to more than {UNPACKED >> 20} MiB")
        if not machine.eof or machine.unused_data:
            raise Fault("the file is cut short, or has more behind its end")
        return json.loads(text, parse_constant=_no_number, parse_float=_no_number)
    except (lzma.LZMAError, ValueError, RecursionError, MemoryError):
        raise Fault("it is not xz-compressed JSON of whole numbers") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def hash_of(record: dict[str, Any]) -> str:
    """Return the hash of the stored drawings."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read(data: Any) -> Certificate:
    """Read the JSON value of a certificate.

    Raises
    ------
    Fault
        At the first thing that no certificate has.
    """
    if type(data) is dict and data.get("format") != FORMAT:
        raise Fault(f"it is no certificate of format {FORMAT}")
    top = _keys(data, "the file", "format rule hash scope parts")
    rule = _keys(top["rule"], "the rule", "name drawings")
    if top["hash"] != hash_of(rule):
        raise Fault("the hash is not that of the drawings stored")
    name = _text(rule["name"], "the rule's name")
    if not 0 < len(name) <= 200 or not name.isprintable():
        raise Fault("the rule's name is none that a rule file can give")
    sketches = tuple(_sketch(one) for one in _list(rule["drawings"], "drawings"))
    parts = tuple(_part(one, sketches) for one in _list(top["parts"], "parts"))
    return Certificate(name, _one_of(top["scope"], SCOPES, "scope"), sketches, parts)


# Values of one type -----------------------------------------------------------


def _keys(value: Any, what: str, names: str) -> dict[str, Any]:
    if type(value) is not dict or set(value) != set(names.split()):
        raise Fault(f"{what} must say exactly: {names}")
    return value


def _list(value: Any, what: str, *, least: int = 1) -> list[Any]:
    if type(value) is not list or len(value) < least:
        raise Fault(f"{what} is no list of {least} or more")
    return value


def _text(value: Any, what: str) -> str:
    if type(value) is not str:
        raise Fault(f"{what} is no text")
    return value


def _one_of(value: Any, known: Any, what: str) -> str:
    if type(value) is not str or value not in known:
        raise Fault(f"{what} is none of {', '.join(known)}")
    return value


def _bool(value: Any, what: str) -> bool:
    if type(value) is not bool:
        raise Fault(f"{what} is neither true nor false")
    return value


def _int(value: Any, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Fault(f"{what} is no whole number from {low} to {high}")
    return value


def _ints(values: list[Any], low: int, high: int, what: str) -> Clause:
    if values and (
        {*map(type, values)} != {int} or min(values) < low or max(values) > high
    ):
        raise Fault(f"{what} is no whole number from {low} to {high}")
    return tuple(values)


def _once(values: Any, what: str) -> Any:
    if len(set(values)) < len(values):
        raise Fault(f"{what} names something twice")
    return tuple(values)


def _cell(value: Any, what: str) -> Spot:
    if type(value) is not list or len(value) != 2:
        raise Fault(f"{what} holds no pair of numbers")
    row, col = _ints(value, -FAR, FAR, what)
    return row, col


def _at(value: Any, what: str) -> Spot:
    """Read an offset, so many cells to the left and ahead, as a cell."""
    left, ahead = _cell(value, what)
    return -ahead, -left


# Drawings ---------------------------------------------------------------------


def _sketch(data: Any) -> Sketch:
    one = _keys(data, "a drawing", "needs areas runs forbidden frame heading poses")
    mask, not_end = {}, set()
    for need in _list(one["needs"], "needs", least=0):
        if len(_list(need, "a need")) != 4:
            raise Fault("a need is not left, ahead, states, not the end")
        cell = _at(need[:2], "a need")
        if cell in mask or cell == LIVE:
            raise Fault("needs name a cell twice, or the live end")
        mask[cell] = _int(need[2], 1, 7, "the states of a need")
        if _bool(need[3], "'not the end' of a need"):
            not_end.add(cell)
    areas = tuple(_area(area, mask) for area in _list(one["areas"], "areas", least=0))
    runs = []
    for run in _list(one["runs"], "runs", least=0):
        if len(_list(run, "a run")) != 4:
            raise Fault("a run is not two cells")
        first, then = _at(run[:2], "a run"), _at(run[2:], "a run")
        if first == then or not mask.get(first) == mask.get(then) == 2:
            raise Fault("a run is not two cells that are needed visited")
        runs.append((first, then))
    moves = [_at(move, "a move") for move in _list(one["forbidden"], "forbidden")]
    if not set(moves) <= set(NEAR):
        raise Fault("a forbidden move does not touch the live end")
    board = _one_of(one["frame"], ("heading", "board"), "frame") == "board"
    known = CORNERS if board else TURNS
    poses = [_one_of(pose, known, "a pose") for pose in _list(one["poses"], "poses")]
    return Sketch(
        mask,
        frozenset(not_end),
        areas,
        _once(runs, "runs"),
        _once(moves, "forbidden"),
        board,
        _int(one["heading"], 0, 3 if board else 0, "heading"),
        _once(poses, "poses"),
    )


def _area(data: Any, mask: dict[Spot, int]) -> Area:
    one = _keys(
        data,
        "an area",
        "cells side base wall kind low high entry least",
    )
    line = [_at(cell, "an area's line") for cell in _list(one["cells"], "cells")]
    base, wall = _at(one["base"], "base"), _at(one["wall"], "wall")
    way = [base, *_once(line, "an area's line"), wall]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
    if (
        base == wall
        or any(mask.get(cell) != 1 for cell in line)
        or mask.get(wall, 7) & 1
        or (base != LIVE and mask.get(base, 7) & 1)
        or not {steps[0], steps[-1]} <= set(ROUND)
        or not set(steps[1:-1]) <= set(NEAR)
    ):
        raise Fault("an area's line is not free cells in a row between base and wall")
    left = _one_of(one["side"], ("left", "right"), "side") == "left"
    inside, outside = (_beside(way, steps, turn) for turn in (left, not left))
    if inside & outside:
        raise Fault("a cell lies on both sides of an area's line")
    low, high = (_int(one[key], -COUNT, COUNT, key) for key in ("low", "high"))
    kind = _one_of(one["kind"], KINDS, "kind")
    entry, least = _at(one["entry"], "entry"), _int(one["least"], 0, COUNT, "least")
    if (kind == "within" and low > high) or entry not in line:
        raise Fault("an area's bounds or its entry are none")
    return Area(
        *(tuple(line), base, wall, left, inside, outside, kind, low, high, entry, least)
    )


def _beside(way: list[Spot], steps: list[Spot], left: bool) -> frozenset[Spot]:
    """Return the cells beside a line on one side, going from its base to its wall."""
    found = set()
    for (row, col), come, go in zip(way[1:-1], steps, steps[1:], strict=False):
        at, stop = ROUND.index(go), ROUND.index((-come[0], -come[1]))
        while (at := (at - 1 if left else at + 1) % 8) != stop:
            if at % 2 == 0:
                found.add((row + ROUND[at][0], col + ROUND[at][1]))
    return frozenset(found - {*way, LIVE})


# Parts ------------------------------------------------------------------------


def _part(data: Any, sketches: tuple[Sketch, ...]) -> Part:
    one = _keys(data, "a part", "drawing poses move scope cells names clauses steps")
    number = _int(one["drawing"], 0, len(sketches) - 1, "the drawing of a part")
    sketch = sketches[number]
    poses = [_text(pose, "a pose") for pose in _list(one["poses"], "poses")]
    move = _at(one["move"], "the move of a part")
    if not set(poses) <= set(sketch.poses) or move not in sketch.moves:
        raise Fault("a part is none of its drawing")
    cells = [_cell(cell, "cells") for cell in _list(one["cells"], "cells")]
    names = [_name(name) for name in _list(one["names"], "names", least=0)]
    clauses = [
        _literals(clause, len(names)) for clause in _list(one["clauses"], "clauses")
    ]
    if len({abs(x) for clause in clauses for x in clause}) < len(names):
        raise Fault("a name is in no clause")
    steps: list[Step] = []
    for step in _list(one["steps"], "steps"):
        if len(_list(step, "a step")) != 2:
            raise Fault("a step is not a lemma and what it follows from")
        used = _list(step[1], "what a lemma follows from")
        known = len(clauses) + len(steps)
        numbers = _ints(used, 1, known, "the number of a clause")
        steps.append((_literals(step[0], len(names)), numbers))
    return Part(
        number,
        _once(poses, "poses"),
        move,
        _one_of(one["scope"], SCOPES, "scope"),
        frozenset(_once(cells, "cells")),
        _once(names, "names"),
        tuple(clauses),
        tuple(steps),
    )


def _literals(value: Any, most: int) -> Clause:
    found = _ints(_list(value, "a clause", least=0), -most, most, "a literal")
    if 0 in found or len({*map(abs, found)}) < len(found):
        raise Fault("a clause has a literal 0 or names a variable twice")
    return found


def _name(value: Any) -> Name:
    """Read a name: a word, then numbers and cells; `names` says which there can be."""
    if type(value) is not list or not value or type(value[0]) is not str:
        raise Fault("a name does not begin with a word")
    return value[0], *(
        _cell(x, "a name") if type(x) is list else _int(x, -COUNT, COUNT, "a name")
        for x in value[1:]
    )
