"""A Python rule works in every command that asks rules; proofs refuse it."""

from pathlib import Path

import pytest

from tests.runner import run

RULES = '''
def ahead_first(position):
    """Go straight on while you can."""
    if position.turn("ahead") in position.options():
        return {position.turn("left"), position.turn("right")}
    return ()

def broken(position):
    return 1 // 0
'''
NO_DRAWING = "a Python rule has no drawing; `verify` and `fuzz` test it"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("verify R 5", 1, "ahead-first forbids"),
        ("stats 5 --rules R -n 20 --jobs 1", 0, "Random walks under my_rules.py"),
        ("walk 5 --rules R --seed 3 -n 2", 1, "stuck    5:DDDDRRR"),
        ("check 5:RD --rules R", 0, "forbidden by ahead-first: Go straight on"),
        ("corpus add 5:RD --rules R --corpus cases", 0, "unsound"),
        ("milestones 5 --rules R -n 10", 0, "ahead-first"),
        ("report R 5 -o rep --jobs 1", 0, "1 rule: 0 sound, 1 unsound"),
        ("mine 5 --rules R,seed-5 -n 5 --dry-run --jobs 1", 0, "wrong rule"),
        ("rules R", 0, "ahead-first"),
        ("draw 5:RD --rules R", 0, "forbidden by ahead-first"),
        ("prove R", 2, NO_DRAWING),
        ("discover 5 --rules R", 2, NO_DRAWING),
        ("lab --rules R", 2, NO_DRAWING),
        ("verify my_rules.py:broken 5", 2, "rule 'broken': at 5:R"),
        ("mine 5 --rules my_rules.py:broken -n 5 --jobs 1", 2, "ZeroDivisionError"),
        ("check 5:RD --rules my_rules.py:broken", 2, "rule 'broken': at 5:RD"),
    ],
)
def test_a_python_rule_is_asked_or_refused(
    line: str, code: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_rules.py").write_text(RULES)
    ran = run(*line.replace(" R", " my_rules.py:ahead_first").split())
    assert ran.code == code, ran
    assert words in (ran.err if code == 2 else ran.out)
    assert "Traceback" not in ran.err
