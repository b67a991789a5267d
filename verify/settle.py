"""Settle a window: no model, with a DRAT proof, or a model that shows what is missing.

Solving and cutting in turns (`verify.cuts`) ends with a model that breaks nothing, the
local configuration that the theorem cannot exclude, or with a formula that has no
model: that decides (`decide`). For a proof (`settle`) only the clauses that the
refutation needs are kept, and a second solver writes a proof of those.
"""

import time
from dataclasses import dataclass
from typing import TypeAlias

from verify.cuts import cuts
from verify.growth import Box, Margins, box_of, growing, least_box, margins_of
from verify.view import Window
from verify.window import TRUE, Clause, Formula, Name, Scope, encode

_CONFLICTS = 5000  # between two looks at the clock
_SEARCH, _CORE, _PROOF = "minisat22", "glucose4", "cadical153"
_CORE_CONFLICTS = 20_000
_SWITCHES = 1500  # more would slow the solver down
_CROPPING = 0.1  # seconds, and as long as the finding took


@dataclass(frozen=True, slots=True)
class NoModel:
    """The window's formula has no model, a solver says; there is no proof yet.

    Attributes
    ----------
    window : Window
        The part that did.
    formula : Formula
        With all cuts that were needed.
    """

    window: Window
    formula: Formula

    @property
    def scope(self) -> Scope:
        """The boards it speaks of."""
        return self.formula.scope

    @property
    def box(self) -> Box:
        """The rectangle of cells that the formula speaks of."""
        return box_of(self.window)


