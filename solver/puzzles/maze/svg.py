"""Drawings of mazes as SVG: letters, the moves from every entry, and a route.

Entries with few moves to the goal are green, those with many red, hopeless ones grey.
Letters are strokes, so that pictures need no fonts.
"""

from solver.errors import OptionError
from solver.glyphs import text_path
from solver.puzzles.maze.board import Entry, Maze
from solver.puzzles.maze.solve import Route, Solution
from solver.svg import document

_CELL, _MARGIN = 48, 40  # side of a cell and margin in SVG units
_LANE = 14.0  # distance of the route from the middle of the sides that it crosses
_MOST = 10_000  # cells in a picture
_AHEAD = (-1j, 1, 1j, -1)  # by heading: a point is x + y j
_FILLS = {"X": "#3a3a3a", "G": "#ffe08a", "?": "#e3f1ff"}


def colour(moves: int | None, fewest: int, most: int) -> str:
    """Return green for the fewest moves, red for the most, grey for None.

    >>> colour(34, 34, 45), colour(45, 34, 45), colour(None, 34, 45)
    ('#2c9f45', '#d62728', '#d0d0d0')
    """
    if moves is None:
        return "#d0d0d0"
    share = 2 * (moves - fewest) / max(1, most - fewest)
    green, yellow, red = (44, 159, 69), (233, 185, 47), (214, 39, 40)
    low, high, at = (green, yellow, share) if share < 1 else (yellow, red, share - 1)
    mixed = (round(a + (b - a) * at) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _centre(maze: Maze, cell: int) -> complex:
    row, col = divmod(cell, maze.cols)
    return complex(_MARGIN + (col + 0.5) * _CELL, _MARGIN + (row + 0.5) * _CELL)


def _text(kind: str, text: str, point: complex, height: float, pen: str) -> str:
    strokes = text_path(text, point.real, point.imag, height)
    style = 'fill="none" stroke-width="2" stroke-linecap="round"'
    return f'<path class="{kind}" d="{strokes}" stroke="{pen}" {style}/>'


def _cell(letter: str, middle: complex) -> str:
    corner = middle - complex(_CELL / 2, _CELL / 2)
    square = (
        f'<path d="M{corner.real:g} {corner.imag:g}h{_CELL}v{_CELL}h-{_CELL}z" '
        f'stroke="#c4c4c4" fill="{_FILLS.get(letter, "#ffffff")}"/>'
    )
    pen = "#ffffff" if letter == "X" else "#222222"
    return square + _text("letter", letter, middle, 15, pen)


def _route(maze: Maze, route: Route) -> str:
    """Draw the route as one line that keeps to the right of its heading.

    A shortest route never crosses a side of a cell twice with one heading, so no two
    crossings lie on each other.
    """
    points = []
    for cell, heading in (divmod(node, 4) for node in route.nodes):
        border = _centre(maze, cell) - _CELL / 2 * _AHEAD[heading]
        points.append(border + _LANE * _AHEAD[heading - 3])
    points.append(_centre(maze, route.nodes[-1] // 4))
    line = " ".join(f"{point.real:g},{point.imag:g}" for point in points)
    style = 'fill="none" stroke="#c0392b" stroke-width="3" stroke-linejoin="round"'
    return f'<polyline class="route" points="{line}" {style}/>'


def draw(solution: Solution, *, entry: Entry | None = None) -> str:
    """Draw a solved maze as an SVG document, with the route from an entry if it exists.

    The default entry is the best one. A cell is 48 pixels wide.

    Raises `OptionError` if the maze has more than 10,000 cells.
    """
    maze = solution.maze
    if maze.cells > _MOST:
        raise OptionError(f"a picture of {maze.cells} cells, more than {_MOST}")
    letters = "".join(maze.lines)
    parts = [_cell(letters[cell], _centre(maze, cell)) for cell in range(maze.cells)]
    counts = [count for count in solution.moves if count is not None]
    for one, moves in zip(maze.entries, solution.moves, strict=True):
        cell, heading = divmod(one.inside, 4)
        outside = _centre(maze, cell) - (_CELL / 2 + 18) * _AHEAD[heading]
        pen = colour(moves, min(counts, default=0), max(counts, default=0))
        parts.append(_text("entry", str(moves or "-"), outside, 10, pen))
    if route := solution.route(entry):
        parts.append(_route(maze, route))
    width, height = 2 * _MARGIN + maze.cols * _CELL, 2 * _MARGIN + maze.rows * _CELL
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return document(width, height, solution.headline(entry), [ground, *parts])
