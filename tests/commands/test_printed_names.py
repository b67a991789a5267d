"""Names of files and texts of strangers are printed escaped; where cases are kept."""

import json
from pathlib import Path

import pytest

from tests.runner import prints, run
from tests.samples import CORNER_AHEAD
from verify.corpus import cases

NAME = "a\nFORGED is proved\x1b[2J"
ESCAPED = r"a\nFORGED is proved\x1b[2J"
EVIL = "\x1b]0;owned\x07\x9b31m[red]"
RULE = CORNER_AHEAD.replace("drawing", f"origin = {json.dumps(EVIL)}\ndrawing")
CASE = f"""
kind = "verdict"
why = {json.dumps(EVIL)}
source = {json.dumps(EVIL)}
position = "3:R"
[moves]
R = "completable"
D = "dead"
"""

LINES = """
check 7:RRDRURDDLD -o {}/x.svg
check 7:RRDRURDDLD --proof {}
walk 5 --exact --seed 1 -n 2 -o {}/x.svg
walk 5 --exact --seed 1 --walls -o {}/x.pdf
verify {}/my.toml 3x4
rules {}/my.toml -o {}/x.svg
prove {}/my.toml --seconds 1 --proofs {} --pictures {}/p
report {}/my.toml 3x4 -o {}/r --jobs 1
proof check {} --rules {}/my.toml
corpus add 7:RRDRURDDLD --rules c-shape --corpus {}/corpus
corpus show --corpus {}/corpus
corpus add {}/none.txt --dry-run
stats 5 --rules {}/my.toml -n 20 --jobs 1
mine --rules {}/my.toml 5 -n 20 --corpus {}/corpus --jobs 1
path {}/game.txt
""".splitlines()[1:]  # {} stands for a folder of that name


def test_names_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(NAME).mkdir()
    Path(NAME, "my.toml").write_text(RULE)
    monkeypatch.setenv("ONEWAY_RUNS", f"{NAME}/runs")
    for line in LINES:
        ran = run(*(part.replace("{}", NAME) for part in line.split()))
        printed = ran.out + ran.err
        assert ran.code != 3, (line, ran)
        assert "\nFORGED" not in printed, (line, ran)
        assert "\x1b" not in printed, (line, ran)
        assert ESCAPED in printed.replace("\n", ""), (line, ran)


@pytest.mark.parametrize("line", ["corpus show 3x3 --corpus .", "rules a.toml --list"])
def test_texts_of_files_do_not_steer_the_terminal(line: str) -> None:
    Path("verdict").mkdir()
    Path("verdict/a.toml").write_text(CASE)
    Path("a.toml").write_text(RULE)
    ran = prints(line, 0, "\\x1b]0;owned\\x07\\x9b31m[red]")
    assert ran.out.replace("\n", "").isprintable()


def test_cases_lie_where_the_environment_says_or_in_the_checkout_or_with_the_user(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CORPUS", "mine")
    assert cases.corpus_folder() == Path("mine")
    monkeypatch.delenv("ONEWAY_CORPUS")
    assert cases.corpus_folder() == Path(__file__).parents[2] / "corpus"
    (here / "corpus").mkdir()  # of another package, beside an installed wheel
    monkeypatch.setattr(cases, "__file__", str(here / "verify/corpus/cases.py"))
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "data"))
    assert cases.corpus_folder() not in (here / "corpus", Path("mine"))
    assert cases.corpus_folder().parts[-2:] == ("oneway", "corpus")
