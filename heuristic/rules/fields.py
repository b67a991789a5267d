"""Typed reading of TOML tables; a fault names its line, though `tomllib` keeps none."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any, NoReturn

from heuristic.rules.drawing import Spot, spot
from solver.errors import RuleError

Path = Sequence[tuple[str, int]]  # key and number, from 0, of each table on the way

_HEADER = re.compile(r"\s*\[\[\s*([\w.]+)\s*\]\]")
_QUOTES = re.compile(r'"""|\'\'\'')


def line_of(text: str, path: Path, why: str, row: int | None = None) -> int:
    r"""Return the line, from 1, of a fault in a table of a TOML file.

    The line of a row of its drawing, or of the first key that the message names, or
    else of the table's header.

    >>> text = '[[rule]]\nname = "a"\n[[rule]]\nname = 3\n'
    >>> line_of(text, [("rule", 1)], "name is 3, expected a string")
    4
    """
    lines, inside, headers, places = _prepared(text)
    begin, end = 0, len(lines)
    name = ""
    for key, number in path:
        name = f"{name}.{key}".removeprefix(".")
        heads = places.get(name, [])
        chosen = bisect_left(heads, begin) + number
        if chosen < len(heads) and heads[chosen] < end:
            begin = heads[chosen]
            after = islice(headers, bisect_right(headers, (begin, name)), None)
            leaves = (at for at, head in after if not head.startswith(f"{name}."))
            end = min(next(leaves, end), end)
            continue
        at = _key(lines, inside, begin, end, key)  # a list written in one line
        return (begin if at is None else at) + 1
    if row is not None:
        at = _key(lines, inside, begin, end, "drawing")
        if at is not None:
            return _row(lines, at, row) + 1
    words = []
    for word in re.findall(r"\w+", why):  # a message may speak of one of several
        words += [word, f"{word}s", re.sub("y$", "ies", word)]
    found = [_key(lines, inside, begin, end, word) for word in dict.fromkeys(words)]
    return next((at for at in found if at is not None), begin) + 1


def _header(line: str) -> str:
    found = _HEADER.match(line)
    return found[1] if found else ""


@lru_cache(maxsize=4)
def _prepared(
    text: str,
) -> tuple[list[str], list[bool], list[tuple[int, str]], dict[str, list[int]]]:
    """Return the lines, and whether each begins inside a string of several.

    Then all headers, and the lines of each.
    """
    lines, open_with = text.splitlines(), ""
    inside: list[bool] = []
    for line in lines:
        inside.append(bool(open_with))
        for quotes in _QUOTES.findall(line):
            if not open_with:
                open_with = quotes
            elif open_with == quotes:
                open_with = ""
    named = ((at, _header(line)) for at, line in enumerate(lines) if not inside[at])
    headers, places = [(at, head) for at, head in named if head], dict[str, list[int]]()
    for at, head in headers:
        places.setdefault(head, []).append(at)
    return lines, inside, headers, places


def _key(
    lines: list[str], inside: list[bool], begin: int, end: int, key: str
) -> int | None:
    """Return the line of a key of the table itself, not of one inside it."""
    for at in range(begin, end):
        if not inside[at]:
            if at > begin and _header(lines[at]):
                return None
            if re.match(rf"\s*[\"']?{key}[\"']?\s*=", lines[at]):
                return at
    return None


def _row(lines: list[str], at: int, row: int) -> int:
    """Return the line of a row of the drawing that begins at a line."""
    opened = _QUOTES.search(lines[at])
    if opened is None:
        return at
    if not lines[at][opened.end() :].strip():
        at += 1
        while at < len(lines) and not lines[at].strip():
            at += 1
    return min(at + row - 1, len(lines) - 1)


SIZE = 100  # rows and columns of a drawing, at most


@dataclass(frozen=True, slots=True)
class Table:
    """A TOML table that knows how to complain.

    `path` says where it stands in `text_of_file`, see `lines.line_of`.
    """

    data: dict[str, Any]
    file: str
    rule: str | None
    what: str
    path: tuple[tuple[str, int], ...] = ()
    text_of_file: str = ""

    @property
    def line(self) -> int:
        """The line, from 1, of the table's header."""
        return line_of(self.text_of_file, self.path, "")

    def fail(
        self, why: str, row: int | None = None, col: int | None = None
    ) -> NoReturn:
        """Raise `RuleError` with file, line and rule, and row and column if known."""
        line = line_of(self.text_of_file, self.path, why, row) if self.path else None
        raise RuleError(self.file, self.rule, why, row=row, col=col, line=line)

    def only(self, keys: tuple[str, ...]) -> None:
        """Refuse keys that are not among these."""
        for key in self.data:
            if key not in keys:
                known = f"known: {', '.join(keys)}"
                if near := get_close_matches(key, keys, n=1):
                    known = f"did you mean {near[0]!r}? {known}"
                self.fail(f"unknown key {key[:40]!r} in {self.what}; {known}")

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return a value of exactly this type; a key without default must be there."""
        if key not in self.data:
            if default is None:
                self.fail(f"key {key!r} is missing in {self.what}")
            return default
        value = self.data[key]
        if type(value) is not kind:
            self.fail(f"{key} is {short(value)}, expected {_KINDS[kind]}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return a stripped string, not empty unless it has a default."""
        value: str = self.get(key, str, default)
        value = value.strip()
        if not value and default is None:
            self.fail(f"{key} is empty")
        return value

    def choice(self, key: str, among: list[str], default: str | None = None) -> str:
        """Return a string that is one of these."""
        value = self.text(key, default)
        if value not in among:
            self.fail(f"{key} is {short(value)}, expected one of {', '.join(among)}")
        return value

    def names(
        self, key: str, default: list[str], among: Collection[str] = ()
    ) -> list[str]:
        """Return a list of strings, none twice; one or more of those if some are."""
        values: list[Any] = self.get(key, list, default)
        if among and not values:
            self.fail(f"{key} is empty")
        known = f"some of {', '.join(among)}" if among else "strings"
        for value in values:
            if type(value) is not str or (among and value not in among):
                self.fail(f"{key} holds {short(value)}, expected {known}")
            if values.count(value) > 1:
                self.fail(f"{key} holds {short(value)} twice")
        return values

    def spot(self, value: Any, key: str) -> Spot:
        """Return a cell ``[left, ahead]`` of the file as a cell of the page."""
        good = type(value) is list and len(value) == 2
        if not good or any(type(v) is not int or abs(v) > SIZE for v in value):
            self.fail(f"{key} holds {short(value)}, expected a cell [left, ahead]")
        return spot(*value)

    def spots(self, key: str) -> list[Spot]:
        """Return a list of cells, empty when the key is missing."""
        return [self.spot(value, key) for value in self.get(key, list, [])]

    def tables(self, key: str, required: bool = False) -> "list[Table]":
        """Return the tables of a list, each ready to complain."""
        values = self.get(key, list, None if required else [])
        if required and not values:
            self.fail(f"{key} is empty")
        for value in values:
            if type(value) is not dict:
                self.fail(f"{key} is no list of tables: write [[{key}]]")
        return [
            Table(
                *(value, self.file, self.rule, f"[[{key}]]"),
                *((*self.path, (key, number)), self.text_of_file),
            )
            for number, value in enumerate(values)
        ]


_KINDS: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
}


def short(value: Any) -> str:
    """Return the text of a value, cut to fit a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
