"""Read rule files: TOML with drawings; docs/reference/rules.md explains the language.

Every fault raises `RuleError` with the file, the line, the rule and, inside a drawing,
the row and the column of the cell, all from 1.

A *family* is one drawing whose border grows, with a table of bounds. It is drawn for
its smallest distance. Each entry of ``grow`` names a row or a column of the drawing, by
its offset ``ahead`` or ``left`` of the live end, and a step ``by``. To grow the drawing
k times, that row or column and everything farther out is moved k steps, and the area's
marked cells of the row or column fill the gap: copies of them stand at 0, 1, ... k - 1
steps. So ``by = [0, 1]`` makes a border longer and ``by = [1, 1]`` adds steps to a
stair. Two entries make a family of two distances.

Each entry of ``cases`` names forbidden moves and the bounds of the first area's
surplus for them, one number a distance; ``low`` and ``high`` are lists, or lists of
lists for two distances. A distance beyond the table's end is no member. Where that area
is closed and no more, there are no bounds.
"""

import gc
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from heuristic.boards import WORDS, Boards
from heuristic.rules.drawing import (
    ANY,
    ASKED,
    CLAIMS,
    FACTS,
    LIMIT,
    LINE_RULES,
    MOST_COUNTED,
    MOVES,
    TAKEN,
    AreaSpec,
    CellNeed,
    Drawing,
    Frame,
    Kind,
    RuleSpec,
    Spot,
    VisitOrder,
    left_ahead,
    spot,
    written,
)
from heuristic.rules.fields import Table
from heuristic.rules.letters import FORBID, FORBIDDEN, MARKS, TURNS, rows_of
from heuristic.rules.obstacles import SEARCHES
from heuristic.rules.page import (
    Page,
    no_stray_arrows,
    read_areas,
    read_facts,
    read_marks,
    read_page,
    read_runs,
)
from solver.board import LETTERS
from solver.errors import OptionError, RuleError
from solver.files import read_regular
from solver.symmetry import Symmetry

MOST_BYTES = 1 << 24  # of a rule file; those of the book have a hundred thousand
_LONGEST = 40  # steps that a drawing grows, at most


@dataclass(frozen=True, slots=True)
class Growth:
    """Which rows or columns of a drawing move, and how.

    - `axis`: 0: a row, 1: a column.
    - `at`: the row above the live end, or the column to its left, that moves with all
      that lies farther out; from -1 down.
    - `by`, (row, col): one step; marked cells of the row or column fill the gap.
    """

    axis: int
    at: int
    by: Spot

    def moved(self, cell: Spot, times: int) -> Spot:
        """Return where a cell lies after so many steps."""
        if cell[self.axis] > self.at:
            return cell
        return cell[0] + times * self.by[0], cell[1] + times * self.by[1]

    def copies(self, cell: Spot, times: int) -> list[Spot]:
        """Return where copies of a marked cell stand, the cell itself left out."""
        if cell[self.axis] != self.at:
            return []
        return [
            (cell[0] + k * self.by[0], cell[1] + k * self.by[1]) for k in range(times)
        ]

    def line(self, cells: Sequence[Spot], times: int) -> list[Spot]:
        """Return the marked cells of an area, in order, after so many steps."""
        inner = [cell for cell in cells if cell[self.axis] > self.at]
        fill = [self.copies(c, times) for c in cells if c[self.axis] == self.at]
        outer = [self.moved(c, times) for c in cells if c[self.axis] <= self.at]
        copies = [of[k] for k in range(times) for of in fill]
        if cells and cells[0][self.axis] < cells[-1][self.axis]:
            return [*outer, *copies[::-1], *inner]
        return [*inner, *copies, *outer]


@dataclass(frozen=True, slots=True)
class _Grow:
    """One entry of `grow`: a growth, its name, and how often."""

    name: str
    first: int
    growth: Growth
    every: int
    count: int


def _grow(table: Table) -> _Grow:
    table.only(("name", "first", "left", "ahead", "by", "every", "count"))
    if ("left" in table.data) == ("ahead" in table.data):
        table.fail("an entry of grow names left or ahead, one of them")
    key = "left" if "left" in table.data else "ahead"
    at = table.get(key, int)
    first, every = table.get("first", int, 0), table.get("every", int, 1)
    count, by = table.get("count", int), table.spot(table.data.get("by"), "by")
    if max(map(abs, (first, at, every, count, *by))) > _LONGEST:
        table.fail(f"an entry of grow needs whole numbers up to {_LONGEST}")
    if at < 1 or every < 1 or count < 1 or every * count > _LONGEST:
        table.fail("an entry of grow begins beyond the live end and grows once or more")
    growth = Growth(int(key == "left"), -at, by)
    return _Grow(table.text("name", "D"), first, growth, every, count)


