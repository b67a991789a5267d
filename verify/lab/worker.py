"""A worker process: it answers one request after the other until it is killed.

A request comes through a pipe as the bytes of its message. Each reply goes back as
bytes, after a sign that says whether it is the last. Importing this module loads the
kernels of most requests, so that processes forked after the import answer at once.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from solver.errors import OnewayError
from verify.lab import board, messages, rules
from verify.lab.messages import Done, Fault, Reply, encoded, read_request
from verify.lab.shared import LAST, MORE, Settings

HANDLERS: dict[type, Callable[[Any, Settings], Iterator[Reply]]] = {
    messages.Open: board.open_position,
    messages.Look: board.look,
    messages.Count: board.count,
    messages.Go: board.go,
    messages.LeftFirst: board.leftfirst,
    messages.Why: board.why,
    messages.Prove: board.prove,
    messages.Keep: board.keep,
    messages.Export: board.export,
    messages.Cases: board.cases,
    messages.Labyrinths: board.labyrinths,
    messages.Sheets: board.sheets,
    messages.ReadRule: rules.read,
    messages.ReadPicture: rules.picture,
    messages.EditRule: rules.edit,
    messages.SaveRule: rules.save,
    messages.JudgeRule: rules.judge_rule,
    messages.Certify: rules.certify,
    messages.CompareRule: rules.compare,
    messages.Book: rules.book,
    messages.BookRule: rules.book_rule,
}


def answers(data: bytes, settings: Settings) -> Iterator[Reply]:
    """Yield the replies to a request; the last one is a `Done` or a `Fault`.

    Raises as `read_request`; all other errors become a `Fault`.
    """
    request = read_request(data)
    began = time.perf_counter()
    try:
        yield from HANDLERS[type(request)](request, settings)
    except OnewayError as error:
        yield Fault(request.id, str(error))
    except Exception as error:
        why = f"an internal error, {type(error).__name__}: {error}"
        yield Fault(request.id, why)
    else:
        yield Done(request.id, round(time.perf_counter() - began, 6))


def work(pipe: Connection, settings: Settings) -> None:
    """Serve requests until the pipe is closed."""
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            for reply in answers(pipe.recv_bytes(), settings):
                last = isinstance(reply, Done | Fault)
                pipe.send_bytes((LAST if last else MORE) + encoded(reply))


def _load() -> None:
    """Load the kernels; end at once if the server goes meanwhile.

    Compiling can take long. No thread may be left where workers are forked.
    """
    server, loaded = os.getppid(), threading.Event()

    def watch() -> None:
        while not loaded.wait(0.2):
            if os.getppid() != server:
                os._exit(1)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        board.warm()
        rules.warm()
    finally:
        loaded.set()
        watching.join()


_load()
