"""A process that answers requests one after the other, and is killed to cancel one.

It talks through a pipe: a request comes as the bytes of its message, a reply goes as
bytes after a sign that says whether it is the last one. Importing this module loads the
kernels of most questions, so that processes forked from one that did answer at once.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from solver.errors import OnewayError
from solver.jit import on_compiling
from verify.lab import board, library, messages, rules, walks
from verify.lab.messages import (
    LAST,
    MORE,
    Done,
    Fault,
    Numbered,
    Reply,
    encoded,
    read_request,
)
from verify.lab.places import Settings

HANDLERS: dict[type, Callable[[Any, Settings], Iterator[Reply]]] = {
    messages.Open: board.open_position,
    messages.Look: board.look,
    messages.Count: board.count,
    messages.Go: board.go,
    messages.LeftFirst: walks.leftfirst,
    messages.Why: board.why,
    messages.Prove: board.prove,
    messages.Keep: board.keep,
    messages.Export: board.export,
    messages.ReadRule: rules.read,
    messages.ReadPicture: rules.picture,
    messages.EditRule: rules.edit,
    messages.SaveRule: rules.save,
    messages.JudgeRule: rules.judge_rule,
    messages.Certify: rules.certify,
    messages.CompareRule: library.compare,
    messages.Book: library.book,
    messages.BookRule: library.rule,
    messages.Cases: library.cases,
    messages.Labyrinths: walks.labyrinths,
    messages.Sheets: walks.labyrinths,
}


def answers(data: bytes, settings: Settings) -> Iterator[Reply]:
    """Yield the replies to a request; the last one is a `Done` or a `Fault`."""
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


def work(pipe: Connection, settings: Settings) -> None:
    """Serve requests until the pipe is closed."""
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
    """Print once on standard error of the command that kernels are compiled."""
    if not _reported:
        _reported.append(module)
        sys.stderr.write("compiling kernels, once for this version\n")
        sys.stderr.flush()


def _load() -> None:
    """Load the kernels; end at once if the server goes meanwhile, as compiling is long.

    No thread may run where workers are forked.
    """
    server, loaded = os.getppid(), threading.Event()

    def watch() -> None:
        while not loaded.wait(0.2):
            if os.getppid() != server:
                os._exit(1)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        on_compiling(_report_compiling)
        board.warm()
        rules.warm()
    finally:
        loaded.set()
        watching.join()


_load()