def _table_bound(case: Table, key: str, steps: tuple[int, ...]) -> int | None:
    """Return the number of a table for a member; None beyond the table's end."""
    entry: Any = case.data.get(key)
    for step in steps:
        if type(entry) is not list:
            case.fail(f"{key} of a case must be a list for every distance")
        if step >= len(entry):
            return None
        entry = entry[step]
    if type(entry) is not int:
        case.fail(f"{key} of a case holds {entry!r}, expected a whole number")
    return entry


def _grown(form: dict[str, Any], grow: Growth, times: int) -> dict[str, Any]:
    """Return a form, or an alternative of one, after growing; it was checked before."""

    def moved(cell: Sequence[int]) -> list[int]:
        return written(grow.moved(spot(*cell), times))

    grown = form | {"drawing": _grown_drawing(form["drawing"], grow, times)}
    if "area" in form:
        grown["area"] = [_grown_area(area, grow, times) for area in form["area"]]
    for key in ("runs", *ASKED):
        if key in form:
            grown[key] = [[moved(cell) for cell in pair] for pair in form[key]]
    if "either" in form:
        grown["either"] = [_grown(part, grow, times) for part in form["either"]]
    return grown


def _grown_area(area: dict[str, Any], grow: Growth, times: int) -> dict[str, Any]:
    grown = dict(area)
    for key in {"base", "wall", "entry"} & area.keys():
        grown[key] = written(grow.moved(spot(*area[key]), times))
    if "cells" in area:
        cells = [spot(*cell) for cell in area["cells"]]
        grown["cells"] = [written(cell) for cell in grow.line(cells, times)]
    return grown


def _grown_drawing(drawing: str, grow: Growth, times: int) -> str:
    letters = _letters_of(drawing)
    grown = {grow.moved(at, times): letter for at, letter in letters.items()}
    for at, letter in letters.items():
        if letter not in MARKS:
            continue
        for k, copy in enumerate(grow.copies(at, times)):
            grown[copy] = letter if k == 0 else "m"
        if times and letter in "sS" and at[grow.axis] == grow.at:
            alone = not any(other in "eE" for other in letters.values())
            grown[grow.moved(at, times)] = "e" if alone else "m"
        if times and letter in "eE" and at[grow.axis] == grow.at:
            for copy in grow.copies(at, times):
                grown[copy] = "m"
    return "\n".join(rows_of(grown))


def _letters_of(drawing: str) -> dict[Spot, str]:
    """Return the letters of a drawing by cell."""
    lines = [line.split() for line in drawing.strip().splitlines()]
    ((row, col),) = [
        (r, line.index("@")) for r, line in enumerate(lines) if "@" in line
    ]
    return {
        (r - row, c - col): letter
        for r, line in enumerate(lines)
        for c, letter in enumerate(line)
        if letter != "?"
    }


REASON = "the drawing says so"  # of a rule whose file gives none
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FORM_KEYS = (
    *("drawing", "turns", "mirror", "frame", "heading", "symmetries"),
    *("area", "runs", "either", "variant", "grow", "cases", "one_line"),
    *ASKED,
)
_RULE_KEYS = (
    *("name", "claim", "origin", "reason", "note", "kind", "boards"),
    *("stops", "unless", "form", "found_by"),
)


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
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise RuleError(file, None, "values are nested too deeply") from None
    except ValueError as error:
        raise RuleError(file, None, f"not TOML: {error}") from None
    top = Table(data, file, None, "the file", (), text)
    top.only(("rule",))
    if not data:
        top.fail("there is no rule in it; a rule begins with the line [[rule]]")
    rules: list[RuleSpec] = []
    for table in top.tables("rule", required=True):
        rule = _rule(table)
        if rule.name in [other.name for other in rules]:
            replace(table, rule=rule.name).fail("two rules have this name")
        for name in rule.unless:
            if name == rule.name:
                replace(table, rule=name).fail("the rule is named in its own unless")
        rules.append(rule)
    return tuple(rules)


