"""The end of a command: an exit code and at most one line on standard error.

`exit_code_of` turns errors into exit codes: 1 a board without a Hamiltonian walk; 2 bad
input, or a file or stream that cannot be read or written; 3 an internal error; 130
Ctrl-C; 141 the reader of the output has left; 143 SIGTERM. No traceback is printed.

Ctrl-C and SIGTERM raise `KeyboardInterrupt` once. It can confuse a library in an
import, a compilation or a callback. So any error after it counts as the interrupt. A
thread ends commands that need more than `GRACE` seconds.
"""

import errno
import io
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from solver import files
from solver.errors import NoWalkError, OnewayError, WitnessError

GRACE = 1.5  # seconds that a command has to end after a signal
_NO_WALK, _BAD, _INTERNAL, _INTERRUPTED, _UNREAD, _TERMINATED = 1, 2, 3, 130, 141, 143
_TRACE = "ONEWAY_TRACEBACK"  # environment: raise internal errors with their traceback
_RERUN = "run the same command to start again"
_REASONS = {  # of errors that large or odd input causes
    RecursionError: "the input is nested too deeply",
    OverflowError: "a number of the input is too large",
    MemoryError: "there is not enough memory",
    UnicodeError: "the text cannot be read or written",
}

_hint = [_RERUN]
_interruption_printed: list[bool] = []


def set_hint(hint: str) -> None:
    """Set how an interrupted command can be resumed; its last line says so."""
    _hint[:] = [hint]


def exit_code_of(work: Callable[[], int], *, last: bool = False) -> int:
    """Run the work of a command, print what went wrong, and return the exit code.

    With `last` this process does nothing afterwards, and ignores signals from then on.
    """
    set_hint(_RERUN)
    _interruption_printed.clear()
    files.forget_stops()
    try:
        with _watching_signals(last):
            code = work()
            sys.stdout.flush()
            sys.stderr.flush()
        return code
    except (Exception, KeyboardInterrupt) as error:
        return _code_of(error)


def _code_of(error: BaseException) -> int:
    interrupt = isinstance(error, KeyboardInterrupt)
    # PySAT raises an error of its own when Ctrl-C stops a solver.
    if interrupt or files.stop_heard() or "keyboard interrupt" in str(error).lower():
        return _interrupted()
    if isinstance(error, BrokenPipeError):
        _silence()
        return _UNREAD
    if isinstance(error, OnewayError) and not isinstance(error, WitnessError):
        code = print_error(error)
        return _NO_WALK if isinstance(error, NoWalkError) else code
    if isinstance(error, OSError):
        return _refuse_file(error)
    for kind, why in _REASONS.items():
        if isinstance(error, kind):
            return print_error(why)
    if os.environ.get(_TRACE):
        raise error
    what = f"an internal error, {type(error).__name__}: {error}"
    print_error(f"{what}; please report it; {_TRACE}=1 shows where")
    return _INTERNAL


def print_error(error: object) -> int:
    """Print what is wrong as one line, and return the exit code of bad input."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"oneway: {one_line(str(error).strip())}\n")
        sys.stderr.flush()
    return _BAD


def _refuse_file(error: OSError) -> int:
    why = error.strerror or str(error)
    if error.filename:
        why = f"{error.filename}: {why}"
    elif error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF):
        _silence()
        why = f"cannot write the output: {why}"
    return print_error(why)


def _interrupted() -> int:
    terminated = files.stop_heard() == signal.SIGTERM
    if not _interruption_printed:
        _interruption_printed.append(True)
        print_error(f"{'terminated' if terminated else 'interrupted'}; {_hint[0]}")
    return _TERMINATED if terminated else _INTERRUPTED


def _silence() -> None:
    """Discard further output, or Python would complain when it exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _watching_signals(last: bool) -> Iterator[None]:
    """End this process `GRACE` seconds after a signal, if it is still running.

    A kernel can keep the main thread from its signal handlers. So the system also
    writes the signal to a socket, which a thread reads.
    """
    inner, outer = socket.socketpair()
    outer.setblocking(False)
    left = threading.Event()

    def watch() -> None:
        with inner:
            while data := inner.recv(16):
                stops = [number for number in data if number in files.STOPS]
                if stops and not left.wait(GRACE):
                    if not files.stop_heard():
                        files.note_stop(stops[0])
                    files.forget_asides()
                    files.end_now(_interrupted())

    before = signal.set_wakeup_fd(outer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
    if last:  # After a signal, errors in callbacks mean nothing.
        hook = sys.unraisablehook
        sys.unraisablehook = lambda error: None if files.stop_heard() else hook(error)
    handlers = [(stop, signal.signal(stop, files.hear_stop)) for stop in files.STOPS]
    try:
        yield
    finally:
        for number, handler in handlers:
            signal.signal(number, signal.SIG_IGN if last else handler)
        if not last:
            left.set()
        signal.set_wakeup_fd(before)
        outer.close()  # A grace period that has begun still runs.


def printable(text: str) -> str:
    r"""Escape the characters of a text that would control a terminal.

    >>> printable("a\x1b[31mb\tc\n")
    'a\\x1b[31mb\tc\n'
    """
    return "".join(c if c in "\t\n" else one_line(c) for c in text)


def one_line(text: object) -> str:
    r"""Escape a text, such as the name of a file, so that it stays on one line.

    >>> one_line("a\nb is proved")
    'a\\nb is proved'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def prepare_streams() -> None:
    """Prepare the standard streams for any text; replace closed ones.

    Input that is not text is passed on, so that errors can name the character.
    Characters that the encoding of the output lacks are escaped.
    """
    sys.stdin = sys.stdin or _devnull(os.O_RDONLY, "r")
    sys.stdout = sys.stdout or _devnull(os.O_RDONLY, "w")  # writing fails
    sys.stderr = sys.stderr or _devnull(os.O_WRONLY, "w")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _devnull(flags: int, mode: str) -> Any:
    return os.fdopen(os.open(os.devnull, flags), mode)
