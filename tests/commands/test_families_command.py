"""The command `oneway prove` of distance families."""

import json
from pathlib import Path

import pytest

from solver.errors import OptionError, UnknownNameError
from tests.runner import assert_refused, run
from verify.proof.certificate import load_certificate, packed
from verify.proof.families import FAMILIES, corner, places


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_names_and_distances_are_checked() -> None:
    with pytest.raises(UnknownNameError, match=r"known: .*, up-big, corner"):
        places("side", 5)
    with pytest.raises(OptionError, match="no distance 1"):
        FAMILIES["straight"].drawing(1)
    with pytest.raises(OptionError, match="no corner 2 to the left and 2 ahead"):
        corner(2, 2)


def test_the_command_prints_bounds_and_writes_certificates(tmp_path: Path) -> None:
    words = ("prove", "up-small", "straight", "--proofs", str(tmp_path))
    ran = run(*words)
    assert ran.code == 0
    assert ran.out.startswith("up-small: PROVED, every distance and way to go on\n")
    assert "    A(AAAA)A: -1 -1x to 0 +1x\n" in ran.out
    first, _ = map(json.loads, run(*words, "--json").out.splitlines())
    assert first["family"] == "up-small"
    assert all(f"  {line}\n" in ran.out for line in first["claims"])
    checked = run("proof", "check", str(tmp_path))
    assert checked.code == 0
    assert "family straight is proved, every distance and way to go on" in checked.out
    (tmp_path / "up-small.family.xz").write_bytes(
        (tmp_path / "straight.family.xz").read_bytes()[:-9]
    )
    assert run("proof", "check", str(tmp_path)).code != 0
    data = load_certificate(tmp_path / "straight.family.xz")
    data["chains"][0]["bounds"][1][0] -= 1
    (tmp_path / "up-small.family.xz").write_bytes(packed(data))
    wrong = run("proof", "check", "--json", str(tmp_path / "up-small.family.xz"))
    assert wrong.code == 1
    assert '"fault": "chain 1: the last cell: a surplus beyond the bounds' in wrong.out


def test_the_command_refuses_what_is_wrong() -> None:
    assert_refused(run("prove", "side"))
    assert_refused(run("prove", "straight", "c-shape"))
