"""What a page asks, each kind with its bounds; `verify.lab.messages` lists all."""

from typing import Annotated, ClassVar, Literal, TypeAlias

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
    """What a page asks; `id` is its own number.

    A newer question of its lane lets it go on for `grace` seconds, then ends it.
    """

    lane: ClassVar[str] = "board"
    seconds: ClassVar[float] = 20.0
    grace: ClassVar[float] = 0.15

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Open(Request, frozen=True):
    """Read a position: notation, a saved walk, a picture of one, or a case."""

    lane: ClassVar[str] = "open"

    text: Annotated[str, Meta(max_length=TEXT)]
    name: Line = ""


class Look(Request, frozen=True):
    """Draw a position and say what is known of each move.

    The time is for kernels of rules that have to be compiled first; a newer question
    ends it long before.
    """

    seconds: ClassVar[float] = 120.0

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


Text: TypeAlias = Annotated[str, Meta(max_length=120)]
Bound: TypeAlias = Annotated[int, Meta(ge=-(1 << 20), le=1 << 20)]
At: TypeAlias = tuple[
    Annotated[int, Meta(ge=-100, le=100)], Annotated[int, Meta(ge=-100, le=100)]
]


class AreaDrawn(Struct, frozen=True, forbid_unknown_fields=True):
    """An area of a rule as its file says it; offsets are [left, ahead]."""

    cells: Annotated[list[At], Meta(min_length=1, max_length=100)]
    side: Literal["left", "right"]
    kind: Literal["closed", "pair", "impair", "impair-determined", "within", "beyond"]
    low: Bound | None = None
    high: Bound | None = None
    base: At | None = None
    wall: At | None = None
    entry: At | None = None
    least: Bound | None = None


class ReadRule(Request, frozen=True):
    """Read a rule file: which rules it holds, and one of them to be edited."""

    lane: ClassVar[str] = "edit"

    text: RuleText
    rule: Small = 0
    form: Small = 0


class EditRule(Request, frozen=True):
    """Change a rule in the text of its file; what is not given stays."""

    lane: ClassVar[str] = "edit"

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

    lane: ClassVar[str] = "judge"
    seconds: ClassVar[float] = 180.0
    grace: ClassVar[float] = 0.02  # it is long, or nearly over

    text: RuleText
    rule: Small = 0
    advice: bool = True


class CompareRule(Request, frozen=True):
    """Compare a rule of a file with those of the book."""

    lane: ClassVar[str] = "compare"
    seconds: ClassVar[float] = 60.0
    grace: ClassVar[float] = 20.0  # the book is read once; then it is quick

    text: RuleText
    rule: Small = 0


class SaveRule(Request, frozen=True):
    """Write a rule file into the folder."""

    lane: ClassVar[str] = "edit"

    text: RuleText
    file: Text


class BookRule(Request, frozen=True):
    """Tell all of a rule of the book, or of a file of the folder, by name."""

    lane: ClassVar[str] = "book"

    name: Text


class Book(Request, frozen=True):
    """List the rules of the book, with a picture each."""

    lane: ClassVar[str] = "book"


class Cases(Request, frozen=True):
    """List cases of the corpus, some at a time."""

    lane: ClassVar[str] = "cases"

    words: Line = ""
    kind: Text = ""
    first: Small = 0


class Campaigns(Request, frozen=True):
    """Tell the ledgers of long runs."""

    lane: ClassVar[str] = "campaigns"


class Labyrinths(Request, frozen=True):
    """Draw labyrinths, and make files of them if asked."""

    lane: ClassVar[str] = "labyrinth"
    seconds: ClassVar[float] = 60.0

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

    lane: ClassVar[str] = "sheets"


class Stop(Request, frozen=True):
    """Give up what a lane works on; nothing is replied."""

    what: Line
