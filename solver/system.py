"""What differs between operating systems, in one place.

Everything else of ours is the same on Linux, macOS and Windows. `POSIX` chooses the
branch; tests choose the other one.
"""

import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path
from types import FrameType, ModuleType

POSIX = os.name == "posix"


def ours(folder: Path) -> bool:
    """Return whether this is a folder, no link to one, and belongs to us.

    On Windows the folders of a user do, so it is enough that it is a folder.
    """
    try:
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if sys.platform == "win32" or not POSIX:
        return True
    return found.st_uid == os.geteuid()


def private(folder: Path) -> bool:
    """Return whether a folder is ours and nobody else can write in it."""
    if not ours(folder):
        return False
    return not POSIX or not folder.lstat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def own_folder(folder: Path) -> Path | None:
    """Make a folder that is ours alone; None if what lies there is not.

    One of ours that others could write in is emptied, and closed to them.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not private(folder) and ours(folder):
            folder.chmod(0o700)
            for inside in folder.iterdir():
                if inside.is_dir() and not inside.is_symlink():
                    shutil.rmtree(inside)
                else:
                    inside.unlink()
    except OSError:
        return None
    return folder if private(folder) and os.access(folder, os.W_OK) else None


def passing_folder() -> Path:
    """Make a folder of this process alone, whose name nobody could foresee."""
    return Path(tempfile.mkdtemp(prefix="oneway-"))


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
def interrupts_held() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: whoever started them ends them.

    A signal that comes meanwhile is not lost. Windows has no such mask; there the
    processes ignore Ctrl-C once they run.
    """
    if sys.platform == "win32" or not POSIX:
        yield
        return
    from multiprocessing import resource_tracker

    # The library starts its tracker with the first process, and then unblocks SIGINT,
    # for that process too, which is deep in its imports: so the tracker starts before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def starting_workers() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, and that do not run our script.

    A process that is spawned imports the script of its parent, at length, and runs it
    if nothing in it says that it must not.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        with interrupts_held():
            yield
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


def end_children() -> None:
    """End the processes that this one started, whatever they do."""
    for child in active_children():
        child.kill()


def end_now(code: int) -> None:
    """End this process without waiting for a kernel, a thread or a process."""
    end_children()
    os._exit(code)


def file_name(text: str, most: int = 80) -> str:
    r"""Return a text as a file name that every system takes.

    Notation has characters that Windows refuses; they become hyphens.

    >>> file_name("7x9@1,1>7,9!2,2;3,4:RRD"), file_name(r"a\b/c ")
    ('7x9-1,1-7,9-2,2-3,4-RRD', 'a-b-c')
    """
    kept = [c if c.isalnum() or c in ",._+=- " else "-" for c in text[:most]]
    return "".join(kept).strip(". ") or "-"
