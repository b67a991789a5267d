"""`oneway prove` and `oneway proof check`, as a user runs them."""

import json
import lzma
from pathlib import Path

import pytest

from tests.proof.test_prove import RULE
from tests.runner import prints
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
    prints("prove mine.toml", 0)
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
    prints(f"proof check {FILE} {rules}", code, words)


def test_a_certificate_of_other_drawings_is_refused(proved: Path) -> None:
    proved.write_text(MINE.replace("% K", "? K"))
    other = "it speaks of other drawings than rule 'mine' has now"
    none = "mine has no certificate that holds"
    prints(f"proof check {FILE} --rules mine.toml", 1, other, none)


def test_no_file_is_opened_because_a_certificate_names_it(proved: Path) -> None:
    """A name that is a path is a name: the file beside it is not read."""
    data = load_certificate(Path(FILE))
    data["rule"]["name"] = "secret.toml"
    Path("secret.toml").write_text("no rule file")
    Path(FILE).write_bytes(lzma.compress(json.dumps(data).encode()))
    prints(f"proof check {FILE}", 0, "proves the drawings inside the file")


def test_a_wrong_rule_is_refuted_drawn_sharpened_and_saved() -> None:
    Path("mine.toml").write_text(WRONG)
    words = ("mine: REFUTED", "proved if [1, 1] is free", "pictures/mine-2.svg")
    prints("prove mine.toml --pictures pictures --sharpen", 1, *words)
    assert Path("pictures/mine-1.svg").read_text().startswith("<svg")
    ran = prints("prove mine.toml --json --save --corpus cases", 1, "REFUTED")
    assert Path(json.loads(ran.out)["case"]).exists()


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
    ran = prints("prove lane.toml", code, "lane: PROVED")
    short = "not proved for all boards it is meant for: boards with any walls and ends"
    assert (short in ran.out) == bool(boards)


def test_a_proved_rule_that_never_fires_is_marked() -> None:
    never = "start-c: PROVED, but it never fires: no completable position matches"
    prints("prove far-across-right-start-c c-shape", 0, never, "c-shape: PROVED  (")


def test_a_family_prints_bounds_and_writes_a_certificate() -> None:
    bounds = "    A(AAAA)A: -1 -1x to 0 +1x\n"
    head = "up-small: PROVED, every distance and way to go on\n"
    out = prints("prove up-small straight", 0, head, bounds).out
    first = json.loads(prints("prove up-small --json", 0, '"family": "up-small"').out)
    assert all(f"  {line}\n" in out for line in first["claims"])
    proved = "family 'straight' is proved, every distance and way to go on"
    prints("proof check out/proofs", 0, proved)
    data = load_certificate(Path("out/proofs/straight.family.xz"))
    data["chains"][0]["bounds"][1][0] -= 1
    Path("up-small.family.xz").write_bytes(packed(data))
    fault = ".xz: chain 1: the last cell: a surplus beyond the bounds"
    prints("proof check up-small.family.xz", 1, fault)
