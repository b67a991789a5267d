"""Hypothesis strategies for boards, complete walks and positions.

They shrink towards small boards without walls and short walks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import Boards, Rule, RuleSet, narrowest
from solver.board import Board, Position, Walk
from solver.oracles.exact import exact_walk, repairable
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from verify.truth import is_completable

__all__ = ["boards", "boards_for", "completable_positions", "dead_positions"]
__all__ += ["positions", "walk_sources"]


@dataclass(frozen=True, slots=True)
class Source:
    """A complete walk as a few numbers that can shrink.

    - `board`: a rectangle without walls, both ends on its rim.
    - `seed`, `choices`: the walk of `exact_walk`.
    - `cut`, (first, last): the piece of the walk in use, as shares of its length in
      units of 1 / `SHARES`; boards without walls keep it whole.
    """

    board: Board
    kind: Boards
    seed: int
    choices: bytes = b""
    cut: tuple[int, int] = (0, 1024)


SHARES = 1024
_WALLED = (Boards.ANY, Boards.RIM)  # kinds with walls
_CHOICES = 24  # first steps of a walk that are chosen one by one
# Hypothesis mixes numbers and texts of the modules that a program has imported into
# what it draws. No module has texts of these letters, so that the same seed gives the
# same sources in all programs.
_PRIVATE = [chr(0xE000 + octet) for octet in range(256)]


def source_walk(source: Source) -> tuple[Board, Walk] | None:
    """Return a board of the kind and a complete walk of it, the same on every machine.

    None if the board of the source has no walk.
    """
    made = exact_walk(source.board, source.seed, choices=source.choices)
    if made.verdict is not Verdict.COMPLETABLE:
        return None
    board, walk = source.board, made.position.walk
    if source.kind not in _WALLED:
        return board, walk
    return piece(board, walk, source.cut, source.kind)


def piece(
    board: Board, walk: Walk, cut: tuple[int, int], kind: Boards
) -> tuple[Board, Walk]:
    """Return a piece of a complete walk; the other cells are walls.

    On boards of the kind `RIM` the piece begins and ends on the rim.
    """
    rim = set(_rim(board.rows, board.cols))
    ends = [k for k, cell in enumerate(walk) if kind is not Boards.RIM or cell in rim]
    first, last = sorted(min(at * len(ends) // SHARES, len(ends) - 1) for at in cut)
    begin, end = ends[first], ends[last]
    if end - begin < 2 or end - begin == len(walk) - 1:
        return board, walk
    part = walk[begin : end + 1]
    walls = tuple(sorted(set(walk) - set(part)))
    return Board(board.rows, board.cols, part[0], part[-1], walls), part


def more_walks(source: Source, count: int) -> Iterator[Source]:
    """Yield a source and walks of the same board by other seeds, without choices."""
    yield source
    rng = np.random.default_rng([source.seed, *source.cut])
    for _ in range(count - 1):
        cut = int(rng.integers(SHARES + 1)), int(rng.integers(SHARES + 1))
        seed = int(rng.integers(1 << 32))
        yield Source(source.board, source.kind, seed, cut=cut)


@st.composite
def boards(
    draw: st.DrawFn,
    *,
    min_side: int = 1,
    max_side: int = 7,
    square: bool = False,
    odd: bool = False,
    max_walls: int = 0,
    corners: bool = True,
) -> Board:
    """Draw a board; it may have no Hamiltonian path at all.

    - `min_side`, `max_side`: bounds of rows and cols, both inclusive.
    - `max_walls`: they may cut the board apart.
    - `corners`: whether start and end are the upper left and lower right corner. If
      not, they are any two cells, and shrink to corners.
    """
    sides = st.integers(min_side, max_side)
    if odd:
        sides = st.sampled_from([n for n in range(min_side, max_side + 1) if n % 2])
    rows = draw(sides)
    cols = rows if square else draw(sides)
    cells = rows * cols
    start, end = 0, cells - 1
    if not corners and cells > 1:
        start = draw(st.integers(0, cells - 1))
        end = cells - 1 - draw(st.integers(0, cells - 1))
        if end == start:
            end = cells - 1 if start < cells - 1 else 0
    walls = set[int]()
    if max_walls and cells > 2:
        walls = draw(st.sets(st.integers(0, cells - 1), max_size=max_walls))
    return Board(rows, cols, start, end, tuple(walls - {start, end}))


@st.composite
def positions(draw: st.DrawFn, on: st.SearchStrategy[Board] | None = None) -> Position:
    """Draw a position: a walk of any length on a random board, dead ones included.

    - `on`, strategy of boards: `boards()` if left out.
    """
    return _walk(draw, draw(boards() if on is None else on), lambda _: True)


@st.composite
def walk_sources(
    draw: st.DrawFn, *kinds: Boards, min_side: int = 1, max_side: int = 7
) -> Source:
    """Draw a source of a complete walk on a board of a kind; see `source_walk`.

    Most sources have a walk. Boards are rectangles of all sizes on which the colours
    admit one: for `CORNERS` and `UPPER_LEFT` from the upper left to the lower right
    corner, else between any two cells of the rim. For `ANY` and `RIM` the walk is cut:
    the cells of a piece stay open, all others become walls.
    """
    kinds = kinds or (Boards.CORNERS,)
    kind = kinds[_below(draw, len(kinds))]
    rows, cols = (min_side + _below(draw, max_side - min_side + 1) for _ in range(2))
    start, end = 0, rows * cols - 1
    if kind not in (Boards.CORNERS, Boards.UPPER_LEFT):
        rim = _rim(rows, cols)
        start = rim[_below(draw, len(rim))]
        end = rim[-1 - _below(draw, len(rim))]
        if start == end and rows * cols > 1:
            end = rim[-1] if start != rim[-1] else rim[0]
    board = Board(rows, cols, start, end)
    if board.cells > 1 and not repairable(board):
        reject()
    cut = 0, SHARES
    if kind in _WALLED:
        cut = _below(draw, SHARES + 1), SHARES - _below(draw, SHARES + 1)
    seed = int.from_bytes(draw(_octets(4)))
    return Source(board, kind, seed, draw(_octets(_CHOICES)), cut)


def _octets(size: int) -> st.SearchStrategy[bytes]:
    """Return a strategy of `size` bytes that shrink to 0."""
    texts = st.text(_PRIVATE, min_size=size, max_size=size)
    return texts.map(lambda text: bytes(ord(letter) - 0xE000 for letter in text))


def _below(draw: st.DrawFn, limit: int) -> int:
    """Draw a number from 0 to `limit` - 1; it shrinks to 0."""
    return int.from_bytes(draw(_octets(2))) * limit >> 16


def _rim(rows: int, cols: int) -> list[int]:
    cells = product(range(rows), range(cols))
    edges = {0, rows - 1}, {0, cols - 1}
    return [r * cols + c for r, c in cells if r in edges[0] or c in edges[1]]


@st.composite
def boards_for(
    draw: st.DrawFn,
    kind: Boards | Rule | RuleSet = Boards.CORNERS,
    *,
    min_side: int = 1,
    max_side: int = 7,
) -> Board:
    """Draw a board that a rule is meant for, with a Hamiltonian path.

    - `kind`: a kind of boards, a rule, or a rule set: then a board that all of its
      rules are meant for.
    """
    if not isinstance(kind, Boards):
        rules = kind.rules if isinstance(kind, RuleSet) else (kind,)
        kind = narrowest(rule.boards for rule in rules)
    made = source_walk(draw(walk_sources(kind, min_side=min_side, max_side=max_side)))
    return reject() if made is None else made[0]


@st.composite
def completable_positions(
    draw: st.DrawFn,
    on: st.SearchStrategy[Board] | None = None,
    *,
    rules: Rule | RuleSet | str | None = None,
    max_side: int = 7,
) -> Position:
    """Draw a completable position; every move of its walk was a completable one.

    - `on`, strategy of boards: odd squares of sides up to `max_side` if left out.
    - `rules`: a rule, a rule set, or names as `load_rules` takes them; then boards that
      they are meant for, with sides of at least 2 cells (`boards_for`).
    """
    rules = load_rules(rules) if isinstance(rules, str) else rules
    if on is None and rules is None:
        on = boards(max_side=max_side, square=True, odd=True)
    elif on is None and rules is not None:
        on = boards_for(rules, min_side=2, max_side=max_side)
    assert on is not None
    board = draw(on.filter(lambda board: _completable(Position(board))))
    return _walk(draw, board, _completable)


@st.composite
def dead_positions(
    draw: st.DrawFn,
    on: st.SearchStrategy[Board] | None = None,
    *,
    max_side: int = 7,
) -> Position:
    """Draw a dead position whose last move spoiled the board.

    - `on`, strategy of boards: odd squares from 3 up to `max_side` if left out.
    """
    if on is None:
        on = boards(min_side=3, max_side=max_side, square=True, odd=True)
    position = draw(completable_positions(on))
    for steps in range(len(position.walk)):  # not every live end has a wrong move
        before = position.back(steps)
        wrong = [m for m in before.options() if not _completable(before.step(m))]
        if wrong:
            return before.step(draw(st.sampled_from(wrong)))
    return reject()


@lru_cache(maxsize=1)
def _sat() -> Oracle:
    return get_oracle("sat")  # it keeps what it learned of a board


def _completable(position: Position) -> bool:
    return is_completable(position, _sat())


def _walk(draw: st.DrawFn, board: Board, keep: Callable[[Position], bool]) -> Position:
    position = Position(board)
    for _ in range(draw(st.integers(0, board.open_cells - 1))):
        moves = [m for m in position.options() if keep(position.step(m))]
        if not moves:
            break
        move = moves[0] if len(moves) == 1 else draw(st.sampled_from(moves))
        position = position.step(move)
    return position
