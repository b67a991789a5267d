"""The pieces of the whole enumeration: some thousands of prefixes with their weights.

A *unit* is a prefix; what the search finds below it does not depend on any other. The
units of a start class lie in the order of their cells and part its whole tree. Their
weights, in thousands of steps tried, come from probes and are kept in ``units.txt``,
which `python -m tests.bench.knight_units` makes anew. They only tell how long a unit
takes: no answer depends on them.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from solver.puzzles.knight.starts import STARTS
from solver.puzzles.knight.tour import Tour, chess_name, named_cell

FILE = Path(__file__).with_name("units.txt")


@dataclass(frozen=True, slots=True)
class Prefix:
    """One unit: first cells, and the steps that its search is expected to try."""

    cells: Tour
    steps: float

    @property
    def name(self) -> str:
        """The cells as in chess: ``c3d5e7``."""
        return "".join(map(chess_name, self.cells))


@cache
def stored() -> dict[str, tuple[Prefix, ...]]:
    """Return the units that are kept, by start class."""
    out: dict[str, list[Prefix]] = {start: [] for start in STARTS}
    for line in FILE.read_text(encoding="ascii").split("\n"):
        if line and not line.startswith("#"):
            name, thousands = line.split()
            parts = [name[i : i + 2] for i in range(0, len(name), 2)]
            cells = tuple(map(named_cell, parts))
            out[parts[0]].append(Prefix(cells, float(thousands) * 1000))
    return {start: tuple(units) for start, units in out.items()}
