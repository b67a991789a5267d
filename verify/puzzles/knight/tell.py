"""What is said of a judged board, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from solver.errors import OptionError
from solver.puzzles.knight.tour import Tour, canonical, canonical_cycle, numbers
from verify.puzzles.knight.judge import Judgement, judge

Rows = Sequence[Sequence[int]]


def tour_of(board: Rows) -> Tour:
    """Return the cells of a board that the judge found to be a tour, in order."""
    flat = [number for row in board for number in row]
    return tuple(sorted(range(len(flat)), key=flat.__getitem__))


def judged(board: Rows, file: str) -> Judgement:
    """Judge a board that is full.

    Raises
    ------
    OptionError
        If a cell bears no number.
    """
    for r, row in enumerate(board, start=1):
        if 0 in row:
            raise OptionError(
                f"{file}: cell ({r}, {row.index(0) + 1}) bears no number; `oneway "
                "knight complete` fills a board"
            )
    return judge(board)


def canonical_forms(board: Rows, found: Judgement) -> dict[str, list[list[int]]]:
    """Return the least image of a tour on a square board, as rows of numbers.

    Under the 8 symmetries and reversal, and, if it is closed, renumbering as well.
    """
    side = len(board)
    if not found.tour or side != len(board[0]):
        return {}
    tour = tour_of(board)
    forms = {"canonical": canonical(tour, side)}
    if found.holds(5):
        forms["canonical_cycle"] = canonical_cycle(tour, side)
    return {name: as_rows(form, side) for name, form in forms.items()}


def as_rows(tour: Tour, cols: int) -> list[list[int]]:
    """Return a tour as rows of numbers."""
    flat = numbers(tour)
    return [list(flat[i : i + cols]) for i in range(0, len(flat), cols)]


def as_json(board: Rows, found: Judgement) -> dict[str, Any]:
    """Return a judgement as a JSON object."""
    return {
        "rows": len(board),
        "cols": len(board[0]),
        "conditions": {
            str(one.number): {"holds": one.holds, "name": one.name, "fault": one.fault}
            for one in found.conditions
        },
        "tour": found.tour,
        "semimagic": found.semimagic,
        "row_sums": list(found.rows),
        "column_sums": list(found.columns),
        "diagonal_sums": list(found.diagonals) if found.diagonals else None,
        "magic_shifts": list(found.shifts),
        **canonical_forms(board, found),
    }


def as_lines(board: Rows, found: Judgement) -> list[str]:
    """Return a judgement as lines for people."""
    out = []
    for one in found.conditions:
        why = "" if one.fault is None else f": {one.fault}"
        out.append(f"{one.number} {'yes' if one.holds else 'no '} {one.name}{why}")
    out += [f"rows      {_sums(found.rows)}", f"columns   {_sums(found.columns)}"]
    if found.diagonals:
        out.append(f"diagonals {_sums(found.diagonals)}")
    kind = "a tour" if found.tour else "no tour"
    if found.tour:
        words = ["closed" if found.holds(5) else "open"]
        words += ["symmetric"] if found.holds(6) else []
        words += ["semi-magic"] if found.semimagic else []
        words += ["diagonally magic"] if found.semimagic and found.holds(7) else []
        kind += ": " + ", ".join(words)
    out.append(kind)
    if found.shifts:
        shifts = " ".join(map(str, found.shifts))
        out.append(f"semi-magic when turned by {shifts} numbers")
    return out


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))
