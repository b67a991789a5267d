"""Every message between a page and the server: requests, then replies.

A page sends a `Request`. All replies carry its ``id``, and the last reply is a `Done`
or a `Fault`. Sizes are bounded here, times in `QUEUES`: requests of one queue of a page
run one after the other, and a newer request replaces an older one.

This is the only declaration. ``python -m tests.lab.declared`` writes its TypeScript,
which ``make types`` checks the pages against.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

SIDE = 201  # rows and columns of a board, at most
CELLS = SIDE * SIDE

Side: TypeAlias = Annotated[int, Meta(ge=1, le=SIDE)]
CellAt: TypeAlias = Annotated[int, Meta(ge=0, lt=CELLS)]
Moves: TypeAlias = Annotated[str, Meta(max_length=CELLS, pattern="^[URDL]*$")]
Line: TypeAlias = Annotated[str, Meta(max_length=400)]
Word: TypeAlias = Annotated[str, Meta(max_length=120)]
RuleText: TypeAlias = Annotated[str, Meta(max_length=60_000)]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=48)]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Bound: TypeAlias = Annotated[int, Meta(ge=-(1 << 20), le=1 << 20)]
Turned: TypeAlias = Literal["left", "straight", "right"]
Offset: TypeAlias = Annotated[int, Meta(ge=-100, le=100)]
At: TypeAlias = tuple[Offset, Offset]  # left and ahead of the live end


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a page holds it: the board, and the moves of the walk."""

    rows: Side
    cols: Side
    start: CellAt
    end: CellAt
    walls: Annotated[list[CellAt], Meta(max_length=CELLS)]
    moves: Moves


class Request(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag=str.lower
):
    """A question of a page; `id` is the page's own number for it."""

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Open(Request, frozen=True):
    """Read a position: notation, a saved walk, or a case."""

    text: Annotated[str, Meta(max_length=4_000_000)]
    name: Line = ""


class Look(Request, frozen=True):
    """Draw a position and decide its moves."""

    place: Place
    rules: Line = ""
    future: bool = True
    witness: bool = True


class Count(Request, frozen=True):
    """Count the completions of each move."""

    place: Place


class Go(Request, frozen=True):
    """Extend a walk by rules, exactly or to a completion; or go back to the mistake."""

    place: Place
    how: Literal["rules", "exact", "complete", "back"]
    rules: Line = ""
    seed: Seed = 0


class LeftFirst(Request, frozen=True):
    """Continue a left-first walk under rules, stepping back where it is stuck."""

    place: Place
    rules: Line = ""
    speed: Annotated[int, Meta(ge=0, le=60)] = 0  # rounds a second; 0: no limit
    step: bool = False  # one round only
    stop_stuck: bool = True
    stop_complete: bool = False
    counted: bool = False  # the position, complete or stuck, was counted before


class Why(Request, frozen=True):
    """Explain dead moves by checked certificates."""

    place: Place
    moves: Annotated[str, Meta(max_length=4, pattern="^[URDL]*$")]


class Prove(Request, frozen=True):
    """Write a checked DRAT proof of each dead move."""

    place: Place


class Keep(Request, frozen=True):
    """Save a position as a case."""

    place: Place
    rules: Line = ""


class Export(Request, frozen=True):
    """Return a position as a file, for the page to save."""

    place: Place
    what: Literal["notation", "saved", "svg", "png", "case", "html"]
    rules: Line = ""
    future: bool = True
    witness: bool = True


class AreaDrawn(Struct, frozen=True, forbid_unknown_fields=True):
    """An area of a rule as in its file."""

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
    """Read a rule file, and show one of its rules in the editor."""

    text: RuleText
    rule: Small = 0


