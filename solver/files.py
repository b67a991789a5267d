"""Files written whole or not at all and read within bounds; signals and processes.

On Windows, which lacks owners, modes and masks of signals, some promises are weaker.
"""

import hashlib
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeAlias, TypeVar

from solver.errors import OptionError

_T = TypeVar("_T")

STOPS = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C, and the request to end
_signals: list[int] = []  # those that asked this process to end


def hear_stop(number: int, frame: FrameType | None = None) -> None:
    """Handle Ctrl-C or the request to end; raise `KeyboardInterrupt` the first time."""
    note_stop(number)
    if len(_signals) == 1:
        raise KeyboardInterrupt


def note_stop(number: int) -> None:
    """Record that a signal came."""
    _signals.append(number)


def stop_heard() -> int:
    """Return the first signal that asked this process to end; 0 if none did."""
    return _signals[0] if _signals else 0


def forget_stops() -> None:
    """Forget all signals."""
    _signals.clear()


@contextmanager
def starting_workers() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, and that do not run our script.

    A signal in the meantime is not lost. A process that is spawned would import the
    script of its parent, and run it if the script does not prevent that.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        if sys.platform == "win32":
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
    """Ignore Ctrl-C in this process, which another process ends."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_now(code: int) -> None:
    """End this process and its children at once."""
    for child in active_children():
        child.kill()
    os._exit(code)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def private(folder: Path) -> bool:
    """Return whether a folder is ours, no link, and closed to other writers."""
    info = folder.lstat()
    if sys.platform == "win32" or not stat.S_ISDIR(info.st_mode):
        return stat.S_ISDIR(info.st_mode)
    others_write = info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return info.st_uid == os.geteuid() and not others_write


def file_name(text: str, most: int = 80) -> str:
    r"""Return a text as a file name that every system allows, with hyphens.

    >>> file_name("7x9@1,1>7,9!2,2;3,4:RRD"), file_name(r"a\b/c ")
    ('7x9-1,1-7,9-2,2-3,4-RRD', 'a-b-c')
    """
    letters = [c if c.isalnum() or c in ",._+=- " else "-" for c in text[:most]]
    return "".join(letters).strip(". ") or "-"


Content: TypeAlias = str | bytes
_asides: set[Path] = set()  # written, but not renamed yet


def write_whole(path: Path, content: Content) -> None:
    """Write a file aside and rename it, so that no reader sees half of it.

    Text becomes UTF-8 with line feeds. Raises `OptionError` if that fails, and leaves
    nothing behind.
    """
    write_together([(path, content)])


def write_together(files: Iterable[tuple[Path, Content | None]]) -> None:
    """Write files that belong together: all aside first, then rename all.

    A file whose content is None is removed. Raises `OptionError` if that fails.
    """
    parts: list[tuple[Path, Path]] = []
    gone = []
    path = Path()
    try:
        try:
            for path, content in files:
                if content is None:
                    gone.append(path)
                    continue
                parts.append((path.with_name(f".{path.name}.{os.getpid()}.part"), path))
                _asides.add(parts[-1][0])
                data = content.encode() if isinstance(content, str) else content
                parts[-1][0].write_bytes(data)
            for path in gone:
                path.unlink(missing_ok=True)
            for aside, path in parts:
                aside.replace(path)
        finally:
            for aside, _ in parts:
                aside.unlink(missing_ok=True)
                _asides.discard(aside)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


_DIGEST = hashlib.sha256().digest_size


def _digest(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


def write_with_digest(path: Path, content: bytes) -> None:
    """Write a file that begins with a digest of its name and content."""
    write_whole(path, _digest(path, content) + content)


def read_with_digest(path: Path) -> bytes | None:
    """Return the content of a file of `write_with_digest`; None if there is none.

    A damaged or renamed file is removed.
    """
    try:
        if not path.is_file():
            return None
        data = path.read_bytes()
        content = data[_DIGEST:]
        if data[:_DIGEST] == _digest(path, content):
            return content
        path.unlink(missing_ok=True)
    except OSError:
        pass
    return None


def forget_asides() -> None:
    """Remove files written aside, before this process ends at once."""
    for aside in tuple(_asides):
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, or raise `OptionError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make {folder}: {error.strerror}") from None


def load_table(module: str, name: str) -> dict[str, Any]:
    """Return the TOML table in a file of this name, next to a module's file."""
    import tomllib  # few commands need it

    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def read_most(file: str, most: int) -> bytes:
    """Read a file as `read_regular` does, or standard input for ``-``."""
    if file != "-":
        try:
            return read_regular(Path(file), most)
        except OptionError as error:
            raise OptionError(f"cannot read {file}: {error}") from None
    try:
        data = sys.stdin.buffer.read(most + 1)
    except OSError as error:
        raise OptionError(f"standard input cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise OptionError(f"standard input holds more than {most:,} bytes")
    return data


def read_regular(path: Path, most: int) -> bytes:
    """Read a regular file of at most `most` bytes.

    Raises `OptionError`, with the reason alone, if that fails, or the file is larger, a
    folder, a device or a pipe.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OptionError("not a regular file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise OptionError(str(error.strerror)) from None
    except ValueError as error:  # a zero in the path, or no regular file
        raise OptionError(str(error)) from None
    if len(data) > most:
        raise OptionError(f"larger than {most:,} bytes")
    return data


def checked(value: Any, kind: type[_T], what: str) -> _T:
    """Return plain values as values of a type, or raise `OptionError`."""
    import msgspec

    try:
        return msgspec.convert(value, type=kind, str_keys=True)
    except msgspec.MsgspecError as error:
        raise OptionError(f"{what}: {error}") from None
