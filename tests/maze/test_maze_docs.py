"""The page on mazes tells the truth: its commands print what it shows."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from solver.maze.board import Maze
from solver.maze.solve import solve
from solver.maze.svg import draw
from verify.commands.maze import app

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "explanation" / "maze.md").read_text("utf-8")
CASE = tomllib.loads((ROOT / "corpus/maze/riddler-2019-02-01.toml").read_text("utf-8"))
BLOCKS = re.findall(r"```console\n\$ (.*)\n([^`]*)```", TEXT)


def test_board_of_the_page() -> None:
    assert f"```text\n{CASE['board']}```" in TEXT
    assert len(BLOCKS) == 5


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_command(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "riddler.txt").write_text(CASE["board"])
    monkeypatch.chdir(tmp_path)
    stages = [shlex.split(stage) for stage in command.split(" | ")]
    text, last = None, None
    if stages[0][0] == "echo":
        text = stages.pop(0)[1] + "\n"
    if stages[-1][:2] == ["tail", "-n"]:
        last = int(stages.pop()[2])
    (stage,) = stages
    assert stage[:2] == ["oneway", "maze"]
    printed = CliRunner().invoke(app, stage[2:], input=text).stdout
    lines = [line.rstrip() for line in printed.splitlines()]
    assert lines[-last if last else 0 :] == shown.splitlines()


def test_pictures_of_the_page() -> None:
    found = solve(Maze.parse(CASE["board"]))
    assert (ROOT / "docs" / "img" / "maze.svg").read_text("utf-8") == draw(found)
