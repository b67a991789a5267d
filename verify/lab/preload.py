"""Imported once by the process that workers are forked from: see `verify.lab.pool`."""

import os
import threading

from verify.lab.worker import load


def _load() -> None:
    """Load; end at once if the server goes meanwhile, as compiling takes minutes."""
    server, loaded = os.getppid(), threading.Event()

    def watch() -> None:
        while not loaded.wait(0.2):
            if os.getppid() != server:
                os._exit(1)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        load()
    finally:
        loaded.set()
        watching.join()  # no thread may run where workers are forked


_load()
