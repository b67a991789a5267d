"""The tables of a rule file as typed values; docs/reference/rules.md explains the keys.

A fault names its line, though TOML readers keep none: `Place` looks it up in the text.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache
from typing import (
    Annotated,
    Any,
    Literal,
    NoReturn,
    TypeAlias,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from heuristic.boards import Boards
from heuristic.rules.drawing import LIMIT, Claim, Kind
from solver.errors import RuleError

SIZE = 100  # rows and columns of a drawing, at most
LONGEST = 40  # steps that a drawing grows, at most
REASON = "the drawing says so"  # of a rule whose file gives none

_Far: TypeAlias = Annotated[int, Meta(ge=-SIZE, le=SIZE)]
Cell: TypeAlias = tuple[_Far, _Far]  # left, ahead
Bound: TypeAlias = Annotated[int, Meta(ge=-LIMIT, le=LIMIT)]
_Pairs: TypeAlias = list[tuple[Cell, Cell]]
_Step: TypeAlias = Annotated[int, Meta(ge=1, le=LONGEST)]
_Text: TypeAlias = Annotated[str, Meta(min_length=1)]
_Turns: TypeAlias = Annotated[
    list[Literal["0", "cw", "ccw", "180"]], Meta(min_length=1)
]
_Symmetries: TypeAlias = Annotated[
    list[
        Literal["IDENTITY", "ROTATE_RIGHT", "ROTATE_HALF", "ROTATE_LEFT"]
        | Literal["TRANSPOSE", "ANTI_TRANSPOSE", "FLIP_ROWS", "FLIP_COLS"]
    ],
    Meta(min_length=1),
]


class AreaTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One area: what is left out is read from the drawing."""

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
    """How a family grows: see `heuristic.rules.family`."""

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
    low: list[int | list[int]] | None = None
    high: list[int | list[int]] | None = None


class PageTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawing with its areas and runs; alone an alternative, `either`."""

    drawing: str = ""
    area: list[AreaTable] = []
    runs: _Pairs = []


class FormTable(PageTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One form of a rule, or a family."""

    turns: _Turns | UnsetType = UNSET
    mirror: bool | UnsetType = UNSET
    frame: Literal["heading", "board"] = "heading"
    heading: Literal["U", "R", "D", "L"] | UnsetType = UNSET
    symmetries: _Symmetries | UnsetType = UNSET
    either: Annotated[list[PageTable], Meta(min_length=1)] | None = None
    variant: str = ""
    grow: list[GrowTable] = []
    cases: list[CaseTable] = []
    one_line: bool = False
    joined: _Pairs = []
    mates: _Pairs = []
    dead: _Pairs = []


