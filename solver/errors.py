"""Every error of the toolkit: one base class, one class for each kind of fault.

A message is lower case and has no full stop. It says where, what is wrong and what was
given. Each class is also the builtin a caller expects, so ``except ValueError`` works.
"""

from collections.abc import Sequence
from difflib import get_close_matches

_LISTED = 12  # names in a message


class OnewayError(Exception):
    """Base of all errors that bad input can cause; the command exits with 2."""


class NotationError(OnewayError, ValueError):
    """Position text that is malformed; has the character, from 1, and the reason."""

    def __init__(self, text: str, char: int, why: str) -> None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"character {char}: {why} in {shown!r}")
        self.char, self.why = char, why


class BoardError(OnewayError, ValueError):
    """A board or a walk that cannot exist."""


class NoWalkError(BoardError):
    """A board without the Hamiltonian walk that a caller needs."""

    def __init__(self, board: str, why: str = "") -> None:
        reason = f": {why}" if why else ""
        super().__init__(f"board {board} has no Hamiltonian walk{reason}")


class UnknownNameError(OnewayError, LookupError):
    """A name that is not among the `names`; suggests the nearest, else all of few."""

    def __init__(
        self, kind: str, name: str, names: Sequence[str], hint: str = ""
    ) -> None:
        parts = [f"no {kind} is called {name!r}"]
        near = get_close_matches(name, names, n=3)
        if near:
            parts.append(f"did you mean {' or '.join(map(repr, near))}?")
        elif len(names) <= _LISTED:
            parts.append(f"known: {', '.join(names)}")
        elif hint:
            parts.append(hint)
        super().__init__("; ".join(parts))


class OptionError(OnewayError, ValueError):
    """An option or argument out of its range."""


class RunError(OnewayError, RuntimeError):
    """A long run that cannot continue."""


class WitnessError(OnewayError, RuntimeError):
    """An oracle's witness or proof that failed its check: an internal error."""


class LostRulesError(OnewayError, LookupError):
    """Rules that a case names and that no longer exist."""


class _FileError(OnewayError, ValueError):
    """A file with a fault: the file, the place in it, and the reason."""

    def __init__(self, file: str, why: str, **place: object) -> None:
        where = [f"{name} {at}" for name, at in place.items() if at is not None]
        super().__init__(f"{', '.join([file, *where])}: {why}")
        self.file, self.why = file, why


class RuleError(_FileError):
    """A malformed rule file; has line, and row and column of the drawing, from 1."""

    def __init__(
        self,
        file: str,
        rule: str | None,
        why: str,
        *,
        row: int | None = None,
        col: int | None = None,
        line: int | None = None,
    ) -> None:
        quoted = None if rule is None else repr(rule)
        super().__init__(file, why, line=line or None, rule=quoted, row=row, column=col)
        self.line, self.row, self.col = line, row, col


class CaseError(_FileError):
    """A corpus file that is not a valid case; has the key."""

    def __init__(self, file: str, key: str | None, why: str) -> None:
        super().__init__(file, why, key=None if key is None else repr(key))
        self.key = key


class SavedPathError(_FileError):
    """A malformed saved-path file; has the character, from 1."""

    def __init__(self, file: str, char: int, why: str) -> None:
        super().__init__(file, why, character=char)
        self.char = char


class PictureError(_FileError):
    """A malformed picture; the message has the line, or column and row, from 1."""

    def __init__(
        self,
        file: str,
        why: str,
        *,
        line: int | None = None,
        cell: tuple[int, int] | None = None,
    ) -> None:
        column, row = cell or (None, None)
        super().__init__(file, why, line=line, column=column, row=row)


class GridFileError(_FileError):
    """A malformed puzzle file; has line and column, from 1."""

    def __init__(self, file: str, line: int, col: int, why: str) -> None:
        super().__init__(file, why, line=line, column=col)
        self.line, self.col = line, col


class CertificateError(_FileError):
    """A malformed or wrong certificate."""
