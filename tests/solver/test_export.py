"""Positions for other solvers: each format is solved by a solver that reads it."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Position
from solver.errors import OptionError
from solver.export import Problem, cnf, hcp, problem_of
from solver.oracles.oracle import Verdict, check_witness
from solver.oracles.reference import BruteOracle, new_solver
from tests.proof.lrat_check import lrat_fault
from tests.runner import assert_refused, run
from verify.strategies import boards, positions


def by_sat(problem: Problem) -> set[int] | None:
    with Solver("cadical153", CNF(from_string=cnf(problem)).clauses) as solver:
        return {v for v in solver.get_model() if v > 0} if solver.solve() else None


def by_graph(problem: Problem) -> set[int] | None:
    """Read HCP, and let CP-SAT close a circuit; one direction of it is a path."""
    text = hcp(problem)
    nodes = int(re.search(r"DIMENSION : (\d+)", text)[1])  # type: ignore[index] # the line is there
    pairs = [tuple(map(int, edge)) for edge in re.findall(r"^(\d+) (\d+)$", text, re.M)]
    model = cp_model.CpModel()
    used = {}
    for a, b in pairs:
        for arc in ((a, b), (b, a)):
            if arc[1] != 2 or arc[0] == 1:  # from node 1 to the live end
                used[arc] = model.new_bool_var("")
    model.add_circuit([(a - 1, b - 1, use) for (a, b), use in used.items()])
    met = {node for pair in pairs for node in pair}
    assert met <= set(range(1, nodes + 1))
    solver = new_solver(60.0)
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    if status == cp_model.INFEASIBLE or len(met) < nodes:
        return None
    number = {node: i for i, node in enumerate(problem.nodes, 2)}
    return {
        v
        for v, (a, b) in enumerate(problem.arcs, 1)
        if solver.boolean_value(used[number[a], number[b]])
    }


@settings(deadline=None, max_examples=30)
@given(positions(boards(max_side=5, max_walls=2, corners=False)))
def test_every_format_has_the_same_answer(position: Position) -> None:
    if position.complete or not position.free[position.board.end]:
        with pytest.raises(OptionError, match="no question"):
            problem_of(position)
        return
    problem = problem_of(position)
    verdict = BruteOracle().decide(position).verdict
    for solve in (by_sat, by_graph):
        arcs = solve(problem)
        if verdict is Verdict.DEAD:
            assert arcs is None, solve.__name__
        else:
            assert arcs is not None, solve.__name__
            steps = [problem.arcs[v - 1] for v in arcs if v <= len(problem.arcs)]
            after, walk = dict(steps), [problem.nodes[0]]
            while walk[-1] in after and len(walk) <= len(problem.nodes):
                walk.append(after[walk[-1]])
            check_witness(position, tuple(walk[1:]))


def test_a_node_has_its_number_in_the_path() -> None:
    problem = problem_of(Position.parse("7:RRD"))
    model = by_sat(problem)
    assert model is not None
    bits = max(1, (len(problem.nodes) - 1).bit_length())
    numbers = {
        node: sum(
            (len(problem.arcs) + 1 + bits * at + i in model) << i for i in range(bits)
        )
        for at, node in enumerate(problem.nodes)
    }
    assert sorted(numbers.values()) == list(range(len(problem.nodes)))
    taken = [problem.arcs[v - 1] for v in model if v <= len(problem.arcs)]
    assert all(numbers[b] == numbers[a] + 1 for a, b in taken)


def test_the_command_writes_question_and_answer(tmp_path: Path) -> None:
    file = tmp_path / "dead.cnf"
    assert run("export", "9:RRDLD", "-o", str(file)).out.startswith("DEAD: ")
    about = json.loads((tmp_path / "dead.cnf.json").read_text())
    assert about["completion"] is None
    assert len(about["nodes"]) == 81 - 5
    proof = (tmp_path / "dead.lrat").read_text()
    assert lrat_fault(file.read_text(), proof) is None
    assert (tmp_path / "dead.drat").read_text().endswith("0\n")
    assert run("export", "9:", "-o", str(file)).out.startswith("COMPLETABLE: ")
    assert sorted(path.suffix for path in tmp_path.glob("dead.*")) == [".cnf", ".json"]
    assert run("export", "5:RD", "-o", str(tmp_path / "x.hcp")).code == 0
    about = json.loads((tmp_path / "x.hcp.json").read_text())
    assert len(about["completion"]) == 22
    assert about["variables"][0] == [[2, 2], [2, 3]]
    assert_refused(run("export", "5:RD", "-o", str(tmp_path / "x.txt")))
    assert_refused(run("export", "3:RRDLLDRR", "-o", str(file)))
