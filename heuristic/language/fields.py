"""Typed reading of TOML tables, with complaints that say where."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, NoReturn

from heuristic.language.drawing import Offset
from heuristic.language.lines import line_of
from solver.errors import RuleError

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

    def named(self, rule: str) -> "Table":
        """Return the same table, its rule known by name from now on."""
        return replace(self, rule=rule)

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

    def names(self, key: str, default: list[str]) -> list[str]:
        """Return a list of strings, none twice."""
        values: list[Any] = self.get(key, list, default)
        for value in values:
            if type(value) is not str:
                self.fail(f"{key} holds {short(value)}, expected strings")
            if values.count(value) > 1:
                self.fail(f"{key} holds {short(value)} twice")
        return values

    def offset(self, value: Any, key: str) -> Offset:
        """Return a value as an offset, or refuse it."""
        good = type(value) is list and len(value) == 2
        if not good or any(type(v) is not int or abs(v) > SIZE for v in value):
            self.fail(f"{key} holds {short(value)}, expected a cell [left, ahead]")
        return value[0], value[1]

    def offsets(self, key: str) -> list[Offset]:
        """Return a list of offsets, empty when the key is missing."""
        return [self.offset(value, key) for value in self.get(key, list, [])]

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
