"""Read rule files: TOML with drawings; docs/reference/rules.md explains the language.

Every fault raises `RuleError` with the file, the line, the rule and, inside a drawing,
the row and the column of the cell, all from 1.
"""

import re
import tomllib
from dataclasses import replace
from itertools import product
from pathlib import Path

from heuristic.language.drawing import (
    CLAIMS,
    PROGRAM,
    TAKEN,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Frame,
    Offset,
    RuleSpec,
    Run,
    Turn,
)
from heuristic.language.family import expand, is_family
from heuristic.language.fields import Table, short
from heuristic.language.inferences import LINE_RULES
from heuristic.language.page import (
    FORBID,
    Page,
    no_stray_arrows,
    read_areas,
    read_marks,
    read_page,
    read_runs,
)
from heuristic.language.ties import read_ties
from solver.board import LETTERS
from solver.errors import RuleError
from solver.symmetry import Symmetry

REASON = "the drawing says so"  # of a rule whose file gives none
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TURNS = {"0": Turn.NONE, "cw": Turn.CW, "ccw": Turn.CCW, "180": Turn.HALF}
_FORM_KEYS = (
    *("drawing", "turns", "mirror", "frame", "heading", "symmetries"),
    *("area", "runs", "either", "variant", "grow", "cases", "one_line"),
    *("joined", "mates"),
)
_RULE_KEYS = (
    *("name", "claim", "origin", "reason", "note", "kind"),
    *("stops", "unless", "form", "program"),
)


def load_file(path: Path | str) -> tuple[RuleSpec, ...]:
    """Read the rules of a file, in order.

    Raises
    ------
    RuleError
        If the file cannot be read or is not a rule file.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode()
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a zero in it
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
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
    ((0, 1), (-1, 0))
    >>> rule.drawings[0].need((1, 0))
    CellNeed((1, 0), FREE, not end)
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise RuleError(file, None, "values are nested too deeply") from None
    except ValueError as error:
        raise RuleError(file, None, f"not TOML: {error}") from None
    top = Table(data, file, None, "the file", (), text)
    top.only(("rule",))
    rules: list[RuleSpec] = []
    for table in top.tables("rule", required=True):
        rule = _rule(table)
        if rule.name in [other.name for other in rules]:
            table.named(rule.name).fail("two rules have this name")
        for name in rule.unless:
            if name == rule.name:
                table.named(name).fail("the rule is named in its own unless")
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
    elif has_forms:
        for form in table.tables("form", required=True):
            form.only(_FORM_KEYS)
            drawings += _members(form)
    else:
        drawings += _members(table)
    return RuleSpec(
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
        program=_program(table),
    )


def _program(table: Table) -> tuple[str, ...]:
    words = table.names("program", [])
    for word in words:
        if word not in PROGRAM:
            table.fail(f"program {short(word)} is none of {', '.join(PROGRAM)}")
    return tuple(words)


def _members(table: Table) -> list[Drawing]:
    """Return the drawings of a form, or of every member of a family."""
    if not is_family(table.data):
        return _form(table)
    return [
        drawing
        for plain in expand(table.data, table.fail)
        for drawing in _form(replace(table, data=plain))
    ]


def _form(table: Table) -> list[Drawing]:
    page = read_page(table)
    areas, runs, marks = read_areas(page), read_runs(page), read_marks(page)
    no_stray_arrows(page, areas, runs)
    joined, mates = read_ties(page)
    if joined and table.rule in LINE_RULES:
        table.fail("joined has no meaning in an inference of future lines")
    forbidden = tuple(page.marked(FORBID))
    if not forbidden and table.rule not in LINE_RULES:
        table.fail("the drawing forbids no move: mark one x, X, S, M, E or f")
    frame = Frame(table.choice("frame", ["heading", "board"], "heading"))
    used = ("turns", "mirror") if frame is Frame.BOARD else ("heading", "symmetries")
    for key in used:
        if key in table.data:
            table.fail(f"{key} has no meaning in the {frame.value} frame")
    turns = table.names("turns", ["0"])
    symmetries = table.names("symmetries", ["IDENTITY"])
    for turn in turns:
        if turn not in _TURNS:
            table.fail(f"turn {short(turn)} is none of {', '.join(_TURNS)}")
    for symmetry in symmetries:
        if symmetry not in Symmetry.__members__:
            known = ", ".join(Symmetry.__members__)
            table.fail(f"symmetry {short(symmetry)} is none of {known}")
    if not turns or not symmetries:
        table.fail("turns and symmetries must not be empty")
    variant = table.text("variant", "")
    drawings = []
    seconds: list[Offset | None] = [*page.marked("y")] or [None]
    chosen = product(_alternatives(table, page), seconds)
    for (label, overlay, more_areas, more_runs), second in chosen:
        if second is not None:
            row, col = page.places[second]
            label = f"{label} y at row {row}, column {col}".strip()
        drawings.append(
            Drawing(
                text=page.text if overlay is page else f"{page.text}\n\n{overlay.text}",
                needs=_merged(page, overlay, second),
                areas=(*areas, *more_areas),
                runs=(*runs, *more_runs),
                forbidden=forbidden,
                frame=frame,
                turns=tuple(_TURNS[turn] for turn in turns),
                mirror=table.get("mirror", bool, True),
                heading=LETTERS.index(table.choice("heading", list(LETTERS), "U")),
                symmetries=tuple(Symmetry[name] for name in symmetries),
                variant=" ".join(part for part in (variant, label) if part),
                marks=marks,
                joined=joined,
                mates=mates,
            )
        )
    return drawings


def _alternatives(
    table: Table, page: Page
) -> list[tuple[str, Page, tuple[AreaSpec, ...], tuple[Run, ...]]]:
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


def _merged(page: Page, overlay: Page, taken: Offset | None) -> tuple[CellNeed, ...]:
    both = Page(overlay.table, "", dict(page.needs), {}, overlay.places)
    for at, (states, not_end) in overlay.needs.items():
        both.need(at, states, not_end)
    if taken is not None:
        both.need(taken, TAKEN)
    return tuple(
        CellNeed(at, states, not_end)
        for at, (states, not_end) in sorted(both.needs.items())
        if states != CellState(7) or not_end
    )
