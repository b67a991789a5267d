"""A solved maze in words, as JSON, and as one HTML page.

On the page one drags the nodes of the network and replays the routes. It holds
Cytoscape.js, the data and the script; its security policy forbids every load, so it
needs no network and cannot reach one.

As a directed network the maze has four nodes a cell and one node an entry. Node ``4 *
cell + heading`` is "cell entered with this heading"; the entries follow in the order of
`Maze.entries`, 4n of them on an n x n board, so ``4n(n + 1)`` nodes in all. An arc is
one move. The idea is Dan Larremore's (github.com/dblarremore/538): in the k-th power of
the adjacency matrix, row u and column v count the ways of exactly k moves from u to v,
so the first power that joins an entry to the goal names the fewest moves.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import islice, product
from textwrap import fill
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.board import STEPS
from solver.errors import OptionError
from solver.puzzles.maze.board import HEADINGS, Entry, Maze
from solver.puzzles.maze.solve import Route, Solution, counted
from solver.puzzles.maze.svg import colour


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The arcs of a maze, ascending, from ``tails[k]`` to ``heads[k]``; int64 arrays.

    >>> net = network(Maze.parse("SG"))
    >>> [(net.name(t), net.name(h)) for t, h in zip(net.tails[:2], net.heads)]
    [('(1, 1) E', '(1, 2) E'), ('top, column 1', '(1, 1) S')]
    """

    maze: Maze
    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Number of nodes, entries included."""
        return 4 * self.maze.cells + 2 * (self.maze.rows + self.maze.cols)

    def name(self, node: int) -> str:
        """Return what people call the node: ``(row, col) heading`` or the entry."""
        if node >= 4 * self.maze.cells:
            return str(self.maze.entries[node - 4 * self.maze.cells])
        row, col = self.maze.row_col(node // 4)
        return f"({row}, {col}) {HEADINGS[node % 4]}"


def network(maze: Maze) -> Network:
    """Return the network of a maze; time and memory linear in the cells."""

    def arcs() -> Iterator[tuple[int, int]]:
        for node in range(4 * maze.cells):
            for cell, ahead in sorted(maze.moves(node // 4, node % 4)):
                yield node, 4 * cell + ahead
        for node, entry in enumerate(maze.entries, start=4 * maze.cells):
            yield node, 4 * maze.entry_cell(entry) + entry.side.inward

    tails, heads = np.fromiter(arcs(), dtype=np.dtype((np.int64, 2))).T
    return Network(maze, tails, heads)


def ways(net: Network) -> Iterator[int]:
    """Yield, for k = 1, 2, ..., how many ways of exactly k moves lead in to the goal.

    It applies the adjacency matrix once for each k, in whole numbers of any size, and
    ends when no way that long is left; where ways run in circles it goes on for ever.

    >>> list(ways(network(Maze.parse("SG"))))
    [3, 1]
    """
    cells, goal = net.maze.cells, net.maze.goal
    count = np.zeros(net.nodes, dtype=object)
    count[4 * goal : 4 * goal + 4] = 1
    while True:
        after = np.zeros(net.nodes, dtype=object)
        np.add.at(after, net.tails, count[net.heads])
        if not np.any(after):
            return
        yield int(sum(after[4 * cells :]))
        count = after


_WIDE = 40  # columns of the widest board that is printed with its entries
_WAYS, _MANY = 60, 10_000  # longest ways counted; not on boards of more cells than that


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be reached in a network, in numbers of nodes."""

    nodes: int
    arcs: int
    ends: int  # nodes but the goal's that no arc leaves: the walker is lost next
    entered: int  # that some entry leads to
    hopeful: int  # with a way to the goal, the goal's own four among them
    both: int  # on a way from an entry to the goal
    farthest: int  # the most moves that any node needs at its best
    ways: tuple[int, ...]  # for k = 1, 2, ..., as far as they were asked for


def figures(solution: Solution, *, longest: int = _WAYS) -> Figures:
    """Count what arcs reach in a solved maze, and the ways of up to `longest` moves.

    On boards of more than 10,000 cells ways are not counted.
    """
    maze, net, steps = solution.maze, network(solution.maze), solution.all_steps
    first = np.searchsorted(net.tails, np.arange(net.nodes + 1)).tolist()
    seen, todo = set[int](), [*range(4 * maze.cells, net.nodes)]
    while todo:
        node = todo.pop()
        new = set(net.heads[first[node] : first[node + 1]].tolist()) - seen
        seen |= new
        todo += new
    on_a_way = [*seen, *range(4 * maze.cells, net.nodes)]
    return Figures(
        nodes=net.nodes,
        arcs=len(net.heads),
        ends=net.nodes - len(np.unique(net.tails)) - 4,
        entered=len(seen),
        hopeful=int((steps >= 0).sum()),
        both=int((steps[on_a_way] >= 0).sum()),
        farthest=int(steps.max()),
        ways=tuple(islice(ways(net), longest if maze.cells <= _MANY else 0)),
    )


