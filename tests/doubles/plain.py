"""Modules whose kernels are plain Python, so that a test can change a part of them."""

import importlib.util
import sys
from functools import cache
from types import ModuleType

import pytest

from solver import jit


@cache
def plain(module: str) -> ModuleType:
    """Return a copy of a module with kernels in Python; so are those it imports."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    kernels = [name for name in jit._imports(module) if "njit" in jit._source(name)]
    copies = {name: plain(name) for name in kernels if name != "solver.jit"}
    with pytest.MonkeyPatch.context() as patch:
        for name, other in copies.items():
            patch.setitem(sys.modules, name, other)
        patch.setattr(jit, "_kernel", lambda function, **_: function)
        spec.loader.exec_module(copy)
    return copy
