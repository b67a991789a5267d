"""The oracles agree with each other, and with counting by brute force."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.counting.count import FrontierOracle
from solver.errors import OptionError, UnknownNameError, WitnessError
from solver.oracles.oracle import (
    ORACLES,
    Answer,
    Oracle,
    Verdict,
    check_witness,
    decide_moves,
    get_oracle,
)
from solver.oracles.reference import BruteOracle, completions
from solver.oracles.sat import SatOracle, prove_dead
from solver.oracles.strips import why_not
from tests.doubles.frontier import count_completions
from tests.doubles.positions import every_position
from verify.checker.position import find_fault, find_proof_fault
from verify.strategies import boards, completable_positions, dead_positions, positions

# Positions where something is at its edge, with the number of their completions.
EDGES = {
    "1:": 1,
    "1x2:": 1,
    "1x3:RR": 1,
    "1x3@1,2>1,3:": 0,
    "1x3!1,2:": 0,
    "1x5!1,2;1,4:": 0,
    "2:": 0,
    "2:RDL": 0,
    "2@1,1>2,1:": 1,
    "2@1,1>2,1:RDL": 1,
    "2x3:": 1,
    "2x3:R": 0,
    "3:": 2,
    "3:RRDD": 0,
    "3@1,2>3,3:": 0,
    "3!2,2:": 0,
    "3!1,2;2,2;3,2:": 0,
    "3@1,1>1,3!2,2:": 0,
    "4:": 0,
    "4x5:": 20,
    "5x4:D": 8,
    "4@1,1>4,1:": 8,
    "5@1,1>1,3:RRR": 0,
    "5@3,3>1,1:": 48,
    "5:RRRRDDDD": 0,
}


def verdict(count: int) -> Verdict:
    return Verdict.COMPLETABLE if count else Verdict.DEAD


def fault(position: Position, answer: Answer) -> str | None:
    """Return what the independent checker finds wrong with a witness."""
    if answer.verdict is not Verdict.COMPLETABLE:
        return None if answer.witness is None else "a witness of a dead position"
    return find_fault(position.notation, answer.witness or ())


def five() -> list[tuple[Position, int]]:
    return every_position(Board.square(5))


@pytest.mark.parametrize(
    "oracle",
    [
        *(get_oracle(name) for name in ORACLES),
    ],
    ids=lambda oracle: oracle.name,
)
def test_edges(oracle: Oracle) -> None:
    for text, count in EDGES.items():
        position = Position.parse(text)
        answer = oracle.decide(position)
        if oracle.name == "strips" and why_not(position):
            assert answer.verdict is Verdict.UNKNOWN, text
            continue
        assert answer.verdict is verdict(count), text
        assert fault(position, answer) is None


def test_edges_counted_and_proved() -> None:
    for text, count in EDGES.items():
        position = Position.parse(text)
        assert count_completions(position) == count, text
        assert len(list(completions(position))) == count, text
        if not count:
            assert find_proof_fault(text, prove_dead(position)) is None


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["sat", "search", "strips"])
def test_all_of_5x5(name: str) -> None:
    oracle = get_oracle(name)
    for position, count in five():
        answer = oracle.decide(position)
        assert answer.verdict is verdict(count), position
        assert fault(position, answer) is None


@settings(deadline=None, max_examples=160)
@given(positions(boards(max_side=5, max_walls=4, corners=False)))
@example(Position.parse("5@3,2>1,4!2,2;4,4:RRR"))
def test_small_boards_with_walls(position: Position) -> None:
    count = count_completions(position)
    for oracle in (BruteOracle(), _SAT, _SEARCH, FrontierOracle()):
        answer = oracle.decide(position)
        assert answer.verdict is verdict(count)
        assert fault(position, answer) is None


_SAT, _SEARCH, _STRIPS = SatOracle(), get_oracle("search"), get_oracle("strips")


_CPSAT = get_oracle("cpsat", seconds=0.5)  # some take cpsat very long


def agree(position: Position) -> None:
    assert _SEARCH.decide(position).verdict is _SAT.decide(position).verdict
    answer = _SAT.decide(position)
    assert answer.verdict is not Verdict.UNKNOWN
    second, third = _CPSAT.decide(position), _STRIPS.decide(position)
    assert second.verdict in (answer.verdict, Verdict.UNKNOWN)
    assert fault(position, second) is None
    outside = why_not(position) is not None
    assert third.verdict is (Verdict.UNKNOWN if outside else answer.verdict)
    assert fault(position, third) is None
    assert fault(position, answer) is None


_LARGE = st.one_of(
    completable_positions(max_side=13),
    dead_positions(max_side=13),
    positions(boards(min_side=6, max_side=13, corners=False)),
    positions(boards(min_side=6, max_side=13, max_walls=5, corners=False)),
    completable_positions(boards(min_side=4, max_side=12, max_walls=3, corners=False)),
)


@pytest.mark.parametrize("most", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_drawn_positions(most: int) -> None:
    settings(deadline=None, max_examples=most)(given(_LARGE)(agree))()


@settings(deadline=None, max_examples=20)
@given(
    st.one_of(
        dead_positions(max_side=9),
        dead_positions(boards(max_side=7, max_walls=4, corners=False)),
    )
)
def test_proofs_hold(position: Position) -> None:
    answer = SatOracle(proof=True).decide(position)
    assert answer.verdict is Verdict.DEAD
    assert answer.proof is not None
    assert find_proof_fault(position.notation, answer.proof) is None


def test_a_count_holds_as_it_is_said_and_not_the_other_way_round() -> None:
    # The walk uses the edge of variable 13; then the area needs 14 or 15.
    position = Position.parse("5:RRDLD")
    proof = SatOracle(proof=True).decide(position).proof
    assert proof is not None
    at = proof.clauses.index((-13, 14, 15))
    assert proof.grounds[at].kind == "count"
    assert find_proof_fault(position.notation, proof) is None
    turned = (*proof.clauses[:at], (13, -14, -15), *proof.clauses[at + 1 :])
    fault = find_proof_fault(position.notation, replace(proof, clauses=turned))
    assert fault is not None
    assert "can come out" in fault


def test_no_proof_of_a_completable_position() -> None:
    with pytest.raises(WitnessError, match="cannot be proved"):
        prove_dead(Position.parse("7:RR"))


def test_moves_are_decided() -> None:
    answers = decide_moves(SatOracle(), Position.parse("5:RRD"))
    wanted = {
        move: count_completions(Position.parse("5:RRD").step(move)) for move in "RDL"
    }
    assert {m: a.verdict for m, a in answers.items()} == {
        m: verdict(count) for m, count in wanted.items()
    }
    place = Position.parse("5:RRD")
    assert all(fault(place.step(m), answer) is None for m, answer in answers.items())
    dead = decide_moves(SatOracle(), Position.parse("5:RRDDLL"))
    assert {a.verdict for a in dead.values()} == {Verdict.DEAD}


def test_limits_are_unknown() -> None:
    hard = Position.parse("9:")
    assert get_oracle("cpsat", seconds=1e-6).decide(hard).verdict is Verdict.UNKNOWN
    enough = BruteOracle().decide(Position.parse("3:")).work
    for limit, wanted in [(enough, Verdict.COMPLETABLE), (enough - 1, Verdict.UNKNOWN)]:
        answer = BruteOracle(limit=limit).decide(Position.parse("3:"))
        assert answer.verdict is wanted
    assert FrontierOracle(limit=50).decide(hard).verdict is Verdict.UNKNOWN
    assert FrontierOracle().decide(hard).work > 50
    answer = SatOracle(conflicts=1).decide(Position.parse("21:RRD"))
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.work >= 1


@pytest.mark.parametrize("kept", [0, 1, 16])
def test_order_of_questions_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    # Cuts, counts and witnesses kept from other positions never change a verdict, nor
    # does dropping them.
    monkeypatch.setattr("solver.oracles.sat._CUTS", kept)
    some = five()[::200]
    oracle = SatOracle()
    for position, count in [*some, *reversed(some)]:
        assert oracle.decide(position).verdict is verdict(count)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("brute", {"limit": 0}),
        ("cpsat", {"seconds": 0}),
        ("frontier", {"limit": 0}),
        ("sat", {"conflicts": 0}),
        ("sat", {"colour": "red"}),
    ],
)
def test_bad_options(name: str, options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        get_oracle(name, **options)


def test_unknown_oracle() -> None:
    with pytest.raises(UnknownNameError, match=f"known: {', '.join(ORACLES)}"):
        get_oracle("delphi")


@pytest.mark.parametrize(
    ("witness", "why"),
    [
        ((5, 4, 3, 6, 7), "misses"),
        ((5, 4, 3, 6, 7, 7), "repeats"),
        ((5, 8, 7, 6, 3, 4), "ends at"),
        ((3, 4, 5, 6, 7, 8), "steps 2 -> 3"),
    ],
)
def test_false_witness(witness: tuple[int, ...], why: str) -> None:
    with pytest.raises(WitnessError, match=why):
        check_witness(Position.parse("3:RR"), witness)
