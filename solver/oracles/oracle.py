"""Oracles by name, their answers, and plain reasons why a position is dead.

An oracle decides whether a position has a completion. It answers with a value, never
with an exception or a guess: `COMPLETABLE` with a witness, `DEAD`, or `UNKNOWN` if a
limit came first. `get_oracle` imports the module of an oracle when it makes the first
one.

`why_dead` takes linear time and does not search. If it returns no reason, there may
still be no completion.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypeAlias

import numpy as np

from solver.board import Board, Cell, Position, Walk
from solver.errors import NoWalkError, OptionError, UnknownNameError, WitnessError

Graph: TypeAlias = dict[Cell, list[Cell]]  # the neighbours of each cell


class Verdict(Enum):
    """An answer about a position; that of a move is about the position after it."""

    COMPLETABLE = "a completion exists"
    DEAD = "no completion exists"
    UNKNOWN = "a limit came first"


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a clause of a proof's formula is true of every completion.

    - `kind`: ``degree``: the start and the end have one edge, other cells two;
      ``cut``: a walk over all cells leaves or enters the set of cells; ``count``:
      degrees of the set's black cells minus those of its white cells are its crossing
      edges at black cells minus those at white cells; ``walk``: the step is part of the
      walk.
    - `cells`: the cell, the set, or the two cells of the step.
    """

    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate of DEAD: a formula and a DRAT proof that it has no model.

    The formula is about this position alone. Every clause has a ground, so
    `verify.checker.position` can check it against the text of the position.

    - `clauses`: the formula, in DIMACS literals.
    - `lines`: the proof in lines of DRAT text, the empty clause last.
    - `edges`: variable v means that the walk uses ``edges[v - 1]``, a pair of cells.
    """

    clauses: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    edges: tuple[tuple[Cell, Cell], ...] = ()
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An oracle's answer.

    - `witness`: if the verdict is COMPLETABLE, a completion: the cells after the live
      end, up to the end cell.
    - `proof`: a proof of DEAD, if the oracle makes proofs.
    - `work`: nodes, conflicts or steps, as the oracle counts.
    - `why`: why the verdict is UNKNOWN, if not because of a limit.
    - `oracle`: the name of the oracle that decided, if `auto` tried several.
    """

    verdict: Verdict
    witness: Walk | None = None
    proof: Proof | None = None
    work: int = 0
    why: str = ""
    oracle: str = ""

    @property
    def sentence(self) -> str:
        """The verdict in words, with the reason if it is UNKNOWN."""
        return f"not known: {self.why}" if self.why else self.verdict.value


class Oracle(Protocol):
    """An exact decision procedure; `get_oracle` knows its name."""

    name: str

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion of the position exists."""


def check_witness(position: Position, witness: Walk) -> None:
    """Raise `WitnessError` unless walk and witness together are a Hamiltonian path.

    Every oracle calls it before it answers COMPLETABLE; O(cells) time.
    """
    board, cols = position.board, position.board.cols
    path = np.array((*position.walk, *witness), np.int64)
    inside = path.min() >= 0 and path.max() < board.cells
    visits = np.bincount(path if inside else path[:0], minlength=board.cells)
    steps, rows = np.abs(np.diff(path)), path // cols
    beside = (steps == 1) & (rows[1:] == rows[:-1])
    jumps = np.flatnonzero((steps != cols) & ~beside)
    why = ""
    if len(path) != board.open_cells or visits.max() > 1:
        why = "misses or repeats a cell"
    elif path[-1] != board.end:
        why = f"ends at cell {path[-1]}"
    elif not inside or visits[list(board.walls)].any():
        why = "leaves the board or enters a wall"
    elif len(jumps):
        why = "steps {} -> {}".format(*path[jumps[0] : jumps[0] + 2])
    if why:
        raise WitnessError(f"{position.notation}: witness {why}")


# name -> "module:class"; the class takes options as keywords and is an `Oracle`
ORACLES = {
    "auto": "solver.oracles.oracle:AutoOracle",
    "brute": "solver.oracles.reference:BruteOracle",
    "cpsat": "solver.oracles.reference:CpsatOracle",
    "frontier": "solver.counting.count:FrontierOracle",
    "sat": "solver.oracles.sat:SatOracle",
    "search": "solver.oracles.search:SearchOracle",
    "strips": "solver.oracles.strips:StripsOracle",
}
ORACLE_NAMES = " or ".join(", ".join(ORACLES).rsplit(", ", 1))


def get_oracle(name: str, **options: Any) -> Oracle:
    """Return a new oracle.

    Raises `UnknownNameError` if no oracle has the name; `OptionError` if the oracle
    does not take an option.
    """
    if name not in ORACLES:
        raise UnknownNameError("oracle", name, [*ORACLES])
    module, attribute = ORACLES[name].split(":")
    factory: Callable[..., Oracle] = getattr(import_module(module), attribute)
    try:
        return factory(**options)
    except TypeError as error:
        raise OptionError(f"oracle {name!r}: {error}") from None


def decide_moves(oracle: Oracle, position: Position) -> dict[str, Answer]:
    """Decide every move of a position, in the order U, R, D, L; see `decide_all`."""
    return decide_all(oracle, position)[1]


def decide_all(oracle: Oracle, position: Position) -> tuple[Answer, dict[str, Answer]]:
    """Decide a position and every move of it, in the order U, R, D, L.

    A witness of the position also decides the move that it begins with. So a dead
    position costs one question, others at most one a move.
    """
    moves = position.options()
    whole = oracle.decide(position)
    answers = {}
    for move, cell in moves.items():
        if whole.verdict is Verdict.DEAD:
            answers[move] = Answer(Verdict.DEAD, work=whole.work, oracle=whole.oracle)
        elif whole.witness and whole.witness[0] == cell:
            answers[move] = replace(whole, witness=whole.witness[1:])
        else:
            answers[move] = oracle.decide(position.step(move))
    return whole, answers


def decide_with_reason(
    oracle: Oracle, position: Position
) -> tuple[str, Answer, dict[str, Answer]]:
    """Return `why_dead` of a position, and the answers of `decide_all`.

    The oracle decides only if there is no plain reason.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)


