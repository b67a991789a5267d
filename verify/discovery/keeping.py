"""The pool on disk: so that a search that was stopped goes on.

JSON: the board and the rules it began from, and a record a drawing. What is read is
checked, drawn anew, and asked of the gaps anew; the prover judges it in the end as it
does what was just found.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from heuristic.rules.drawing import ASKED, AreaSpec, Kind, Turn
from heuristic.rules.letters import STATES
from heuristic.rules.rulefile import Growth
from solver.board import Board, Position
from solver.errors import OnewayError, OptionError
from solver.files import make_folder, read_saved, write_whole
from verify.discovery.families import Family
from verify.discovery.gaps import fits
from verify.discovery.question import Found, Picture, sound_ties
from verify.discovery.search import Entry, Pool
from verify.proof.formula import Scope
from verify.proof.view import edge

_SIZE = 64 << 20  # bytes of a list of gaps
_Far: TypeAlias = Annotated[int, Meta(ge=-100, le=100)]  # cells from the live end
_Cell: TypeAlias = tuple[_Far, _Far]
_Line: TypeAlias = Annotated[int, Meta(ge=1, le=100)]  # row or column
_Turn: TypeAlias = Literal["NONE", "CW", "CCW", "HALF"]
_Move: TypeAlias = Literal[0, 1, 3]
_Ways: TypeAlias = Annotated[list[tuple[_Turn, _Move]], Meta(min_length=1)]

Met: TypeAlias = Sequence[tuple[Position, str]]  # gaps, each with its dead moves


class _Record(Struct, omit_defaults=True):
    """One drawing: its cells with letters, its areas, and what it forbids.

    Of an area the marked cells, base and wall, side, kind, low and high. A family has
    `grow` (axis, row or column, step) and `tables` in place of `forbids`.
    """

    cells: list[tuple[_Far, _Far, str]]
    areas: list[
        tuple[
            Annotated[list[_Cell], Meta(min_length=3)],
            Literal["left", "right"],
            Kind,
            int,
            int,
        ]
    ]
    gap: int
    scope: str
    joined: list[tuple[_Cell, _Cell]] = []
    mates: list[tuple[_Cell, _Cell]] = []
    forbids: list[tuple[_Turn, Annotated[list[_Move], Meta(min_length=1)]]] = []
    grow: tuple[Literal[0, 1], _Line, _Far, _Far] | None = None
    tables: list[tuple[_Ways, Annotated[list[_Cell], Meta(min_length=1)]]] = []


class _File(Struct):
    format: Literal[1]
    board: str
    start: str = msgspec.field(name="from")
    met: list[tuple[str, str]] = []
    grown: list[str] = []
    walked: Annotated[int, Meta(ge=0, lt=1 << 60)] = 0
    tried: list[str] = []
    found: list[_Record] = []


class Kept(NamedTuple):
    """What a file keeps of a run.

    - `entries`: the drawings of its pool.
    - `met`, sequence of (Position, str): the gaps that walks met, of boards too large
      to list.
    - `grown`, set of str: pictures whose families were looked for (`key_of`).
    - `walked`: walks made.
    - `tried`, set of str: gaps that nothing explained (`Gaps.key`).
    """

    entries: Sequence[Entry] = ()
    met: Met = ()
    grown: Collection[str] = ()
    walked: int = 0
    tried: Collection[str] = ()


NOTHING = Kept()


def save_pool(path: Path, pool: Pool, start: str, kept: Kept = NOTHING) -> None:
    """Write the drawings of a pool and what else is kept; the file appears whole."""
    data = _File(
        *(1, pool.gaps.board.notation, start),
        met=[(position.notation, moves) for position, moves in kept.met],
        grown=sorted(kept.grown),
        walked=kept.walked,
        tried=sorted(kept.tried),
        found=[_record(entry) for entry in pool.entries],
    )
    make_folder(path.parent)
    write_whole(path, msgspec.json.encode(data).decode() + "\n")


def load_kept(path: Path, board: Board, start: str) -> Kept:
    """Return what a file keeps; nothing if there is no file.

    Raises
    ------
    OptionError
        If the file is no such file, or of another board or other rules; or if a gap is
        no position with moves that it has, of the board or one that fits into it.
    """
    if not path.exists():
        return NOTHING
    data = read_saved(path, _File, "pool of this version")
    try:
        same = fits(Board.parse(data.board), board) and data.start == start
    except OnewayError:
        same = False
    if not same:
        raise OptionError(f"{path}: a pool of another board or of other rules")
    entries = []
    for number, record in enumerate(data.found, 1):
        try:
            entries.append(_entry(record))
        except ValueError as error:
            raise OptionError(f"{path}: drawing {number}: {error}") from None
    met = [_gap(words, path, board) for words in data.met]
    return Kept(entries, met, set(data.grown), data.walked, set(data.tried))


def load_pool(path: Path, pool: Pool, start: str) -> int:
    """Add the drawings of a file to a pool that are not in it; return how many.

    Errors as `load_kept`.
    """
    return pool.add_new(load_kept(path, pool.gaps.board, start).entries)


def key_of(picture: Picture) -> str:
    """Return what a file calls a picture that was grown."""
    text = f"Picture(cells={picture.cells!r}, areas={picture.areas!r})"
    if picture.ties:
        text += "".join(f"{tuple(picture.pairs(word))}" for word in ASKED)
    return sha256(text.encode()).hexdigest()[:16]


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
    text = [line.split("#")[0].split() for line in lines]
    return [_gap(words, path, board) for words in text if words]


def _gap(words: Sequence[str], path: Path, board: Board) -> tuple[Position, str]:
    try:
        position = Position.parse(words[0]) if len(words) == 2 else None
    except OnewayError as error:
        raise OptionError(f"{path}: {error}") from None
    if (
        position is None
        or not fits(position.board, board)
        or position.heading < 0
        or not set(words[1]) <= set(position.options())
    ):
        raise OptionError(f"{path}: {str(words)[:40]} is no gap of {board.notation}")
    return position, "".join(sorted(set(words[1])))


def _record(entry: Entry) -> _Record:
    found, picture = entry.found, entry.found.picture
    record = _Record(
        [(*cell, letter) for cell, letter in picture.cells],
        [
            (
                [*area.cells, area.base, area.wall],
                "left" if area.side == "left" else "right",
                *(area.kind, area.low, area.high),
            )
            for area in picture.areas
        ],
        entry.gap,
        entry.scope.name,
        joined=picture.pairs("joined"),
        mates=picture.pairs("mates"),
    )
    if isinstance(found, Found):
        record.forbids = [(turn.name, list(moves)) for turn, moves in found.forbids]  # type: ignore[misc,arg-type] # of the literals
    else:
        growth = found.growth
        record.grow = (growth.axis, growth.at, *growth.by)  # type: ignore[assignment] # 0 or 1
        record.tables = [
            ([(turn.name, move) for turn, move in ways], list(ranges))  # type: ignore[misc] # of the literals
            for ways, ranges in found.tables
        ]
    return record


def _entry(record: _Record) -> Entry:
    """Draw what a record says anew; raises ValueError with what is wrong."""
    for *_, letter in record.cells:
        if letter not in STATES:
            raise ValueError(f"{letter[:9]!r} is no letter of a cell")
    areas = []
    for (*line, base, wall), side, kind, low, high in record.areas:
        spec = (tuple(line), side, base, wall, kind, low, high, line[0], len(line))
        areas.append(AreaSpec(*spec))
    picture = Picture(
        tuple(sorted(((row, col), letter) for row, col, letter in record.cells)),
        tuple(areas),
        tuple(sorted((x, *edge(a, b)) for x in ASKED for a, b in getattr(record, x))),
    )
    if not sound_ties(picture):
        raise ValueError("forced edges or lines are none")
    if record.scope not in Scope.__members__:
        raise ValueError(f"{record.scope[:9]!r} is no scope")
    found: Found | Family
    if record.grow:
        axis, at, *by = record.grow
        if not areas or not record.tables:
            raise ValueError("a family has an area and tables")
        tables = [
            (tuple((Turn[turn], int(move)) for turn, move in ways), tuple(ranges))
            for ways, ranges in record.tables
        ]
        found = Family(picture, Growth(axis, at, (by[0], by[1])), tuple(tables))
    elif record.forbids:
        forbids = [(Turn[turn], tuple(moves)) for turn, moves in record.forbids]
        found = Found(picture, tuple(forbids))
    else:
        raise ValueError("what it forbids is missing")
    return Entry(found, found.rule(), record.gap, Scope[record.scope])
