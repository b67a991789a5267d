"""The rim of the board in a formula in which nothing is known of the cells.

`verify.proof.planar` lays the virtual arc along the first side of the board that the
drawing is sure to show. Here no cell is known, so each side of each cell gets a
variable, ``("seen", side, beyond)``: it can be true only where the cell beyond is
outside and the cell before it on the board. In every world one may take the first side,
in the order of directions, that shows anywhere, and lay the arc along it: so that is
true, and it speaks of any drawing at once. It is used to look for drawings; what is
found is proved by the prover's own formula.
"""

from verify.proof.formula import Formula
from verify.proof.view import STEPS, Window, edge


def assume_rim(formula: Formula, window: Window) -> None:
    """Lay the arc along the first side that shows, whichever that is."""
    earlier: list[int] = []
    for d, step in enumerate(STEPS):
        seen = []
        for cell in window.cells():
            beyond = cell[0] + step[0], cell[1] + step[1]
            if not window.holds(beyond):
                continue
            inside = -formula.var("out", cell)
            outside = formula.var("out", beyond)
            shown = formula.var("seen", d, beyond)
            formula.add(-shown, inside)
            formula.add(-shown, outside)
            seen.append(shown)
            for turn in (1, 3):
                along = STEPS[(d + turn) % 4]
                arc = edge(beyond, (beyond[0] + along[0], beyond[1] + along[1]))
                formula.add(-outside, -inside, *earlier, formula.var("v", *arc))
        earlier += seen
