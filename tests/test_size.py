"""`make size` counts what it says it counts."""

import subprocess
from pathlib import Path

import pytest

from tests.size import PRODUCT, ROOT, figures, line_count, rooms, tracked_files


def test_only_what_git_tracks_is_counted(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a b.py").write_text("# one\n\nx = 1", encoding="utf-8")
    (tmp_path / "gone.py").write_text("\n", encoding="utf-8")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "gone.py").unlink()
    (tmp_path / "new.py").write_text("\n", encoding="utf-8")
    assert tracked_files(tmp_path) == [Path("a b.py")]
    assert line_count(tmp_path, Path("a b.py")) == 3


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout of git")
def test_the_rooms_make_the_whole() -> None:
    whole, by_room = figures(), rooms()
    assert sum(lines for *_, lines in by_room) == whole["product lines of Python"]
    assert sum(modules for _, modules, _ in by_room) == whole["modules"]
    assert {room.split("/")[0] for room, *_ in by_room} == set(PRODUCT)
