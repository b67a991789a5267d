"""Texts of strangers, walls by the thousand, and where cases are kept."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
