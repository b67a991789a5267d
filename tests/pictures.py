"""Rule pictures as the researcher's rule editor writes them, of our own making."""

_ARROWS = {
    "<": "M {r} {m} h -0.6 m 0.2 -0.2 l -0.2 0.2 m 0 0 l 0.2 0.2",
    ">": "M {l} {m} h 0.6 m -0.2 -0.2 l 0.2 0.2 m 0 0 l -0.2 0.2",
    "^": "M {c} {d} v -0.6 m -0.2 0.2 l 0.2 -0.2 m 0 0 l 0.2 0.2",
    "v": "M {c} {u} v 0.6 m -0.2 -0.2 l 0.2 0.2 m 0 0 l 0.2 -0.2",
}
_LINES = {  # path and colour of a line
    "@": ("M {c} {y1} v -0.5", "black"),
    "|": ("M {c} {y} v 0.5", "black"),
    "#": ("M {a} {m} h 0.4 M {c} {b} v 0.4", "black"),
    "x": ("M {l} {u} l 0.6 0.6 M {l} {d} l 0.6 -0.6", "red"),
    "K": ("M {a} {u} v 0.5 h 0.5 h -0.2 a 0.3 0.3 0 0 0 -0.3 -0.3", "red"),
    **{sign: (shape, "black") for sign, shape in _ARROWS.items()},
    **{"lrud"[k]: (shape, "black") for k, shape in enumerate(_ARROWS.values())},
}
_SQUARES = {  # colour and opacity of a square
    **dict.fromkeys("@|#<>^v", ("#ff0000", "0.15")),
    **dict.fromkeys("lrud", ("#0000ff", "0.15")),
    ".": ("#dddddd", "1"),
    "b": ("#000000", "1"),
    "%": ("#000000", "0.5"),
}


def _path(shape: str, column: int, row: int, style: str) -> str:
    """Return a path on a cell (from 0); letters of the shape stand for places."""
    d = shape.format(
        **{"x": column, "y": row, "y1": row + 1, "c": column + 0.5, "m": row + 0.5},
        **{"l": column + 0.2, "r": column + 0.8, "u": row + 0.2, "d": row + 0.8},
        **{"a": column + 0.3, "b": row + 0.3},
    )
    return f'\t<path d="{d}" {style} />'


def _shapes(column: int, row: int, sign: str) -> list[str]:
    """Return the square of a cell and its line."""
    paths = []
    if sign in _SQUARES:
        style = 'fill="{}" fill-opacity="{}"'.format(*_SQUARES[sign])
        paths.append(_path("M {x} {y} h 1 v 1 h -1 z", column, row, style))
    if sign in _LINES:
        shape, colour = _LINES[sign]
        style = f'fill="white" fill-opacity="0" stroke-width="0.05" stroke="{colour}"'
        paths.append(_path(shape, column, row, style))
    return paths


def ahead(shape: str) -> str:
    """Return a line ahead, in blue."""
    return f'\t<path d="{shape}" fill="white" fill-opacity="0" stroke="blue" />'


def picture(rows: str, *more: str, flags: str = "") -> bytes:
    """Return a picture: rows of cells, one space apart, several signs to a cell.

    ``?`` is a cell that is not drawn, ``b`` opaque black, ``K`` the sign of a corner
    beside that of a free cell, ``lrud`` arrows of other obstacles. `more` are lines
    before the end.
    """
    grid = [line.split() for line in rows.strip().splitlines()]
    columns, deep = len(grid[0]), len(grid)
    lines = [f"<!--{flags}-->"] if flags else []
    lines.append(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {deep}">'
    )
    lines.append("\t<style>svg { background-color: white; }</style>")
    for number, layer in enumerate(("@.b%#<>^vlrud", "xK"), 1):
        for row, signs in enumerate(grid):
            for column, several in enumerate(signs):
                for sign in several:
                    if sign in layer:
                        lines.append(f"\t<!-- {column + 1} {row + 1} 1 -->")
                        lines += _shapes(column, row, sign)
                        # the walk comes from the cell behind
                        lines += _shapes(column, row + 1, "|") if sign == "@" else []
        lines.append(f"\t<!--{number}-->")
    style = 'fill="transparent" stroke="gray" stroke-width="0.02"'
    lines.append(f'\t<path {style} d="M 0 0 v {deep}" />')
    return "\n".join([*lines, *more, "</svg>", ""]).encode()
