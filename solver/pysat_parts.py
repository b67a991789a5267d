"""The private parts of pysat that we use, all of them here.

Its own loop over clauses takes twice as long as adding them to the solver in C, and its
reading of a proof as text longer than the solving. `tests/solver/test_pysat_parts.py`
says which version they are known in.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pysolvers  # type: ignore[import-not-found] # in C
from pysat.solvers import Solver

SEARCH, PROOF = "minisat22", "cadical103"


def add_to_search(solver: Solver, clauses: Iterable[Sequence[int]]) -> None:
    """Add clauses, none of them empty, to a solver named `SEARCH`."""
    put, inner = pysolvers.minisat22_add_cl, solver.solver.minisat
    for clause in clauses:
        put(inner, clause)


def binary_proof(clauses: Iterable[Sequence[int]]) -> bytes:
    """Return a refutation in binary DRAT; the clauses must have no model."""
    with Solver(name=PROOF, with_proof=True) as solver:
        inner: Any = solver.solver
        for clause in clauses:
            pysolvers.cadical103_add_cl(inner.cadical, clause)
        assert not solver.solve(), "the formula has a model"
        pysolvers.flushpr(inner.prfp)
        inner.prfile.seek(0)
        proof: bytes = inner.prfile.read()
        return proof