def as_text(
    solution: Solution, route: Route | None, *, entry: Entry | None = None
) -> str:
    """Tell the result: one sentence, the board among its entries, the route.

    `route` is the best one, or the one from `entry` if that was asked for.
    """
    maze = solution.maze
    if entry is not None and route is None:
        parts = [f"{entry}: the goal cannot be reached from here"]
    elif route is None:
        tried = len(maze.entries)
        parts = [f"the goal cannot be reached: none of {tried} entries leads there"]
    else:
        moves = counted(len(route.cells))
        parts = [f"{moves} to the goal, entering from the {route.entry}"]
    workable = sorted(
        (moves, at) for at, moves in enumerate(solution.moves) if moves is not None
    )
    if maze.cols <= _WIDE:
        parts.append(_picture(solution))
    if workable:
        lines = [f"{moves:6}  {maze.entries[at]}" for moves, at in workable[:_WIDE]]
        if len(workable) > _WIDE:
            lines.append(f"        and {len(workable) - _WIDE} more workable entries")
        hopeless = len(maze.entries) - len(workable)
        lines.append(f"{hopeless:6}  hopeless entries")
        parts.append("fewest moves by entry\n" + "\n".join(lines))
    if route is not None:
        parts.append("route\n" + _steps(maze, route))
    return "\n\n".join(parts)


def _picture(solution: Solution) -> str:
    """Draw the letters with the fewest moves of every entry round them."""
    maze = solution.maze
    moves = ["." if one is None else str(one) for one in solution.moves]
    wide = max(map(len, moves)) + 1
    right, bottom = maze.cols, maze.cols + maze.rows
    left = bottom + maze.cols

    def line(first: str, cells: Iterable[str], last: str = "") -> str:
        middle = "".join(one.rjust(wide) for one in cells)
        return (first.rjust(wide) + middle + " " * (wide - 1) + last).rstrip()

    rows = zip(moves[left:], maze.lines, moves[right:bottom], strict=True)
    lines = [line("", moves[:right]), *(line(*row) for row in rows)]
    return "\n".join([*lines, line("", moves[bottom:left])])


def _steps(maze: Maze, route: Route) -> str:
    steps = []
    for cell, heading in zip(route.cells, route.headings, strict=True):
        row, col = maze.row_col(cell)
        steps.append(f"{HEADINGS[heading]}({row},{col}){maze.letter(cell)}")
    return _wrapped(" ".join(steps))


def _wrapped(text: str) -> str:
    return fill(text, width=79, initial_indent="  ", subsequent_indent="  ")


def network_text(solution: Solution) -> str:
    """Tell the figures of the network, in the words of `Figures`."""
    maze, found = solution.maze, figures(solution)
    lines = [
        f"network: {found.nodes} nodes, {found.arcs} arcs",
        f"{found.ends:6}  nodes where the walker is lost next",
        f"{found.entered:6}  nodes that some entry leads to",
        f"{found.hopeful:6}  nodes with a way to the goal",
        f"{found.farthest:6}  moves at most from such a node",
        f"{found.both:6}  nodes on a way from an entry to the goal",
    ]
    if maze.cells > _MANY:
        lines.append(f"ways are not counted on boards of more than {_MANY} cells")
    else:
        what = f"powers of the matrix, k up to {_WAYS}"
        lines.append(f"ways of exactly k moves, k: ways ({what})")
        ways = [f"{k}: {count}" for k, count in enumerate(found.ways, 1) if count]
        lines.append(_wrapped(", ".join(ways) or "none"))
    return "\n".join(lines)


def to_json(
    solution: Solution, route: Route | None, *, network: bool
) -> dict[str, Any]:
    """Return the result as JSON values; cells are [row, col] from 1."""
    maze = solution.maze
    found: dict[str, Any] = {
        "rows": maze.rows,
        "cols": maze.cols,
        "outcome": "OUT_OF_REACH" if solution.best is None else "REACHED",
        "fewest": solution.fewest,
        "route": None,
        "entries": [
            {"side": entry.side.value, "index": entry.index, "moves": moves}
            for entry, moves in zip(maze.entries, solution.moves, strict=True)
        ],
    }
    if route is not None:
        found["route"] = {
            "side": route.entry.side.value,
            "index": route.entry.index,
            "moves": len(route.cells),
            "headings": route.compass,
            "cells": [list(maze.row_col(cell)) for cell in route.cells],
        }
    if network:
        # counts of ways outgrow 64 bits, which JSON readers rely on: they go as text
        values = asdict(figures(solution))
        found["network"] = values | {"ways": [str(count) for count in values["ways"]]}
    return found


_MOST = 1600  # cells on a page; a browser drags that many nodes without stutter
_ASIDE = 0.3  # of a cell: how far a node stands from the middle, where one comes in


def page(solution: Solution, entry: Entry | None = None) -> str:
    """Return the page of a solved maze.

    A node stands at the side of its cell through which the walker comes in, entries
    stand outside. There is a route for every workable entry, the best one first. The
    page opens with the route from `entry`, by default the best; where no way leads from
    `entry` to the goal it says so and marks the entry alone.

    Raises `OptionError` if the maze has no such entry, or more than 1,600 cells.
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
