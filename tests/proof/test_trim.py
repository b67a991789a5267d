"""Trimmed proofs: dratify accepts them, and only what refutes is taken."""

import dratify
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from verify.proof.settle import binary_proof
from verify.proof.trim import Clause, trim


def accepted(clauses: list[Clause], lines: list[str]) -> bool:
    """Tell whether dratify takes the lines for a refutation of the clauses."""
    text = CNF(from_clauses=[list(clause) for clause in clauses]).to_dimacs()
    formula = dratify.parse_dimacs(text)
    proof = "\n".join(lines) + "\n"
    result = dratify.check_proof(formula, proof, engine="python", check_rat=False)
    return bool(result.ok)


def pigeons(holes: int) -> list[Clause]:
    """Return clauses that put one pigeon more than there are holes into them."""

    def inside(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    clauses: list[Clause] = [
        tuple(inside(p, h) for h in range(holes)) for p in range(holes + 1)
    ]
    for h in range(holes):
        for p in range(holes + 1):
            clauses += [(-inside(p, h), -inside(q, h)) for q in range(p)]
    return clauses


def test_a_proof_of_pigeons_is_trimmed() -> None:
    clauses = pigeons(6)
    beside = [(100, 101), (-100, 102), (103,)]  # of no use
    proof = binary_proof([*beside, *clauses])
    trimmed = trim([*beside, *clauses], proof)
    assert trimmed.kept == [i + len(beside) for i in range(len(clauses))]
    assert accepted(clauses, trimmed.lines())
    added = [line for line in trimmed.lines() if not line.startswith("d")]
    assert len(added) < proof.count(b"\x00")
    assert not accepted(clauses[1:], trimmed.lines())
    assert len(added) == trimmed.lemmas + 1
    renamed = trimmed.lines({x: 43 - x for x in range(1, 43)})
    assert renamed != trimmed.lines()
    assert accepted(
        [tuple(x // abs(x) * (43 - abs(x)) for x in c) for c in clauses], renamed
    )


@given(
    st.lists(
        st.lists(
            st.integers(1, 12).flatmap(lambda v: st.sampled_from([v, -v])),
            min_size=1,
            max_size=3,
            unique_by=abs,
        ).map(tuple),
        min_size=40,
        max_size=110,
    )
)
@settings(deadline=None, max_examples=40)
def test_what_is_kept_is_refuted(clauses: list[Clause]) -> None:
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        if solver.solve():
            return
    trimmed = trim(clauses, binary_proof(clauses))
    kept = [clauses[i] for i in trimmed.kept]
    assert trimmed.kept == sorted(set(trimmed.kept))
    assert accepted(kept, trimmed.lines())
    again = trim(kept, binary_proof(kept))
    assert set(again.kept) <= set(range(len(kept)))


def test_what_refutes_nothing_is_refused() -> None:
    clauses = pigeons(4)
    proof = binary_proof(clauses)
    with pytest.raises(ValueError, match="does not refute"):
        trim(clauses[1:], proof)
    with pytest.raises(ValueError, match="does not refute"):
        trim(clauses, b"")
    with pytest.raises(ValueError, match="no binary proof"):
        trim(clauses, b"1 2 0")
    with pytest.raises(ValueError, match="no binary proof"):
        trim(clauses, proof[:-1] + b"\xff")
