"""The oracles agree with each other, with doubles, and with the independent checker."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import related_oracles
from solver.board import Board, Position
from solver.counting.count import FrontierOracle
from solver.errors import NoWalkError, OptionError, UnknownNameError, WitnessError
from solver.oracles import exact
from solver.oracles.oracle import (
    ORACLES,
    ORDER,
    Answer,
    AutoOracle,
    Verdict,
    check_witness,
    decide_all,
    decide_moves,
    get_oracle,
)
from solver.oracles.reference import BruteOracle, completions
from solver.oracles.sat import SatOracle, prove_dead
from solver.oracles.search import SearchOracle
from solver.oracles.strips import why_not
from tests.doubles.frontier import count_completions
from tests.doubles.positions import every_position
from tests.heuristic.test_universal import ALL
from verify.checker.position import find_fault, find_proof_fault
from verify.commands.options import unrelated_oracle
from verify.commands.verify import oracle_for
from verify.strategies import boards, completable_positions, dead_positions, positions

# Positions where something is at its edge.
EDGES = """
1: 1x2: 1x3:RR 1x3@1,2>1,3: 1x3!1,2: 1x5!1,2;1,4: 2: 2:RDL 2@1,1>2,1: 2@1,1>2,1:RDL
2x3: 2x3:R 3: 3:RRDD 3@1,2>3,3: 3!2,2: 3!1,2;2,2;3,2: 3@1,1>1,3!2,2: 4: 4x5: 5x4:D
4@1,1>4,1: 5@1,1>1,3:RRR 5@3,3>1,1: 5:RRRRDDDD
"""
SAT, SEARCH, STRIPS = SatOracle(), SearchOracle(), get_oracle("strips")
CPSAT = get_oracle("cpsat", seconds=0.5)  # some positions take it very long


def verdict(count: int) -> Verdict:
    return Verdict.COMPLETABLE if count else Verdict.DEAD


def fault(position: Position, answer: Answer) -> str | None:
    """Return what the independent checker finds wrong with a witness."""
    if answer.verdict is not Verdict.COMPLETABLE:
        return None if answer.witness is None else "a witness of a dead position"
    return find_fault(position.notation, answer.witness or ())


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("text", EDGES.split())
def test_every_oracle_decides_positions_at_an_edge(name: str, text: str) -> None:
    position = Position.parse(text)
    count = count_completions(position)
    answer = get_oracle(name).decide(position)
    outside = name == "strips" and why_not(position)
    assert answer.verdict is (Verdict.UNKNOWN if outside else verdict(count))
    assert fault(position, answer) is None
    assert len(list(completions(position))) == count
    if not count and name == "sat":
        assert find_proof_fault(text, prove_dead(position)) is None


@pytest.mark.no_cover
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["sat", "search", "strips"])
def test_positions_of_5x5(name: str, every: int) -> None:
    oracle = get_oracle(name)
    for position, count in every_position(Board.square(5))[::every]:
        answer = oracle.decide(position)
        assert answer.verdict is verdict(count), position
        assert fault(position, answer) is None


@settings(deadline=None, max_examples=120)
@given(positions(boards(max_side=5, max_walls=4, corners=False)))
@example(Position.parse("5@3,2>1,4!2,2;4,4:RRR"))
def test_small_boards_with_walls(position: Position) -> None:
    count = count_completions(position)
    for oracle in (BruteOracle(), SAT, SEARCH, FrontierOracle()):
        answer = oracle.decide(position)
        assert answer.verdict is verdict(count)
        assert fault(position, answer) is None


def agree(position: Position) -> None:
    answer = SAT.decide(position)
    assert answer.verdict is not Verdict.UNKNOWN
    assert SEARCH.decide(position).verdict is answer.verdict
    second, third = CPSAT.decide(position), STRIPS.decide(position)
    assert second.verdict in (answer.verdict, Verdict.UNKNOWN)
    outside = why_not(position) is not None
    assert third.verdict is (Verdict.UNKNOWN if outside else answer.verdict)
    for other in (answer, second, third):
        assert fault(position, other) is None


_LARGE = st.one_of(
    completable_positions(max_side=13),
    dead_positions(max_side=13),
    positions(boards(min_side=9, max_side=21, square=True, odd=True)),
    positions(boards(min_side=6, max_side=13, max_walls=5, corners=False)),
    completable_positions(boards(min_side=4, max_side=12, max_walls=3, corners=False)),
)


@pytest.mark.parametrize("most", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_random_positions(most: int) -> None:
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


def test_a_count_clause_holds_in_one_direction() -> None:
    # The walk uses the edge of variable 13; then the area needs 14 or 15.
    position = Position.parse("5:RRDLD")
    proof = SatOracle(proof=True).decide(position).proof
    assert proof is not None
    at = proof.clauses.index((-13, 14, 15))
    assert proof.grounds[at].kind == "count"
    assert find_proof_fault(position.notation, proof) is None
    turned = (*proof.clauses[:at], (13, -14, -15), *proof.clauses[at + 1 :])
    reason = find_proof_fault(position.notation, replace(proof, clauses=turned))
    assert "can come out" in (reason or "")
    with pytest.raises(WitnessError, match="cannot be proved"):
        prove_dead(Position.parse("7:RR"))


TWO_NODES = (
    "11:DDDDDRUUURDRDLDRRDDLULLLDDDDRUUURDRDLDRRUURURRURDDLLDLDRRURDRUUUUUUUULLLL"
)
# Too hard for one node: the rules see nothing, and the first choice is no tour.
TIGHT = "3x9@1,5>3,5:D"


@pytest.mark.parametrize(
    ("name", "limit", "text", "wanted"),
    [
        ("cpsat", {"seconds": 1e-6}, "9:", Verdict.UNKNOWN),
        ("brute", {"limit": 11}, "3:", Verdict.COMPLETABLE),
        ("brute", {"limit": 10}, "3:", Verdict.UNKNOWN),
        ("frontier", {"limit": 1129}, "9:", Verdict.COMPLETABLE),
        ("frontier", {"limit": 1128}, "9:", Verdict.UNKNOWN),
        ("search", {"limit": 2}, TWO_NODES, Verdict.COMPLETABLE),
        ("search", {"limit": 1}, TWO_NODES, Verdict.UNKNOWN),
        ("search", {}, TIGHT, Verdict.DEAD),
        ("search", {"limit": 1}, TIGHT, Verdict.UNKNOWN),
        ("sat", {"conflicts": 1}, "21:RRD", Verdict.UNKNOWN),
    ],
)
def test_limits_are_unknown(
    name: str, limit: dict[str, float], text: str, wanted: Verdict
) -> None:
    answer = get_oracle(name, **limit).decide(Position.parse(text))
    assert answer.verdict is wanted
    if name == "search" and limit:
        assert answer.work == limit["limit"]


@given(boards(max_side=7, max_walls=3, corners=False), st.data())
@settings(deadline=None, max_examples=30)
def test_questions_in_any_order(board: Board, data: st.DataObject) -> None:
    # `search` continues from the walk of the question before.
    questions = data.draw(st.lists(positions(st.just(board)), min_size=2, max_size=6))
    questions += [position.back(len(position.walk) // 2) for position in questions]
    oracle = SearchOracle()
    for position in data.draw(st.permutations(questions)):
        assert oracle.decide(position).verdict is SAT.decide(position).verdict


@pytest.mark.parametrize("cuts", [0, 1, 16])
def test_earlier_questions_never_change_a_verdict(
    monkeypatch: pytest.MonkeyPatch, cuts: int
) -> None:
    # Cuts, counts and witnesses of other positions stay, or are dropped.
    monkeypatch.setattr("solver.oracles.sat._CUTS", cuts)
    some = every_position(Board.square(5))[::200]
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
        ("search", {"limit": 0}),
        ("sat", {"colour": "red"}),
    ],
)
def test_bad_options_are_refused(name: str, options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        get_oracle(name, **options)
    with pytest.raises(UnknownNameError, match=f"known: {', '.join(ORACLES)}"):
        get_oracle("delphi")


@pytest.mark.parametrize(
    ("text", "witness", "why"),
    [
        ("3:RR", (5, 4, 3, 6, 7), "misses or repeats a cell"),
        ("3:RR", (5, 4, 3, 6, 7, 7), "misses or repeats a cell"),
        ("3:RR", (5, 8, 7, 6, 3, 4), "ends at cell 4"),
        ("3:RR", (3, 4, 5, 6, 7, 8), "steps 2 -> 3"),
        ("3:RR", (5, 4, 3, 6, 9, 8), "leaves the board or enters a wall"),
        ("3:RR", (5, 4, 3, -3, 7, 8), "leaves the board or enters a wall"),
        ("3!2,2:RR", (5, 4, 3, 6, 8), "leaves the board or enters a wall"),
    ],
)
def test_a_false_witness_is_refused(
    text: str, witness: tuple[int, ...], why: str
) -> None:
    with pytest.raises(WitnessError, match=f"{text}: witness {why}$"):
        check_witness(Position.parse(text), witness)


# The oracle `auto` ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("7:RRD", "strips"),
        ("7:RRDRURDDLDL", "strips"),
        ("5:RRDDLL", "strips"),
        ("5!2,2:RRR", "strips"),  # the wall is at the walk: no hole
        ("5!3,3:RRR", "search"),
        ("5@3,3>1,1:", "search"),
    ],
)
def test_auto_asks_the_first_oracle_that_answers(text: str, name: str) -> None:
    position = Position.parse(text)
    answer, moves = decide_all(AutoOracle(), position)
    assert answer.oracle == name
    assert {each.oracle for each in moves.values()} <= {*ORDER}
    assert answer.verdict is verdict(count_completions(position))
    assert moves == decide_moves(AutoOracle(), position)
    for move, each in moves.items():
        after = position.step(move)
        assert each.verdict is verdict(count_completions(after))
        assert fault(after, each) is None


def test_auto_leaves_oracles_out() -> None:
    position = Position.parse("7!4,4;4,5:RRD")
    for left_out in ([], ["strips"], ["search"], ["strips", "search"]):
        answer = AutoOracle(without=left_out).decide(position)
        assert answer.oracle == next(
            name for name in ("search", "sat") if name not in left_out
        )
        assert answer.verdict is Verdict.COMPLETABLE
    assert AutoOracle(without=ORDER).decide(position).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("verdict", "error"),
    [(Verdict.DEAD, NoWalkError), (Verdict.UNKNOWN, OptionError)],
)
def test_a_search_at_its_limit_does_not_say_that_no_walk_exists(
    verdict: Verdict, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.square(5)
    walk = exact.ExactWalk(Position(board), verdict)
    monkeypatch.setattr(exact, "exact_walk", lambda *_: walk)
    with pytest.raises(error):
        exact.complete_walk(board, 0)


@pytest.mark.parametrize("oracle", ["strips", "search", "auto"])
@pytest.mark.parametrize("rule", [*ALL, "universal", "universal-4"])
def test_no_universal_rule_is_judged_by_its_own_kernels(rule: str, oracle: str) -> None:
    rules = load_rules(rule)
    shared = {"strips" if r.name == "strips" else "search" for r in rules.rules}
    assert shared == {*related_oracles(rules)}
    judge = unrelated_oracle(rules, "auto")
    assert judge.decide(Position.parse("7:RRD")).oracle not in shared
    drawn = load_rules("seed-5")
    assert oracle_for(drawn, Board.square(7), "auto").name == "auto"
    for side in (7, 61):
        assert oracle_for(rules, Board.square(side), None).name not in shared
    if oracle in shared or oracle == "auto":
        with pytest.raises(OptionError, match="shares its kernels"):
            oracle_for(rules, Board.square(7), oracle)
    else:
        assert oracle_for(rules, Board.square(7), oracle).name == oracle
