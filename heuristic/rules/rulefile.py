"""Read rule files: TOML with drawings; docs/reference/rules.md explains the language.

Every fault raises `RuleError` with the file, the rule with its line and, inside a
drawing, the row and the column of the cell, all from 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from msgspec import UNSET, UnsetType

from heuristic.boards import WORDS, Boards
from heuristic.rules.drawing import LINE_RULES, Drawing, Frame, RuleSpec
from heuristic.rules.family import family_drawings
from heuristic.rules.letters import FORBID, TURNS
from heuristic.rules.obstacles import SEARCHES
from heuristic.rules.page import Page, read_page
from heuristic.rules.schema import FormTable, PageTable, Place, RuleTable, read_tables
from solver.errors import OptionError, RuleError
from solver.files import read_regular
from solver.symmetry import Symmetry

MOST_BYTES = 1 << 24  # of a rule file; those of the book have a hundred thousand


def load_file(path: Path | str) -> tuple[RuleSpec, ...]:
    """Read the rules of a file, in order.

    Raises `RuleError` if the file cannot be read, has more than `MOST_BYTES`, or is not
    a rule file.
    """
    path = Path(path)
    try:
        text = read_regular(path, MOST_BYTES).decode()
    except (OptionError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, OptionError) else "is not UTF-8 text"
        raise RuleError(path.name, None, f"cannot read the file: {reason}") from None
    return parse_rules(text, path.name)


def parse_rules(text: str, file: str = "<text>") -> tuple[RuleSpec, ...]:
    """Read the rules of a text; `file` is the name that errors show.

    >>> rule, = parse_rules('''
    ... [[rule]]
    ... name = "corner"
    ... claim = "sound"
    ... origin = "example"
    ... reason = "the cell on the left could not be left again"
    ... turns = ["0", "cw"]
    ... drawing = \"\"\"
    ... ? ? x ?
    ... % K @ x
    ... ? % ? ?
    ... \"\"\"
    ... ''')
    >>> rule.drawings[0].forbidden
    ((-1, 0), (0, 1))
    >>> rule.drawings[0].need((0, -1))
    CellNeed(at=(0, -1), states=<CellState.FREE: 1>, not_end=True)
    """
    rules: dict[str, RuleSpec] = {}
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()
    for table, place in read_tables(text, file):
        if table.name in rules:
            place.fail("two rules have this name")
        if table.name in table.unless:
            place.fail("the rule is named in its own unless")
        rules[table.name] = _rule(table, place)
        object.__setattr__(rules[table.name], "source", digest)
    return tuple(rules.values())


def _rule(table: RuleTable, place: Place) -> RuleSpec:
    if (table.kind == "inference") != (table.name in LINE_RULES):
        names = ", ".join(LINE_RULES)
        place.fail(f"the kind inference goes with these names and no other: {names}")
    drawings = tuple(_drawings(table, place))
    boards = table.boards
    if boards.value not in WORDS:
        place.fail(f"boards is {boards.value!r}, expected one of {', '.join(WORDS)}")
    upright = any(drawing.frame is Frame.BOARD for drawing in drawings)
    if upright and boards is Boards.CORNERS:
        boards = Boards.UPPER_LEFT  # such a drawing knows up from down
    rule = RuleSpec(
        name=table.name,
        claim=table.claim,
        origin=(table.origin or place.file).strip(),
        reason=table.reason.strip(),
        drawings=drawings,
        stops=table.stops,
        unless=tuple(table.unless),
        note=table.note.strip(),
        file=place.file,
        line=place.line or 1,
        kind=table.kind,
        boards=boards,
    )
    if rule.reads_lines and (rule.stops or rule.unless):
        place.fail("a rule that reads future lines has no stops and no unless")
    return rule


def _drawings(table: RuleTable, place: Place) -> Iterator[Drawing]:
    if table.found_by is not None:
        if table.form is not None or table.drawing:
            place.fail("a rule has drawings or found_by, one of them")
        if table.found_by not in SEARCHES:
            place.fail(f"found_by is none of {', '.join(SEARCHES)}")
        yield from SEARCHES[table.found_by]()
    elif table.form is not None:
        for key in FormTable.__struct_fields__:
            if getattr(table, key) != getattr(FormTable(), key):
                place.fail(f"{key!r} belongs to a form")
        for number, form in enumerate(table.form):
            yield from _form(form, place.at("form", number))
    elif table.drawing or table.kind == "ban":
        yield from _form(table, place)


def _form(table: FormTable, place: Place) -> Iterator[Drawing]:
    """Yield the drawings of a form, or of every member of a family."""
    family = bool(table.grow or table.cases)
    page = read_page(table, place, family=family)
    overlays = [
        _overlay(part, place.at("either", number))
        for number, part in enumerate(table.either or ())
    ]
    if family:
        turns = [
            _turns(table, case.turns or table.turns, place) for case in table.cases
        ]
        drawings = [*page.drawings(table, overlays)]
        yield from family_drawings(table, drawings, turns, place)
        return
    if not page.marked(FORBID) and place.rule not in LINE_RULES:
        place.fail("the drawing forbids no move: mark one x, X, S, M, E or f")
    turned = _turns(table, table.turns, place)
    for drawing in page.drawings(table, overlays):
        variant = f"{table.variant.strip()} {drawing.variant}".strip()
        yield replace(drawing, turns=turned, variant=variant)


def _overlay(table: PageTable, place: Place) -> Page:
    """Return the page of an alternative."""
    page = read_page(table, place)
    for at in page.marked(FORBID + "FGy"):
        page.fail(at, "an alternative cannot forbid more moves, or hold F, G or y")
    return page


def _turns(
    table: FormTable, turns: Sequence[str] | UnsetType, place: Place
) -> tuple[Symmetry, ...]:
    """Return how the page is turned: among the symmetries in the board frame."""
    upright = table.frame == Frame.BOARD.value
    for key in ("turns", "mirror") if upright else ("heading", "symmetries"):
        if getattr(table, key) is not UNSET:
            place.fail(f"{key} has no meaning in the {table.frame} frame")
    if upright:
        return tuple(Symmetry[name] for name in table.symmetries or ["IDENTITY"])
    return tuple(TURNS[name] for name in turns or ["0"])
