"""`oneway prove`, `oneway proof check` and `oneway report`, as a user runs them."""

import json
import lzma
from pathlib import Path

import pytest

from tests.proof.test_prove import RULE
from tests.runner import run as oneway
from verify.proof.certificate import packed
from verify.proof.checking import load_certificate

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
    ran = oneway(*words)
    return ran.code, ran.out


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
    assert "'mine' is not a rule of seed-close" in told
    (here / "mine.toml").write_text(MINE.replace("% K", "? K"))
    code, told = run("proof", "check", file, "--rules", "mine.toml")
    assert code == 1
    assert "it speaks of other drawings than rule 'mine' has now" in told
    ran = oneway("proof", "check", file, "--rules", "mine.toml")
    assert "mine has no certificate that holds" in ran.err


def test_no_file_is_opened_because_a_certificate_names_it(here: Path) -> None:
    """A name that is a path is a name: the file beside it is not read."""
    (here / "mine.toml").write_text(MINE)
    assert run("prove", "mine.toml")[0] == 0
    path = here / "out/proofs/mine.proof.xz"
    data = load_certificate(path)
    data["rule"]["name"] = str(here / "secret.toml")
    (here / "secret.toml").write_text("no rule file")
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    code, told = run("proof", "check", str(path))
    assert code == 0
    assert "proves the drawings inside the file" in told


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


def test_rules_without_a_drawing_are_named() -> None:
    ran = oneway("prove", "universal")
    assert ran.code == 2
    assert "forced-edges has no drawing\n" in ran.err
    assert ran.err.endswith("oneway: no rule of 'universal' can be proved\n")


LANE = '''
[[rule]]
name = "lane"
claim = "sound"
{}
frame = "board"
heading = "U"
symmetries = ["IDENTITY", "TRANSPOSE", "ROTATE_LEFT", "FLIP_COLS"]
drawing = """
B . ?
B x @
"""
'''


@pytest.mark.parametrize(("boards", "code"), [("", 0), ('boards = "any"', 1)])
def test_a_proof_must_reach_as_far_as_the_rule(
    boards: str, code: int, here: Path
) -> None:
    (here / "lane.toml").write_text(LANE.format(boards))
    exit_code, out = run("prove", "lane.toml")
    assert exit_code == code
    assert "lane: PROVED" in out
    short = "not proved for all boards it is meant for: boards with any walls and ends"
    assert (short in out) == bool(boards)


def test_a_proved_rule_that_never_fires_is_marked(here: Path) -> None:
    _, out = run("prove", "far-across-right-start-c", "c-shape")
    never, fires = (line for line in out.splitlines() if "PROVED" in line)
    assert "PROVED, but it never fires: no completable position matches" in never
    assert "never fires" not in fires


def test_a_family_prints_bounds_and_writes_a_certificate(here: Path) -> None:
    code, out = run("prove", "up-small", "straight")
    assert code == 0
    assert out.startswith("up-small: PROVED, every distance and way to go on\n")
    assert "    A(AAAA)A: -1 -1x to 0 +1x\n" in out
    _, objects = run("prove", "up-small", "--json")
    first = json.loads(objects)
    assert first["family"] == "up-small"
    assert all(f"  {line}\n" in out for line in first["claims"])
    code, out = run("proof", "check", "out/proofs")
    assert code == 0
    assert "family 'straight' is proved, every distance and way to go on" in out
    data = load_certificate(here / "out/proofs/straight.family.xz")
    data["chains"][0]["bounds"][1][0] -= 1
    (here / "up-small.family.xz").write_bytes(packed(data))
    code, out = run("proof", "check", "up-small.family.xz")
    assert code == 1
    assert ".xz: chain 1: the last cell: a surplus beyond the bounds" in out
