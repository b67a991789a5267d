"""How a command ends: found, refused, interrupted, or at a fault; never a traceback.

Standard streams take any text, whatever the terminal can show: where the encoding of
the output lacks a character of our pictures, an ASCII one stands for it; anything else
that it lacks is escaped. Input that is no text is read as it is, so that whoever reads
it can say which character is wrong.

`ended` is the one place that turns what went wrong into one line on standard error and
an exit code: 1 a board without a Hamiltonian walk; 2 bad input, or a file or stream
that cannot be read or written; 3 an internal error; 130 Ctrl-C; 141 the reader of the
output is gone; 143 SIGTERM.

Ctrl-C and SIGTERM raise `KeyboardInterrupt`, once, which kernels in slices let through
soon. It may come in the middle of an import, of compiling or of a callback, and leave
a library confused: whatever is raised after it counts as the interrupt. What does not
end within `GRACE` seconds is ended by a thread that watches.
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
from solver.system import STOPS, end_now, forget_stops, hear_stop, note_stop, stop_heard

GRACE = 1.5  # seconds that a command has to end by itself
NONE, BAD, FAULT, INTERRUPTED, UNREAD, TERMINATED = 1, 2, 3, 130, 141, 143
_TRACE = "ONEWAY_TRACEBACK"  # environment: show where a fault is

_going_on: list[str] = []
_said: list[bool] = []  # that it was interrupted


def going_on(hint: str) -> None:
    """Say how the command is gone on with, should it be interrupted."""
    _going_on[:] = [hint]


def ended(work: Callable[[], object], *, last: bool = False) -> int:
    """Do the work of a command and return its exit code; print what went wrong.

    If it is the `last` thing that this process does, signals are heard until then, and
    ignored while Python ends.
    """
    _going_on.clear()
    _said.clear()
    forget_stops()
    try:
        with _watched(last):
            try:
                code = work()
                _flush()
            except KeyboardInterrupt:
                return _interrupted()
            except SystemExit as leave:
                # How rich ends where nobody reads what it prints.
                if isinstance(leave.__context__, BrokenPipeError):
                    raise leave.__context__ from None
                raise
            except Exception as error:
                if stop_heard() or _stopped_solver(error):
                    return _interrupted()
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
        return refuse("what was given is nested too deeply")
    except MemoryError:
        return refuse("there is not enough memory")
    except OSError as error:
        return _refuse_file(error)
    except UnicodeError as error:
        return refuse(f"text that cannot be read or written: {error}")
    except Exception as error:
        return _fault(error)


def _fault(error: Exception) -> int:
    """Print an internal error and return its exit code, or raise it if that is set."""
    if os.environ.get(_TRACE):
        raise error
    refuse(
        f"an internal error, {type(error).__name__}: {error}; please report it; "
        f"{_TRACE}=1 shows where"
    )
    return FAULT


def refuse(message: str) -> int:
    """Print what is wrong as one line, and return the exit code of bad input."""
    line = one_line(message.strip())
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"oneway: {line}\n")
        sys.stderr.flush()
    return BAD


class PassedOver:
    """Prints why a file among many is passed over, and knows the exit code then."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, error: OnewayError) -> None:
        """Pass a file over."""
        self.count += 1
        refuse(str(error))

    def code(self, otherwise: int) -> int:
        """Return the exit code of bad input if a file was passed over."""
        return BAD if self.count else otherwise


def _refuse_file(error: OSError) -> int:
    why = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF) and not error.filename:
        _silence()
        return refuse(f"cannot write the output: {why}")
    return refuse(f"{error.filename}: {why}" if error.filename else why)


def _interrupted() -> int:
    hint = _going_on[0] if _going_on else "run the same command to start again"
    terminated = stop_heard() == signal.SIGTERM
    if not _said:
        _said.append(True)
        refuse(f"{'terminated' if terminated else 'interrupted'}; {hint}")
    return TERMINATED if terminated else INTERRUPTED


def _stopped_solver(error: Exception) -> bool:
    """Return whether a SAT solver was stopped by Ctrl-C, which it keeps to itself."""
    return "keyboard interrupt" in str(error).lower()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _silence() -> None:
    """Let nothing more be written where nothing can be: Python would complain."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def printable(text: str) -> str:
    r"""Return a text without what would steer a terminal: shown, not obeyed.

    >>> printable("a\x1b[31mb\tc\n")
    'a\\x1b[31mb\tc\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\t\n" else _escaped(c) for c in text)


def one_line(text: object) -> str:
    r"""Return a name as one line: no file's name makes a line of its own.

    >>> one_line("a\nb is proved")
    'a\\nb is proved'
    """
    return "".join(c if c.isprintable() else _escaped(c) for c in str(text))


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode()


@contextmanager
def _watched(last: bool) -> Iterator[None]:
    """End this process `GRACE` seconds after a signal, if it does not by itself.

    The signal is written to a socket that a thread reads, while kernels keep the main
    thread from hearing of it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    from solver.files import forget_asides

    inner, outer = socket.socketpair()
    outer.setblocking(False)
    left = threading.Event()

    def watch() -> None:
        with inner:
            while data := inner.recv(16):
                heard = [one for one in data if one in STOPS]
                if heard and not left.wait(GRACE):
                    if not stop_heard():  # the main thread did not come to it
                        note_stop(heard[0])
                    forget_asides()
                    _show_cursor()
                    end_now(_interrupted())

    before = signal.set_wakeup_fd(outer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
    if last:
        sys.unraisablehook = _unless_stopped(sys.unraisablehook)
    handlers = [(one, signal.signal(one, hear_stop)) for one in STOPS]
    try:
        yield
    finally:
        for one, handler in handlers:
            signal.signal(one, signal.SIG_IGN if last else handler)
        if not last:
            left.set()
        signal.set_wakeup_fd(before)
        outer.close()  # a grace that runs already runs on


def _unless_stopped(
    hook: Callable[["sys.UnraisableHookArgs"], object],
) -> Callable[["sys.UnraisableHookArgs"], None]:
    """Return a hook that is silent once a signal came, which may strike a callback."""

    def silenced(what: "sys.UnraisableHookArgs") -> None:
        if not stop_heard():
            hook(what)

    return silenced


def _show_cursor() -> None:
    with suppress(OSError, ValueError, AttributeError):
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K\x1b[?25h")


ASCII = dict(
    zip("│─└┌┐┘├┤┬┴┼○◎·▒█▲▶▼◀●□■▪→←↑↓…", "|-+++++++++oO.%#^>v<*##.><^v.", strict=True)
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
