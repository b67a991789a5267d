from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.errors import OptionError
from solver.files import (
    make_folder,
    read_regular,
    read_with_digest,
    write_together,
    write_whole,
    write_with_digest,
)


def test_text_and_bytes_are_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "é\n")
    write_whole(tmp_path / "a.txt", "two\n")
    write_whole(tmp_path / "b.bin", b"\x00")
    assert (tmp_path / "a.txt").read_bytes() == b"two\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "b.bin"]


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
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
    file, content = tmp_path / "kernel", bytes(range(64))
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
