"""Certificates that a position is dead, judged by its text alone.

A certificate is what JSON can say, and nothing in it is believed. The *graph* has the
unvisited cells and the live end. Whatever a completion is, it is a *factor*: a set of
edges, one at the live end, one at the end cell and two at every other cell. Of any
region, count the edges of a factor that leave it from cells of one colour, less those
that leave it from the other: that is the region's *surplus*, for it is also the sum of
what the cells need, by colour. docs/explanation/solid.md proves what each kind says.
"""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from verify.checker.graph import (
    Graph,
    colour_of,
    graph_of,
    judge_colours,
    numbers_of,
    region_of,
)
from verify.checker.static import judge_static
from verify.checker.values import Fault

_DEEP = 2  # certificates within certificates


def find_dead_fault(text: str, certificate: object) -> str | None:
    """Return the first fault of a certificate that the position is dead, or None.

    >>> white = {"kind": "colours", "colour": "white", "region": [0, 1, 2, 3]}
    >>> find_dead_fault("2:", white)
    >>> find_dead_fault("2@1,1>2,1:", white)
    'the region needs 0 such doors and has 0'
    """
    try:
        _judge(text, certificate, 0)
    except Fault as fault:
        return str(fault)
    return None


def _judge(text: str, certificate: object, deep: int) -> None:
    if not isinstance(certificate, Mapping):
        raise Fault("the certificate is no table")
    graph, kind = graph_of(text), certificate.get("kind")
    kinds = {
        "apart": _apart,
        "colours": judge_colours,
        "cuts": _cuts,
        "static": judge_static,
    }
    if isinstance(kind, str) and kind in kinds:
        kinds[kind](graph, certificate)
        return
    moves = certificate.get("moves")
    if kind != "moves" or not isinstance(moves, Mapping) or deep == _DEEP:
        raise Fault(f"unknown kind {kind!r}, or moves that are no table or too deep")
    live, end = graph.ends
    if live == end:
        raise Fault("the walk is at its end")
    for cell in graph.around[live]:
        step = cell - live
        move = ("UD" if abs(step) == graph.cols else "LR")[step > 0]
        if move not in moves:
            raise Fault(f"move {move} has no certificate")
        _judge(text + move, moves[move], deep + 1)


def _apart(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region that nothing but the ends of the completion touches.

    Without its ends the rest of a completion is in one piece.
    """
    region, ends = region_of(graph, certificate), set(graph.ends)
    doors = {b for a in region for b in graph.around[a]} - region
    if region & ends or (doors and graph.cells <= region | ends):
        raise Fault("the region holds an end, or all cells but the ends")
    if doors - ends:
        raise Fault(f"cell {min(doors - ends)} touches the region and is no end")


def _cuts(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region whose doors are closed by those of the cells of each level up."""
    side, region = colour_of(certificate), region_of(graph, certificate)
    if region == graph.cells:
        raise Fault("the region is the whole graph")
    level, colour = numbers_of(certificate.get("levels"), "levels"), graph.colour
    size = graph.rows * graph.cols
    if len(level) != size or min(level) < 0 or max(level) > size:
        raise Fault("the levels are not one for each cell, from 0 to their number")
    over = [0] * (max(level) + 2)  # surplus less doors, as differences by level
    for cell in graph.cells:
        part = side * colour(cell) * graph.need(cell)
        over[1] += part
        over[level[cell] + 1] -= part
    for near in graph.cells:
        for far in graph.around[near] if colour(near) == side else ():
            door = (near in region) != (far in region)
            if level[near] > level[far]:
                over[level[far] + 1] -= 1
                over[level[near] + 1] += 1
            if door and level[near] >= level[far]:
                raise Fault(f"nothing closes the door {near}-{far}")
    for number, much in enumerate(accumulate(over[1:-1]), 1):
        if much:
            raise Fault(f"level {number}: its surplus is not the number of its doors")
