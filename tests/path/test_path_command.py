"""The command `path`, its texts and pictures."""

import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from typer.testing import CliRunner, Result

from solver.errors import CaseError, GridFileError, OnewayError, OptionError
from solver.path import referees
from solver.path.board import Outcome, PathBoard
from solver.path.judge import explain, judge
from solver.path.random_boards import random_board
from tests.path.test_path import boards
from tests.path.test_path_reader import SAMPLE
from verify.commands.path import app
from verify.path.cases import load_cases
from verify.path.draw import draw
from verify.path.explain import as_json, as_text

CORPUS = Path(__file__).parents[2] / "corpus" / "path"
SENTENCES = "White has a winning path.\nWhite can win in one move.\n"


def run(*args: str, text: str | bytes = "") -> Result:
    return CliRunner().invoke(app, list(args), input=text)


def fails(error: type[OnewayError], why: str, *args: str, text: str = "") -> Result:
    result = run(*args, text=text)
    assert isinstance(result.exception, error)
    assert why in str(result.exception)
    return result


def test_the_sample_gives_the_sample(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(SAMPLE)
    for result in [
        run("referee", str(file)),
        run("referee", text=SAMPLE),
        run("referee", "-", text=SAMPLE.replace("\n\n", "\n")),
    ]:
        assert result.exit_code == 0
        assert result.stdout == SENTENCES


def test_no_boards_no_sentences() -> None:
    result = run("referee", text="0")
    assert (result.exit_code, result.stdout) == (0, "")


def test_sentences_before_a_fault_are_right() -> None:
    why = "standard input, line 13, column 4: row 1 of 4 has 3 letters only"
    result = fails(GridFileError, why, "referee", text=SAMPLE.replace("3\n", "4\n"))
    assert result.stdout == "White has a winning path.\n"


def test_bad_files_and_endings(tmp_path: Path) -> None:
    fails(OptionError, "cannot read", "referee", str(tmp_path / "none.txt"))
    fails(OptionError, "cannot read", "referee", str(tmp_path))
    why = "neither .svg nor .png"
    fails(OptionError, why, "referee", "-o", str(tmp_path / "x.gif"), text=SAMPLE)
    assert run("referee", "--colour").exit_code == 2


def test_explain_in_text() -> None:
    result = run("referee", "--explain", text=SAMPLE)
    lines = result.stdout.splitlines()
    assert [line for line in lines if line[:1].strip()] == SENTENCES.splitlines()
    assert "a shortest path covers 15 cells" in result.stdout
    assert "winning moves (row,col): (2,3) for a path of 3 cells" in result.stdout
    assert "  2 W W b . w W W" in lines
    assert "  2 W W *" in lines


def test_explain_in_json() -> None:
    result = run("referee", "--json", text=SAMPLE)
    first, second = map(json.loads, result.stdout.splitlines())
    assert len(first["path"]) == 15
    assert first["needs"] == {"White": 0, "Black": None}
    assert second == {
        "board": 2,
        "n": 3,
        "outcome": "WHITE_MOVE",
        "sentence": "White can win in one move.",
        "player": "White",
        "path": [[2, 1], [2, 2], [2, 3]],
        "moves": [{"cell": [2, 3], "path_cells": 3}],
        "needs": {"White": 1, "Black": 1},
    }


def test_missing_pieces_are_told() -> None:
    text = as_text(explain(PathBoard.parse("WUU/WBU/WWW".replace("WWW", "BUU"))), 1)
    assert "White needs 2 more pieces at least" in text
    text = as_text(explain(PathBoard.parse("BW/WB")), 1)
    assert "White is cut off: no pieces on unfilled cells would do" in text


def test_a_wide_board_is_not_printed_in_text() -> None:
    n = 101
    text = as_text(explain(PathBoard(n, b"W" * (n * n))), 1)
    steps = "".join(text.split("by the steps ")[1].split())
    assert steps == "R" * 100
    assert "covers 101 cells (row,col): from (1,1)" in text
    assert "\n\n" not in text


@settings(deadline=None, max_examples=60)
@given(boards(max_side=12))
def test_text_json_and_picture_show_the_same(board: PathBoard) -> None:
    found = explain(board)
    text = as_text(found, 1)
    grid = text.split("\n\n")[1]
    assert grid.count("*") == len(found.moves)
    capitals = len(re.findall("[WB]", grid))
    assert capitals == len(found.path) - bool(found.moves)
    data = json.loads(json.dumps(as_json(found, 1)))
    assert [board.row_col(cell) for cell in found.path] == [
        tuple(cell) for cell in data["path"]
    ]
    tree = ET.fromstring(draw(found))
    parts = {part: list(tree.iterfind(f".//*[@class='{part}']")) for part in PARTS}
    assert len(parts["move"]) == len(found.moves)
    assert len(parts["path"]) == bool(found.path)
    for letter in "WB":
        stones = parts[letter][0].get("d", "")
        assert stones.count("M") == board.cells.count(letter.encode())


PARTS = ["move", "path", "W", "B", "numbers"]


def test_the_line_runs_from_edge_to_edge() -> None:
    svg = draw(explain(PathBoard.parse("UBU/UBU/UBU")))
    assert 'class="path" d="M1.5 0L1.5 0.5L1.5 2.5L1.5 3"' in svg
    svg = draw(explain(PathBoard.parse("WB/WW")))
    assert 'class="path" d="M0 1.5L0.5 1.5L1.5 1.5L2 1.5"' in svg


def test_pictures_are_files(tmp_path: Path) -> None:
    result = run("referee", "-o", str(tmp_path / "p.png"), text=SAMPLE)
    assert result.stdout == SENTENCES
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p-2.png", "p.png"]
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", data[16:24])
        assert width == height > 100
    run("referee", "--json", "-o", str(tmp_path / "p.svg"), text=SAMPLE)
    assert ET.parse(tmp_path / "p-2.svg").getroot().tag.endswith("svg")


def test_pictures_of_large_boards_are_not_larger() -> None:
    board = random_board(300, np.random.default_rng(2), white=0.62, black=0.3)
    root = ET.fromstring(draw(explain(board)))
    assert float(root.get("width", "0")) <= 1500
    assert root.find(".//*[@class='numbers']") is None
    for letter in "WB":
        runs = root.findall(f".//*[@class='{letter}']")[0].get("d", "")
        lengths = map(int, re.findall(r"h(\d+)", runs))
        assert sum(lengths) == board.cells.count(letter.encode())


def test_random_boards_go_into_the_referee() -> None:
    first = run("random", "--boards", "40", "--size", "4", "--seed", "9")
    assert (
        first.stdout
        == run("random", "--boards", "40", "--size", "4", "--seed", "9").stdout
    )
    assert first.stdout != run("random", "--boards", "40", "--size", "4").stdout
    said = run("referee", text=first.stdout).stdout.splitlines()
    assert len(said) == 40
    assert set(said) == {outcome.value for outcome in Outcome}
    fails(OptionError, "shares of a whole", "random", "--white", "0.9")
    fails(OptionError, "seed -1 is negative", "random", "--seed", "-1")
    fails(OptionError, "seed -1 is negative", "check", "--seed", "-1")


def test_check_agrees() -> None:
    result = run("check", "--boards", "30", "--size", "6", "--corpus", str(CORPUS))
    assert result.exit_code == 0
    count = len(list(CORPUS.glob("*.toml")))
    assert result.stdout == (
        f"{count} cases replayed\n"
        "30 boards of sides 1 to 6: all referees agree (seed 1)\n"
    )
    fails(CaseError, "no case is there", "check", "--corpus", str(CORPUS / "none"))


def test_check_in_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    study = ["check", "--json", "--boards", "20", "--size", "5"]
    result = run(*study, "--corpus", str(CORPUS))
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "agree": True,
        "boards": 20,
        "side": 5,
        "seed": 1,
        "cases": len(list(CORPUS.glob("*.toml"))),
        "fault": None,
    }
    text = (CORPUS / "sample-3x3.toml").read_text()
    (tmp_path / "x.toml").write_text(text.replace("[2, 3]", "[1, 1]"))
    result = run(*study, "--corpus", str(tmp_path))
    assert result.exit_code == 1
    said = json.loads(result.stdout)
    assert (said["agree"], said["cases"], said["boards"]) == (False, 0, 0)
    assert said["fault"] == (
        "x: the referee finds the winning moves ((2, 3),), not ((1, 1),)"
    )
    monkeypatch.setitem(referees.REFEREES, "SAT", lambda board: Outcome.NONE)
    result = run(*study)
    assert result.exit_code == 1
    said = json.loads(result.stdout)
    assert said["boards"] < 20
    assert "SAT: There is no winning path." in said["fault"]


