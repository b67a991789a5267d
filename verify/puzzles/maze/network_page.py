"""The network of a maze as one HTML file: drag the nodes, replay the routes.

The page holds Cytoscape.js, the data and the script; its security policy forbids every
load, so it needs no network and cannot reach one.
"""

import json
from importlib.resources import files
from typing import Any

from solver.board import STEPS
from solver.errors import OptionError
from solver.puzzles.maze.letters import Entry
from solver.puzzles.maze.network import network
from solver.puzzles.maze.solve import Solution, counted
from solver.puzzles.maze.svg import colour

_MOST = 1600  # cells on a page; a browser drags that many nodes without stutter
_ASIDE = 0.3  # of a cell: how far a node stands from the middle, where one comes in


def page(solution: Solution, entry: Entry | None = None) -> str:
    """Return the page of a solved maze.

    A node stands at the side of its cell through which the walker comes in, entries
    stand outside. There is a route for every workable entry, the best one first. The
    page opens with the route from `entry`, by default the best; where no way leads from
    `entry` to the goal it says so and marks the entry alone.

    Raises
    ------
    OptionError
        If the maze has no such entry, or more than 1,600 cells.
    """
    maze = solution.maze
    if maze.cells > _MOST:
        raise OptionError(f"a page of {maze.cells} cells, more than {_MOST}")
    if solution.best is None:
        told = "the goal cannot be reached"
    else:
        told = f"{counted(len(solution.best.cells))}, {solution.best.entry}"
    here = files("verify.puzzles.maze")
    parts = {
        "TITLE": f"Maze {maze.rows} x {maze.cols}: {told}",
        "LIBRARY": (here / "vendor" / "cytoscape.min.js").read_text("utf-8"),
        "RELAX": (here / "relax.js").read_text("utf-8"),
        "DATA": json.dumps(_data(solution, entry)).replace("<", "\\u003c"),
    }
    text = (here / "page.html").read_text("utf-8")
    pieces = text.split("@")  # in the template @ stands only round the four names
    return "".join(parts.get(piece, piece) for piece in pieces)


def _data(solution: Solution, entry: Entry | None) -> dict[str, Any]:
    maze = solution.maze
    net = network(maze)
    steps = solution.all_steps.tolist()
    most = max(steps)
    routes, chosen = _routes(solution), 0
    if entry is not None:
        hopeless = solution.route(entry) is None
        begin = 4 * maze.cells + maze.entries.index(entry)
        if hopeless:
            label = f"no way: {entry}"
            routes.append({"label": label, "moves": None, "nodes": [begin]})
        chosen = next(at for at, r in enumerate(routes) if r["nodes"][0] == begin)
    nodes = []
    for node in range(4 * maze.cells):
        cell, heading = divmod(node, 4)
        row, col = divmod(cell, maze.cols)
        dr, dc = STEPS[heading]
        nodes.append((col - _ASIDE * dc, row - _ASIDE * dr, maze.letter(cell), node))
    for at, one in enumerate(maze.entries):
        row, col = divmod(maze.entry_cell(one), maze.cols)
        dr, dc = STEPS[one.side.inward]
        nodes.append((col - 0.8 * dc, row - 0.8 * dr, "", 4 * maze.cells + at))
    return {
        "cells": [
            {
                "id": cell,
                "row": cell // maze.cols,
                "col": cell % maze.cols,
                "letter": at,
            }
            for cell, at in enumerate("".join(maze.lines))
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
            label = f"{counted(moves)}: {entry}"
            found.append({"label": label, "moves": moves, "nodes": nodes})
    return sorted(found, key=lambda route: len(route["nodes"]))
