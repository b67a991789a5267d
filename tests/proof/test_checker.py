"""The checker finds the first fault of a witness or a proof, whatever it is."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from operator import mul
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Position
from solver.oracles.oracle import Ground, Proof
from solver.oracles.reference import completions
from solver.oracles.sat import prove_dead
from verify.checker.position import find_fault, find_proof_fault
from verify.strategies import boards, positions

DEAD = "7:RDLDDRURDRRRR"  # not refuted by unit propagation alone


@settings(deadline=None, max_examples=80)
@given(st.data(), positions(boards(max_side=4, corners=False)))
def test_witness_is_right_or_has_a_fault(
    data: st.DataObject, position: Position
) -> None:
    right = set(completions(position))
    for witness in right:
        assert find_fault(position.notation, witness) is None
    cells = st.lists(st.integers(-1, position.board.cells), max_size=16)
    given_path = tuple(data.draw(st.permutations(range(position.board.cells)) | cells))
    assert (find_fault(position.notation, given_path) is None) == (given_path in right)


@pytest.mark.parametrize(
    ("text", "witness", "why"),
    [
        ("3!1,2:", (1,), "step 1: cell 1 is a wall or no cell of the board"),
        ("3:RR", (5, 8, 9), "step 5: cell 9 is a wall or no cell of the board"),
        ("3:RR", (3,), "step 3: cell 2 and cell 3 do not touch"),
        ("3:RR", (5, 8, 7), "cell 3 is never visited"),
        ("3:LL", (), "step 1: cell -1 is a wall or no cell of the board"),
        ("3:RRR", (), "step 3: cell 2 and cell 3 do not touch"),
        ("2x3@1,3>2,2:LL", (3, 4, 5), "the path ends at cell 5, not at cell 4"),
    ],
)
def test_faults_are_named(text: str, witness: tuple[int, ...], why: str) -> None:
    assert find_fault(text, witness) == why
    with pytest.raises(ValueError, match="no position: 'x'"):
        find_fault("x", witness)


def without(kind: str) -> Callable[[Proof], Proof]:
    def spoil(proof: Proof) -> Proof:
        pairs = zip(proof.clauses, proof.grounds, strict=True)
        some = [(clause, ground) for clause, ground in pairs if ground.kind != kind]
        clauses, grounds = zip(*some, strict=True)
        return replace(proof, clauses=clauses, grounds=grounds)

    return spoil


def other(**of: Any) -> Callable[[Proof], Proof]:
    return lambda proof: replace(proof, **of)


def edges(change: Callable[[Any], Any]) -> Callable[[Proof], Proof]:
    return lambda proof: replace(proof, edges=change(proof.edges))


def added(clause: tuple[int, ...], kind: str, *cells: int) -> Callable[[Proof], Proof]:
    """Return what adds clause 339 with a ground."""
    return lambda proof: replace(
        proof,
        clauses=(*proof.clauses, clause),
        grounds=(*proof.grounds, Ground(kind, cells)),
    )


E = "clause 339, empty: "
EDGES = "the variables are not the edges"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (without("walk"), "the proof fails"),
        (without("degree"), "the proof fails"),
        (other(lines=()), "the proof fails"),
        (other(lines=("0",)), "the proof fails"),
        (other(grounds=()), "338 clauses have 0 grounds"),
        (edges(lambda edges: edges[:-1]), EDGES),
        (edges(lambda edges: (edges[1], *edges[1:])), EDGES),
        (edges(lambda edges: ((0, 9), *edges[1:])), EDGES),
        (edges(lambda edges: ((1, 0), *edges[1:])), EDGES),
        (edges(lambda edges: (*edges, (1, 0))), EDGES),
        (added((), "cut", 0, 1), E + "its cut misses edge 2"),
        (added((), "cut", *range(49)), E + "its cut is around"),
        (added((), "cut"), E + "its cut names no open cells"),
        (added((), "cut", 49), E + "its cut names no open cells"),
        (added((), "count", *range(49)), E + "its count of 0 can come"),
        (added((1,), "count", 0, 1), "clause 339, 1: its count of -1"),
        (added((2,), "degree", 0), "clause 339, 2: its degree of 1 can"),
        (added((-1,), "walk", 0, 1), "clause 339, -1: the walk makes"),
        (added((2, 3), "walk", 0, 7), "clause 339, 2 3: the walk"),
        (added((), "hope", 0), E + "unknown ground 'hope' of 1"),
        (added((), "degree", 0, 1), E + "unknown ground 'degree' of 2"),
    ],
)
def test_spoilt_proofs(spoil: Callable[[Proof], Proof], why: str) -> None:
    proof = prove_dead(Position.parse(DEAD))
    assert find_proof_fault(DEAD, proof) is None
    assert find_proof_fault("7:RRRR", proof) is not None
    assert str(find_proof_fault(DEAD, spoil(proof))).startswith(why)


CELLS = [(0, 1), (0, 1, 2, 3), (4,), (0,), (5, 8), tuple(range(9)), tuple(range(8))]


@pytest.mark.parametrize("cells", CELLS)
def test_counts_and_degrees_are_judged_as_by_trying_all(cells: tuple[int, ...]) -> None:
    """Each clause of the edges across a border against all ways to use them."""
    edges = prove_dead(Position.parse("3@1,1>1,2:")).edges
    colours, ends = [1, -1] * 4 + [1], (0, 1)
    wanted = sum(colours[c] * (1 if c in ends else 2) for c in cells)
    rim = [v for v, (a, b) in enumerate(edges, 1) if (a in cells) != (b in cells)]
    inside = [next(colours[c] for c in edges[v - 1] if c in cells) for v in rim]
    ways = [
        dict(zip(rim, used, strict=True))
        for used in product((0, 1), repeat=len(rim))
        if sum(map(mul, used, inside)) == wanted
    ]
    one = len(cells) == 1 and colours[cells[0]] * wanted
    kinds = ("count", "degree") if one else ("count",)
    for signs in product((0, 1, 2, 3), repeat=len(rim)):
        clause = [v for v, sign in zip(rim, signs, strict=True) if sign & 1]
        clause += [-v for v, sign in zip(rim, signs, strict=True) if sign & 2]
        right = all(any(way[abs(x)] == (x > 0) for x in clause) for way in ways)
        for kind in kinds:
            proof = Proof((tuple(clause),), ("0",), edges, (Ground(kind, cells),))
            why = str(find_proof_fault("3@1,1>1,2:", proof))
            assert why.startswith("clause 1") is not right, (clause, why)
