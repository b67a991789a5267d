"""What a certificate must prove, and what is printed of it."""

import json
import lzma
from pathlib import Path

from tests.proof.forging import Data
from tests.runner import run
from tests.samples import book, proof_of
from verify.checker.claim import TURNS
from verify.proof import families
from verify.proof.certificate import SUFFIX, save_certificate
from verify.proof.checking import check_certificate
from verify.proof.families import Words, member, places, steps_of
from verify.proof.window import IF_RIGHT


def test_a_certificate_proves_the_drawings_of_its_rule(tmp_path: Path) -> None:
    """One of another name proves what it draws, and `oneway` prints that."""
    path = save_certificate(proof_of(book("count-area-2-across")), tmp_path)
    data = json.loads(lzma.decompress(path.read_bytes()))
    for name, code, text in (
        ("count-area-2-across", 0, "count-area-2-across is proved, as in the book\n"),
        ("c-shape", 1, "it speaks of other drawings than rule 'c-shape' has now\n"),
        ("a\nb", 0, "proves the drawings inside the file, 'a\\nb'\n"),
    ):
        data["rule"]["name"] = name
        path.write_bytes(lzma.compress(json.dumps(data).encode()))
        ran = run("proof", "check", str(path))
        assert ran.code == code
        assert f"{path}: {text}" in ran.out
        drawing = json.dumps(data["rule"]["drawings"][0], separators=(",", ":"))
        assert (f"  {drawing}\n" in ran.out) == (name == "a\nb")


def test_what_is_granted_is_said_beside_the_boards(tmp_path: Path) -> None:
    """Where only `lacks` or an end is granted, too."""
    path = save_certificate(proof_of(book("c-shape")), tmp_path)
    data = json.loads(lzma.decompress(path.read_bytes()))
    drawing = data["rule"]["drawings"][0]
    drawing["needs"] += [[[-5, -5], 1, False], [[-5, -6], 1, False]]
    cells = [[-5, -5], [-5, -6]]
    granting = {"joined": False, "lacks": True, "passes": True, "before": True}
    facts: list[Data] = [{"lines": [[word, *cells]]} for word in granting]
    facts += [{}, {"end": [-5, -5]}]
    for fact, granted in zip(facts, (*granting.values(), False, True), strict=True):
        data["rule"]["drawings"] = [drawing | fact]
        path.write_bytes(lzma.compress(json.dumps(data).encode()))
        checked = check_certificate(path, {})
        assert checked.fault is None
        assert checked.boards.endswith(IF_RIGHT) == granted


# Families ---------------------------------------------------------------------


def test_bounds_worthless_from_some_distance_on_are_refused() -> None:
    """Honest drawing by drawing up to 20 cells, and then nothing."""
    data = families.every_distance("up-small")
    drawings = [member("up-small", place) for place in places("up-small", 20)]
    words: list[Words] = [((steps_of(one), False),) for one in drawings]
    far: list[Words] = [(("A" * (20 + k), False), ("AAAA", True)) for k in range(4)]
    data["chains"] = []
    for pose, move in families.WAYS:
        way = families.Way(families.border_of(drawings[-1]), move, TURNS[pose])
        for one in words + far:
            chain = way.chain(one)
            assert chain is not None
            if one in far:
                chain["bounds"][0][0], chain["bounds"][1][0] = -900, 900
            data["chains"].append(chain | {"turn": pose, "move": move})
    checked = families.check_family_certificate(json.loads(json.dumps(data)))
    assert checked.fault is not None
    assert "it does not prove the bounds published" in checked.fault


def test_one_bad_file_does_not_end_a_folder(tmp_path: Path) -> None:
    (tmp_path / f"a{SUFFIX}").mkdir()
    (tmp_path / f"b{SUFFIX}").write_bytes(b"spoilt")
    save_certificate(proof_of(book("c-shape")), tmp_path)
    ran = run("proof", "check", str(tmp_path))
    assert ran.code == 1
    assert f"a{SUFFIX}: cannot be read: not a regular file" in ran.out
    assert f"b{SUFFIX}: the file is cut short" in ran.out
    assert "c-shape is proved, as in the book" in ran.out
