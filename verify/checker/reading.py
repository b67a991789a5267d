"""What a certificate's file says, its shape checked before anything is used.

The file is JSON compressed by xz. Every value is looked at once, here: its type, its
range, that nothing is missing, nothing comes twice and nothing more is there. What is
left are frozen values in cells ``(row, col)`` around the live end, row -1 ahead of it.
The cells beside an area's line are worked out from the line, not believed.
"""

import hashlib
import json
import lzma
import marshal
import re
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, NoReturn

from verify.checker.values import (
    Fault,
    bool_of,
    int_of,
    ints_of,
    keys_of,
    list_of,
    once,
    one_of,
    text_of,
)

Spot = tuple[int, int]
Pair = tuple[Spot, Spot]

FAR = 200  # no cell of a drawing lies farther from the live end
LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
ROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_NEXT = {
    ("passes", LIVE),
    ("lacks", LIVE),
    ("dead", LIVE),
}  # what may be said of the next step
WORDS = {  # what the completion does, by the word
    "passes": "passes from {} to {}",
    "lacks": "does not pass from {} to {}",
    "before": "comes to {} before {}",
    "joined": "uses the edge {} to {}",
    "mates": "follows one forced line from {} to {}, or back",
    "dead": "cannot begin with {} to {}: the step is dead when it is followed",
}

Name = tuple[Any, ...]
Clause = tuple[int, ...]
Step = tuple[Clause, Clause]  # a lemma, and the clauses it follows from, from 1

FORMAT = 6
PACKED, UNPACKED = 16 << 20, 64 << 20  # bytes
COUNT = 1 << 20  # no bound of an area is larger
AREAS, ORDERS = 6, 4  # of a drawing, at most: the views of a cell grow exponentially

_NAME = re.compile("[A-Za-z]+(?: -?[0-9]{1,7}(?:,-?[0-9]{1,4})?){1,3}")
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
    """One drawing: what each cell may be (1 free, 2 visited, 4 out), areas, runs.

    Of the completion it may say which cell is its end, and what `lines` holds
    (`WORDS`). It uses the ``joined`` edges, and runs from one of two
    ``mates`` to the other, leaving each by the one joined edge that it has: every
    completion of a matching position does. An `away` drawing says nothing of the live
    end, which may lie anywhere; the cell LIVE only stands for it in what is said of the
    next step.
    """

    mask: dict[Spot, int]
    not_end: frozenset[Spot]
    areas: tuple[Area, ...]
    runs: tuple[Pair, ...]
    moves: tuple[Spot, ...]
    board: bool
    heading: int
    poses: tuple[str, ...]
    lines: dict[str, tuple[Pair, ...]]
    end: Spot | None = None
    away: bool = False

    @property
    def grants(self) -> bool:
        """Whether something is granted of the completion that no position shows."""
        words = ("passes", "lacks", "before")
        return bool(self.end or any(self.lines[word] for word in words))

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
    hash: bytes  # of all that the file says of it and of its drawing
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


def read(data: Any, good: Container[bytes] = ()) -> Certificate:
    """Read the JSON value of a certificate.

    `good` are hashes of parts that were judged before: their proofs are left out.

    Raises `Fault` at the first thing that no certificate has.
    """
    if type(data) is dict and data.get("format") != FORMAT:
        raise Fault(f"it is no certificate of format {FORMAT}")
    top = keys_of(data, "the file", "format rule hash scope parts")
    name, sketches = read_rule(top["rule"])
    if top["hash"] != hash_of(top["rule"]):
        raise Fault("the hash is not that of the drawings stored")
    drawings = top["rule"]["drawings"]
    listed = list_of(top["parts"], "parts")
    parts = tuple(_part(one, drawings, sketches, good) for one in listed)
    return Certificate(name, one_of(top["scope"], SCOPES, "scope"), sketches, parts)


def read_rule(data: Any) -> tuple[str, tuple[Sketch, ...]]:
    """Read a rule's name and its drawings; raises `Fault` as `read` does."""
    rule = keys_of(data, "the rule", "name drawings")
    name = text_of(rule["name"], "the rule's name")
    if not 0 < len(name) <= 200 or not name.isprintable():
        raise Fault("the rule's name is none that a rule file can give")
    drawings = list_of(rule["drawings"], "drawings")
    return name, tuple(map(_sketch, drawings))


# Drawings ---------------------------------------------------------------------


