"""The network of a maze as one HTML file: drag the nodes, replay the routes.

The page holds Cytoscape.js, the data and the script; its security policy forbids every
load, so it needs no network and cannot reach one.
"""

import json
from importlib.resources import files
from itertools import product
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
    maze, steps = solution.maze, solution.all_steps.tolist()
    net, inside, most = network(maze), 4 * maze.cells, max(steps)
    routes: list[dict[str, Any]] = []
    for at, one in enumerate(maze.entries):
        if route := solution.route(one):
            places = zip(route.cells, route.headings, strict=True)
            way = [inside + at, *(4 * cell + heading for cell, heading in places)]
            moves = len(route.cells)
            label = f"{counted(moves)}: {one}"
            routes.append({"label": label, "moves": moves, "nodes": way})
    routes.sort(key=lambda route: len(route["nodes"]))
    if entry is not None and solution.route(entry) is None:
        way = [inside + maze.entries.index(entry)]
        routes.append({"label": f"no way: {entry}", "moves": None, "nodes": way})
    begins = [maze.entries[route["nodes"][0] - inside] for route in routes]
    chosen = 0 if entry is None else begins.index(entry)
    cells = product(range(maze.cells), range(4))
    stands = [(cell, heading, _ASIDE) for cell, heading in cells]
    stands += [(maze.entry_cell(one), one.side.inward, 0.8) for one in maze.entries]
    nodes = []
    for node, (cell, heading, aside) in enumerate(stands):
        (row, col), (dr, dc) = divmod(cell, maze.cols), STEPS[heading]
        nodes.append(
            {
                "id": node,
                "x": col - aside * dc,
                "y": row - aside * dr,
                "letter": maze.letter(cell) if node < inside else "",
                "name": net.name(node),
                "entry": node >= inside,
                "steps": steps[node],
                "colour": colour(None if steps[node] < 0 else steps[node], 0, most),
            }
        )
    return {
        "cells": [
            {"id": at, "row": at // maze.cols, "col": at % maze.cols, "letter": letter}
            for at, letter in enumerate("".join(maze.lines))
        ],
        "nodes": nodes,
        "arcs": list(zip(net.tails.tolist(), net.heads.tolist(), strict=True)),
        "routes": routes,
        "chosen": chosen,
    }
