"""Trimmed proofs: two checkers accept them, and only what refutes is taken."""

import random
import sys
from importlib import import_module

import dratify
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from solver.pysat_parts import binary_proof
from verify.checker.values import Fault
from verify.checker.whole import check_steps
from verify.proof.trim import Clause, Step, trim

pytestmark = pytest.mark.plain


def accepted(clauses: list[Clause], steps: list[Step]) -> bool:
    """Tell whether the steps refute the clauses: dratify and our checker agree."""
    text = CNF(from_clauses=[list(clause) for clause in clauses]).to_dimacs()
    lines = [" ".join(map(str, (*lemma, 0))) for lemma, _ in steps]
    result = dratify.check_proof(
        *(dratify.parse_dimacs(text), "\n".join(lines) + "\n"),
        engine="python",
        check_rat=False,
    )
    try:
        check_steps(tuple(clauses), tuple(steps))
    except Fault:
        return False
    assert result.ok
    return True


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
    steps = trimmed.steps()
    assert accepted(clauses, steps)
    assert len(steps) < proof.count(b"\x00")
    assert len(steps) == trimmed.lemmas + 1
    renamed = trimmed.steps({x: 43 - x for x in range(1, 43)})
    assert renamed != steps
    assert accepted(
        [tuple(x // abs(x) * (43 - abs(x)) for x in c) for c in clauses], renamed
    )


@pytest.mark.parametrize("more", [0, 100, 10_000])  # bytes of a variable: 1, 2, 3
def test_plain_python_trims_the_same(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clauses: list[Clause] = [
        tuple(x + more if x > 0 else x - more for x in clause) for clause in pigeons(4)
    ]
    proof = binary_proof(clauses)
    import_module("numba")
    compiled = trim(clauses, proof)
    monkeypatch.delitem(sys.modules, "numba")
    short = trim(clauses, proof)
    assert (short.kept, short.steps()) == (compiled.kept, compiled.steps())


def test_a_step_that_does_not_follow_is_refused() -> None:
    clauses = pigeons(5)
    steps = trim(clauses, binary_proof(clauses)).steps()
    rng = random.Random(3)
    refused = 0
    for _ in range(100):
        number = rng.randrange(len(steps))
        lemma, used = steps[number]
        at = rng.randrange(len(used))
        fewer = lemma, (*used[:at], *used[at + 1 :])
        refused += not accepted(clauses, [*steps[:number], fewer, *steps[number + 1 :]])
    assert refused == 100  # none is told that is not needed
    assert not accepted(clauses, steps[:-1])
    broken = [clause for clause in clauses if clause != (-1, -7)]
    with pytest.raises(Fault, match="does not"):
        check_steps((*broken, (1, 7)), tuple(steps))


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
    assert accepted(kept, trimmed.steps())
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
