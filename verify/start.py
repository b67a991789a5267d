"""The start of the command: Ctrl-C is handled before anything is imported."""

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType

_BY_SIGNAL = 128  # exit codes above it name the signal that ended the command
_stopped: list[int] = []  # the exit code, if a signal ended the command


def _end_early(number: int, frame: FrameType | None) -> None:
    word = b"terminated" if number == signal.SIGTERM else b"interrupted"
    os.write(2, b"oneway: %s; run the same command to start again\n" % word)
    os._exit(_BY_SIGNAL + number)


def _leave() -> None:
    """End this process with the code of the signal, behind all that ends in order.

    Python would end itself by SIGINT if the interrupt once passed through an `exec`,
    as in a library under import, whoever caught it then.
    """
    gc.freeze()  # a last collection takes longer than many commands
    if _stopped:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(_stopped[0])


def _run() -> int:
    if sys.argv[1:] == ["--version"]:
        from solver import __version__

        sys.stdout.write(f"oneway {__version__}\n")
        return 0
    completing = "_ONEWAY_COMPLETE" in os.environ  # a shell completes a line
    if not completing and sys.argv[1:] in ([], ["-h"], ["--help"]):
        from verify.commands import overview

        sys.stdout.write(f"{overview()}\n")
        return 0 if sys.argv[1:] else 2
    from verify.cli import run

    return run()


def command(*, last: bool = False) -> int:
    """Run the command that the arguments name, and return its exit code.

    If it is the `last` thing that this process does, signals are ignored from then on.
    """
    from verify.commands.ending import ended, prepare_streams

    prepare_streams()
    return ended(_run, last=last)


def main() -> None:
    """Run `oneway`; what it is made of is imported where Ctrl-C leaves no traceback."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_early)
    atexit.register(_leave)  # the first, so that it runs last
    code = command(last=True)
    if code > _BY_SIGNAL:
        _stopped.append(code)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
