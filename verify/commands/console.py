"""What commands print: answers, tables, notes, progress.

Answers go to standard output, everything else to standard error.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from time import monotonic
from typing import Any, TypeVar

from verify.commands.ending import one_line, printable
from verify.words import span

T = TypeVar("T")

_quiet: list[bool] = []


def be_quiet(quiet: bool) -> None:
    """Print answers and faults only, no progress and no notes."""
    _quiet[:] = [True] * quiet


def emit(value: Any = None, /, **fields: Any) -> None:
    """Print a JSON object on one line: a value, or its fields."""
    _erase()
    value = fields if value is None else value
    text = json.dumps(value, ensure_ascii=False)
    sys.stdout.write((text if text.isprintable() else json.dumps(value)) + "\n")
    sys.stdout.flush()


def say(text: str = "") -> None:
    """Print a line of an answer; control characters are shown, not obeyed."""
    _erase()
    sys.stdout.write(printable(text) + "\n")


def note(text: str) -> None:
    """Print a remark, which `--quiet` drops, on standard error."""
    if not _quiet:
        warn(text)


def warn(text: str) -> None:
    """Print what went wrong on standard error."""
    _erase()
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def shown(path: Path) -> str:
    """Return a path for people: relative to the current folder if it lies inside."""
    try:
        return one_line(path.resolve().relative_to(Path.cwd()))
    except (ValueError, RuntimeError):  # it lies elsewhere, or is a loop of links
        return one_line(path)


def kept(path: Path, new: bool) -> str:
    """Return the words for a case that was saved, or was there already."""
    return f"{'saved' if new else 'found again'}: {shown(path)}"


_ROOMS = {  # rooms whose name does not say what their kernels do
    "evidence": "trials of rules",
    "future": "rules about future lines",
    "matching": "drawn rules",
    "nowalk": "tests before a search",
    "positions": "lists of positions",
    "procedures": "rules in code",
    "refute": "counterexamples",
    "solid": "boards without walls",
    "splitmix": "random numbers",
}
_compiled: set[str] = set()


def note_compiling(module: str) -> None:
    """Print once for each room that its kernels are being compiled."""
    room = module.split(".")[1]
    if room not in _compiled:
        _compiled.add(room)
        note(f"compiling kernels for {_ROOMS.get(room, room)}, once for this version")


def note_unkept(why: str) -> None:
    """Warn that compiled kernels were not saved, so the next start is slow too."""
    advice = "free space there, or name another folder by NUMBA_CACHE_DIR"
    warn(f"oneway: compiled kernels are not saved: {why}; {advice}")


EVERY = 30.0  # seconds between two lines of progress where there is no terminal
_REPAINT = 0.1  # seconds between two states of the line on a terminal
_painted: list[bool] = []  # whether a line of progress stands on the terminal


def _erase() -> None:
    if _painted:
        _painted.clear()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class Progress:
    """How far a piece of work is, on one line of standard error.

    A terminal shows the line at once and loses it at the end. A file or a pipe gets a
    line every `EVERY` seconds.

    - `total`: how much there is to do, if that is known.
    - `words`: printed instead of the counts, where work is not counted in steps.
    """

    def __init__(self, title: str, total: float | None = None) -> None:
        self.title, self.total, self.done, self.words = title, total, 0.0, ""
        self._began = self._printed = monotonic()

    def advance(self, steps: float = 1) -> None:
        """Count steps that were done."""
        self.update(self.done + steps)

    def update(self, done: float, total: float | None = None, words: str = "") -> None:
        """Set how much is done; the total or the words if they changed."""
        self.done, self.words = done, words
        self.total = self.total if total is None else total
        now, terminal = monotonic(), sys.stderr.isatty()
        if _quiet or now - self._printed < (_REPAINT if terminal else EVERY):
            return
        self._printed = now
        if not terminal:
            warn(f"{self.title}: {self._state(now)}")
            return
        line = printable(f"{self.title}: {self._state(now)}").replace("\n", " ")
        sys.stderr.write(f"\r\x1b[K{line[: get_terminal_size().columns - 1]}")
        sys.stderr.flush()
        _painted[:] = [True]

    def _state(self, now: float) -> str:
        if self.words:
            return self.words
        speed = self.done / max(now - self._began, 1e-9)
        of_total = f" of {self.total:,.0f}" if self.total else ""
        parts = [f"{self.done:,.0f}{of_total}"]
        parts += [f"{speed:,.{0 if speed >= 10 else 1}f} a second"] * (speed > 0)
        if self.total and speed:
            parts.append(f"{span(max(self.total - self.done, 0) / speed)} left")
        return ", ".join(parts)


@contextmanager
def progress(title: str, total: float | None = None) -> Iterator[Progress]:
    """Show how far a piece of work is while it runs."""
    try:
        yield Progress(title, total)
    finally:
        _erase()


def track(items: Iterable[T], title: str, total: float | None = None) -> Iterator[T]:
    """Yield items one by one and show how many were worked on."""
    if total is None and isinstance(items, Sequence):
        total = len(items)
    with progress(title, total) as bar:
        for item in items:
            yield item
            bar.advance()


def numbered(picture: Path, count: int) -> list[Path]:
    """Return `count` names of files, in alphabetical order.

    >>> [path.name for path in numbered(Path("out/x.svg"), 10)][::9]
    ['x-01.svg', 'x-10.svg']
    >>> [path.name for path in numbered(Path("x.svg"), 1)]
    ['x.svg']
    """
    if count == 1:
        return [picture]
    width = len(str(count))
    numbers = range(1, count + 1)
    return [picture.with_stem(f"{picture.stem}-{n:0{width}}") for n in numbers]


def terminal_columns() -> int:
    """Return the width of the terminal; 0 if the output goes elsewhere."""
    return get_terminal_size().columns if sys.stdout.isatty() else 0


_NARROW = 40  # columns of a table at least
_NUMBER = re.compile(r"[-+<>~]?[\d.,]+( %| s)?$|-?$")


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as wide as the terminal, or COLUMNS; whole numbers get commas."""
    say(one_line(title))
    cells = [[f"{x:,}" if isinstance(x, int) else str(x) for x in row] for row in rows]
    columns = os.environ.get("COLUMNS", "")
    piped = int(columns) if columns.isdecimal() and int(columns) else 80
    width = max(_NARROW, terminal_columns() or piped)
    for line in table_lines([list(header), *cells], width):
        say(line)


def table_lines(rows: list[list[str]], width: int) -> list[str]:
    """Return the lines of a table, the header first; numbers are aligned to the right.

    If it is too wide, the first column gets a line of its own. If it still is, the
    cells of a row are wrapped.

    >>> for line in table_lines([["rule", "wrong", "at"], ["a", "12", "5:RDL"]], 16):
    ...     print(line)
    rule
      wrong  at
    a
         12  5:RDL
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    columns = [*zip(*rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    right = [bool(body) and all(map(_NUMBER.match, body)) for _, *body in columns]
    aligned = [
        [
            cell.rjust(wide) if number else cell.ljust(wide)
            for cell, wide, number in zip(row, widths, right, strict=True)
        ]
        for row in rows
    ]
    gaps = 2 * (len(widths) - 1)
    if sum(widths) + gaps <= width:
        return ["  ".join(row).rstrip() for row in aligned]
    if max(sum(widths[1:]) + gaps, widths[0]) <= width:
        pairs = ((first, "  ".join(["", *rest])) for first, *rest in aligned)
        return [line.rstrip() for pair in pairs for line in pair]
    texts = ("  ".join(row) for row in rows)
    return [
        line for text in texts for line in wrap(text, width, subsequent_indent="  ")
    ]
