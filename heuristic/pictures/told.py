"""What is told of pictures besides what they hold: a small TOML file."""

import tomllib
from pathlib import Path
from typing import Any, NoReturn

from heuristic.pictures.rule import MOVES, Told
from solver.errors import PictureError

_KEYS = ("names", "forbid", "turns", "low", "high", "corners", "source")
_TURNS = ("0", "cw", "ccw", "180")
_MOST = 1_000_000  # bytes
_BOUND = 1000  # a surplus, at most


def load_told(path: Path) -> dict[str, Told]:
    """Read what is told of pictures, by the name of the file without its end.

    Raises
    ------
    PictureError
        If the file cannot be read, or says what cannot be; names the table.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
        if len(data) > _MOST:
            raise PictureError(path.name, f"is larger than {_MOST:,} bytes")
        tables = tomllib.loads(data.decode()).get("picture")
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, PictureError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        raise PictureError(path.name, f"cannot be read: {why[:200]}") from None
    if not isinstance(tables, list) or not tables:
        raise PictureError(path.name, "has no tables [[picture]]")
    found: dict[str, Told] = {}
    for number, table in enumerate(tables, 1):
        names, told = _Reader(f"{path.name}, [[picture]] {number}").read(table)
        for name in names:
            if name in found:
                raise PictureError(path.name, f"tells of {name!r} twice")
            found[name] = told
    return found


class _Reader:
    """Reads one table; every fault names it."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, why: str) -> NoReturn:
        raise PictureError(self.where, why)

    def read(self, table: Any) -> tuple[list[str], Told]:
        if not isinstance(table, dict):
            self.fail("is no table")
        for key in table:
            if key not in _KEYS:
                self.fail(f"unknown key {key[:40]!r}; known: {', '.join(_KEYS)}")
        names = self.words(table, "names")
        if not names:
            self.fail("names no picture")
        source = table.get("source")
        if not isinstance(source, str) or not source.strip():
            self.fail("source must say where it is known from")
        return names, Told(
            tuple(self.words(table, "forbid", tuple(MOVES))),
            tuple(self.words(table, "turns", _TURNS)),
            self.bound(table, "low"),
            self.bound(table, "high"),
            self.switch(table, "corners"),
            source.strip(),
        )

    def words(
        self, table: dict[str, Any], key: str, among: tuple[str, ...] | None = None
    ) -> list[str]:
        found = table.get(key, [])
        if not isinstance(found, list) or any(type(one) is not str for one in found):
            self.fail(f"{key} is no list of words")
        for word in found:
            if among is not None and word not in among:
                self.fail(f"{key} holds {word[:40]!r}, none of {', '.join(among)}")
            if found.count(word) > 1:
                self.fail(f"{key} holds {word[:40]!r} twice")
        return found

    def switch(self, table: dict[str, Any], key: str) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.fail(f"{key} is neither true nor false")
        return value

    def bound(self, table: dict[str, Any], key: str) -> int | None:
        value = table.get(key)
        if value is not None and (type(value) is not int or abs(value) > _BOUND):
            self.fail(f"{key} is no whole number from {-_BOUND} to {_BOUND}")
        return value