def _sketch(data: Any) -> Sketch:
    one = keys_of(
        data, "a drawing", "needs areas runs lines end forbidden frame heading poses"
    )
    mask, not_end = {}, set()
    for need in list_of(one["needs"], "needs", least=0):
        if len(list_of(need, "a need")) != 4:
            raise Fault("a need is not left, ahead, states, not the end")
        cell = at_of(need[:2], "a need")
        if cell in mask or cell == LIVE:
            raise Fault("needs name a cell twice, or the live end")
        mask[cell] = int_of(need[2], 1, 7, "the states of a need")
        if bool_of(need[3], "'not the end' of a need"):
            not_end.add(cell)
        elif need[2] == 7:
            raise Fault("a need asks for nothing")
    areas = tuple(_area(area, mask) for area in list_of(one["areas"], "areas", least=0))
    runs = [pair_of(run, "a run") for run in list_of(one["runs"], "runs", least=0)]
    frame = one_of(one["frame"], ("heading", "board", "away"), "frame")
    board, away = frame == "board", frame == "away"
    if away and (areas or runs or any(abs(r) + abs(c) < 4 for r, c in mask)):
        raise Fault("a drawing away from the live end has areas or runs, or lies near")
    if len(areas) > AREAS:
        raise Fault(f"a drawing has more than {AREAS} areas")
    if any(not mask.get(a) == mask.get(b) == 2 for a, b in runs):
        raise Fault("a run is not two cells that are needed visited")
    lines = lines_of(list_of(one["lines"], "lines", least=0), mask, away=away)
    if len(runs) + len(lines["before"]) > ORDERS:
        raise Fault(f"a drawing has more than {ORDERS} orders")
    ends = [at_of(cell, "the end") for cell in list_of(one["end"], "end", least=0)]
    if len(ends) > 1 or any(mask.get(x) != 1 or x in not_end for x in ends):
        raise Fault("the end is not one cell that is needed free")
    moves = [at_of(move, "a move") for move in list_of(one["forbidden"], "forbidden")]
    if not set(moves) <= set(NEAR):
        raise Fault("a forbidden move does not touch the live end")
    if any(mask.get(move, 1) not in (1, 7) for move in moves):
        raise Fault("a forbidden cell is needed other than free")
    laid = CORNERS if board else TURNS
    poses = [one_of(pose, laid, "a pose") for pose in list_of(one["poses"], "poses")]
    return Sketch(
        mask,
        frozenset(not_end),
        areas,
        once(runs, "runs"),
        once(moves, "forbidden"),
        board,
        int_of(one["heading"], 0, 3 if board else 0, "heading"),
        once(poses, "poses"),
        lines,
        end=ends[0] if ends else None,
        away=away,
    )


def _area(data: Any, mask: dict[Spot, int]) -> Area:
    one = keys_of(data, "an area", "cells side base wall kind low high entry least")
    line = [at_of(cell, "an area's line") for cell in list_of(one["cells"], "cells")]
    base, wall = at_of(one["base"], "base"), at_of(one["wall"], "wall")
    way = [base, *once(line, "an area's line"), wall]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
    if (
        base == wall
        or any(mask.get(cell) != 1 for cell in line)
        or mask.get(wall, 7) & 1
        or (base != LIVE and mask.get(base, 7) & 1)
        or not set(steps) <= set(ROUND)
    ):
        raise Fault("an area's line is not free cells in a row between base and wall")
    left = one_of(one["side"], ("left", "right"), "side") == "left"
    inside, outside = (_beside(way, steps, turn) for turn in (left, not left))
    if inside & outside:
        raise Fault("a cell lies on both sides of an area's line")
    low, high = (int_of(one[key], -COUNT, COUNT, key) for key in ("low", "high"))
    kind = one_of(one["kind"], KINDS, "kind")
    entry, least = at_of(one["entry"], "entry"), int_of(one["least"], 0, COUNT, "least")
    if (kind == "within" and low > high) or entry not in line:
        raise Fault("an area's bounds or its entry are none")
    if kind not in ("within", "beyond"):
        low = high = 0  # what is not used is not part of the claim
    if kind != "impair-determined":
        entry = line[0]
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


# What is said of pairs of cells ----------------------------------------------
#
# A line of a drawing is a word and two cells: the completion passes the edge between
# them in that order, or lacks that step, or comes to the first before the second; it
# uses the edge (``joined``); or the cells are ``mates``, the ends of a forced line; or
# the step from the live end is ``dead`` when it is followed, so no completion begins
# with it.


def cell_of(value: object, what: str) -> Spot:
    """Read two numbers as a cell, row and column."""
    if type(value) is not list or len(value) != 2:
        raise Fault(f"{what} holds no pair of numbers")
    row, col = ints_of(value, -FAR, FAR, what)
    return row, col


def at_of(value: object, what: str) -> Spot:
    """Read an offset, so many cells to the left and ahead, as a cell."""
    left, ahead = cell_of(value, what)
    return -ahead, -left


def pair_of(data: object, what: str) -> Pair:
    """Read two offsets, given as four numbers, as two different cells."""
    numbers = list_of(data, what)
    if len(numbers) != 4:
        raise Fault(f"{what} is not two cells")
    first, then = at_of(numbers[:2], what), at_of(numbers[2:], what)
    if first == then:
        raise Fault(f"{what} is one cell twice")
    return first, then


