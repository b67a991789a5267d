"""Drawings of mazes as SVG: letters, entries coloured by distance, and a route.

Round the board stands a wedge for every entry, green where few moves lead to the goal,
red where many do and grey where none do, with the number. Letters are drawn as strokes,
so that pictures look alike on machines without fonts.
"""

from solver.errors import OptionError
from solver.glyphs import text_path
from solver.puzzles.maze.board import Entry, Maze
from solver.puzzles.maze.solve import Route, Solution, counted
from solver.svg import document

CELL = 48  # side of a cell in SVG units
MARGIN = 40
_LANE = 14.0  # distance of the route from the middle of the sides it crosses
_REACH = (16.0, 6.0, 18.0, 36.0)  # how round a bend is drawn, by quarter turns
_MOST = 10_000  # cells in a picture
_LETTERS = {"S": "#2457d6", "R": "#1d7a4f", "L": "#7a3fb0", "U": "#b26a00"}
_AHEAD = (-1j, 1, 1j, -1)  # by heading: a point is x + y j


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
    return complex(MARGIN + (col + 0.5) * CELL, MARGIN + (row + 0.5) * CELL)


def _outside(maze: Maze, entry: Entry, far: float) -> complex:
    """Return the point before an entry, so far from the border."""
    inward = _AHEAD[entry.inside % 4]
    return _centre(maze, entry.inside // 4) - (CELL / 2 + far) * inward


def _at(point: complex) -> str:
    return f"{point.real:g} {point.imag:g}"


def _strokes(text: str, point: complex, height: float, style: str) -> str:
    return (
        f'<path d="{text_path(text, point.real, point.imag, height)}" fill="none" '
        f'stroke-linecap="round" stroke-linejoin="round" {style}/>'
    )


def _cells(maze: Maze) -> list[str]:
    parts = []
    for cell, letter in enumerate("".join(maze.lines)):
        middle = _centre(maze, cell)
        x, y = middle.real, middle.imag
        fill = {"X": "#3a3a3a", "G": "#ffe08a", "?": "#e3f1ff"}.get(letter, "#ffffff")
        parts.append(
            f'<rect x="{x - CELL / 2:g}" y="{y - CELL / 2:g}" width="{CELL}" '
            f'height="{CELL}" fill="{fill}" stroke="#c4c4c4"/>'
        )
        if letter == "G":
            parts += [
                f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="none" '
                'stroke="#8a5a00" stroke-width="3"/>'
                for radius in (5, 12)
            ]
        else:
            pen = "#ffffff" if letter == "X" else _LETTERS.get(letter, "#222222")
            style = f'class="letter" stroke="{pen}" stroke-width="2.6"'
            parts.append(_strokes(letter, middle, 15, style))
    return parts


def _entry(maze: Maze, entry: Entry, moves: int | None, fill: str) -> str:
    place, turn = _at(_outside(maze, entry, 0)), 90 * (entry.inside % 4 - 2)
    wedge = (
        f'<path class="entry" d="M-6 -9h12L0 -1z" fill="{fill}" '
        f'transform="translate({place}) rotate({turn})">'
        f"<title>{entry}: {'no way' if moves is None else counted(moves)}</title>"
        "</path>"
    )
    if moves is None:
        return wedge
    style = 'class="moves" stroke="#222222" stroke-width="1.5"'
    return wedge + _beside(maze, entry, str(moves), style)


def _beside(maze: Maze, entry: Entry, text: str, style: str) -> str:
    """Write outside the board, at an entry."""
    point = _outside(maze, entry, 24 if entry.inside % 2 else 19)
    height = min(11.0, 28 / len(text))  # so that it fits between wedge and margin
    return _strokes(text, point, height, style)


def _route(maze: Maze, route: Route) -> list[str]:
    """Draw one curve a move, paler where it comes earlier, with an arrow head each.

    It keeps to the right of its heading. A route of fewest moves never crosses a side
    of a cell twice with one heading, so no two curves cover each other.
    """
    parts, moves = [], len(route.nodes)
    for move, node in enumerate(route.nodes, start=1):
        middle, heading = _centre(maze, node // 4), node % 4
        start = middle - CELL / 2 * _AHEAD[heading] + _LANE * _AHEAD[heading - 3]
        curve = f"M{_at(start)}"
        if move == 1:
            curve = f"M{_at(start - 9 * _AHEAD[heading])}L{_at(start)}"
        if move < moves:
            ahead = route.nodes[move] % 4
            end = middle + CELL / 2 * _AHEAD[ahead] + _LANE * _AHEAD[ahead - 3]
            reach = _REACH[(ahead - heading) % 4]
            bend = start + reach * _AHEAD[heading], end - reach * _AHEAD[ahead], end
            curve += "C" + " ".join(map(_at, bend))
        else:
            curve += f"L{_at(middle - 4 * _AHEAD[heading])}"
        at = round(255 * (move - 1) / max(1, moves - 1))
        pen = f"#{232 - at * 92 // 255:02x}{140 - at * 130 // 255:02x}{40:02x}"
        parts.append(
            f'<path class="route" d="{curve}" fill="none" stroke="{pen}" '
            f'stroke-width="3" stroke-linecap="round"><title>move {move}: '
            f"{maze.name(node)}</title></path>"
            f'<path d="M-4 -4L0 1L4 -4" fill="none" stroke="{pen}" stroke-width="2.4" '
            f'transform="translate({_at(start)}) '
            f'rotate({90 * (heading - 2)})"/>'
        )
    return parts


def draw(solution: Solution, *, entry: Entry | None = None) -> str:
    """Draw a solved maze as an SVG document, with a route if there is one.

    The route begins at `entry`, by default at the best one. A hopeless entry is marked
    "none", and no route is drawn. A cell is 48 pixels wide.

    Raises `OptionError` if the maze has more than 10,000 cells: nobody can read such a
    picture.
    """
    maze = solution.maze
    if maze.cells > _MOST:
        raise OptionError(f"a picture of {maze.cells} cells, more than {_MOST}")
    parts, all_moves = _cells(maze), solution.moves
    counts = [count for count in all_moves if count is not None]
    for one, moves in zip(maze.entries, all_moves, strict=True):
        fill = colour(moves, min(counts, default=0), max(counts, default=0))
        parts.append(_entry(maze, one, moves, fill))
    if shown := solution.route(entry):
        parts += _route(maze, shown)
    elif entry is not None:
        style = 'class="hopeless" stroke="#d62728" stroke-width="1.3"'
        parts.append(_beside(maze, entry, "none", style))
    width, height = 2 * MARGIN + maze.cols * CELL, 2 * MARGIN + maze.rows * CELL
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return document(width, height, solution.headline(entry), [ground, *parts])
