"""Settle a window: no model, with a proof, or a model that shows what is missing.

Solving and cutting in turns (`verify.proof.formula`) ends with a model that breaks
nothing, the local configuration that the theorem cannot exclude, or with a formula that
has no model: that decides (`search`). For a proof (`refuted`) only the clauses that the
refutation needs are kept, with a proof of those (`verify.proof.refutation`).

A formula for a few cells is quickly settled, and when it has no model, neither has any
with more of them. So a window grows from what is drawn, and then loses cells again. The
cells that served one drawing mostly serve the next of the same rule: they are described
by a *shape*, the cells beside the marked ones, each by where it lies from the live end
or from the end of a marked line.
"""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TypeAlias

from pysat.solvers import Solver

from heuristic.rules.drawing import Spot, box_around
from verify.proof.encoding import encode
from verify.proof.formula import Clause, Formula, Name, Scope, cuts
from verify.proof.refutation import Step, refutation
from verify.proof.window import ANY, LIVE, Window, neighbours, reached

Shape: TypeAlias = frozenset[tuple[int, Spot]]  # number of the anchor, steps from it

MUCH = 2  # times as many conflicts as a known shape ended with: look again
_CONFLICTS = 5000  # between two looks at the clock
_EASY, _HARD = 150, 500  # conflicts: the proof is short; a known shape may do badly
_LARGER = 2  # parts that are larger: mostly they are harder too
_LOOKED = 2000  # cells of parts that may be easier, all together
_SAVED = 0.8  # times as many conflicts, for one proof instead of several
_HARDER = 3  # times as many conflicts, on the way to fewer
_PART = 0.7  # seconds for a part of a window


@dataclass(frozen=True, slots=True)
class NoModel:
    """The window's formula has no model, a solver says; there is no proof yet.

    - `window`: the part that was enough.
    - `formula`: with all cuts that were needed.
    - `conflicts`: of the solver on its way: how hard it was, and how long a proof will
      be.
    - `satisfiable`: cells of parts that have a model.
    """

    window: Window
    formula: Formula
    conflicts: int
    satisfiable: "Satisfiable"


@dataclass(frozen=True, slots=True)
class Impossible:
    """The window's formula has no model.

    - `scope`: the boards it speaks of.
    - `window`: the part that the formula speaks of, in one piece without holes.
    - `names`, tuple of names: variable i is called ``names[i - 1]``.
    - `clauses`, tuple of clauses: those that the refutation needs.
    - `steps`, tuple of (lemma, numbers): lemmas, each with the clauses it follows from:
      `verify.proof.refutation.follow`.
    - `conflicts`: as for `NoModel`, before the window was made to serve several poses.
    - `wide`: whether it needs no more than what the drawing says in each of its poses.
    """

    scope: Scope
    window: Window
    names: tuple[Name, ...]
    clauses: tuple[Clause, ...]
    steps: tuple[Step, ...]
    conflicts: int = 0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Survivor:
    """A local configuration that the theorem does not exclude: the names that hold."""

    window: Window
    true: frozenset[Name]


class GaveUp:
    """The time limit came first."""


Decision: TypeAlias = NoModel | Survivor | GaveUp
Satisfiable: TypeAlias = list[frozenset[Spot]]


def search(
    window: Window, scope: Scope, seconds: float = 30.0, first: Sequence[Shape] = ()
) -> Decision:
    """Search for a model of the window's formula, for the boards of a scope.

    - `seconds`: limit, in seconds of processor time.
    - `first`: which cells beside the marked ones to look at first.

    Milliseconds for pages of 4 x 4 cells, tenths of a second for 6 x 7.
    """
    until = time.process_time() + seconds
    decision: Decision = GaveUp()
    satisfiable: Satisfiable = []
    for part in growing(window, first) if scope.planar else widening(window):
        whole = len(part.cells()) == len(window.cells())
        limit = until if whole else _soon(until)
        decision = _look(part, scope, limit, satisfiable) or decision
        if isinstance(decision, NoModel) or whole or time.process_time() > until:
            break
    return decision


def refuted(
    window: Window,
    decision: NoModel,
    *,
    ended: Mapping[Shape, int] | None = None,
    wide: Window | None = None,
    poses: int = 1,
) -> Impossible:
    """Return a proof that a window's formula has no model, from a search that says so.

    - `ended`, dict of Shape to int: conflicts of the proofs of known shapes: no easier
      part is looked for where one of them does as well.
    - `wide`, Window: the same with less knowledge: if that will do, and is not much
      harder, it is what is proved.
    - `poses`: how many windows that would settle.

    Takes two or three times as long as the search.
    """
    if decision.formula.scope.planar:
        before = ended.get(shape_of(window, decision.window)) if ended else None
        enough = _EASY if before is None else max(_HARD, MUCH * before)
        if decision.conflicts > enough:
            decision = _easier(window, decision)
    conflicts = decision.conflicts
    less: Decision | None = None
    if wide is not None:
        most = max(_EASY, int(_SAVED * poses * conflicts))
        part = wide.part(decision.window.cells())
        less = _solve(part, decision.formula.scope, _soon(math.inf), [], most)
    if isinstance(less, NoModel):
        decision = less
    proof = proof_of_formula(decision.window, decision.formula)
    return replace(proof, conflicts=conflicts, wide=decision is less)


