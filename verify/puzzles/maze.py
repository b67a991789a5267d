"""Mazes read or random, and their solutions as text, JSON, and a page of the network.

The network has an arc for each move from node to node. The idea is Dan Larremore's
(github.com/dblarremore/538). The page holds Cytoscape.js and may load nothing else.
"""

import json
import re
from collections.abc import Iterable
from importlib.resources import files
from textwrap import fill, indent
from typing import Any

import numpy as np

from solver.board import MAX_CELLS, STEPS
from solver.errors import OptionError
from solver.files import read_most
from solver.puzzles.maze import HEADINGS, LETTERS, Entry, Maze, Solution, heat_colour

_MOST = 4 * MAX_CELLS  # bytes: a column with line ends of two needs three a cell


def read_maze(file: str) -> Maze:
    """Return the maze of a file, of standard input for ``-``, or a random one.

    ``random:8,seed=4`` is a random maze of 8 x 8; the seed is optional.

    Raises `OptionError` if the description of a random maze is wrong; errors as
    `read_most` and `Maze.parse`.

    >>> read_maze("random:2,seed=1")
    Maze.parse('GL/X?')
    """
    if file.startswith("random:"):
        match = re.fullmatch("random:([0-9]{1,4})(?:,seed=([0-9]{1,18}))?", file)
        if not match:
            raise OptionError(f"{file[:40]!r} is not like random:8,seed=4")
        side, seed = int(match[1]), int(match[2] or 0)
        if not 1 <= side * side <= MAX_CELLS:
            raise OptionError(f"{side} x {side} is not between 1 and {MAX_CELLS} cells")
        return _random_maze(side, np.random.default_rng(seed))
    name = "standard input" if file == "-" else file
    text = read_most(file, _MOST).decode("utf-8-sig", errors="replace")
    return Maze.parse(text, file=name)


def _random_maze(side: int, rng: np.random.Generator) -> Maze:
    letters = rng.choice([*LETTERS.replace("G", "")], side * side)
    letters[rng.integers(side * side)] = "G"
    return Maze(tuple("".join(row) for row in letters.reshape(side, side)))


_WIDE = 40  # columns of a board that is printed, and entries that are listed
_LARGEST = 1600  # cells on a page; a browser drags that many nodes without stutter
_UNIT = 120  # side of a cell on the page
_ASIDE = 0.3  # of a cell: how far a node stands from the middle


def as_text(solution: Solution, entry: Entry | None) -> str:
    """Return the result, the board, and the route from an entry or the best one."""
    maze, route = solution.maze, solution.route(entry)
    parts = [solution.headline(entry)]
    if route:
        moves = parts[0].partition(":")[0]
        parts = [f"{moves} to the goal, entering from the {route.entry}"]
    elif entry is None:
        parts[0] += f": none of {len(maze.entries)} entries leads there"
    if maze.cols <= _WIDE:
        parts.append(_picture(solution))
    pairs = zip(solution.moves, maze.entries, strict=True)
    workable = [(count, way) for count, way in pairs if count is not None]
    workable.sort(key=lambda pair: pair[0])
    if workable:
        lines = [f"{count:6}  {way}" for count, way in workable[:_WIDE]]
        if more := len(workable[_WIDE:]):
            lines.append(f"{more:6}  more workable entries")
        lines.append(f"{len(maze.entries) - len(workable):6}  hopeless entries")
        parts.append("fewest moves by entry\n" + "\n".join(lines))
    if route:
        steps = []
        for cell, heading in (divmod(node, 4) for node in route.nodes):
            row, col = maze.row_col(cell)
            letter = maze.lines[row - 1][col - 1]
            steps.append(f"{HEADINGS[heading]}({row},{col}){letter}")
        parts.append("route\n" + indent(fill(" ".join(steps), 77), "  "))
    return "\n\n".join(parts)


def _picture(solution: Solution) -> str:
    """Return the letters with the fewest moves of every entry round them."""
    maze = solution.maze
    moves = ["." if count is None else str(count) for count in solution.moves]
    wide = max(map(len, moves)) + 1
    right, bottom = maze.cols, maze.cols + maze.rows
    left = bottom + maze.cols

    def line(first: str, cells: Iterable[str], last: str = "") -> str:
        middle = "".join(cell.rjust(wide) for cell in cells)
        return (first.rjust(wide) + middle + " " * (wide - 1) + last).rstrip()

    rows = zip(moves[left:], maze.lines, moves[right:bottom], strict=True)
    lines = [line("", moves[:right]), *(line(*row) for row in rows)]
    return "\n".join([*lines, line("", moves[bottom:left])])


