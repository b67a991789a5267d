"""The command `oneway prove` of distance families."""

from pathlib import Path

import pytest

from solver.errors import OptionError, UnknownNameError
from tests.runner import assert_refused, run
from verify.families.every import family_certificate
from verify.families.tables import (
    FAMILIES,
    NAMES,
    WAYS,
    corner,
    get_family,
    places,
)
from verify.proof.certificate import load_certificate


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_names_and_distances_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="known: straight, up-small, up-big"):
        get_family("corner")
    with pytest.raises(UnknownNameError, match=r"known: .*, up-big, corner"):
        places("side", 5)
    with pytest.raises(OptionError, match="no distance 1"):
        FAMILIES["straight"].drawing(1)
    with pytest.raises(OptionError, match="no corner 2 to the left and 2 ahead"):
        corner(2, 2)


def test_the_command_writes_page_and_certificates(tmp_path: Path) -> None:
    page, proofs = tmp_path / "a.md", tmp_path / "proofs"
    words = ("prove", "up-small", "corner", "--most", "3", "--proofs", str(proofs))
    ran = run(*words, "-o", str(page))
    assert (ran.code, ran.out) == (0, f"written: {page}\n")
    assert page.read_text().startswith("# Distance families\n\nWritten by")
    assert len(list(proofs.iterdir())) == 2
    assert run("proof", "check", str(proofs)).code == 0
    again = run(*words)
    assert (again.code, again.out) == (0, page.read_text())
    lines = run(
        "prove", "corner", "--most", "3", "--json", *words[-2:]
    ).out.splitlines()
    assert len(lines) == 3 * len(WAYS)
    assert lines[0] == (
        '{"family": "corner", "left": 2, "ahead": 3, "way": "straight", '
        '"low": 0, "high": 0}'
    )
    fewer = run(
        "prove", *NAMES, "--most", "4", "--corners", "3", "--json"
    ).out.splitlines()
    assert len(fewer) == (3 * 3 + 3) * len(WAYS)
    assert any('"low": null, "high": null, "none": "never"' in line for line in lines)


def test_every_distance_has_one_certificate_a_family(tmp_path: Path) -> None:
    words = ("prove", "up-small", "straight", "--most", "5")
    ran = run(*words, "--proofs", str(tmp_path))
    assert ran.code == 0
    assert "Regular: 4 cells more make both one larger, for every D." in ran.out
    checked = run("proof", "check", str(tmp_path))
    assert checked.code == 0
    assert "family straight is proved, every distance and way to go on" in checked.out
    (tmp_path / "up-small.family.xz").write_bytes(
        (tmp_path / "straight.family.xz").read_bytes()[:-9]
    )
    assert run("proof", "check", str(tmp_path)).code != 0
    data = load_certificate(tmp_path / "straight.family.xz")
    data["chains"][0]["bounds"][1][0] -= 1
    (tmp_path / "up-small.family.xz").write_bytes(family_certificate(data))
    wrong = run("proof", "check", "--json", str(tmp_path / "up-small.family.xz"))
    assert wrong.code == 1
    assert '"fault": "chain 1: the last cell: a surplus beyond the bounds' in wrong.out


def test_the_command_refuses_what_is_wrong(tmp_path: Path) -> None:
    assert_refused(run("prove", "side"))
    for option in ("--most", "--corners"):
        refused = run("prove", *NAMES, option, "2")
        assert f"{option} 2 is not at least 3" in refused.err
        assert_refused(refused)
    nowhere = str(tmp_path / "no" / "where.md")
    assert_refused(run("prove", "straight", "--most", "3", "-o", nowhere))
