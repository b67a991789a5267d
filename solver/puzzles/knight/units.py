"""The pieces of the whole enumeration: some thousands of prefixes with their weights.

A *unit* is a prefix; what the search finds below it does not depend on any other. The
units of a start class lie in the order of their cells and part its whole tree. Their
weights, in thousands of steps tried, come from probes and are kept in ``units.txt``,
which `python -m solver.puzzles.knight.units` makes anew. They only tell how long a unit
takes: no answer depends on them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from solver.files import write_whole
from solver.puzzles.knight.probing import probe
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.starts import STARTS, start_class
from solver.puzzles.knight.tour import Tour, chess_name, named_cell

_FILE = Path(__file__).with_name("units.txt")
_MOST = 4_000_000_000  # steps of a unit; about two minutes
_PARTS = 100  # units that even the smallest start class has, roughly
_PROBES, _LEVEL = 60, 20
_DEEPEST = 14  # cells of a unit's prefix


@dataclass(frozen=True, slots=True)
class Prefix:
    """One unit: first cells, and the steps that its search is expected to try."""

    cells: Tour
    steps: float

    @property
    def name(self) -> str:
        """The cells as in chess: ``c3d5e7``."""
        return "".join(map(chess_name, self.cells))


def split(start: str, *, most: float, probes: int, seed: int) -> Iterator[Prefix]:
    """Yield the units of a start class, in order: prefixes of at most `most` steps."""
    first = start_class(start)
    todo: list[Tour] = [(first.cell, second) for second in reversed(first.second)]
    while todo:
        cells = todo.pop()
        steps = float(probe(cells, probes=probes, level=_LEVEL, seed=seed)[0][0])
        if steps <= most or len(cells) == _DEEPEST:
            yield Prefix(cells, steps)
        else:
            longer = below(cells, stop=len(cells) + 1).tours
            todo += reversed(longer)


@cache
def stored() -> dict[str, tuple[Prefix, ...]]:
    """Return the units that are kept, by start class."""
    out: dict[str, list[Prefix]] = {start: [] for start in STARTS}
    for line in _FILE.read_text(encoding="ascii").split("\n"):
        if line and not line.startswith("#"):
            name, thousands = line.split()
            parts = [name[i : i + 2] for i in range(0, len(name), 2)]
            cells = tuple(map(named_cell, parts))
            out[parts[0]].append(Prefix(cells, float(thousands) * 1000))
    return {start: tuple(units) for start, units in out.items()}


def main() -> None:
    """Write ``units.txt`` anew; a few minutes."""
    lines = [
        "# prefix, thousands of steps expected; python -m solver.puzzles.knight.units"
    ]
    for start in STARTS:
        cell = start_class(start).cell
        whole = sum(
            probe((cell, second), probes=20 * _PROBES, level=_LEVEL, seed=1)[0][0]
            for second in start_class(start).second
        )
        most = min(_MOST, whole / _PARTS)
        for unit in split(start, most=most, probes=_PROBES, seed=1):
            lines.append(f"{unit.name} {max(unit.steps / 1000, 1):.0f}")
    write_whole(_FILE, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
