"""A Python rule works in every command that asks rules; proofs refuse it."""

from pathlib import Path

import pytest

from tests.runner import assert_refused, run

RULES = '''
def ahead_first(position):
    """Go straight on while you can."""
    if position.turn("ahead") in position.options():
        return {position.turn("left"), position.turn("right")}
    return ()

def broken(position):
    return 1 // 0
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_rules.py").write_text(RULES)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("verify R 5", 1, "ahead-first forbids"),
        ("stats 5 --rules R -n 20 --jobs 1", 0, "Random walks under my_rules.py"),
        ("walk 5 --rules R --seed 3", None, "5:"),
        ("check 5:RD --rules R", 0, "forbidden by ahead-first: Go straight on"),
        ("corpus add 5:RD --rules R --corpus cases", 0, "unsound"),
        ("milestones 5 --rules R -n 10", 0, "ahead-first"),
        ("report R 5 -o rep --jobs 1", 0, "1 rule: 0 sound, 1 unsound"),
        ("mine 5 --rules R,seed-5 -n 5 --dry-run --jobs 1", 0, "wrong rule"),
        ("rules R", 0, "ahead-first"),
        ("draw 5:RD --rules R", 0, "forbidden by ahead-first"),
    ],
)
def test_it_is_asked(line: str, code: int | None, words: str) -> None:
    ran = run(*line.replace(" R", " my_rules.py:ahead_first").split())
    assert code is None or ran.code == code, ran
    assert words in ran.out


@pytest.mark.parametrize("line", ["prove R", "discover 5 --rules R", "lab --rules R"])
def test_what_needs_a_drawing_refuses_it(line: str) -> None:
    ran = run(*line.replace(" R", " my_rules.py:ahead_first").split())
    assert_refused(ran)
    assert "a Python rule has no drawing; `verify` and `fuzz` test it" in ran.err


@pytest.mark.parametrize(
    "line", ["verify R 5", "mine 5 --rules R -n 5 --jobs 1", "check 5:RD --rules R"]
)
def test_an_error_in_it_is_one_line_with_the_position(line: str) -> None:
    ran = run(*line.replace(" R", " my_rules.py:broken").split())
    assert ran.code == 2
    assert "rule 'broken': at 5:R" in ran.err.splitlines()[-1]
    assert "ZeroDivisionError" in ran.err
    assert "Traceback" not in ran.err
