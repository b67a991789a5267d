"""`oneway prove`, `oneway proof check` and `oneway report`, as a user runs them."""

import json
import lzma
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.proof.test_prove import RULE
from verify.cli import app
from verify.proof.certificate import load_certificate, rule_hash
from verify.start import command

WRONG = RULE.format(
    name="mine",
    more="runs = [[[0, 2], [1, 2]]]",
    drawing="# # ?\n? X ?\n? @ x",
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.output


def test_a_proof_is_written_and_checked(here: Path) -> None:
    code, told = run("prove", "c-shape")
    assert code == 0
    assert "c-shape: PROVED" in told
    assert "for every board, with any walls and ends" in told
    code, told = run("proof", "check", "out/proofs")
    assert (code, told) == (
        0,
        "out/proofs/c-shape.proof.xz: c-shape is proved, as in the book\n"
        "  for every board, with any walls and ends\n",
    )


MINE = RULE.format(name="mine", more="", drawing="? ? x ?\n% K @ x\n? % ? ?")


def test_a_proof_of_ones_own_rule_names_what_it_proves(here: Path) -> None:
    (here / "mine.toml").write_text(MINE)
    assert run("prove", "mine.toml")[0] == 0
    file = "out/proofs/mine.proof.xz"
    code, told = run("proof", "check", file)
    assert code == 0
    assert told.startswith(f"{file}: proves the drawings inside the file, 'mine'\n")
    assert "    % K @ x\n" in told
    code, told = run("proof", "check", file, "--rules", "mine.toml")
    assert told.startswith(f"{file}: mine is proved, as in mine.toml\n")
    assert code == 0
    code, told = run("proof", "check", file, "--rules", "seed-close")
    assert code == 1
    assert "'mine' is no rule of seed-close" in told
    (here / "mine.toml").write_text(MINE.replace("% K", "? K"))
    code, told = run("proof", "check", file, "--rules", "mine.toml")
    assert code == 1
    assert "it speaks of other drawings than rule 'mine' has now" in told


def test_no_file_is_opened_because_a_certificate_names_it(here: Path) -> None:
    """A name that is a path is a name: the file beside it is not read."""
    (here / "mine.toml").write_text(MINE)
    assert run("prove", "mine.toml")[0] == 0
    path = here / "out/proofs/mine.proof.xz"
    data = load_certificate(path)
    data["rule"]["name"] = str(here / "secret.toml")
    data["hash"] = rule_hash(data["rule"])
    (here / "secret.toml").write_text("no rule file")
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    code, told = run("proof", "check", str(path))
    assert code == 0
    assert "proves the drawings inside the file" in told


def test_the_same_proof_has_the_same_bytes(here: Path) -> None:
    for folder in "ab":
        assert run("prove", "near-border-side", "--proofs", folder)[0] == 0
    one, two = ((here / x / "near-border-side.proof.xz") for x in "ab")
    assert one.read_bytes() == two.read_bytes()


def test_several_processes_say_the_same(here: Path) -> None:
    (here / "mine.toml").write_text(WRONG)
    words = ("prove", "close-across-left,mine.toml", "--json")
    said = []
    for jobs in "12":
        code, told = run(*words, "--jobs", jobs)
        assert code == 1
        lines = [x for x in told.splitlines() if x.startswith("{")]  # no progress
        said.append([json.loads(line) | {"seconds": 0} for line in lines])
    assert len(said[0]) == 2
    assert said[0] == said[1]


def test_a_wrong_rule_of_ones_own(here: Path) -> None:
    (here / "mine.toml").write_text(WRONG)
    code, told = run("prove", "mine.toml", "--pictures", "pictures", "--sharpen")
    assert code == 1
    assert "mine: REFUTED" in told
    assert "proved if [1, 1] is free" in told
    assert (here / "pictures/mine-1.svg").read_text().startswith("<svg")
    code, told = run("prove", "mine.toml", "--json", "--save", "--corpus", "cases")
    found = json.loads(told)
    assert (code, found["verdict"]) == (1, "REFUTED")
    assert (here / found["case"]).exists()


def test_a_report_is_written(here: Path) -> None:
    code, told = run("report", "c-shape,close-straight-left-left", "-o", "table")
    assert code == 0
    assert "2 rules: 2 PROVED, 0 REFUTED, 0 OPEN." in told
    assert "| c-shape | sound | PROVED |" in (here / "table/verdicts.md").read_text()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["prove"], "name rules, or say --all"),
        (["prove", "c-shape", "--seconds", "0"], "--seconds 0.0 is not above 0"),
        (
            ["prove", "c-shape", "--jobs", "0"],
            "--jobs is '0', expected a whole",
        ),
        (["prove", "universal"], "no rule of 'universal' can be put to a proof"),
        (["prove", "universal"], "forced-edges has no drawing"),
        (["proof", "check", "."], "no certificate"),
        (
            ["proof", "check", ".", "--jobs", "-1"],
            "--jobs is '-1', expected a whole",
        ),
        (["proof", "check", "nowhere.proof.xz"], "cannot be read"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str],
    why: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["oneway", *words])
    assert command() == 2
    assert why in capsys.readouterr().err
    assert list(here.iterdir()) == []