def test_check_finds_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(board: PathBoard) -> Outcome:
        said = judge(board)
        return Outcome.WHITE_MOVE if said is Outcome.BLACK_MOVE else said

    monkeypatch.setitem(referees.REFEREES, "SAT", wrong)
    result = run("check")
    assert result.exit_code == 1
    assert "SAT: White can win in one move.; brute force: Black can" in result.stderr
    monkeypatch.setattr(referees, "REFEREES", {"floods": judge})
    monkeypatch.setattr(referees, "brute_moves", lambda board, player: ())
    result = run("check")
    assert result.exit_code == 1
    assert "winning moves {'floods': (" in result.stderr


def test_check_finds_a_false_case(tmp_path: Path) -> None:
    text = (CORPUS / "sample-3x3.toml").read_text()
    (tmp_path / "x.toml").write_text(text.replace("[2, 3]", "[1, 1]"))
    result = run("check", "--corpus", str(tmp_path))
    assert result.exit_code == 1
    assert "x: the referee finds the winning moves ((2, 3),)" in result.stderr


def test_the_pictures_of_the_page_are_what_the_command_draws() -> None:
    images = CORPUS.parent.parent / "docs" / "img"
    for case, image in [("sample-7x7", "path.svg"), ("drawn-9x9", "path-moves.svg")]:
        (board,) = (one.board for one in load_cases(CORPUS) if one.name == case)
        assert draw(explain(board)) == (images / image).read_text()
