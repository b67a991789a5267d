"""The commands that walk, count and draw."""

import json
from pathlib import Path

import pytest

from solver.board import Position
from solver.labyrinth import draw_labyrinth
from tests.runner import assert_refused, run
from tests.samples import GAP


def test_walks_are_repeatable_and_counted() -> None:
    ran = run("walk", "5", "--count", "30", "--seed", "7", "--json")
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    again = run("walk", "5", "--count", "30", "--seed", "7", "--json")
    assert (again.code, again.out) == (ran.code, ran.out)
    assert len(walks) == 30
    stuck = sum(walk["stuck"] for walk in walks)
    assert summary == {"summary": {"walks": 30, "stuck": stuck, "seed": 7}}
    assert 0 < stuck < 15


def test_a_stuck_walk_is_blamed() -> None:
    for seed in range(20):
        ran = run("walk", "9", "--seed", str(seed))
        if ran.code == 1:
            assert "was the mistake" in ran.out
            assert "<- gap" in ran.out
            return
    pytest.fail("no walk got stuck")


def test_no_move_is_blamed_on_a_board_without_walks() -> None:
    ran = run("walk", "4")
    assert ran.code == 1
    assert "board 4 has no Hamiltonian walk: from black to black" in ran.err
    assert "mistake" not in ran.out


@pytest.mark.parametrize("oracle", ["search", "sat", "brute"])
def test_exact_walks_are_never_stuck(oracle: str) -> None:
    args = ("walk", "5x4@1,1>5,1!3,2", "--exact", "-n", "6", "--seed", "3", "--json")
    ran = run(*args, "--oracle", oracle)
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    assert summary["summary"]["stuck"] == 0
    assert all(Position.parse(walk["position"]).complete for walk in walks)
    assert ran.out == run(*args).out  # the oracle does not change the choices


def test_an_exact_walk_says_when_there_is_none() -> None:
    ran = run("walk", "4", "--exact")
    assert ran.code == 1
    assert "no Hamiltonian walk" in ran.err
    assert "complete" in run("walk", "11", "--exact", "--seed", "5").out


def test_statistics_have_an_interval() -> None:
    ran = run("stats", "5", "7", "--count", "200", "--json")
    five, seven = (json.loads(line) for line in ran.out.splitlines())
    assert five["before_error"] > seven["before_error"]
    low, high = seven["before_error_interval"]
    assert low < seven["before_error"] < high
    assert "before an error" in run("stats", "5", "--count", "50").out
    never = run("walk", "5", "--rules", "seed-7", "--count", "9").out
    assert "walks before an error: none stuck" in never