class ReadPicture(Request, frozen=True):
    """Read a rule picture of the researcher; `forbid` if it crosses no cell."""

    text: Annotated[str, Meta(max_length=100_000)]
    name: Annotated[str, Meta(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]
    forbid: Annotated[list[Turned], Meta(max_length=3)] = []


class EditRule(ReadRule, frozen=True):
    """Change a rule in the text of its file; missing fields stay as they are."""

    rows: Annotated[list[Word], Meta(max_length=100)] | None = None
    areas: Annotated[list[AreaDrawn], Meta(max_length=8)] | None = None
    turns: Annotated[list[Word], Meta(max_length=4)] | None = None
    mirror: bool | None = None


class JudgeRule(ReadRule, frozen=True):
    """Prove or refute a rule of a file, and list conditions to change."""


class Certify(ReadRule, frozen=True):
    """Prove a rule of a file, and write its certificate."""


class CompareRule(ReadRule, frozen=True):
    """Compare a rule of a file with the rules of the book."""


class SaveRule(Request, frozen=True):
    """Write a rule file."""

    text: RuleText
    file: Word


class BookRule(Request, frozen=True):
    """Show everything about a rule of the book."""

    name: Word


class Book(Request, frozen=True):
    """List the rules of the book with their pictures."""


class Cases(Request, frozen=True):
    """List the cases that contain every word, one page at a time."""

    words: Line = ""
    kind: Word = ""
    first: Small = 0


class Labyrinths(Request, frozen=True):
    """Draw labyrinths."""

    place: Place
    how: Literal["uniform", "steps"] = "steps"
    look: Literal["walls", "line"] = "walls"
    seed: Seed = 0
    count: Few = 1


class Sheets(Labyrinths, frozen=True):
    """Return labyrinths as a file; drawing others does not cancel it."""

    file: Literal["pdf", "svg", "png"] = "pdf"
    paper: Literal["a4", "letter"] = "a4"
    per_page: Few = 1
    solutions: bool = True


class Stop(Request, frozen=True):
    """Cancel the current request of a queue, without a reply."""

    what: Line


SHORT, LONG = 20.0, 120.0  # seconds
# the queue of each request, and its time limit in seconds
QUEUES: dict[type[Request], tuple[str, float]] = {
    Open: ("open", SHORT),
    Look: ("board", LONG),  # kernels of rules may have to be compiled first
    Count: ("count", SHORT),
    Go: ("go", 30.0),
    LeftFirst: ("left", 700.0),
    Why: ("why", SHORT),
    Prove: ("go", LONG),
    Keep: ("go", LONG),
    Export: ("open", SHORT),
    ReadRule: ("edit", SHORT),
    ReadPicture: ("edit", SHORT),
    EditRule: ("edit", SHORT),
    JudgeRule: ("judge", 180.0),
    Certify: ("edit", 180.0),
    CompareRule: ("compare", 60.0),
    SaveRule: ("edit", SHORT),
    BookRule: ("book", SHORT),
    Book: ("book", LONG),  # hundreds of pictures, sent in parts
    Cases: ("cases", LONG),
    Labyrinths: ("labyrinth", LONG),
    Sheets: ("sheets", LONG),
}
_READER = msgspec.json.Decoder[Request](reduce(or_, (*QUEUES, Stop)))
# Raises `DecodeError`, `UnicodeDecodeError` or `RecursionError` for other data.
read_request = _READER.decode


# Replies ---------------------------------------------------------------------------


class Reply(Struct, frozen=True, tag_field="reply", tag=str.lower, omit_defaults=True):
    """An answer of the server; `id` is that of the request, 0 without a request."""

    id: int


class Letter(Struct, frozen=True):
    """A letter of drawings and how pages show it."""

    letter: str
    says: str
    look: str  # the style of the cell
    sign: str  # the text in the cell
    forbids: bool
    forbidden: str  # the letter of the same cell that forbids the move as well
    main: bool  # short legends list it


class Welcome(Reply, frozen=True):
    """The first message of a connection."""

    position: str
    rules: str
    groups: dict[str, str]  # by name, what each is about
    files: list[str]
    letters: list[Letter]


class Done(Reply, frozen=True):
    """The last reply to a request; seconds by the clock."""

    seconds: float


class Fault(Reply, frozen=True):
    """The reason why a request failed."""

    why: str


class Opened(Reply, frozen=True):
    """A position with all its moves."""

    place: Place
    note: str = ""  # what it was read from
    rules: str = ""


class Forbidden(Struct, frozen=True):
    """A move that a rule forbids; areas are indices of `Seen.areas`."""

    rule: str
    move: str
    reason: str
    areas: list[int]


class Area(Struct, frozen=True):
    """An area that rules count, with its colour on the picture."""

    colour: str
    black: int
    white: int


class MoveTruth(Struct, frozen=True):
    """The verdict on a move."""

    move: str
    cell: int
    verdict: str  # name of a `Verdict`
    last: bool = False  # it goes to the end cell, which is entered last


class Seen(Reply, frozen=True):
    """A position: its picture, the verdicts, and the moves that rules forbid."""

    plain: str  # the notation as addresses spell it
    notation: str
    svg: str
    verdict: str  # name of a `Verdict`; empty while no oracle is loaded
    moves: list[MoveTruth]
    forbidden: list[Forbidden]
    areas: list[Area]
    unvisited: int
    rules: str = ""  # that were requested
    ruled: bool = False  # whether they have answered
    rules_fault: str = ""  # why they cannot answer
    why: str = ""  # why the position is dead, if an argument without search shows it
    fatal: tuple[int, str] | None = None  # the first fatal move, numbered from 1
    partial: bool = False  # more follows


class Counted(Reply, frozen=True):
    """Numbers of completions, in decimal because they may be large."""

    total: str
    moves: dict[str, str]


class Went(Reply, frozen=True):
    """The moves of an extended walk, and a remark."""

    moves: str
    note: str


class LeftFirstPart(Reply, frozen=True):
    """The state of a left-first walk, and the counts since the part before."""

    moves: str
    completed: int
    stuck: int
    steps: int
    seconds: float
    fired: dict[str, int]  # moves forbidden here, by rule
    event: str  # why the walk stopped: stuck, complete, finished, step or time


class DeadMove(Struct, frozen=True):
    """Why a move is dead: a sentence, its region, and the edges that leave it."""

    sentence: str
    region: list[int]
    doors: list[tuple[int, int]]


class Reasons(Reply, frozen=True):
    """The moves that a certificate shows to be dead."""

    moves: dict[str, DeadMove]


class Written(Reply, frozen=True):
    """Lines about files that were written, and their paths."""

    lines: list[str]
    files: list[str]


class Exported(Reply, frozen=True):
    """A file for the page to save."""

    name: str
    kind: str  # its media type
    data: str  # base64


class RuleModel(Struct, frozen=True):
    """A rule as the editor shows it."""

    name: str
    forms: int  # 0 if it is one drawing
    rows: list[str]  # the letters of the first drawing
    areas: list[AreaDrawn]
    turns: list[str]
    mirror: bool
    frame: str
    family: bool  # the drawing stands for several
    svg: str


class RuleRead(Reply, frozen=True):
    """A rule file, and the rule that was selected in it."""

    names: list[str]
    text: str = ""  # if it was changed
    model: RuleModel | None = None
    fault: str = ""  # why the file cannot be read


class Figure(Struct, frozen=True):
    """A picture with its caption."""

    caption: str
    svg: str


class Judged(Reply, frozen=True):
    """The verdict on a rule, with a counterexample if it is refuted."""

    name: str
    word: str
    lines: list[str]
    seconds: float
    svg: str = ""
    position: str = ""
    move: str = ""
    completion: str = ""  # the moves that complete the position, `move` first
    local: list[Figure] = []  # configurations that a proof cannot exclude


class Advice(Reply, frozen=True):
    """A condition that would make a part provable."""

    part: str
    text: str
    at: At | None = None  # the cell that one click changes to `letter`
    letter: str = ""


class Compared(Reply, frozen=True):
    """Rules of the book that forbid the same, more, or less, by their drawings."""

    same: list[str]
    implied_by: list[str]
    implies: list[str]


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
    """A part of the rules of the book."""

    rules: list[RuleCard]


class RuleDetails(Reply, frozen=True):
    """A rule of the book: its drawings, its text, and its row of the verdicts."""

    card: RuleCard
    reason: str
    note: str
    text: str
    drawn: list[Figure]
    evidence: dict[str, str]


class CaseCard(Struct, frozen=True):
    """A case with its picture."""

    name: str
    kind: str
    why: str
    rules: str
    plain: str
    svg: str


class CaseList(Reply, frozen=True):
    """A page of the matching cases, from number `first` of `total` on."""

    cases: list[CaseCard]
    first: int
    total: int
    faults: list[str]
    folder: str


class Labyrinth(Struct, frozen=True):
    """A labyrinth: its picture, and its walk as addresses spell it."""

    svg: str
    plain: str


class LabyrinthsDrawn(Reply, frozen=True):
    """Labyrinths with one caption."""

    drawn: list[Labyrinth]
    caption: str


encoded = msgspec.json.Encoder().encode
