"""The command as a whole: help, seeds, bad input."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.runner import assert_refused, run
from verify.cli import app
from verify.commands.selftest import NEXT


def test_help_teaches_every_command() -> None:
    help_text = run("--help")
    assert help_text.code == 0
    for name in ("walk", "check", "verify", "stats", "draw", "rules", "corpus", "demo"):
        assert name in help_text.out
        assert len(run(name, "--help").out) > 200


def test_help_imports_no_solver_and_no_kernel() -> None:
    code = (
        "import sys, runpy; sys.argv = ['oneway', '--help']\n"
        "from verify.start import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'pysat', 'ortools', 'resvg_py'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def seeded(command: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that has a seed."""
    if any(option.name == "seed" for option in command.params):
        yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from seeded(inner, *path, name)


SEEDED = list(seeded(typer.main.get_command(app)))


def test_every_random_command_has_a_seed() -> None:
    assert {("walk",), ("mine",), ("maze", "stats"), ("selftest",)} <= set(SEEDED)


@pytest.mark.parametrize("words", SEEDED, ids=" ".join)
def test_a_negative_seed_is_refused_by_all_alike(words: tuple[str, ...]) -> None:
    ran = run(*words, "--seed", "-1")
    assert_refused(ran)
    assert ran.err.startswith("oneway: Invalid value for '--seed': -1 is not in")


def test_no_seed_is_too_large() -> None:
    large = str(2**70)
    for args in (
        ("walk", "5", "--seed", large),
        ("walk", "5", "--exact", "--seed", large),
        ("stats", "5", "--count", "20", "--seed", large),
        ("verify", "c-shape", "5", "-n", "30", "--seed", large),
        ("maze", "solve", f"random:3,seed={large}"),
    ):
        assert run(*args).code in (0, 1)


@pytest.mark.parametrize("line", NEXT)
def test_what_the_demo_names_next_works_anywhere(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*line.split()[1:]).code in (0, 1)


@pytest.mark.slow
def test_the_demo_shows_verdicts_a_gap_and_its_case() -> None:
    ran = run("demo")
    assert ran.code == 0
    for words in ("104 Hamiltonian walks", "111,712", "first gap", "case found again"):
        assert words in ran.out


@pytest.mark.parametrize(
    "args",
    [
        ("check", "7:RRX"),
        ("check", "7:R", "--rules", "no-such-group"),
        ("check", "7:R", "--oracle", "delphi"),
        ("check", "7:R", "--rules", "missing.toml"),
        ("check", "-", "-o", "a.svg"),
        ("walk", "0"),
        ("walk", "5", "--count", "0"),
        ("stats", "5", "--count", "-1"),
        ("verify", "seed-5", "-n", "0"),
        ("verify", "seed-5", "5x"),
        ("verify", "seed-5", "4"),
        ("draw", "5:RD", "--rules", "universal", "--future"),
        ("draw", "5:", "-o", "a.gif"),
        ("draw", "5:", "-o", "no-such-folder/a.svg"),
        ("draw", "5:", "-o", "a.svg", "--scale", "0"),
        ("corpus", "show", "nothing-like-it"),
        ("corpus", "show", "--kind", "odd"),
        ("corpus", "show", "--corpus", "nowhere"),
        ("corpus", "replay", "--corpus", "nowhere"),
        ("corpus", "replay", "missing.toml"),
        ("corpus", "add", "missing.txt"),
        ("corpus", "add", "5:U"),
        ("rules", "no-such-rule"),
        ("rules", "no-such-group", "--list"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run(*args))
    assert list(tmp_path.iterdir()) == []


def test_evidence_of_a_board_without_walks_is_refused(tmp_path: Path) -> None:
    assert_refused(run("report", "4", "seed-5", "-o", str(tmp_path)))


def test_a_name_nearly_right_is_pointed_at() -> None:
    ran = run("check", "7:R", "--rules", "c-shap")
    assert "'c-shap'; near: c-shape" in ran.err
    assert "seed-2024" in ran.err
    many = run("corpus", "show", "nothing-like-it").err
    assert "are known" in many
    assert len(many) < 100
