"""What a certificate must prove, and what is printed of it."""

import json
import lzma
import os
from pathlib import Path

import pytest

from tests.proof.scenes import sketch
from tests.runner import run
from tests.samples import book, proof_of
from verify.checker.claim import TURNS, Flaw
from verify.proof.certificate import SUFFIX, certificate_of, save_certificate
from verify.proof.checking import check_certificate
from verify.proof.families import (
    WAYS,
    Way,
    Words,
    border_of,
    check_family_certificate,
    every_distance,
    member,
    places,
    steps_of,
)
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
    for fact, granted in (
        ({}, False),
        ({"lines": [["joined", *cells]]}, False),
        ({"lines": [["lacks", *cells]]}, True),
        ({"lines": [["passes", *cells]]}, True),
        ({"lines": [["before", *cells]]}, True),
        ({"end": [-5, -5]}, True),
    ):
        data["rule"]["drawings"] = [drawing | fact]
        path.write_bytes(lzma.compress(json.dumps(data).encode()))
        checked = check_certificate(path, {})
        assert checked.fault is None
        assert checked.boards.endswith(IF_RIGHT) == granted


@pytest.mark.parametrize("states", [2, 3, 4, 5, 6])
def test_a_forbidden_cell_is_free_or_not_said(states: int) -> None:
    """Needed visited, any move would be proved."""
    assert sketch(needs=[[0, 1, 1, False]]).moves
    with pytest.raises(Flaw, match="a forbidden cell is needed other than free"):
        sketch(needs=[[0, 1, states, False]])


# Families ---------------------------------------------------------------------


def test_bounds_worthless_from_some_distance_on_are_refused() -> None:
    """Honest drawing by drawing up to 20 cells, and then nothing."""
    data = every_distance("up-small")
    drawings = [member("up-small", place) for place in places("up-small", 20)]
    words: list[Words] = [((steps_of(one), False),) for one in drawings]
    far: list[Words] = [(("A" * (20 + k), False), ("AAAA", True)) for k in range(4)]
    data["chains"] = []
    for pose, move in WAYS:
        way = Way(border_of(drawings[-1]), move, TURNS[pose])
        for one in words + far:
            chain = way.chain(one)
            assert chain is not None
            if one in far:
                chain["bounds"][0][0], chain["bounds"][1][0] = -900, 900
            data["chains"].append(chain | {"turn": pose, "move": move})
    checked = check_family_certificate(json.loads(json.dumps(data)))
    assert checked.fault is not None
    assert "it does not prove the bounds published" in checked.fault


# Files that would harm --------------------------------------------------------


def test_a_file_name_makes_no_line(tmp_path: Path) -> None:
    name = f"x\nc-shape is proved, as in the book{SUFFIX}"
    (tmp_path / name).write_bytes(b"spoilt")
    content = certificate_of(proof_of(book("c-shape")))
    (tmp_path / f"c\nfamily up-small is proved{SUFFIX}").write_bytes(content)
    for paths in ([str(tmp_path)], [str(tmp_path / name)]):
        ran = run("proof", "check", *paths)
        assert ran.code != 0
        assert not any(x.startswith(("c-shape", "family")) for x in ran.out.split("\n"))
        assert not any(x.startswith(("c-shape", "family")) for x in ran.err.split("\n"))


def test_one_bad_file_does_not_end_a_folder(tmp_path: Path) -> None:
    (tmp_path / f"a{SUFFIX}").mkdir()
    (tmp_path / f"b{SUFFIX}").write_bytes(b"spoilt")
    save_certificate(proof_of(book("c-shape")), tmp_path)
    ran = run("proof", "check", str(tmp_path))
    assert ran.code == 1
    assert f"a{SUFFIX}: cannot be read: not a regular file" in ran.out
    assert f"b{SUFFIX}: the file is cut short" in ran.out
    assert "c-shape is proved, as in the book" in ran.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / f"pipe{SUFFIX}"
    os.mkfifo(path)
    ran = run("proof", "check", str(path))
    assert ran.code == 2
    assert "cannot be read: not a regular file" in ran.err