ORDER = ("strips", "search", "sat")
LIMIT_NODES = 200_000  # of a search, before the answer is UNKNOWN


class AutoOracle:
    """The exact oracle `auto`: `strips` where it answers, else `search`, else `sat`.

    Each answer names the oracle that decided. An oracle must not judge a rule that
    shares its kernels: `without` leaves such oracles out.

    - `without`: names of oracles to leave out, such as `Rule.related`.

    >>> answer = AutoOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict.name, answer.oracle
    ('DEAD', 'strips')
    >>> AutoOracle(without=["strips"]).decide(Position.parse("5:RRDLD")).oracle
    'search'
    """

    name = "auto"

    def __init__(self, *, without: Collection[str] = ()) -> None:
        self._names = [name for name in ORDER if name not in without]
        self._oracle = cache(get_oracle)

    def decide(self, position: Position) -> Answer:
        """Return the first answer that is not UNKNOWN."""
        answer = Answer(Verdict.UNKNOWN)
        for name in self._names:
            answer = replace(self._oracle(name).decide(position), oracle=name)
            if answer.verdict is not Verdict.UNKNOWN:
                break
        return answer


def why_dead(position: Position) -> str:
    """Return why no completion exists, in a sentence; empty if no reason is plain.

    The reasons: colours do not alternate, or a region cannot be entered and left.

    >>> why_dead(Position.parse("4:"))
    'from black to black a walk has one black cell more than white, not 8 and 8'
    >>> why_dead(Position.parse("5!1,4;2,2;2,5;3,1:"))
    'row 1, column 5 is cut off'
    >>> why_dead(Position.parse("5:"))
    ''
    """
    board = position.board
    if position.unvisited == 0:
        return "" if position.complete else "the walk does not stop at the end cell"
    if board.end in position.walk:
        return "the end cell is entered before the last cell"
    if why := _why_colours(position):
        return why
    if not board.walls and len(position.walk) == 1 and min(board.rows, board.cols) > 2:
        return ""  # no cell of such a rectangle is a cut
    sealed = find_sealed(position)
    return sealed.sentence if sealed else ""


def check_walkable(board: Board) -> None:
    """Refuse a board that plainly has no walk.

    Raises `NoWalkError` with the reason. Without walls it names a corner that works as
    the end, if there is any.
    """
    why = why_dead(Position(board))
    if not why:
        return
    corners = (board.cells - 1, board.cells - board.cols, board.cols - 1, 0)
    for end in corners if not board.walls else ():
        if end != board.start:
            other = Board(board.rows, board.cols, board.start, end)
            if not why_dead(Position(other)):
                why += f"; an end that works: {other.notation}"
                break
    raise NoWalkError(board.notation, why)