def proof_of_formula(window: Window, formula: Formula) -> Impossible:
    """Return a refutation of a window's formula, over the names that it needs."""
    clauses, steps = refutation(formula.clauses)
    used = sorted({abs(x) for clause in clauses for x in clause})
    number = {old: new for new, old in enumerate(used, 1)}
    signed = number | {-old: -new for old, new in number.items()}
    names = {old: name for name, old in formula.names.items()}

    def renumbered(clause: Clause) -> Clause:
        return tuple(signed[x] for x in clause)

    return Impossible(
        formula.scope,
        window,
        tuple(names[old] for old in used),
        tuple(map(renumbered, clauses)),
        tuple((renumbered(lemma), numbers) for lemma, numbers in steps),
    )


def _soon(until: float) -> float:
    """Return when to give up on a part: the next one may be easier."""
    return min(until, time.process_time() + _PART)


def _look(
    part: Window,
    scope: Scope,
    until: float,
    satisfiable: Satisfiable,
    most: int | None = None,
) -> Decision | None:
    """Search a part; None if one that holds it is known to have a model."""
    cells = frozenset(part.cells())
    if any(cells <= other for other in satisfiable):
        return None
    decision = _solve(part, scope, until, satisfiable, most)
    if isinstance(decision, Survivor):
        satisfiable.append(cells)
    return decision


def _solve(
    window: Window,
    scope: Scope,
    until: float,
    satisfiable: Satisfiable,
    most: int | None,
) -> Decision:
    """Solve and cut in turns, until there is no model or nothing to cut.

    Gives up at a time, and after so many conflicts.
    """
    formula = encode(window, scope)
    if () in formula.clauses:
        return NoModel(window, formula, 0, satisfiable)
    conflicts = 0
    with Solver(name="minisat22", bootstrap_with=formula.clauses) as solver:
        while True:
            solver.conf_budget(_CONFLICTS if most is None else most + 1 - conflicts)
            answer = solver.solve_limited()
            conflicts = solver.accum_stats()["conflicts"]
            if answer is False:
                return NoModel(window, formula, conflicts, satisfiable)
            if time.process_time() > until or (most is not None and conflicts > most):
                return GaveUp()
            if answer is None:
                continue
            true = {number for number in solver.get_model() if number > 0}
            broken = cuts(window, formula, true)
            if not broken:
                named = formula.names | formula.constants
                names = (name for name, number in named.items() if number in true)
                return Survivor(window, frozenset(names))
            for clause in broken:
                solver.add_clause(clause)
            formula.clauses += broken


