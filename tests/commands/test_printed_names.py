"""A name of a file is printed escaped: no name makes a line of its own."""

import os
from pathlib import Path

import pytest

from tests.runner import run

NAME = "a\nFORGED is proved\x1b[2J"
ESCAPED = r"a\nFORGED is proved\x1b[2J"
RULE = """
[[rule]]
name = "mine"
claim = "sound"
origin = "a test"
reason = "the cell ahead keeps one other open side"
drawing = '''
? % ?
% . ?
x @ x
'''
"""

# What is printed of the folder NAME, where {} stands; * if it is printed.
LINES = """
*check 7:RRDRURDDLD -o {}/x.svg
*check 7:RRDRURDDLD --proof {}
*blame 7:RRDRURDDLDLU -o {}/x.svg
*walk 5 --exact --seed 1 -o {}/x.svg
*walk 5 --exact --seed 1 -n 2 -o {}/x.svg
*walk 5 --exact --seed 1 --walls -o {}/x.pdf
*verify c-shape --size 4x5 -o {}/x.svg
*verify {}/my.toml --size 4x4
*rules show {}/my.toml -o {}/x.svg
*prove {}/my.toml --proofs {} --pictures {}/p
*prove sa-corner-big-first --seconds 2 --save --corpus {}/corpus --proofs {}
*report {}/my.toml --size 4x4 -o {}/r --proofs {} --jobs 1
*evidence 4 --rules c-shape --count 10 -o {}/e --jobs 1
*families up-small --most 3 --every-distance -o {}/f.md --proofs {}
*proof check {} --rules {}/my.toml
*proof export {} -o {}/lrat
*corpus add 7:RRDRURDDLD --rules c-shape --corpus {}/corpus
*corpus list --corpus {}/corpus
*corpus list --corpus {}/none
*corpus export 13:RRDD -o {}/saved
*corpus import {}/saved/13x13.txt
*milestones 5 -n 50 --ledger {}/m.ledger --share 1/2 --jobs 1
*campaign show {}/m.ledger
*campaign list
*stats 5 --rules {}/my.toml -n 20 --jobs 1
*mine 5 --rules {}/my.toml --corpus {}/corpus --jobs 1
*mutants {}/my.toml --jobs 1
*milestones 5 -n 5 --rules {}/my.toml --jobs 1
*discover 4 -o {}/b.toml --page {}/b.md --proofs {}/d --pool {}/pool.json
*path referee {}/game.txt
*maze check {}/maze.txt
*knight check {}/knight.txt
*draw 5:RD -o {}/x.gif
*corpus show {}/none.toml
*check {}/none.txt
""".split("\n")[1:-1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("names") / NAME
    place.mkdir()
    (place / "my.toml").write_text(RULE)
    (place / "knight.txt").write_text("1 2\n")
    return place


@pytest.mark.parametrize("line", LINES)
def test_names_are_escaped(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(folder / "campaigns"))
    ran = run(*(part.replace("{}", str(folder)) for part in line.strip("*").split()))
    said = ran.out + ran.err
    print(ran)
    assert not any(one.lstrip(" │|").startswith("FORGED") for one in said.split("\n"))
    assert "\x1b" not in said
    assert (ESCAPED in said) == line.startswith("*")
