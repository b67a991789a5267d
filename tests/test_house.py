"""The house as a whole: imports, types, reasons for ignores, locked requirements."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PACKAGES = ("solver", "heuristic", "verify")
ROOT = Path(__file__).resolve().parent.parent


@cache
def modules() -> dict[str, Path]:
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = path
    return found


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def imports(name: str) -> set[str]:
    """Return what a module imports of ours anywhere, in functions and its table too.

    What only a type checker imports is left out, and so are the names of engines: a
    rule names its engine as text, and the engine is imported when a board is there.
    """
    found, todo = set(), list(ast.walk(tree_of(name)))
    unread = {
        inner
        for node in todo
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in todo:
        if node in unread:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    table = modules()[name].with_suffix(".toml")
    if table.is_file():
        text = table.read_text(encoding="utf-8")
        found |= set(re.findall(r'"([a-z_]+(?:\.[a-z_]+)+):\w+"', text))
    return found & set(modules()) - {name}


def circles() -> list[set[str]]:
    """Return the strongly connected components of more than one module."""
    import networkx as nx

    graph = nx.DiGraph((name, other) for name in modules() for other in imports(name))
    return [one for one in nx.strongly_connected_components(graph) if len(one) > 1]


def test_no_circle_of_imports() -> None:
    assert circles() == []


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
        requirement, *digests = line.split(" --hash=sha256:")
        parsed = Requirement(requirement.strip())
        assert digests
        assert all(re.fullmatch("[0-9a-f]{64}", digest.strip()) for digest in digests)
        locked.setdefault(parsed.name, []).append(str(parsed.specifier))
    for one in map(Requirement, wanted):
        for version in locked[one.name.lower().replace("_", "-")]:
            assert version.startswith("==")
            assert one.specifier.contains(version[2:], prereleases=True), one
