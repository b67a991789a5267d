"""Puzzles: one walk is left, no clue can be spared, and the sheets show them."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ortools.sat.python import cp_model

from solver.board import Board, Cell, Position
from solver.oracles.exact import exact_walk
from solver.oracles.reference import new_solver, solve_model
from solver.puzzles.clues import KINDS, Clue, Grade, draw_puzzle, grade_of, make_puzzle
from tests.runner import assert_refused, run
from tests.solver.test_paper import RED, pages


def all_walks(board: Board) -> list[set[Clue]]:
    """Return the steps of every complete walk: plain depth-first search."""
    near = board.neighbours.tolist()
    walks_left = []
    todo: list[tuple[int, ...]] = [(board.start,)]
    while todo:
        walk = todo.pop()
        if len(walk) == board.open_cells and walk[-1] == board.end:
            walks_left.append({(min(pair), max(pair)) for pair in pairwise(walk)})
        todo += [(*walk, c) for c in near[walk[-1]] if c >= 0 and c not in walk]
    return walks_left


def only_walk(solution: Position, kind: str, clues: Sequence[Clue]) -> bool:
    """Return whether, by CP-SAT, a walk is the only one that its clues admit."""
    board = solution.board
    model = cp_model.CpModel()
    arcs: list[tuple[int, int, Any]] = [(board.end, board.start, model.new_constant(1))]
    used: dict[tuple[Cell, Cell], Any] = {}
    near = board.neighbours.tolist()
    for cell in range(board.cells):
        for other in near[cell]:
            if other >= 0 and cell != board.end and other != board.start:
                used[cell, other] = model.new_bool_var("")
                arcs.append((cell, other, used[cell, other]))
    model.add_circuit(arcs)
    for a, b in clues:
        either = [used[arc] for arc in ((a, b), (b, a)) if arc in used]
        model.add(sum(either) == (1 if kind == "steps" else 0))
    taken = [used[arc] for arc in pairwise(solution.walk)]
    model.add(sum(taken) <= len(taken) - 1)
    status = solve_model(new_solver(60.0), model)
    assert status != cp_model.UNKNOWN
    return bool(status == cp_model.INFEASIBLE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["5", "4x5@1,1>1,2", "5!3,2;3,3"])
def test_one_walk_is_left_and_no_clue_can_be_spared(text: str, kind: str) -> None:
    walks = all_walks(Board.parse(text))
    for seed in range(3):
        puzzle = make_puzzle(Board.parse(text), seed, kind)

        def left(clues: set[Clue]) -> int:
            if kind == "steps":
                return sum(clues <= walk for walk in walks)
            return sum(not clues & walk for walk in walks)

        clues = set(puzzle.clues)
        assert puzzle.solution.complete
        assert left(clues) == 1
        for clue in clues:
            assert left(clues - {clue}) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_puzzle_has_one_walk_by_cp_sat(kind: str) -> None:
    puzzle = make_puzzle(Board.square(9), 1, kind)
    assert puzzle == make_puzzle(Board.square(9), 1, kind)
    assert only_walk(puzzle.solution, kind, puzzle.clues)
    assert not only_walk(puzzle.solution, kind, puzzle.clues[1:])


def test_grades_say_what_decides_every_edge() -> None:
    board = Board.square(5)
    walk = exact_walk(board, 0).position
    steps = [(min(pair), max(pair)) for pair in pairwise(walk.walk)]
    assert grade_of(board, "steps", steps) is Grade.FORCED
    assert grade_of(board, "steps", []) is Grade.TRIED
    grades = {make_puzzle(board, seed).grade for seed in range(12)}
    assert {Grade.FORCED, Grade.COUNTED} <= grades


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_has_every_clue_and_the_walk_if_solved(kind: str) -> None:
    puzzle = make_puzzle(Board.parse("5!3,2;3,3"), 3, kind)
    puzzle = replace(puzzle, clues=((0, 1), (5, 10)))
    plain, solved = (draw_puzzle(puzzle, solved=solved) for solved in (False, True))
    strokes = re.findall(r'd="([^"]*)" fill="none" stroke-linecap="round"/>', plain)
    assert [path.count("M") for path in strokes[:2]] == [33, 26]  # inside, and the rim
    if kind == "steps":
        assert re.findall(r'points="([^"]*)"', plain) == ["18,18 42,18", "18,42 18,66"]
    else:
        assert strokes[2] == "M30 6v24M6 54h24"
    assert plain.count("<circle") == 2
    assert "solution" not in plain
    assert solved.count("solution") == 1


def test_the_command_writes_puzzles_and_solutions_apart(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    ran = run("puzzle", "7", "-n", "5", "--seed", "3", "-o", str(file))
    assert ran.code == 0
    assert ran.out.startswith("puzzles: ")
    assert len(run("puzzle", "5", "-n", "3").out.splitlines()) == 3
    plain, solved = (
        pages(p.read_bytes()) for p in (file, file.with_stem("sheet-solutions"))
    )
    assert len(plain) == len(solved) == 2
    assert "(Puzzles) Tj" in plain[0]
    assert "seed 7" in plain[1]
    assert RED in solved[0]
    assert RED not in plain[0]
    walled = run("puzzle", "4x5@1,1>1,2!4,4;4,5", "--clues", "walls", "--json").out
    made = json.loads(walled)
    assert Position.parse(made["solution"]).board.notation == made["board"]
    assert made["walls"]
    for words in (["-n", "0"], ["--clues", "x"], ["-o", "x.png"], ["-o", "no/x.pdf"]):
        assert_refused(run("puzzle", "5", *words))
