"""The exact oracle of the maze: bounded reachability as clauses for a SAT solver.

It shares nothing with the search: no nodes, no distances, only the letters. For every
move t there is a variable "cell c is entered at t" and one for each heading. Clauses
say what a letter does to the next heading and that a cell is entered from the cell
behind; the first move comes from outside. The number of moves grows one at a time until
the clauses let the goal be entered at the last one: bounded model checking (Biere,
Cimatti, Clarke, Zhu, TACAS 1999).

That would never end where the goal is out of reach, so a second formula is asked first
for a *closed set*: cells with headings that hold every entry and every move out of the
set's members, but not the goal. It has a model exactly when no route exists, and the
model is the proof; `check_closed` checks it cell by cell.
"""

from collections.abc import Iterator
from itertools import combinations, product

from solver.board import STEPS, Cell
from solver.errors import WitnessError
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import LETTERS, TURNS, Entry
from solver.puzzles.maze.solve import Route, check_route

_SOLVER = "cadical195"


class MazeSat:
    """The oracle for one maze.

    >>> routes = MazeSat(Maze.parse("XRX/XGX/?LX")).routes()
    >>> [(str(route.entry), route.compass) for route in routes if route][:1]
    [('bottom, column 1', 'NEN')]
    """

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self._stride = maze.cells + 4  # variables of one move: cells, then headings

    def routes(self) -> tuple[Route | None, ...]:
        """Return a route of fewest moves from each entry, None where there is none.

        In the order of `Maze.entries`. Two solvers do for all: an entry is assumed, the
        others are forbidden. One call a move and entry, each longer by ``8 * cells``
        clauses. Each None has its own closed set, each move of a route its check.
        """
        from pysat.solvers import Solver

        maze, entries = self.maze, self.maze.entries
        found: list[Route | None] = [None] * len(entries)
        places = [(maze.entry_cell(e), e.side.inward) for e in entries]
        left = []
        with Solver(name=_SOLVER, bootstrap_with=list(_closed(maze))) as solver:
            for at, place in enumerate(places):
                inside = _member(*place)
                if not solver.solve(assumptions=[inside]):
                    left.append(at)
                    continue
                true = {inside, *(one for one in solver.get_model() if one > 0)}
                members = frozenset(divmod(literal - 1, 4) for literal in true)
                check_closed(maze, members, entries[at])
        border = {cell for cell, _ in places}
        with Solver(name=_SOLVER, bootstrap_with=list(self._first(places))) as solver:
            move = 1
            while left:
                for at in tuple(left):
                    cell, heading = places[at]
                    assumed = [self._at(maze.goal, move), self._heads(heading, 1)]
                    assumed += [-self._at(other, 1) for other in border - {cell}]
                    if solver.solve(assumptions=assumed):
                        model = set(solver.get_model())
                        found[at] = self._read(model, move, entries[at])
                        left.remove(at)
                solver.append_formula(list(self._next(move)))
                move += 1
        return tuple(found)

    def _at(self, cell: Cell, move: int) -> int:
        return (move - 1) * self._stride + cell + 1

    def _heads(self, heading: int, move: int) -> int:
        return (move - 1) * self._stride + self.maze.cells + heading + 1

    def _one_heading(self, move: int) -> Iterator[list[int]]:
        heads = [self._heads(heading, move) for heading in range(4)]
        yield heads
        yield from ([-a, -b] for a, b in combinations(heads, 2))

    def _first(self, places: list[tuple[Cell, int]]) -> Iterator[list[int]]:
        """Yield the clauses of move 1: one of the entries and nothing else."""
        yield from self._one_heading(1)
        for place in product(range(self.maze.cells), range(4)):
            if place not in places:
                yield [-self._at(place[0], 1), -self._heads(place[1], 1)]

    def _next(self, move: int) -> Iterator[list[int]]:
        """Yield the clauses of move + 1, the goal not being entered at `move`."""
        maze = self.maze
        yield from self._one_heading(move + 1)
        for cell in range(maze.cells):
            here = -self._at(cell, move)
            turns = TURNS[LETTERS.index(maze.letter(cell))]
            if not turns:  # lost, or arrived: nobody goes on from here
                yield [here]
            elif len(turns) == 1:
                for heading in range(4):
                    ahead = self._heads((heading + turns[0]) % 4, move + 1)
                    yield [here, -self._heads(heading, move), ahead]
            row, col = divmod(cell, maze.cols)
            for heading, (dr, dc) in enumerate(STEPS):
                entered = [-self._at(cell, move + 1), -self._heads(heading, move + 1)]
                r, c = row - dr, col - dc
                if 0 <= r < maze.rows and 0 <= c < maze.cols:
                    entered.append(self._at(r * maze.cols + c, move))
                yield entered

    def _read(self, model: set[int], last: int, entry: Entry) -> Route:
        """Read the route backward from the goal; other cells of the model are idle."""
        cell, cells, headings = self.maze.goal, list[int](), list[int]()
        for move in range(last, 0, -1):
            heading = next(h for h in range(4) if self._heads(h, move) in model)
            cells.append(cell)
            headings.append(heading)
            cell -= STEPS[heading][0] * self.maze.cols + STEPS[heading][1]
        route = Route(entry, tuple(reversed(cells)), tuple(reversed(headings)))
        check_route(self.maze, route)
        return route


def _member(cell: Cell, heading: int) -> int:
    return 4 * cell + heading + 1


def _closed(maze: Maze) -> Iterator[list[int]]:
    """Yield the clauses of a closed set, whatever entries it is to hold."""
    for cell, heading in product(range(maze.cells), range(4)):
        if maze.letter(cell) == "G":
            yield [-_member(cell, heading)]
        for there, ahead in maze.moves(cell, heading):
            yield [-_member(cell, heading), _member(there, ahead)]


def check_closed(
    maze: Maze, members: frozenset[tuple[Cell, int]], entry: Entry
) -> None:
    """Raise `WitnessError` unless the set proves that no way leads from the entry."""
    if (maze.entry_cell(entry), entry.side.inward) not in members:
        raise WitnessError(f"the set lacks the entry {entry}")
    for cell, heading in members:
        if maze.letter(cell) == "G":
            raise WitnessError("the set holds the goal")
        if not members.issuperset(maze.moves(cell, heading)):
            where = maze.row_col(cell)
            raise WitnessError(f"a move from {where} leaves the set")
