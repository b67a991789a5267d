"""The benchmark suite: its answers decided anew, and its files byte for byte."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from solver.board import Position
from solver.export import FORMATS, SuiteInstance, problem_of, suite
from solver.oracles.oracle import Verdict, get_oracle
from solver.propagation.propagate import Propagator, Rules
from solver.solid.certificate import find_certificate
from tests.doubles.propagate import follow
from tests.runner import assert_refused, run
from verify.checker.dead import find_dead_fault
from verify.checker.position import find_fault, find_proof_fault

SLOW = [pytest.mark.slow, pytest.mark.no_cover]
LARGE = 1_000  # unvisited cells: above, a proof of the SAT solver takes minutes


def answer_holds(problem: SuiteInstance) -> None:
    """Judge the answer by the checker, which shares no code with what gave it."""
    if problem.completion is not None:
        assert find_fault(problem.position + problem.completion, ()) is None
        return
    place = Position.parse(problem.position)
    certificate = find_certificate(place)
    if certificate is not None:
        assert find_dead_fault(problem.position, certificate.data) is None
    if certificate is None or place.unvisited < LARGE:
        answer = get_oracle("sat", proof=certificate is None).decide(place)
        assert answer.verdict is Verdict.DEAD
        if certificate is None:
            assert answer.proof is not None
            assert find_proof_fault(problem.position, answer.proof) is None


@pytest.mark.parametrize("every", [15, pytest.param(1, marks=SLOW)])
def test_the_answers_are_true(every: int) -> None:
    for problem in suite()[::every]:
        answer_holds(problem)


def test_no_rule_and_no_count_sees_that_rooms_are_dead() -> None:
    rooms = [problem for problem in suite() if problem.rung == "rooms"]
    for problem in [problem for problem in rooms if problem.completion is None]:
        place = Position.parse(problem.position)
        propagator = Propagator(place.board, Rules.FOUR)
        follow(propagator, place.walk)
        assert len(propagator.forbidden()) < len(place.options())
        assert find_certificate(place) is None


def test_the_command_writes_all_and_the_same(tmp_path: Path) -> None:
    ran = run("export", "--suite", "hcp", "-o", str(tmp_path / "new"))
    assert (
        ran.out == f"{len(suite())} instances, answers: {tmp_path}/new/answers.json\n"
    )
    files = sorted((tmp_path / "new").iterdir())
    answers = json.loads(files.pop(0).read_text())
    assert [file.stem for file in files] == sorted(answers)
    problem = suite()[100]
    assert answers[problem.name]["position"] == problem.position
    graph = problem_of(Position.parse(problem.position))
    assert (tmp_path / "new" / f"{problem.name}.hcp").read_text() == FORMATS["hcp"](
        graph
    )
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    assert digest.startswith("f5106f7e8f83")


@pytest.mark.parametrize("words", [(), ("5:RD", "--suite", "cnf"), ("--suite", "x")])
def test_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    assert_refused(run("export", *words, "-o", str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()
