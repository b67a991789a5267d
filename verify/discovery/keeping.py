"""The pool on disk: so that a search that was stopped goes on.

JSON: the board and the rules it began from, and a record a drawing. What is read is
checked, drawn anew, and asked of the gaps anew; the prover judges it in the end as it
does what was just found.
"""

import json
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

from heuristic.rules.drawing import AreaSpec, Kind, Turn
from heuristic.rules.letters import STATES
from solver.board import Board, Position
from solver.errors import OnewayError, OptionError
from solver.files import make_folder, write_whole
from verify.discovery.families import Family, Growth, Way
from verify.discovery.gaps import fits
from verify.discovery.search import Entry, Pool
from verify.discovery.sketch import Found, Picture, sound_ties
from verify.proof.formula import Scope
from verify.proof.view import Edge, Spot, edge

_FORMAT = 1
_FAR = 100  # cells from the live end, as in a drawing
_SIZE = 64 << 20  # bytes of a file


Met: TypeAlias = Sequence[tuple[Position, str]]  # gaps, each with its dead moves


class Beside(NamedTuple):
    """What is kept beside a pool, of boards too large to list.

    Attributes
    ----------
    met : sequence of (Position, str)
        The gaps that walks met.
    grown : set of str
        Pictures whose families were looked for (`key_of`).
    walked : int
        Walks made.
    tried : set of str
        Gaps that nothing explained (`Gaps.key`).
    """

    met: Met = ()
    grown: Collection[str] = ()
    walked: int = 0
    tried: Collection[str] = ()


NOTHING = Beside()


def save_pool(path: Path, pool: Pool, start: str, beside: Beside = NOTHING) -> None:
    """Write the drawings of a pool; the file appears whole."""
    data = {
        "format": _FORMAT,
        "board": pool.gaps.board.notation,
        "from": start,
        "met": [[position.notation, moves] for position, moves in beside.met],
        "grown": sorted(beside.grown),
        "walked": beside.walked,
        "tried": sorted(beside.tried),
        "found": [_record(entry) for entry in pool.entries],
    }
    make_folder(path.parent)
    write_whole(path, json.dumps(data, separators=(",", ":")) + "\n")


def load_pool(path: Path, pool: Pool, start: str) -> int:
    """Add the drawings of a file to a pool that are not in it; return how many.

    Raises
    ------
    OptionError
        If the file is no such file, or of another board or other rules.
    """
    data = _read(path, pool.gaps.board, start)
    records = data.get("found", [])
    if not isinstance(records, list):
        raise OptionError(f"{path}: 'found' is no list")
    known = {entry.found for entry in pool.entries}
    found = [_entry(record, path, n) for n, record in enumerate(records, 1)]
    new = [entry for entry in found if entry.found not in known]
    pool.extend(new)
    return len(new)


def key_of(picture: Picture) -> str:
    """Return what a file calls a picture that was grown."""
    told = f"Picture(cells={picture.cells!r}, areas={picture.areas!r})"
    if picture.joined:
        told += f"{picture.joined}{picture.mates}"
    return sha256(told.encode()).hexdigest()[:16]


def load_names(path: Path, board: Board, start: str, key: str) -> set[str]:
    """Return what a file calls `grown` or `tried`; errors as `load_pool`."""
    values = _read(path, board, start).get(key, [])
    if not isinstance(values, list) or any(type(v) is not str for v in values):
        raise OptionError(f"{path}: {key!r} is no list of names")
    return set(values)


def load_walked(path: Path, board: Board, start: str) -> int:
    """Return how many walks were made for a file; errors as `load_pool`."""
    value = _read(path, board, start).get("walked", 0)
    if type(value) is not int or not 0 <= value < 1 << 60:
        raise OptionError(f"{path}: 'walked' is no number of walks")
    return value


def load_met(path: Path, board: Board, start: str) -> Met:
    """Return the gaps that a file keeps; none if there is no file.

    Raises
    ------
    OptionError
        As `load_pool`, or if a gap is no position with moves that it has, of the board
        or one that fits into it.
    """
    values = _read(path, board, start).get("met", [])
    if not isinstance(values, list):
        raise OptionError(f"{path}: 'met' is no list")
    return [_gap(value, path, board) for value in values]


