"""Naive doubles of rule matching: sets of cells and complex numbers, no tables.

An offset (left, ahead) is the complex number ahead * i - left: right and up the page.
"""

import cmath
from collections.abc import Callable, Iterator, Sequence

from heuristic.rules.drawing import (
    AreaSpec,
    CellState,
    Drawing,
    Frame,
    Kind,
    RuleSpec,
    Spot,
)
from solver.board import LETTERS, Board, Position, Symmetry
from tests.doubles.forced import forced_edges, is_dead, mates_of

_TURNED = {
    Symmetry.IDENTITY: 1,
    Symmetry.ROTATE_RIGHT: -1j,
    Symmetry.ROTATE_LEFT: 1j,
    Symmetry.ROTATE_HALF: -1,
}
_HEADING = {"U": 1, "R": -1j, "D": -1, "L": 1j}
_CENTRE = Board.square(801)


def number(at: Spot) -> complex:
    return complex(at[1], -at[0])


def layouts(drawing: Drawing, heading: str) -> Iterator[dict[Spot, complex]]:
    """Yield, for each way to lay the drawing, where every cell lands: right, up."""
    offsets = [*drawing.forbidden, *(need.at for need in drawing.needs)]
    for area in drawing.areas:
        offsets += [*beside(area, "left"), *beside(area, "right")]
    if drawing.frame is Frame.HEADING:
        for turn in drawing.turns:
            for mirrored in {False, drawing.mirror}:
                landed = {}
                for at in offsets:
                    z = number(at) * _TURNED[turn]
                    z = -z.conjugate() if mirrored else z
                    landed[at] = z * _HEADING[heading]
                yield landed
        return
    middle = _CENTRE.cells // 2
    for symmetry in drawing.turns:

        def land(z: complex, symmetry: object = symmetry) -> complex:
            cell = middle + int(z.real) - 801 * int(z.imag)
            image = symmetry.cell(_CENTRE, cell)  # type: ignore[attr-defined] # in the board frame
            down, right = image // 801 - 400, image % 801 - 400
            return complex(right, -down)

        if land(_HEADING[LETTERS[drawing.heading]] * 1j) == _HEADING[heading] * 1j:
            yield {at: land(number(at)) for at in offsets}


def beside(area: AreaSpec, side: str) -> set[Spot]:
    """Return the cells on one side of the line, by the angles at its bends."""
    line = [area.base, *area.cells, area.wall]
    found = set()
    for k in range(1, len(line) - 1):
        here, before, after = (number(line[j]) for j in (k, k - 1, k + 1))

        def angle(z: complex, zero: complex = after - here) -> float:
            return round(cmath.phase(z / zero) % (2 * cmath.pi), 6)

        for step, at in ((1j, (-1, 0)), (-1j, (1, 0)), (1, (0, 1)), (-1, (0, -1))):
            turned = angle(step)
            if side == "left":
                good = 0 < turned < angle(before - here)
            else:
                good = turned > angle(before - here)
            cell = (line[k][0] + at[0], line[k][1] + at[1])
            if good and cell not in (*line, (0, 0)):
                found.add(cell)
    return found


CellOf = Callable[[Spot], int]
StateOf = Callable[[Spot], CellState]


def found_there(
    position: Position, landed: dict[Spot, complex]
) -> tuple[CellOf, StateOf]:
    """Return which cell it is, -1 beyond the board, and its state."""
    board = position.board
    row0, col0 = board.row_col(position.live_end)

    def cell(at: Spot) -> int:
        row, col = row0 - round(landed[at].imag), col0 + round(landed[at].real)
        if not (1 <= row <= board.rows and 1 <= col <= board.cols):
            return -1
        return board.cell(row, col)

    def state(at: Spot) -> CellState:
        here = cell(at)
        if here < 0 or here in board.walls:
            return CellState.OUTSIDE
        return CellState.VISITED if here in position.walk else CellState.FREE

    return cell, state


def needs_hold(
    drawing: Drawing, position: Position, landed: dict[Spot, complex]
) -> bool:
    cell, state = found_there(position, landed)
    return all(
        state(need.at) in need.states
        and not (need.not_end and cell(need.at) == position.board.end)
        for need in drawing.needs
    )


