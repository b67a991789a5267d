"""The house as a whole: no circle of imports, no long module, no large kernel."""

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files as folder_of
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PACKAGES = ("solver", "heuristic", "verify")
ROOT = Path(__file__).resolve().parent.parent
LINES = 700  # of a module
KERNEL_LINES = 60  # of a kernel, its docstring left out
KERNEL_ARGUMENTS = 8


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
    """Return what a module imports of ours anywhere, in functions and strings too.

    What only a type checker imports is left out.
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
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(re.findall(r"^([a-z_]+(?:\.[a-z_]+)+):\w+$", node.value))
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


def test_modules_stay_short() -> None:
    for name, path in modules().items():
        assert path.read_text(encoding="utf-8").count("\n") <= LINES, name


@cache
def kernels() -> dict[str, ast.FunctionDef]:
    """Return every function that numba compiles, by its dotted name."""
    found = {}
    for name in modules():
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(one, ast.Name)
                and one.id in ("njit", "njit_making", "njit_within")
                for one in node.decorator_list
            ):
                found[f"{name}.{node.name}"] = node
    return found


def test_kernels_stay_small() -> None:
    assert len(kernels()) > 100
    for name, kernel in kernels().items():
        body = kernel.body[1:] if ast.get_docstring(kernel) else kernel.body
        assert (kernel.end_lineno or 0) < body[0].lineno + KERNEL_LINES, name
        assert len(kernel.args.args) <= KERNEL_ARGUMENTS, name


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_say_that_they_are_typed(package: str) -> None:
    assert folder_of(package).joinpath("py.typed").is_file()


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


def test_all_that_must_be_believed_is_tried_with_mutants() -> None:
    known = tomllib.loads((ROOT / "tests/mutants.toml").read_text(encoding="utf-8"))
    tried = Counter(
        file for group in known["tests"] for of in group["of"] for file in ROOT.glob(of)
    )
    rooms = (
        "verify/checker",
        "verify/campaign",
        "heuristic/matching",
        "solver/propagation",
    )
    files = {file for room in rooms for file in (ROOT / room).glob("[a-z]*.py")}
    assert files | {ROOT / "solver/notation.py"} <= set(tried)
    assert set(tried.values()) == {1}
    assert all(
        (ROOT / path.split("::")[0]).is_file()
        for group in known["tests"]
        for path in group["by"]
    )
    assert all((ROOT / path).is_file() for path in known["equivalent"])