def read_gaps(path: Path, board: Board) -> Met:
    """Return the gaps of a text file: a position and its dead moves a line.

    What comes after ``#`` is left out, as are empty lines.

    Raises
    ------
    OptionError
        If the file cannot be read, or a line is no position of a board that fits into
        this one (`verify.discovery.gaps.fits`), with moves that it has.
    """
    try:
        if path.stat().st_size > _SIZE:
            raise OptionError(f"{path}: too large for a list of gaps")
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path}: cannot be read: {error}") from None
    told = [line.split("#")[0].split() for line in lines]
    return [_gap(words, path, board) for words in told if words]


def _gap(value: Any, path: Path, board: Board) -> tuple[Position, str]:
    pair = isinstance(value, list) and [type(x) for x in value] == [str, str]
    try:
        position = Position.parse(value[0]) if pair else None
    except OnewayError as error:
        raise OptionError(f"{path}: {error}") from None
    if (
        position is None
        or not fits(position.board, board)
        or position.heading < 0
        or not set(value[1]) <= set(position.options())
    ):
        raise OptionError(f"{path}: {str(value)[:40]} is no gap of {board.notation}")
    return position, "".join(sorted(set(value[1])))


def _read(path: Path, board: Board, start: str) -> dict[str, Any]:
    """Return what a file holds, nothing if it is not there.

    Raises
    ------
    OptionError
        If the file is no such file, or of another board or other rules.
    """
    try:
        if path.stat().st_size > _SIZE:
            raise OptionError(f"{path}: too large for a pool")
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise OptionError(f"{path}: cannot be read as a pool: {error}") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise OptionError(f"{path}: no pool of this version")
    if not _of(data.get("board"), board) or data.get("from") != start:
        raise OptionError(f"{path}: a pool of another board or of other rules")
    return data


def _of(value: Any, board: Board) -> bool:
    """Tell whether a file names a board that fits into this one."""
    try:
        return isinstance(value, str) and fits(Board.parse(value), board)
    except OnewayError:
        return False


def _record(entry: Entry) -> dict[str, Any]:
    found = entry.found
    record = {
        "cells": [[*cell, letter] for cell, letter in found.picture.cells],
        "areas": [_area_record(area) for area in found.picture.areas],
        "gap": entry.gap,
        "scope": entry.scope.name,
    }
    if found.picture.joined:
        for key, pairs in (
            ("joined", found.picture.joined),
            ("mates", found.picture.mates),
        ):
            record[key] = [[list(a), list(b)] for a, b in pairs]
    if isinstance(found, Found):
        forbids = [[turn.name, list(moves)] for turn, moves in found.forbids]
        return record | {"forbids": forbids}
    growth = [found.growth.axis, found.growth.at, *found.growth.by]
    tables = [
        [[[turn.name, move] for turn, move in ways], [list(pair) for pair in ranges]]
        for ways, ranges in found.tables
    ]
    return record | {"grow": growth, "tables": tables}


def _area_record(area: AreaSpec) -> list[Any]:
    cells = [list(at) for at in (*area.cells, area.base, area.wall)]
    return [cells, area.side, area.kind.value, area.low, area.high]


