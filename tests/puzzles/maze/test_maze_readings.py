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
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise

import pytest

from solver.board import STEPS
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import HEADINGS
from solver.puzzles.maze.network import Network, network
from solver.puzzles.maze.solve import solve
from tests.puzzles.maze.naive_maze import MOVE, NEXT, Place, entries

MAZE = Maze.parse(
    "LUU?ULXL/RLRLU*UU/SLRLULXR/UR?RSL?R/RUURRRSL/S?SLSSLR/RLR?RL?L/LRSRSLRL"
)
_FOUND = solve(MAZE).best
assert _FOUND is not None
BEST = _FOUND
LETTERS = [MAZE.letter(cell) for cell in BEST.cells]
TURNS = sum(a != b for a, b in pairwise(BEST.headings))

Rules = dict[str, dict[str, str]]
Cost = Callable[[Place | None, Place], int]


def least(
    lines: tuple[str, ...] = MAZE.lines,
    rules: Rules = NEXT,
    cost: Cost = lambda before, place: 1,
    wrap: bool = False,
    jump: bool = False,
) -> int | None:
    """Least cost over all entries, under changed rules; None if there is no way."""
    size = len(lines)
    anys = [(r, c) for r in range(size) for c in range(size) if lines[r][c] == "?"]
    best = {place: cost(None, place) for place in entries(size, size).values()}
    queue = [(value, place) for place, value in best.items()]
    queue.sort()
    while queue:
        value, place = heappop(queue)
        row, col, heading = place
        letter = lines[row][col]
        if letter == "G":
            return value
        for r, c in anys if jump and letter == "?" else [(row, col)]:
            for ahead in rules[letter][heading]:
                there = (r + MOVE[ahead][0], c + MOVE[ahead][1])
                if wrap:
                    there = (there[0] % size, there[1] % size)
                if not (0 <= there[0] < size and 0 <= there[1] < size):
                    continue
                after = (*there, ahead)
                total = value + cost(place, after)
                if total < best.get(after, 10**6):
                    best[after] = total
                    heappush(queue, (total, after))
    return None


def turned(before: Place | None, place: Place) -> int:
    return int(before is not None and before[2] != place[2])


def no_cost(letters: str) -> Cost:
    return lambda before, place: int(MAZE.lines[place[0]][place[1]] not in letters)


def changed(**letters: dict[str, str]) -> Rules:
    return {**NEXT, **letters}


def absolute(**headings: str) -> Rules:
    return changed(**{a: dict.fromkeys("NESW", b) for a, b in headings.items()})


NO_BACK = {"?": {heading: "NESW".replace(NEXT["U"][heading], "") for heading in "NESW"}}

READINGS: dict[str, tuple[int | None, int | None]] = {
    # the way is the best route; what is counted on it?
    "moves, entering included": (len(BEST.cells), 34),
    "moves, entering left out": (len(BEST.cells) - 1, 33),
    "moves between entry cell and goal": (len(BEST.cells) - 2, 32),
    "half of the moves": (len(BEST.cells) // 2, 17),
    "rounds of doubling that reach 34": ((len(BEST.cells) - 1).bit_length(), 6),
    "different cells": (len(set(BEST.cells)), 21),
    "cells entered once only": (
        sum(BEST.cells.count(cell) == 1 for cell in BEST.cells),
        12,
    ),
    "changes of heading": (TURNS, 26),
    "straight runs": (TURNS + 1, 27),
    "letters L and R": (LETTERS.count("L") + LETTERS.count("R"), 19),
    "letters L, R and U": (sum(letter in "LRU" for letter in LETTERS), 24),
    "letters S": (LETTERS.count("S"), 6),
    "letters ?": (LETTERS.count("?"), 3),
    # the least of such counts over all ways
    "fewest changes of heading": (least(cost=turned), 26),
    "fewest letters other than ?": (least(cost=no_cost("?")), 31),
    "fewest letters other than U": (least(cost=no_cost("U")), 29),
    "fewest letters other than S": (least(cost=no_cost("SG")), 27),
    "fewest letters ?": (least(cost=no_cost("SRLUXG")), 2),
    # other rules
    "? without turning back": (least(rules={**NEXT, **NO_BACK}), 36),
    "? only straight on": (least(rules=changed(**{"?": NEXT["S"]})), None),
    "? leads to any other ? too": (least(jump=True), 16),
    "the board's edges joined": (least(wrap=True), 34),
    "L and R exchanged": (least(rules=changed(L=NEXT["R"], R=NEXT["L"])), 4),
    "U, R, L as up, right, left": (least(rules=absolute(U="N", R="E", L="W")), None),
    "U, R, L, S as compass": (
        least(rules=absolute(U="N", R="E", L="W", S="S")),
        None,
    ),
    "board mirrored": (least(tuple(line[::-1] for line in MAZE.lines)), 4),
    "board upside down": (least(MAZE.lines[::-1]), 4),
    "board read by columns": (
        least(tuple("".join(col) for col in zip(*MAZE.lines, strict=True))),
        4,
    ),
}


@pytest.mark.parametrize("name", READINGS)
def test_no_count_and_no_change_of_rules_gives_18(name: str) -> None:
    found, expected = READINGS[name]
    assert found == expected
    assert found != 18


def lines_of_the_drawing(net: Network, *, exits: bool) -> dict[int, set[int]]:
    """The arcs without direction; `exits` adds the moves that leave the board."""
    maze, lines = net.maze, [set[int]() for _ in range(net.nodes)]
    arcs = list(zip(net.tails.tolist(), net.heads.tolist(), strict=True))
    outside = {
        (maze.entry_cell(entry), (entry.side.inward + 2) % 4): 4 * maze.cells + at
        for at, entry in enumerate(maze.entries)
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


def nearest_outside(net: Network, lines: dict[int, set[int]]) -> list[int]:
    """The shortest way from the goal to a point outside, as nodes, goal first."""
    goal = net.maze.goal
    before = {4 * goal + heading: -1 for heading in range(4)}
    queue = deque(before)
    while queue:
        node = queue.popleft()
        if node >= 4 * net.maze.cells:
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
    net = network(MAZE)
    way = nearest_outside(net, lines_of_the_drawing(net, exits=True))
    assert len(way) - 1 == 18
    assert net.name(way[-1]) == "right, row 5"
    # seen from outside: three lines against their arrows, up to the ?, then with them
    arcs = set(zip(net.tails.tolist(), net.heads.tolist(), strict=True))
    inward = way[::-1]
    steps = list(pairwise(inward))
    assert [(b, a) in arcs for a, b in steps[1:3]] == [True, True]
    assert all(step in arcs for step in steps[3:])
    assert MAZE.letter(inward[3] // 4) == "?"
    nodes = [4 * c + h for c, h in zip(BEST.cells, BEST.headings, strict=True)]
    assert inward[4:] == nodes[-15:]
    # the walker who could use it would be told so
    assert solve(MAZE).moves[8 + 5 - 1] is None


def test_without_the_exits_even_lines_give_34() -> None:
    net = network(MAZE)
    way = nearest_outside(net, lines_of_the_drawing(net, exits=False))
    assert len(way) - 1 == 34
    assert net.name(way[-1]) == "top, column 4"
