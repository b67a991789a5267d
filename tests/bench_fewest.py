"""How few drawings of cells can say all of 5 x 5: `python -m tests.bench_fewest`.

A *drawing of cells* asks what cells are: visited, free, the end cell, outside, or one
of several of these. The window may have any size. It is laid in all turns and mirrored,
and forbids in each what it may. Areas, orders of visited cells and forced edges are not
asked.

A formula says that each dead move of 5 x 5 is forbidden by one of k drawings, and that
none of them forbids a completable move of a known world that it matches. The worlds are
those of 5 x 5. For drawings that are right on any board a solver makes more: none has a
state that three dead moves together do not show. More worlds would leave fewer
drawings. So "too few" is proved, and "enough" is sure where all worlds are known.
"""

from collections import defaultdict
from itertools import combinations
from random import Random
from time import process_time

import networkx as nx
from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Cadical195

from solver import get_oracle
from solver.board import Board, Position
from solver.symmetry import Symmetry

SIDE = 5
WINDOW = Board.square(2 * SIDE - 1)
LIVE = WINDOW.cells // 2
CELLS = [cell for cell in range(WINDOW.cells) if cell != LIVE]
OUTSIDE, VISITED, FREE, END = range(4)
IMAGES = [[s.cell(WINDOW, c) for c in range(WINDOW.cells)] for s in Symmetry]

# What a cell of the window is: 4 * cell + state. The cell before, and the next one.
World = tuple[frozenset[int], int, int]


def beside(cell: int) -> list[int]:
    return [int(other) for other in WINDOW.neighbours[cell] if other >= 0]


def seen(position: Position, cell: int) -> World:
    """Return what the live end sees, and the step to a cell."""
    board, walk = position.board, set(position.walk)
    down, right = (at - SIDE for at in board.row_col(position.live_end))

    def state(at: int) -> int:
        row, col = (
            a + b for a, b in zip(WINDOW.row_col(at), (down, right), strict=True)
        )
        if not (1 <= row <= board.rows and 1 <= col <= board.cols):
            return OUTSIDE
        here = board.cell(row, col)
        return VISITED if here in walk else END if here == board.end else FREE

    def place(here: int) -> int:
        row, col = board.row_col(here)
        return WINDOW.cell(row - down, col - right)

    states = frozenset(4 * at + state(at) for at in CELLS)
    return states, place(position.walk[-2]), place(cell)


