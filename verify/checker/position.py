"""Independent checks of witnesses and proofs: shares no code with what it checks.

It reads the text of the position itself and says the first fault as one line that a
person can check by hand, or None. Cells are ``row * cols + col`` from 0.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

_TEXT = re.compile(
    r"(\d+)(?:x(\d+))?(?:@(\d+),(\d+)>(\d+),(\d+))?(?:!([\d,;]+))?:([URDL]*)"
)


class _Reading:
    """A position as its text says it: open cells, start, end, and the walk."""

    def __init__(self, text: str) -> None:
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ValueError(f"no position: {text!r}")
        self.rows = int(match[1])
        self.cols = int(match[2] or match[1])
        self.start, self.end = 0, self.rows * self.cols - 1
        if match[3]:
            self.start = (int(match[3]) - 1) * self.cols + int(match[4]) - 1
            self.end = (int(match[5]) - 1) * self.cols + int(match[6]) - 1
        walls = [pair.split(",") for pair in (match[7] or "").split(";") if pair]
        closed = {(int(r) - 1) * self.cols + int(c) - 1 for r, c in walls}
        self.open = set(range(self.rows * self.cols)) - closed
        self._near = _near(self.rows, self.cols, frozenset(closed))
        steps = {"U": -self.cols, "R": 1, "D": self.cols, "L": -1}
        self.walk = list(accumulate((steps[m] for m in match[8]), initial=self.start))

    def touch(self, a: int, b: int) -> bool:
        """Return whether two cells share a side."""
        return b in self._near.get(a, ())

    def around(self, cell: int) -> tuple[int, ...]:
        """Return the open cells that touch the cell, in order; none if it is a wall."""
        return self._near.get(cell, ())

    def need(self, cell: int) -> int:
        """Return the number of edges that a finished walk has at the cell."""
        return (2 - (cell in (self.start, self.end))) * (len(self.open) > 1)

    def colour(self, cell: int) -> int:
        """Return 1 for the colour of the upper left cell, -1 for the other."""
        return -1 if (cell // self.cols + cell % self.cols) % 2 else 1


@lru_cache(maxsize=8)
def _near(rows: int, cols: int, walls: frozenset[int]) -> dict[int, tuple[int, ...]]:
    """Return the open cells that touch each open cell."""
    near = {}
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        sides = (
            (row > 0, cell - cols),
            (col > 0, cell - 1),
            (col < cols - 1, cell + 1),
            (row < rows - 1, cell + cols),
        )
        if cell not in walls:
            near[cell] = tuple(c for on, c in sides if on and c not in walls)
    return near


def find_fault(text: str, witness: Iterable[int]) -> str | None:
    """Return the first fault of a witness, the cells after the position's live end.

    >>> find_fault("3:RR", (5, 4, 3, 6, 7, 8))
    >>> find_fault("3:RR", (5, 8, 7, 4, 3, 6))
    'the path ends at cell 6, not at cell 8'
    >>> find_fault("3:RR", (5, 4, 1))
    'step 5: cell 1 is visited twice'
    """
    board = _Reading(text)
    path = [*board.walk, *witness]
    if fault := _walk_fault(board, path):
        return fault
    if missed := sorted(board.open.difference(path)):
        return f"cell {missed[0]} is never visited"
    if path[-1] != board.end:
        return f"the path ends at cell {path[-1]}, not at cell {board.end}"
    return None


def _walk_fault(board: _Reading, path: Sequence[int]) -> str | None:
    seen: set[int] = set()
    for step, cell in enumerate(path):
        if cell not in board.open:
            return f"step {step}: cell {cell} is a wall or no cell of the board"
        if cell in seen:
            return f"step {step}: cell {cell} is visited twice"
        if step and not board.touch(path[step - 1], cell):
            return f"step {step}: cell {path[step - 1]} and cell {cell} do not touch"
        seen.add(cell)
    return None


def find_proof_fault(text: str, proof: Any) -> str | None:
    """Return the first fault of a proof that the position is dead.

    The proof has the fields of `solver.oracles.oracle.Proof`. Every clause has a
    *ground*, a kind and some cells: by it the clause holds for every walk over all
    cells that begins with the position's walk. Then dratify replays the proof.

    >>> from solver.oracles.oracle import Ground, Proof
    >>> one = Ground("degree", (0,))
    >>> find_proof_fault("1x2:", Proof(((-1,),), ("0",), ((0, 1),), (one,)))
    'clause 1, -1: not implied by the degree of cell 0'
    """
    board = _Reading(text)
    if fault := _walk_fault(board, board.walk):
        return fault
    if len(set(proof.edges)) < len(proof.edges):
        return "two variables say the same edge"
    for v, (a, b) in enumerate(proof.edges, 1):
        if not board.touch(a, b) or a > b:
            return f"variable {v}: cells {a} and {b} make no edge"
    if len(proof.edges) != sum(len(board.around(cell)) for cell in board.open) // 2:
        return "an edge of the board has no variable"
    if len(proof.grounds) != len(proof.clauses):
        return f"{len(proof.clauses)} clauses have {len(proof.grounds)} grounds"
    variable = {edge: v for v, edge in enumerate(proof.edges, 1)}
    for i, (clause, ground) in enumerate(
        zip(proof.clauses, proof.grounds, strict=True)
    ):
        why = _clause_fault(board, variable, set(clause), ground)
        if why:
            literals = " ".join(map(str, clause)) or "empty"
            return f"clause {i + 1}, {literals}: {why}"
    return _drat_fault(proof)


def _clause_fault(
    board: _Reading,
    variable: dict[tuple[int, int], int],
    clause: set[int],
    ground: Any,
) -> str | None:
    """Return why a clause does not follow from its ground.

    Suppose that the clause fails. Then its positive literals are edges not used, its
    negative ones are edges used.
    """
    cells = set(ground.cells)
    if not cells or not cells <= board.open:
        return f"its {ground.kind} names no open cells"
    first = min(cells)
    rim = [
        (cell, variable[min(cell, other), max(cell, other)])
        for cell in sorted(cells)
        for other in board.around(cell)
        if other not in cells
    ]
    if ground.kind == "walk":
        steps = pairwise(board.walk)
        made = {variable[min(step), max(step)] for step in steps if set(step) == cells}
        return None if made and made <= clause else "the walk makes no such step"
    if ground.kind == "cut":
        if cells == board.open:
            return "its cut is around the whole board"
        missing = {v for _, v in rim} - clause
        return f"its cut misses edge {min(missing)}" if missing else None
    if ground.kind == "degree" and len(cells) == 1:
        used = sum(-v in clause for _, v in rim)
        possible = sum(v not in clause for _, v in rim)
        both = any(v in clause and -v in clause for _, v in rim)
        if not both and used <= board.need(first) <= possible:
            return f"not implied by the degree of cell {first}"
        return None
    if ground.kind == "count":
        wanted = sum(board.colour(cell) * board.need(cell) for cell in cells)
        least = most = 0
        for cell, v in rim:
            sides = {0, 1} - {1 if v in clause else 2} - {0 if -v in clause else 2}
            if not sides:
                return None  # both signs: always true
            values = {board.colour(cell) * side for side in sides}
            least, most = least + min(values), most + max(values)
        if least <= wanted <= most:
            return f"its count of {wanted} can come out: {least} to {most}"
        return None
    return f"unknown ground {ground.kind!r} of {len(cells)} cells"


def _drat_fault(proof: Any) -> str | None:
    import dratify  # 50 ms, which most commands need not spend

    formula = "".join(
        " ".join(map(str, (*clause, 0))) + "\n" for clause in proof.clauses
    )
    head = f"p cnf {len(proof.edges)} {len(proof.clauses)}\n"
    parsed = dratify.parse_dimacs(head + formula)
    result = dratify.check_proof(parsed, "\n".join(proof.lines) + "\n", engine="python")
    return None if result.ok else f"the proof fails: {result}"
