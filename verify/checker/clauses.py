"""The judge of a proof's names and clauses: each is the drawing's, or is a fault.

A clause is accepted when every world satisfies it. That is found by looking at the
values with which it fails: they leave some cell no view, two touching cells no views
that go together (`views`), the pieces outside no way to join, the board no rectangle
(`outside`), or they close a loop, leave an area without a door and so on (`curves`).
What nothing explains is a fault. The prover's statements are those of
`verify.proof.encoding`; this is a second reading of them.

An edge is named by its cells in order, a pair of ports by numbers in order, a sum by
what its doors can come to. So no two names mean one thing, and none means nothing.
"""

from typing import Any

from verify.checker import curves, outside
from verify.checker.claim import LIVE, Fault
from verify.checker.scene import Name, Scene, Values
from verify.checker.views import Views

Clause = tuple[int, ...]  # literals: names by number, from 1, negated or not

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "d", "a", "n", "l")
PLANAR = ("S", "w", "v", "s", "t", "p")
CORNERS = ("rowout", "colout", "u")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Fault` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _has(scene, *name):
            raise Fault(f"a formula about these cells has no name {text_of(name)}")


def _has(scene: Scene, word: str, *rest: Any) -> bool:
    ports, areas = range(len(scene.ports)), range(len(scene.sketch.areas))
    match word, *rest:
        case "c" | "w" | "v", a, b:
            return (a, b) in scene.edges
        case "d", a, b:
            return scene.directed and (a, b) in scene.edges
        case "u", a, b:
            return scene.rim is not None and (a, b) in scene.edges
        case "l", k, a, b:
            return k in scene.orders and (a, b) in scene.edges
        case "a", k, cell:
            return k in areas and (cell in scene.cells or cell == scene.move)
        case "n", k, i, total:
            sums = scene.sums[k] if k in areas else []
            return i in range(1, len(sums)) and total in sums[i]
        case "p", i, j:
            return i in ports and j in ports[i + 1 :]
        case "s" | "t", i:
            return i in ports
        case "rowout" | "colout", i:
            spots = [cell[word == "colout"] for cell in scene.cells]
            return i != 0 and i in range(min(spots) - 1, max(spots) + 2)
        case "free" | "visited" | "out" | "T" | "S", cell:
            return cell in scene.cells
    return False


def text_of(name: Name) -> str:
    """Return a name as a fault prints it."""
    return " ".join(str(x).replace(" ", "") for x in name)


def check_clauses(
    scene: Scene, names: tuple[Name, ...], clauses: tuple[Clause, ...]
) -> None:
    """Raise `Fault` at the first clause that nothing explains.

    The names must be the scene's (`check_names`). Microseconds to milliseconds
    a clause.
    """
    judge = Judge(scene)
    # what a literal says if it fails
    fails = {i: (name, False) for i, name in enumerate(names, 1)}
    fails |= {-i: (name, True) for i, name in enumerate(names, 1)}
    for number, clause in enumerate(clauses, 1):
        false = dict(map(fails.__getitem__, clause))
        if len(false) < len(clause):
            raise Fault(f"clause {number} names a variable twice")
        if not judge.explains(false):
            literals = ["not " * value + text_of(name) for name, value in false.items()]
            text = " or ".join(literals) or "the empty clause"
            raise Fault(f"clause {number} does not follow: {text}")


class Judge:
    """All the ways in which a clause can follow from a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.views = scene, Views(scene)
        self.ports, self.boxes = outside.Ports(self.views), outside.Boxes(self.views)
        # there is no world: the move is dead when it is followed, or an area without
        # doors has a sum that it must not have
        self.none = (LIVE, scene.move) in scene.sketch.said["dead"] or any(
            not doors and not area.allows(0)
            for doors, area in zip(scene.doors, scene.sketch.areas, strict=True)
        )

    def explains(self, false: Values) -> bool:
        """Return whether no world gives these values; cheap ways first."""
        scene = self.scene
        if self.none or (scene.planar and outside.crossed(false)):
            return True
        if curves.miscounted(scene, false) or curves.twice(false):
            return True
        spots = {x for name in false for x in name[1:] if type(x) is tuple}
        spots = spots & scene.cells if false else set(scene.cells)
        left = self.views.left(false, spots)
        return (
            not all(left.values())
            or curves.stepped_over(scene, false)
            or curves.looped(scene, false)
            or (scene.planar and self.ports.mispaired(false, left))
            or (not scene.planar and curves.ended_early(scene, false))
            or (not scene.planar and curves.sealed(scene, false))
            or curves.wrongly_entered(scene, false)
            or curves.too_small(scene, false)
            or self.views.torn(left)
            or (
                scene.scope == "CORNERS"
                and (outside.leaves_side(scene, false) or self.boxes.none(false, left))
            )
        )
