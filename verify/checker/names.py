"""Which names a formula about a scene can have: those, and no other spelling of them.

An edge is named by its cells in order, a pair of ports by numbers in order, a sum by
what its doors can come to. So no two names mean one thing, and none means nothing.
"""

from verify.checker.reading import Cell, Fault, Name
from verify.checker.scene import Scene, edge_of, near

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "a", "n")
PLANAR = ("S", "w", "v", "s", "t", "p", "l")
CORNERS = ("rowout", "colout", "u")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Fault` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _known(scene, name):
            told = " ".join(str(x).replace(" ", "") for x in name)
            raise Fault(f"a formula about these cells has no name {told}")


def _known(scene: Scene, name: Name) -> bool:
    match name:
        case ("free" | "visited" | "out" | "T" | "S", (_, _) as cell):
            return cell in scene.cells
        case ("c" | "w" | "v", (_, _) as a, (_, _) as b):
            return _edge(scene, a, b)
        case ("u", (_, _) as a, (_, _) as b):
            return scene.rim is not None and _edge(scene, a, b)
        case ("l", int(k), (_, _) as a, (_, _) as b):
            return k in scene.runs and _edge(scene, a, b)
        case ("s" | "t", int(i)):
            return 0 <= i < len(scene.ports)
        case ("p", int(i), int(j)):
            return 0 <= i < j < len(scene.ports)
        case ("a", int(k), (_, _) as cell):
            return 0 <= k < len(scene.areas) and cell in {scene.target, *scene.cells}
        case ("n", int(k), int(i), int(total)):
            if not (0 <= k < len(scene.areas) and 0 < i <= len(scene.doors[k])):
                return False
            signs = [sign for _, sign in scene.doors[k][:i]]
            return -signs.count(-1) <= total <= signs.count(1)
        case ("rowout", int(row)):
            rows = [row for row, _ in scene.cells]
            return row != 0 and min(rows) - 1 <= row <= max(rows) + 1
        case ("colout", int(col)):
            cols = [col for _, col in scene.cells]
            return col != 0 and min(cols) - 1 <= col <= max(cols) + 1
    return False


def _edge(scene: Scene, a: Cell, b: Cell) -> bool:
    return (
        b in near(a) and (a, b) == edge_of(a, b) and not {a, b}.isdisjoint(scene.cells)
    )
