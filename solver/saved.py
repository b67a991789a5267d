"""The one reader of files that programs write for themselves: JSON, checked by a type.

What such a file holds is said once, by a dataclass or another type; `msgspec` judges
the file by it before anything is used.
"""

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from solver.errors import OptionError

_T = TypeVar("_T")
_MOST = 1 << 28  # bytes of a file: more is none of ours


def read_saved(file: Path, kind: type[_T], what: str) -> _T:
    """Return what a file holds, of that type; `what` names it in the error.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "notes.json"
    ...     _ = file.write_text('{"a": [1, 2]}')
    ...     read_saved(file, dict[str, list[int]], "lists")
    {'a': [1, 2]}

    Raises
    ------
    OptionError
        If the file cannot be read, or holds something else.
    """
    try:
        if not file.is_file():
            raise OptionError(f"{file} holds no {what}: it is no plain file")
        if file.stat().st_size > _MOST:
            raise OptionError(f"{file} holds no {what}: it is too large")
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except OSError as error:
        raise OptionError(f"cannot read {file}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"{file} holds no {what}: {error}") from None


def checked(value: Any, kind: type[_T], what: str) -> _T:
    """Return plain values as that type.

    Raises
    ------
    OptionError
        If they are something else.
    """
    try:
        return msgspec.convert(value, type=kind, str_keys=True)
    except msgspec.MsgspecError as error:
        raise OptionError(f"{what}: {error}") from None
