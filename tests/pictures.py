"""Rule pictures as the researcher's rule editor writes them, of our own making."""

from collections.abc import Iterable

_ARROWS = {
    "<": ("M {r} {m} h -0.6 m 0.2 -0.2 l -0.2 0.2 m 0 0 l 0.2 0.2", 5),
    ">": ("M {l} {m} h 0.6 m -0.2 -0.2 l 0.2 0.2 m 0 0 l -0.2 0.2", 6),
    "^": ("M {c} {d} v -0.6 m -0.2 0.2 l 0.2 -0.2 m 0 0 l 0.2 0.2", 7),
    "v": ("M {c} {u} v 0.6 m -0.2 -0.2 l 0.2 0.2 m 0 0 l 0.2 -0.2", 8),
}


def path(shape: str, column: int, row: int, **style: str) -> str:
    """Return a path on a cell (from 0); letters of the shape stand for places."""
    d = shape.format(
        **{"x": column, "y": row, "l": column + 0.2, "r": column + 0.8},
        **{"c": column + 0.5, "m": row + 0.5, "u": row + 0.2, "d": row + 0.8},
        **{"a": column + 0.3, "b": row + 0.3, "g": column + 0.2, "h": row + 0.2},
    )
    said = " ".join(
        f'{key.replace("_", "-")}="{value}"' for key, value in style.items()
    )
    return f'\t<path d="{d}" {said} />'


def _line(shape: str, column: int, row: int, colour: str) -> str:
    style = {"fill": "white", "fill_opacity": "0", "stroke": colour}
    return path(shape, column, row, **style, stroke_width="0.05")


def _full(column: int, row: int, fill: str, opacity: str = "1") -> str:
    shape = "M {x} {y} h 1 v 1 h -1 z"
    return path(shape, column, row, fill=fill, fill_opacity=opacity)


def ahead(shape: str) -> str:
    """Return a line ahead, in blue."""
    return f'\t<path d="{shape}" fill="white" fill-opacity="0" stroke="blue" />'


def cell(column: int, row: int, sign: str) -> list[str]:
    """Return the lines of a cell, comment first; columns and rows from 0."""

    def said(number: int, *lines: str) -> list[str]:
        return [f"\t<!-- {column + 1} {row + 1} {number} -->", *lines]

    if sign == "@":
        return said(
            1,
            _full(column, row, "#ff0000", "0.15"),
            _line("M {c} {y} v -0.5", column, row + 1, "black"),
            _full(column, row + 1, "#ff0000", "0.15"),
            _line("M {c} {y} v 0.5", column, row + 1, "black"),
        )
    if sign in _ARROWS or sign in "lrud":
        shape, number = _ARROWS.get(sign) or _ARROWS["<>^v"["lrud".index(sign)]]
        square = _full(column, row, "#ff0000" if sign in _ARROWS else "#0000ff", "0.15")
        return said(number, square, _line(shape, column, row, "black"))
    if sign == "#":
        plus = "M {a} {m} h 0.4 M {c} {b} v 0.4"
        red = _full(column, row, "#ff0000", "0.15")
        return said(4, red, _line(plus, column, row, "black"))
    if sign == "x":
        cross = f"M {{g}} {{h}} l 0.6 0.6 M {{g}} {row + 0.8} l 0.6 -0.6"
        return said(12, _line(cross, column, row, "red"))
    if sign == "K":
        corner = "M {a} {h} v 0.5 h 0.5 h -0.2 a 0.3 0.3 0 0 0 -0.3 -0.3"
        return said(11, _line(corner, column, row, "red"))
    fill, opacity, number = {
        ".": ("#dddddd", "1", 2),
        "b": ("#000000", "1", 3),
        "%": ("#000000", "0.5", 8),
    }[sign]
    return said(number, _full(column, row, fill, opacity))


def picture(
    rows: str,
    *more: str,
    flags: str = "",
    size: tuple[int, int] | None = None,
) -> bytes:
    """Return a picture: rows of cells, one space apart, several signs to a cell.

    ``?`` is a cell that is not drawn, ``b`` opaque black, ``K`` the sign of a corner
    beside that of a free cell, ``lrud`` arrows of other obstacles. `more` are lines
    before the end.
    """
    grid = [line.split() for line in rows.strip().splitlines()]
    columns, deep = size or (len(grid[0]), len(grid))
    lines = [f"<!--{flags}-->"] if flags else []
    lines.append(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {deep}">'
    )
    lines += ["\t<style>", "\t\tsvg { background-color: white; }", "\t</style>"]
    for number, layer in enumerate(("@.b%#<>^vlrud", "xK"), 1):
        for row, signs in enumerate(grid):
            for column, several in enumerate(signs):
                for sign in several:
                    if sign in layer:
                        lines += cell(column, row, sign)
        lines.append(f"\t<!--{number}-->")
    lines += _grid(columns, deep)
    return "\n".join([*lines, *more, "</svg>", ""]).encode()


def _grid(columns: int, rows: int) -> Iterable[str]:
    style = 'fill="transparent" stroke="gray" stroke-width="0.02"'
    for column in range(columns + 1):
        yield f'\t<path {style} d="M {column} 0 v {rows}" />'
    for row in range(rows + 1):
        yield f'\t<path {style} d="M 0 {row} h {columns}" />'