def matches(drawing: Drawing, position: Position, landed: dict[Spot, complex]) -> bool:
    if not needs_hold(drawing, position, landed):
        return False
    walk, (cell, state) = list(position.walk), found_there(position, landed)
    for run in drawing.runs:
        first, then = cell(run.first), cell(run.then)
        if walk.index(first) > walk.index(then):
            return False
    asked = [fact for fact in drawing.tested_facts if fact[0] != "dead"]
    if asked:
        forced = forced_edges(position)
        if forced is None:
            return False
        edges = {frozenset(e) for e in forced}
        lines = mates_of(position, forced)
        known = {"joined": edges, "mates": lines}
        for word, a, b in asked:
            if frozenset((cell(a), cell(b))) not in known[word]:
                return False
    if not all(area_holds(area, position, cell, state) for area in drawing.areas):
        return False
    steps = drawing.pairs("dead")
    if not steps:
        return True
    areas = [cells_of(area, position, cell, state) for area in drawing.areas]
    moves = {to: move for move, to in position.options().items()}
    return all(is_dead(position, moves[cell(to)], areas) for _, to in steps)


def cells_of(
    area: AreaSpec, position: Position, cell: CellOf, state: StateOf
) -> set[int]:
    """Return the cells that an area would have: the line, and all that it leads to."""
    board, free = position.board, position.free
    marked = {cell(at) for at in area.cells}
    inside = {cell(at) for at in beside(area, area.side) if state(at) is CellState.FREE}
    grown: set[int] = set()
    while inside - grown:
        grown |= inside
        inside = {
            n
            for here in grown
            for n in board.neighbours[here].tolist()
            if n >= 0 and free[n] and n not in marked
        }
    return grown | marked


def is_closed(area: AreaSpec, position: Position, cell: CellOf, state: StateOf) -> bool:
    other = "right" if area.side == "left" else "left"
    outside = {cell(at) for at in beside(area, other) if state(at) is CellState.FREE}
    cells = cells_of(area, position, cell, state)
    return position.board.end not in cells and not cells & outside


def area_holds(
    area: AreaSpec, position: Position, cell: CellOf, state: StateOf
) -> bool:
    board, cells = position.board, cells_of(area, position, cell, state)
    if not is_closed(area, position, cell, state) or len(cells) < area.least:
        return False
    own = board.black(position.live_end)
    black = sum(board.black(c) == own for c in cells)
    surplus = len(cells) - 2 * black
    entry_black = board.black(cell(area.entry)) == own
    more = -surplus if entry_black else surplus
    holds: bool = {
        Kind.CLOSED: True,
        Kind.EVEN: len(cells) % 2 == 0,
        Kind.ODD: len(cells) % 2 == 1,
        Kind.DETERMINED: len(cells) % 2 == 1 and more != 1,
        Kind.WITHIN: area.low <= surplus <= area.high,
        Kind.BEYOND: not area.low <= surplus <= area.high,
    }[area.kind]
    return holds


def forbidden(rule: RuleSpec, position: Position) -> set[str]:
    """Return the moves that one rule forbids, asked alone."""
    if len(position.walk) < 2:
        return set()
    found = set()
    steps = {1j: "U", 1: "R", -1j: "D", -1: "L"}
    for drawing in rule.drawings:
        for landed in layouts(drawing, LETTERS[position.heading]):
            if matches(drawing, position, landed):
                found |= {steps[landed[at]] for at in drawing.forbidden}
    return found & set(position.options())


def forbidden_by_all(rules: Sequence[RuleSpec], position: Position) -> list[set[str]]:
    """Return the moves that each rule of a set forbids, precedence obeyed."""
    found: list[set[str]] = []
    earlier: dict[str, set[str]] = {}
    stopped = False
    for rule in rules:
        asked = not stopped and not any(earlier.get(name) for name in rule.unless)
        found.append(forbidden(rule, position) if asked else set())
        earlier[rule.name] = found[-1]
        stopped = stopped or (rule.stops and bool(found[-1]))
    return found
