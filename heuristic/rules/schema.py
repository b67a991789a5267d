"""The tables of a rule file as typed values; docs/reference/rules.md explains the keys.

A fault names the file, the rule with its line, and the table or the key.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import EnumType
from typing import Annotated, Any, Literal, NoReturn, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from heuristic.rule import Boards
from heuristic.rules.drawing import LIMIT, Claim, Kind
from solver.errors import RuleError

SIZE = 100  # rows and columns of a drawing, at most
LONGEST = 40  # steps that a drawing grows, at most
REASON = "the drawing says so"  # of a rule whose file gives none

_Far = Annotated[int, Meta(ge=-SIZE, le=SIZE)]
Cell = tuple[_Far, _Far]  # left, ahead
Bound = Annotated[int, Meta(ge=-LIMIT, le=LIMIT)]
_Pairs = list[tuple[Cell, Cell]]
_Step = Annotated[int, Meta(ge=1, le=LONGEST)]
_Text = Annotated[str, Meta(min_length=1)]
_Turns = Annotated[list[Literal["0", "cw", "ccw", "180"]], Meta(min_length=1)]
_Symmetries = Annotated[
    list[
        Literal["IDENTITY", "ROTATE_RIGHT", "ROTATE_HALF", "ROTATE_LEFT"]
        | Literal["TRANSPOSE", "ANTI_TRANSPOSE", "FLIP_ROWS", "FLIP_COLS"]
    ],
    Meta(min_length=1),
]


class AreaTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An area; the drawing holds what the table omits."""

    side: Literal["left", "right"]
    kind: Kind
    cells: list[Cell] | None = None
    base: Cell | None = None
    wall: Cell | None = None
    entry: Cell | None = None
    low: Bound | None = None
    high: Bound | None = None
    least: Bound | None = None


class GrowTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row or column of a family that moves."""

    by: Cell
    count: _Step
    left: _Step | None = None
    ahead: _Step | None = None
    name: str = "D"
    first: Annotated[int, Meta(ge=-LONGEST, le=LONGEST)] = 0
    every: _Step = 1


class CaseTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moves of a family with their bounds, a number a distance or lists of them."""

    forbid: list[Literal["straight", "left", "behind", "right"]] = []
    turns: _Turns | UnsetType = UNSET
    low: list[Bound | list[Bound]] | None = None
    high: list[Bound | list[Bound]] | None = None


class PageTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawing with its areas and runs; alone an alternative, `either`."""

    drawing: str = ""
    area: list[AreaTable] = []
    runs: _Pairs = []


class FormTable(PageTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A form of a rule, or a family."""

    turns: _Turns | UnsetType = UNSET
    mirror: bool | UnsetType = UNSET
    frame: Literal["heading", "board"] = "heading"
    heading: Literal["U", "R", "D", "L"] | UnsetType = UNSET
    symmetries: _Symmetries | UnsetType = UNSET
    either: Annotated[list[PageTable], Meta(min_length=1)] | None = None
    variant: str = ""
    grow: Annotated[list[GrowTable], Meta(max_length=2)] = []
    cases: list[CaseTable] = []
    one_line: bool = False
    joined: _Pairs = []
    mates: _Pairs = []
    dead: _Pairs = []


