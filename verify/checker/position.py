"""Witnesses and proofs about one position, judged by its text alone.

Cells are ``row * cols + col`` from 0. The first fault is one line, easy to check by
hand.
"""

import re
from collections.abc import Container, Iterable, KeysView, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

Numbers = dict[tuple[int, int], int]  # of variables, by edge
_TEXT = re.compile(
    r"(\d+)(?:x(\d+))?(?:@(\d+),(\d+)>(\d+),(\d+))?(?:!([\d,;]+))?:([URDL]*)"
)


class Graph(NamedTuple):
    """Cells of a board with the edges between them, and the ends of a path over all."""

    rows: int
    cols: int
    around: Mapping[int, tuple[int, ...]]  # the neighbours of each cell, in order
    ends: tuple[int, ...]  # two, among the cells or not; none for a set of circles

    @property
    def cells(self) -> KeysView[int]:
        """The cells that the graph has."""
        return self.around.keys()

    def need(self, cell: int) -> int:
        """Return the number of edges that the path has at a cell."""
        return 2 - self.ends.count(cell)

    def colour(self, cell: int) -> int:
        """Return 1 for the colour of the upper left cell of the board, else -1."""
        return -1 if (cell // self.cols + cell % self.cols) % 2 else 1

    def without(self, gone: Container[int], ends: tuple[int, ...]) -> "Graph":
        """Return the graph without some cells, with other ends."""
        around = {
            cell: tuple(other for other in others if other not in gone)
            for cell, others in self.around.items()
            if cell not in gone
        }
        return self._replace(around=around, ends=ends)

    def walk_fault(self, path: Sequence[int]) -> str | None:
        """Return the first fault of a path that may visit each cell once."""
        seen: set[int] = set()
        for step, cell in enumerate(path):
            if cell not in self.cells:
                return f"step {step}: cell {cell} is a wall or no cell of the board"
            if cell in seen:
                return f"step {step}: cell {cell} is visited twice"
            if step and path[step - 1] not in self.around[cell]:
                before = path[step - 1]
                return f"step {step}: cell {before} and cell {cell} do not touch"
            seen.add(cell)
        return None


def read_position(text: str) -> tuple[Graph, list[int]]:
    """Return a board and the unchecked walk on it; ValueError if the text has none."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"no position: {text!r}")
    rows, cols = int(match[1]), int(match[2] or match[1])
    ends = 0, rows * cols - 1
    if match[3]:
        row, col, last_row, last_col = (int(match[i]) - 1 for i in (3, 4, 5, 6))
        ends = row * cols + col, last_row * cols + last_col
    walls = [pair.split(",") for pair in (match[7] or "").split(";") if pair]
    closed = frozenset((int(r) - 1) * cols + int(c) - 1 for r, c in walls)
    graph = Graph(rows, cols, _around(rows, cols, closed), ends)
    steps = {"U": -cols, "R": 1, "D": cols, "L": -1}
    return graph, list(accumulate((steps[m] for m in match[8]), initial=ends[0]))


@lru_cache(maxsize=8)
def _around(rows: int, cols: int, walls: frozenset[int]) -> dict[int, tuple[int, ...]]:
    """Return the open cells that touch each open cell."""
    cells = [divmod(x, cols) for x in range(rows * cols) if x not in walls]
    around, free = {}, set(cells)
    for row, col in cells:
        near = (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)
        touching = (r * cols + c for r, c in near if (r, c) in free)
        around[row * cols + col] = tuple(touching)
    return around


def find_fault(text: str, witness: Iterable[int]) -> str | None:
    """Return the first fault of a witness, the cells after the position's live end.

    >>> find_fault("3:RR", (5, 4, 3, 6, 7, 8))
    >>> find_fault("3:RR", (5, 4, 1))
    'step 5: cell 1 is visited twice'
    """
    board, walk = read_position(text)
    path = [*walk, *witness]
    if fault := board.walk_fault(path):
        return fault
    if missed := sorted(board.cells - set(path)):
        return f"cell {missed[0]} is never visited"
    if path[-1] != board.ends[1]:
        return f"the path ends at cell {path[-1]}, not at cell {board.ends[1]}"
    return None


def find_proof_fault(text: str, proof: Any) -> str | None:
    """Return the first fault of a proof that the position is dead.

    The proof has the fields of `solver.oracles.oracle.Proof`. Every clause has a
    *ground*, a kind and some cells. By it the clause holds for every walk over all
    cells that begins with the position's walk. Then dratify replays the proof.
    """
    board, walk = read_position(text)
    if why := board.walk_fault(walk):
        return why
    edges = [(a, b) for a, others in board.around.items() for b in others if a < b]
    if sorted(proof.edges) != sorted(edges):
        return "the variables are not the edges of the board, once each"
    variable = {edge: v for v, edge in enumerate(proof.edges, 1)}
    clauses, grounds = proof.clauses, proof.grounds
    if len(clauses) != len(grounds):
        return f"{len(clauses)} clauses have {len(grounds)} grounds"
    for i, (clause, ground) in enumerate(zip(clauses, grounds, strict=True), 1):
        why = _clause_fault(board, walk, variable, set(clause), ground)
        if why is not None:
            literals = " ".join(map(str, clause)) or "empty"
            return f"clause {i}, {literals}: {why}"
    import dratify  # 50 ms, which most commands need not spend

    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    head = f"p cnf {len(edges)} {len(clauses)}"
    formula = dratify.parse_dimacs("\n".join([head, *lines]) + "\n")
    drat = "\n".join(proof.lines) + "\n"
    result = dratify.check_proof(formula, drat, engine="python")
    return None if result.ok else f"the proof fails: {result}"


def _clause_fault(
    board: Graph, walk: list[int], variable: Numbers, clause: set[int], ground: Any
) -> str | None:
    """Return why a clause does not follow from its ground.

    If it fails, no edge of a positive literal is used, and each of a negative one is.
    """
    cells = set(ground.cells)
    if not cells or not cells <= board.cells:
        return f"its {ground.kind} names no open cells"
    if ground.kind == "walk":
        steps = [step for step in pairwise(walk) if set(step) == cells]
        made = {variable[min(step), max(step)] for step in steps}
        return None if made and made <= clause else "the walk makes no such step"
    rim = [
        (cell, variable[min(cell, other), max(cell, other)])
        for cell in sorted(cells)
        for other in board.around[cell]
        if other not in cells
    ]
    if ground.kind == "cut":
        if cells == board.cells:
            return "its cut is around the whole board"
        missing = {v for _, v in rim} - clause
        return f"its cut misses edge {min(missing)}" if missing else None
    if any(v in clause and -v in clause for _, v in rim):
        return None  # always true
    # the degree of one cell is a count of it alone
    if ground.kind == "count" or (ground.kind == "degree" and len(cells) == 1):
        wanted = sum(board.colour(cell) * board.need(cell) for cell in cells)
        least = most = 0
        for cell, v in rim:
            # the edge is worth its cell's colour if it is used
            values = [0] * (-v not in clause) + [board.colour(cell)] * (v not in clause)
            least, most = least + min(values), most + max(values)
        why = f"its {ground.kind} of {wanted} can come out: {least} to {most}"
        return why if least <= wanted <= most else None
    return f"unknown ground {ground.kind!r} of {len(cells)} cells"
