"""Where in the text of a rule file a fault stands: `tomllib` keeps no line numbers."""

import re
from collections.abc import Sequence
from functools import lru_cache

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
    lines, inside = _prepared(text)
    begin, end = 0, len(lines)
    name = ""
    for key, number in path:
        name = f"{name}.{key}".removeprefix(".")
        heads = [
            at
            for at in range(begin, end)
            if not inside[at] and _header(lines[at]) == name
        ]
        if number < len(heads):
            begin = heads[number]
            end = next(
                (
                    at
                    for at in range(begin + 1, end)
                    if not inside[at] and _leaves(lines[at], name)
                ),
                end,
            )
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


def _leaves(line: str, name: str) -> bool:
    """Tell whether a header begins another table, not one inside."""
    header = _header(line)
    return bool(header) and not header.startswith(f"{name}.")


@lru_cache(maxsize=4)
def _prepared(text: str) -> tuple[list[str], list[bool]]:
    """Return the lines, and whether each begins inside a string of several lines."""
    lines, open_with = text.splitlines(), ""
    inside: list[bool] = []
    for line in lines:
        inside.append(bool(open_with))
        for quotes in _QUOTES.findall(line):
            if not open_with:
                open_with = quotes
            elif open_with == quotes:
                open_with = ""
    return lines, inside


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