def _easier(window: Window, best: NoModel) -> NoModel:
    """Look for a part that is settled with fewer conflicts: proofs are as long.

    Larger parts first. Then cells are left out of the best one, half of them, quarters,
    single ones, far ones first. What makes a move impossible is mostly a few cells, and
    proofs shrink up to a hundredfold. But fewer cells are not always easier, and the
    way there may lead over harder parts. The more is to be saved the more parts are
    tried.
    """
    scope, left = best.formula.scope, min(_LOOKED, _LOOKED // 5 + best.conflicts)

    def tried(part: Window, most: int) -> NoModel | None:
        nonlocal left
        if best.conflicts <= _EASY or left <= 0:
            return None
        decision = _look(part, scope, _soon(math.inf), best.satisfiable, most)
        left -= len(part.cells()) if decision else 0
        return decision if isinstance(decision, NoModel) else None

    size = len(best.window.cells())
    larger = (part for part in growing(window) if len(part.cells()) > size)
    for part in islice(larger, _LARGER):
        best = tried(part, best.conflicts // _HARDER) or best
    last, before = best, None
    block = len(best.window.cells())
    while block > 1 or before is not last:
        block, before = -(-block // 2), last
        order = sorted(
            set(last.window.cells()) - marked(window),
            key=lambda cell: (-abs(cell[0]) - abs(cell[1]), cell),
        )
        for at in range(0, len(order), block):
            cells = set(last.window.cells())
            fewer = in_one_piece(window, cells.difference(order[at : at + block]))
            if len(fewer) < len(cells):
                last = tried(window.part(fewer), _HARDER * best.conflicts) or last
                best = min(last, best, key=lambda decision: decision.conflicts)
    return best


def marked(window: Window) -> set[Spot]:
    """Return the cells that every planar formula speaks of: live end, marked cells."""
    return {LIVE}.union(*(area.cells for area in window.areas))


def _anchors(window: Window) -> list[Spot]:
    return [LIVE, *(area.cells[-1] for area in window.areas)]


def shape_of(window: Window, part: Window) -> Shape:
    """Return which cells are looked at, so that a like window can do the same."""
    shape = set()
    for row, col in set(part.cells()) - marked(window):
        steps = [(row - r, col - c) for r, c in _anchors(window)]
        nearest = min(steps, key=lambda step: max(abs(step[0]), abs(step[1])))
        shape.add((steps.index(nearest), nearest))
    return frozenset(shape)


def growing(window: Window, first: Iterable[Shape] = ()) -> Iterator[Window]:
    """Yield parts of a window: the shapes given, then from small ones on to the whole.

    What is drawn and what touches it, and rectangles from the least one on: a side
    grows when the row or column beyond it holds most that is drawn, all sides when
    nothing drawn is left outside.
    """
    seen = set()
    for cells in _placed(window, first):
        if cells not in seen:
            seen.add(cells)
            yield window.part(cells)
    parts = [window.part(cells) for cells in {*_around(window)} - seen]
    parts += [part for part in _rectangles(window) if part != window]
    yield from sorted(parts, key=lambda part: len(part.cells()) + len(part.ports()))
    yield window


def widening(window: Window) -> Iterator[Window]:
    """Yield what touches the marked cells, then the whole: where no rim is needed."""
    if not window.away:
        near = {x for cell in marked(window) for x in neighbours(cell)} | marked(window)
        part = window.part(filter(window.holds, near))
        if len(part.cells()) < len(window.cells()):
            yield part
    yield window


def _placed(window: Window, shapes: Iterable[Shape]) -> Iterator[frozenset[Spot]]:
    anchors = _anchors(window)
    for shape in shapes:
        if all(i < len(anchors) for i, _ in shape):
            cells = {(anchors[i][0] + r, anchors[i][1] + c) for i, (r, c) in shape}
            yield in_one_piece(window, marked(window) | cells)


def _around(window: Window) -> Iterator[frozenset[Spot]]:
    """Yield what is drawn, with cells between, with cells that touch it."""
    drawn = {cell for cell in window.cells() if window.state(cell) != ANY}
    across, along = _between(drawn, 0), _between(drawn, 1)
    beside = {LIVE} | (drawn - marked(window))
    near = {x for cell in beside for x in neighbours(cell)}
    wide = near | {(row, col + d) for row, col in near for d in (-1, 1)}
    for more in (set[Spot](), across & along, across | along, near, wide):
        yield in_one_piece(window, marked(window) | drawn | more)


def _between(cells: set[Spot], axis: int) -> set[Spot]:
    """Return what lies between two of the cells in a row (axis 0) or column (1)."""
    between = set[Spot]()
    for line in {cell[axis] for cell in cells}:
        between.update(_box(*box_around([x for x in cells if x[axis] == line])))
    return between


def _box(top: int, left: int, bottom: int, right: int) -> Iterator[Spot]:
    return product(range(top, bottom + 1), range(left, right + 1))


def _rectangles(window: Window) -> Iterator[Window]:
    part = window.cropped(*box_around(marked(window)))
    yield part
    while part.box != window.box:
        best, most = part, 0
        for side in range(4):
            box = list(part.box)
            box[side] += -1 if side < 2 else 1
            larger = window.cropped(*box)
            new = set(larger.cells()) - set(part.cells())
            drawn = sum(window.state(cell) != ANY for cell in new)
            if drawn > most:
                best, most = larger, drawn
        if not most:
            top, left, bottom, right = part.box
            best = window.cropped(top - 1, left - 1, bottom + 1, right + 1)
        part = best
        yield part


def in_one_piece(window: Window, cells: set[Spot]) -> frozenset[Spot]:
    """Return the cells of the window in one piece: with ways between them, no holes.

    The live end must be one of them.
    """
    cells = {cell for cell in cells if window.holds(cell)}
    while True:
        piece = reached([LIVE], lambda cell: cells.intersection(neighbours(cell)))
        if piece == cells:
            break
        cells.update(_way(window, piece, cells - piece))
    top, left, bottom, right = box_around(cells)
    box = set(_box(top - 1, left - 1, bottom + 1, right + 1))

    empty = box - cells

    def around(cell: Spot) -> set[Spot]:
        row, col = cell
        return empty.intersection(_box(row - 1, col - 1, row + 1, col + 1))

    outside = reached([(top - 1, left - 1)], around)
    return frozenset(box - outside)


def _way(window: Window, piece: set[Spot], others: set[Spot]) -> list[Spot]:
    """Return a shortest way from a piece to the nearest other cell."""
    ways, seen = deque([cell] for cell in sorted(piece)), set(piece)
    while True:
        way = ways.popleft()
        if way[-1] in others:
            return way
        for other in neighbours(way[-1]):
            if window.holds(other) and other not in seen:
                seen.add(other)
                ways.append([*way, other])
