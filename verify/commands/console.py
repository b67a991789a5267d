"""Output of commands: answers, JSON, tables, notes, and the progress of long runs.

Answers go to standard output, everything else to standard error.
"""

import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import shorten
from time import monotonic
from typing import Any, TypeVar

from typer import Exit

from solver.board import Position
from solver.notation import position_text
from verify.commands.exits import one_line, printable, set_hint
from verify.formatting import counted, documentation_folder, span
from verify.runs.longrun import LongRun, execute

T = TypeVar("T")

_quiet: list[bool] = []


def be_quiet(quiet: bool) -> None:
    """Print answers and errors only, if `quiet`: no progress and no notes."""
    _quiet[:] = [True] * quiet


def emit(value: dict[str, Any]) -> None:
    """Print JSON on one line."""
    _erase()
    text = json.dumps(value, ensure_ascii=False)
    sys.stdout.write((text if text.isprintable() else json.dumps(value)) + "\n")
    sys.stdout.flush()


def answer(value: dict[str, Any], lines: Iterable[str], as_json: bool) -> None:
    """Print an answer: a value as JSON, or its lines."""
    if as_json:
        emit(value)
    else:
        say(*lines)


def say(*lines: str) -> None:
    """Print lines of an answer; control characters are shown, not obeyed."""
    _erase()
    for line in lines:
        sys.stdout.write(printable(line) + "\n")


def note(text: str) -> None:
    """Print a remark, which `--quiet` drops, on standard error."""
    if not _quiet:
        warn(text)


def warn(*lines: str) -> None:
    """Print what went wrong on standard error."""
    _erase()
    for line in lines:
        sys.stderr.write(printable(line) + "\n")
    sys.stderr.flush()


def say_written(what: str, as_json: bool) -> None:
    """Print what was written: part of the answer, unless that is JSON."""
    (note if as_json else say)(what)


def command_line(*words: str) -> str:
    """Return a command quoted for a shell; without words the one that was typed."""
    return shlex.join(["oneway", *(words or sys.argv[1:])])


def footer() -> str:
    """Return the command that was typed, cut to the width of a printed page."""
    return shorten(command_line(), 120, placeholder=" ...")


def shown(path: Path) -> str:
    """Return a path for people: relative to the current folder if it lies inside."""
    try:
        return one_line(path.resolve().relative_to(Path.cwd()))
    except (ValueError, RuntimeError):  # it lies elsewhere, or is a loop of links
        return one_line(path)


def listed(**files: Path) -> str:
    """Return files with what they hold, such as ``answer: a.json, proof: a.drat``."""
    return ", ".join(f"{name}: {shown(path)}" for name, path in files.items())


def saved(path: Path, new: bool) -> str:
    """Return the words for a case that is saved, or was already."""
    return f"{'saved' if new else 'already saved'}: {shown(path)}"


_compiled: set[str] = set()


def note_compiling(module: str) -> None:
    """Print once for each package that its kernels are being compiled."""
    room = ".".join(module.split(".")[:2])
    if room not in _compiled:
        _compiled.add(room)
        note(f"compiling kernels of {room}, once for this version")


EVERY = 30.0  # seconds between two lines of progress without a terminal
_REPAINT = 0.1  # seconds between two updates of the line on a terminal
_painted: list[bool] = []  # whether a line of progress is on the terminal


def _erase() -> None:
    if _painted:
        _painted.clear()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class Progress:
    """The progress of some work, on one line of standard error.

    A terminal shows the line at once and erases it at the end. A file or a pipe gets a
    line every `EVERY` seconds.

    - `total`: the steps of the work; None if their number is not known.
    """

    def __init__(self, title: str, total: float | None = None) -> None:
        self.title, self.total, self.done = title, total, 0.0
        self._began = self._printed = monotonic()

    def advance(self, steps: float = 1) -> None:
        """Add steps to those that are done."""
        self.update(self.done + steps)

    def update(self, done: float, total: float | None = None, words: str = "") -> None:
        """Set the steps that are done, and the total if it changed.

        - `words`: printed instead of the counts.
        """
        self.done, self.total = done, total or self.total
        now, terminal = monotonic(), sys.stderr.isatty()
        if _quiet or now - self._printed < (_REPAINT if terminal else EVERY):
            return
        self._printed = now
        line = one_line(f"{self.title}: {words or self._counts(now)}")
        if not terminal:
            warn(line)
            return
        sys.stderr.write(f"\r\x1b[K{line[: get_terminal_size().columns - 1]}")
        sys.stderr.flush()
        _painted[:] = [True]

    def _counts(self, now: float) -> str:
        parts = [f"{self.done:,.0f}" + (f" of {self.total:,.0f}" if self.total else "")]
        if speed := self.done / max(now - self._began, 1e-9):
            parts.append(f"{speed:,.{0 if speed >= 10 else 1}f} a second")
            if self.total:
                parts.append(f"{span(max(self.total - self.done, 0) / speed)} left")
        return ", ".join(parts)


