"""Refutations: two checkers accept them, and every step needs what it names."""

import dratify
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from verify.checker.claim import Flaw
from verify.checker.proof import check_steps
from verify.proof.refutation import Clause, Step, core, proof_steps, refutation


def accepted(clauses: list[Clause], steps: list[Step]) -> bool:
    """Return whether the steps refute the clauses: dratify and our checker agree."""
    text = CNF(from_clauses=[list(clause) for clause in clauses]).to_dimacs()
    drup = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    formula = dratify.parse_dimacs(text)
    result = dratify.check_proof(formula, drup, engine="python", check_rat=False)
    try:
        check_steps(tuple(clauses), tuple(steps))
    except Flaw:
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


def test_the_core_of_pigeons_is_all_of_them_and_nothing_else() -> None:
    clauses = pigeons(5)
    useless = [(100, 101), (-100, 102), (103,)]
    assert core([*useless, *clauses]) == [*range(3, 3 + len(clauses))]
    needed, steps = refutation([*useless, *clauses])
    assert needed == clauses
    assert accepted(clauses, steps)
    assert refutation([(4,), (), (5, 6)]) == ([()], [((), (1,))])


def test_each_clause_that_a_step_names_is_needed() -> None:
    clauses, steps = refutation(pigeons(4))
    for number, (lemma, used) in enumerate(steps):
        for place in range(len(used)):
            fewer = lemma, used[:place] + used[place + 1 :]
            assert not accepted(clauses, [*steps[:number], fewer, *steps[number + 1 :]])
    assert not accepted(clauses, steps[:-1])


@pytest.mark.parametrize(
    ("clauses", "proof", "steps"),
    [
        pytest.param(
            [(1, 2), (1, -2), (-1, 3), (-1, -3), (4, 5)],
            ["4 1 0", "5 4 1 0", "0"],
            [((1,), (1, 2)), ((), (6, 3, 4))],
            id="lemmas without needless literals",
        ),
        pytest.param([(1,), (-1, 2, 2), (-2,)], [], [((), (1, 2, 3))], id="no lemma"),
    ],
)
def test_steps_name_the_clauses_they_use(
    clauses: list[Clause], proof: list[str], steps: list[Step]
) -> None:
    assert proof_steps(clauses, proof) == steps


@given(
    st.lists(
        st.lists(
            st.integers(1, 12).flatmap(lambda v: st.sampled_from([v, -v])),
            min_size=1,
            max_size=3,
        ).map(tuple),
        min_size=40,
        max_size=110,
    )
)
@settings(deadline=None, max_examples=20)
def test_refutations_are_accepted_and_models_reported(clauses: list[Clause]) -> None:
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        if solver.solve():
            with pytest.raises(ValueError, match="has a model"):
                refutation(clauses)
            return
    needed, steps = refutation(clauses)
    assert {*map(frozenset, needed)} <= {*map(frozenset, clauses)}
    assert accepted(needed, steps)


@pytest.mark.parametrize(
    ("proof", "match"),
    [
        ([], "does not refute"),
        (["1 2 0", "d 1 2 0"], "does not refute"),
        (["3 0", "0"], "does not follow"),
        (["0"], "does not follow"),
    ],
)
def test_what_refutes_nothing_is_refused(proof: list[str], match: str) -> None:
    clauses = [(1, 2), (-1, 2), (1, -2), (-1, -2, 3)]
    with pytest.raises(ValueError, match=match):
        proof_steps(clauses, proof)
