"""The contest's format of PATH: each board as soon as its last letter came.

A size n, then n rows of n letters W, B or U; so for each board, and a size of 0 ends
the input. All of it by white space alone: one copy of the statement has a blank line
after the size, another has none.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from solver.errors import GridFileError
from solver.puzzles.path import LETTERS, MAX_SIDE, PathBoard

_LONGEST = 1 << 25  # bytes of a line; the largest board on one line has half of it
_Word = tuple[bytes, int, bytes, int]  # line number from 1, the line, where it begins


def _words(stream: BinaryIO, file: str) -> Iterator[_Word]:
    """Yield the words; the last, empty one stands where the input ends."""
    number, line = 1, b""
    while more := stream.readline(_LONGEST + 1):
        number, line = number + line.endswith(b"\n"), more
        if len(line) > _LONGEST:
            raise GridFileError(file, number, 1, f"more than {_LONGEST} bytes")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # some editors begin a file so
        for word in re.finditer(rb"\S+", line):
            yield word[0], number, line, word.start()
    ended = line.endswith(b"\n")
    yield b"", number + ended, b"" if ended else line, 0 if ended else len(line)


def _fault(file: str, word: _Word, why: str, letter: int = 0) -> GridFileError:
    _, number, line, start = word
    col = len(line[: start + letter].decode("utf-8", "replace")) + 1
    return GridFileError(file, number, col, why)


def read_boards(stream: BinaryIO, file: str) -> Iterator[PathBoard]:
    """Yield the boards of the stream; `file` names it in errors.

    Every board yielded is right, whatever comes after it. After the closing 0 only
    white space may follow, lest boards be passed over in silence; at a terminal
    nothing more is awaited. Memory: one board and one line.

    Raises
    ------
    GridFileError
        If the text is not in the format; it knows line and column.
    """
    words = _words(stream, file)
    while n := _size(next(words), file):
        rows = [_row(next(words), row, n, file) for row in range(1, n + 1)]
        yield PathBoard(n, b"".join(rows))
    if not stream.isatty() and (after := next(words))[0]:
        raise _fault(file, after, "nothing may follow the 0 that ends the input")


def _size(word: _Word, file: str) -> int:
    size = word[0].lstrip(b"0") or word[0][:1]
    if word[0].isdigit() and len(size) <= 4 and int(size) <= MAX_SIDE:
        return int(size)
    got = repr(word[0][:20].decode("utf-8", "replace")) if word[0] else "nothing more"
    why = f"expected a size up to {MAX_SIDE}, or 0 to end the input, got {got}"
    raise _fault(file, word, why)


def _row(word: _Word, row: int, n: int, file: str) -> bytes:
    letters = word[0]
    good = min(n, len(letters) - len(letters.lstrip(LETTERS)))
    if good == n == len(letters):
        return letters
    got = f"then {letters[good : good + 9].decode('utf-8', 'replace')!r}"
    what = got if letters[good:] else "no more"
    raise _fault(file, word, f"row {row} of {n}: {good} letters, {what}", good)
