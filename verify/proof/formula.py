"""The formula of a window: clauses over named variables, for boards of a scope."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import TypeAlias

from verify.proof.view import Edge, Spot

Clause: TypeAlias = tuple[int, ...]
Name: TypeAlias = tuple[object, ...]
Node: TypeAlias = Spot | int  # a cell, or a port by its number

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
    links: list[tuple[Node, Node, int]] = field(default_factory=list)

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
