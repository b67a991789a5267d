"""The commands that walk and draw."""

import json
from pathlib import Path

import pytest

from solver.board import Position
from solver.labyrinth import draw_labyrinth
from solver.oracles.exact import oracle_walk
from solver.oracles.oracle import get_oracle
from tests.runner import run


def test_walks_are_repeatable_and_counted() -> None:
    ran = run("walk", "5", "--count", "30", "--seed", "7", "--json")
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    again = run("walk", "5", "--count", "30", "--seed", "7", "--json")
    assert (again.code, again.out) == (ran.code, ran.out)
    assert len(walks) == 30
    stuck = sum(walk["stuck"] for walk in walks)
    assert summary == {"summary": {"walks": 30, "stuck": stuck, "seed": 7}}
    assert 0 < stuck < 15


def test_a_drawing_on_the_terminal_tells_rules_and_completion() -> None:
    told = run("draw", "5:RD", "--rules", "c-shape", "--witness").out
    assert "R\n       forbidden by c-shape" in told
    *_, last = told.splitlines()
    assert last.startswith("completion: 5:RD")
    assert Position.parse(last.removeprefix("completion: ")).complete
    assert "forbidden" not in run("draw", "5:RD").out


def test_a_labyrinth_is_drawn_with_walls(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    args = ("walk", "9", "--exact", "--seed", "7", "--json")
    walk = run(*args, "--walls", "-o", str(out))
    assert walk.code == 0
    by_walk = out.read_text()
    assert 'class="labyrinth"' in by_walk
    place = json.loads(walk.out.splitlines()[0])["position"]
    assert run("draw", place, "--walls", "-o", str(out)).code == 0
    assert out.read_text() == by_walk


def test_uniform_walks_are_complete_and_repeatable() -> None:
    args = ("walk", "7x5", "--uniform", "-n", "4", "--seed", "2", "--json")
    *walks, summary = (json.loads(line) for line in run(*args).out.splitlines())
    assert summary["summary"]["stuck"] == 0
    assert len({walk["position"] for walk in walks}) > 1
    assert all(Position.parse(walk["position"]).complete for walk in walks)
    assert run(*args) == run(*args)


@pytest.mark.parametrize("kind", ["--exact", "--uniform"])
def test_every_walk_of_a_run_is_drawn(kind: str, tmp_path: Path) -> None:
    args = ("walk", "5", kind, "--seed", "3", "-n", "11", "--json", "--walls")
    ran = run(*args, "-o", str(tmp_path / "maze.svg"))
    assert ran.code == 0
    assert ran.err.endswith("maze-01.svg to maze-11.svg\n")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"maze-{i:02}.svg" for i in range(1, 12)]
    walks = [json.loads(line)["position"] for line in ran.out.splitlines()[:-1]]
    for file, place in zip(files, walks, strict=True):
        assert file.read_text() == draw_labyrinth(Position.parse(place))


def test_exact_walks_are_never_stuck_and_repeatable() -> None:
    args = ("walk", "5x4@1,1>5,1!3,2", "--exact", "-n", "6", "--seed", "3", "--json")
    ran = run(*args)
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    assert summary["summary"]["stuck"] == 0
    places = [Position.parse(walk["position"]) for walk in walks]
    assert all(place.complete for place in places)
    search = get_oracle("search")
    for seed, place in enumerate(places, 3):
        assert oracle_walk(place.board, seed, search).position == place


@pytest.mark.parametrize(
    ("board", "works"),
    [("10", "10@1,1>10,1"), ("7x6@2,2", "7x6@2,2>7,6"), ("4x6", "4x6@1,1>4,1")],
)
def test_an_end_that_works_is_named(board: str, works: str) -> None:
    ran = run("walk", board, "--exact")
    assert ran.code in (1, 2)
    assert works in ran.err
    assert run("walk", works, "--exact").code == 0


@pytest.mark.parametrize(("given", "printed"), [("9:", "9"), ("3x5:", "3x5")])
def test_a_board_may_end_like_a_position(given: str, printed: str) -> None:
    ran = run("walk", given, "--exact", "--seed", "1")
    assert ran.code == 0
    assert f"\n{printed}:" in ran.out
    assert run("check", "5", "--json").out == run("check", "5:", "--json").out
