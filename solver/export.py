"""Positions as instances for other solvers, which ask if there is a completion.

Every file holds the whole question, no cuts are to be added. A node is the live end or
an unvisited cell, an arc a step that the completion may take. Each node but the end has
one arc out, each but the live end one in; what remains is to forbid loops:

- CNF: a node has its number in the path, in binary; an arc adds one, so no loop closes.
  The colour of its cell is the lowest bit, the last number that of the end cell. Loops
  of two and four cells have a clause each besides, as solvers are much faster with it.
- HCP: the graph itself, in the format of TSPLIB; one more node joins end and live end,
  so that a Hamiltonian cycle is a completion.
"""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from solver.board import Cell, Position
from solver.errors import OptionError, UnknownNameError
from solver.files import make_folder, write_whole

SUITE = Path(__file__).with_name("suite.toml")
Arc: TypeAlias = tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Instance:
    """What a file asks: a Hamiltonian path of a directed graph.

    - `nodes`: the live end first; variables of nodes follow this order.
    - `arcs`: variable v of a file is ``arcs[v - 1]``.
    - `odd`: of each node whether its number in the path is odd, by its colour.
    """

    nodes: tuple[Cell, ...]
    arcs: tuple[Arc, ...]
    end: Cell
    odd: tuple[bool, ...]

    def degrees(self) -> Iterator[list[int]]:
        """Yield sets of variables of which exactly one is true."""
        out: dict[Cell, list[int]] = {n: [] for n in self.nodes if n != self.end}
        into: dict[Cell, list[int]] = {n: [] for n in self.nodes[1:]}
        for variable, (a, b) in enumerate(self.arcs, 1):
            out[a].append(variable)
            into[b].append(variable)
        yield from out.values()
        yield from into.values()

    def short_loops(self) -> Iterator[tuple[int, ...]]:
        """Yield clauses: no loop of two cells, none round a square."""
        variable = {arc: v for v, arc in enumerate(self.arcs, 1)}
        after: dict[Cell, list[Cell]] = {}
        for a, b in self.arcs:
            after.setdefault(a, []).append(b)
        for a, b in self.arcs:
            if a < b and (b, a) in variable:
                yield -variable[a, b], -variable[b, a]
            for c in after.get(b, ()):
                for d in after.get(c, ()):
                    if a < min(b, c, d) and b != d and (d, a) in variable:
                        loop = (a, b), (b, c), (c, d), (d, a)
                        yield tuple(-variable[arc] for arc in loop)


def instance(position: Position) -> Instance:
    """Return what is asked of a position.

    Raises `OptionError` if nothing is asked: the walk is complete, or has visited the
    end before.
    """
    board, free = position.board, position.free
    if position.complete or not free[board.end]:
        raise OptionError(f"no question is left at {position.notation[:60]!r}")
    nodes = (position.live_end, *free.nonzero()[0].tolist())
    near = board.neighbours.tolist()
    arcs = tuple(
        (node, other)
        for node in nodes
        if node != board.end
        for other in near[node]
        if other >= 0 and free[other]
    )
    black = board.black(position.live_end)
    odd = tuple(board.black(node) is not black for node in nodes)
    return Instance(nodes, arcs, board.end, odd)


def cnf(asked: Instance) -> str:
    """Return DIMACS; variables after the arcs are the bits of the nodes in order.

    The lowest bit of a node comes first. The comments say so, too.
    """
    last = len(asked.nodes) - 1
    k = max(1, last.bit_length())
    first = {n: len(asked.arcs) + 1 + k * i for i, n in enumerate(asked.nodes)}
    clauses: list[Sequence[int]] = []
    for some in asked.degrees():
        clauses.append(some)
        clauses += [(-a, -b) for a, b in combinations(some, 2)]
    clauses += asked.short_loops()
    for node, number in ((asked.nodes[0], 0), (asked.end, last)):
        clauses += _number(first[node], k, number)
    for node, odd in zip(asked.nodes, asked.odd, strict=True):
        clauses.append((first[node] if odd else -first[node],))
    for variable, (a, b) in enumerate(asked.arcs, 1):
        clauses += _successor(-variable, first[a], first[b], k)
    count = len(asked.arcs) + k * len(asked.nodes)
    lines = [
        f"c variables 1 to {len(asked.arcs)}: the steps that the JSON beside lists",
        f"c then {k} bits a node, the lowest first: its number in the path",
        f"p cnf {count} {len(clauses)}",
    ]
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join(lines) + "\n"