@dataclass(frozen=True, slots=True)
class Impossible:
    """The window's formula has no model.

    Attributes
    ----------
    scope : Scope
        The boards it speaks of.
    box : (top, left, bottom, right)
        The rectangle of cells that the formula speaks of.
    names : tuple of names
        Variable i is called ``names[i - 1]``.
    clauses : tuple of clauses
        Those that the refutation needs.
    drat : tuple of str
        Lines of the proof.
    """

    scope: Scope
    box: Box
    names: tuple[Name, ...]
    clauses: tuple[Clause, ...]
    drat: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survivor:
    """A local configuration that the theorem does not exclude: the names that hold."""

    scope: Scope
    window: Window
    true: frozenset[Name]


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The time limit came first."""

    scope: Scope


Outcome: TypeAlias = Impossible | Survivor | GaveUp
Decision: TypeAlias = NoModel | Survivor | GaveUp


def settle(
    window: Window,
    scope: Scope,
    *,
    seconds: float = 30.0,
    first: Margins | None = None,
) -> Outcome:
    """Decide the window's formula for the boards of a scope, and prove it if it can.

    Parameters
    ----------
    window : Window
    scope : Scope
    seconds : float
        Limit, in seconds of processor time.
    first : Margins, optional
        How far around the marked cells to look first: what did for a like window.

    Notes
    -----
    Milliseconds for pages of 4 x 4 cells, tenths of a second for 6 x 7.
    """
    began = time.process_time()
    found = decide(window, scope, seconds=seconds, first=first)
    if not isinstance(found, NoModel):
        return found
    part, formula = found.window, found.formula
    if scope.planar and margins_of(window, box_of(part)) != first:
        spent = time.process_time() - began
        until = time.process_time() + min(seconds, spent + _CROPPING)
        part, formula = _crop(part, formula, until)
    return _proof_of(part, formula)


def decide(
    window: Window,
    scope: Scope,
    *,
    seconds: float = 30.0,
    first: Margins | None = None,
) -> Decision:
    """Decide the window's formula as `settle` does, but write no proof.

    For where only the answer counts: it takes a third to a half of the time.
    """
    until = time.process_time() + seconds
    found: Formula | Survivor | GaveUp = GaveUp(scope)
    for part in growing(window, first) if scope.planar else [window]:
        found = _search(part, scope, until)
        if isinstance(found, Formula):
            return NoModel(part, found)
        if isinstance(found, GaveUp) or box_of(part) == box_of(window):
            break  # what the whole window leaves possible, no part of it excludes
    assert not isinstance(found, Formula)
    return found


def _search(window: Window, scope: Scope, until: float) -> Formula | Survivor | GaveUp:
    """Solve and cut in turns; return the formula once it has no model."""
    from pysat.solvers import Solver

    formula = encode(window, scope)
    if () in formula.clauses:
        return formula
    with Solver(name=_SEARCH, bootstrap_with=formula.clauses) as solver:
        while True:
            solver.conf_budget(_CONFLICTS)
            answer = solver.solve_limited()
            if answer is False:
                return formula
            if time.process_time() > until:
                return GaveUp(scope)
            if answer is None:
                continue
            true = {number for number in solver.get_model() if number > 0}
            found = cuts(window, formula, true)
            if not found:
                return Survivor(scope, window, _names_of(formula, true))
            for clause in found:
                solver.add_clause(clause)
            formula.clauses += found


def _crop(window: Window, formula: Formula, until: float) -> tuple[Window, Formula]:
    """Make the window smaller, side by side, while the formula has no model.

    Proofs shrink tenfold: what makes a move impossible is mostly a few cells.
    """
    limits = least_box(window)
    box = list(box_of(window))
    for side in (2, 3, 0, 1):
        while box[side] != limits[side] and time.process_time() < until:
            trial = box.copy()
            trial[side] += 1 if side < 2 else -1
            smaller = window.cropped(*trial)
            found = _search(smaller, formula.scope, until)
            if not isinstance(found, Formula):
                break
            box, window, formula = trial, smaller, found
    return window, formula


def _names_of(formula: Formula, true: set[int]) -> frozenset[Name]:
    known = {name for name, number in formula.constants.items() if number == 1}
    return frozenset(
        known | {n for n, number in formula.names.items() if number in true}
    )


def _core(clauses: list[Clause]) -> list[Clause]:
    """Return clauses that have no model already; fewer, not the fewest.

    Clauses are switched in blocks, and what is left in smaller ones: a switch for each
    of ten thousand clauses would take minutes.
    """
    from pysat.solvers import Solver

    if () in clauses:
        return [()]
    kept = [clause for clause in clauses if clause != (TRUE,)]
    top = max(max(map(abs, clause)) for clause in kept) + 1
    block = 0
    while block != 1:
        smaller = -(-len(kept) // _SWITCHES)
        if block and smaller >= block:
            break
        block = smaller
        with Solver(name=_CORE) as solver:
            for i, clause in enumerate(kept):
                solver.add_clause((*clause, -top - i // block))
            switches = range(top, top + (len(kept) - 1) // block + 1)
            solver.conf_budget(_CORE_CONFLICTS)
            if solver.solve_limited(assumptions=list(switches)) is None:
                break
            used = {x - top for x in solver.get_core()}
        kept = [clause for i, clause in enumerate(kept) if i // block in used]
    return kept


def _proof_of(window: Window, formula: Formula) -> Impossible:
    """Renumber the variables of the core and have it refuted once more."""
    from pysat.solvers import Solver

    clauses = _core(formula.clauses)
    used = sorted({abs(x) for clause in clauses for x in clause})
    number = {old: new for new, old in enumerate(used, 1)}
    called = {old: name for name, old in formula.names.items()}
    small = [
        tuple(number[x] if x > 0 else -number[-x] for x in clause) for clause in clauses
    ]
    drat: tuple[str, ...] = ("0",)
    if () not in small:
        with Solver(name=_PROOF, bootstrap_with=small, with_proof=True) as solver:
            assert not solver.solve(), "the core has a model"
            drat = tuple(solver.get_proof())
    return Impossible(
        formula.scope,
        box_of(window),
        tuple(called[old] for old in used),
        tuple(small),
        drat,
    )
