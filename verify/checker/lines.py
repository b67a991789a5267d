"""Cells and pairs of cells in a certificate's file, and what is said of pairs.

A line of a drawing is a word and two cells: the completion passes the edge between them
in that order, or lacks that step, or comes to the first before the second; it uses the
edge (``joined``); or the cells are ``mates``, the ends of a forced line; or the step
from the live end is ``dead`` when it is followed, so no completion begins with it.
"""

from verify.checker.values import Fault, ints_of, list_of, once, one_of

Spot = tuple[int, int]
Pair = tuple[Spot, Spot]

FAR = 200  # no cell of a drawing lies farther from the live end
LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
ROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_NEXT = {
    ("passes", LIVE),
    ("lacks", LIVE),
    ("dead", LIVE),
}  # what may be said of the next step
WORDS = {  # what the completion does, by the word
    "passes": "passes from {} to {}",
    "lacks": "does not pass from {} to {}",
    "before": "comes to {} before {}",
    "joined": "uses the edge {} to {}",
    "mates": "follows one forced line from {} to {}, or back",
    "dead": "cannot begin with {} to {}: the step is dead when it is followed",
}


def cell_of(value: object, what: str) -> Spot:
    """Read two numbers as a cell, row and column."""
    if type(value) is not list or len(value) != 2:
        raise Fault(f"{what} holds no pair of numbers")
    row, col = ints_of(value, -FAR, FAR, what)
    return row, col


def at_of(value: object, what: str) -> Spot:
    """Read an offset, so many cells to the left and ahead, as a cell."""
    left, ahead = cell_of(value, what)
    return -ahead, -left


def pair_of(data: object, what: str) -> Pair:
    """Read two offsets, given as four numbers, as two different cells."""
    numbers = list_of(data, what)
    if len(numbers) != 4:
        raise Fault(f"{what} is not two cells")
    first, then = at_of(numbers[:2], what), at_of(numbers[2:], what)
    if first == then:
        raise Fault(f"{what} is one cell twice")
    return first, then


def lines_of(
    lines: list[object], mask: dict[Spot, int], *, away: bool
) -> dict[str, tuple[Pair, ...]]:
    """Return the pairs of each word; `mask` says what cells may be.

    A drawing `away` from the live end may say something of the next step.
    """
    found: dict[str, list[Pair]] = {word: [] for word in WORDS}
    for line in lines:
        word, *numbers = list_of(line, "a line")
        one_of(word, WORDS, "the word of a line")
        a, b = pair_of(numbers, "a line")
        touching = (b[0] - a[0], b[1] - a[1]) in NEAR or (away and a == LIVE)
        known = mask.get(b) == 1 and (mask.get(a) == 1 or (word, a) in _NEXT)
        if not known or (word not in ("before", "mates") and not touching):
            raise Fault("a line is not two cells that are needed free, or no edge")
        if word == "dead" and (a != LIVE or away):
            raise Fault("a step that is dead when followed is none of the live end")
        found[word].append((a, b))
    _check_mates(found["joined"], found["mates"], away)
    return {word: once(pairs, "lines") for word, pairs in found.items()}


def _check_mates(joined: list[Pair], mates: list[Pair], away: bool) -> None:
    """Refuse ends of forced lines that do not say by which edge the line leaves."""
    if away and (joined or mates):
        raise Fault("a drawing away from the live end has forced edges")
    if len(set(map(frozenset, joined))) < len(joined):
        raise Fault("a forced edge is given twice")
    sides = [cell for pair in joined for cell in pair]
    ends = [cell for pair in mates for cell in pair]
    if any(sides.count(cell) != 1 or ends.count(cell) != 1 for cell in ends):
        raise Fault("an end of a forced line has not one forced edge, or two lines")
