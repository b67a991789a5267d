"""One formula for all drawings of a kind: what they know is assumed, not written.

The formula of `verify.proof.window` is built for a window of which nothing is known but
the forbidden move. What a drawing knows of a cell is that it is *not* something: free,
visited, outside, the end; what it knows of its area is that the doors do *not* come to
some sums. Each such *fact* is the negation of a variable that the formula has already,
so it is assumed. One solver answers for every gap of a board and every drawing, and
keeps its cuts and what it learned. The facts that it needed to say no, the *core*, are
a drawing.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias
from weakref import finalize

from heuristic.language.drawing import AreaSpec
from verify.discovery.rim import assume_rim
from verify.proof.cuts import cuts
from verify.proof.formula import Formula, Name, Scope
from verify.proof.view import (
    FREE,
    LIVE,
    OUT,
    VISITED,
    Area,
    Spot,
    Window,
    area_of,
    neighbours,
    rc,
)
from verify.proof.window import encode

Fact: TypeAlias = Name  # the variable of that name is false

BEHIND: Spot = (1, 0)
_SOLVER = "minisat22"
_CONFLICTS = 20_000  # of one answer
_MODELS = 20  # that are cut before a question is given up


@dataclass(frozen=True, slots=True)
class Ask:
    """Which formula is asked: the move, how far it looks, the boards, the area if any.

    Attributes
    ----------
    move : int
        0 or 3 of `verify.proof.view.STEPS`: straight on or to the left.
    radius : int
        Cells each way; from the live end, or beyond live end and line of the area.
    scope : Scope
    area : AreaSpec, optional
        Its line; its condition is no part of the formula.
    """

    move: int
    radius: int
    scope: Scope
    area: AreaSpec | None = None

    def window(self) -> Window:
        """Return the window, in which nothing is known but move and line."""
        target = neighbours(LIVE)[self.move]
        states = {target: FREE, BEHIND: VISITED}
        near = [LIVE]
        areas: tuple[Area, ...] = ()
        if self.area is not None:
            area = area_of(self.area, BEHIND)
            areas = (area,)
            for cell in area.line:
                states[cell] = FREE
            for at in (self.area.base, self.area.wall):
                if rc(at) != LIVE:
                    states[rc(at)] = states.get(rc(at), VISITED | OUT)
            near += [*area.line, *states]
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

    def _sums(self) -> dict[int, Fact]:
        """Return the variables of the area's surplus, by surplus."""
        found: dict[int, dict[int, Fact]] = {}
        for name in self.formula.names:
            if name[:2] == ("n", 0):
                _, _, last, total = name
                found.setdefault(int(str(last)), {})[int(str(total))] = name
        if not found:
            return {}
        return {-d // 2: name for d, name in found[max(found)].items() if d % 2 == 0}

    def known(self, fact: Fact) -> bool:
        """Tell whether the formula speaks of a fact, and does not know it already."""
        return fact in self.formula.names and fact not in self.formula.constants

    def core(
        self, facts: Collection[Fact], models: int = _MODELS
    ) -> frozenset[Fact] | None:
        """Return the facts that make the move impossible; None if it stays possible.

        None too after so many models that broke a statement, or many conflicts: then
        it is not known.
        """
        self.asked += 1
        number = {-self.formula.names[fact]: fact for fact in facts if self.known(fact)}
        for _ in range(models):
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=list(number))
            if answer is None:
                return None
            if not answer:
                return frozenset(number[x] for x in self._solver.get_core() or ())
            true = {x for x in self._solver.get_model() if x > 0}
            found = cuts(self.window, self.formula, true)
            if not found:
                return None
            self.cut += 1
            for clause in found:
                self._solver.add_clause(clause)
        return None


@cache
def question(ask: Ask) -> Question:
    """Return the one question of a kind."""
    return Question(ask)