class RuleTable(FormTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rule: with the keys of its only form, or with `form`."""

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
class Place:
    """Where a table stands in a file, to complain about it.

    `path` has the key and the number, from 0, of each table on the way.
    """

    file: str
    text: str
    rule: str | None = None
    path: tuple[tuple[str, int], ...] = ()

    def at(self, key: str, number: int) -> "Place":
        """Return the place of one of the tables in a list."""
        return replace(self, path=(*self.path, (key, number)))

    def fail(
        self, why: str, row: int | None = None, col: int | None = None
    ) -> NoReturn:
        """Raise `RuleError` with file, line and rule, and row and column if known."""
        line = self.line(why if row is None else "drawing") if self.path else None
        if line and row is not None:
            rows = self.text.splitlines()[line - 1 :]
            if rows[0].rstrip().endswith(('"', "'")):  # the drawing begins below
                line += next((k for k, x in enumerate(rows) if k and x.strip()), 0)
            line += row - 1
        raise RuleError(self.file, self.rule, why, row=row, col=col, line=line)

    def line(self, why: str = "") -> int:
        r"""Return the line, from 1, of the first key that a text names, or the header.

        >>> text = '[[rule]]\nname = "a"\n[[rule]]\nname = 3\n'
        >>> Place("", text, None, (("rule", 1),)).line("name is no string")
        4
        """
        lines, headers = _lines(self.text)
        begin, end, name, words = 0, len(lines), "", re.findall(r"\w+", why)
        for key, number in self.path:
            name = f"{name}.{key}".removeprefix(".")
            own = [at for at, head in headers if head == name and begin <= at < end]
            if number >= len(own):  # a list written in one line
                words = [key]
                break
            begin = own[number]
            after = [(at, head) for at, head in headers if at > begin]
            outer = [at for at, head in after if not head.startswith(f"{name}.")]
            end = min([*outer, end])
        end = min([*(at for at, _ in headers if at > begin), end])
        for word in dict.fromkeys(words):
            for at in range(begin, end):
                if re.match(rf"\s*[\"']?{word}s?[\"']?\s*=", lines[at]):
                    return at + 1
        return begin + 1


@lru_cache(maxsize=4)
def _lines(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines without what stands in long strings, and all ``[[headers]]``."""
    quoted = re.compile(r"(\"{3}|'{3}).*?\1", re.DOTALL)
    lines = quoted.sub(lambda x: "\n" * x[0].count("\n"), text).splitlines()
    matches = [re.match(r"\s*\[\[\s*([\w.]+)\s*\]\]", line) for line in lines]
    return lines, [(at, match[1]) for at, match in enumerate(matches) if match]


def read_tables(text: str, file: str) -> list[tuple[RuleTable, Place]]:
    """Return the rules of a file as tables, each with its place.

    Raises `RuleError` if it is no TOML, or not of the schema.
    """
    try:
        data = tomllib.loads(text)
        rules = msgspec.convert(data, type=_File).rule
    except RecursionError:
        raise RuleError(file, None, "values are nested too deeply") from None
    except msgspec.ValidationError as error:
        _refuse(data, str(error), Place(file, text))
    except ValueError as error:
        raise RuleError(file, None, f"not TOML: {error}") from None
    return [
        (rule, Place(file, text, rule.name, (("rule", number),)))
        for number, rule in enumerate(rules)
    ]


_STRUCTS: dict[str, type[Struct]] = {
    "rule": RuleTable,
    "form": FormTable,
    "either": PageTable,
    "area": AreaTable,
    "grow": GrowTable,
    "cases": CaseTable,
}


def _refuse(data: dict[str, Any], why: str, place: Place) -> NoReturn:
    """Raise `RuleError` for what msgspec says of a value, as it says it, and where."""
    if not data.get("rule"):
        place.fail("there is no rule in it; a rule begins with the line [[rule]]")
    what, _, where = why.partition(" - at `$")
    value: Any = data
    last, kind = "", ""
    for key, number in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", where):
        if key:
            last = key
            value = value.get(key) if isinstance(value, dict) else None
        elif number.isdigit() and isinstance(value, list):
            value = value[int(number)]
            if last in _STRUCTS and isinstance(value, dict):
                place, kind, last = place.at(last, int(number)), last, ""
                if kind == "rule" and isinstance(value.get("name"), str):
                    place = replace(place, rule=value["name"][:80])
    if unknown := re.search(r"unknown field `(.*)`", what):
        keys = _STRUCTS[kind].__struct_fields__ if kind else ("rule",)
        near = get_close_matches(unknown[1], keys, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(keys)}"
        place.fail(f"unknown key {unknown[1][:40]!r}; {hint}")
    if missing := re.search(r"required field `(.*)`", what):
        place.fail(f"key {missing[1]!r} is missing")
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    if what.startswith("Invalid enum value"):
        options = _options(get_type_hints(_STRUCTS[kind])[last])
        what = f"Expected one of {', '.join(options)}"
    elif "regex" in what:
        what = "Expected lower case letters, digits and hyphens"
    elif last in _PLACES:
        what += "; cells are [left, ahead]"
    what = what.replace("`", "")
    place.fail(f"{last or 'a table'} is {shown}, {what[:1].lower()}{what[1:]}")


_PLACES = ("cells", "base", "wall", "entry", "by", "runs", "joined", "mates", "dead")


def _options(hint: Any) -> list[str]:
    """Return the texts that a key may have."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return [member.value for member in hint]
    options = [hint] if isinstance(hint, str) else []
    return [*options, *(one for part in get_args(hint) for one in _options(part))]
