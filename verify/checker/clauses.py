"""The judge of a proof's names and clauses: each is the drawing's, or is a fault.

A clause is accepted when every true world satisfies it, and that is found by looking at
one thing at a time: all lawful states of a cell and its four edges, of two touching
cells (`verify.checker.views`), of a pair of ports (`ports`), of a board's edges
(`rim`). Loops, doors and sealed areas are followed by hand (`curves`). What no view
explains is a fault. The statements are those of `verify.proof.window`; this is a second
reading of them, not a copy of the code that writes them.

An edge is named by its cells in order, a pair of ports by numbers in order, a sum by
what its doors can come to. So no two names mean one thing, and none means nothing.
"""

from verify.checker import curves, ports
from verify.checker.reading import Clause, Name
from verify.checker.rim import Boxes, off_board
from verify.checker.scene import Scene, Values, near
from verify.checker.values import Fault
from verify.checker.views import Views

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "d", "a", "n", "l")
PLANAR = ("S", "w", "v", "s", "t", "p")
CORNERS = ("rowout", "colout", "u")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Fault` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _known(scene, name):
            text = " ".join(str(x).replace(" ", "") for x in name)
            raise Fault(f"a formula about these cells has no name {text}")


def _known(scene: Scene, name: Name) -> bool:
    word, rest = name[0], name[1:]
    if word in ("c", "w", "v"):
        return rest in scene.edges
    if word == "d":
        return scene.directed and rest in scene.edges
    if word == "u":
        return scene.rim is not None and rest in scene.edges
    if word == "l":
        return rest[:1] in [(k,) for k in scene.orders] and rest[1:] in scene.edges
    if word == "p":
        count = range(len(scene.ports))
        return len(rest) == 2 and rest[0] in count and rest[1] in count[rest[0] + 1 :]
    if word == "a":
        return (
            len(rest) == 2
            and rest[0] in range(len(scene.areas))
            and (rest[1] in scene.cells or rest[1] == scene.target)
        )
    if word == "n":
        if len(rest) != 3 or rest[0] not in range(len(scene.areas)):
            return False
        sums = scene.sums[rest[0]]
        return rest[1] in range(1, len(sums)) and rest[2] in sums[rest[1]]
    if len(rest) != 1:
        return False
    if word in ("s", "t"):
        return rest[0] in range(len(scene.ports))
    if word in ("rowout", "colout"):
        spots = [cell[word == "colout"] for cell in scene.cells]
        return rest[0] != 0 and rest[0] in range(min(spots) - 1, max(spots) + 2)
    return rest[0] in scene.cells


def check_clauses(
    scene: Scene, names: tuple[Name, ...], clauses: tuple[Clause, ...]
) -> None:
    """Raise `Fault` at the first clause that no view explains.

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
            text = " or ".join(
                f"{'not ' * value}{' '.join(str(x).replace(' ', '') for x in name)}"
                for name, value in false.items()
            )
            text = text or "the empty clause"
            raise Fault(f"clause {number} does not follow: {text}")


class Judge:
    """All the ways in which a clause can follow from a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.views = Views(scene)
        self.boxes = Boxes(self.views)

    def explains(self, false: Values) -> bool:
        """Return whether no true world gives these values; cheap ways first."""
        scene = self.scene
        return (
            scene.dead
            or curves.miscounted(scene, false)
            or (scene.planar and ports.crossed(false))
            or curves.twice(false)
            or self._seen(false)
        )

    def _seen(self, false: Values) -> bool:
        scene, views = self.scene, self.views
        paired = scene.planar and any(name[0] in ("p", "s", "t") for name in false)
        if paired and ports.mispaired(views, false):
            return True
        spots = {x for name in false for x in name[1:] if type(x) is tuple}
        spots = spots & scene.cells if false else set(scene.cells)
        left = views.left(false.items(), spots)
        if not all(left.values()):
            return True
        if curves.stepped_over(scene, false) or curves.looped(scene, false):
            return True
        if curves.looped_by_lines(scene, false):
            return True
        if scene.planar:
            if not paired and ports.mispaired(views, false):
                return True
        elif curves.ended_early(scene, false) or curves.sealed(scene, false):
            return True
        pairs = [
            (cell, d, other)
            for cell in spots
            for d, other in enumerate(near(cell))
            if other in scene.cells
        ]
        for _, _, other in pairs:
            left.setdefault(other, views.looks(other).all)
        return (
            not all(left.values())
            or not all(views.joined(a, d, b, left[a], left[b]) for a, d, b in pairs)
            or curves.wrongly_entered(scene, false)
            or curves.too_small(scene, false)
            or (
                scene.scope == "CORNERS"
                and off_board(self.boxes, false, {x: left[x] for x in spots})
            )
        )
