"""The maze's board, parser, search and random boards."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.errors import GridFileError, OptionError, WitnessError
from solver.puzzles.maze import solve as module
from solver.puzzles.maze.board import DRAWN, LETTERS, Maze, Weights, sample
from solver.puzzles.maze.solve import Route, check_route, check_steps, solve
from tests.puzzles.maze import naive_maze


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=50)
def test_text_and_back(maze: Maze) -> None:
    assert eval(repr(maze)) == maze
    assert Maze.parse(str(maze)) == maze
    assert Maze.parse(f"\n\n{str(maze).replace('G', '*')}  \r\n\n") == maze
    codes = maze.codes.reshape(maze.rows, maze.cols)
    assert Maze.from_codes(codes) == maze
    assert [LETTERS[code] for code in maze.codes] == list("".join(maze.lines))
    assert maze.letter(maze.goal) == "G"


@pytest.mark.parametrize(
    ("text", "line", "col", "why"),
    [
        ("", 1, 1, "no letters"),
        (" \n\n", 1, 1, "no letters"),
        ("SLG\nSL\n", 2, 3, "a row of 2 letters, the first has 3"),
        ("SLG\n\nSLS\n", 2, 1, "a row of 0 letters"),
        ("SG\nSLR\n", 2, 3, "a row of 3 letters, the first has 2"),
        ("\nSLS\nSQG\n", 3, 2, "'Q' is none of"),
        ("SlG", 1, 2, "'l' is none of"),
        (" SG", 1, 1, "' ' is none of"),
        ("SS/LL", 1, 1, "no goal"),
        ("SG\nS*\n", 2, 2, "a second goal"),
        ("SLG/SL", 2, 3, "a row of 2 letters, the first has 3"),
        ("SLG/SQL/GGG", 2, 2, "'Q' is none of"),
        ("GG", 1, 2, "a second goal"),
        ("S\u00dfG", 1, 2, "'\u00df' is none of"),
        ("SG\nS/L\n", 2, 2, "a row of 1 letters, the first has 2"),
    ],
)
def test_bad_text(text: str, line: int, col: int, why: str) -> None:
    with pytest.raises(GridFileError) as caught:
        Maze.parse(text, file="board.txt")
    assert (caught.value.line, caught.value.col) == (line, col)
    assert caught.value.why.startswith(why)
    assert str(caught.value).startswith(f"board.txt, line {line}, column {col}: ")


@given(st.text("SLRUX?G*/\n q\u20ac", max_size=30) | st.text(max_size=20))
@settings(deadline=None, max_examples=300)
def test_any_text_is_a_maze_or_a_clear_error(text: str) -> None:
    try:
        maze = Maze.parse(text)
    except GridFileError as error:
        fault = error
    else:
        solve(maze)
        return
    assert fault.line >= 1
    assert fault.col >= 1
    assert "\n" not in str(fault)


def test_bad_rows() -> None:
    for rows, why in (
        (("SG", "S"), "row of 1 letters"),
        (("S*",), "none of"),  # the attribute holds G only; `parse` reads *
        (("S" * 2048,) * 513, "more than 1048576 cells"),
    ):
        with pytest.raises(GridFileError, match=why):
            Maze(rows)


KERNEL: Callable[..., None] = module._search
PYTHON: Callable[..., None] = getattr(KERNEL, "py_func", KERNEL)


@pytest.mark.parametrize("kernel", [KERNEL, PYTHON])
def test_kernel_compiled_and_as_python(kernel: Callable[..., None]) -> None:
    codes = Maze.parse("UX/LG").codes.reshape(1, 4)
    steps, queue, fewest = (np.empty(n, dtype=np.int32) for n in (16, 16, 1))
    kernel(codes, 2, 2, steps, queue, fewest, True)
    assert steps[4 * 2 + 1] == 3  # in (2, 1) heading E: U, back, and on to the goal
    assert steps[12:].tolist() == [0, 0, 0, 0]
    kernel(codes, 2, 2, steps, queue, fewest, False)
    assert fewest == 1


def test_wrong_steps_are_caught() -> None:
    maze = Maze.parse("UX/LG")
    steps = solve(maze).steps
    check_steps(maze, steps)
    for node in range(maze.nodes):
        for more in (-1, 1, 7):
            wrong = steps.copy()
            wrong[node] += more
            with pytest.raises(WitnessError, match=r"moves to go, not -?\d+$"):
                check_steps(maze, wrong)


def test_a_wrong_route_is_caught() -> None:
    maze = Maze.parse("UX/LG")
    entry = maze.entry("left2")
    check_route(maze, Route(entry, (9, 0, 10, 13)))
    for nodes, why in [
        ((9, 13), "move 2: no move leads E from L into cell 3"),
        ((9, 0, 10), "does not end on the goal"),
        ((9, 4, 10, 13), "move 2: no move leads N from L into cell 1"),
        ((9, 0, 10, 13, 13), "move 5: no move leads E from G"),
        ((8, 0), "move 1: no move leads N from outside"),
    ]:
        with pytest.raises(WitnessError, match=why):
            check_route(maze, Route(entry, nodes))
    with pytest.raises(WitnessError, match="no move leads S from X"):
        check_route(maze, Route(maze.entry("top2"), (6, 14)))
    one = Maze.parse("SG")
    with pytest.raises(WitnessError, match="no move leads S from S"):
        check_route(one, Route(one.entry("top1"), (2, 6)))


def test_weights_decide_the_letters() -> None:
    codes = sample(2000, 5, 4, weights=Weights.parse("S=3,X=1"), seed=1)
    assert codes.shape == (2000, 5, 4)
    counts = np.bincount(codes.ravel(), minlength=7)
    assert counts[6] == 2000
    assert counts[[1, 2, 3, 5]].sum() == 0
    assert abs(counts[0] / (counts[0] + counts[4]) - 0.75) < 0.01
    goals = np.bincount(np.argmax(codes.reshape(2000, 20) == 6, axis=1), minlength=20)
    assert goals.min() > 60  # 100 expected, 4 standard deviations below
    again = sample(2000, 5, 4, weights=Weights.parse("S=3,X=1"), seed=1)
    assert np.array_equal(codes, again)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no weight"),
        ("S", "'S' is no weight"),
        ("G=1", "'G=1' is no weight"),
        ("SL=1", "'SL=1' is no weight"),
        ("S=x", "'x' in 'S=x' is no number"),
        ("S=1,S=2", "S has two weights"),
        ("S=-1", "weight -1.0 of S is not in 0 to 1e9"),
        ("S=nan", "weight nan of S"),
        ("S=inf", "weight inf of S"),
        ("S=0", "every weight is 0"),
    ],
)
def test_bad_weights(text: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        Weights.parse(text)


@given(
    st.lists(
        st.floats(0, 1e9) | st.sampled_from([0.12345678, 1 / 3, 1e-7, 1e9]),
        min_size=len(DRAWN),
        max_size=len(DRAWN),
    ).filter(any)
)
@example([0.12345678, 0.0, 0.0, 0.0, 0.0, 0.0])
@settings(deadline=None, max_examples=100)
def test_weights_read_back(values: list[float]) -> None:
    weights = Weights(tuple(values))
    assert Weights.parse(str(weights)) == eval(repr(weights)) == weights


def test_weights_are_printed_short() -> None:
    assert str(Weights((1.0, 2, 0.5, 0.0, np.float64(0.1), 1e-7))) == (
        "S=1,R=2,U=0.5,X=0.1,?=1e-07"
    )


@pytest.mark.parametrize("shape", [(5, 3, 0), (1, 1025, 1025)])
def test_bad_samples(shape: tuple[int, int, int]) -> None:
    with pytest.raises(OptionError, match="is not between 1 and 1048576 cells"):
        sample(*shape)
