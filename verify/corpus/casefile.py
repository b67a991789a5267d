"""The one reader of case files: TOML, its keys and values checked by a type.

`CaseError` names the file and the key, whichever kind of case it is.
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from solver.errors import CaseError

_T = TypeVar("_T")
_BYTES = 1 << 20  # of a case file; those that we write have some thousand
_AT = re.compile(r"(?P<why>.*?)(?: - at `\$\.?(?P<key>[^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<what>missing|contains).* field `(?P<key>[^`]*)`")
_CALLED = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_NAMED = re.compile(r"`([a-z]+(?: \| [a-z]+)*)`")


def _called(name: re.Match[str]) -> str:
    """Return what people call the types of a message."""
    return " or ".join(_CALLED.get(one, one) for one in name[1].split(" | "))


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every case file says: why it was kept, and where it comes from."""

    why: str
    source: str

    def __post_init__(self) -> None:
        """Refuse empty sentences."""
        for key in ("why", "source"):
            if not getattr(self, key).strip():
                raise ValueError(f"expected text for {key!r}, found none")


def read_table(text: str, file: str) -> dict[str, Any]:
    """Return the table of a case; `file` names it.

    Raises
    ------
    CaseError
        If the text is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CaseError(file, None, f"no TOML: {error}") from None
    except ValueError:  # of Python, which reads no number of so many digits
        raise CaseError(file, None, "no TOML: a number is too long") from None


def checked_case(table: dict[str, Any], kind: type[_T], file: str) -> _T:
    """Return a table as that type.

    Raises
    ------
    CaseError
        If a key is missing or unknown, or its value is of another type.

    Examples
    --------
    >>> checked_case({"why": 3, "source": "by hand"}, CaseFile, "x.toml")
    Traceback (most recent call last):
    solver.errors.CaseError: x.toml, key 'why': expected text, got a whole number
    """
    try:
        return msgspec.convert(table, type=kind)
    except msgspec.ValidationError as error:
        raise _told(str(error), file) from None


def _told(text: str, file: str) -> CaseError:
    """Return the error that a message of msgspec stands for."""
    if field := _FIELD.match(text):
        missing = field["what"] == "missing"
        return CaseError(file, field["key"], "missing" if missing else "unknown key")
    found = _AT.fullmatch(text)
    assert found is not None, "the pattern takes every text"
    why = found["why"][:1].lower() + found["why"][1:]
    return CaseError(file, found["key"] or None, _NAMED.sub(_called, why))


def read_text(path: Path) -> str:
    """Return the text of a case file; `CaseError` if it cannot be read."""
    try:
        if path.stat().st_size > _BYTES or not path.is_file():
            why = f"cannot be read: no file of {_BYTES:,} bytes at most"
            raise CaseError(str(path), None, why)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(str(path), None, f"cannot be read: {error}") from None


def read_folder(folder: Path, parse: Callable[[str, str], _T]) -> list[_T]:
    """Read all cases of a folder, by name.

    A folder without a single case is an error too: nothing would be checked.

    Raises
    ------
    CaseError
        If a file cannot be read, as `parse` does, or there is none.
    """
    cases = [
        parse(read_text(path), str(path)) for path in sorted(folder.glob("*.toml"))
    ]
    if not cases:
        raise CaseError(str(folder), None, "no case is there")
    return cases
