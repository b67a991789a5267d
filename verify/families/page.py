"""The page of distance families: their tables as Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from heuristic.rules.writing import page_text
from verify.families.tables import CORNER, PERIOD, Place, Table, member, scope_of
from verify.proof.surplus import Bounds, NoBounds

_DRAWN: dict[bool, Place] = {True: (5, 3), False: (4,)}  # corner or not: the picture
_HEAD = """# Distance families

Written by `oneway prove straight up-small up-big corner`.

The walk and a border of marked cells cut off an area. Its
*surplus* is the number of its white cells less that of its black ones; black is the
colour of the live end. If a completion goes on in a certain way, only some surpluses
are possible. A cell of the table names the lowest and the highest. Each surplus below
the first number or above the second is proved impossible. The two numbers themselves
are not excluded. *Never*: no completion begins so.

The walk comes from below the page if nothing else is said: *from the right*, *from the
left* of the live end. The letters are those of
[the rule language](../reference/rules.md): `@` live end, `s`, `m`, `e` the border, `.`
free, `#` visited, `%` visited or outside, `o` free or visited. The same holds mirrored.
"""


def markdown(tables: Iterable[Table]) -> str:
    """Write the page: each family's drawing, bounds, and from where on they repeat."""
    pages = [
        _corners(table) if table.name == CORNER else _straight(table)
        for table in tables
    ]
    return "\n".join([_HEAD, *pages])


def shown(one: Bounds | None) -> str:
    """Return bounds as people read them.

    >>> shown((-1, 2)), shown(NoBounds.NEVER), shown(None)
    ('-1 to 2', 'never', '')
    """
    if one is None:
        return ""
    return "never" if isinstance(one, NoBounds) else f"{one[0]} to {one[1]}"


def _straight(table: Table) -> str:
    columns = table.columns()
    rows = [
        _row(place[0], *(shown(table.at(place, column[0])) for column in columns))
        for place in sorted(table.bounds)
    ]
    regular = [table.regular_from(column[0]) for column in columns]
    return "\n".join(
        [
            *_begin(table, "Drawn with a border of 4 cells; D is their number."),
            *_titles("D", *(", ".join(column) for column in columns)),
            *rows,
            _row("regular from", *("-" if at is None else at for at in regular)),
            "",
            f"Regular: {PERIOD} cells more make both one larger, for every D.\n",
        ]
    )


def _corners(table: Table) -> str:
    columns = table.columns()
    ways = [column[0] for column in columns]
    regular = {
        side: [table.regular_from(way, side) for way in ways] for side in (1, -1)
    }
    rows = []
    for difference in sorted({place[0] - place[1] for place in table.bounds}):
        known = regular[1 if difference > 0 else -1]
        if all(at is not None and abs(difference) >= at + PERIOD for at in known):
            continue  # a row nearer by so much says it
        nearest = min(at for at in table.bounds if at[0] - at[1] == difference)
        cells = [_corner(table, nearest, way) for way in ways]
        rows.append(_row(difference, f"{nearest[0]}, {nearest[1]}", *cells))
    ends = [
        _row(
            f"regular from, farther {word}", "", *("-" if x is None else x for x in of)
        )
        for word, of in (("left", regular[1]), ("ahead", regular[-1]))
    ]
    key = """Drawn with a corner 5 cells to the left and 3 ahead. For each difference
of the two the nearest corner. W, B: each step of the stair, one cell more to the left
and one more ahead, makes one white, one black cell more possible, for every corner;
where that holds only from a later corner on, it is named."""
    return "\n".join(
        [
            *_begin(table, key),
            *_titles(
                "left - ahead", "nearest", *(", ".join(column) for column in columns)
            ),
            *rows,
            *ends,
            "",
            "Regular: where a corner lies so much farther to one side, or more, "
            f"{PERIOD} cells\n"
            "more there make both bounds one larger, for every corner.\n",
        ]
    )


def _corner(table: Table, nearest: Place, way: str) -> str:
    text = shown(table.at(nearest, way))
    stair = table.stair(way, nearest[0] - nearest[1])
    if stair is None:
        return text
    letter = "W" if stair.white else "B"
    if stair.since == nearest:
        return f"{text}, {letter}"
    since = ", ".join(map(str, stair.since))
    return f"{text}; from {since}: {shown(table.at(stair.since, way))}, {letter}"


def _begin(table: Table, key: str) -> list[str]:
    name = table.name
    drawing = member(name, _DRAWN[name == CORNER])
    page = page_text(replace(drawing, forbidden=()))
    side, scope = drawing.areas[0].side, scope_of(drawing)
    key += f"\nThe area lies {side} of the border. Proved for {scope.value}."
    key += "\nProved for every distance at once."
    return [f"## {name}", "", "```text", page, "```", "", key, ""]


def _titles(*cells: object) -> Sequence[str]:
    return _row(*cells), "|---" * len(cells) + "|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
