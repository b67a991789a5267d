"""Bounds of distance families member by member, each by proofs of its own window.

The surplus is white cells less black ones. The formula of a window has a variable for
each surplus; a question assumes that the others are not. The window is the cells near
what is drawn: without planarity it may have any shape.
"""

import json
import re
from dataclasses import replace
from typing import TypeAlias

from pysat.solvers import Solver

from heuristic.rules.drawing import (
    POSE_NAMES,
    POSES,
    CellState,
    Drawing,
    Kind,
    RuleSpec,
)
from verify.checker.family import Chain, read_family
from verify.proof.encoding import encode, surpluses
from verify.proof.families import (
    every_distance,
    member,
    places,
    steps_of,
)
from verify.proof.formula import Scope, cuts
from verify.proof.window import LIVE, Window, from_drawing, neighbours

# The next step, and the side from which the walk comes if not from below.
_CW, _CCW = POSES["CW"], POSES["CCW"]
WAYS = {
    "straight": (POSES["NONE"], (-1, 0)),
    "left": (POSES["NONE"], (0, -1)),
    "right": (POSES["NONE"], (0, 1)),
    "straight from the right": (_CW, (-1, 0)),
    "left from the right": (_CW, (0, -1)),
    "behind from the right": (_CW, (1, 0)),
    "straight from the left": (_CCW, (-1, 0)),
    "right from the left": (_CCW, (0, 1)),
    "behind from the left": (_CCW, (1, 0)),
}
Bounds: TypeAlias = tuple[int, int] | None  # None: no completion begins so
Found: TypeAlias = dict[tuple[int, ...], dict[str, Bounds]]


def scope_of(drawing: Drawing) -> Scope:
    """Return the boards that bounds speak of: every one, if the wall is visited.

    A wall outside the board shuts the area off only on boards of `Scope.RIM`.
    """
    wall = drawing.need(drawing.areas[0].wall).states
    return Scope.PLAIN if wall == CellState.VISITED else Scope.RIM


def near(window: Window) -> Window:
    """Return the window's cells within two steps of what is drawn."""
    cells = {LIVE, *window.states}
    for _ in range(2):
        cells.update(other for cell in tuple(cells) for other in neighbours(cell))
    return window.part(cells)


def bounds_of(window: Window, scope: Scope) -> Bounds:
    """Return the lowest and highest surplus of the area that the formula allows."""
    formula = encode(window, scope)
    number = {
        surplus: formula.names[name]
        for surplus, name in surpluses(formula, window, 0).items()
    }
    with Solver(name="minisat22", bootstrap_with=formula.clauses) as solver:

        def possible(surplus: int) -> bool:
            others = [-x for other, x in number.items() if other != surplus]
            while solver.solve(assumptions=others):
                true = {x for x in solver.get_model() if x > 0}
                broken = cuts(window, formula, true)
                if not broken:
                    return True
                solver.append_formula(broken)
            return False

        low = next(filter(possible, sorted(number)), None)
        if low is None:
            return None
        return low, next(filter(possible, sorted(number, reverse=True)))


def bounds(drawing: Drawing, way: str) -> Bounds:
    window = from_drawing(drawing, *WAYS[way])
    assert window is not None
    return bounds_of(near(window), scope_of(drawing))


def find_bounds(name: str, most: int) -> Found:
    """Prove the bounds of all members up to a distance, one by one."""
    of = {place: member(name, place) for place in places(name, most)}
    return {at: {w: bounds(d, w) for w in WAYS} for at, d in of.items()}


def bounds_by_chains(name: str, most: int) -> Found:
    """Return the bounds that a family's certificate proves, up to a distance."""
    family = read_family(json.loads(json.dumps(every_distance(name))))
    found: Found = {}
    for place in places(name, most):
        steps = steps_of(member(name, place))
        found[place] = {}
        for way, (turn, move) in WAYS.items():
            chains = family.ways()[POSE_NAMES[turn], move]
            low, high = next(filter(None, (of_chain(one, steps) for one in chains)))
            found[place][way] = (low, high) if low <= high else None
    return found


def of_chain(chain: Chain, steps: str) -> tuple[int, int] | None:
    """Return the bounds that a chain gives for a drawing, None if it gives none."""
    words = "".join(f"((?:{w})*)" if often else w for w, often in chain.words)
    match = re.fullmatch(words, steps)
    if match is None:
        return None
    repeats = [word for word, often in chain.words if often]
    times = [len(x) // len(w) for x, w in zip(match.groups(), repeats, strict=True)]
    low, high = (
        first + sum(a * b for a, b in zip(more, times, strict=True))
        for first, *more in chain.bounds
    )
    return low, high


def as_rule(drawing: Drawing, found: dict[str, Bounds]) -> RuleSpec:
    """Return the rule that forbids each way with a surplus beyond its bounds."""
    (area,), drawings = drawing.areas, []
    for way, known in found.items():
        turn, move = WAYS[way]
        if known is not None:
            area = replace(area, kind=Kind.BEYOND, low=known[0], high=known[1])
        drawings.append(
            replace(drawing, areas=(area,), forbidden=(move,), turns=(turn,))
        )
        (area,) = drawing.areas
    return RuleSpec(drawing.text, "sound", "a double", "bounds", tuple(drawings))