def to_json(solution: Solution, entry: Entry | None) -> dict[str, Any]:
    """Return the result as JSON values; cells are [row, col] from 1."""
    maze, route = solution.maze, solution.route(entry)
    return {
        "rows": maze.rows,
        "cols": maze.cols,
        "fewest": solution.fewest,
        "route": route
        and {
            "side": route.entry.side,
            "index": route.entry.index,
            "moves": len(route.nodes),
            "headings": "".join(HEADINGS[node % 4] for node in route.nodes),
            "cells": [list(maze.row_col(node // 4)) for node in route.nodes],
        },
        "entries": [
            {"side": way.side, "index": way.index, "moves": count}
            for way, count in zip(maze.entries, solution.moves, strict=True)
        ],
    }


def page(solution: Solution, entry: Entry | None = None) -> str:
    """Return the page of a solved maze with a route for every workable entry.

    It opens with the route from `entry`, by default the shortest. A hopeless `entry` is
    marked.

    Raises `OptionError` if the maze has more than 1,600 cells.
    """
    maze = solution.maze
    if maze.cells > _LARGEST:
        raise OptionError(f"a page of {maze.cells} cells, more than {_LARGEST}")
    here = files("verify.puzzles")
    parts = {
        "TITLE": f"Maze {maze.rows} x {maze.cols}: {solution.headline()}",
        "LIBRARY": (here / "vendor" / "cytoscape.min.js").read_text("utf-8"),
        "DATA": json.dumps(_data(solution, entry)).replace("<", "\\u003c"),
    }
    text = (here / "page.html").read_text("utf-8")
    pieces = text.split("@")  # in the template @ stands only round the three names
    return "".join(parts.get(piece, piece) for piece in pieces)


def _data(solution: Solution, entry: Entry | None) -> dict[str, Any]:
    """Return the elements that Cytoscape.js shows, and routes as numbers of nodes."""
    maze, steps = solution.maze, solution.steps.tolist()
    most = max(steps)
    elements: list[dict[str, Any]] = []

    def add(x: float, y: float, kind: str, **data: Any) -> None:
        place = {"x": x * _UNIT, "y": y * _UNIT}
        elements.append({"data": data, "position": place, "classes": kind})

    for cell, letter in enumerate("".join(maze.lines)):
        row, col = divmod(cell, maze.cols)
        add(col, row, f"cell {letter}", id=f"c{cell}", label=letter)
    inner = 4 * maze.cells
    stands = [(node, _ASIDE) for node in range(inner)]
    stands += [(way.inside, 0.8) for way in maze.entries]
    for node, (inside, aside) in enumerate(stands):
        (row, col), (dr, dc) = divmod(inside // 4, maze.cols), STEPS[inside % 4]
        moves = None if steps[node] < 0 else steps[node]
        add(
            col - aside * dc,
            row - aside * dr,
            "node" + " hopeless" * (moves is None) + " entry" * (node >= inner),
            id=f"n{node}",
            name=maze.name(node),
            label="" if moves is None else str(moves),
            colour=heat_colour(moves, 0, most),
        )
    arcs = [(node, to) for node in range(inner) for to in sorted(maze.moves(node))]
    arcs += [(way.node, way.inside) for way in maze.entries]
    for tail, head in arcs:
        arc = {"id": f"n{tail}n{head}", "source": f"n{tail}", "target": f"n{head}"}
        elements.append({"data": arc, "classes": "arc"})
    routes: list[dict[str, Any]] = []
    for way in maze.entries:
        if route := solution.route(way):
            nodes = [way.node, *route.nodes]
            routes.append({"label": solution.headline(way), "nodes": nodes})
        elif way == entry:
            routes.append({"label": f"no way: {way}", "nodes": [way.node]})
    # The shortest first, a hopeless entry last.
    routes.sort(key=lambda each: (len(each["nodes"]) == 1, len(each["nodes"])))
    begins = [each["nodes"][0] for each in routes]
    return {
        "elements": elements,
        "routes": routes,
        "chosen": 0 if entry is None else begins.index(entry.node),
    }
