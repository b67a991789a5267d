"""What an oracle is, the oracles by name, and what to ask them.

An oracle says whether a position has a completion. It answers with a value, never
with an exception and never with a guess: `COMPLETABLE` with a witness, `DEAD`, or an
honest `UNKNOWN` when a limit came first. The module of an oracle is imported when that
oracle is asked for the first time, and here alone.

Why a board has no walk, or a position no completion, where it is plain to see.

`why_dead` takes linear time, so every command asks it first. Nothing is searched: where
it finds no reason there may still be no completion.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from importlib import import_module
from typing import Any, Protocol, TypeAlias

import numpy as np

from solver.board import Board, Cell, Position, Walk
from solver.errors import NoWalkError, OptionError, UnknownNameError, WitnessError


class Verdict(Enum):
    """What is known of a position, or of a move: of the position after it."""

    COMPLETABLE = "a completion exists"
    DEAD = "no completion exists"
    UNKNOWN = "a limit came first"


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a clause of a proof's formula is true of every completion.

    - `kind`: ``degree``: the cell has one edge if it is the start or the end, else two;
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

    The formula is about this position alone. Every clause says on what ground it holds,
    so `verify.checker.position` can judge it by the text of the position.

    - `clauses`, tuple of tuples of int: the formula, DIMACS literals.
    - `lines`: the proof in DRAT text, a line each, the empty clause last.
    - `edges`, tuple of (int, int): variable v says that the walk uses edge ``edges[v -
      1]``, two touching cells.
    - `grounds`: one for every clause.
    """

    clauses: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    edges: tuple[tuple[Cell, Cell], ...] = ()
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An oracle's answer.

    - `witness`, tuple of int or None: a completion: the cells after the live end, up to
      the end cell. Always there when the verdict is COMPLETABLE.
    - `proof`: a proof of DEAD, if the oracle was made to give one.
    - `work`: nodes, conflicts or calls, whatever the oracle counts.
    - `why`: why it is UNKNOWN, if not because of a limit.
    - `oracle`: the oracle that gave it, if `auto` asked several.
    """

    verdict: Verdict
    witness: Walk | None = None
    proof: Proof | None = None
    work: int = 0
    why: str = ""
    oracle: str = ""

    @property
    def sentence(self) -> str:
        """The verdict for a person, with the reason if it is UNKNOWN."""
        return f"not known: {self.why}" if self.why else self.verdict.value


class Oracle(Protocol):
    """An exact decision procedure."""

    @property
    def name(self) -> str:
        """The name by which `get_oracle` makes it."""

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion of the position exists."""


def check_witness(position: Position, witness: Walk) -> None:
    """Raise `WitnessError` unless walk and witness together are a Hamiltonian path.

    Linear time. Every oracle calls it before it answers COMPLETABLE.
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
    """Make the oracle of that name.

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

    A witness of the position answers for the move it begins with, so it is asked first:
    a dead position costs one question, others at most one a move.
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
    """Decide as `decide_all`, but only where nothing is plainly dead.

    Returns first why the position is plainly dead, which is empty if it is not.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)


ORDER = ("strips", "search", "sat")
LIMIT_NODES = 200_000  # of a search, before the answer is UNKNOWN


class AutoOracle:
    """The exact oracle `auto`: `strips` where it answers, else `search`, else `sat`.

    Each answer says which of them gave it. A rule is never judged by an oracle that
    shares its kernels: `without` leaves such oracles out.

    - `without`: names of oracles that are not asked, such as `Rule.related`.

    >>> answer = AutoOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict.name, answer.oracle
    ('DEAD', 'strips')
    >>> AutoOracle(without=["strips"]).decide(Position.parse("5:RRDLD")).oracle
    'search'
    """

    name = "auto"

    def __init__(self, *, without: Collection[str] = ()) -> None:
        self._names = [name for name in ORDER if name not in without]
        self._oracles: dict[str, Oracle] = {}

    def decide(self, position: Position) -> Answer:
        """Ask the oracles in turn, until one knows."""
        answer = Answer(Verdict.UNKNOWN)
        for name in self._names:
            if name not in self._oracles:
                self._oracles[name] = get_oracle(name)
            answer = replace(self._oracles[name].decide(position), oracle=name)
            if answer.verdict is not Verdict.UNKNOWN:
                break
        return answer


Edge: TypeAlias = tuple[Cell, Cell]
_Graph: TypeAlias = dict[Cell, list[Cell]]


def why_dead(position: Position) -> str:
    """Return why no completion exists, in one sentence; empty if no reason is plain.

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
    if why := _colours(position):
        return why
    if not board.walls and len(position.walk) == 1 and min(board.rows, board.cols) > 2:
        return ""  # no cell of such a rectangle is a cut
    sealed = find_sealed(position)
    return sealed.sentence if sealed else ""


def check_walkable(board: Board) -> None:
    """Refuse a board that plainly has no walk.

    Raises `NoWalkError` with the reason, and an end that works if a corner does.
    """
    if why := why_dead(Position(board)):
        raise NoWalkError(board.notation, f"{why}{_end_hint(board)}")


