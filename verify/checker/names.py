"""Which names a formula about a scene can have: those, and no other spelling of them.

An edge is named by its cells in order, a pair of ports by numbers in order, a sum by
what its doors can come to. So no two names mean one thing, and none means nothing.
"""

from verify.checker.reading import Name
from verify.checker.scene import Scene
from verify.checker.values import Fault

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "d", "a", "n", "l")
PLANAR = ("S", "w", "v", "s", "t", "p")
CORNERS = ("rowout", "colout", "u")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Fault` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _known(scene, name):
            told = " ".join(str(x).replace(" ", "") for x in name)
            raise Fault(f"a formula about these cells has no name {told}")


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
        ports = range(len(scene.ports))
        return len(rest) == 2 and rest[0] in ports and rest[1] in ports[rest[0] + 1 :]
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
