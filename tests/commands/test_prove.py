"""`oneway prove` and `oneway proof check`, as a user runs them."""

import json
import lzma
from pathlib import Path

import pytest

from tests.proof.test_prove import RULE
from tests.runner import run
from verify.proof.certificate import packed
from verify.proof.checking import load_certificate

MINE = RULE.format(name="mine", more="", drawing="? ? x ?\n% K @ x\n? % ? ?")
FILE = "out/proofs/mine.proof.xz"
WRONG = RULE.format(
    name="mine",
    more="runs = [[[0, 2], [1, 2]]]",
    drawing="# # ?\n? X ?\n? @ x",
)


@pytest.fixture
def proved() -> Path:
    """Prove a rule of one's own; return its file."""
    file = Path("mine.toml")
    file.write_text(MINE)
    assert run("prove", "mine.toml").code == 0
    return file


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ("", 0, f"{FILE}: proves the drawings inside the file, 'mine'\n"),
        ("", 0, '"moves":[[-1,0],[0,1]]'),
        ("-r mine.toml", 0, f"{FILE}: mine is proved, as in mine.toml\n"),
        ("-r mine.toml,c-shape", 1, "\nc-shape has no certificate that holds\n"),
        ("-r seed-close", 1, "'mine' is not a rule of seed-close"),
    ],
)
def test_a_certificate_names_what_it_proves(
    rules: str, code: int, words: str, proved: Path
) -> None:
    ran = run("proof", "check", FILE, *rules.split())
    assert (ran.code, words in ran.out + ran.err) == (code, True), ran


def test_a_certificate_of_other_drawings_is_refused(proved: Path) -> None:
    proved.write_text(MINE.replace("% K", "? K"))
    ran = run("proof", "check", FILE, "--rules", "mine.toml")
    assert ran.code == 1
    assert "it speaks of other drawings than rule 'mine' has now" in ran.out
    assert "mine has no certificate that holds" in ran.err


def test_no_file_is_opened_because_a_certificate_names_it(proved: Path) -> None:
    """A name that is a path is a name: the file beside it is not read."""
    data = load_certificate(Path(FILE))
    data["rule"]["name"] = "secret.toml"
    Path("secret.toml").write_text("no rule file")
    Path(FILE).write_bytes(lzma.compress(json.dumps(data).encode()))
    ran = run("proof", "check", FILE)
    assert ran.code == 0
    assert "proves the drawings inside the file" in ran.out


def test_a_wrong_rule_is_refuted_drawn_sharpened_and_saved() -> None:
    Path("mine.toml").write_text(WRONG)
    ran = run("prove", "mine.toml", "--pictures", "pictures", "--sharpen")
    assert (ran.code, "mine: REFUTED" in ran.out) == (1, True)
    assert "proved if [1, 1] is free" in ran.out
    assert Path("pictures/mine-1.svg").read_text().startswith("<svg")
    ran = run("prove", "mine.toml", "--json", "--save", "--corpus", "cases")
    value = json.loads(ran.out)
    assert (ran.code, value["verdict"]) == (1, "REFUTED")
    assert Path(value["case"]).exists()


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
def test_a_proof_must_reach_as_far_as_the_rule(boards: str, code: int) -> None:
    Path("lane.toml").write_text(LANE.format(boards))
    ran = run("prove", "lane.toml")
    assert ran.code == code
    assert "lane: PROVED" in ran.out
    short = "not proved for all boards it is meant for: boards with any walls and ends"
    assert (short in ran.out) == bool(boards)


def test_a_proved_rule_that_never_fires_is_marked() -> None:
    ran = run("prove", "far-across-right-start-c", "c-shape")
    never, fires = (line for line in ran.out.splitlines() if "PROVED" in line)
    assert "PROVED, but it never fires: no completable position matches" in never
    assert "never fires" not in fires


def test_a_family_prints_bounds_and_writes_a_certificate() -> None:
    ran = run("prove", "up-small", "straight")
    assert ran.code == 0
    assert ran.out.startswith("up-small: PROVED, every distance and way to go on\n")
    assert "    A(AAAA)A: -1 -1x to 0 +1x\n" in ran.out
    first = json.loads(run("prove", "up-small", "--json").out)
    assert first["family"] == "up-small"
    assert all(f"  {line}\n" in ran.out for line in first["claims"])
    ran = run("proof", "check", "out/proofs")
    assert ran.code == 0
    proved = "family 'straight' is proved, every distance and way to go on"
    assert proved in ran.out
    data = load_certificate(Path("out/proofs/straight.family.xz"))
    data["chains"][0]["bounds"][1][0] -= 1
    Path("up-small.family.xz").write_bytes(packed(data))
    ran = run("proof", "check", "up-small.family.xz")
    assert ran.code == 1
    assert ".xz: chain 1: the last cell: a surplus beyond the bounds" in ran.out
