"""A name of a file is printed escaped: no name makes a line of its own."""

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

# {} stands for a folder of that name.
LINES = """
check 7:RRDRURDDLD -o {}/x.svg
check 7:RRDRURDDLD --proof {}
walk 5 --exact --seed 1 -o {}/x.svg
walk 5 --exact --seed 1 -n 2 -o {}/x.svg
walk 5 --exact --seed 1 --walls -o {}/x.pdf
verify {}/my.toml 3x4
rules {}/my.toml -o {}/x.svg
prove {}/my.toml --seconds 1 --proofs {} --pictures {}/p
report {}/my.toml 3x4 -o {}/r --proofs {} --jobs 1
prove up-small --proofs {}
proof check {} --rules {}/my.toml
proof check {} --lrat {}/lrat
corpus add 7:RRDRURDDLD --rules c-shape --corpus {}/corpus
corpus show --corpus {}/corpus
corpus add {}/none.txt --dry-run
stats 5 --rules {}/my.toml -n 20 --jobs 1
mine --rules {}/my.toml 5 --corpus {}/corpus --jobs 1
corpus show --corpus {}/none
path {}/game.txt
knight check {}/knight.txt
check {}/none.txt
""".splitlines()[1:]
QUICK = ("rules ", "prove up-", "proof check {} --l", "corpus ", "path ", "knight ")


@pytest.mark.parametrize("begin", [QUICK, pytest.param("", marks=pytest.mark.slow)])
def test_names_are_escaped(
    begin: tuple[str, ...] | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "my.toml").write_text(RULE)
    (folder / "knight.txt").write_text("1 2\n")
    monkeypatch.setenv("ONEWAY_RUNS", str(folder / "runs"))
    for line in [one for one in LINES if one.startswith(begin)]:
        ran = run(*(part.replace("{}", str(folder)) for part in line.split()))
        said = ran.out + ran.err
        assert ran.code != 3, (line, ran)
        assert "\nFORGED" not in said, (line, ran)
        assert "\x1b" not in said, (line, ran)
        assert ESCAPED in said.replace("\n", ""), (line, ran)
