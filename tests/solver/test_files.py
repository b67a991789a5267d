from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.errors import OptionError
from solver.files import make_folder, write_together, write_whole


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
