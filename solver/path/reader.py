"""The contest's format, read as a stream: each board as soon as its last letter came.

A size n, then n rows of n letters W, B or U; so for each board, and a size of 0 ends
the input. All of it by white space alone: one copy of the statement has a blank line
after the size, another has none.
"""

import re
from collections.abc import Iterator
from io import BufferedIOBase

from solver.errors import GridFileError
from solver.path.board import LETTERS, MAX_SIDE, PathBoard

_CHUNK = 1 << 16
_BOM = b"\xef\xbb\xbf"  # some editors begin every text file with it


def read_boards(stream: BufferedIOBase, file: str) -> Iterator[PathBoard]:
    """Yield the boards of the stream; `file` names it in errors.

    Every board yielded is right, whatever comes after it. After the closing 0 only
    white space may follow, lest boards be passed over in silence; at a terminal
    nothing more is awaited. Memory: one board and 64 KiB.

    >>> import io
    >>> for board in read_boards(io.BytesIO(b"3 WBB WWU WBB 1 U 0"), "here"):
    ...     print(repr(board))
    PathBoard.parse('WBB/WWU/WBB')
    PathBoard.parse('U')

    Raises
    ------
    GridFileError
        If the text is not in the format; it knows line and column.
    """
    words = _Words(stream, file)
    before = 0
    while n := _read_size(words, before):
        yield PathBoard(n, _read_cells(words, n))
        before = n
    words.last = stream.isatty()
    if words.take(1):
        raise words.fail("nothing may follow the 0 that ends the input")


class _Words:
    """The words of a stream, split a block at a time, and where each of them stands."""

    def __init__(self, stream: BufferedIOBase, file: str) -> None:
        self.stream, self.file = stream, file
        self.last = False  # nothing is left to read
        self.line, self.col = 1, 1  # where `block` begins
        self.block = b""  # text that ends with a whole word or white space
        self.tail = b""  # the start of a word, after the block
        self.words: list[bytes] = []  # of the block
        self.taken = 0  # how many of them were handed out

    def take(self, limit: int) -> list[bytes]:
        """Hand out up to `limit` words, as many as lie ready; none at the end."""
        while self.taken == len(self.words):
            if self.last:
                return []
            self._read()
        some = self.words[self.taken : self.taken + limit]
        self.taken += len(some)
        return some

    def _read(self) -> None:
        self.line, self.col = self._place(len(self.block))
        more = self.stream.read1(_CHUNK)
        text = self.tail + more
        if self.block == b"" and (self.line, self.col) == (1, 1):
            text = text.removeprefix(_BOM)
        self.words, self.taken, self.tail = text.split(), 0, b""
        # A word longer than any row is wrong already, so its end is not waited for.
        if not more:
            self.last = True
        elif self.words and not text[-1:].isspace() and len(self.words[-1]) <= MAX_SIDE:
            self.tail = self.words.pop()
        self.block = text[: len(text) - len(self.tail)]

    def _place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a byte of the block."""
        before = self.block[:offset].decode("utf-8", "replace")
        lines = before.count("\n")
        start = 1 if lines else self.col
        return self.line + lines, start + len(before) - (before.rfind("\n") + 1)

    def fail(self, why: str, back: int = 1, byte: int = 0) -> GridFileError:
        """Complain of a byte of the word handed out `back` words ago."""
        starts = [match.start() for match in re.finditer(rb"\S+", self.block)]
        place = self._place(starts[self.taken - back] + byte)
        return GridFileError(self.file, *place, why)

    def fail_at_end(self, why: str) -> GridFileError:
        """Complain that the input ends."""
        return GridFileError(self.file, *self._place(len(self.block)), why)


def _read_size(words: _Words, before: int) -> int:
    """Read a size; `before` is that of the board before, 0 if there was none."""
    if not (some := words.take(1)):
        raise words.fail_at_end("the input ends without the size 0 that must close it")
    word = some[0]
    shown = _shown(word)
    if not word.isdigit():
        why = f"expected the size of a board, or 0 to end the input, got {shown}"
        if before and not word.translate(None, LETTERS):
            why = f"more than {before} rows for a size of {before}: got {shown}"
        elif word[:1] == b"-" and word[1:].isdigit():
            why = f"a size of {shown} is below 1; only 0 ends the input"
        raise words.fail(why)
    digits = word.lstrip(b"0") or b"0"
    if len(digits) > len(str(MAX_SIDE)) or int(digits) > MAX_SIDE:
        raise words.fail(f"a size of {shown} is above {MAX_SIDE}")
    return int(digits)


def _read_cells(words: _Words, n: int) -> bytes:
    rows: list[bytes] = []
    while len(rows) < n:
        some = words.take(n - len(rows))
        if not some:
            raise words.fail_at_end(f"the input ends after row {len(rows)} of {n}")
        if set(map(len, some)) != {n} or b"".join(some).translate(None, LETTERS):
            raise _fault(words, some, len(rows), n)
        rows += some
    return b"".join(rows)


def _fault(words: _Words, some: list[bytes], before: int, n: int) -> GridFileError:
    """Name the first fault of the words just taken, `before` rows being good."""
    for index, word in enumerate(some):
        row, back = f"row {before + index + 1} of {n}", len(some) - index
        if word.isdigit():
            return words.fail(f"expected {row}, got the number {_shown(word)}", back)
        good = len(word) - len(word.lstrip(LETTERS))
        if good < min(len(word), n):
            letter = word[good:].decode("utf-8", "replace")[0]
            why = f"letter {letter!r} in {row} is none of W, B and U"
            return words.fail(why, back, good)
        if good < n:
            return words.fail(f"{row} has {good} letters only", back, good)
        if len(word) > n:
            return words.fail(f"{row} has more than {n} letters", back, n)
    raise AssertionError("a fault was announced, but there is none")


def _shown(word: bytes) -> str:
    text = word.decode("utf-8", "replace")
    return repr(text if len(text) <= 20 else text[:17] + "...")
