"""A solved maze in words and as JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from textwrap import fill
from typing import Any

from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import HEADINGS, Entry
from solver.puzzles.maze.network import Figures, figures
from solver.puzzles.maze.solve import Route, Solution, counted

_WIDE = 40  # columns of the widest board that is printed with its entries
_WAYS, _MANY = 60, 10_000  # longest ways counted; not on boards of more cells than that


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


def _figures(solution: Solution) -> Figures:
    many = solution.maze.cells > _MANY
    return figures(solution, longest=0 if many else _WAYS)


def network_text(solution: Solution) -> str:
    """Tell the figures of the network, in the words of `Figures`."""
    maze, found = solution.maze, _figures(solution)
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
        values = asdict(_figures(solution))
        found["network"] = values | {"ways": [str(count) for count in values["ways"]]}
    return found
