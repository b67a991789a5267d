"""Why a found rule holds, in words: from what its proof makes use of.

A proof is clauses. Those that the window's formula has from the start say how many
sides a cell is passed by, what an area's doors come to, and how pieces of the path lie
in the plane; those added later are cuts: loops, an end met too early, sealed areas. So
the clauses tell which of these arguments the rule needs.
"""

from collections.abc import Collection

from verify.discovery.families import Family
from verify.discovery.sketch import Found
from verify.proof.prove import Proved
from verify.proof.settle import Impossible
from verify.proof.view import Spot
from verify.words import counted

_PLANE = {"p", "w", "v", "s", "t", "l", "u", "rowout", "colout", "S"}


def grounds_of(proof: Impossible, tied: Collection[Spot] = ()) -> set[str]:
    """Return what a proof makes use of: degree, loop, end, area, plane, rim.

    `degree` is left out where the others say enough. `tied` are the cells of forced
    edges, if there are any.
    """
    found: set[str] = set()
    for clause in proof.clauses:
        names = [proof.names[abs(x) - 1] for x in clause]
        kinds = {str(name[0]) for name in names}
        if kinds & {"a", "n"}:
            found.add("area")
        if kinds & {"rowout", "colout", "v"}:
            found.add("rim")
        elif kinds & _PLANE:
            found.add("plane")
        elif kinds == {"c"} and all(x < 0 for x in clause):
            edges = [name[1:] for name in names]
            long = len(clause) >= 4 and _loop(edges)
            if long or (tied and not _of_one_cell(edges, tied)):
                found.add("loop")
        elif "T" in kinds:
            found.add("end")
    return found or {"degree"}


def _of_one_cell(edges: list[tuple[object, ...]], tied: Collection[Spot]) -> bool:
    """Tell whether edges exclude each other at a cell, and close no loop by lines."""
    common = set(edges[0]).intersection(*edges)
    return bool(common if len(edges) > 2 else common & set(tied))


def _loop(edges: list[tuple[object, ...]]) -> bool:
    """Tell whether edges close a loop, or leave one edge of it out that is known."""
    ends: dict[object, int] = {}
    for edge in edges:
        for cell in edge:
            ends[cell] = ends.get(cell, 0) + 1
    return max(ends.values()) == 2


def reason_of(proved: Proved, found: Found | Family) -> str:
    """Return one sentence on why the rule holds, without full stop."""
    tied = found.picture.of_ties()
    grounds = set().union(*(grounds_of(proof, tied) for _, proof in proved.proofs))
    cells = dict(found.picture.cells)
    needy = sum(letter == "K" for letter in cells.values())
    open_ = sum(letter == "." for letter in cells.values())
    parts = []
    if found.picture.areas:
        parts.append(_of_areas(found, "area" in grounds))
    if tied:
        told = counted(len(found.picture.joined), "edge")
        verb = "is" if len(found.picture.joined) == 1 else "are"
        lines = counted(len(found.picture.mates), "forced line")
        also = f", and the ends of {lines} are known" if found.picture.mates else ""
        parts.append(f"{told} {verb} forced before the move{also}")
    if needy:
        told = counted(needy, "free cell")
        verb = "needs" if needy == 1 else "need"
        each = "" if needy == 1 else " each"
        parts.append(f"{told} that cannot be the end {verb} two open sides{each}")
    elif open_ and not found.picture.areas:
        parts.append(f"{counted(open_, 'free cell')} must still be visited")
    if "rim" in grounds:
        parts.append(
            "the walk began and must end in corners, so the side of the board and the "
            "walk behind part the cells left"
        )
    elif "plane" in grounds:
        parts.append("the walk behind parts the cells left, and nothing crosses it")
    if "loop" in grounds:
        parts.append("else the ways that are forced close a loop")
    elif not found.picture.areas and not grounds & {"rim", "plane"}:
        parts.append("after the move a cell is left with one way, or none")
    return "; ".join(parts)


def _of_areas(found: Found | Family, counted_: bool) -> str:
    words = []
    for number, area in enumerate(found.picture.areas):
        grows = isinstance(found, Family) and number == 0
        marked = counted(len(area.cells), "marked cell").removeprefix("1 ")
        if isinstance(found, Family) and grows:
            least, most = found.distances
            marked = f"{least} to {most} marked cells"
        behind = f"the area behind the {marked}"
        held = f"{behind} does not hold the end, so it must be entered and left again"
        if area.kind.value == "impair":
            held = (
                f"{behind} has an odd number of cells, so a way through it begins and "
                "ends on one colour"
            )
        elif area.kind.value == "pair":
            held = (
                f"{behind} has an even number of cells, so a way through it begins and "
                "ends on two colours"
            )
        elif area.kind.bounded or grows:
            held = (
                f"{behind} has more cells of one colour than ways through it can visit"
            )
        words.append(held)
    told = " and ".join(words)
    return (
        f"{told}; after the move the doors that are left cannot do that"
        if counted_
        else told
    )