def _entry(record: Any, path: Path, number: int) -> Entry:
    def fail(why: str) -> NoReturn:
        raise OptionError(f"{path}: drawing {number}: {why}")

    def spot(value: Any) -> Spot:
        if (
            not isinstance(value, list)
            or len(value) != 2
            or any(type(v) is not int or abs(v) > _FAR for v in value)
        ):
            fail(f"{str(value)[:40]} is no cell")
        return value[0], value[1]

    def area(value: Any) -> AreaSpec:
        if not isinstance(value, list) or len(value) != 5:
            fail("an area is five values")
        cells, side, kind, low, high = value
        if not isinstance(cells, list) or len(cells) < 3:
            fail("an area has a cell, a base and a wall")
        *line, base, wall = (spot(cell) for cell in cells)
        if side not in ("left", "right") or kind not in [k.value for k in Kind]:
            fail("an area has a side and a kind")
        if type(low) is not int or type(high) is not int:
            fail("bounds are whole numbers")
        return AreaSpec(
            tuple(line), side, base, wall, Kind(kind), low, high, line[0], len(line)
        )

    if not isinstance(record, dict):
        fail("no table")
    lists: dict[str, Sequence[Any]] = {}
    last = ("grow", "tables") if "grow" in record else ("forbids",)
    for key in ("cells", "areas", *last):
        if not isinstance(record.get(key), list):
            fail(f"{key!r} is no list")
        lists[key] = record[key]
    cells = []
    for value in lists["cells"]:
        if not isinstance(value, list) or len(value) != 3 or value[2] not in STATES:
            fail(f"{str(value)[:40]} is no cell with its letter")
        cells.append((spot(value[:2]), str(value[2])))
    areas = tuple(area(value) for value in lists["areas"])

    def pairs(key: str) -> tuple[Edge, ...]:
        told = record.get(key, [])
        if not isinstance(told, list):
            fail(f"{key!r} is no list")
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in told):
            fail(f"{key!r} holds no pairs of cells")
        return tuple(sorted(edge(spot(a), spot(b)) for a, b in told))

    picture = Picture(tuple(sorted(cells)), areas, pairs("joined"), pairs("mates"))
    if not sound_ties(picture):
        fail("forced edges or lines are none")
    gap, scope = record.get("gap"), str(record.get("scope"))
    if type(gap) is not int or scope not in Scope.__members__:
        fail("gap or scope is missing")
    if "grow" in record:
        if not areas:
            fail("a family has an area")
        growth, tables = _growth(lists["grow"], fail), _tables(lists["tables"], fail)
        family = Family(picture, growth, tables)
        return Entry(family, family.rule(), gap, Scope[scope])
    forbids = []
    for value in lists["forbids"]:
        good = isinstance(value, list) and len(value) == 2
        if not good or value[0] not in Turn.__members__ or not value[1]:
            fail(f"{str(value)[:40]} is no turn with its moves")
        if any(move not in (0, 1, 3) for move in value[1]):
            fail(f"{str(value[1])[:40]} are no moves")
        forbids.append((Turn[value[0]], tuple(value[1])))
    if not forbids:
        fail("what it forbids is missing")
    found = Found(picture, tuple(forbids))
    return Entry(found, found.rule(), gap, Scope[scope])


def _numbers(value: Any, count: int) -> bool:
    """Tell whether a value is a list of so many whole numbers, none of them large."""
    return (
        isinstance(value, list)
        and len(value) == count
        and all(type(v) is int and abs(v) <= _FAR for v in value)
    )


def _growth(value: Any, fail: Callable[[str], NoReturn]) -> Growth:
    if not _numbers(value, 4) or value[0] not in (0, 1) or value[1] < 1:
        fail(f"{str(value)[:40]} does not say how a picture grows")
    axis, at, left, ahead = value
    return Growth(axis, at, (left, ahead))


def _tables(
    values: Sequence[Any], fail: Callable[[str], NoReturn]
) -> tuple[tuple[tuple[Way, ...], tuple[tuple[int, int], ...]], ...]:
    found = []
    for value in values:
        pair = isinstance(value, list) and len(value) == 2
        if not pair or not all(isinstance(v, list) and v for v in value):
            fail(f"{str(value)[:40]} is no table of ways and ranges")
        ways, ranges = value
        for way in ways:
            good = isinstance(way, list) and len(way) == 2
            if not good or way[0] not in Turn.__members__ or way[1] not in (0, 1, 3):
                fail(f"{str(way)[:40]} is no turn with its move")
        if not all(_numbers(one, 2) for one in ranges):
            fail("a range is two whole numbers")
        found.append(
            (
                tuple((Turn[turn], int(move)) for turn, move in ways),
                tuple((low, high) for low, high in ranges),
            )
        )
    if not found:
        fail("a family has tables")
    return tuple(found)
