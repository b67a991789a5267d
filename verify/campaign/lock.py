"""One writer a ledger: a lock that the system takes back when its holder dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from solver.system import lock, remove_locked
from verify.campaign.schema import LedgerError

_LOOK = 0.05  # seconds between two tries


@contextmanager
def held(file: Path, *, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock of a file: ``NAME.lock`` beside it, removed at the end.

    Raises
    ------
    LedgerError
        If another process holds it for longer than `patience` seconds, or it cannot
        be made.
    """
    beside = file.with_name(file.name + ".lock")
    until = monotonic() + patience
    try:
        while True:
            try:
                number = _taken(beside)
                break
            except BlockingIOError:
                if monotonic() >= until:
                    raise
                sleep(_LOOK)
    except BlockingIOError:
        who = beside.read_text(errors="replace").strip()
        raise LedgerError(
            file, f"process {who or 'unknown'} is at work on it"
        ) from None
    except OSError as error:
        raise LedgerError(file, f"cannot be locked: {error.strerror}") from None
    try:
        yield
    finally:
        remove_locked(number, beside)


def _taken(beside: Path) -> int:
    while True:
        number = os.open(beside, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            lock(number)
            if _is_file(number, beside):
                os.ftruncate(number, 0)
                os.write(number, f"{os.getpid()}\n".encode())
                return number
        except BaseException:
            os.close(number)
            raise
        os.close(number)  # its holder removed it just then


def _is_file(number: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(number), there)
