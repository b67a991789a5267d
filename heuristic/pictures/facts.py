"""What is known of pictures besides what they hold: a small TOML file."""

import re
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from heuristic.rules.drawing import Offset
from solver.errors import PictureError

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

    Attributes
    ----------
    names : list of str
        The pictures, without the end of the file's name.
    source : str
        Where that is known from.
    forbid : list of str
        Moves that are forbidden; empty where the crosses say it.
    turns : list of str
        Quarter turns, where the picture gives none.
    low, high : int or None
        Bounds of the area's surplus, where neither marks nor the name give them.
    kind : str
        When the area counts: see `heuristic.rules.drawing.Kind`.
    border : list of (left, ahead)
        The cells of the area's line, where some are left out or drawn by hand.
    free : list of (left, ahead)
        Cells that the program asks to be free besides.
    corners : bool
        An arrow is a corner of the older walk, as seen from the border: the cell that
        it comes from and the one beside it towards the border are free.
    unread : str
        Why no rule can be read from the picture; then nothing else is said.
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

    Raises
    ------
    PictureError
        If the file cannot be read, or says what cannot be; names the place.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
        if len(data) > _MOST:
            raise PictureError(path.name, f"is larger than {_MOST:,} bytes")
        tables = msgspec.toml.decode(data, type=_File).picture
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, PictureError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        raise PictureError(path.name, f"cannot be read: {why[:200]}") from None
    found: dict[str, list[Facts]] = {}
    for table in tables:
        for name in table.names:
            found.setdefault(name, []).append(table)
    for name, several in found.items():
        if len(several) > 1 and any(one.unread for one in several):
            raise PictureError(path.name, f"{name!r} is a rule and is unread")
    return found


def surplus_in_name(stem: str, wall: Offset) -> int | None:
    """Return the surplus of white cells that a picture's name gives, if it gives one.

    The author writes it behind the name: ``E`` is as many white as black cells, ``1W``
    one white more, ``vB`` as many black more as the wall lies cells ahead, ``(hp1)W``
    one white more than it lies cells to the side.

    >>> surplus_in_name("StairAtEndConvexIn3_(vp1)B_1", (5, 1))
    -2
    >>> surplus_in_name("StairAtEndConcaveIn2_1W", (4, 1))
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
        count = abs(wall["hv".index(match["far"] or match["of"])])
        count += {"p1": 1, "-1": -1}.get(match["more"] or "", 0)
    return count if match["colour"] == "W" else -count
