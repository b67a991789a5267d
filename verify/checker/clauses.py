"""Independent judge of a window proof's clauses: imports nothing of the toolkit.

It reads the drawing from the certificate itself (`verify.checker.page`). A clause is
accepted when every true world satisfies it, and it says so by looking at one thing at a
time: all lawful states of a cell and its four edges, of two touching cells
(`verify.checker.views`), of a pair of ports (`verify.checker.ports`), of a board's
edges (`verify.checker.rim`). Loops, doors and sealed areas are followed by hand
(`verify.checker.curves`). What no view explains is a fault. The statements themselves
are those of `verify.proof.window`; this is a second reading of them, not a copy of the
code that writes them.
"""

from typing import Any

from verify.checker.page import Name, Values, near
from verify.checker.rim import Rim


def find_clause_fault(drawing: dict[str, Any], part: dict[str, Any]) -> str | None:
    """Return the first clause of a part that no view explains, or None.

    Shapes as in `verify.proof.certificate`. Microseconds to milliseconds a clause.
    """
    page = Judge(drawing, part)
    names = [_thaw(name) for name in part["names"]]
    if len(set(names)) < len(names):
        return "two variables have one name"
    for number, clause in enumerate(part["clauses"], 1):
        false: Values = {}  # what the world would be if the clause failed
        for literal in clause:
            name = names[abs(literal) - 1]
            if false.setdefault(name, literal < 0) != (literal < 0):
                break  # both signs: always true
        else:
            if not page.explains(false):
                told = " or ".join(
                    f"{'' if not value else 'not '}{_told(name)}"
                    for name, value in false.items()
                )
                return f"clause {number} does not follow: {told or 'the empty clause'}"
    return None


def _thaw(value: Any) -> Any:
    return tuple(_thaw(x) for x in value) if isinstance(value, list) else value


def _told(name: Name) -> str:
    return " ".join(str(x).replace(" ", "") for x in name)


class Judge(Rim):
    """All the ways in which a clause can follow from the drawing."""

    def explains(self, false: Values) -> bool:
        """Tell whether no true world gives these values; cheap ways first."""
        kinds = {name[0] for name in false}
        if "n" in kinds and self.counted(false):
            return True
        if self.planar and "p" in kinds and self.crossed(false):
            return True
        return self.unique(false) or self._looked(false, kinds)

    def _looked(self, false: Values, kinds: set[str]) -> bool:
        spots = {x for name in false for x in name[1:] if isinstance(x, tuple)}
        spots &= self.cells
        if not false:
            spots = self.cells
        keys = {c: self.key(c, false) for c in spots}
        if not all(self.lawful(c, key) for c, key in keys.items()):
            return True
        if self.planar and (self.paired(false) or self.looped(false)):
            return True
        for spot in spots:
            for other in near(spot):
                if other in self.cells and other not in keys:
                    keys[other] = self.key(other, false)
        if not all(self.lawful(c, key) for c, key in keys.items()):
            return True
        for a in spots:
            for b in set(near(a)) & self.cells:
                if not self.joined(a, b, keys[a], keys[b]):
                    return True
        wrongly = any(
            self.entered[k] is not None
            and false.get(("a", k, self.target)) not in (None, self.entered[k])
            for k in range(len(self.areas))
        )
        return (
            wrongly
            or self.least(false)
            or (not self.planar and self.looped(false))
            or ("n" not in kinds and self.counted(false))
            or (not self.planar and (self.ended(false) or self.sealed(false)))
            or (self.scope == "CORNERS" and self.edged(false, keys))
        )
