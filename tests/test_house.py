"""The house as a whole: imports, types, reasons for ignores, locked requirements."""

import re
import tomllib
from pathlib import Path

import grimp
import networkx as nx
import pytest
from packaging.requirements import Requirement

import solver

PACKAGES = ("solver", "heuristic", "verify")
ROOT = Path(__file__).resolve().parent.parent


def test_no_circle_of_imports() -> None:
    graph = grimp.build_graph(
        *PACKAGES, exclude_type_checking_imports=True, cache_dir=None
    )
    arrows = nx.DiGraph(
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    )
    circles = nx.strongly_connected_components(arrows)
    assert [circle for circle in circles if len(circle) > 1] == []


def test_every_ignore_says_why() -> None:
    bare = re.compile(r"# type: ignore(?!\[[^]]*\] *# )")
    for folder in (*PACKAGES, "tests", "website"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__):
                assert not bare.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(("file", "extras"), [("run", []), ("dev", ["dev", "docs"])])
def test_what_is_installed_is_locked(file: str, extras: list[str]) -> None:
    """Every requirement has a version that it admits, with digests of its files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    text = (ROOT / "requirements" / f"{file}.txt").read_text().replace("\\\n", " ")
    locked = dict[str, list[str]]()
    for line in text.splitlines():
        text, *digests = line.split(" --hash=sha256:")
        parsed = Requirement(text.strip())
        assert digests
        assert all(re.fullmatch("[0-9a-f]{64}", digest.strip()) for digest in digests)
        locked.setdefault(parsed.name, []).append(str(parsed.specifier))
    for requirement in map(Requirement, wanted):
        for version in locked[requirement.name.lower().replace("_", "-")]:
            assert version.startswith("==")
            assert requirement.specifier.contains(version[2:], prereleases=True)


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = solver.__version__
    assert f"\nversion: {version}\n" in citation
    released = re.search(rf"^## {re.escape(version)}, (\S+)$", news, re.MULTILINE)
    assert released is not None
    assert f'\ndate-released: "{released[1]}"\n' in citation
