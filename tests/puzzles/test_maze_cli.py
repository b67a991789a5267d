"""`oneway maze`: its output, its files, and its exit codes."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from solver.puzzles.maze import Maze
from tests.puzzles.samples import RIDDLER
from tests.runner import Ran, assert_refused
from tests.runner import run as oneway
from verify.puzzles.maze import read_maze


def run(*words: str, text: str = "") -> Ran:
    return oneway("maze", *words, stdin=text)


def refused(why: str, *words: str, text: str = "") -> None:
    ran = run(*words, text=text)
    assert_refused(ran)
    assert re.search(why, ran.err), ran.err


PRINTED = """1 move to the goal, entering from the right, row 2

   . .
 . U X .
 4 L G 1
   . 1

fewest moves by entry
     1  right, row 2
     1  bottom, column 2
     4  left, row 2
     5  hopeless entries

route
  W(2,2)G
"""


def test_solve_prints_everything(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("UX\nLG")
    ran = run(str(file))
    assert (ran.code, ran.out) == (0, PRINTED)
    lines = run("-", text=RIDDLER).out.splitlines()
    assert lines[0] == "34 moves to the goal, entering from the top, column 4"
    at = lines.index("route") + 1
    assert lines[at].startswith("  S(1,4)? S(2,4)L E(2,5)U W(2,4)L")
    assert max(map(len, lines[at:])) <= 79
    wide = run("-", text="G" + "?" * 40).out  # too wide for its picture
    assert "    44  more workable entries" in wide.splitlines()
    assert "G ?" not in wide


def test_solve_json() -> None:
    data = json.loads(run("-", "--json", text=RIDDLER).out)
    assert data["fewest"] == data["route"]["moves"] == 34
    assert data["route"]["cells"][-1] == [2, 6]
    assert data["route"]["headings"] == "SSEWSEWSWESWESEEENNWSWNNSSWNEENWEN"
    assert {e["moves"] for e in data["entries"]} == {34, 42, 45, None}
    assert json.loads(run("-", "--json", text="XXX/XGX/XXX").out)["route"] is None


def test_solve_from_an_entry() -> None:
    ran = run("-", "--entry", "right6", text=RIDDLER)
    assert ran.out.startswith("45 moves to the goal, entering from the right")
    ran = run("-", "--entry", "left1", text=RIDDLER)
    assert ran.code == 1
    assert ran.out.startswith("left, row 1: the goal cannot be reached")
    refused("did you mean 'left8'", "-", "--entry", "left9", text=RIDDLER)


def test_files_that_are_no_maze_are_refused(tmp_path: Path) -> None:
    refused(r"cannot read nowhere\.txt: No such file", "nowhere.txt")
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xff\xfeS\x00G")
    refused("line 1, column 1", str(file))
    file.write_bytes(b"\xef\xbb\xbfSG\r\n")  # a byte order mark counts as nothing
    assert run(str(file)).code == 0
    with file.open("wb") as hollow:
        hollow.truncate(1 << 40)  # takes no room on the disk, but all of the memory
    refused(r"board.txt: larger than [\d,]+ bytes", str(file))


def test_pages_with_and_without_a_route(tmp_path: Path) -> None:
    output = tmp_path / "a.html"
    ran = run("-", "-o", str(output), text=RIDDLER)
    assert (ran.code, ran.out) == (0, f"{output}: 34 moves: top, column 4\n")
    assert output.read_text().startswith("<!DOCTYPE html>")
    ran = run("-", "-o", str(output), text="XXX\nXGX\nXXX")
    assert ran.code == 1
    assert "the goal cannot be reached" in ran.out
    assert "the goal cannot be reached" in output.read_text()
    ran = run("-", "-o", str(output), "--entry", "top2", text=RIDDLER)
    assert ran.out.endswith("top, column 2: the goal cannot be reached from here\n")
    assert "no way: top, col" in output.read_text()


def test_pictures_are_whole_files(tmp_path: Path) -> None:
    for ending, start in {"svg": b"<svg", "png": b"\x89PNG"}.items():
        output = tmp_path / f"a.{ending}"
        assert run("-", "-o", str(output), text=RIDDLER).code == 0
        assert output.read_bytes().startswith(start)


def test_random_mazes(tmp_path: Path) -> None:
    file = tmp_path / "maze.txt"
    run("random:5,seed=3", "-o", str(file))
    maze = Maze.parse(file.read_text())
    assert (maze.rows, maze.cols) == (5, 5)
    assert maze == read_maze("random:5,seed=3")
    assert read_maze("random:8,seed=4") != read_maze("random:8,seed=5")
    letters = Counter("".join(read_maze("random:60,seed=1").lines))
    assert letters.pop("G") == 1
    assert all(500 < count < 700 for count in letters.values())  # 600 expected
    assert len(letters) == 6


@pytest.mark.parametrize("size", ["0", "x", "2,seed=x", "1025", "3,moves=2"])
def test_bad_random_mazes_are_refused(size: str) -> None:
    refused("random|not between", f"random:{size}")
