"""Positions for other solvers: what each format says."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Position
from solver.errors import OptionError
from solver.export import cnf, hcp, problem_of
from solver.oracles.oracle import Verdict, check_witness
from solver.oracles.reference import BruteOracle
from tests.proof.lrat_check import lrat_fault
from tests.runner import assert_refused, run
from verify.strategies import boards, positions


@settings(deadline=None, max_examples=30)
@given(positions(boards(max_side=5, max_walls=2, corners=False)))
def test_every_format_has_the_same_answer(position: Position) -> None:
    if position.complete or not position.free[position.board.end]:
        with pytest.raises(OptionError, match="no question"):
            problem_of(position)
        return
    problem = problem_of(position)
    nodes, arcs = problem.nodes, problem.arcs
    with Solver("cadical153", CNF(from_string=cnf(problem)).clauses) as solver:
        dead = not solver.solve()
        model = set() if dead else {v for v in solver.get_model() if v > 0}
    assert dead == (BruteOracle().decide(position).verdict is Verdict.DEAD)
    if not dead:
        after = {a: b for v, (a, b) in enumerate(arcs, 1) if v in model}
        walk = [nodes[0]]
        while walk[-1] in after and len(walk) <= len(nodes):
            walk.append(after[walk[-1]])
        check_witness(position, tuple(walk[1:]))
        bits = max(1, (len(nodes) - 1).bit_length())
        for at, node in enumerate(nodes):
            first = len(arcs) + 1 + bits * at
            number = sum((first + bit in model) << bit for bit in range(bits))
            assert walk[number] == node
    number_of = {node: number for number, node in enumerate(nodes, 2)}
    edges = {(1, 2), (1, number_of[problem.end])}
    pairs = [(number_of[a], number_of[b]) for a, b in arcs]
    edges |= {(min(pair), max(pair)) for pair in pairs}
    text = hcp(problem)
    assert f"\nDIMENSION : {len(nodes) + 1}\n" in text
    lines = re.findall(r"^(\d+) (\d+)$", text, re.M)
    assert sorted(edges) == [(int(a), int(b)) for a, b in lines]


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
