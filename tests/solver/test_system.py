"""What differs between systems, each branch; and whose cache is believed."""

import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from solver import jit, system
from tests.runner import python

posix = pytest.mark.skipif(not system.POSIX, reason="owners and modes")


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


@posix
@pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
def test_a_cache_that_others_can_write_in_is_emptied(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "oneway"
    (folder / "module").mkdir(parents=True)
    (folder / "module" / "code.nbi").write_bytes(b"evil")
    (folder / "loose").write_bytes(b"evil")
    (folder / "link").symlink_to(tmp_path)
    folder.chmod(mode)
    assert not system.private(folder)
    assert system.own_folder(folder) == folder
    assert list(folder.iterdir()) == []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert tmp_path.is_dir()


@posix
def test_the_folder_of_another_user_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oneway"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    someone = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: someone)
    assert system.own_folder(folder) is None
    jit.cache_folder.cache_clear()
    found = jit.cache_folder()
    jit.cache_folder.cache_clear()
    assert found != folder
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert os.environ["NUMBA_CACHE_DIR"] == str(found.parent)


def test_a_home_that_nobody_knows_and_one_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    jit.cache_folder.cache_clear()
    found = jit.cache_folder()
    jit.cache_folder.cache_clear()
    assert tmp_path not in found.parents
    assert system.private(found)


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
from solver.system import starting_workers
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
        "from solver.system import end_now\n"
        "if __name__ == '__main__':\n"
        "    child = m.get_context('spawn').Process(target=time.sleep, args=(60,))\n"
        "    child.start(); print(child.pid, flush=True); end_now(7)\n"
    )
    done = python(code, timeout=30)
    assert done.returncode == 7
