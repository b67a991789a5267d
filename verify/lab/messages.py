"""Every message between a page and the server: the one place that lists them.

A page asks with a `Request`, whose ``id`` all replies to it carry; the last one is a
`Done` or a `Fault`. Sizes are bounded here, so that what a handler gets is small, and
times in `lane` and `seconds`: requests of one lane of a page follow each other, a newer
one takes the place of an older one, and none takes longer than its seconds.
`verify.lab.types` prints all of them as TypeScript for the pages.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

SIDE = 201  # rows and columns of a board, at most
CELLS = SIDE * SIDE
TEXT = 4_000_000  # characters of a file that is dropped on the page
RULE = 60_000  # characters of a rule file that is edited

Side: TypeAlias = Annotated[int, Meta(ge=1, le=SIDE)]
CellAt: TypeAlias = Annotated[int, Meta(ge=0, lt=CELLS)]
Moves: TypeAlias = Annotated[str, Meta(max_length=CELLS, pattern="^[URDL]*$")]
Line: TypeAlias = Annotated[str, Meta(max_length=400)]
RuleText: TypeAlias = Annotated[str, Meta(max_length=RULE)]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
FileKind: TypeAlias = Literal["notation", "saved", "saved-svg", "svg", "png", "case"]


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a page holds it: the board, and the moves of the walk."""

    rows: Side
    cols: Side
    start: CellAt
    end: CellAt
    walls: Annotated[list[CellAt], Meta(max_length=CELLS)]
    moves: Moves


class Numbered(Struct, frozen=True):
    """The number of any request, even of one that is none."""

    id: int = 0


class Request(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag=str.lower
):
    """What a page asks; `id` is its own number."""

    lane: ClassVar[str] = "board"
    seconds: ClassVar[float] = 20.0

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Open(Request, frozen=True):
    """Read a position: notation, a saved walk, a picture of one, or a case."""

    lane: ClassVar[str] = "open"

    text: Annotated[str, Meta(max_length=TEXT)]
    name: Line = ""


class Look(Request, frozen=True):
    """Draw a position and say what is known of each move."""

    place: Place
    rules: Line = ""
    future: bool = True
    witness: bool = True


class Count(Request, frozen=True):
    """Count the completions of each move."""

    lane: ClassVar[str] = "count"

    place: Place


class Go(Request, frozen=True):
    """Walk on: by rules until stuck, exactly, along a completion, or back."""

    lane: ClassVar[str] = "go"
    seconds: ClassVar[float] = 30.0

    place: Place
    how: Literal["rules", "exact", "complete", "back"]
    rules: Line = ""
    seed: Seed = 0


class Prove(Request, frozen=True):
    """Write a DRAT proof of every dead move, checked."""

    lane: ClassVar[str] = "go"
    seconds: ClassVar[float] = 120.0

    place: Place


class Keep(Request, frozen=True):
    """Save a position as a case."""

    lane: ClassVar[str] = "go"
    seconds: ClassVar[float] = 120.0

    place: Place
    rules: Line = ""


class Export(Request, frozen=True):
    """Make a file of a position, for the page to save."""

    lane: ClassVar[str] = "open"

    place: Place
    what: FileKind
    rules: Line = ""
    future: bool = True
    witness: bool = True


class Stop(Request, frozen=True):
    """Give up what a lane works on; nothing is replied."""

    what: Line


Asked: TypeAlias = Stop | Open | Look | Count | Go | Prove | Keep | Export
_READER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)


class Reply(Struct, frozen=True, tag_field="tell", tag=str.lower, omit_defaults=True):
    """What the server tells; `id` is that of the request, 0 if nobody asked."""

    id: int


class Group(Struct, frozen=True):
    """A group of rules that can be chosen."""

    name: str
    about: str


class Welcome(Reply, frozen=True):
    """The first message of a connection."""

    version: str
    position: str
    rules: str
    groups: list[Group]
    files: list[str]
    folder: str


class Done(Reply, frozen=True):
    """The last reply to a request; seconds by the clock."""

    seconds: float


class Fault(Reply, frozen=True):
    """Why there is no answer, or no more of it."""

    why: str


class Opened(Reply, frozen=True):
    """A position that was read; `moves` of the place are all, `note` says what of."""

    place: Place
    notation: str
    plain: str  # as `solver.notation.unquoted` spells it: for addresses
    note: str = ""
    rules: str = ""


class Forbidden(Struct, frozen=True):
    """One move that one rule forbids; areas are numbers of `Seen.areas`."""

    rule: str
    move: str
    reason: str
    areas: list[int]


class Area(Struct, frozen=True):
    """An area that rules count, in its colour on the picture."""

    colour: str
    black: int
    white: int
    rules: list[str]


class MoveTold(Struct, frozen=True):
    """What is known of a move; `last` of the end cell, which is entered last."""

    move: str
    cell: int
    verdict: str  # name of a `Verdict`
    last: bool = False


class Fatal(Struct, frozen=True):
    """The first fatal move of a dead walk; `number` counts moves from 1."""

    number: int
    move: str


class Seen(Reply, frozen=True):
    """A position drawn, and what is known of it."""

    plain: str
    notation: str
    svg: str
    verdict: str  # name of a `Verdict`
    moves: list[MoveTold]
    forbidden: list[Forbidden]
    areas: list[Area]
    unvisited: int
    complete: bool = False
    why: str = ""
    fatal: Fatal | None = None
    partial: bool = False  # more is being asked


class Counted(Reply, frozen=True):
    """Completions that begin with each move; decimal, they may be large."""

    total: str
    moves: dict[str, str]


class Went(Reply, frozen=True):
    """Where a walk went: all its moves, and what there is to say."""

    moves: str
    told: str


class Written(Reply, frozen=True):
    """Files that were written in the folder, told in lines."""

    told: list[str]
    files: list[str]


class Exported(Reply, frozen=True):
    """A file for the page to save; bytes are base64."""

    name: str
    kind: str  # its media type
    text: str = ""
    data: str = ""


Told: TypeAlias = (
    Welcome | Done | Fault | Opened | Seen | Counted | Went | Written | Exported
)


def read_request(data: bytes | str) -> Asked:
    """Read a request.

    Raises
    ------
    msgspec.ValidationError, msgspec.DecodeError
        If it is none; the message says where and why.
    """
    return _READER.decode(data)
