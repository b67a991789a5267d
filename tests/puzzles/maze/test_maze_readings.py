"""Where the number 18 comes from that a solver's notebook gave for the published board.

The notebook asks for "the fewest number of hops" and at first said 18, later 34. The
readings of "hop" below give other numbers, but for one: in the notebook's drawing the
network is a set of lines, and a walker who leaves the board ends on the same point
outside that the entry there starts from. Follow the lines without their direction from
the goal, and the nearest point outside is 18 lines away, beside row 5 on the right. Its
15 lines next to the goal are the end of the true route, from the ? in (4, 7); the other
three run from that ? out of the board, so nobody can walk them inward.
"""

from collections import deque
from functools import cache
from itertools import pairwise

from solver.board import STEPS
from solver.puzzles.maze.board import HEADINGS, Maze
from solver.puzzles.maze.solve import Route, solve
from tests.puzzles.maze.naive_maze import MOVE, NEXT, Place, entries
from tests.puzzles.samples import RIDDLER
from verify.puzzles.maze.story import network

MAZE = Maze.parse(RIDDLER)

Rules = dict[str, dict[str, str]]


def least(
    lines: tuple[str, ...] = MAZE.lines,
    rules: Rules = NEXT,
    wrap: bool = False,
    jump: bool = False,
) -> int | None:
    """Fewest moves over all entries, under changed rules; None if there is no way."""
    size = len(lines)
    anys = [(r, c) for r in range(size) for c in range(size) if lines[r][c] == "?"]
    queue = deque((1, place) for place in entries(size, size).values())
    seen = {place for _, place in queue}
    while queue:
        moves, (row, col, heading) = queue.popleft()
        letter = lines[row][col]
        if letter == "G":
            return moves
        for r, c in anys if jump and letter == "?" else [(row, col)]:
            for ahead in rules[letter][heading]:
                y, x = r + MOVE[ahead][0], c + MOVE[ahead][1]
                if wrap:
                    y, x = y % size, x % size
                after: Place = (y, x, ahead)
                if 0 <= y < size and 0 <= x < size and after not in seen:
                    seen.add(after)
                    queue.append((moves + 1, after))
    return None


NO_BACK = {"?": {heading: "NESW".replace(NEXT["U"][heading], "") for heading in "NESW"}}


@cache
def best() -> Route:
    found = solve(MAZE).route()
    assert found is not None
    return found


def test_no_count_and_no_change_of_rules_gives_18() -> None:
    cells, headings = zip(*(divmod(node, 4) for node in best().nodes), strict=True)
    letters = [MAZE.letter(cell) for cell in cells]
    turns = sum(a != b for a, b in pairwise(headings))
    readings = {
        # the way is the best route; what is counted on it?
        "moves": (len(cells), 34),
        "moves without the entering one": (len(cells) - 1, 33),
        "half of the moves": (len(cells) // 2, 17),
        "different cells": (len(set(cells)), 21),
        "changes of heading": (turns, 26),
        "straight runs": (turns + 1, 27),
        "letters L and R": (letters.count("L") + letters.count("R"), 19),
        # other rules
        "? without turning back": (least(rules={**NEXT, **NO_BACK}), 36),
        "? leads to any other ? too": (least(jump=True), 16),
        "the board's edges joined": (least(wrap=True), 34),
        "L and R exchanged": (least(rules=NEXT | {"L": NEXT["R"], "R": NEXT["L"]}), 4),
        "board mirrored": (least(tuple(line[::-1] for line in MAZE.lines)), 4),
    }
    for name, (found, expected) in readings.items():
        assert found == expected != 18, name


def lines_of_the_drawing(*, exits: bool) -> dict[int, set[int]]:
    """The arcs without direction; `exits` adds the moves that leave the board."""
    maze, lines = MAZE, [set[int]() for _ in range(MAZE.nodes)]
    arcs = network(maze)
    outside = {
        (one.inside // 4, (one.inside + 2) % 4): one.node for one in maze.entries
    }
    for cell in range(maze.cells) if exits else ():
        row, col = divmod(cell, maze.cols)
        for heading in range(4):
            for ahead in NEXT.get(maze.letter(cell), NEXT["X"])[HEADINGS[heading]]:
                way = HEADINGS.index(ahead)
                r, c = row + STEPS[way][0], col + STEPS[way][1]
                if not (0 <= r < maze.rows and 0 <= c < maze.cols):
                    arcs.append((4 * cell + heading, outside[cell, way]))
    for tail, head in arcs:
        lines[tail].add(head)
        lines[head].add(tail)
    return dict(enumerate(lines))


def nearest_outside(lines: dict[int, set[int]]) -> list[int]:
    """The shortest way from the goal to a point outside, as nodes, goal first."""
    before = {4 * MAZE.goal + heading: -1 for heading in range(4)}
    queue = deque(before)
    while queue:
        node = queue.popleft()
        if node >= 4 * MAZE.cells:
            way = [node]
            while before[way[-1]] >= 0:
                way.append(before[way[-1]])
            return way[::-1]
        for other in sorted(lines[node]):
            if other not in before:
                before[other] = node
                queue.append(other)
    raise AssertionError("the drawing falls apart")


def test_lines_without_direction_give_18() -> None:
    way = nearest_outside(lines_of_the_drawing(exits=True))
    assert len(way) - 1 == 18
    assert MAZE.name(way[-1]) == "right, row 5"
    # seen from outside: three lines against their arrows, up to the ?, then with them
    arcs = {*network(MAZE)}
    inward = way[::-1]
    steps = list(pairwise(inward))
    assert [(b, a) in arcs for a, b in steps[1:3]] == [True, True]
    assert all(step in arcs for step in steps[3:])
    assert MAZE.letter(inward[3] // 4) == "?"
    assert inward[4:] == [*best().nodes[-15:]]
    # the walker who could use it would be told so
    assert solve(MAZE).moves[8 + 5 - 1] is None


def test_without_the_exits_even_lines_give_34() -> None:
    way = nearest_outside(lines_of_the_drawing(exits=False))
    assert len(way) - 1 == 34
    assert MAZE.name(way[-1]) == "top, column 4"
