"""Drawings in words, for the search of the site."""

from collections.abc import Iterator

from heuristic.rules.drawing import (
    AROUND,
    MOVES,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Spot,
    left_ahead,
)
from heuristic.rules.rulefile import state_words

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SIDES = AROUND[::2]
_SAID = {
    Kind.CLOSED: "closed",
    Kind.EVEN: "an even number of cells",
    Kind.ODD: "an odd number of cells",
    Kind.DETERMINED: "an odd number of cells",
    Kind.WITHIN: "black and white cells counted",
    Kind.BEYOND: "black and white cells counted",
}


def drawn_words(drawing: Drawing) -> str:
    """Return the conditions and the forbidden moves of a drawing, in words.

    >>> from heuristic.groups import load_rules
    >>> drawn_words(load_rules("area-near-border").rules[0].drawings[1])[-73:]
    'an area on the right with two doors, an odd number of cells; forbids left'
    """
    cells = ", ".join(
        f"{state_words(need.states)} {_place(need.at)}"
        for need in sorted(drawing.needs, key=lambda need: _near(need.at))
    )
    parts = [cells, *_shapes(drawing), *map(_area, drawing.areas)]
    facts = dict.fromkeys(word for word, _, _ in drawing.tested_facts)
    parts += [
        {"joined": "forced edge", "mates": "forced line", "dead": "a step followed"}[
            one
        ]
        for one in facts
    ]
    parts += ["future line"] * bool(drawing.marks)
    parts += ["one visited before the other"] * bool(drawing.runs)
    names = {at: name for name, at in MOVES.items()}
    parts.append(f"forbids {' and '.join(names[at] for at in drawing.forbidden)}")
    return "; ".join(filter(None, parts))


def _near(at: Spot) -> tuple[int, int]:
    """Return a sort key: cells next to the live end first, counter-clockwise."""
    far = max(map(abs, at))
    return far, AROUND.index(at) if far == 1 else 0


def _place(at: Spot) -> str:
    """Return the place of a cell in words.

    >>> _place((0, -1)), _place((-2, 1))
    ('left', 'two ahead and right')
    """
    left, ahead = left_ahead(at)
    steps = [(ahead, "ahead", "behind"), (left, "left", "right")]
    return " and ".join(
        f"{_NUMBERS[abs(far)]} {word}" if 1 < abs(far) < len(_NUMBERS) else word
        for far, positive, negative in steps
        if far
        for word in [positive if far > 0 else negative]
    )


def _shapes(drawing: Drawing) -> Iterator[str]:
    """Yield the shapes of a drawing: a dead end, a corner, a border."""
    taken = {need.at for need in drawing.needs if not need.states & ~TAKEN}
    free = [need.at for need in drawing.needs if need.states == CellState.FREE]
    around = {at: [(at[0] + x, at[1] + y) in taken for x, y in _SIDES] for at in free}
    if any(sum(sides) > 1 for at, sides in around.items() if _touches(at)):
        yield "dead end"
    sides = [*around.values(), [at in taken for at in _SIDES]]
    if any(one[k] and one[k - 1] for one in sides for k in range(4)):
        yield "corner"
    if any(need.states == CellState.OUTSIDE for need in drawing.needs):
        yield "border or wall"


def _touches(at: Spot) -> bool:
    return abs(at[0]) + abs(at[1]) == 1


def _area(area: AreaSpec) -> str:
    count = len(area.cells)
    many = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    doors = f"{many} door{'s' * (count > 1)}"
    return f"an area on the {area.side} with {doors}, {_SAID[area.kind]}"
