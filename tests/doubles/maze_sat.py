"""A SAT oracle of the maze: it shares nothing with the search, but the letters.

Whether the goal can be reached at all: a *closed set* of places holds every move out of
it, but not the goal. If it can, the number of moves grows one at a time until the
clauses let the goal be entered at the last one: bounded model checking (Biere, Cimatti,
Clarke, Zhu, TACAS 1999).
"""

from itertools import product

from pysat.solvers import Solver

from solver.puzzles.maze import Maze
from tests.puzzles.naive_maze import COMPASS, MOVE, NEXT, Place, entries


def sat_moves(maze: Maze) -> dict[str, int]:
    """Return the fewest moves of every workable entry, by name."""
    rows, cols, lines = maze.rows, maze.cols, maze.lines
    places: list[Place] = [*product(range(rows), range(cols), COMPASS)]
    number = {place: k for k, place in enumerate(places, start=1)}
    goals = [place for place in places if lines[place[0]][place[1]] == "G"]
    after: dict[Place, list[Place]] = {place: [] for place in places}
    before: dict[Place, list[Place]] = {place: [] for place in places}
    for row, col, heading in set(places) - set(goals):
        for ahead in NEXT[lines[row][col]][heading]:
            to = (row + MOVE[ahead][0], col + MOVE[ahead][1], ahead)
            if to in number:
                after[row, col, heading].append(to)
                before[to].append((row, col, heading))
    firsts = entries(rows, cols)
    with Solver("cadical195") as shut:
        for goal in goals:
            shut.add_clause([-number[goal]])
        for place in places:
            for to in after[place]:
                shut.add_clause([-number[place], number[to]])
        left = [e for e in firsts if not shut.solve(assumptions=[number[firsts[e]]])]
    fewest: dict[str, int] = {}
    with Solver("cadical195") as steps:
        for place in set(places) - {*firsts.values()}:
            steps.add_clause([-number[place]])
        past = 0  # variables of the moves before
        while left:
            move = past // len(places) + 1
            for name in tuple(left):
                others = {*firsts.values()} - {firsts[name]}
                assumed = [-number[other] for other in others]
                if any(steps.solve([*assumed, past + number[g]]) for g in goals):
                    fewest[name] = move
                    left.remove(name)
            for to in places:
                ways = [past + number[place] for place in before[to]]
                steps.add_clause([-past - len(places) - number[to], *ways])
            past += len(places)
    return fewest
