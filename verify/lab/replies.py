"""What the server answers: replies to the requests of a page, and their parts."""

import msgspec
from msgspec import Struct

from verify.lab.messages import AreaDrawn, At, Place


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
    forbids: bool
    forbidden: str


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
    """One condition more that makes a part provable, or one less that it can spare.

    The cell at `at` becomes `letter`; or area number `area` gets `kind` or `least`.
    """

    part: str
    text: str
    drop: bool = False
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
