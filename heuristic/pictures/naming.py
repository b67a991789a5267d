"""What the name of a picture tells of the count of its area.

Pictures of 2026 do not hold the condition: their author writes it behind the name.
``E`` is as many white as black cells, ``1W`` one white more, ``vB`` as many black more
as the wall lies cells ahead, ``(hp1)W`` one white more than it lies cells to the side.
"""

import re

from heuristic.rules.drawing import Offset

_CONDITION = re.compile(
    r"_(?:(?P<even>E)|(?:(?P<n>\d)|(?P<far>[hv])|\((?P<of>[hv])(?P<more>p1|-1)\))"
    r"(?P<colour>[WB]))(?:_\d)?"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def rule_name(stem: str, prefix: str = "") -> str:
    """Return a rule's name for a picture's.

    >>> rule_name("StairAtEndConvexIn3_(vp1)B_1", "his-")
    'his-stair-at-end-convex-in-3-vp-1-b-1'
    """
    words = _WORD.findall(stem)
    return prefix + "-".join(word.lower() for word in words) or "picture"


def surplus_told(stem: str, wall: Offset) -> int | None:
    """Return the surplus of white cells that a name tells; None if it tells none.

    >>> surplus_told("StairAtEndConvexIn3_(vp1)B_1", (5, 1))
    -2
    >>> surplus_told("StairAtEndConcaveIn2_1W", (4, 1)), surplus_told("2n=2", (4, 1))
    (1, None)
    """
    at = stem.find("_")
    match = _CONDITION.fullmatch(stem[at:]) if at >= 0 else None
    if match is None:
        return None
    if match["even"]:
        return 0
    if match["n"]:
        count = int(match["n"])
    else:
        count = abs(wall["hv".index(match["far"] or match["of"])])
        count += {"p1": 1, "-1": -1}.get(match["more"] or "", 0)
    return count if match["colour"] == "W" else -count
