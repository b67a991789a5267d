"""Puzzles: one walk is left, no clue can be spared, and the sheets show them."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ortools.sat.python import cp_model
from PIL import Image

from solver.board import Board, Cell, Position
from solver.errors import PictureError
from solver.mask import mask_board
from solver.oracles.exact import exact_walk
from solver.puzzles.clues import KINDS, Clue, Grade, grade_of, make_puzzle
from tests.runner import assert_refused, run
from tests.solver.test_paper import pages


def all_walks(board: Board) -> list[set[Clue]]:
    """Return the steps of every complete walk: plain depth-first search."""
    near = board.neighbours.tolist()
    found = []
    todo: list[tuple[int, ...]] = [(board.start,)]
    while todo:
        walk = todo.pop()
        if len(walk) == board.open_cells and walk[-1] == board.end:
            found.append({(min(pair), max(pair)) for pair in pairwise(walk)})
        todo += [(*walk, c) for c in near[walk[-1]] if c >= 0 and c not in walk]
    return found


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
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = 60.0
    status = solver.solve(model)
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
    assert only_walk(puzzle.solution, kind, puzzle.clues)
    assert not only_walk(puzzle.solution, kind, puzzle.clues[1:])


def test_the_same_seed_makes_the_same_puzzle() -> None:
    one, other = (make_puzzle(Board.square(5), 3) for _ in "12")
    assert one == other != make_puzzle(Board.square(5), 4)


def test_grades_say_what_decides_every_edge() -> None:
    board = Board.square(5)
    walk = exact_walk(board, 0).position
    steps = [(min(pair), max(pair)) for pair in pairwise(walk.walk)]
    assert grade_of(board, "steps", steps) is Grade.FORCED
    assert grade_of(board, "steps", []) is Grade.TRIED
    grades = {make_puzzle(board, seed).grade for seed in range(12)}
    assert {Grade.FORCED, Grade.COUNTED} <= grades


def drawn(path: Path, rows: list[str], scale: int = 1) -> Path:
    """Save a picture of cells, `#` black, each so many pixels wide and high."""
    image = Image.new("L", (len(rows[0]), len(rows)), 255)
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if char == "#":
                image.putpixel((x, y), 0)
    size = image.width * scale, image.height * scale
    image.resize(size, Image.Resampling.NEAREST).save(path)
    return path


CELLS = ["..#..", ".....", "##.##", ".....", "....."]


@pytest.mark.parametrize("scale", [1, 2, 7])
def test_a_cell_of_a_picture_is_a_cell_of_the_board(scale: int, tmp_path: Path) -> None:
    """Walls one cell thick stay so, whatever the scale."""
    file = drawn(tmp_path / "cells.png", CELLS, scale)
    board = mask_board(file, Board.square(5))
    walls = [
        r * 5 + c for r, row in enumerate(CELLS) for c in range(5) if row[c] == "#"
    ]
    assert list(board.walls) == walls
    assert mask_board(file, Board(5, 5, 4, 24), with_ends=True) == Board(
        5, 5, 4, 24, tuple(walls)
    )
    dark = drawn(tmp_path / "dark.png", ["##.", "##.", "..."], scale)
    assert mask_board(dark, Board.square(3), invert=True).walls == (2, 5, 6, 7, 8)
    with pytest.raises(PictureError, match="the start 1,3 is dark"):
        mask_board(file, Board(5, 5, 2, 24), with_ends=True)


def test_ends_of_a_picture_have_colours_that_a_walk_can_have(tmp_path: Path) -> None:
    for rows in (["...", "...", "..."], ["#..", "...", "..."], ["..", ".."]):
        frame = Board(len(rows), len(rows[0]))
        board = mask_board(drawn(tmp_path / "x.png", rows), frame)
        assert exact_walk(board, 0).position.complete, rows
    for shade, walls in ((127, (0,)), (128, ())):
        grey = Image.new("L", (3, 2), 255)
        grey.putpixel((0, 0), shade)
        grey.save(tmp_path / "grey.png")
        assert mask_board(tmp_path / "grey.png", Board(2, 3)).walls == walls


def test_commands_take_a_picture_as_a_board(tmp_path: Path) -> None:
    file = drawn(tmp_path / "cells.png", ["##..", "....", "....", "...."], 3)
    notation = mask_board(file, Board.square(4)).notation
    text = f"4!{file}"
    for words in (["check", text], ["check", f"{text}:R"], ["count", text]):
        assert notation in run(*words).out
    assert run("count", text, "--cycles").out == "4!1,1;1,2  2 cycles\n"
    assert run("draw", text, "-o", str(tmp_path / "x.svg")).code == 0
    assert run("walk", text, "--exact").code == 0
    refused = run("count", f"5!{file}")
    assert_refused(refused)
    assert "12 x 12 pixels do not divide into 5 x 5 cells" in refused.err


def test_the_command_writes_puzzles_and_solutions_apart(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    picture = drawn(tmp_path / "frame.png", ["######", *["#....#"] * 4, "######"])
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
    assert ".8 .1 .1 RG" in solved[0]
    assert ".8 .1 .1 RG" not in plain[0]
    said = json.loads(run("puzzle", f"12!{picture}", "--clues", "walls", "--json").out)
    board = Position.parse(said["solution"]).board
    assert board.notation == said["board"]
    assert said["walls"]
    for words in (["-n", "0"], ["--clues", "x"], ["-o", "x.png"], ["-o", "no/x.pdf"]):
        assert_refused(run("puzzle", "5", *words))
