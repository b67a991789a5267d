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
from verify.checker.position import find_fault
from verify.truth import proof_fault

SLOW = [pytest.mark.slow, pytest.mark.no_cover]
LARGE = 1_000  # unvisited cells: above, a proof of the SAT solver takes minutes


def answer_holds(problem: SuiteInstance) -> None:
    """Judge the answer by the checker, which shares no code with what gave it."""
    if problem.completion is not None:
        assert find_fault(problem.position + problem.completion, ()) is None
        return
    place = Position.parse(problem.position)
    certificate = find_certificate(place)
    if certificate is None:
        assert proof_fault(place) is None
        return
    assert find_dead_fault(problem.position, certificate.data) is None
    if place.unvisited < LARGE:
        assert get_oracle("sat").decide(place).verdict is Verdict.DEAD


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
    answers_at = f"{tmp_path}/new/answers.json"
    assert ran.out == f"{len(suite())} instances, answers: {answers_at}\n"
    files = sorted((tmp_path / "new").iterdir())
    answers = json.loads(files.pop(0).read_text())
    assert [file.stem for file in files] == sorted(answers)
    problem = suite()[100]
    assert answers[problem.name]["position"] == problem.position
    graph = problem_of(Position.parse(problem.position))
    written = (tmp_path / "new" / f"{problem.name}.hcp").read_text()
    assert written == FORMATS["hcp"](graph)
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    assert digest.startswith("f5106f7e8f83")


@pytest.mark.parametrize("words", [(), ("5:RD", "--suite", "cnf"), ("--suite", "x")])
def test_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    assert_refused(run("export", *words, "-o", str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()