def _rule(table: Table) -> RuleSpec:
    name = table.text("name")
    table = replace(table, rule=name[:80], what="the rule")
    if not _NAME.fullmatch(name) or len(name) > 80:
        table.fail("a name is lower case letters, digits and single hyphens")
    has_forms = "form" in table.data
    table.only(_RULE_KEYS if has_forms else (*_RULE_KEYS, *_FORM_KEYS))
    kind = table.choice("kind", ["ban", "inference"], "ban")
    if (kind == "inference") != (name in LINE_RULES):
        known = ", ".join(LINE_RULES)
        table.fail(f"the kind inference goes with these names and no other: {known}")
    drawings: list[Drawing] = []
    if kind == "inference" and not has_forms and "drawing" not in table.data:
        pass
    elif "found_by" in table.data:
        if has_forms or "drawing" in table.data:
            table.fail("a rule has drawings or found_by, one of them")
        drawings += SEARCHES[table.choice("found_by", list(SEARCHES))]()
    elif has_forms:
        for form in table.tables("form", required=True):
            form.only(_FORM_KEYS)
            drawings += _members(form)
    else:
        drawings += _members(table)
    rule = RuleSpec(
        name=name,
        claim=table.choice("claim", list(CLAIMS)),
        origin=table.text("origin") if "origin" in table.data else table.file,
        reason=table.text("reason") if "reason" in table.data else REASON,
        drawings=tuple(drawings),
        stops=table.get("stops", bool, False),
        unless=tuple(table.names("unless", [])),
        note=table.text("note", ""),
        file=table.file,
        line=table.line,
        kind=kind,
        boards=_boards(table, drawings),
    )
    object.__setattr__(rule, "source", _digest(table.text_of_file))
    return rule


def _boards(table: Table, drawings: Sequence[Drawing]) -> Boards:
    """Return the boards of a rule; a drawing in the board frame knows up from down."""
    boards = Boards(table.choice("boards", list(WORDS), Boards.CORNERS.value))
    upright = any(drawing.frame is Frame.BOARD for drawing in drawings)
    return Boards.UPPER_LEFT if upright and boards is Boards.CORNERS else boards


@lru_cache(maxsize=4)
def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def _members(table: Table) -> list[Drawing]:
    """Return the drawings of a form, or of every member of a family."""
    if not {"grow", "cases"} & table.data.keys():
        return _form(table)
    grows = [_grow(one) for one in table.tables("grow", required=True)]
    cases = table.tables("cases", required=True)
    if len(grows) > 2:
        table.fail("a family has one or two tables of grow")
    kind = table.tables("area", required=True)[0].data.get("kind")
    counted = ("low", "high") if kind != Kind.CLOSED.value else ()
    plain = {k: v for k, v in table.data.items() if k not in ("grow", "cases")}
    forms: dict[tuple[int, ...], dict[str, Any]] = {}  # by distances, as the others
    read: dict[tuple[int, ...], list[Drawing]] = {}
    turns: dict[str, tuple[Symmetry, ...]] = {}  # as a case has them
    found: list[Drawing] = []
    for case in cases:
        case.only(("forbid", "turns", *counted))
        if not forms:  # what will grow is checked as it is
            read_page(table)
            _form(_case(table, plain, case, dict.fromkeys(counted, 0), ""))
        for steps in product(*(range(grow.count) for grow in grows)):
            bounds = {key: _table_bound(case, key, steps) for key in counted}
            if None in bounds.values():
                continue
            if steps not in forms:
                form = plain
                for grow, step in zip(grows, steps, strict=True):
                    form = _grown(form, grow.growth, step * grow.every)
                forms[steps] = form
            label = ", ".join(
                f"{grow.name} {grow.first + step * grow.every}"
                for grow, step in zip(grows, steps, strict=True)
            )
            member = _case(table, forms[steps], case, bounds, label)
            first, written = read.get(steps), repr(member.data.get("turns"))
            low, high = bounds.get("low") or 0, bounds.get("high") or 0
            good = -LIMIT <= low <= high <= LIMIT  # else it may have to be refused
            if good and first and written in turns and "either" not in plain:
                drawings = [_like(one, member.data, turns[written]) for one in first]
            else:
                drawings = _form(member)
                turns[written] = drawings[0].turns
            read.setdefault(steps, drawings)
            found += drawings
    return found


def _case(
    table: Table, form: dict[str, Any], case: Table, bounds: dict[str, Any], label: str
) -> Table:
    """Return the table of a member, as it would stand in a file."""
    letters = _letters_of(form["drawing"])
    for at in map(MOVES.__getitem__, case.names("forbid", [], MOVES)):
        letter = letters.get(at, "?")
        if letter not in FORBIDDEN:
            case.fail(f"the drawing has {letter!r} where a case forbids a move")
        letters[at] = FORBIDDEN[letter]
    first, *others = form["area"]
    own = {
        "drawing": "\n".join(rows_of(letters)),
        "area": [first | bounds, *others],
        "variant": ", ".join(filter(None, [table.text("variant", ""), label])),
    }
    turned = {"turns": case.data["turns"]} if "turns" in case.data else {}
    return replace(table, data=form | own | turned)


