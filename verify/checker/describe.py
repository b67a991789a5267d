"""A drawing in words, as the checker read it: what a certificate proves.

The lines determine the claim: two that differ in meaning print differently.
"""

from verify.checker.chain import Chain
from verify.checker.family import Family
from verify.checker.reading import LIVE, WORDS, Sketch, Spot

_LETTERS = {1: ".", 2: "#", 4: "B", 6: "%", 3: "o", 5: "/", 7: "?"}


def drawing_lines(sketch: Sketch) -> list[str]:
    """Return the cells in the letters of rule files, and the rest as sentences.

    ``/`` is a cell free or outside. Cells are given as [left, ahead].
    """
    marks: dict[Spot, str] = {LIVE: "@"}
    marks |= dict.fromkeys((c for area in sketch.areas for c in area.line), "m")
    cells = {LIVE, *sketch.mask, *sketch.moves}
    rows, cols = [row for row, _ in cells], [col for _, col in cells]

    def letter(cell: Spot) -> str:
        known = marks.get(cell, _LETTERS[sketch.mask.get(cell, 7)])
        if cell in sketch.moves:
            return {"m": "M", ".": "X"}.get(known, "x")
        return "K" if known == "." and cell in sketch.not_end else known

    lines = [
        " ".join(letter((row, col)) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    ]
    for area in sketch.areas:
        bounds = f" {area.low} to {area.high}" * (area.kind in ("within", "beyond"))
        entry = f", entry {_at(area.entry)}" * (area.kind == "impair-determined")
        lines.append(
            f"area {'left' if area.left else 'right'} of the line "
            f"{' '.join(map(_at, area.line))} from {_at(area.base)} to {_at(area.wall)}"
            f": {area.kind}{bounds}{entry}, at least {area.least} cells"
        )
    lines += [f"{_at(a)} is visited before {_at(b)}" for a, b in sketch.runs]
    lines += [
        f"the completion {words.format(_at(a), _at(b))}"
        for word, words in WORDS.items()
        for a, b in sketch.lines[word]
    ]
    lines += [f"the end: {_at(sketch.end)}"] if sketch.end else []
    ends = sorted(sketch.not_end)
    lines += [f"not the end: {' '.join(map(_at, ends))}"] if ends else []
    frame = "the last step runs up the page"
    if sketch.board:
        frame = "up the page is up the board, heading " + "URDL"[sketch.heading]
    elif sketch.away:
        frame = "the live end, [0,0], may lie anywhere"
    return [*lines, f"{frame}; laid {', '.join(sketch.poses).lower()}"]


def family_lines(family: Family) -> list[str]:
    """Return what a family's certificate proves: its drawings, then chain by chain.

    Cells are given as [left, ahead]. A and L are steps of the border; those in brackets
    come any number of times, and so often the number beside `x` is added.
    """
    border = family.border
    lines = [
        f"area {'left' if border.left else 'right'} of a {family.members} from "
        f"{list(border.first)}; from its last cell the wall lies "
        f"{list(border.wall)} {_LETTERS[border.wall_states]}"
    ]
    lines += [f"and {list(at)} {_LETTERS[states]}" for at, states in border.beside]
    for (turn, move), chains in family.ways().items():
        lines.append(f"laid {turn.lower()}, move {list(move)}, the surplus:")
        lines += [f"  {chain_line(one)}" for one in chains]
    return lines


def chain_line(chain: Chain) -> str:
    """Return the steps of a chain and the surpluses that are left."""
    steps = "".join(f"({w})" if often else w for w, often in chain.words)
    low, high = (
        " ".join([str(first), *(f"{number:+}x" for number in more)])
        for first, *more in chain.bounds
    )
    return f"{steps}: {low} to {high}"


def _at(cell: Spot) -> str:
    return f"[{-cell[1]},{-cell[0]}]"