def lines_of(
    lines: list[object], mask: dict[Spot, int], *, away: bool
) -> dict[str, tuple[Pair, ...]]:
    """Return the pairs of each word; `mask` says what cells may be.

    A drawing `away` from the live end may say something of the next step.
    """
    found: dict[str, list[Pair]] = {word: [] for word in WORDS}
    for line in lines:
        word, *numbers = list_of(line, "a line")
        one_of(word, WORDS, "the word of a line")
        a, b = pair_of(numbers, "a line")
        touching = (b[0] - a[0], b[1] - a[1]) in NEAR or (away and a == LIVE)
        known = mask.get(b) == 1 and (mask.get(a) == 1 or (word, a) in _NEXT)
        if not known or (word not in ("before", "mates") and not touching):
            raise Fault("a line is not two cells that are needed free, or no edge")
        if word == "dead" and (a != LIVE or away):
            raise Fault("a step that is dead when followed is none of the live end")
        found[word].append((a, b))
    _check_mates(found["joined"], found["mates"], away)
    return {word: once(pairs, "lines") for word, pairs in found.items()}


def _check_mates(joined: list[Pair], mates: list[Pair], away: bool) -> None:
    """Refuse ends of forced lines that do not say by which edge the line leaves."""
    if away and (joined or mates):
        raise Fault("a drawing away from the live end has forced edges")
    if len(set(map(frozenset, joined))) < len(joined):
        raise Fault("a forced edge is given twice")
    sides = [cell for pair in joined for cell in pair]
    ends = [cell for pair in mates for cell in pair]
    if any(sides.count(cell) != 1 or ends.count(cell) != 1 for cell in ends):
        raise Fault("an end of a forced line has not one forced edge, or two lines")


# Parts ------------------------------------------------------------------------


def _part(
    data: Any, drawings: Any, sketches: tuple[Sketch, ...], good: Container[bytes]
) -> Part:
    one = keys_of(
        data, "a part", "drawing poses move scope cells names clauses lemmas used"
    )
    number = int_of(one["drawing"], 0, len(sketches) - 1, "the drawing of a part")
    sketch = sketches[number]
    poses = [text_of(pose, "a pose") for pose in list_of(one["poses"], "poses")]
    move = at_of(one["move"], "the move of a part")
    if not set(poses) <= set(sketch.poses) or move not in sketch.moves:
        raise Fault("a part is none of its drawing")
    cells = [cell_of(cell, "cells") for cell in list_of(one["cells"], "cells")]
    said = marshal.dumps([drawings[number], {**one, "drawing": 0}], 2)
    key = hashlib.sha256(said).digest()
    return Part(
        number,
        once(poses, "poses"),
        move,
        one_of(one["scope"], SCOPES, "scope"),
        frozenset(once(cells, "cells")),
        key,
        *(((), (), ()) if key in good else _proof(one)),
    )


def _proof(one: dict[str, Any]) -> tuple[tuple[Name, ...], Any, Any]:
    """Read the names, clauses and steps of a part."""
    texts = list_of(one["names"], "names", least=0)
    if any(type(text) is not str for text in texts):
        raise Fault("a name is no text")
    names, count = once([_name(text) for text in texts], "names"), len(texts)
    literals = {
        str(sign * i): sign * i for i in range(1, count + 1) for sign in (1, -1)
    }
    clauses = _lists(one["clauses"], literals, "clauses")
    if len({*map(abs, chain.from_iterable(clauses))}) < count:
        raise Fault("a name is in no clause")
    lemmas = _lists(one["lemmas"], literals, "lemmas")
    earlier = {str(i): i for i in range(1, len(clauses) + len(lemmas))}
    used = _lists(one["used"], earlier, "used")
    if len(lemmas) != len(used):
        raise Fault("not each lemma says what it follows from")
    if any(len({*map(abs, lemma)}) < len(lemma) for lemma in lemmas):
        raise Fault("a lemma names a variable twice")
    for known, numbers in enumerate(used, len(clauses)):
        if not numbers or max(numbers) > known:
            raise Fault("a lemma follows from nothing, or from a later one")
    return names, tuple(clauses), tuple(zip(lemmas, used, strict=True))


def _lists(value: Any, known: dict[str, int], what: str) -> list[Clause]:
    """Read lists of numbers, a line for each, as they are spelled in `known`."""
    lines = text_of(value, what).split("\n")
    try:
        return [tuple([known[x] for x in line.split()]) for line in lines]
    except KeyError:
        raise Fault(f"a number of the {what} is none that there can be") from None


@lru_cache(1 << 16)
def _name(text: str) -> Name:
    """Read a name: a word, then numbers and cells; `names` says which there can be."""
    if not _NAME.fullmatch(text):
        raise Fault("a name is not a word, then numbers and cells")
    word, *rest = text.split()
    return word, *(tuple(map(int, x.split(","))) if "," in x else int(x) for x in rest)
