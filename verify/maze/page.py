"""The network of a maze as one HTML file: drag the nodes, replay the routes.

The page holds Cytoscape.js, the data and the script; its security policy forbids every
load, so it needs no network and cannot reach one.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from solver.board import STEPS
from solver.errors import OptionError
from solver.maze.network import network, steps_to_goal
from solver.maze.solve import Route, Solution
from solver.maze.svg import colour

_MOST = 1600  # cells on a page; a browser drags that many nodes without stutter
_ASIDE = 0.3  # of a cell: how far a node stands from the middle, where one comes in


def page(solution: Solution, route: Route | None = None) -> str:
    """Return the page of a solved maze.

    A node stands at the side of its cell through which the walker comes in, entries
    stand outside. There is a route for every workable entry, the best one first; the
    page opens with `route`, or the best one.

    Raises
    ------
    OptionError
        If the maze has more than 1,600 cells.
    """
    maze = solution.maze
    if maze.cells > _MOST:
        raise OptionError(f"a page of {maze.cells} cells, more than {_MOST}")
    if solution.best is None:
        title = f"Maze {maze.rows} x {maze.cols}: the goal cannot be reached"
    else:
        best = solution.best
        title = f"Maze {maze.rows} x {maze.cols}: {len(best.cells)} moves, {best.entry}"
    here = files("verify.maze")
    parts = {
        "TITLE": title,
        "LIBRARY": (here / "vendor" / "cytoscape.min.js").read_text("utf-8"),
        "DATA": json.dumps(_data(solution, route)).replace("<", "\\u003c"),
    }
    text = (here / "page.html").read_text("utf-8")
    pieces = text.split("@")  # in the template @ stands only round the three names
    return "".join(parts.get(piece, piece) for piece in pieces)


def _data(solution: Solution, route: Route | None) -> dict[str, Any]:
    maze = solution.maze
    net = network(maze)
    steps = steps_to_goal(net).tolist()
    most = max(steps)
    routes = _routes(solution)
    first = "" if route is None else str(route.entry)
    chosen = next((at for at, r in enumerate(routes) if r["entry"] == first), 0)
    nodes = []
    for node in range(4 * maze.cells):
        cell, heading = divmod(node, 4)
        row, col = divmod(cell, maze.cols)
        dr, dc = STEPS[heading]
        nodes.append((col - _ASIDE * dc, row - _ASIDE * dr, maze.letter(cell), node))
    for at, entry in enumerate(maze.entries):
        row, col = divmod(maze.entry_cell(entry), maze.cols)
        dr, dc = STEPS[entry.side.inward]
        nodes.append((col - 0.8 * dc, row - 0.8 * dr, "", 4 * maze.cells + at))
    return {
        "cells": [
            {
                "id": cell,
                "row": cell // maze.cols,
                "col": cell % maze.cols,
                "letter": letter,
            }
            for cell, letter in enumerate("".join(maze.lines))
        ],
        "nodes": [
            {
                "id": node,
                "x": x,
                "y": y,
                "letter": letter,
                "name": net.name(node),
                "entry": node >= 4 * maze.cells,
                "steps": steps[node],
                "colour": colour(None if steps[node] < 0 else steps[node], 0, most),
            }
            for x, y, letter, node in nodes
        ],
        "arcs": list(zip(net.tails.tolist(), net.heads.tolist(), strict=True)),
        "routes": routes,
        "chosen": chosen,
    }


def _routes(solution: Solution) -> list[dict[str, Any]]:
    maze, found = solution.maze, []
    for at, entry in enumerate(maze.entries):
        route = solution.route(entry)
        if route is not None:
            places = zip(route.cells, route.headings, strict=True)
            nodes = [4 * maze.cells + at, *(4 * cell + h for cell, h in places)]
            moves = len(route.cells)
            found.append({"entry": str(entry), "moves": moves, "nodes": nodes})
    return sorted(found, key=lambda route: len(route["nodes"]))


def write_page(text: str, path: Path) -> None:
    """Write a page to a file, whole or not at all.

    Raises
    ------
    OptionError
        If its folder cannot be written.
    """
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.write_text(text, "utf-8")
        aside.replace(path)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None
