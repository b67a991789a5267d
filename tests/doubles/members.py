"""Bounds of distance families member by member, each by proofs of its own window."""

from dataclasses import replace

from heuristic.rules.drawing import Drawing, Kind, RuleSpec
from verify.families.tables import WAYS, Table, member, places, scope_of
from verify.proof.surplus import Bounds, NoBounds, bounds_of, strip
from verify.proof.view import from_drawing


def bounds(drawing: Drawing, way: str) -> Bounds:
    """Return the lowest and highest surplus that is not proved impossible."""
    window = from_drawing(drawing, *WAYS[way])
    assert window is not None
    return bounds_of(strip(window), scope_of(drawing))


def find_bounds(name: str, most: int) -> Table:
    """Prove the bounds of all members up to a distance."""
    of = {place: member(name, place) for place in places(name, most)}
    return Table(name, {at: {w: bounds(d, w) for w in WAYS} for at, d in of.items()})


def as_rule(drawing: Drawing, found: dict[str, Bounds]) -> RuleSpec:
    """Return the rule that forbids each way with a surplus beyond its bounds."""
    (area,), drawings = drawing.areas, []
    for way, known in found.items():
        turn, move = WAYS[way]
        if not isinstance(known, NoBounds):
            area = replace(area, kind=Kind.BEYOND, low=known[0], high=known[1])
        drawings.append(
            replace(drawing, areas=(area,), forbidden=(move,), turns=(turn,))
        )
        (area,) = drawing.areas
    return RuleSpec(drawing.text, "sound", "a double", "bounds", tuple(drawings))