def test_draw(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    ran = run("draw", GAP, "-o", str(out), "--witness", "--rules", "seed-5")
    assert ran.code == 0
    assert 'class="witness"' in out.read_text()
    assert "▼" in run("draw", GAP).out


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
    assert_refused(run("walk", "9", "--walls", "-o", str(out)))
    assert_refused(run("draw", "9:R", "--walls", "-o", str(out)))
    assert_refused(run("draw", place, "--walls"))


def test_completions_are_counted_move_by_move() -> None:
    ran = run("count", "7:")
    assert ran.code == 0
    assert ran.out == "7:  111,712\n  R  55,856\n  D  55,856\n"
    dead = run("count", "-", "--json", stdin="5:RD\n5:RRRRDDDD\n")
    assert dead.code == 1
    first, second = (json.loads(line) for line in dead.out.splitlines())
    assert first["completions"] == sum(first["moves"].values()) > 0
    assert (second["completions"], second["moves"]) == (0, {"L": 0})
    assert run("count", "3:RRDLLDRR", "--json").out.count('"completions": 1')


def test_uniform_walks_are_complete_and_repeatable() -> None:
    args = ("walk", "7x5", "--uniform", "-n", "4", "--seed", "2", "--json")
    *walks, summary = (json.loads(line) for line in run(*args).out.splitlines())
    assert summary["summary"]["stuck"] == 0
    assert len({walk["position"] for walk in walks}) > 1
    assert all(Position.parse(walk["position"]).complete for walk in walks)
    assert run(*args) == run(*args)
    assert run("walk", "4", "--uniform").code == 1
    assert_refused(run("walk", "5", "--uniform", "--exact"))


TALL = """
[[rule]]
name = "tall"
claim = "sound"
drawing = '''
. ?
. ?
. ?
@ x
'''
"""


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


def test_stuck_walks_are_drawn_too_and_one_keeps_its_name(tmp_path: Path) -> None:
    for count, names in (("1", ["a.svg"]), ("3", ["a-1.svg", "a-2.svg", "a-3.svg"])):
        folder = tmp_path / count
        folder.mkdir()
        assert (
            run("walk", "3x4!2,2;2,3", "-n", count, "-o", str(folder / "a.svg")).code
            == 1
        )
        assert sorted(file.name for file in folder.iterdir()) == names


@pytest.mark.parametrize(
    ("count", "name", "why"),
    [
        ("3", "a.gif", "ends in none of"),
        ("3", "none/a.svg", "is no folder"),
        ("1001", "a.svg", "draws up to 1000 walks, not 1001"),
    ],
)
def test_a_picture_that_cannot_be_is_refused_before_the_walks(
    count: str, name: str, why: str, tmp_path: Path
) -> None:
    ran = run("walk", "5", "-n", count, "-o", str(tmp_path / name))
    assert_refused(ran)
    assert why in ran.err
    assert ran.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("walk 5 --exact --walls", "add -o FILE.svg or -o FILE.pdf"),
        ("walk 5 --walls -o x.svg", "add --exact or --uniform"),
        ("walk 5 -o x.pdf", "add --exact or --uniform"),
        ("walk 5 --exact --paper letter", "add -o FILE.pdf"),
        ("draw 5 --walls", "add -o FILE.svg"),
        ("draw 5 --future -o x.svg", "add --rules universal"),
        ("draw 5 --rules seed-5 --future", "add -o FILE.svg"),
    ],
)
def test_options_that_do_not_fit_say_what_to_type(
    words: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*words.split())
    assert_refused(ran)
    assert why in ran.err
    assert list(tmp_path.iterdir()) == []


# Exit codes after several positions, boards and walks ------------------------------

GOOD, BAD = "5:RD", "5:RRRRDDDD"


@pytest.mark.parametrize("command", ["check", "count"])
@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([GOOD, GOOD], 0),
        ([GOOD, BAD], 1),
        ([BAD, GOOD], 1),
        ([GOOD, BAD, GOOD], 1),
        ([BAD, BAD], 1),
    ],
)
def test_one_dead_position_among_several_decides_the_exit_code(
    command: str, lines: list[str], code: int
) -> None:
    assert run(command, "-", stdin="\n".join(lines) + "\n").code == code


@pytest.mark.parametrize("boards", [["3x4", "5"], ["5", "3x4"], ["3x4", "5", "3x4"]])
def test_one_unsound_board_among_several_decides_the_exit_code(
    boards: list[str], tmp_path: Path
) -> None:
    """The rule fires on 5 x 5 alone, and is wrong there."""
    file = tmp_path / "rule.toml"
    file.write_text(TALL)
    assert run("verify", str(file), "3x4").code == 0
    assert run("verify", str(file), *boards).code == 1


def test_one_completed_walk_among_several_decides_the_exit_code() -> None:
    """Seeds 0 and 1 of these rules: one walk gets stuck, and one is completed."""
    args = ("walk", "9", "--rules", "seed-5", "--json")
    ran = run(*args, "-n", "12")
    stuck = [json.loads(line)["stuck"] for line in ran.out.splitlines()[:-1]]
    assert set(stuck) == {True, False}
    assert ran.code == 0
    first = stuck.index(True)
    assert run(*args, "--seed", str(first)).code == 1
    assert run(*args, "--seed", str(stuck.index(False))).code == 0
