"""`oneway maze`: what it prints, writes, and returns."""

import json
import re
from pathlib import Path

import pytest

from solver.board import MAX_CELLS
from solver.errors import OptionError
from solver.puzzles.maze import solve as module
from solver.puzzles.maze.board import Maze, Weights
from tests.puzzles.samples import RIDDLER
from tests.runner import Ran, assert_refused
from tests.runner import run as oneway
from verify.puzzles.maze import stats
from verify.puzzles.maze.stats import read_maze


def run(*words: str, text: str = "") -> Ran:
    return oneway("maze", *words, stdin=text)


def refused(why: str, *words: str, text: str = "") -> None:
    ran = run(*words, text=text)
    assert_refused(ran)
    assert re.search(why, ran.err), ran.err


def test_solve_prints_everything(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(RIDDLER.replace("/", "\n"))
    ran = run("solve", str(file))
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "34 moves to the goal, entering from the top, column 4"
    for line in (
        "     .  .  . 34  .  .  .  .",
        " 42  R  L  R  L  U  G  U  U  .",
        "  .  S  ?  S  L  S  S  L  R  45",
        "    45  right, row 6",
        "    29  hopeless entries",
    ):
        assert line in lines
    assert "  S(1,4)? S(2,4)L E(2,5)U W(2,4)L" in ran.out


def test_solve_json() -> None:
    found = json.loads(run("solve", "-", "--json", text=RIDDLER).out)
    assert found["fewest"] == found["route"]["moves"] == 34
    assert found["route"]["cells"][-1] == [2, 6]
    assert found["route"]["headings"] == "SSEWSEWSWESWESEEENNWSWNNSSWNEENWEN"
    assert {e["moves"] for e in found["entries"]} == {34, 42, 45, None}


def test_solve_from_an_entry() -> None:
    ran = run("solve", "-", "--entry", "right6", text=RIDDLER)
    assert ran.out.startswith("45 moves to the goal, entering from the right")
    ran = run("solve", "-", "--entry", "left1", text=RIDDLER)
    assert ran.code == 1
    assert ran.out.startswith("left, row 1: the goal cannot be reached")
    refused("'left9' is no entry", "solve", "-", "--entry", "left9", text=RIDDLER)


def test_solve_says_so_where_there_is_no_route_or_no_room() -> None:
    ran = run("solve", "-", text="XXX\nXGX\nXXX\n")
    assert ran.code == 1
    assert "none of 12 entries leads there" in ran.out
    ran = run("solve", "-", "--json", text="XXX\nXGX\nXXX\n")
    assert json.loads(ran.out)["outcome"] == "OUT_OF_REACH"
    ran = run("solve", "-", text="S" * 10_000 + "G")
    assert "S" * 10 not in ran.out.replace(" ", "")  # too wide for its picture


@pytest.mark.parametrize("text", ["", "SG\nS\n", "\x00\xff"])
def test_bad_boards(text: str, tmp_path: Path) -> None:
    output = tmp_path / "out.svg"
    refused(r"input, line (1, |2, column 2)", "solve", "-", text=text)
    refused(r"input, line [12], ", "draw", "-", "-o", str(output), text=text)
    assert not output.exists()


def test_files(tmp_path: Path) -> None:
    refused(r"cannot read nowhere\.txt: No such file", "solve", "nowhere.txt")
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xff\xfeS\x00G")
    refused("line 1, column 1", "solve", str(file))
    file.write_bytes(b"\xef\xbb\xbfSG\r\n")  # a byte order mark is no letter
    assert run("solve", str(file)).code == 0
    file.write_bytes(b"\xef\xbb\xbf" + b"S\r\n" * (MAX_CELLS - 1) + b"Q\r\n")
    refused(f"line {MAX_CELLS}, column 1: 'Q' is none", "solve", str(file))
    with file.open("wb") as hollow:
        hollow.truncate(1 << 40)  # takes no room on the disk, but all of the memory
    refused(r"board.txt: larger than [\d,]+ bytes", "solve", str(file))


def test_draw_writes_whole_files(tmp_path: Path) -> None:
    begins = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>"}
    for ending, start in begins.items():
        output = tmp_path / f"a.{ending}"
        ran = run("draw", "-", "-o", str(output), text=RIDDLER)
        assert (ran.code, ran.out) == (0, f"{output}\n")
        assert output.read_bytes().startswith(start)
    assert len([*tmp_path.iterdir()]) == 3


def test_draw_refuses(tmp_path: Path) -> None:
    svg, html = (("draw", "-", "-o", str(tmp_path / a)) for a in ("a.svg", "a.html"))
    refused(r"ends in none of \.svg, \.png, \.html and", "draw", "-", "-o", "a.gif")
    refused("cannot write", "draw", "-", "-o", str(tmp_path / "no/a.svg"), text="SG")
    big = "S" * 10_000 + "G"
    refused("picture of 10001 cells", *svg, text=big)
    refused("page of 10001 cells", *html, text=big)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.svg", "a.html"])
def test_draw_without_a_route(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    ran = run("draw", "-", "-o", str(output), text="XXX\nXGX\nXXX")
    assert ran.code == 0
    assert "no route to draw" in ran.err
    assert "the goal cannot be reached" in output.read_text()
    ran = run("draw", "-", "-o", str(output), "--entry", "top2", text=RIDDLER)
    why = "top, column 2: the goal cannot be reached from here\n"
    assert ran.err.endswith(f"no route to draw: {why}")
    text = output.read_text()
    assert 'class="route"' not in text
    assert ("column 2: the goal" if name == "a.svg" else "no way: top, col") in text


def test_random_mazes(tmp_path: Path) -> None:
    file = tmp_path / "maze.txt"
    run("draw", "random:5,seed=3,S=1,X=3", "-o", str(file))
    maze = Maze.parse(file.read_text())
    assert (maze.rows, maze.cols) == (5, 5)
    assert set("".join(maze.lines)) <= set("SXG")
    assert maze == read_maze("random:5,seed=3,S=1,X=3")
    assert read_maze("random:8,seed=4") != read_maze("random:8,seed=5")
    found = json.loads(run("solve", "random:6,moves=12", "--json").out)
    assert found["fewest"] >= 12
    with pytest.raises(OptionError, match="no maze of 100,000 needs 99 moves"):
        read_maze("random:2,moves=99")


@pytest.mark.parametrize(
    "words",
    [
        *(f"solve random:{bad}" for bad in ("", "0", "0,moves=3", "8,seed=-1")),
        *(f"solve random:{bad}" for bad in ("8,Q=1", "8,moves=x", "1025")),
        *(f"solve random:{bad}" for bad in ("8,moves", "8,size=3", "8,seed=")),
        *(f"stats 4 --vary {bad}" for bad in ("X", "Q=0:1:3", "X=0:1:1", "X=0:2:3")),
        *(f"stats 4 --vary {bad}" for bad in ("X=0:1:-3", "X=0:inf:3", "X=0:1:9999")),
        *(
            "stats 0",
            "stats 1025",
            "stats 4 --mazes 0",
            "stats 4 --output a.gif",
            "stats 4 --seed -1",
        ),
    ],
)
def test_bad_options(words: str) -> None:
    assert_refused(run(*words.split()))


def test_stats_table_and_plot(tmp_path: Path) -> None:
    output, png = tmp_path / "plot.svg", tmp_path / "plot.png"
    ran = run("stats", "2", "5", "-n", "500", "-o", str(output))
    assert ran.code == 0
    assert "500 mazes each, seed 0" in ran.out
    assert "1.0000" in ran.out
    assert output.read_text().startswith("<svg")
    words = ("3", "-n", "50", "--json", "--vary", "X=0.1:1:10", "-o", str(png))
    rows = [json.loads(line) for line in run("stats", *words).out.splitlines()]
    assert [row["size"] for row in rows] == [3] * 10
    assert rows[0]["low"] <= rows[0]["probability"] <= rows[0]["high"]
    assert sum(rows[0]["moves"].values()) == rows[0]["reached"]
    assert rows[2]["weights"].endswith("X=0.3,?=0.14")  # and no longer number
    assert rows[9]["weights"] == "X=1"
    assert png.read_bytes().startswith(b"\x89PNG")


def test_stats_are_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stats, "_CHUNK", 200)  # so that a figure has several chunks
    study = ["stats", "2", "4", "-w", "S=1,X=2", "-w", "L=1", "-n", "50", "--json"]
    whole = run(*study).out
    assert len(whole.splitlines()) == 4
    monkeypatch.setattr(stats, "fewest_moves", None)  # nothing is drawn again
    assert run(*study).out == whole


def test_selftest_proves_its_answers() -> None:
    ran = oneway("selftest", "maze", "-n", "60", "--size", "4", "--seed", "2")
    assert ran.code == 0
    assert "60 mazes up to 4 x 4: every answer is proved" in ran.out
    found = re.search(r"^(\d+) entries, (\d+) of .* (\d+) moves$", ran.out, re.M)
    assert found
    entries, hopeless, longest = map(int, found.groups())
    assert entries > 500
    assert 100 < hopeless < entries
    assert longest > 5
    long, usual = stats.trial(60, 8)[0], stats.trial(60, 8, Weights())[0]
    assert max(filter(None, long)) > 20 > max(filter(None, usual))


@pytest.mark.parametrize("inside", [False, True])
def test_selftest_finds_a_fault_beside_the_best_entry(
    monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    def wrong(maze: Maze) -> module.Solution:
        """Change the farthest entry only, or its steps, and only on a long way."""
        steps = module.solve(maze).steps.copy()
        far = max(maze.entries, key=lambda entry: int(steps[entry.node]))
        if steps[far.node] > 9:
            steps[far.inside if inside else far.node] = -1
        return module.Solution(maze, steps)

    monkeypatch.setattr(stats, "solve", wrong)
    ran = oneway("selftest", "maze", "-n", "60")
    assert ran.code == 1
    why = r"[^:]*: -1 moves to go, not"
    assert re.search(rf"Maze.parse\('.*'\), {why} \d+\n$", ran.err)
