"""The private parts of pysat: there, in a version that we know, and right."""

from importlib.metadata import version

import pytest
from pysat.solvers import Solver

from solver.pysat_parts import PROOF, binary_proof

KNOWN = ("1.9.dev16", "1.9.dev17")


def test_this_version_is_known() -> None:
    found = version("python-sat")
    assert found in KNOWN, f"look at solver/pysat_parts.py, then add {found}"


def test_the_parts_are_there() -> None:
    import pysolvers  # type: ignore[import-not-found] # in C

    assert callable(pysolvers.flushpr)
    with Solver(name=PROOF, with_proof=True) as solver:
        assert solver.solver.prfp
        assert solver.solver.prfile


def test_a_proof_is_binary_drat() -> None:
    proof = binary_proof([(1, 2), (1, -2), (-1, 2), (-1, -2)])
    assert proof[:1] in (b"a", b"d")
    assert proof.endswith(b"\0")


def test_what_has_a_model_has_no_proof() -> None:
    with pytest.raises(AssertionError, match="has a model"):
        binary_proof([(1, 2)])
