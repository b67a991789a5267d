"""The command as a whole: help, seeds, bad input."""

from pathlib import Path

import pytest
import typer

from tests.runner import assert_refused, commands, run
from verify.cli import app
from verify.commands.selftest import NEXT


def test_help_teaches_every_command() -> None:
    help_text = run("--help")
    assert help_text.code == 0
    for name in ("walk", "check", "verify", "stats", "draw", "rules", "corpus", "demo"):
        assert name in help_text.out
        assert len(run(name, "--help").out) > 200


def test_a_negative_seed_is_refused_by_all_alike() -> None:
    every = commands(typer.main.get_command(app)).items()
    seeded = [name for name, one in every if any(p.name == "seed" for p in one.params)]
    assert {"walk", "mine", "selftest"} <= {*seeded}
    for name in seeded:
        ran = run(*name.split(), "--seed", "-1")
        assert_refused(ran)
        assert ran.err.startswith("oneway: --seed is '-1', expected a whole number of")


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


@pytest.mark.parametrize("line", NEXT.values())
def test_what_the_demo_names_next_works_anywhere(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONEWAY_CORPUS", str(tmp_path / "cases"))
    (tmp_path / "cases").mkdir()
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
        ("draw", "5:RD", "--rules", "universal", "--future"),
        ("draw", "5:X", "-o", "a.svg"),
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


@pytest.mark.parametrize(
    "line",
    [
        *("walk 4", "walk 4 --exact", "puzzle 4", "verify c-shape 4", "stats 4"),
        *("mine 4", "report c-shape 4", "discover 4", "milestones 4", "rank 4 0"),
        "walk 5@1,2>5,5",
    ],
)
def test_a_board_without_walks_is_one_sentence_and_code_1(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*line.split())
    assert (ran.code, ran.out) == (1, "")
    assert "has no Hamiltonian walk: from" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("walk 9 --exact --rules seed-5", "--rules has no effect with --exact"),
        ("walk 5 --uniform --oracle sat", "--oracle has no effect with --uniform"),
        ("draw 5:RR --oracle sat", "--oracle has no effect without --witness"),
        ("puzzle 9 --paper a4:4", "--paper has no effect without --output"),
        ("verify c-shape 5 --corpus x", "--corpus has no effect without --save"),
    ],
)
def test_an_option_without_effect_is_refused(line: str, words: str) -> None:
    ran = run(*line.split())
    assert_refused(ran)
    assert words in ran.err


def test_a_name_nearly_right_is_pointed_at() -> None:
    ran = run("check", "7:R", "--rules", "c-shap")
    assert "'c-shap'; did you mean 'c-shape'" in ran.err
    assert "seed-2024" not in ran.err
    far = run("check", "7:R", "--rules", "nothing-like-it").err
    assert "`oneway rules` lists all groups" in far
    many = run("corpus", "show", "nothing-like-it").err
    assert "`oneway corpus show` lists all" in many
    assert len(many) < 100
