"""`oneway walk` and `oneway draw`: walks by rules, exact and uniform, and pictures."""

import json
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.labyrinth import draw_labyrinth
from solver.oracles.exact import oracle_walk
from solver.oracles.oracle import get_oracle
from tests.runner import prints, run


def walks_of(*words: str) -> tuple[list[Position], dict[str, int]]:
    """Return the walks of a command and its summary; the same seed repeats them."""
    printed = run("walk", *words, "--json").out
    assert run("walk", *words, "--json").out == printed
    *walks, last = map(json.loads, printed.splitlines())
    for walk in walks:
        assert walk["stuck"] == (not Position.parse(walk["position"]).complete)
    return [Position.parse(walk["position"]) for walk in walks], last["summary"]


def test_walks_by_rules_are_counted() -> None:
    walks, summary = walks_of("5", "--count", "30", "--seed", "7")
    walker = load_rules("seed-5").walker(Board.square(5))
    assert walks == [walker.walk(seed) for seed in range(7, 37)]
    stuck = sum(not walk.complete for walk in walks)
    assert summary == {"walks": 30, "stuck": stuck, "seed": 7}
    assert 0 < stuck < 15


def test_uniform_walks_are_complete() -> None:
    walks, summary = walks_of("7x5", "--uniform", "-n", "4", "--seed", "2")
    assert summary["stuck"] == 0
    assert len(set(walks)) > 1


def test_exact_walks_are_those_of_another_oracle() -> None:
    board = "5x4@1,1>5,1!3,2"
    walks, summary = walks_of(board, "--exact", "-n", "6", "--seed", "3")
    assert summary["stuck"] == 0
    search = get_oracle("search")
    for seed, walk in enumerate(walks, 3):
        assert oracle_walk(walk.board, seed, search).position == walk


def test_a_drawing_on_the_terminal_has_rules_and_completion() -> None:
    parts = ("R\n       forbidden by c-shape", "\ncompletion: 5:RD")
    ran = prints("draw 5:RD --rules c-shape --witness", 0, *parts)
    assert (Position.parse(ran.out.split()[-1]).complete, ran.err) == (True, "")


@pytest.mark.parametrize("kind", ["--exact", "--uniform"])
def test_every_walk_of_a_run_is_drawn_as_a_labyrinth(kind: str, here: Path) -> None:
    line = f"walk 5 {kind} --seed 3 -n 11 --json --walls -o maze.svg"
    ran = prints(line, 0, "pictures: maze-01.svg to maze-11.svg\n")
    files = sorted(here.iterdir())
    assert [file.name for file in files] == [f"maze-{i:02}.svg" for i in range(1, 12)]
    walks = [json.loads(line)["position"] for line in ran.out.splitlines()[:-1]]
    for file, place in zip(files, walks, strict=True):
        assert file.read_text() == draw_labyrinth(Position.parse(place))
    prints(f"draw {walks[0]} --walls -o {files[1]}", 0)
    assert files[1].read_text() == files[0].read_text()


@pytest.mark.parametrize(
    ("board", "works"),
    [("10", "10@1,1>10,1"), ("7x6@2,2", "7x6@2,2>7,6"), ("4x6", "4x6@1,1>4,1")],
)
def test_an_error_names_an_end_that_works(board: str, works: str) -> None:
    ran = run("walk", board, "--exact")
    assert ran.code in (1, 2)
    assert works in ran.err
    prints(f"walk {works} --exact", 0)


def test_a_board_may_end_like_a_position() -> None:
    prints("walk 3x5: --exact --seed 1", 0, "\n3x5:")
    assert run("check", "5", "--json").out == run("check", "5:", "--json").out
