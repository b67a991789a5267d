"""What a proof takes for granted of the completion: future lines, and what denies them.

Those facts of a drawing that no position is asked for: the completion ``passes`` from
one cell to the next, ``lacks`` that step, comes to a cell ``before`` another; and its
`end` is the end cell. Facts that a position is asked for are granted too, but every
completion has them: they are no condition.
"""

from heuristic.rules.drawing import Drawing, LineEnd, Offset, RuleSpec

IF_RIGHT = ", where the future lines that it reads are right"


def granted(drawing: Drawing, word: str) -> tuple[tuple[Offset, Offset], ...]:
    """Return what is granted of the completion, by its word.

    A line is passed from its near end to its far end.
    """
    found = [*drawing.pairs(word)]
    if word == "before" and any(mark.same for mark in drawing.marks):
        near = [m.at for m in drawing.marks if m.end is LineEnd.NEAR]
        far = [m.at for m in drawing.marks if m.end is LineEnd.FAR]
        found += [(a, b) for a in near for b in far]
    return tuple(found)


def not_end(drawing: Drawing) -> frozenset[Offset]:
    """Return the cells that must not be the end cell; a far end never is."""
    far = {mark.at for mark in drawing.marks if mark.end is LineEnd.FAR}
    return frozenset({need.at for need in drawing.needs if need.not_end} | far)


def assumes(rule: RuleSpec) -> bool:
    """Tell whether a rule takes future lines for granted that are known before."""
    known = (granted(d, word) for d in rule.drawings for word in ("passes", "before"))
    return rule.kind != "procedure" and any(known)


def grants(rule: RuleSpec) -> bool:
    """Tell whether a proof grants more than a position shows: no position refutes it.

    A rule that is asked of positions is `heuristic.future.futurerules.FutureRule`.
    """
    if rule.kind == "procedure":
        return True
    return any(
        d.facts != d.asked or d.marks or d.end is not None for d in rule.drawings
    )
