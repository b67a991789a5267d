"""Cases of knight's tours: small TOML files under ``corpus/knight/``.

``why``, ``source``
    One sentence each: why it was kept, and where it comes from.
``kind``
    ``judged``: `numbers`, rows of a board, and `holds`, the conditions that hold.
    ``stuck``: `rule`, `seed`, `board` and `start` (row, col from 1): the walk that got
    stuck with `cells` cells, though a tour exists; `blame` is its first mistake.
    ``none``: `board`, `start` and `closed`: no such tour exists.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heuristic.knight.rules import RULES, walk
from solver.errors import CaseError
from solver.knight.sat import sat_tour
from solver.knight.search import Status, search
from verify.knight.judge import judge
from verify.knight.reader import read_numbers
from verify.knight.trial import blame, completable

_KEYS = {
    "judged": {"numbers", "holds"},
    "stuck": {"rule", "seed", "board", "start", "cells", "blame"},
    "none": {"board", "start", "closed"},
}
_MOST = 24  # rows or columns of a case


@dataclass(frozen=True, slots=True)
class KnightCase:
    """One case: its name, kind and what it claims."""

    name: str
    kind: str
    claims: dict[str, Any]

    def fault(self) -> str | None:
        """Return what is found against the claim, None if it holds."""
        return {"judged": _judged, "stuck": _stuck, "none": _none}[self.kind](
            self.claims
        )


def _judged(claims: dict[str, Any]) -> str | None:
    found = judge(read_numbers(claims["numbers"]))
    holds = [one.number for one in found.conditions if one.holds]
    return None if holds == claims["holds"] else f"conditions {holds} hold"


def _stuck(claims: dict[str, Any]) -> str | None:
    (rows, cols), start = claims["board"], _cell(claims)
    walked = walk(rows, cols, start, rule=claims["rule"], seed=claims["seed"])
    cells = tuple(map(int, walked.cells))
    if not walked.stuck or len(cells) != claims["cells"]:
        return f"the rule visits {len(cells)} cells"
    if not completable(rows, cols, (start,)):
        return "no tour begins there"
    at = blame(rows, cols, cells)
    return None if at == claims["blame"] else f"the first mistake is number {at}"


def _none(claims: dict[str, Any]) -> str | None:
    (rows, cols), one = claims["board"], (_cell(claims),)
    found = search(rows, cols, one, closed=claims["closed"], steps=-1)
    asked = sat_tour(rows, cols, one, closed=claims["closed"])
    if found.status is Status.NONE and asked.status is Status.NONE:
        return None
    return f"search says {found.status.name}, sat {asked.status.name}"


def _cell(claims: dict[str, Any]) -> int:
    row, col = claims["start"]
    return int((row - 1) * claims["board"][1] + col - 1)


def parse_case(text: str, file: str) -> KnightCase:
    """Read a case; `file` names it.

    Raises
    ------
    CaseError
        If it is no TOML, or a key is missing, unknown or has no sense.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(file, None, f"no TOML: {error}") from None
    kind = data.pop("kind", None)
    if kind not in _KEYS:
        raise CaseError(file, "kind", f"{kind!r} is none of {', '.join(_KEYS)}")
    for key in ("why", "source"):
        if not isinstance(data.pop(key, None), str):
            raise CaseError(file, key, "expected text")
    for key in sorted(_KEYS[kind] ^ set(data)):
        raise CaseError(file, key, "unknown key" if key in data else "is missing")
    good = {
        "numbers": lambda one: isinstance(one, str),
        "holds": lambda one: _numbers(one, 0, 7, 1, 7),
        "rule": lambda one: one in RULES,
        "seed": lambda one: type(one) is int and one >= 0,
        "board": lambda one: _numbers(one, 2, 2, 1, _MOST),
        "start": lambda one: _numbers(one, 2, 2, 1, _MOST),
        "cells": lambda one: type(one) is int and one > 0,
        "blame": lambda one: type(one) is int and one > 1,
        "closed": lambda one: type(one) is bool,
    }
    for key, value in data.items():
        if not good[key](value):
            raise CaseError(file, key, f"{value!r} has no sense")
    if "start" in data and any(
        at > size for at, size in zip(data["start"], data["board"], strict=True)
    ):
        raise CaseError(file, "start", "lies outside the board")
    return KnightCase(Path(file).stem, kind, data)


def _numbers(value: object, least: int, most: int, low: int, high: int) -> bool:
    return (
        isinstance(value, list)
        and least <= len(value) <= most
        and all(type(one) is int and low <= one <= high for one in value)
    )


def load_cases(folder: Path) -> list[KnightCase]:
    """Read all cases of a folder, by name; errors as `parse_case`."""
    cases = []
    for path in sorted(folder.glob("*.toml")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CaseError(str(path), None, f"cannot be read: {error}") from None
        cases.append(parse_case(text, str(path)))
    if not cases:
        raise CaseError(str(folder), None, "no case is there")
    return cases
