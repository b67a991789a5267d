"""Texts of strangers, walls by the thousand, and where cases are kept."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver.board import Board, Position
from solver.notation import unquoted
from tests.runner import run

ROOT = Path(__file__).parents[2]
EVIL = "\x1b]0;owned\x07\x9b31m[red]"


def test_a_case_does_not_steer_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "verdict"
    folder.mkdir()
    (folder / "a.toml").write_text(
        f"kind = 'verdict'\nwhy = {json.dumps(EVIL)}\nsource = {json.dumps(EVIL)}\n"
        "position = '3:R'\n[moves]\nR = 'completable'\nD = 'dead'\n"
    )
    shown = run("corpus", "show", "3x3", "--corpus", str(tmp_path))
    assert shown.code == 0
    assert "\\x1b]0;owned\\x07\\x9b31m[red]" in shown.out
    assert shown.out.replace("\n", "").isprintable()


def test_a_rule_file_does_not_steer_the_terminal_either(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(
        f"[[rule]]\nname = 'a'\nclaim = 'sound'\norigin = {json.dumps(EVIL)}\n"
        "drawing = 'x @'\n"
    )
    for args in (("--list",), ("--json",), ()):
        ran = run("rules", str(file), *args)
        assert ran.code == 0
        assert ran.out.replace("\n", "").isprintable()
        assert "[red]" in ran.out  # no mark-up of the table either


def test_forty_thousand_walls_are_read_in_no_time() -> None:
    side = 401
    walls = tuple(range(1, side * side - 1, 4))[:40_000]
    text = f"{Board(side, side, walls=walls).notation}:"
    assert text.count(";") == 39_999
    began = time.process_time()
    position = Position.parse(text)
    assert position.notation == text
    assert str(position).count("█") == 40_000
    assert time.process_time() - began < 10  # half a second; 39 when looked up


def test_text_without_quotes_is_read_and_printed_in_the_canonical_form() -> None:
    for text in ("7x9@1,1>7,9!2,2;3,4:RRD", "9:RRDD", "4x6@2,3>3,4!4,4;4,5;4,6:"):
        plain = unquoted(text)
        assert not set(plain) & set("><!;,&|*?$'\"`\\(){}[]#~ ")
        assert Position.parse(plain).notation == Position.parse(text).notation
    assert Position.parse("7x9@1,1-7,9_2,2_3,4:RRD").notation == "7x9!2,2;3,4:RRD"


def test_the_corpus_lists_what_check_takes() -> None:
    ran = run("corpus", "show", "--kind", "gap")
    assert ran.code == 0
    assert ran.err == "cases in corpus\n"
    for line in ran.out.splitlines():
        text = line.split()[-1]
        assert unquoted(Position.parse(text).notation) == text


@pytest.fixture
def installed(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Return a folder as a wheel leaves it, and an environment to run it in."""
    site = tmp_path / "site"
    for package in ("solver", "heuristic", "verify"):
        shutil.copytree(
            ROOT / package, site / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    (site / "corpus").mkdir()  # of somebody else's package
    home = tmp_path / "home"
    home.mkdir()
    env = os.environ | {"PYTHONPATH": str(site), "HOME": str(home)}
    env |= {"XDG_DATA_HOME": str(home / "data"), "LOCALAPPDATA": str(home)}
    env.pop("ONEWAY_CORPUS", None)
    return home, env


def test_a_wheel_keeps_cases_in_the_folder_of_the_user(
    installed: tuple[Path, dict[str, str]],
) -> None:
    home, env = installed

    def oneway(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "verify.start", *args],
            capture_output=True,
            text=True,
            cwd=home,
            env=env | more,
        )

    empty = oneway("corpus", "show")
    assert empty.returncode == 1
    assert empty.stderr.startswith("no cases yet; they are kept in ")
    kept = home / empty.stderr.split(" kept in ")[1].strip()
    assert home in kept.parents
    added = oneway("corpus", "add", "3:R")
    assert added.returncode == 0, added.stderr
    assert list(kept.glob("verdict/*.toml"))
    assert not (home / "corpus").exists()
    again = oneway("corpus", "show")
    assert (again.returncode, len(again.stdout.splitlines())) == (0, 1)
    other = oneway("corpus", "show", ONEWAY_CORPUS=str(home / "mine"))
    assert other.stderr == "no cases yet; they are kept in mine\n"