def _end_hint(board: Board) -> str:
    """Return words that name a corner that works as an end; empty for walls."""
    corners = (board.cells - 1, board.cells - board.cols, board.cols - 1, 0)
    for end in corners if not board.walls else ():
        if end != board.start:
            other = Board(board.rows, board.cols, board.start, end)
            if not why_dead(Position(other)):
                return f"; an end that works: {other.notation}"
    return ""


def _colours(position: Position) -> str:
    """Colours alternate; the live end is counted with the free cells."""
    board = position.board
    grid = position.free.reshape(board.rows, board.cols)
    black = int(grid[::2, ::2].sum() + grid[1::2, 1::2].sum())
    white = int(grid.sum()) - black
    first, last = board.black(position.live_end), board.black(board.end)
    black, white = black + first, white + (not first)
    if black - white == (first + last - 1):
        return ""
    words = {True: "black", False: "white"}
    ends = f"from {words[first]} to {words[last]} a walk has "
    if first == last:
        more, fewer = (black, white) if first else (white, black)
        other = words[not first]
        excess = f"one {words[first]} cell more than {other}"
        return f"{ends}{excess}, not {more} and {fewer}"
    return f"{ends}as many black cells as white, not {black} and {white}"


@dataclass(frozen=True, slots=True)
class Sealed:
    """Why a position is dead, to be seen at a glance.

    - `sentence`: one sentence, for a person, without full stop.
    - `region`: the cells it speaks of.
    - `doors`: pairs of cells, one inside the region and one outside, that the line
      could still step between.
    """

    sentence: str
    region: tuple[Cell, ...]
    doors: tuple[Edge, ...] = ()


def find_sealed(position: Position) -> Sealed | None:
    """Return a region that the line cannot enter and leave, or None.

    It is cut off, or it is a dead end, or it has one entrance and does not hold the end
    cell. None says nothing: the position may be dead for another reason. O(cells) time.

    >>> find_sealed(Position.parse("5:RRRRDLLLD")).sentence
    'dead end at row 2, column 1'
    """
    board, root = position.board, position.live_end
    if position.unvisited == 0:
        return None
    free = {cell for cell, is_free in enumerate(position.free.tolist()) if is_free}
    near = board.neighbours.tolist()
    graph = {
        cell: [other for other in near[cell] if other in free or other == root]
        for cell in sorted(free | {root})
    }
    if board.end not in free:
        sentence = f"the end cell is visited, and {_cells(len(free), 'left')}"
        return Sealed(sentence, tuple(sorted(free)))
    search = _DepthFirst(graph, root)
    return _cut_off(board, graph, search) or _one_entrance(board, graph, search)


class _DepthFirst:
    """A depth-first search: cells in order, their parents and low points."""

    def __init__(self, graph: _Graph, root: Cell) -> None:
        self.root = root
        self.entered = {root: 0}  # in this order
        self.low = {root: 0}  # the first cell that its descendants touch
        self.parent = {root: root}
        self.left: dict[Cell, int] = {}  # cells entered when the cell was left
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

    def below(self, cell: Cell) -> list[Cell]:
        """Return a cell and all its descendants."""
        return list(self.entered)[self.entered[cell] : self.left[cell]]


def _cut_off(board: Board, graph: _Graph, search: _DepthFirst) -> Sealed | None:
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
    sentence = _cells(len(region), "cut off")
    if board.end in region:
        sentence += ", the end cell among them"
    return Sealed(sentence, region)


def _one_entrance(board: Board, graph: _Graph, search: _DepthFirst) -> Sealed | None:
    root = search.root
    several = sum(above == root for above in search.parent.values()) > 2
    regions: list[tuple[Cell, list[Cell]]] = []
    for cell, above in search.parent.items():
        closed = search.low[cell] >= search.entered[above]
        if cell != root and (several if above == root else closed):
            region = search.below(cell)
            if board.end not in region:
                regions.append((above, region))
    if not regions:
        return None
    # The mouth of a corridor says more than its last cell, and than the live end.
    entrance, below = max(regions, key=lambda pair: (pair[0] != root, len(pair[1])))
    inside = tuple(sorted(below))
    doors = tuple((cell, entrance) for cell in inside if entrance in graph[cell])
    if len(inside) == 1:
        return Sealed(f"dead end at {_place(board, inside[0])}", inside, doors)
    where = _place(board, entrance)
    if entrance == root:
        where = "the live end, and the end cell lies elsewhere"
    elif entrance == board.end:
        where = "the end cell"
    sentence = f"the region of {len(inside)} cells has one entrance, {where}"
    return Sealed(sentence, inside, doors)


def _cells(count: int, what: str) -> str:
    return f"1 cell is {what}" if count == 1 else f"{count} cells are {what}"


def _place(board: Board, cell: Cell) -> str:
    row, col = board.row_col(cell)
    return f"row {row}, column {col}"
