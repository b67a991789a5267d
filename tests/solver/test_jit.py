"""The cache of compiled kernels: which edits compile a module again."""

import os
import shutil
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solver import jit
from solver.splitmix import below, seeded, shuffle
from tests.runner import python

ROOT = Path(__file__).parents[2]
FILES = {
    "solver/__init__.py": "",
    "solver/jit.py": "def njit(f): return f\n",
    "solver/low.py": "from solver.jit import njit\n@njit\ndef f(): return 1\n",
    "solver/plain.py": "STEPS = (\n    1,\n    2,\n)\n\nclass Two(NamedTuple):\n"
    '    a: int\n    b: int\n\ndef words():\n    return "a"\n',
    "solver/high.py": "from solver.low import f\n"
    "from solver.plain import STEPS  # njit\n",
    "solver/other.py": "from solver.jit import njit\n",
}


def key(root: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(jit, "_ROOT", root)
    for function in (jit._source, jit._imports, jit.source_key):
        function.cache_clear()
    digest = jit.source_key(module)
    for function in (jit._source, jit._imports, jit.source_key):
        function.cache_clear()
    return digest


@pytest.mark.parametrize(
    ("file", "old", "new", "compiles"),
    [
        ("solver/low.py", "return 1", "return 2", True),  # a kernel that it calls
        ("solver/plain.py", "    2,", "    3,", True),  # a constant that it freezes
        ("solver/plain.py", "    b: int", "    c: int", True),  # a field that it reads
        ("solver/plain.py", '"a"', '"b"', False),  # a plain function
        ("solver/other.py", "njit\n", "njit\n# more\n", False),  # not imported
    ],
)
def test_edits_that_a_kernel_depends_on_change_its_key(
    file: str,
    old: str,
    new: str,
    compiles: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    before = key(tmp_path, "solver.high", monkeypatch)
    path = tmp_path / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert (key(tmp_path, "solver.high", monkeypatch) != before) == compiles


items = np.arange(9)
shuffle(seeded(3), items, 9)
NUMBERS = f"{items} {[below(seeded(seed), 1000) for seed in range(20)]}"
SCRIPT = """
from solver import jit
jit.on_compiling(print)
from solver.splitmix import below, seeded, shuffle
import numpy as np
items = np.arange(9)
shuffle(seeded(3), items, 9)
print(items, [below(seeded(seed), 1000) for seed in range(20)])
"""


def test_kernels_are_compiled_once_and_again_if_damaged(tmp_path: Path) -> None:
    copy, cache = tmp_path / "copy", tmp_path / "cache"
    shutil.copytree(ROOT / "solver", copy / "solver")

    def compiled(place: Path = ROOT) -> set[str]:
        env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(place)}
        done = python(SCRIPT, env=env, cwd=place)
        assert done.stderr == ""
        *modules, last = done.stdout.splitlines()
        assert last == NUMBERS
        return set(modules)

    assert compiled() == {"solver.splitmix"}
    assert compiled() == set()
    assert compiled(copy) == set()  # the same source
    files = [path for path in cache.rglob("*-*") if path.is_file()]
    assert {path.name.rpartition("-")[0] for path in files} == {"below", "shuffle"}
    rng = Random(0)
    for file in files:
        data = bytearray(file.read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data)
    assert compiled() == {"solver.splitmix"}
    assert compiled() == set()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")
def test_kernels_run_though_they_cannot_be_saved(tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
    done = python(full + SCRIPT, env=env)
    assert done.stderr == ""
    assert [path for path in tmp_path.rglob("*-*") if path.is_file()] == []
    assert done.stdout.splitlines()[-1] == NUMBERS
