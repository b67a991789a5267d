"""`oneway maze`: what it prints, writes, and returns."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from solver.board import MAX_CELLS
from solver.errors import GridFileError, OnewayError, OptionError
from solver.puzzles.maze import solve as module
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.sample import Weights
from tests.runner import run as oneway
from verify.commands.maze import app
from verify.puzzles.maze import compare as trial
from verify.puzzles.maze import stats
from verify.puzzles.maze.stats import plan

BOARD = (
    "LUU?ULXL\nRLRLU*UU\nSLRLULXR\nUR?RSL?R\nRUURRRSL\nS?SLSSLR\nRLR?RL?L\nLRSRSLRL\n"
)


def run(*arguments: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(app, list(arguments), input=text)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_solve_prints_everything(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(BOARD)
    result = run("solve", str(file), "--network")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "34 moves to the goal, entering from the top, column 4"
    assert " 42  R  L  R  L  U  G  U  U  ." in lines
    assert "    45  right, row 6" in lines
    assert "    29  hopeless entries" in lines
    assert "  S(1,4)? S(2,4)L E(2,5)U W(2,4)L" in result.stdout
    assert "network: 288 nodes, 314 arcs" in lines
    assert "  34: 1, 36: 3, 38: 7" in result.stdout


def test_ways_of_large_boards_are_not_counted() -> None:
    text = "S" * 10_000 + "G"
    result = run("solve", "-", "--network", text=text)
    assert "ways are not counted on boards of more than 10000 cells" in result.stdout
    result = run("solve", "-", "--network", text="XXX/XGX/XXX")
    assert result.stdout.endswith("k up to 60)\n  none\n")


def test_solve_json() -> None:
    result = run("solve", "-", "--json", "--network", text=BOARD)
    found = json.loads(result.stdout)
    assert found["fewest"] == found["route"]["moves"] == 34
    assert found["route"]["cells"][-1] == [2, 6]
    assert found["route"]["headings"] == "SSEWSEWSWESWESEEENNWSWNNSSWNEENWEN"
    assert {e["moves"] for e in found["entries"]} == {34, 42, 45, None}
    assert found["network"]["nodes"] == 288
    assert found["network"]["ways"][33] == "1"


def test_solve_from_an_entry() -> None:
    result = run("solve", "-", "--entry", "right6", text=BOARD)
    assert result.stdout.startswith("45 moves to the goal, entering from the right")
    result = run("solve", "-", "--entry", "left1", text=BOARD)
    assert result.exit_code == 1
    assert result.stdout.startswith("left, row 1: the goal cannot be reached")
    with pytest.raises(OptionError, match="'left9' is no entry"):
        run("solve", "-", "--entry", "left9", text=BOARD)


def test_solve_says_so_where_there_is_no_route() -> None:
    result = run("solve", "-", text="XXX\nXGX\nXXX\n")
    assert result.exit_code == 1
    assert "none of 12 entries leads there" in result.stdout
    result = run("solve", "-", "--json", text="XXX\nXGX\nXXX\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["outcome"] == "OUT_OF_REACH"


def test_a_wide_maze_is_told_without_its_picture() -> None:
    result = run("solve", "-", text="S" * 60 + "G\n")
    assert result.exit_code == 0
    assert "and 21 more workable entries" not in result.stdout
    assert "S" * 10 not in result.stdout.replace(" ", "")


@pytest.mark.parametrize("command", ["solve", "draw"])
@pytest.mark.parametrize("text", ["", "SG\nS\n", "SQG", "SSS", "G*", "\x00\xff"])
def test_bad_input_is_an_error_of_ours(command: str, text: str, tmp_path: Path) -> None:
    output = tmp_path / "out.svg"
    more = ["-o", str(output)] if command == "draw" else []
    with pytest.raises(GridFileError, match=r"input, line 1, |line 2, column 2"):
        run(command, "-", *more, text=text)
    assert not output.exists()


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(OnewayError, match=r"cannot read nowhere\.txt: No such file"):
        run("solve", "nowhere.txt")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xff\xfeS\x00G")
    with pytest.raises(GridFileError, match="line 1, column 1"):
        run("solve", str(file))
    file.write_bytes(b"\xef\xbb\xbfSG\r\n")  # a byte order mark is no letter
    assert run("solve", str(file)).exit_code == 0


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.html"])
def test_draw_writes_whole_files(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    result = run("draw", "-", "-o", str(output), text=BOARD)
    assert result.exit_code == 0
    assert result.stdout == f"{output}\n"
    data = output.read_bytes()
    start = {"a.svg": b"<svg", "a.png": b"\x89PNG", "a.html": b"<!DOCTYPE html>"}[name]
    assert data.startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_draw_refuses(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"ends in none of \.svg, \.png and \.html"):
        run("draw", "-", "-o", "a.gif", text="SG")
    for name in ("a.svg", "a.html"):
        with pytest.raises(OptionError, match="cannot write"):
            run("draw", "-", "-o", str(tmp_path / "no" / name), text="SG")
    with pytest.raises(OptionError, match=r"scale 0\.0 is not between"):
        run("draw", "-", "-o", str(tmp_path / "a.svg"), "--scale", "0", text="SG")
    big = "S" * 10_000 + "G"
    with pytest.raises(OptionError, match="picture of 10001 cells"):
        run("draw", "-", "-o", str(tmp_path / "a.svg"), text=big)
    with pytest.raises(OptionError, match="page of 10001 cells"):
        run("draw", "-", "-o", str(tmp_path / "a.html"), text=big)
    assert not list(tmp_path.iterdir())


def test_draw_without_a_route(tmp_path: Path) -> None:
    output = tmp_path / "a.svg"
    result = run("draw", "-", "-o", str(output), text="XXX\nXGX\nXXX")
    assert result.exit_code == 0
    assert "no route to draw" in result.stderr
    assert "the goal cannot be reached" in output.read_text()


@pytest.mark.parametrize("name", ["a.svg", "a.html"])
def test_draw_from_a_hopeless_entry(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    result = run("draw", "-", "-o", str(output), "--entry", "top2", text=BOARD)
    assert result.exit_code == 0
    why = "no route to draw: the goal cannot be reached from top, column 2\n"
    assert result.stderr.endswith(why)
    text = output.read_text()
    assert 'class="route"' not in text
    assert ("column 2: the goal" if name == "a.svg" else "no way: top, col") in text


def test_scale_is_for_pictures(tmp_path: Path) -> None:
    output = tmp_path / "a.html"
    with pytest.raises(OptionError, match=r"--scale is for \.svg and \.png"):
        run("draw", "-", "-o", str(output), "--scale", "2", text=BOARD)
    assert not output.exists()


def test_endless_input_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    with file.open("wb") as hollow:
        hollow.truncate(1 << 40)  # takes no room on the disk, but all of the memory
    with pytest.raises(OptionError, match=r"endless holds more than \d+ bytes"):
        run("solve", str(file))


def test_the_largest_maze_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "tall.txt"
    file.write_bytes(b"\xef\xbb\xbf" + b"S\r\n" * (MAX_CELLS - 1) + b"Q\r\n")
    with pytest.raises(GridFileError, match=f"line {MAX_CELLS}, column 1: 'Q' is none"):
        run("solve", str(file))


def test_random_mazes() -> None:
    result = run("random", "--size", "5", "--seed", "3", "--weights", "S=1,X=3")
    maze = Maze.parse(result.stdout)
    assert (maze.rows, maze.cols) == (5, 5)
    assert set("".join(maze.lines)) <= set("SXG")
    again = run("random", "--size", "5", "--seed", "3", "--weights", "S=1,X=3")
    assert again.stdout == result.stdout
    assert run("random", "--seed", "4").stdout != run("random", "--seed", "5").stdout


def test_random_maze_of_many_moves() -> None:
    result = run("random", "--size", "6", "--moves", "12")
    found = run("solve", "-", "--json", text=result.stdout)
    assert json.loads(found.stdout)["fewest"] >= 12
    result = run("random", "--size", "2", "--moves", "99")
    assert result.exit_code == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["random", "--weights", "Q=1"],
        ["random", "--size", "0"],
        ["random", "--size", "0", "--moves", "3"],
        ["random", "--seed", "-1"],
        ["random", "--moves", "-1"],
        ["stats", "0"],
        ["stats", "4", "--mazes", "0"],
        ["stats", "4", "--vary", "X"],
        ["stats", "4", "--vary", "Q=0:1:3"],
        ["stats", "4", "--vary", "X=0:1:1"],
        ["stats", "4", "--vary", "X=0:2:3"],
        ["stats", "4", "--vary", "X=0:1:-3"],
        ["stats", "4", "--vary", "X=0:inf:3"],
        ["stats", "4", "--vary", f"X=0:1:{10**15}"],
        ["stats", "4", "--output", "a.gif"],
        ["stats", "4", "--seed", "-1"],
    ],
)
def test_bad_options(arguments: list[str]) -> None:
    with pytest.raises(OptionError):
        run(*arguments)


def test_stats_table_and_plot(tmp_path: Path) -> None:
    output = tmp_path / "plot.svg"
    result = run("stats", "2", "5", "-n", "500", "-o", str(output))
    assert result.exit_code == 0
    assert "500 mazes each, seed 0" in result.stdout
    assert "1.0000" in result.stdout
    assert output.read_text().startswith("<svg")
    png = tmp_path / "plot.png"
    result = run(
        "stats", "3", "-n", "50", "--json", "--vary", "X=0:1:3", "-o", str(png)
    )
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["size"] for row in rows] == [3, 3, 3]
    assert rows[0]["low"] <= rows[0]["probability"] <= rows[0]["high"]
    assert sum(rows[0]["moves"].values()) == rows[0]["reached"]
    assert rows[2]["weights"] == "X=1"
    assert png.read_bytes().startswith(b"\x89PNG")


def test_stats_name_the_weights_they_used() -> None:
    result = run("stats", "3", "-n", "9", "--json", "--vary", "X=0.1:0.4:10")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    (curve,) = plan([3], [Weights()], "X=0.1:0.4:10")
    used = [weights for _, _, weights in curve.points]
    assert [Weights.parse(row["weights"]) for row in rows] == used
    assert rows[6]["weights"].endswith("X=0.3,?=0.14")


def test_stats_are_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stats, "_CHUNK", 200)  # so that a figure has several chunks
    study = ["stats", "2", "4", "-w", "S=1,X=2", "-w", "L=1", "-n", "50", "--json"]
    whole = run(*study).stdout
    assert len(whole.splitlines()) == 4
    monkeypatch.setattr(stats, "fewest_moves", None)  # nothing is drawn again
    assert run(*study).stdout == whole
    monkeypatch.undo()


def test_check_agrees() -> None:
    result = oneway("selftest", "maze", "-n", "60", "--size", "4", "--seed", "2")
    assert result.code == 0
    assert "60 mazes up to 4 x 4: search and oracle agree" in result.out
    found = re.search(r"^(\d+) entries .*, (\d+) of .* (\d+) moves$", result.out, re.M)
    assert found
    entries, hopeless, longest = map(int, found.groups())
    assert entries > 500
    assert 100 < hopeless < entries
    assert longest > 5


def test_check_draws_mazes_with_long_ways() -> None:
    found, usual = trial.trial(60, 8)[0], trial.trial(60, 8, Weights())[0]
    assert max(filter(None, found)) > 20 > max(filter(None, usual))


@pytest.mark.parametrize("fault", [lambda n: n + 2, lambda n: None])
def test_check_finds_a_fault_beside_the_best_entry(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[int], int | None]
) -> None:
    def wrong(maze: Maze) -> module.Solution:
        """Change the farthest entry only, and only on a long way."""
        found = module.solve(maze)
        moves = list(found.moves)
        most = max((count for count in moves if count), default=0)
        if most > max(9, found.fewest or 0):
            moves[moves.index(most)] = fault(most)
        return module.Solution(maze, tuple(moves), found.best, found.steps)

    monkeypatch.setattr(trial, "solve", wrong)
    result = oneway("selftest", "maze", "-n", "60")
    assert result.code == 1
    assert re.search(
        r"Maze.parse\('.*'\), \w+, (row|column) \d+: moves by the oracle \d+, "
        r"by the search (None|\d+)\n$",
        result.err,
    )


def test_help_teaches() -> None:
    for command in ("solve", "draw", "random", "stats"):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert "Try: " in result.stdout
