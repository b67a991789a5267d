"""Every error of the toolkit: one base class, one class per kind of fault.

A message says where, what is wrong and what was given; lower case, no full stop.
Each class is also the builtin a caller would expect, so ``except ValueError`` works.
"""

from collections.abc import Sequence
from difflib import get_close_matches

_LISTED = 12


class OnewayError(Exception):
    """Base of all errors that bad input can cause; the command exits with 2."""


class _FileError(OnewayError, ValueError):
    """A file with a fault: the message has what is known of the place, and why."""

    def __init__(self, file: str, why: str, **place: object) -> None:
        where = [f"{name} {at}" for name, at in place.items() if at is not None]
        super().__init__(f"{', '.join([file, *where])}: {why}")
        self.file, self.why = file, why


class NotationError(OnewayError, ValueError):
    """Position text that cannot be read; knows the character (from 1) and why."""

    def __init__(self, text: str, char: int, why: str) -> None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"character {char}: {why} in {shown!r}")
        self.text, self.char, self.why = text, char, why


class BoardError(OnewayError, ValueError):
    """A board or a walk that cannot exist."""


class NoWalkError(BoardError):
    """A board without any Hamiltonian walk, where its walks are asked for."""

    def __init__(self, board: str, why: str = "") -> None:
        reason = f": {why}" if why else ""
        super().__init__(f"board {board} has no Hamiltonian walk{reason}")


class UnknownNameError(OnewayError, LookupError):
    """A name that no registry knows; suggests the nearest ones.

    - `known`: the names there are; listed if none is near and they are few.
    - `hint`: what to type for the list, if they are many.
    """

    def __init__(
        self, kind: str, name: str, known: Sequence[str], hint: str = ""
    ) -> None:
        parts = [f"no {kind} is called {name!r}"]
        near = get_close_matches(name, known, n=3)
        if near:
            parts.append(f"did you mean {' or '.join(map(repr, near))}?")
        elif len(known) <= _LISTED:
            parts.append(f"known: {', '.join(known)}")
        elif not hint:
            parts.append(f"{len(known)} are known")
        if hint and not near:
            parts.append(hint)
        super().__init__("; ".join(parts))


class OptionError(OnewayError, ValueError):
    """An option or argument out of its range."""


class RunError(OnewayError, RuntimeError):
    """A long run that cannot continue."""


class WitnessError(OnewayError, RuntimeError):
    """An oracle's witness or proof failed its check: a fault of ours, never hidden."""


class RuleError(_FileError):
    """A rule file that cannot be read; knows file, line, rule, and row and column.

    All from 1; row and column are those of the cell in the drawing.
    """

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
    """A corpus file that is no valid case; knows file and key."""

    def __init__(self, file: str, key: str | None, why: str) -> None:
        super().__init__(file, why, key=None if key is None else repr(key))
        self.key = key


class LostRulesError(OnewayError, LookupError):
    """Rules that a case names and that cannot be asked; says why."""


class SavedPathError(_FileError):
    """A saved-path file that cannot be imported; knows the character (from 1)."""

    def __init__(self, file: str, char: int, why: str) -> None:
        super().__init__(file, why, character=char)
        self.char = char


class PictureError(_FileError):
    """A picture that cannot be read; knows the line, and the cell if there is one.

    Line, column and row count from 1; column and row are those of the picture.
    """

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
    """A puzzle file that cannot be read; knows line and column, from 1."""

    def __init__(self, file: str, line: int, col: int, why: str) -> None:
        super().__init__(file, why, line=line, column=col)
        self.line, self.col = line, col


class CertificateError(_FileError):
    """A certificate that cannot be read; knows the file and why."""
