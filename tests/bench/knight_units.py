"""The units of the knight's enumeration, by probes: writes ``units.txt`` anew.

``python -m tests.bench.knight_units`` takes a few minutes.
"""

from collections.abc import Iterator

from solver.files import write_whole
from solver.puzzles.knight.probing import probe
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import FILE, STARTS, Prefix, Tour, start_class

_MOST = 4_000_000_000  # steps of a unit; about two minutes
_PARTS = 100  # units that even the smallest start class has, roughly
_PROBES, _LEVEL = 60, 20
_DEEPEST = 14  # cells of a unit's prefix


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


def main() -> None:
    """Write ``units.txt`` anew."""
    lines = [
        "# prefix, thousands of steps expected; python -m tests.bench.knight_units"
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
    write_whole(FILE, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
