"""The formula of a window: clauses over named variables, for the boards of a scope.

`verify.proof.encoding` leaves out statements that would need too many clauses: on
loops, crossing pairs of ports, an end met too early, and areas that nothing leaves. A
model that breaks one of them gives a *cut*: a clause that is true in every world of the
window and false in the model. Each cut excludes other models, so this ends.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import TypeAlias

from heuristic.rules.drawing import Spot
from verify.proof.window import LIVE, Edge, Window, edge, neighbours, reached

Clause: TypeAlias = tuple[int, ...]
Name: TypeAlias = tuple[object, ...]
Node: TypeAlias = Spot | int  # a cell, or a port by its number
Link: TypeAlias = tuple[Node, Node, int]  # two nodes and the variable that joins them
Piece: TypeAlias = tuple[set[Node], list[int]]  # nodes, and the variables between them

TRUE = 1  # variable 1 is true: clauses are simplified by it


class Scope(Enum):
    """The boards that a formula is about; each scope lies within the one before."""

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

    `usable` lists edges with their variables, `pairs` pairs of ports with theirs, and
    `links` both as what they join. Thousands of models are read by these lists.
    """

    scope: Scope
    names: dict[Name, int] = field(default_factory=lambda: {("true",): TRUE})
    clauses: list[Clause] = field(default_factory=lambda: [(TRUE,)])
    constants: dict[Name, int] = field(default_factory=dict)
    usable: list[tuple[Edge, int]] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def var(self, *name: object) -> int:
        """Return the constant or the variable of a name, which may be new."""
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

    def same(self, first: int, second: int, *unless: int) -> None:
        """Add that both literals hold or neither, unless one of the others holds."""
        self.add(*unless, -first, second)
        self.add(*unless, first, -second)

    def around(self, cell: Spot, *name: object) -> list[int]:
        """Return the variables of a cell's four edges; the edge ends the name."""
        return [self.var(*name, *edge(cell, other)) for other in neighbours(cell)]

    def at_most(self, count: int, literals: Iterable[int], *unless: int) -> None:
        """Add that at most `count` literals hold, unless one of the others holds."""
        if TRUE in unless:
            return
        given = list(literals)
        count -= given.count(TRUE)
        negated = [-x for x in given if abs(x) != TRUE]
        head = tuple(x for x in unless if x != -TRUE)
        if count < 0:
            self.clauses.append(head)
            return
        some = combinations(negated, count + 1)
        self.clauses.extend([head + clause for clause in some] if head else some)

    def at_least(self, count: int, literals: Iterable[int], *unless: int) -> None:
        """Add that at least `count` literals hold, unless one of the others holds."""
        negated = [-x for x in literals]
        self.at_most(len(negated) - count, negated, *unless)

    def degree(
        self, sides: list[int], used: int, end: int, most: int = 2, less: int = 0
    ) -> None:
        """Add that a used cell has `most` sides, or `less` fewer; an end one fewer."""
        self.at_most(most, sides)
        self.at_most(most - 1, sides, -end)
        self.at_least(most - less, sides, -used, end)
        self.at_least(most - less - 1, sides, -used)


def cuts(window: Window, formula: Formula, true: set[int]) -> list[Clause]:
    """Return all clauses that a model breaks, given its true variables; or none.

    Calling the solver costs more than a few superfluous clauses. Linear in the window,
    quadratic in pairs of ports.
    """
    planar = formula.scope.planar
    pieces = _pieces(link for link in formula.links if link[2] in true)
    broken = [*_crossings(formula, true)] if planar else []
    broken += [*_loops(pieces, planar), *_joined_loops(window, formula, true)]
    if not planar:
        broken += _early_end(window, formula, true, pieces)
        for k in range(len(window.areas)):
            broken += _sealed(window, formula, true, k)
    return broken


def _crossings(formula: Formula, true: set[int]) -> Iterator[Clause]:
    pairs = sorted(pair for pair in formula.pairs if pair[2] in true)
    for (a, b, first), (c, d, second) in combinations(pairs, 2):
        if a < c < b < d or len({a, b, c, d}) < 4:
            yield -first, -second


def _pieces(links: Iterable[Link]) -> list[Piece]:
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
    """Exclude closed pieces that do not pass the live end."""
    for nodes, numbers in pieces:
        if (planar or len(numbers) == len(nodes)) and LIVE not in nodes:
            yield _not_all(numbers)


def _joined_loops(window: Window, formula: Formula, true: set[int]) -> Iterator[Clause]:
    """Exclude closed pieces that forced lines close, each a tie between its ends."""
    lines = window.pairs("mates")
    if not lines:
        return
    ends = {end for line in lines for end in line}
    # a piece along the first edges of a line is the line itself
    first = {side for side in window.pairs("joined") if not ends.isdisjoint(side)}
    links = [x for x in formula.links if x[2] in true and x[:2] not in first]
    links += [(a, b, TRUE) for a, b in lines]
    while True:  # remove links to nodes that have no other link
        met = Counter(node for a, b, _ in links for node in (a, b))
        inner = [link for link in links if met[link[0]] > 1 and met[link[1]] > 1]
        if len(inner) == len(links):
            break
        links = inner
    for nodes, numbers in _pieces(links):
        if len(numbers) == len(nodes) and LIVE not in nodes and nodes & ends:
            yield _not_all(numbers)


def _not_all(numbers: Iterable[int]) -> Clause:
    return tuple(sorted({-number for number in numbers if number != TRUE}))


def _early_end(
    window: Window, formula: Formula, true: set[int], pieces: list[Piece]
) -> Iterator[Clause]:
    """Exclude that the live end's piece ends before all free cells are visited."""
    for nodes, numbers in pieces:
        ends = {formula.var("T", n) for n in nodes if not isinstance(n, int)} & true
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
    """Exclude cells of area k left out, if no piece with a door leaves the window."""
    used = {side for side, number in formula.usable if number in true}
    member = {c for c in window.cells() if formula.var("a", k, c) in true}
    line, inside = set(window.areas[k].cells), window.areas[k].inside

    def within(cell: Spot) -> list[Spot]:
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
    # the path crosses to cells that are left out, or they have a door of their own
    ways = [(c, x) for c in visited for x in within(c) if x not in visited]
    ways += [(c, x) for c in line - visited for x in outer[c]]
    out = {formula.var("c", *edge(*way)) for way in ways}
    if window.target not in visited:
        out.add(formula.var("a", k, window.target))
    out.add(-formula.var("a", k, left_out[0]))  # a marked cell is certain
    yield tuple(sorted(out - {-TRUE}))
