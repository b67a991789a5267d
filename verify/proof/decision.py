"""Decide a window: its formula has no model, with a proof, or a model to show.

Solving and cutting alternate (`verify.proof.formula`). The end is a model that breaks
nothing, which the theorem cannot exclude, or a formula without a model (`search`). Then
a refutation is extracted (`refuted`) with the few clauses that it needs.

A formula for a few cells is solved quickly. If it has no model, no window with more
cells has one. So a window grows from the drawn cells, and later shrinks again to an
easier window. The cells that served one drawing mostly serve the next of the same rule.
Their *shape* is their place relative to the live end, or to the end of a marked line.
"""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from pysat.solvers import Solver

from heuristic.rules.drawing import Spot, box_around
from verify.proof.encoding import encode
from verify.proof.formula import Clause, Formula, Name, Scope, cuts
from verify.proof.refutation import Step, refutation
from verify.proof.window import ANY, LIVE, Window, neighbours, reached, rectangle

Shape: TypeAlias = frozenset[tuple[int, Spot]]  # number of the anchor, steps from it
Satisfiable: TypeAlias = list[frozenset[Spot]]  # cells of windows that have a model

HARDER = 2  # times the conflicts of an earlier proof: an easier window is searched
_CONFLICTS = 5000  # between two looks at the clock
_EASY = 150  # conflicts with which the proof is short enough
_EASY_AGAIN = 500  # the same for a shape that served before
_LARGER = 2  # larger parts that are tried
_LOOKED = 2000  # cells of all parts that are tried
_SAVED = 0.8  # times the conflicts of all poses, for one proof that serves them
_DETOUR = 3  # times the conflicts, on the way to an easier window
_PART = 0.7  # seconds for a part of a window


@dataclass(frozen=True, slots=True)
class NoModel:
    """A solver's report that a formula has no model, before there is a proof.

    - `window`: the part that was enough.
    - `formula`: with all cuts.
    - `conflicts`: of the solver, which predict the length of a proof.
    - `satisfiable`: parts that have a model.
    """

    window: Window
    formula: Formula
    conflicts: int
    satisfiable: Satisfiable


@dataclass(frozen=True, slots=True)
class Impossible:
    """A proof that a window's formula has no model.

    - `window`: the part that the formula speaks of.
    - `names`: variable i is called ``names[i - 1]``.
    - `clauses`: those that the refutation needs.
    - `steps`: see `verify.proof.refutation.proof_steps`.
    - `conflicts`: as for `NoModel`, of the window in one pose.
    - `wide`: whether it holds for all poses of the drawing.
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
    """The limit was reached first."""


Decision: TypeAlias = NoModel | Survivor | GaveUp


def search(
    window: Window, scope: Scope, seconds: float = 30.0, first: Sequence[Shape] = ()
) -> Decision:
    """Search for a model of the window's formula, for the boards of a scope.

    `seconds` limit the processor time; `first` are shapes of parts to try first.
    Milliseconds for pages of 4 x 4 cells, tenths of a second for 6 x 7.
    """
    until = time.process_time() + seconds
    decision: Decision = GaveUp()
    satisfiable: Satisfiable = []
    for part in growing(window, first) if scope.planar else widening(window):
        whole = part.seen == window.seen
        limit = until if whole else _soon(until)
        decision = _search_part(part, scope, limit, satisfiable) or decision
        if isinstance(decision, NoModel) or whole or time.process_time() > until:
            break
    return decision


def refuted(
    window: Window,
    decision: NoModel,
    earlier: Mapping[Shape, int],
    wide: Window | None = None,
    poses: int = 1,
) -> Impossible:
    """Return a proof that a window's formula has no model, as a search has reported.

    - `earlier`: conflicts of proofs of known shapes. No easier window is searched where
      such a proof does nearly as well.
    - `wide`: the window without a pose. If it has no model either, and is not much
      harder, it is the one that is proved.
    - `poses`: the number of poses that `wide` serves.

    Takes two or three times as long as the search.
    """
    scope = decision.formula.scope
    if scope.planar:
        before = earlier.get(shape_of(window, decision.window))
        enough = _EASY if before is None else max(_EASY_AGAIN, HARDER * before)
        if decision.conflicts > enough:
            decision = _easier(window, decision)
    conflicts = decision.conflicts
    less: Decision | None = None
    if wide is not None:
        most = max(_EASY, int(_SAVED * poses * conflicts))
        part = wide.part(decision.window.seen)
        less = _solve(part, scope, _soon(math.inf), [], most)
    if isinstance(less, NoModel):
        decision = less
    proof = proof_of_formula(decision.window, decision.formula)
    return replace(proof, conflicts=conflicts, wide=decision is less)


def proof_of_formula(window: Window, formula: Formula) -> Impossible:
    """Return a refutation of a window's formula, with the names that it needs."""
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
    """Return the time to give up on a part, since the next one may be easier."""
    return min(until, time.process_time() + _PART)


def _search_part(
    part: Window,
    scope: Scope,
    until: float,
    satisfiable: Satisfiable,
    most: int | None = None,
) -> Decision | None:
    """Search a part; None if a window that contains it has a model."""
    if any(part.seen <= other for other in satisfiable):
        return None
    decision = _solve(part, scope, until, satisfiable, most)
    if isinstance(decision, Survivor):
        satisfiable.append(part.seen)
    return decision


