"""How a command ends: an exit code and at most one line on standard error.

`ended` turns what went wrong into an exit code: 1 a board without a Hamiltonian walk;
2 bad input, or a file or stream that cannot be read or written; 3 an internal error;
130 Ctrl-C; 141 the reader of the output is gone; 143 SIGTERM. There is no traceback.

Ctrl-C and SIGTERM raise `KeyboardInterrupt` once. It may strike in the middle of an
import, of compiling or of a callback and confuse a library, so any error after it
counts as the interrupt. A thread ends commands that need more than `GRACE` seconds.

Standard streams take any text: characters that the encoding lacks are written in ASCII.
"""

import codecs
import errno
import io
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from solver.errors import NoWalkError, OnewayError, WitnessError
from solver.files import forget_asides
from solver.system import STOPS, end_now, forget_stops, hear_stop, note_stop, stop_heard

GRACE = 1.5  # seconds that a command has to end by itself
NONE, BAD, FAULT, INTERRUPTED, UNREAD, TERMINATED = 1, 2, 3, 130, 141, 143
_TRACE = "ONEWAY_TRACEBACK"  # environment: raise internal errors with their traceback
_RERUN = "run the same command to start again"

_hint = [_RERUN]
_interruption_printed: list[bool] = []


def going_on(hint: str) -> None:
    """Set what an interrupted command prints about how to resume it."""
    _hint[:] = [hint]


def ended(work: Callable[[], object], *, last: bool = False) -> int:
    """Do the work of a command, print what went wrong, and return the exit code.

    With `last` this process does nothing afterwards: signals are ignored from then on.
    """
    _hint[:] = [_RERUN]
    _interruption_printed.clear()
    forget_stops()
    try:
        with _watched(last):
            try:
                code = work()
                for stream in filter(None, (sys.stdout, sys.stderr)):
                    stream.flush()
            except Exception as error:
                # PySAT raises an error of its own when Ctrl-C stops a solver.
                if stop_heard() or "keyboard interrupt" in str(error).lower():
                    raise KeyboardInterrupt from None
                raise
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _silence()
        return UNREAD
    except NoWalkError as error:
        refuse(str(error))
        return NONE
    except WitnessError as error:
        return _fault(error)
    except OnewayError as error:
        return refuse(str(error))
    except RecursionError:
        return refuse("the input is nested too deeply")
    except OverflowError:
        return refuse("a number of the input is too large")
    except MemoryError:
        return refuse("there is not enough memory")
    except OSError as error:
        return _refuse_file(error)
    except UnicodeError as error:
        return refuse(f"text that cannot be read or written: {error}")
    except Exception as error:
        return _fault(error)


def refuse(message: str) -> int:
    """Print what is wrong as one line, and return the exit code of bad input."""
    line = one_line(message.strip())
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"oneway: {line}\n")
        sys.stderr.flush()
    return BAD


class Skipped:
    """Prints why files among many are skipped, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, error: OnewayError) -> None:
        """Skip a file."""
        self.count += 1
        refuse(str(error))

    def code(self, otherwise: int) -> int:
        """Return the exit code of bad input if a file was skipped."""
        return BAD if self.count else otherwise


def _fault(error: Exception) -> int:
    if os.environ.get(_TRACE):
        raise error
    refuse(
        f"an internal error, {type(error).__name__}: {error}; please report it; "
        f"{_TRACE}=1 shows where"
    )
    return FAULT


def _refuse_file(error: OSError) -> int:
    why = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF) and not error.filename:
        _silence()
        return refuse(f"cannot write the output: {why}")
    return refuse(f"{error.filename}: {why}" if error.filename else why)


def _interrupted() -> int:
    terminated = stop_heard() == signal.SIGTERM
    if not _interruption_printed:
        _interruption_printed.append(True)
        refuse(f"{'terminated' if terminated else 'interrupted'}; {_hint[0]}")
    return TERMINATED if terminated else INTERRUPTED


def _silence() -> None:
    """Write further output nowhere, or Python would complain at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def _watched(last: bool) -> Iterator[None]:
    """End this process `GRACE` seconds after a signal, if it is still running.

    A kernel can keep the main thread from its signal handlers. So the system writes
    the signal to a socket too, which a thread reads.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    inner, outer = socket.socketpair()
    outer.setblocking(False)
    left = threading.Event()

    def watch() -> None:
        with inner:
            while data := inner.recv(16):
                stops = [number for number in data if number in STOPS]
                if stops and not left.wait(GRACE):
                    if not stop_heard():
                        note_stop(stops[0])
                    forget_asides()
                    end_now(_interrupted())

    before = signal.set_wakeup_fd(outer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
    if last:
        sys.unraisablehook = _unless_stopped(sys.unraisablehook)
    handlers = [(number, signal.signal(number, hear_stop)) for number in STOPS]
    try:
        yield
    finally:
        for number, handler in handlers:
            signal.signal(number, signal.SIG_IGN if last else handler)
        if not last:
            left.set()
        signal.set_wakeup_fd(before)
        outer.close()  # a grace period that has begun still runs


def _unless_stopped(
    hook: Callable[["sys.UnraisableHookArgs"], object],
) -> Callable[["sys.UnraisableHookArgs"], None]:
    """Return a hook that ignores errors in callbacks once a signal came."""

    def silenced(what: "sys.UnraisableHookArgs") -> None:
        if not stop_heard():
            hook(what)

    return silenced


def printable(text: str) -> str:
    r"""Escape the characters of a text that would steer a terminal.

    >>> printable("a\x1b[31mb\tc\n")
    'a\\x1b[31mb\tc\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\t\n" else _escaped(c) for c in text)


def one_line(text: object) -> str:
    r"""Escape a text, such as the name of a file, so that it stays on one line.

    >>> one_line("a\nb is proved")
    'a\\nb is proved'
    """
    return "".join(c if c.isprintable() else _escaped(c) for c in str(text))


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode()


ASCII = dict(
    zip("│─└┌┐┘├┤┬┴┼○◎·▒█▲▶▼◀●□■▪→←↑↓…", "|-+++++++++oO.%#^>v<*##.><^v.", strict=True)
)
_HANDLER = "oneway"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    chars = error.object[error.start : error.end]
    return "".join(ASCII.get(char) or _escaped(char) for char in chars), error.end


class _Closed(io.StringIO):
    """Standard output that was closed before the command started."""

    def write(self, text: str) -> NoReturn:
        """Fail as the operating system would."""
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make the standard streams take any text; closed ones are empty.

    Input that is no text is read as it is, so that errors can name the character.
    """
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
