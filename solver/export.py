"""Positions as problems for other solvers, which find a completion or prove none.

Each file holds the whole problem; no lazy constraints are needed. A node is the live
end or an unvisited cell, an arc a possible step of a completion. Each node but the end
has one arc out, each but the live end has one in. The rest forbids loops:

- CNF: a node has its number on the path, in binary, and an arc adds 1, so no loop
  closes. The colour of a cell gives the lowest bit. Each loop of two or four cells has
  a clause of its own, which makes solvers much faster.
- HCP: the graph in the format of TSPLIB. An extra node joins end and live end, so a
  Hamiltonian cycle is a completion.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from solver.board import Cell, Position
from solver.errors import OptionError, UnknownNameError
from solver.files import load_table, make_folder, write_whole


@dataclass(frozen=True, slots=True)
class Problem:
    """A Hamiltonian path of a directed graph.

    - `nodes`: the live end first; variables of nodes follow this order.
    - `arcs`: variable v of a file is ``arcs[v - 1]``.
    - `odd`: whether the number of each node on the path is odd, by its colour.
    """

    nodes: tuple[Cell, ...]
    arcs: tuple[tuple[Cell, Cell], ...]
    end: Cell
    odd: tuple[bool, ...]

    def degrees(self) -> Iterator[list[int]]:
        """Yield sets of variables of which exactly one is true."""
        out: dict[Cell, list[int]] = {n: [] for n in self.nodes if n != self.end}
        into: dict[Cell, list[int]] = {n: [] for n in self.nodes[1:]}
        for variable, (a, b) in enumerate(self.arcs, 1):
            out[a].append(variable)
            into[b].append(variable)
        yield from (*out.values(), *into.values())

    def short_loops(self) -> Iterator[tuple[int, ...]]:
        """Yield clauses that forbid loops of two cells, and loops around a square."""
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


def problem_of(position: Position) -> Problem:
    """Return the problem of a position.

    Raises `OptionError` if there is none: the walk is complete, or has visited the end.
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
    return Problem(nodes, arcs, board.end, odd)


def cnf(problem: Problem) -> str:
    """Return the problem in DIMACS, with comments about the variables."""
    last = len(problem.nodes) - 1
    k = max(1, last.bit_length())
    arcs = len(problem.arcs)
    first = {n: arcs + 1 + k * i for i, n in enumerate(problem.nodes)}
    clauses: list[Sequence[int]] = []
    for variables in problem.degrees():
        clauses.append(variables)
        clauses += [(-a, -b) for a, b in combinations(variables, 2)]
    clauses += problem.short_loops()
    for node, number in ((problem.nodes[0], 0), (problem.end, last)):
        for i, bit in enumerate(range(first[node], first[node] + k)):
            clauses.append((bit if number >> i & 1 else -bit,))
    for node, odd in zip(problem.nodes, problem.odd, strict=True):
        clauses.append((first[node] if odd else -first[node],))
    for variable, (a, b) in enumerate(problem.arcs, 1):
        clauses += _successor(-variable, first[a], first[b], k)
    lines = [
        f"c variables 1 to {arcs}: the steps in the JSON file",
        f"c then {k} bits a node, the lowest first: its number on the path",
        f"p cnf {arcs + k * len(problem.nodes)} {len(clauses)}",
    ]
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join(lines) + "\n"


def _successor(unless: int, p: int, q: int, bits: int) -> Iterator[tuple[int, ...]]:
    """Yield clauses: the number at `q` is that at `p` plus 1, or a literal holds.

    A bit changes if the bit below it goes from 1 to 0, which is the carry.
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


def hcp(problem: Problem) -> str:
    """Return the problem in the format of TSPLIB; node 1 joins live end and end."""
    number = {node: i for i, node in enumerate(problem.nodes, 2)}
    edges = {(1, 2), (1, number[problem.end])}
    for a, b in problem.arcs:
        edges.add((min(number[a], number[b]), max(number[a], number[b])))
    lines = [
        "NAME : completion",
        "TYPE : HCP",
        f"DIMENSION : {len(number) + 1}",
        "EDGE_DATA_FORMAT : EDGE_LIST",
        "EDGE_DATA_SECTION",
        *(f"{a} {b}" for a, b in sorted(edges)),
        "-1",
        "EOF",
    ]
    return "\n".join(lines) + "\n"


FORMATS: dict[str, Callable[[Problem], str]] = {"cnf": cnf, "hcp": hcp}


@dataclass(frozen=True, slots=True)
class SuiteInstance:
    """An instance of the suite; `completion` is its moves, None if it is dead."""

    name: str
    rung: str
    position: str
    completion: str | None


def suite() -> list[SuiteInstance]:
    """Return the benchmark suite, positions with published answers, rung by rung.

    They stand in `suite.toml`, each with its completion; docs/how-to/export.md explains
    the rungs.
    """
    instances = []
    for rung, verdicts in load_table(__file__, "suite.toml").items():
        for verdict, lines in verdicts.items():
            for number, line in enumerate(lines, 1):
                position, _, moves = line.partition(" ")
                name = f"{rung}-{verdict}-{number:03}"
                instances.append(SuiteInstance(name, rung, position, moves or None))
    return instances


def write_suite(
    kind: str,
    folder: Path,
    track: Callable[[Sequence[SuiteInstance]], Iterable[SuiteInstance]] = iter,
) -> int:
    """Write a file for each instance, then the answers; return the number of instances.

    - `track`: yields the instances, and may show the progress.

    Raises `UnknownNameError` if the format is unknown; `OptionError` if the folder is
    not writable.
    """
    if kind not in FORMATS:
        raise UnknownNameError("format", kind, list(FORMATS))
    make_folder(folder)
    answers = {}
    for instance in track(suite()):
        problem = problem_of(Position.parse(instance.position))
        write_whole(folder / f"{instance.name}.{kind}", FORMATS[kind](problem))
        answers[instance.name] = {
            "rung": instance.rung,
            "position": instance.position,
            "verdict": "DEAD" if instance.completion is None else "COMPLETABLE",
            "completion": instance.completion,
        }
    write_whole(folder / "answers.json", json.dumps(answers, indent=1) + "\n")
    return len(answers)
