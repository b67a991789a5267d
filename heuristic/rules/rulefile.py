"""Read rule files: TOML with drawings; docs/reference/rules.md explains the language.

Every fault raises `RuleError` with the file, the line, the rule and, inside a drawing,
the row and the column of the cell, all from 1.
"""

import gc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path

from msgspec import UNSET, UnsetType

from heuristic.boards import WORDS, Boards
from heuristic.rules.drawing import (
    FACTS,
    LINE_RULES,
    MOST_COUNTED,
    MOVES,
    Drawing,
    Frame,
    RuleSpec,
    Spot,
)
from heuristic.rules.family import Growth, growth_of, members
from heuristic.rules.letters import FORBID, FORBIDDEN, TURNS, rows_of
from heuristic.rules.obstacles import SEARCHES
from heuristic.rules.page import Page, read_page
from heuristic.rules.schema import (
    CaseTable,
    FormTable,
    PageTable,
    Place,
    RuleTable,
    read_tables,
)
from solver.board import LETTERS
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
    collecting = gc.isenabled()
    gc.disable()  # thousands of drawings, and none of them is garbage
    try:
        return parse_rules(text, path.name)
    finally:
        if collecting:
            gc.enable()


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
    CellNeed((0, -1), FREE, not end)
    """
    rules: dict[str, RuleSpec] = {}
    digest = _digest(text)
    for table, place in read_tables(text, file):
        if table.name in rules:
            place.fail("two rules have this name")
        if table.name in table.unless:
            place.fail("the rule is named in its own unless")
        rules[table.name] = _rule(table, place)
        object.__setattr__(rules[table.name], "source", digest)
    return tuple(rules.values())


@lru_cache(maxsize=4)
def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def _rule(table: RuleTable, place: Place) -> RuleSpec:
    inferred = table.kind == "inference"
    if inferred != (table.name in LINE_RULES):
        names = ", ".join(LINE_RULES)
        place.fail(f"the kind inference goes with these names and no other: {names}")
    drawings = tuple(_drawings(table, place))
    boards = table.boards
    if boards.value not in WORDS:
        place.fail(f"boards is {boards.value!r}, expected one of {', '.join(WORDS)}")
    upright = any(drawing.frame is Frame.BOARD for drawing in drawings)
    if upright and boards is Boards.CORNERS:
        boards = Boards.UPPER_LEFT  # such a drawing knows up from down
    return RuleSpec(
        name=table.name,
        claim=table.claim,
        origin=(table.origin or place.file).strip(),
        reason=table.reason.strip(),
        drawings=drawings,
        stops=table.stops,
        unless=tuple(table.unless),
        note=table.note.strip(),
        file=place.file,
        line=place.line(),
        kind=table.kind,
        boards=boards,
    )


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
    turns = _turns(table, table.turns, place)
    if family:
        yield from _family(table, place, page, overlays)
        return
    if not page.marked(FORBID) and place.rule not in LINE_RULES:
        place.fail("the drawing forbids no move: mark one x, X, S, M, E or f")
    for drawing in _drawn(table, page, overlays):
        variant = " ".join(filter(None, [table.variant.strip(), drawing.variant]))
        yield replace(drawing, turns=turns, variant=variant)


def _family(
    table: FormTable, place: Place, page: Page, overlays: list[Page]
) -> Iterator[Drawing]:
    """Yield the drawings of all members, case by case."""
    for key in ("grow", "cases", "area"):
        if not getattr(table, key):
            place.fail(f"key {key!r} is missing in a family")
    if len(table.grow) > 2:
        place.fail("a family has one or two tables of grow")
    growths = [growth_of(one, place.at("grow", k)) for k, one in enumerate(table.grow)]
    list(_drawn(table, page, overlays))  # what will grow is checked as it is
    grown: dict[tuple[int, ...], tuple[Page, list[Drawing]]] = {}
    for number, case in enumerate(table.cases):
        at = place.at("cases", number)
        turns = _turns(table, case.turns or table.turns, at)
        for steps, label, low, high in members(table, case, page.areas[0].kind, at):
            if steps not in grown:
                larger = [_grown(one, growths, steps) for one in (page, *overlays)]
                grown[steps] = larger[0], list(_drawn(table, larger[0], larger[1:]))
            bare, drawings = grown[steps]
            letters = _forbidding(bare.letters, case, at)
            forbidden = sorted(x for x, letter in letters.items() if letter in FORBID)
            text = "\n".join(rows_of(letters))
            variant = ", ".join(filter(None, [table.variant.strip(), label]))
            for drawing in drawings:
                first, *others = drawing.areas
                if first.kind.bounded:
                    first = replace(first, low=low, high=high)
                yield replace(
                    drawing,
                    text=text + drawing.text.removeprefix(bare.text),
                    areas=(first, *others),
                    forbidden=tuple(forbidden),
                    turns=turns,
                    variant=" ".join(filter(None, [variant, drawing.variant])),
                )


def _grown(page: Page, growths: Sequence[Growth], steps: Sequence[int]) -> Page:
    for growth, times in zip(growths, steps, strict=True):
        page = growth.page(page, times)
    return page


def _forbidding(
    letters: dict[Spot, str], case: CaseTable, place: Place
) -> dict[Spot, str]:
    """Return the letters of a page with the moves of a case forbidden."""
    letters = dict(letters)
    for at in map(MOVES.__getitem__, case.forbid):
        letter = letters.get(at, "?")
        if letter not in FORBIDDEN:
            place.fail(f"the drawing has {letter!r} where a case forbids a move")
        letters[at] = FORBIDDEN[letter]
    if not any(letter in FORBID for letter in letters.values()):
        place.fail("the case forbids no move")
    return letters


def _overlay(table: PageTable, place: Place) -> Page:
    """Return the page of an alternative."""
    page = read_page(table, place)
    for at in page.marked(FORBID):
        page.fail(at, "an alternative cannot forbid more moves")
    for at in page.marked("FGy"):
        page.fail(at, "an alternative cannot hold F, G or y")
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


def _drawn(table: FormTable, page: Page, overlays: Sequence[Page]) -> Iterator[Drawing]:
    """Yield the drawings of a page: one for each alternative, and for each ``y``."""
    for one in (page, *overlays):
        one.check()
    place = page.place
    steps = [word for word, *_ in page.facts if FACTS[word].step]
    if page.facts and place.rule in LINE_RULES:
        place.fail(f"{page.facts[0][0]} has no meaning in an inference of future lines")
    base = Drawing(
        forbidden=tuple(page.marked(FORBID)),
        frame=Frame(table.frame),
        mirror=table.mirror is not False,
        heading=LETTERS.index(table.heading or "U"),
        marks=page.marks(table.one_line),
        facts=page.facts,
    )
    alternatives: list[tuple[int, Page | None]] = [*enumerate(overlays, 1)]
    alternatives = alternatives or [(0, None)]
    seconds: list[Spot | None] = [*page.marked("y")] or [None]
    for (number, overlay), second in product(alternatives, seconds):
        laid = [overlay] if overlay else []
        areas = [area for one in (page, *laid) for area in one.areas]
        if steps and len(areas) > MOST_COUNTED:
            why = f"{steps[0]} counts {MOST_COUNTED} areas at most, not {len(areas)}"
            place.fail(why)
        label = [f"either {number}"] if overlay else []
        if second is not None:
            label.append("y at row {}, column {}".format(*page.row_col(second)))
        yield replace(
            base,
            text="\n\n".join(one.text for one in (page, *laid)),
            needs=page.merged(laid, second),
            areas=tuple(areas),
            runs=tuple(run for one in (page, *laid) for run in one.runs),
            variant=" ".join(label),
        )