def _number(first: int, bits: int, number: int) -> Iterator[tuple[int]]:
    """Yield units: the bits from a variable on are a number."""
    for i in range(bits):
        yield (first + i if number >> i & 1 else -(first + i),)


def _successor(unless: int, p: int, q: int, bits: int) -> Iterator[tuple[int, ...]]:
    """Yield clauses: the number at `q` is that at `p` plus one, or a literal holds.

    A bit changes where the one below it went from one to zero, which is the carry.
    """
    yield unless, -p, -q
    yield unless, p, q
    for i in range(1, bits):
        below, then, x, y = p + i - 1, q + i - 1, p + i, q + i
        yield unless, -below, then, x, y
        yield unless, -below, then, -x, -y
        for stays in (below, -then):
            yield unless, stays, -x, y
            yield unless, stays, x, -y


def hcp(asked: Instance) -> str:
    """Return the graph in the format of TSPLIB; node 1 joins live end and end."""
    number = {node: i for i, node in enumerate(asked.nodes, 2)}
    edges = {(min(pair), max(pair)) for pair in
             ((number[a], number[b]) for a, b in asked.arcs)}  # fmt: skip
    edges |= {(1, 2), (1, number[asked.end])}
    head = ["NAME : completion", "TYPE : HCP", f"DIMENSION : {len(number) + 1}",
            "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION"]  # fmt: skip
    return (
        "\n".join([*head, *(f"{a} {b}" for a, b in sorted(edges)), "-1", "EOF"]) + "\n"
    )


FORMATS: dict[str, Callable[[Instance], str]] = {"cnf": cnf, "hcp": hcp}


@dataclass(frozen=True, slots=True)
class Known:
    """One of the suite: `completion` is moves, None if the position is dead."""

    name: str
    rung: str
    position: str
    completion: str | None


def suite() -> list[Known]:
    """Return the benchmark suite, positions with known answers, rung by rung.

    `suite.toml` holds them, a completion after a space; docs/how-to/export.md gives the
    rungs.
    """
    rungs = tomllib.loads(SUITE.read_text(encoding="utf-8"))
    return [
        Known(f"{rung}-{verdict}-{number:03}", rung, *one)
        for rung, verdicts in rungs.items()
        for verdict, texts in verdicts.items()
        for number, one in enumerate(((*t.split(), None)[:2] for t in texts), 1)
    ]


def write_suite(
    kind: str, folder: Path, along: Callable[[Sequence[Known]], Iterable[Known]] = iter
) -> int:
    """Write a file for each instance, and the answers when all are there.

    `along` goes along the instances, and may show how far it is.

    Raises `UnknownNameError` if the format is unknown; `OptionError` if the folder
    cannot be written.
    """
    if kind not in FORMATS:
        raise UnknownNameError("format", kind, list(FORMATS))
    make_folder(folder)
    answers = {}
    for known in along(suite()):
        asked = instance(Position.parse(known.position))
        write_whole(folder / f"{known.name}.{kind}", FORMATS[kind](asked))
        answers[known.name] = {
            "rung": known.rung,
            "position": known.position,
            "verdict": "DEAD" if known.completion is None else "COMPLETABLE",
            "completion": known.completion,
        }
    write_whole(folder / "answers.json", json.dumps(answers, indent=1) + "\n")
    return len(answers)
