"""The formula of a window: clauses over named variables, for boards of a scope.

`verify.proof.encoding.encode` leaves out what would need too many clauses: loops,
crossing pairs of ports, an end met too early, areas that nothing leaves. A model that
breaks one of these gives a *cut*, a clause that every true world satisfies and the
model does not. Solving and cutting in turns ends, because each cut excludes a different
set of models.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import NamedTuple, TypeAlias

from heuristic.rules.drawing import Spot
from verify.proof.window import LIVE, Edge, Window, edge, neighbours, reached

Clause: TypeAlias = tuple[int, ...]
Name: TypeAlias = tuple[object, ...]
Node: TypeAlias = Spot | int  # a cell, or a port by its number
Link: TypeAlias = tuple[Node, Node, int]  # what a variable joins

TRUE = 1  # variable 1 is true: clauses are simplified by it


class Scope(Enum):
    """The boards for which a formula speaks; each scope lies within the one before."""

    PLAIN = "every board, with any walls and ends"
    PLANAR = "every rectangle, with any walls, start and end on its rim"
    RIM = "every rectangle without walls, start and end on its rim"
    CORNERS = "every rectangle without walls, start and end in opposite corners"

    @property
    def planar(self) -> bool:
        """Whether walk, ports and their pairs are part of the formula."""
        return self in (Scope.PLANAR, Scope.CORNERS)

    @property
    def walled(self) -> bool:
        """Whether there may be walls inside the board."""
        return self in (Scope.PLAIN, Scope.PLANAR)


@dataclass(slots=True)
class Formula:
    """Clauses over named variables; variable 1 is true.

    `usable` lists edges with their variables, kind by kind, `pairs` those of pairs of
    ports, `links` both as what they join: models are read by them, thousands of times.
    """

    scope: Scope
    names: dict[Name, int] = field(default_factory=lambda: {("true",): TRUE})
    clauses: list[Clause] = field(default_factory=lambda: [(TRUE,)])
    constants: dict[Name, int] = field(default_factory=dict)
    usable: list[tuple[Edge, int]] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def var(self, *name: object) -> int:
        """Return the variable of that name, made when first asked for."""
        if name in self.constants:
            return self.constants[name]
        return self.names.setdefault(name, len(self.names) + 1)

    def add(self, *literals: int) -> None:
        """Add a clause, unless the constant makes it true."""
        if TRUE in literals:
            return
        if -TRUE in literals:
            literals = tuple(x for x in literals if x != -TRUE)
        self.clauses.append(literals)

    def same(self, one: int, other: int, *unless: int) -> None:
        """Both literals hold or neither, unless one of the others does."""
        self.add(*unless, -one, other)
        self.add(*unless, one, -other)

    def around(self, cell: Spot, *name: object) -> list[int]:
        """Return the variables of a cell's four edges; an edge ends their name."""
        return [self.var(*name, *edge(cell, other)) for other in neighbours(cell)]

    def at_most(self, count: int, literals: Iterable[int], *unless: int) -> None:
        """At most `count` of the literals hold, unless one of the others does."""
        if TRUE in unless:
            return
        kept = []
        for x in literals:
            if x == TRUE:
                count -= 1
            elif x != -TRUE:
                kept.append(-x)
        head = tuple(x for x in unless if x != -TRUE)
        if count < 0:
            self.clauses.append(head)
            return
        some = combinations(kept, count + 1)
        self.clauses.extend([head + one for one in some] if head else some)

    def at_least(self, count: int, literals: Iterable[int], *unless: int) -> None:
        """At least `count` of the literals hold, unless one of the others does."""
        negated = [-x for x in literals]
        self.at_most(len(negated) - count, negated, *unless)

    def degree(
        self, sides: list[int], used: int, end: int, most: int = 2, less: int = 0
    ) -> None:
        """Add that a used cell has so many sides or less, its path's end one less."""
        self.at_most(most, sides)
        self.at_most(most - 1, sides, -end)
        self.at_least(most - less, sides, -used, end)
        self.at_least(most - less - 1, sides, -used)


Piece: TypeAlias = tuple[set[Node], list[int]]


class Line(NamedTuple):
    """A forced line: its ends, and the edges by which it leaves them.

    `number` is the variable that says that there is such a line; 1 if it is known.
    """

    ends: tuple[Spot, Spot]
    edges: tuple[Edge, Edge]
    number: int


def lines_of(window: Window) -> tuple[Line, ...]:
    """Return the forced lines that a window knows."""
    found = []
    for a, b in window.pairs("mates"):
        (one,) = (side for side in window.pairs("joined") if a in side)
        (two,) = (side for side in window.pairs("joined") if b in side)
        found.append(Line((a, b), (one, two), TRUE))
    return tuple(found)


