from pathlib import Path

import pytest

from solver.errors import OptionError
from solver.files import make_folder, write_whole


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
