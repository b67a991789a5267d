"""Signals, processes and folders: what the operating system decides.

On POSIX in full; elsewhere what is plain.
"""

import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path
from types import FrameType, ModuleType


def private(folder: Path) -> bool:
    """Return whether a folder is ours, no link, and nobody else can write in it.

    On Windows the folders of a user are.
    """
    info = folder.lstat()
    if sys.platform == "win32":
        return stat.S_ISDIR(info.st_mode)
    others_write = info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return (
        stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid() and not others_write
    )


STOPS = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C, and the request to end
_heard: list[int] = []


def hear_stop(number: int, frame: FrameType | None = None) -> None:
    """Note that Ctrl-C or the request to end came; be their handler.

    Raises `KeyboardInterrupt` the first time. Later ones find the process ending
    already.
    """
    note_stop(number)
    if len(_heard) == 1:
        raise KeyboardInterrupt


def note_stop(number: int) -> None:
    """Note that a signal came, for who looks at `stop_heard`."""
    _heard.append(number)


def stop_heard() -> int:
    """Return the first signal that asked this process to end; 0 if none did."""
    return _heard[0] if _heard else 0


def forget_stops() -> None:
    """Begin anew, with no signal heard."""
    _heard.clear()


@contextmanager
def starting_workers() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, and that do not run our script.

    A signal that comes meanwhile is not lost. A process that is spawned imports the
    script of its parent, at length, and runs it if nothing in it says that it must not.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        if sys.platform == "win32":  # it has no mask of signals
            yield
            return
        from multiprocessing import resource_tracker

        # The library starts its tracker with the first process, and then unblocks
        # SIGINT, for that process too: so the tracker starts before.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    finally:
        sys.modules["__main__"] = main


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process, which another one ends."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_now(code: int) -> None:
    """End this process and those that it started, whatever they do."""
    for child in active_children():
        child.kill()
    os._exit(code)


def file_name(text: str, most: int = 80) -> str:
    r"""Return a text as a file name that every system takes.

    Notation has characters that Windows refuses; they become hyphens.

    >>> file_name("7x9@1,1>7,9!2,2;3,4:RRD"), file_name(r"a\b/c ")
    ('7x9-1,1-7,9-2,2-3,4-RRD', 'a-b-c')
    """
    kept = [c if c.isalnum() or c in ",._+=- " else "-" for c in text[:most]]
    return "".join(kept).strip(". ") or "-"
