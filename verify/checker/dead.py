"""Certificates that a position is dead, judged by its text alone.

A certificate is what JSON can say, and nothing in it is believed. The *graph* has the
unvisited cells and the live end. Whatever a completion is, it is a *factor*: a set of
edges, one at the live end, one at the end cell and two at every other cell. Of any
region, count the edges of a factor that leave it from cells of one colour, less those
that leave it from the other: that is the region's *surplus*, for it is also the sum of
what the cells need, by colour. docs/explanation/solid.md proves what each kind says.
Linear time for each factor, but that a strip is followed from each of its beginnings.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import accumulate
from operator import xor
from typing import Any

from verify.checker.graph import (
    Graph,
    colour_of,
    graph_of,
    judge_colours,
    numbers_of,
    region_of,
)
from verify.checker.position import _Reading
from verify.checker.static import judge_static
from verify.checker.values import Fault

Edge = tuple[int, int]
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
    (graph, board), kind = graph_of(text), certificate.get("kind")
    kinds = {
        "apart": _apart,
        "colours": judge_colours,
        "cuts": _cuts,
        "static": judge_static,
    }
    if isinstance(kind, str) and kind in kinds:
        kinds[kind](graph, certificate)
        return
    if kind == "family":
        _family(graph, board, certificate)
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


def _family(graph: Graph, board: _Reading, certificate: Mapping[str, Any]) -> None:
    """Judge factors that strips from the border of one component each do not leave."""
    if len(board.open) < board.rows * board.cols:
        raise Fault("the board has walls")
    for row, col in (divmod(cell, board.cols) for cell in (board.start, board.end)):
        if 0 < row < board.rows - 1 and 0 < col < board.cols - 1:
            raise Fault("the walk begins or ends within the board")
    if board.end not in graph.cells or board.end == graph.ends[0]:
        raise Fault("the walk has been at its end")
    first, made = _dark(certificate.get("edges")), list[tuple[int, frozenset[Edge]]]()
    members = certificate.get("members")
    for member in members if isinstance(members, list) else ():
        if not isinstance(member, Mapping) or type(member.get("inside")) is not int:
            raise Fault("a factor of the family is no table, or names no cell")
        squares = numbers_of(member.get("squares"), "squares")
        dark = first
        for q in squares:
            dark = dark ^ frozenset(_sides(q, board.cols))
        made.append((member["inside"], dark))
    family = {dark for _, dark in made}
    if first not in family:
        raise Fault("the first factor is none of the family")
    for inside, dark in made:
        factor = _Factor(graph, dark)
        for squares in factor.strips(inside):
            sides = (frozenset(_sides(q, board.cols)) for q in squares)
            if reduce(xor, sides, dark) not in family:
                raise Fault(f"the strip from {squares[0]} leaves the family")


def _dark(edges: object) -> frozenset[Edge]:
    if not isinstance(edges, list):
        raise Fault("the edges are no list")
    found = [numbers_of(edge, "edge") for edge in edges]
    dark = frozenset((edge[0], edge[1]) for edge in found if len(edge) == 2)
    if len(dark) < len(found):
        raise Fault("an edge is none of the graph, or there twice")
    return dark


def _sides(q: int, cols: int) -> tuple[tuple[int, int], ...]:
    """Return the top, right, bottom and left side of a square, its upper left cell."""
    right, below = q + 1, q + cols
    return (q, right), (right, below + 1), (below, below + 1), (q, below)


class _Factor:
    """A path factor of the graph, with its components and squares."""

    def __init__(self, graph: Graph, dark: frozenset[Edge]) -> None:
        self.graph, self.cols, self.dark = graph, graph.cols, dark
        self.beside: dict[int, list[int]] = {cell: [] for cell in graph.cells}
        for a, b in dark:
            if a >= b or b not in graph.around.get(a, ()):
                raise Fault("an edge is none of the graph, or there twice")
            self.beside[a].append(b)
            self.beside[b].append(a)
        for cell, near in self.beside.items():
            if len(near) != graph.need(cell):
                raise Fault(f"cell {cell} has {len(near)} edges of the factor")

    def mask(self, q: int) -> tuple[bool, ...] | None:
        """Say which sides of a square are dark; None if it is no square."""
        if self.graph.corners(q) is None:
            return None
        return tuple(side in self.dark for side in _sides(q, self.cols))

    def strips(self, inside: int) -> Iterator[list[int]]:
        """Yield the strips from squares at the border of the component of a cell."""
        component, stack = set[int](), [inside]
        while stack:
            here = stack.pop()
            if here not in component:
                component.add(here)
                stack += self.beside.get(here, ())
        if not component < self.graph.cells:
            raise Fault("the component is no part of the graph, or all of it")
        for q in sorted(self.graph.cells):
            mask = self.mask(q)
            corners = {c for side in _sides(q, self.cols) for c in side}
            if mask is None or not corners & component or corners <= component:
                continue
            if not any(mask):
                raise Fault(f"border square {q} has no dark side")
            if mask in ((True, False) * 2, (False, True) * 2):
                yield [q]
            elif sum(mask) == 1 and (squares := self.strip(q, mask.index(True))):
                yield squares

    def strip(self, q: int, back: int) -> list[int] | None:
        """Follow a strip away from the dark side of its first square."""
        # What lies along the way needs no look: a cell between two light edges has its
        # others dark, and one with its dark edges has no more. So it ends as a strip
        # does, or where a square is missing.
        front, step = (back + 2) % 4, (self.cols, -1, -self.cols, 1)[back]
        found = [q]
        while True:
            found.append(found[-1] + step)
            mask = self.mask(found[-1])
            if mask is None:
                return None
            if mask[front] == (len(found) % 2 == 1):
                return found
