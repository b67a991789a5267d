"""A process that answers requests one after the other, and is killed to cancel one.

It talks through a pipe: a request comes as the bytes of its message, a reply goes as
bytes after a sign that says whether it is the last one.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection

import msgspec

from solver.errors import OnewayError
from solver.jit import on_compiling
from verify.lab.messages import Numbered, read_request
from verify.lab.replies import Done, Fault, Reply
from verify.lab.settings import Settings

MORE, LAST = b"+", b"."
_WRITER = msgspec.json.Encoder()


def answers(data: bytes, settings: Settings) -> Iterator[Reply]:
    """Yield the replies to a request; the last one is a `Done` or a `Fault`."""
    from verify.lab.handlers import HANDLERS

    request = read_request(data)
    began = time.perf_counter()
    try:
        yield from HANDLERS[type(request)](request, settings)
    except OnewayError as error:
        yield Fault(request.id, str(error))
    except RecursionError:
        yield Fault(request.id, "what was given is nested too deeply")
    except MemoryError:
        yield Fault(request.id, "there is not enough memory")
    else:
        yield Done(request.id, round(time.perf_counter() - began, 6))


def encoded(reply: Reply) -> bytes:
    """Return a reply as the bytes that a page reads."""
    return _WRITER.encode(reply)


def work(pipe: Connection, settings: Settings) -> None:
    """Answer requests until the pipe is closed."""
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            for reply in _guarded(pipe.recv_bytes(), settings):
                last = isinstance(reply, Done | Fault)
                pipe.send_bytes((LAST if last else MORE) + encoded(reply))


def _guarded(data: bytes, settings: Settings) -> Iterator[Reply]:
    """Yield replies; internal errors are reported; the worker keeps serving."""
    try:
        yield from answers(data, settings)
    except Exception as error:
        number = msgspec.json.decode(data, type=Numbered).id
        why = f"an internal error, {type(error).__name__}: {error}"
        yield Fault(number, why)


_reported: list[str] = []


def _report_compiling(module: str) -> None:
    """Say once, where the command was started, that kernels are compiled."""
    if not _reported:
        _reported.append(module)
        sys.stderr.write("compiling kernels, once for this version\n")
        sys.stderr.flush()


def load() -> None:
    """Load what every worker needs, in the process that workers come from."""
    from verify.lab import board, rules

    import_module("verify.lab.handlers")  # which imports what answers any request
    on_compiling(_report_compiling)
    board.warm()
    rules.warm()
