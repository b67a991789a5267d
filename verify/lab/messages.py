"""Every message between a page and the server: requests, then replies.

A page asks with a `Request`, whose ``id`` all replies to it carry; the last one is a
`Done` or a `Fault`. Sizes are bounded here, so that what a handler gets is small, and
times in `QUEUES`: requests of one queue of a page follow each other, a newer one takes
the place of an older one, and none takes longer than its seconds.
A test compares them with the TypeScript that the pages are checked by.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Literal, NamedTuple, TypeAlias

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
FileKind: TypeAlias = Literal["notation", "saved", "svg", "png", "case", "html"]


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

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Open(Request, frozen=True):
    """Read a position: notation, a saved walk, or a case."""

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

    place: Place


class Go(Request, frozen=True):
    """Walk on: by rules until stuck, exactly, along a completion, or back."""

    place: Place
    how: Literal["rules", "exact", "complete", "back"]
    rules: Line = ""
    seed: Seed = 0


class LeftFirst(Request, frozen=True):
    """Walk on left first under rules, step back where nothing is left, and count.

    `speed` is rounds a second, 0 as many as there are; `step` is one. `counted` says
    that the position, complete or stuck, was counted before.
    """

    place: Place
    rules: Line = ""
    speed: Annotated[int, Meta(ge=0, le=60)] = 0
    step: bool = False
    stop_stuck: bool = True
    stop_complete: bool = False
    counted: bool = False


class Why(Request, frozen=True):
    """Explain why moves are dead, by checked certificates."""

    place: Place
    moves: Annotated[str, Meta(max_length=4, pattern="^[URDL]*$")]


class Prove(Request, frozen=True):
    """Write a DRAT proof of every dead move, checked."""

    place: Place


class Keep(Request, frozen=True):
    """Save a position as a case."""

    place: Place
    rules: Line = ""


class Export(Request, frozen=True):
    """Make a file of a position, for the page to save."""

    place: Place
    what: FileKind
    rules: Line = ""
    future: bool = True
    witness: bool = True


Text: TypeAlias = Annotated[str, Meta(max_length=120)]
Turned: TypeAlias = Literal["left", "straight", "right"]
Bound: TypeAlias = Annotated[int, Meta(ge=-(1 << 20), le=1 << 20)]
At: TypeAlias = tuple[
    Annotated[int, Meta(ge=-100, le=100)], Annotated[int, Meta(ge=-100, le=100)]
]


class AreaDrawn(Struct, frozen=True, forbid_unknown_fields=True):
    """An area of a rule as its file says it; offsets are [left, ahead]."""

    cells: Annotated[list[At], Meta(min_length=1, max_length=100)]
    side: Literal["left", "right"]
    kind: Literal["closed", "even", "odd", "odd-determined", "within", "beyond"]
    low: Bound | None = None
    high: Bound | None = None
    base: At | None = None
    wall: At | None = None
    entry: At | None = None
    least: Bound | None = None


class ReadRule(Request, frozen=True):
    """Read a rule file: which rules it holds, and one of them to be edited."""

    text: RuleText
    rule: Small = 0
    form: Small = 0


class ReadPicture(Request, frozen=True):
    """Read a rule picture of the researcher; `forbid` is for one that crosses no cell.

    The reader has a bound of bytes besides.
    """

    text: Annotated[str, Meta(max_length=100_000)]
    name: Annotated[str, Meta(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]
    forbid: Annotated[list[Turned], Meta(max_length=3)] = []


class EditRule(Request, frozen=True):
    """Change a rule in the text of its file; what is not given stays."""

    text: RuleText
    rule: Small = 0
    form: Small = 0
    rows: Annotated[list[Text], Meta(max_length=100)] | None = None
    areas: Annotated[list[AreaDrawn], Meta(max_length=8)] | None = None
    words: Annotated[dict[Text, RuleText], Meta(max_length=12)] = {}
    lists: Annotated[dict[Text, list[Text]], Meta(max_length=4)] = {}
    flags: Annotated[dict[Text, bool], Meta(max_length=4)] = {}


class JudgeRule(Request, frozen=True):
    """Prove or refute a rule of a file, then say what it lacks."""

    text: RuleText
    rule: Small = 0
    advice: bool = True


class Certify(Request, frozen=True):
    """Prove a rule of a file, and write its certificate into the folder."""

    text: RuleText
    rule: Small = 0


class CompareRule(Request, frozen=True):
    """Compare a rule of a file with those of the book."""

    text: RuleText
    rule: Small = 0


class SaveRule(Request, frozen=True):
    """Write a rule file into the folder."""

    text: RuleText
    file: Text


class BookRule(Request, frozen=True):
    """Show all of a rule of the book, or of a file of the folder, by name."""

    name: Text


class Book(Request, frozen=True):
    """List the rules of the book, with a picture each."""


class Cases(Request, frozen=True):
    """List cases of the corpus, some at a time."""

    words: Line = ""
    kind: Text = ""
    first: Small = 0


class Labyrinths(Request, frozen=True):
    """Draw labyrinths, and make files of them if asked."""

    place: Place
    how: Literal["uniform", "steps"] = "steps"
    look: Literal["walls", "line"] = "walls"
    seed: Seed = 0
    count: Annotated[int, Meta(ge=1, le=48)] = 1
    file: Literal["", "pdf", "svg", "png"] = ""
    paper: Literal["a4", "letter"] = "a4"
    per_page: Annotated[int, Meta(ge=1, le=48)] = 1
    solutions: bool = True


class Sheets(Labyrinths, frozen=True):
    """Make a file of labyrinths; drawing others does not take its place."""


class Stop(Request, frozen=True):
    """Cancel what a queue works on; there is no reply."""

    what: Line


class Queued(NamedTuple):
    """In which queue of a page a request waits, and how long it may take.

    A newer question of its queue lets it go on for `grace` seconds, then ends it.
    """

    queue: str
    seconds: float = 20.0
    grace: float = 0.15


QUEUES: dict[type[Request], Queued] = {
    Open: Queued("open"),
    Look: Queued("board", 120.0),  # kernels of rules may have to be compiled first
    Count: Queued("count"),
    Go: Queued("go", 30.0),
    LeftFirst: Queued("left", 700.0),
    Why: Queued("why"),
    Prove: Queued("go", 120.0),
    Keep: Queued("go", 120.0),
    Export: Queued("open"),
    ReadRule: Queued("edit"),
    ReadPicture: Queued("edit"),
    EditRule: Queued("edit"),
    JudgeRule: Queued("judge", 180.0, grace=0.02),  # it is long, or nearly over
    Certify: Queued("edit", 180.0),
    CompareRule: Queued("compare", 60.0, grace=20.0),  # the book is read once
    SaveRule: Queued("edit"),
    BookRule: Queued("book"),
    Book: Queued("book", 120.0),  # hundreds of pictures; parts come meanwhile
    Cases: Queued("cases", 120.0),
    Labyrinths: Queued("labyrinth", 120.0),  # kernels may have to be compiled
    Sheets: Queued("sheets", 120.0),
}
_KINDS = [*QUEUES, Stop]
_READER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(reduce(or_, _KINDS))


def read_request(data: bytes | str) -> Request:
    """Read a request.

    Raises `msgspec.ValidationError` or `msgspec.DecodeError` if it is none, with where
    and why; `UnicodeDecodeError` if it is no UTF-8, `RecursionError` if it is too deep.
    """
    return _READER.decode(data)


# Replies ---------------------------------------------------------------------------


class Reply(Struct, frozen=True, tag_field="reply", tag=str.lower, omit_defaults=True):
    """What the server answers; `id` is that of the request, 0 if nobody asked."""

    id: int


class Group(Struct, frozen=True):
    """A group of rules that can be chosen."""

    name: str
    about: str


class Letter(Struct, frozen=True):
    """A letter of drawings; `forbidden` is the one that forbids the move as well."""

    letter: str
    says: str
    look: str  # how a page paints the cell
    sign: str  # what it writes there
    forbids: bool
    forbidden: str
    main: bool  # whether short legends name it


class Welcome(Reply, frozen=True):
    """The first message of a connection."""

    version: str
    position: str
    rules: str
    groups: list[Group]
    files: list[str]
    folder: str
    letters: list[Letter]


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


class MoveTruth(Struct, frozen=True):
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
    """A position drawn, and what is known of it.

    `forbidden` says nothing while `ruled` is false: the rules have not answered, or
    cannot, as `rules_fault` says. `walkless` boards have no walk at all.
    """

    plain: str
    notation: str
    svg: str
    verdict: str  # name of a `Verdict`; empty while no oracle is loaded
    moves: list[MoveTruth]
    forbidden: list[Forbidden]
    areas: list[Area]
    unvisited: int
    rules: str = ""  # what was asked
    ruled: bool = False
    rules_fault: str = ""
    complete: bool = False
    why: str = ""
    fatal: Fatal | None = None
    walkless: bool = False
    partial: bool = False  # more is being asked


class Counted(Reply, frozen=True):
    """Completions that begin with each move; decimal, they may be large."""

    total: str
    moves: dict[str, str]


class Went(Reply, frozen=True):
    """Where a walk went: all its moves, and what there is to say."""

    moves: str
    note: str


class LeftFirstPart(Reply, frozen=True):
    """Where a left-first walk is, and what came since the part before.

    `fired` are the rules that forbid a move here, with how many; `event` is empty while
    it goes on, else ``stuck``, ``complete``, ``finished``, ``step`` or ``time``.
    """

    moves: str
    completed: int
    stuck: int
    steps: int
    seconds: float
    fired: dict[str, int]
    event: str


class DeadMove(Struct, frozen=True):
    """Why a move is dead: a sentence, the region it speaks of, edges out of it."""

    sentence: str
    region: list[int]
    doors: list[tuple[int, int]]


class Reasons(Reply, frozen=True):
    """Why moves are dead, of those that have a certificate."""

    moves: dict[str, DeadMove]


class Written(Reply, frozen=True):
    """Files that were written in the folder, and what to say of them."""

    lines: list[str]
    files: list[str]


class Exported(Reply, frozen=True):
    """A file for the page to save; bytes are base64."""

    name: str
    kind: str  # its media type
    text: str = ""
    data: str = ""


class RuleModel(Struct, frozen=True):
    """A rule of a file, as the grid shows it; `rows` are letters of the drawing."""

    name: str
    claim: str
    reason: str
    forms: int
    rows: list[str]
    areas: list[AreaDrawn]
    turns: list[str]
    mirror: bool
    frame: str
    heading: str
    symmetries: list[str]
    family: bool  # its drawing grows: one of several, the first
    drawings: int
    svg: str


class RuleFault(Struct, frozen=True):
    """Why a rule file cannot be read, and where; 0 is nowhere."""

    why: str
    line: int
    row: int
    col: int


class RuleRead(Reply, frozen=True):
    """A rule file that was read, or written anew: then with its text."""

    names: list[str]
    text: str = ""
    rule: int = 0
    model: RuleModel | None = None
    fault: RuleFault | None = None


class Figure(Struct, frozen=True):
    """A local configuration that a proof cannot exclude."""

    caption: str
    svg: str


class Judged(Reply, frozen=True):
    """The verdict on a rule; `position` and `move` refute it.

    `completion` is the moves after the position that do, the forbidden one first.
    """

    name: str
    word: str
    lines: list[str]
    seconds: float
    svg: str = ""
    position: str = ""
    move: str = ""
    completion: str = ""
    local: list[Figure] = []


class Advice(Reply, frozen=True):
    """One more condition that makes a part provable.

    The cell at `at` becomes `letter`; or area number `area` gets `kind` or `least`.
    """

    part: str
    text: str
    at: At | None = None
    letter: str = ""
    area: int = -1
    kind: str = ""
    least: int = 0


class Compared(Reply, frozen=True):
    """Rules of the book that forbid the same, more, or less, as the drawings say."""

    same: list[str]
    implied_by: list[str]
    implies: list[str]
    asked: int


class RuleCard(Struct, frozen=True):
    """A rule in a list."""

    name: str
    claim: str
    groups: list[str]
    origin: str
    svg: str = ""
    verdict: str = ""
    cases: int = 0


class BookPart(Reply, frozen=True):
    """Rules of the book, a part of them; more follow until the `Done`."""

    rules: list[RuleCard]


class RuleDetails(Reply, frozen=True):
    """All of a rule: its drawings, its own text, what is known of it."""

    card: RuleCard
    reason: str
    note: str
    text: str
    drawn: list[Figure]
    evidence: dict[str, str]
    more: int = 0


class CaseCard(Struct, frozen=True):
    """A case with its picture; `known` are the names in the book that it speaks of."""

    name: str
    kind: str
    why: str
    rules: str
    subject: str
    plain: str
    svg: str
    known: list[str]


class CaseList(Reply, frozen=True):
    """Cases that fit, some of them."""

    cases: list[CaseCard]
    first: int
    total: int
    faults: list[str]
    folder: str


class Labyrinth(Struct, frozen=True):
    """A labyrinth: its picture, and the walk that it is."""

    svg: str
    plain: str


class LabyrinthsDrawn(Reply, frozen=True):
    """Labyrinths that were drawn."""

    drawn: list[Labyrinth]
    caption: str


MORE, LAST = b"+", b"."  # before a reply in a pipe
_WRITER = msgspec.json.Encoder()


def encoded(reply: Reply) -> bytes:
    """Return a reply as the bytes that a page reads."""
    return _WRITER.encode(reply)