def _why_colours(position: Position) -> str:
    """Return why colours cannot alternate from the live end to the end cell."""
    board = position.board
    grid = position.free.reshape(board.rows, board.cols)
    black = int(grid[::2, ::2].sum() + grid[1::2, 1::2].sum())
    first, last = board.black(position.live_end), board.black(board.end)
    counts = {"black": black + first, "white": position.unvisited - black + (not first)}
    if counts["black"] - counts["white"] == first + last - 1:
        return ""
    colour, other = ("black", "white") if first else ("white", "black")
    if first == last:
        excess = f"one {colour} cell more than {other}"
        numbers = f"{counts[colour]} and {counts[other]}"
        return f"from {colour} to {colour} a walk has {excess}, not {numbers}"
    numbers = (
        f"as many black cells as white, not {counts['black']} and {counts['white']}"
    )
    return f"from {colour} to {other} a walk has {numbers}"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A region that makes a position dead.

    - `sentence`: the reason, without full stop.
    - `region`: its cells.
    - `doors`: pairs of cells, inside the region and outside, that a step can join.
    """

    sentence: str
    region: tuple[Cell, ...]
    doors: tuple[tuple[Cell, Cell], ...] = ()


def find_sealed(position: Position) -> Sealed | None:
    """Return a region that the walk cannot enter and leave, or None.

    It is cut off, or a dead end, or it has a single entrance and does not hold the end
    cell. O(cells) time.

    >>> find_sealed(Position.parse("5:RRRRDLLLD")).sentence
    'dead end at row 2, column 1'
    """
    board, root = position.board, position.live_end
    if position.unvisited == 0:
        return None
    free = {cell for cell, is_free in enumerate(position.free.tolist()) if is_free}
    if board.end not in free:
        sentence = f"the end cell is visited, and {_cells(len(free), 'left')}"
        return Sealed(sentence, tuple(sorted(free)))
    near = board.neighbours.tolist()
    graph = {
        cell: [other for other in near[cell] if other in free or other == root]
        for cell in sorted(free | {root})
    }
    search = _DepthFirst(graph, root)
    return _cut_off(board, graph, search) or _single_entrance(board, graph, search)


class _DepthFirst:
    """A depth-first search: cells in order, their parents and low points."""

    def __init__(self, graph: Graph, root: Cell) -> None:
        self.entered = {root: 0}  # in this order
        self.low = {root: 0}  # the first cell that its descendants touch
        self.parent = {root: root}
        self.left: dict[Cell, int] = {}  # number of cells entered by then
        stack = [(root, iter(graph[root]))]
        while stack:
            cell, ahead = stack[-1]
            following = next(ahead, None)
            above = self.parent[cell]
            if following is None:
                stack.pop()
                self.left[cell] = len(self.entered)
                self.low[above] = min(self.low[above], self.low[cell])
            elif following not in self.entered:
                self.parent[following] = cell
                self.entered[following] = self.low[following] = len(self.entered)
                stack.append((following, iter(graph[following])))
            elif following != above:
                self.low[cell] = min(self.low[cell], self.entered[following])


def _cut_off(board: Board, graph: Graph, search: _DepthFirst) -> Sealed | None:
    """Return the smallest region that the search did not reach."""
    rest = graph.keys() - search.entered.keys()
    parts = []
    while rest:
        part = _DepthFirst(graph, min(rest)).entered.keys()
        parts.append(tuple(sorted(part)))
        rest -= part
    if not parts:
        return None
    region = min(parts, key=len)
    if len(region) == 1:
        return Sealed(f"{_place(board, region[0])} is cut off", region)
    also = ", the end cell among them" if board.end in region else ""
    return Sealed(_cells(len(region), "cut off") + also, region)


def _single_entrance(board: Board, graph: Graph, search: _DepthFirst) -> Sealed | None:
    """Return the largest region behind a cut cell, if any lacks the end cell."""
    order = list(search.entered)
    root = order[0]
    branches = sum(above == root for above in search.parent.values()) - 1
    regions: list[tuple[Cell, list[Cell]]] = []
    for cell in order[1:]:
        above = search.parent[cell]
        closed = search.low[cell] >= search.entered[above]
        if closed and (above != root or branches > 1):
            region = order[search.entered[cell] : search.left[cell]]
            if board.end not in region:
                regions.append((above, region))
    if not regions:
        return None
    # The mouth of a corridor explains more than its last cell, and than the live end.
    entrance, below = max(regions, key=lambda pair: (pair[0] != root, len(pair[1])))
    inside = tuple(sorted(below))
    doors = tuple((cell, entrance) for cell in inside if entrance in graph[cell])
    if len(inside) == 1:
        return Sealed(f"dead end at {_place(board, inside[0])}", inside, doors)
    where = "the end cell" if entrance == board.end else _place(board, entrance)
    if entrance == root:
        where = "the live end, and the end cell lies elsewhere"
    sentence = f"the region of {len(inside)} cells has one entrance, {where}"
    return Sealed(sentence, inside, doors)


def _cells(count: int, what: str) -> str:
    return f"1 cell is {what}" if count == 1 else f"{count} cells are {what}"


def _place(board: Board, cell: Cell) -> str:
    row, col = board.row_col(cell)
    return f"row {row}, column {col}"