@contextmanager
def progress(title: str, total: float | None = None) -> Iterator[Progress]:
    """Show the progress of some work while it runs."""
    try:
        yield Progress(title, total)
    finally:
        _erase()


def track(items: Sequence[T], title: str) -> Iterator[T]:
    """Yield items one by one and show how many are done."""
    with progress(title, len(items)) as bar:
        for item in items:
            yield item
            bar.advance()


def say_position(position: Position, marked: Sequence[int] = ()) -> None:
    """Print a position as a picture, if the terminal is wide enough, and as a line.

    Unvisited cells that are `marked` are shaded.
    """
    board = position.board
    if 0 < terminal_columns() < 4 * board.cols - 3:
        say(f"{board.rows} x {board.cols} is wider than the terminal: see -o FILE.svg")
    else:
        say(position_text(position, marked))
    say(position.notation)


def terminal_columns() -> int:
    """Return the width of the terminal; 0 if the output goes elsewhere."""
    return get_terminal_size().columns if sys.stdout.isatty() else 0


_NUMBER = re.compile(r"[-+<>~]?[\d.,]+( %| s)?$|-?$")


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; whole numbers get commas, and numbers are aligned to the right.

    >>> table("Rules", ["rule", "wrong", "at"], [["a", 1200, "5:RDL"]])
    Rules
    rule  wrong  at
    a     1,200  5:RDL
    """
    columns = []
    for head, *cells in zip(header, *rows, strict=True):
        words = [f"{x:,}" if isinstance(x, int) else one_line(x) for x in cells]
        width = max(map(len, [head, *words]))
        numbers = words and all(map(_NUMBER.match, words))
        aligned = str.rjust if numbers else str.ljust
        columns.append([aligned(word, width) for word in [head, *words]])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    say(one_line(title), *lines)


_PRINTED = 20  # failed units that are printed


def conduct(
    run: LongRun[T],
    jobs: int,
    cluster: str | None = None,
    *,
    seconds: float | None = None,
    partial: bool = False,
) -> T:
    """Execute a run with progress, and return its answer; see `execute`.

    Ctrl-C and failed units end the command. The last line is the command to resume.

    - `partial`: whether to answer from the rest if units failed.
    """
    command = command_line()
    resume = f"finished work is kept; to resume: {command}"
    if run.ledger().file.exists():
        set_hint(resume)
    if cluster and not cluster.startswith(("tls://", "wss://")):
        page = documentation_folder() / "long-runs.md"
        warn(
            f"warning: {cluster} does not use TLS: anyone who reaches the scheduler "
            f"can run programs on its machines; see {page}"
        )

    def report(share: float, failed: int, left: float | None) -> None:
        words = f"{100 * share:.1f} %"
        words += "" if left is None else f", {span(left)} left"
        words += f", {failed:,} failed" if failed else ""
        bar.update(share, words=words)

    def report_ledger(ledger: Path, why: str) -> None:
        if why:
            warn(f"this run cannot be resumed: {why}")
        else:
            note(f"finished work is kept in {shown(ledger)}; to resume: {command}")
            set_hint(resume)

    with progress(run.name, 1.0) as bar:
        outcome = execute(
            run,
            jobs=jobs,
            cluster=cluster,
            seconds=seconds,
            progress=report,
            opened=report_ledger,
        )
    if outcome.answer is None:
        raise KeyboardInterrupt
    for unit, error in outcome.failures[:_PRINTED]:
        warn(f"{run.name} {unit}: {error}")
    if outcome.failures:
        warn(f"{counted(len(outcome.failures), 'unit')} failed; to retry: {command}")
        if not partial:
            raise Exit(1)
    return outcome.answer
