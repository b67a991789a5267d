"""A drawing as text for people; several areas are named by letters.

A drawing with one area is shown as it is written. With several, the cells of each
area's line get a letter of its own, capital where the cell is also a forbidden move;
what the marks of the file say besides (where a line begins, where it is entered) goes
into the lines below.
"""

from heuristic.rules.drawing import (
    AreaSpec,
    Drawing,
    Offset,
)

_AREA_LETTERS = "pqrtuwz"  # no letter of the rule language, small or capital


def lettered(drawing: Drawing) -> list[str]:
    """Return the rows of the drawing, a line each, areas told apart by letters."""
    rows = [line.split() for line in drawing.text.strip().splitlines()]
    if len(drawing.areas) < 2:
        return [" ".join(row) for row in rows]
    (live,) = [(r, row.index("@")) for r, row in enumerate(rows) if "@" in row]
    for area, letter in reversed(letters_of(drawing)):
        for at in area.cells:
            row, col = live[0] - at[1], live[1] - at[0]
            if 0 <= row < len(rows) and 0 <= col < len(rows[row]):
                move = at in drawing.forbidden
                rows[row][col] = letter.upper() if move else letter
    return [" ".join(row) for row in rows]


def letters_of(drawing: Drawing) -> list[tuple[AreaSpec, str]]:
    """Return each area with its letter; after the last letter they begin anew."""
    known = len(_AREA_LETTERS)
    return [(a, _AREA_LETTERS[i % known]) for i, a in enumerate(drawing.areas)]


def area_lines(drawing: Drawing) -> list[str]:
    """Say of each area, in a line, what its letter is and what is asked of it.

    Then which edges are forced, and where forced lines end.

    >>> from heuristic.rules.rulefile import parse_rules
    >>> rule, = parse_rules('''
    ... [[rule]]
    ... name = "dead-end"
    ... claim = "sound"
    ... origin = "example"
    ... reason = "an example"
    ... drawing = \"\"\"
    ... % % %
    ... % e %
    ... % S %
    ... ? @ ?
    ... \"\"\"
    ... area = [{ side = "left", kind = "pair" }]
    ... ''')
    >>> area_lines(rule.drawings[0])
    ['area on the left: pair']
    """
    several = len(drawing.areas) > 1
    lines = []
    for area, letter in letters_of(drawing):
        bounds = f" {area.low} to {area.high}" * area.kind.bounded
        told = f"area on the {area.side}: {area.kind.value}{bounds}"
        if several:
            line = " ".join(_told(at) for at in area.cells)
            told = f"{letter}: {told}; its line is {line}"
            if area.entry != area.cells[0]:
                told += f", entered at {_told(area.entry)}"
        lines.append(told)
    if several and any(
        at in drawing.forbidden for area in drawing.areas for at in area.cells
    ):
        lines.append("a capital is also a forbidden move; cells are [left, ahead]")
    elif several:
        lines.append("cells are [left, ahead] of the live end")
    return lines + tie_lines(drawing)


def tie_lines(drawing: Drawing) -> list[str]:
    """Say in a line which edges are forced, and of each forced line where it ends."""
    edges = ", ".join(
        f"{_told(one)} to {_told(other)}" for one, other in drawing.joined
    )
    return [
        *([f"forced: {edges}"] if edges else []),
        *(
            f"one forced line ends at {_told(one)} and {_told(other)}"
            for one, other in drawing.mates
        ),
    ]


def _told(at: Offset) -> str:
    return f"[{at[0]}, {at[1]}]"
