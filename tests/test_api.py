"""The names that users import: what they are, what they cost, who may hide them."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.runner import python

PACKAGES = ("solver", "heuristic", "verify")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_documented_where_it_is_defined(package: str) -> None:
    module = import_module(package)
    assert sorted(module._FROM) == sorted(module.__all__)
    for name in module.__all__:
        thing = getattr(module, name)
        assert thing.__name__ == name
        assert thing.__module__.startswith(f"{package}.{module._FROM[name]}")
        assert thing.__doc__
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = module.no_such_name


def test_a_package_imports_nothing_that_is_not_asked_for(tmp_path: Path) -> None:
    code = (
        "import sys, solver, heuristic, verify\n"
        "ours = {'solver', 'heuristic', 'verify'}\n"
        "print([m for m in sys.modules if m.split('.')[0] in ours])"
    )
    assert python(code, cwd=tmp_path).stdout == "['solver', 'heuristic', 'verify']\n"


def test_a_file_that_hides_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "solver.py").write_text("")
    error = python("import heuristic", cwd=tmp_path).stderr.splitlines()[-1]
    assert "solver.py stands in the place of the package solver, which" in error


def test_python_m_verify_is_the_command(tmp_path: Path) -> None:
    from solver import __version__

    words = [sys.executable, "-m", "verify", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == f"oneway {__version__}\n"