def orbit(world: World) -> list[World]:
    """Return a world in the eight symmetries, each once, in a fixed order."""
    states, before, after = world
    turned = {
        (frozenset(4 * to[s // 4] + s % 4 for s in states), to[before], to[after])
        for to in IMAGES
    }
    return sorted(turned, key=lambda w: (sorted(w[0]), w[1:]))


def worlds() -> tuple[list[World], list[World]]:
    """Return the completable moves of 5 x 5 as worlds, and the dead ones."""
    whole: list[Position] = []
    going = [Position(Board.square(SIDE))]
    while going:
        position = going.pop()
        if position.complete:
            whole.append(position)
        going += [position.step(move) for move in position.options()]
    begun = {p.walk[:n] for p in whole for n in range(2, SIDE * SIDE + 1)}
    good, dead = set(), set()
    for walk in begun:
        position = Position(Board.square(SIDE), walk)
        for cell in position.options().values():
            if (*walk, cell) in begun:
                good.add(seen(position, cell))
            elif cell != position.board.end:
                dead.add(seen(position, cell))
    return list(good), list(dead)


class Maker:
    """Makes worlds of any board whose next step is completable, if there is one."""

    def __init__(self) -> None:
        self.ids = IDPool()
        self.solver = Cadical195()
        for cell in CELLS:
            self._exactly(1, [self.state(cell, s) for s in range(4)])
            edges = [self.edge(cell, other) for other in beside(cell)]
            first, last = self.first(cell), self.state(cell, END)
            self._add(-first, self.state(cell, VISITED))
            for three in combinations(edges, 3):
                self._add(*(-e for e in three))
            for two in combinations(edges, 2):
                for one_only in (first, last):
                    self._add(-one_only, *(-e for e in two))
            out = self.state(cell, OUTSIDE)
            self._add(out, *edges)
            for left in edges:
                self._add(out, first, last, *(e for e in edges if e != left))
            for other in beside(cell):
                edge = self.edge(cell, other)
                self._add(-edge, -out)
                if other != LIVE:  # an edge joins two visited cells, or two others
                    self._add(
                        -edge, -self.state(cell, VISITED), self.state(other, VISITED)
                    )
                    self._add(-edge, -last, -self.state(other, VISITED))
        self._exactly(1, [self.first(cell) for cell in CELLS])
        self._exactly(1, [self.state(cell, END) for cell in CELLS])

    def state(self, cell: int, state: int) -> int:
        return int(self.ids.id((cell, "is", state)))

    def first(self, cell: int) -> int:
        return int(self.ids.id((cell, "first")))

    def edge(self, a: int, b: int) -> int:
        return int(self.ids.id((min(a, b), "to", max(a, b))))

    def _add(self, *clause: int) -> None:
        self.solver.add_clause(list(clause))

    def _exactly(self, number: int, some: list[int]) -> None:
        kind = EncType.seqcounter
        for clause in CardEnc.equals(
            some, number, vpool=self.ids, encoding=kind
        ).clauses:
            self._add(*clause)

    def make(self, states: frozenset[int], before: int, after: int) -> World | None:
        """Return a world with no other states than these, or None."""
        asked = [
            -self.state(s // 4, s % 4)
            for s in set(range(4 * WINDOW.cells)) - states
            if s // 4 != LIVE
        ]
        asked += [self.state(before, VISITED), -self.state(after, VISITED)]
        for cell in beside(LIVE):
            edge = self.edge(LIVE, cell)
            asked.append(edge if cell in (before, after) else -edge)
        while self.solver.solve(assumptions=asked):
            true = set(self.solver.get_model())
            edges = {
                (a, b)
                for a in range(WINDOW.cells)
                for b in beside(a)
                if self.edge(a, b) in true
            }
            lines = components(edges)
            for line in lines:
                if LIVE not in line:  # a loop: left by an edge, or not closed
                    leaving = {
                        self.edge(a, b)
                        for a in line
                        for b in beside(a)
                        if b not in line
                    }
                    inner = {self.edge(a, b) for a, b in edges if a in line}
                    self._add(*leaving, *(-e for e in inner))
            if len(lines) == 1:
                is_ = {
                    4 * c + s
                    for c in CELLS
                    for s in range(4)
                    if self.state(c, s) in true
                }
                judge(is_, edges, before, after)
                return frozenset(is_), before, after
        return None


def components(edges: set[tuple[int, int]]) -> list[set[int]]:
    rest, found = {a for a, _ in edges}, []
    while rest:
        line, ahead = set(), [rest.pop()]
        while ahead:
            here = ahead.pop()
            line.add(here)
            ahead += [b for a, b in edges if a == here and b not in line]
        rest -= line
        found.append(line)
    return found


def judge(
    states: set[int], edges: set[tuple[int, int]], before: int, after: int
) -> None:
    """Raise if the next step of a made world is not completable."""
    walk = [LIVE, before]
    while further := [b for a, b in edges if a == walk[-1] and b != walk[-2]]:
        walk += further
    end = next(s // 4 for s in states if s % 4 == END)
    walls = tuple(s // 4 for s in states if s % 4 == OUTSIDE)
    board = Board(WINDOW.rows, WINDOW.cols, walk[-1], end, walls)
    position = Position(board, tuple(reversed(walk)))
    move = next(m for m, cell in position.options().items() if cell == after)
    answer = get_oracle("search").decide(position.step(move))
    if answer.verdict.name != "COMPLETABLE":
        raise AssertionError(f"{position.notation} and {move}: {answer.verdict}")


def enough(k: int, dead: list[list[World]], good: set[World], apart: int = 1) -> bool:
    """Say whether k drawings can forbid all dead moves and no good one.

    No drawing may forbid two of the first dead moves, so many as are `apart`. So a
    drawing of its own forbids each, and may be drawn as that move stands.
    """
    ids = IDPool()
    solver = Cadical195()
    for r in range(k):
        for states, *step in good:
            asks = [ids.id((r, "not", s)) for s in states]
            solver.add_clause([-ids.id((r, "forbids", *step)), *asks])
    for number, images in enumerate(dead):
        some = []
        for r in range(k):
            for image in images:
                if number < apart and (r != number or image is not images[0]):
                    continue
                states, *step = image
                some.append(ids.id((r, number, image)))
                solver.add_clause([-some[-1], ids.id((r, "forbids", *step))])
                for s in states:
                    solver.add_clause([-some[-1], -ids.id((r, "not", s))])
        solver.add_clause(some)
    return bool(solver.solve())


def grown(
    dead: list[list[World]], good: set[World], tries: int, seed: int
) -> set[World]:
    """Return more worlds: of any board, with no state but those of three dead moves."""
    random, maker, found = Random(seed), Maker(), set(good)
    for _ in range(tries):
        first, *others = (random.choice(images) for images in random.choices(dead, k=3))
        states = first[0].union(*(other[0] for other in others))
        if world := maker.make(states, *first[1:]):
            found.update(orbit(world))
    return found


def apart(dead: list[list[World]], good: set[World]) -> list[list[World]]:
    """Return the most dead moves of which no drawing can forbid two."""
    masks = defaultdict(list)
    for states, *step in good:
        masks[tuple(step)].append(sum(1 << s for s in states))

    def together(a: World, b: World) -> bool:
        neither = ~sum(1 << s for s in a[0] | b[0])
        return all(m & neither for w in (a, b) for m in masks[w[1:]])

    graph = nx.Graph()
    for (i, a), (j, b) in combinations(enumerate(dead), 2):
        if not any(together(a[0], image) for image in b):
            graph.add_edge(i, j)
    chosen = max(nx.find_cliques(graph), key=len)
    return [dead[i] for i in chosen]


def main() -> None:
    good, moves = worlds()
    here = {image for world in good for image in orbit(world)}
    dead = [
        list(images) for images in sorted({tuple(orbit(w)) for w in moves}, key=repr)
    ]
    print(f"{len(dead)} dead moves of 5 x 5, up to symmetry")
    for k in (1, 2):
        print(
            f"{k}, right on 5 x 5: {'enough' if enough(k, dead, here) else 'too few'}"
        )
    everywhere = grown(dead, here, 3000, 1)
    print(f"{len(everywhere):,} worlds of any board ({process_time():.0f} s)")
    first = apart(dead, everywhere)
    dead.sort(key=lambda images: images not in first)
    print(f"{len(first)} dead moves of which no drawing forbids two")
    said = "not known" if enough(3, dead, everywhere, len(first)) else "too few"
    print(f"3, right on any board: {said} ({process_time():.0f} s)")


if __name__ == "__main__":
    main()
