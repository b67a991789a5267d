"""The private parts of pysat that this project uses.

Reading a proof as text takes longer than the solving.
`tests/solver/test_pysat_parts.py` lists the versions that were tried.
"""

from collections.abc import Sequence
from typing import Any

import pysolvers  # type: ignore[import-not-found] # in C
from pysat.solvers import Solver

PROOF = "cadical103"


def binary_proof(clauses: Sequence[Sequence[int]]) -> bytes:
    """Return a refutation in binary DRAT; the clauses must have no model."""
    with Solver(name=PROOF, with_proof=True) as solver:
        solver.append_formula(clauses)
        inner: Any = solver.solver
        assert not solver.solve(), "the formula has a model"
        pysolvers.flushpr(inner.prfp)
        inner.prfile.seek(0)
        proof: bytes = inner.prfile.read()
        return proof
