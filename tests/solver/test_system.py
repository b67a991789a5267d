"""Signals and processes; and whose cache of compiled kernels is believed."""

import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from solver import files as system
from solver import jit
from tests.runner import python

posix = pytest.mark.skipif(os.name != "posix", reason="owners, modes and signals")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("7x9@1,1>7,9!2,2;3,4:RRD", "7x9-1,1-7,9-2,2-3,4-RRD"),
        ("...", "-"),
        ("a" * 300, "a" * 80),
    ],
)
def test_file_names_that_every_system_takes(text: str, name: str) -> None:
    assert system.file_name(text) == name


def cache_folder(parent: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(parent))
    jit.cache_folder.cache_clear()
    folder = jit.cache_folder()
    jit.cache_folder.cache_clear()
    assert system.private(folder)
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder.parent)
    return folder


@posix
@pytest.mark.parametrize("mode", [0o700, 0o777, 0o720, 0o702])
def test_a_cache_that_others_can_write_in_is_not_used(
    tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oneway"
    folder.mkdir()
    folder.chmod(mode)
    used = cache_folder(tmp_path, monkeypatch)
    assert (used == folder) == (mode == 0o700)
    assert stat.S_IMODE(used.stat().st_mode) == 0o700


@posix
def test_a_cache_of_another_user_or_behind_a_link_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oneway"
    folder.mkdir(mode=0o700)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "oneway").symlink_to(folder)
    assert cache_folder(tmp_path / "other", monkeypatch) != tmp_path / "other/oneway"
    someone = os.geteuid() + 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: someone)
        assert not system.private(folder)


def test_a_home_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert tmp_path not in cache_folder(blocked, monkeypatch).parents


@posix
def test_interrupts_are_held_and_not_lost() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with system.starting_workers():
            assert sys.modules["__main__"].__doc__ is None
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
            os.kill(os.getpid(), signal.SIGINT)
        assert heard == [signal.SIGINT]
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_the_first_worker_is_not_reached_by_interrupts() -> None:
    code = """
import time
from multiprocessing import get_context
from solver.files import starting_workers
with starting_workers():
    child = get_context("spawn").Process(target=time.sleep, args=(0,))
    child.start()
status = open(f"/proc/{child.pid}/status").read()
print(int(status.partition("SigBlk:")[2].split()[0], 16))
child.join()
"""
    done = python(code, check=True)
    assert int(done.stdout) >> (signal.SIGINT - 1) & 1, done


def test_the_end_takes_children_with_it() -> None:
    code = (
        "import multiprocessing as m, time\n"
        "from solver.files import end_now\n"
        "if __name__ == '__main__':\n"
        "    child = m.get_context('spawn').Process(target=time.sleep, args=(60,))\n"
        "    child.start(); print(child.pid, flush=True); end_now(7)\n"
    )
    done = python(code, timeout=30)
    assert done.returncode == 7
