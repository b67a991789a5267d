"""What the static search of strips finds about a position: a path, or factors.

The *levels* of a position: G_0 is the graph of its free cells and its live end, p_0 the
end of the walk with three neighbours, if there is one, and q the other end. G_{i+1} is
G_i without p_i. Its end p_{i+1} is the middle neighbour of p_i, the one opposite to the
neighbour that is missing. If that is q, then q goes as well, and G_{i+1} has no ends.
"""

from dataclasses import dataclass
from enum import Enum

from solver.board import Cell, Walk


class Outcome(Enum):
    """What decided a position, or why nothing did."""

    PATH = "a Hamiltonian path exists"
    ENDED = "the walk stands on the end cell too early"
    NO_FACTOR = "no path factor exists"
    APART = "the free cells without the two ends of the walk are not connected"
    STUCK = "no path of strips leads to an odd strip"
    UNSETTLED = "both ends have three neighbours, and the proof does not reach this far"


@dataclass(frozen=True, slots=True)
class Factor:
    """A path factor of one level, which no path of strips improves.

    - `cells`: the vertices of G_i, cells of the board.
    - `ends`: p_i and q, in this order; or nothing.
    - `edges`: the dark edges, each with the smaller cell first.
    """

    cells: frozenset[Cell]
    ends: tuple[Cell, ...]
    edges: frozenset[tuple[Cell, Cell]]


@dataclass(frozen=True, slots=True)
class StaticResult:
    """What the static search found.

    - `witness`: the cells after the live end, if the outcome is PATH.
    - `factors`: after STUCK the factors F_0, ..., F_r, one for each level. None has an
      odd strip that a path of strips reaches. F_i with i < r leaves p_i sideways, and
      F_{i+1} has more components, the path from p_i to q counted if G_{i+1} has no
      ends. F_r leaves p_r straight on, or p_r has at most two neighbours or is
      corner-free, or G_r has no ends, or G_{r+1} has no factor. If both ends of the
      position have three neighbours, there is one factor, straight at both of them.
    """

    outcome: Outcome
    witness: Walk | None = None
    factors: tuple[Factor, ...] = ()
