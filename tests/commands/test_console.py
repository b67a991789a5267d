"""Progress, quiet runs, tables and failed units of a long run."""

import re
import sys
from itertools import count

import pytest
import typer

from tests.runner import run
from tests.runs.sums import squares
from verify.commands import console
from verify.commands.console import conduct


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("stats 5 -n 20", r"stats: 100\.0 %, 0\.0 s left"),
        ("walk 5 --count 9", r"walks on 5: 9 of 9, [\d,.]+ a second, 0\.0 s left"),
    ],
)
def test_a_pipe_gets_lines_of_progress_when_it_takes_long(
    line: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = run(*line.split())
    assert " of " not in quick.err
    monkeypatch.setattr(console, "EVERY", 0.0)
    slow = run(*line.split())
    assert re.fullmatch(printed, slow.err.splitlines()[-1])
    assert (slow.out, slow.code) == (quick.out, quick.code)


def test_progress_counts_to_its_total(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 10.0, 40.0, 50.0, 80.0])  # begun, and each update
    monkeypatch.setattr(console, "monotonic", lambda: next(clock))
    bar = console.Progress("steps", 400)
    for done in (50, 80, 100, 200):
        bar.update(done)
    bar.title, bar.total = "more", None
    monkeypatch.setattr(console, "monotonic", lambda: 110.0)
    bar.advance()
    assert capsys.readouterr().err.splitlines() == [
        "steps: 80 of 400, 2.0 a second, 2 min 40 s left",
        "steps: 200 of 400, 2.5 a second, 1 min 20 s left",
        "more: 201, 1.8 a second",
    ]


def test_a_terminal_shows_a_line_and_loses_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "13")
    monkeypatch.setattr(console, "monotonic", count().__next__)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with console.progress("steps", 9) as bar:
        bar.advance()
        console.note("a note")
        bar.advance(2)
    clear = "\r\x1b[K"
    lines = ("steps: 1 of ", "a note\n", "steps: 3 of ", "")
    assert capsys.readouterr().err == clear + clear.join(lines)


@pytest.mark.parametrize("line", ["-q stats 5", "stats -q 5", "stats 5 --quiet"])
def test_quiet_prints_the_answer_alone(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "EVERY", 0.0)
    loud = run("stats", "5", "-n", "20")
    quiet = run(*line.split(), "-n", "20")
    assert (quiet.out, quiet.err) == (loud.out, "")
    assert run("-q", "check", "5:X").err.startswith("oneway: ")
    assert run("stats", "5", "-n", "20").err  # the next command is not quiet


@pytest.mark.parametrize(("columns", "lines"), [(33, 10), (32, 2), (0, 10)])
def test_a_picture_wider_than_the_terminal_is_not_printed(
    columns: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "terminal_columns", lambda: columns)
    ran = run("draw", "9:")
    assert ran.out.count("\n") == lines
    assert ("is wider than the terminal" in ran.out) == (lines == 2)


def test_failed_units_end_the_command_unless_the_rest_will_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_of_5 = squares(5, weight=0.01, wrong=[3])
    with pytest.raises(typer.Exit) as leave:
        conduct(run_of_5, 1)
    assert leave.value.exit_code == 1
    assert "squares 3: ValueError: 3 is wrong\n1 unit failed" in capsys.readouterr().err
    assert conduct(run_of_5, 1, partial=True) == [0, 1, 4, 16]
