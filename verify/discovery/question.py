"""One formula for all drawings of a kind: what they know is assumed, not written.

The formula of `verify.proof.window` is built for a window of which nothing is known but
the forbidden move. What a drawing knows of a cell is that it is *not* something: free,
visited, outside, the end; what it knows of its area is that the doors do *not* come to
some sums. Each such *fact* is the negation of a variable that the formula has already,
so it is assumed. Forced edges are variables themselves; a forced line is one more, on
which the cuts of loops along it stand. One solver answers for every gap of a board and
every drawing, and keeps its cuts and what it learned. The facts that it needed to say
no, the *core*, are a drawing.

`verify.proof.planar` lays the virtual arc along the first side of the board that the
drawing is sure to show. Here no cell is known, so each side of each cell gets a
variable, ``("seen", side, beyond)``: it can be true only where the cell beyond is
outside and the cell before it on the board. In every world one may take the first side,
in the order of directions, that shows anywhere, and lay the arc along it: so that is
true, and it speaks of any drawing at once.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias
from weakref import finalize

from heuristic.rules.drawing import AreaSpec
from verify.proof.cuts import Line, cuts
from verify.proof.formula import Formula, Name, Scope
from verify.proof.view import (
    FREE,
    LIVE,
    OUT,
    STEPS,
    VISITED,
    Spot,
    Window,
    area_of,
    edge,
    neighbours,
    rc,
)
from verify.proof.window import encode


def assume_rim(formula: Formula, window: Window) -> None:
    """Lay the arc along the first side that shows, whichever that is."""
    earlier: list[int] = []
    for d, step in enumerate(STEPS):
        seen = []
        for cell in window.cells():
            beyond = cell[0] + step[0], cell[1] + step[1]
            if not window.holds(beyond):
                continue
            inside = -formula.var("out", cell)
            outside = formula.var("out", beyond)
            shown = formula.var("seen", d, beyond)
            formula.add(-shown, inside)
            formula.add(-shown, outside)
            seen.append(shown)
            for turn in (1, 3):
                along = STEPS[(d + turn) % 4]
                arc = edge(beyond, (beyond[0] + along[0], beyond[1] + along[1]))
                formula.add(-outside, -inside, *earlier, formula.var("v", *arc))
        earlier += seen


# The variable of that name is false; but of ``("joined", a, b)`` the edge is used, and
# ``("mates", a, to, b, to)`` is a forced line from a to b with its first edges.
Fact: TypeAlias = Name

BEHIND: Spot = (1, 0)
_SOLVER = "minisat22"
_CONFLICTS = 20_000  # of one answer
_QUESTIONS = 1000  # solvers that are kept
_MODELS = 20  # that are cut before a question is given up


@dataclass(frozen=True, slots=True)
class Ask:
    """Which formula is asked: the move, how far it looks, the boards, the areas.

    Attributes
    ----------
    move : int
        0 or 3 of `verify.proof.view.STEPS`: straight on or to the left.
    radius : int
        Cells each way; from the live end, or beyond live end and lines of the areas.
    areas : tuple of AreaSpec
        Their lines; their conditions are no part of the formula.
    """

    move: int
    radius: int
    scope: Scope
    areas: tuple[AreaSpec, ...] = ()

    def window(self) -> Window:
        """Return the window, in which nothing is known but move and lines."""
        target = neighbours(LIVE)[self.move]
        states = {target: FREE, BEHIND: VISITED}
        near = [LIVE]
        areas = tuple(area_of(spec, BEHIND) for spec in self.areas)
        for area in areas:
            states |= dict.fromkeys(area.line, FREE)
            near += area.line
        for spec in self.areas:
            for at in (spec.base, spec.wall):
                if rc(at) != LIVE:
                    states[rc(at)] = states.get(rc(at), VISITED | OUT)
        if areas:
            near += states
        rows, cols = [row for row, _ in near], [col for _, col in near]
        return Window(
            top=min(rows) - self.radius,
            left=min(cols) - self.radius,
            bottom=max(rows) + self.radius,
            right=max(cols) + self.radius,
            states=states,
            move=self.move,
            back=2,
            areas=areas,
        )


class Question:
    """A formula in a solver, asked for one set of facts after the other."""

    def __init__(self, ask: Ask) -> None:
        from pysat.solvers import Solver

        self.ask, self.window = ask, ask.window()
        self.formula: Formula = encode(self.window, ask.scope)
        if ask.scope is Scope.CORNERS:
            assume_rim(self.formula, self.window)
        self.asked = self.cut = 0
        self._solver: Any = Solver(name=_SOLVER, bootstrap_with=self.formula.clauses)
        # PySAT frees a solver noisily when the interpreter is half gone already.
        finalize(self, self._solver.delete)
        self.sums = self._sums()

    def _sums(self) -> tuple[dict[int, Fact], ...]:
        """Return the variables of each area's surplus, by surplus."""
        doors: list[dict[int, dict[int, Fact]]] = [{} for _ in self.ask.areas]
        for name in self.formula.names:
            if name[0] == "n":
                area, last, total = (int(str(part)) for part in name[1:])
                doors[area].setdefault(last, {})[total] = name
        after = [found[max(found)] if found else {} for found in doors]
        return tuple(
            {-d // 2: name for d, name in last.items() if d % 2 == 0} for last in after
        )

    def known(self, fact: Fact) -> bool:
        """Tell whether the formula speaks of a fact, and does not know it already."""
        if fact[0] == "mates":
            return True
        name = ("c", *fact[1:]) if fact[0] == "joined" else fact
        return name in self.formula.names and name not in self.formula.constants

    def _literal(self, fact: Fact) -> int:
        if fact[0] == "mates":
            return self.formula.var(*fact)
        if fact[0] == "joined":
            return self.formula.names["c", *fact[1:]]
        return -self.formula.names[fact]

    def core(self, facts: Collection[Fact]) -> frozenset[Fact] | None:
        """Return the facts that make the move impossible; None if it stays possible.

        None too after so many models that broke a statement, or many conflicts: then
        it is not known.
        """
        self.asked += 1
        number = {self._literal(fact): fact for fact in facts if self.known(fact)}
        lines = [_line(fact, x) for x, fact in number.items() if fact[0] == "mates"]
        for _ in range(_MODELS):
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=list(number))
            if answer is None:
                return None
            if not answer:
                return frozenset(number[x] for x in self._solver.get_core() or ())
            true = {x for x in self._solver.get_model() if x > 0}
            found = cuts(self.window, self.formula, true, lines)
            if not found:
                return None
            self.cut += 1
            for clause in found:
                self._solver.add_clause(clause)
        return None


def _line(fact: Fact, number: int) -> Line:
    spots: Any = fact[1:]
    a, one, b, two = spots
    return Line((a, b), (edge(a, one), edge(b, two)), number)


@lru_cache(maxsize=_QUESTIONS)
def question(ask: Ask) -> Question:
    """Return the one question of a kind; of many, those asked last are kept."""
    return Question(ask)