def cuts(
    window: Window,
    formula: Formula,
    true: set[int],
    lines: Iterable[Line] | None = None,
) -> list[Clause]:
    """Return clauses that the model breaks; none if it breaks no statement.

    `true` are the variables that the model sets, `lines` the forced lines (default:
    those of the window). All that one model breaks comes at once: a call of the
    solver costs more than a few clauses too many. Linear in the window but for the
    pairs of ports, which are quadratic.
    """
    known = lines_of(window) if lines is None else tuple(lines)
    planar = formula.scope.planar
    pieces = _pieces(link for link in formula.links if link[2] in true)
    found = [*_crossings(formula, true)] if planar else []
    found += [*_loops(pieces, planar), *_joined_loops(formula, true, known)]
    if not planar:
        found += _early_end(window, formula, true, pieces)
        for k in range(len(window.areas)):
            found += _sealed(window, formula, true, k)
    return found


def _crossings(formula: Formula, true: set[int]) -> Iterator[Clause]:
    pairs = sorted(pair for pair in formula.pairs if pair[2] in true)
    for (a, b, first), (c, d, second) in combinations(pairs, 2):
        if a < c < b < d or len({a, b, c, d}) < 4:
            yield -first, -second


def _pieces(links: Iterable[Link]) -> list[Piece]:
    """Return the pieces of the path: their nodes, and the variables that join them."""
    used, above = list(links), dict[Node, Node]()

    def root(node: Node) -> Node:
        higher = above.setdefault(node, node)
        while higher != node:
            above[node] = above[higher]
            node, higher = higher, above[higher]
        return node

    for a, b, _ in used:
        above[root(a)] = root(b)
    pieces: dict[Node, Piece] = {}
    for a, b, number in used:
        nodes, numbers = pieces.setdefault(root(a), (set(), []))
        nodes |= {a, b}
        numbers.append(number)
    return list(pieces.values())


def _loops(pieces: list[Piece], planar: bool) -> Iterator[Clause]:
    """No closed piece but the one through the live end."""
    for nodes, numbers in pieces:
        if (planar or len(numbers) == len(nodes)) and LIVE not in nodes:
            yield _not_all(numbers)


def _joined_loops(
    formula: Formula, true: set[int], lines: tuple[Line, ...]
) -> Iterator[Clause]:
    """No closed piece with forced lines in it, each of them one tie between its ends.

    The first edges of the lines are left out: a piece that goes on along them is the
    line itself.
    """
    if not lines:
        return
    ends = {end for line in lines for end in line.ends}
    first = {(a, b) for line in lines for a, b in line.edges}
    links = [x for x in formula.links if x[2] in true and x[:2] not in first]
    links += [(*line.ends, line.number) for line in lines]
    while True:  # leave out what leads nowhere: links of nodes that have no other
        met = Counter(node for a, b, _ in links for node in (a, b))
        kept = [link for link in links if met[link[0]] > 1 and met[link[1]] > 1]
        if len(kept) == len(links):
            break
        links = kept
    for nodes, numbers in _pieces(links):
        if len(numbers) == len(nodes) and LIVE not in nodes and nodes & ends:
            yield _not_all(numbers)


def _not_all(numbers: Iterable[int]) -> Clause:
    return tuple(sorted({-number for number in numbers if number != TRUE}))


def _early_end(
    window: Window, formula: Formula, true: set[int], pieces: list[Piece]
) -> Iterator[Clause]:
    """When the piece of the live end holds the end, no free cell is left out."""
    for nodes, numbers in pieces:
        ends = [formula.var("T", n) for n in nodes if not isinstance(n, int)]
        ends = [end for end in ends if end in true]
        if LIVE not in nodes or not ends:
            continue
        for cell in window.cells():
            free = formula.var("free", cell)
            if cell not in nodes and free in true:
                yield _not_all([*numbers, *ends, free])
                return


def _sealed(
    window: Window, formula: Formula, true: set[int], k: int
) -> Iterator[Clause]:
    """Find cells of an area that no piece with a used door visits.

    Let P be the cells of area k on pieces with a door. If none of these pieces goes on
    into unseen cells, and some cell of the area is not in P, the path must cross from P
    to such cells, or they have a door of their own.
    """
    used = {side for side, number in formula.usable if number in true}
    member = {c for c in window.cells() if formula.var("a", k, c) in true}
    line, inside = set(window.areas[k].cells), window.areas[k].inside

    def within(cell: Spot) -> list[Spot]:
        """Return the neighbours that belong to the area whenever they are free."""
        near = [other for other in neighbours(cell) if other != LIVE]
        return [x for x in near if cell not in line or x in line or x in inside]

    outer = {cell: set(neighbours(cell)) - set(within(cell)) for cell in line}
    begin = {c for c in line if any(edge(c, x) in used for x in outer[c])}
    visited = reached(
        begin | ({window.target} & member),
        lambda cell: [x for x in within(cell) if edge(cell, x) in used],
    )
    left_out = sorted(member - visited, key=lambda cell: (cell not in line, cell))
    if not left_out or not all(map(window.holds, visited)):
        return
    ways = [(c, x) for c in visited for x in within(c) if x not in visited]
    ways += [(c, x) for c in line - visited for x in outer[c]]
    out = {formula.var("c", *edge(*way)) for way in ways}
    if window.target not in visited:
        out.add(formula.var("a", k, window.target))
    out.add(-formula.var("a", k, left_out[0]))  # a marked cell is certain
    yield tuple(sorted(out - {-TRUE}))
