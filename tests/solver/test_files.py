"""Files written whole or not at all, private folders, signals and processes."""

import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver import jit
from solver.errors import OptionError
from solver.files import (
    file_name,
    make_folder,
    private,
    read_regular,
    read_with_digest,
    starting_workers,
    write_together,
    write_whole,
    write_with_digest,
)
from tests.runner import python

posix = pytest.mark.skipif(os.name != "posix", reason="owners, modes and signals")


def test_a_file_is_replaced_or_left_as_it_is(tmp_path: Path) -> None:
    for content in ("é\n", "two\n"):
        write_whole(tmp_path / "a.txt", content)
    assert (tmp_path / "a.txt").read_bytes() == b"two\n"
    (tmp_path / "a.txt").unlink()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "full").touch()
    for path in (tmp_path / "none" / "a.txt", tmp_path / "folder"):
        with pytest.raises(OptionError, match="cannot write"):
            write_whole(path, "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder"]
    with pytest.raises(OptionError, match="cannot make"):
        make_folder(tmp_path / "folder" / "full" / "deeper")


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    file = tmp_path / "four"
    file.write_bytes(b"1234")
    assert read_regular(file, 4) == b"1234"
    with pytest.raises(OptionError, match="larger than 3 bytes"):
        read_regular(file, 3)
    with pytest.raises(OptionError, match="not a regular file"):
        read_regular(tmp_path, 9)


def test_files_that_belong_together_appear_together(tmp_path: Path) -> None:
    def some(last: Path) -> Iterator[tuple[Path, str]]:
        for name in ("a", "b"):
            yield tmp_path / name, name
            assert not (tmp_path / name).exists()
        yield last, "c"

    with pytest.raises(OptionError, match=r"cannot write .*none"):
        write_together(some(tmp_path / "none" / "c"))
    assert list(tmp_path.iterdir()) == []
    write_together(some(tmp_path / "c"))
    assert [p.read_text() for p in sorted(tmp_path.iterdir())] == ["a", "b", "c"]


def test_a_file_with_a_digest_is_whole_or_gone(tmp_path: Path) -> None:
    """Every flipped bit, every cut and another name are noticed."""
    file, content = tmp_path / "kernel", bytes(range(16))
    write_with_digest(file, content)
    assert read_with_digest(file) == content
    data = file.read_bytes()
    damaged = [
        data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
        for at in range(len(data))
        for bit in range(8)
    ]
    damaged += [data[:size] for size in range(len(data))]
    damaged.append(data + b"\0")
    for wrong in damaged:
        file.write_bytes(wrong)
        assert read_with_digest(file) is None
        assert not file.exists()
    (tmp_path / "other").write_bytes(data)
    assert read_with_digest(tmp_path / "other") is None
    assert read_with_digest(tmp_path / "none") is None
    assert read_with_digest(tmp_path) is None


def test_file_names_that_every_system_takes() -> None:
    for text, name in (("..a.b ", "a.b"), ("...", "-"), ("a" * 300, "a" * 80)):
        assert file_name(text) == name


def used_folder(parent: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(parent))
    jit.cache_folder.cache_clear()
    folder = jit.cache_folder()
    jit.cache_folder.cache_clear()
    assert private(folder)
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder.parent)
    return folder


@posix
def test_a_cache_that_others_can_change_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oneway"
    folder.mkdir()
    for mode in (0o777, 0o720, 0o702, 0o700):
        folder.chmod(mode)
        used = used_folder(tmp_path, monkeypatch)
        assert (used == folder) == (mode == 0o700)
        assert stat.S_IMODE(used.stat().st_mode) == 0o700
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "oneway").symlink_to(folder)
    assert used_folder(tmp_path / "other", monkeypatch) != tmp_path / "other/oneway"
    (tmp_path / "file").touch()
    assert tmp_path not in used_folder(tmp_path / "file", monkeypatch).parents
    someone = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: someone)
    assert not private(folder)


@posix
def test_interrupts_are_held_and_not_lost() -> None:
    signals: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: signals.append(number))
    try:
        with starting_workers():
            assert sys.modules["__main__"].__doc__ is None
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
            os.kill(os.getpid(), signal.SIGINT)
        assert signals == [signal.SIGINT]
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
print(open(f"/proc/{child.pid}/status").read().partition("SigBlk:")[2].split()[0])
child.join()
"""
    done = python(code, check=True)
    assert int(done.stdout, 16) >> (signal.SIGINT - 1) & 1, done


def test_end_now_kills_children() -> None:
    code = (
        "import multiprocessing as m, time\n"
        "from solver.files import end_now\n"
        "if __name__ == '__main__':\n"
        "    child = m.get_context('spawn').Process(target=time.sleep, args=(60,))\n"
        "    child.start(); print(child.pid, flush=True); end_now(7)\n"
    )
    done = python(code, timeout=30)
    assert done.returncode == 7