class RuleTable(FormTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule with the keys of its only form, or with `form`."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
    claim: Claim
    origin: _Text | None = None
    reason: _Text = REASON
    note: str = ""
    kind: Literal["ban", "inference"] = "ban"
    boards: Boards = Boards.CORNERS
    stops: bool = False
    unless: list[str] = []
    form: Annotated[list[FormTable], Meta(min_length=1)] | None = None
    found_by: str | None = None


class _File(Struct, forbid_unknown_fields=True):
    rule: Annotated[list[RuleTable], Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a table: file, rule and its line, and the table in words."""

    file: str
    rule: str | None = None
    line: int | None = None
    table: str = ""

    def at(self, key: str, number: int) -> "Location":
        """Return the place of one of the tables in a list."""
        table = f"{key} {number + 1}"
        return replace(self, table=f"{self.table}, {table}" if self.table else table)

    def fail(
        self, why: str, row: int | None = None, col: int | None = None
    ) -> NoReturn:
        """Raise `RuleError`; row and column are those in the drawing, from 1."""
        why = f"{self.table}: {why}" if self.table else why
        raise RuleError(self.file, self.rule, why, row=row, col=col, line=self.line)


def read_tables(text: str, file: str) -> list[tuple[RuleTable, Location]]:
    """Return the rules of a file as tables, each with its place."""
    try:
        data = tomllib.loads(text)
        rules = msgspec.convert(data, type=_File).rule
    except RecursionError:
        raise RuleError(file, None, "values are nested too deeply") from None
    except msgspec.ValidationError as error:
        _refuse(data, str(error), file, text)
    except ValueError as error:
        raise RuleError(file, None, f"not TOML: {error}") from None
    lines = _rule_lines(text, len(rules))
    return [
        (rule, Location(file, rule.name, line))
        for rule, line in zip(rules, lines, strict=True)
    ]


def _rule_lines(text: str, count: int) -> list[int]:
    """Return the line of each rule's header; 1 where the rules have none."""
    quoted = re.compile(r"(\"{3}|'{3}).*?\1", re.DOTALL)
    lines = quoted.sub(lambda x: "\n" * x[0].count("\n"), text).splitlines()
    header = re.compile(r"\s*\[\[\s*rule\s*\]\]")
    numbers = [number for number, line in enumerate(lines, 1) if header.match(line)]
    return numbers if len(numbers) == count else [1] * count


_STRUCTS: dict[str, type[Struct]] = {
    "rule": RuleTable,
    "form": FormTable,
    "either": PageTable,
    "area": AreaTable,
    "grow": GrowTable,
    "cases": CaseTable,
}


def _refuse(data: dict[str, Any], why: str, file: str, text: str) -> NoReturn:
    """Raise `RuleError` for a value that msgspec refuses, with its rule and table."""
    if not data.get("rule"):
        why = "there is no rule in it; a rule begins with the line [[rule]]"
        raise RuleError(file, None, why)
    end = re.search(r" - at `\$([\w.\[\]]*)`$", why)
    path = end[1] if end else ""
    what = why[: end.start() if end else None].replace("`", "")
    place = Location(file)
    rule = re.match(r"\.rule\[(\d+)\]\.?", path)
    rules = data["rule"] if isinstance(data["rule"], list) else []
    if rule and int(rule[1]) < len(rules):
        value = rules[int(rule[1])]
        name = value.get("name") if isinstance(value, dict) else None
        line = _rule_lines(text, len(rules))[int(rule[1])]
        place = Location(file, str(name)[:80] if name else None, line)
    inner = path[rule.end() if rule else 0 :].strip(".").replace(".", ", ")
    table = re.sub(r"\[(\d+)\]", lambda x: f" {int(x[1]) + 1}", inner)
    what = _explained(what, path)
    replace(place, table=table).fail(what[:1].lower() + what[1:])


def _explained(what: str, path: str) -> str:
    """Return what is wrong with a value, with what may stand there instead."""
    tables = [key for key in re.findall(r"(\w+)\[", path) if key in _STRUCTS]
    struct = _STRUCTS[tables[-1]] if tables else _File
    if unknown := re.search(r"unknown field (.*)", what):
        keys = struct.__struct_fields__
        near = get_close_matches(unknown[1], keys, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(keys)}"
        return f"unknown key {unknown[1][:40]!r}; {hint}"
    if "enum" in what:
        hint = get_type_hints(struct)[re.findall(r"[a-z]\w*", path)[-1]]
        words = [getattr(word, "value", word) for word in _words(hint)]
        value = what.removeprefix("Invalid enum value ")
        return f"{value} is none of {', '.join(words)}"
    return what


def _words(hint: Any) -> list[Any]:
    """Return the words that a key may have: texts, or members of an enumeration."""
    if isinstance(hint, EnumType | str):
        return [*hint] if isinstance(hint, EnumType) else [hint]
    return [word for part in get_args(hint) for word in _words(part)]