def _like(
    drawing: Drawing, form: dict[str, Any], turns: tuple[Symmetry, ...]
) -> Drawing:
    """Return a drawing of a family as another case of the same distances has it."""
    letters, area = _letters_of(form["drawing"]), form["area"][0]
    bounds = {key: area[key] for key in ("low", "high") if key in area}
    around = ((-1, 0), (0, -1), (0, 1), (1, 0))  # row by row, as drawings are read
    return replace(
        drawing,
        text=form["drawing"],
        areas=(replace(drawing.areas[0], **bounds), *drawing.areas[1:]),
        forbidden=tuple(at for at in around if letters.get(at, "?") in FORBID),
        turns=turns,
    )


def _form(table: Table) -> list[Drawing]:
    page = read_page(table)
    areas, runs, marks = read_areas(page), read_runs(page), read_marks(page)
    no_stray_arrows(page, areas, runs)
    facts = read_facts(page)
    if facts and table.rule in LINE_RULES:
        table.fail(f"{facts[0][0]} has no meaning in an inference of future lines")
    forbidden = tuple(page.marked(FORBID))
    followed = [word for word, *_ in facts if FACTS[word].step]
    if not forbidden and table.rule not in LINE_RULES:
        table.fail("the drawing forbids no move: mark one x, X, S, M, E or f")
    frame = Frame(table.choice("frame", ["heading", "board"], "heading"))
    used = ("turns", "mirror") if frame is Frame.BOARD else ("heading", "symmetries")
    for key in used:
        if key in table.data:
            table.fail(f"{key} has no meaning in the {frame.value} frame")
    if frame is Frame.BOARD:
        names = table.names("symmetries", ["IDENTITY"], Symmetry.__members__)
        turns = tuple(Symmetry[name] for name in names)
    else:
        turns = tuple(TURNS[name] for name in table.names("turns", ["0"], TURNS))
    variant = table.text("variant", "")
    drawings = []
    seconds: list[Spot | None] = [*page.marked("y")] or [None]
    chosen = product(_alternatives(table, page), seconds)
    for (label, overlay, more_areas, more_runs), second in chosen:
        if second is not None:
            row, col = page.places[second]
            label = f"{label} y at row {row}, column {col}".strip()
        counted = len(areas) + len(more_areas)
        if followed and counted > MOST_COUNTED:
            table.fail(
                f"{followed[0]} counts {MOST_COUNTED} areas at most, not {counted}"
            )
        drawings.append(
            Drawing(
                text=page.text if overlay is page else f"{page.text}\n\n{overlay.text}",
                needs=_merged(page, overlay, second),
                areas=(*areas, *more_areas),
                runs=(*runs, *more_runs),
                forbidden=forbidden,
                frame=frame,
                turns=turns,
                mirror=table.get("mirror", bool, True),
                heading=LETTERS.index(table.choice("heading", list(LETTERS), "U")),
                variant=" ".join(part for part in (variant, label) if part),
                marks=marks,
                facts=facts,
            )
        )
    return drawings


def _alternatives(
    table: Table, page: Page
) -> list[tuple[str, Page, tuple[AreaSpec, ...], tuple[VisitOrder, ...]]]:
    """Return the [[either]] tables, read; the page alone when there are none."""
    if "either" not in table.data:
        return [("", page, (), ())]
    found = []
    for number, part in enumerate(table.tables("either", required=True), 1):
        part.only(("drawing", "area", "runs"))
        overlay = read_page(part)
        areas, runs = read_areas(overlay), read_runs(overlay)
        no_stray_arrows(overlay, areas, runs)
        for at in overlay.marked(FORBID):
            overlay.fail(at, "an alternative cannot forbid more moves")
        for at in overlay.marked("FGy"):
            overlay.fail(at, "an alternative cannot hold F, G or y")
        found.append((f"either {number}", overlay, areas, runs))
    return found


def _merged(page: Page, overlay: Page, taken: Spot | None) -> tuple[CellNeed, ...]:
    both = Page(overlay.table, "", dict(page.needs), {}, overlay.places)
    for at, (states, not_end) in overlay.needs.items() if overlay is not page else ():
        both.need(at, states, not_end)
    if taken is not None:
        both.need(taken, TAKEN)
    return tuple(
        CellNeed(at, *both.needs[at])
        for at in sorted(both.needs, key=left_ahead)
        if both.needs[at] != (ANY, False)
    )
