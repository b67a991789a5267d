"""The laboratory of an installed package: no clone lies around it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.lab.served import ROOT, served
from tests.lab.test_messages import only
from tests.lab.test_server import Page, get
from verify.lab.rules import verdict_rows

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packages as the wheel holds them."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("installed")
    build = ("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as held:
        held.extractall(folder / "site")
    return folder / "site"


def test_pages_and_tables_are_in_the_package(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # else all is compiled for this place
    assert not (tree / "docs").exists()
    with served(tmp_path, "7:RR", tree=tree) as lab:
        for path in sorted((tree / "verify" / "lab" / "static").rglob("*.js")):
            name = path.relative_to(tree / "verify" / "lab").as_posix()
            assert get(lab, f"/{name}", Cookie=lab.cookie).status_code == 200
        page = Page(lab)
        *parts, _ = page.answer("book")
        cards = {card["name"]: card for part in parts for card in part["rules"]}
        published = {name: row["verdict"] for name, row in verdict_rows().items()}
        assert len(published) > 100
        assert {name: cards[name]["verdict"] for name in published} == published
        details = only(page.answer("bookrule", name="c-shape"), "ruledetails")
        assert details["text"].startswith("[[rule]]")
        assert only(page.answer("cases"), "caselist")["total"] == 0
        page.close()
