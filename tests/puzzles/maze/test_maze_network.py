"""The network of a maze, and the powers of its matrix."""

from hypothesis import given, settings

from solver.puzzles.maze import Maze
from tests.puzzles.maze import naive_maze
from tests.puzzles.maze.naive_maze import MOVE, NEXT
from verify.puzzles.maze.story import network


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=80)
def test_arcs_are_the_moves(maze: Maze) -> None:
    assert maze.nodes == 4 * maze.cells + 2 * (maze.rows + maze.cols)
    expected = set()
    for row, line in enumerate(maze.lines):
        for col, letter in enumerate(line):
            for at, heading in enumerate("NESW"):
                for ahead in NEXT[letter][heading] if letter != "G" else "":
                    r, c = row + MOVE[ahead][0], col + MOVE[ahead][1]
                    if 0 <= r < maze.rows and 0 <= c < maze.cols:
                        tail = 4 * (row * maze.cols + col) + at
                        head = 4 * (r * maze.cols + c) + "NESW".index(ahead)
                        expected.add((tail, head))
    first = naive_maze.entries(maze.rows, maze.cols)
    for at, entry in enumerate(maze.entries):
        row, col, heading = first[str(entry)]
        inside = 4 * (row * maze.cols + col) + "NESW".index(heading)
        expected.add((4 * maze.cells + at, inside))
        assert (entry.node, entry.inside) == (4 * maze.cells + at, inside)
    assert network(maze) == sorted(expected)