def _solve(
    window: Window,
    scope: Scope,
    until: float,
    satisfiable: Satisfiable,
    most: int | None,
) -> Decision:
    """Solve and cut until nothing breaks; give up at a time or after some conflicts."""
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
    """Return a part without a model that takes fewer conflicts, often a hundredth."""
    scope, left = best.formula.scope, min(_LOOKED, _LOOKED // 5 + best.conflicts)

    def tried(part: Window, most: int) -> NoModel | None:
        nonlocal left
        if best.conflicts <= _EASY or left <= 0:
            return None
        soon = _soon(math.inf)
        decision = _search_part(part, scope, soon, best.satisfiable, most)
        left -= len(part.seen) if decision else 0
        return decision if isinstance(decision, NoModel) else None

    size = len(best.window.seen)
    larger = (part for part in growing(window) if len(part.seen) > size)
    for part in islice(larger, _LARGER):
        best = tried(part, best.conflicts // _DETOUR) or best
    # Remove half of the cells, quarters, single ones, far ones first. Fewer are not
    # always easier, so the way may lead over harder parts.
    last, before = best, None
    block = len(best.window.seen)
    while block > 1 or before is not last:
        block, before = -(-block // 2), last
        order = sorted(
            last.window.seen - marked(window),
            key=lambda cell: (-abs(cell[0]) - abs(cell[1]), cell),
        )
        for at in range(0, len(order), block):
            cells = last.window.seen
            fewer = in_one_piece(window, cells.difference(order[at : at + block]))
            if len(fewer) < len(cells):
                last = tried(window.part(fewer), _DETOUR * best.conflicts) or last
                best = min(last, best, key=lambda decision: decision.conflicts)
    return best


def marked(window: Window) -> frozenset[Spot]:
    """Return the live end and the marked cells, which every planar window has."""
    return frozenset({LIVE}).union(*(area.cells for area in window.areas))


def _anchors(window: Window) -> list[Spot]:
    return [LIVE, *(area.cells[-1] for area in window.areas)]


def shape_of(window: Window, part: Window) -> Shape:
    """Return the shape of a part, by which a similar window gets a similar part."""
    shape, anchors = set(), _anchors(window)
    for row, col in part.seen - marked(window):
        steps = [(row - r, col - c) for r, c in anchors]
        nearest = min(steps, key=lambda step: max(abs(step[0]), abs(step[1])))
        shape.add((steps.index(nearest), nearest))
    return frozenset(shape)


def growing(window: Window, first: Iterable[Shape] = ()) -> Iterator[Window]:
    """Yield parts of a window: the given shapes, then small parts, at last the whole.

    Small parts are the drawn cells with cells around, and rectangles.
    """
    seen, anchors = set(), _anchors(window)
    for shape in first:
        if all(i < len(anchors) for i, _ in shape):
            cells = {(anchors[i][0] + r, anchors[i][1] + c) for i, (r, c) in shape}
            piece = in_one_piece(window, marked(window) | cells)
            if piece not in seen:
                seen.add(piece)
                yield window.part(piece)
    parts = [window.part(cells) for cells in {*_around(window)} - seen]
    parts += [part for part in _rectangles(window) if part != window]
    yield from sorted(parts, key=lambda part: len(part.seen) + len(part.ports()))
    yield window


def widening(window: Window) -> Iterator[Window]:
    """Yield the cells next to marked ones, then the whole: without planarity."""
    if not window.away:
        part = window.part(marked(window).union(*map(neighbours, marked(window))))
        if part.seen < window.seen:
            yield part
    yield window


def _around(window: Window) -> Iterator[frozenset[Spot]]:
    """Yield the drawn cells alone, with cells between them, with cells next to them."""
    drawn = {cell for cell in window.seen if window.state(cell) != ANY}
    across, along = _between(drawn, 0), _between(drawn, 1)
    near = set[Spot]().union(*map(neighbours, {LIVE} | (drawn - marked(window))))
    wide = near | {(row, col + d) for row, col in near for d in (-1, 1)}
    for more in (set[Spot](), across & along, across | along, near, wide):
        yield in_one_piece(window, marked(window) | drawn | more)


def _between(cells: set[Spot], axis: int) -> set[Spot]:
    """Return the cells between two of them in a row (axis 0) or column (axis 1)."""
    between = set[Spot]()
    for line in {cell[axis] for cell in cells}:
        between |= rectangle(*box_around([x for x in cells if x[axis] == line]))
    return between


def _rectangles(window: Window) -> Iterator[Window]:
    """Yield rectangles that grow where most cells are drawn, or to all sides."""
    part = window.part(rectangle(*box_around(marked(window))))
    yield part
    while part.seen != window.seen:
        best, most = part, 0
        for side in range(4):
            box = list(part.box)
            box[side] += -1 if side < 2 else 1
            larger = window.part(rectangle(*box))
            new = larger.seen - part.seen
            drawn = sum(window.state(cell) != ANY for cell in new)
            if drawn > most:
                best, most = larger, drawn
        if not most:
            top, left, bottom, right = part.box
            best = window.part(rectangle(top - 1, left - 1, bottom + 1, right + 1))
        part = best
        yield part


def in_one_piece(window: Window, cells: Set[Spot]) -> frozenset[Spot]:
    """Return cells of the window, joined by shortest ways and with holes filled.

    The live end must be among them.
    """
    cells = {*window.seen & cells}
    while True:
        piece = reached([LIVE], lambda cell: cells.intersection(neighbours(cell)))
        if piece == cells:
            break
        cells.update(_way(window, piece, cells - piece))
    top, left, bottom, right = box_around(cells)
    box = rectangle(top - 1, left - 1, bottom + 1, right + 1)
    empty = box - cells

    def around(cell: Spot) -> frozenset[Spot]:
        row, col = cell
        return empty & rectangle(row - 1, col - 1, row + 1, col + 1)

    outside = reached([(top - 1, left - 1)], around)
    return box - outside


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
