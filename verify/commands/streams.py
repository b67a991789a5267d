"""Standard streams that take any text, whatever the terminal can show.

Where the encoding of the output lacks a character of our pictures, an ASCII one stands
for it; anything else that it lacks is escaped. Input that is no text is read as it is,
so that whoever reads it can say which character is wrong.
"""

import codecs
import errno
import io
import sys
from typing import NoReturn

ASCII = dict(
    zip(
        "│─└┌┐┘├┤┬┴┼○◎·█▲▶▼◀●□■▪→←↑↓…",
        "|-+++++++++oO.#^>v<*##.><^v.",
        strict=True,
    )
)
_HANDLER = "oneway"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = []
    for char in error.object[error.start : error.end]:
        plain = ASCII.get(char)
        found.append(plain or char.encode("unicode_escape", "replace").decode())
    return "".join(found), error.end


class _Closed(io.StringIO):
    """An output that was closed before we began."""

    def write(self, text: str) -> NoReturn:
        """Refuse as the system would."""
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make the standard streams of this process safe; closed ones are empty."""
    codecs.register_error(_HANDLER, _replace)
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    elif isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed() if name == "stdout" else io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
