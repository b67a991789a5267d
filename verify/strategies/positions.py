"""Hypothesis strategies for boards, walks and positions, for users' own tests too.

They build valid values only and shrink towards small boards, corner to corner, without
walls, and short walks. Dead and completable are what the `sat` oracle says.

>>> from hypothesis import given
>>> @given(completable_positions(max_side=5))
... def holds(position):
...     assert position.complete or position.options()
>>> holds()
"""

from collections.abc import Callable
from functools import lru_cache

from hypothesis import reject
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.oracles.oracle import Oracle, Verdict, get_oracle


@lru_cache(maxsize=1)
def _oracle() -> Oracle:
    return get_oracle("sat")


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
    """Draw a board; it may well have no Hamiltonian path at all.

    Parameters
    ----------
    min_side, max_side : int
        Bounds of rows and cols, both inclusive.
    square, odd : bool
        Only squares; only odd sides.
    max_walls : int
        At most so many walls; they may cut the board apart.
    corners : bool
        Whether start and end are always the upper left and lower right corner. If not,
        any two cells may be, and corners are what it shrinks to.
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
    walls: set[int] = set()
    if max_walls and cells > 2:
        walls = draw(st.sets(st.integers(0, cells - 1), max_size=max_walls))
        walls -= {start, end}
    return Board(rows, cols, start, end, tuple(walls))


@st.composite
def positions(
    draw: st.DrawFn, on: st.SearchStrategy[Board] | None = None, *, max_steps: int = 400
) -> Position:
    """Draw a position: a walk of any length on a drawn board, dead ones included.

    The end cell is entered like any other, at any time: then the position is dead.

    Parameters
    ----------
    on : strategy of boards, optional
        `boards()` if left out.
    max_steps : int
        At most so many moves.
    """
    return _walk(draw, draw(boards() if on is None else on), max_steps, _any_move)


@st.composite
def completable_positions(
    draw: st.DrawFn,
    on: st.SearchStrategy[Board] | None = None,
    *,
    max_side: int = 7,
    max_steps: int = 400,
) -> Position:
    """Draw a completable position; every move of its walk was a completable one.

    Parameters
    ----------
    on : strategy of boards, optional
        Odd squares up to `max_side` if left out. Boards without any walk over all cells
        are drawn again.
    max_side, max_steps : int
        The largest side, and at most so many moves.
    """
    if on is None:
        on = boards(max_side=max_side, square=True, odd=True)
    board = draw(on.filter(lambda board: _completable(Position(board))))
    return _walk(draw, board, max_steps, _completable)


@st.composite
def dead_positions(
    draw: st.DrawFn,
    on: st.SearchStrategy[Board] | None = None,
    *,
    max_side: int = 7,
    max_steps: int = 400,
    first: bool = True,
) -> Position:
    """Draw a dead position.

    Parameters
    ----------
    on : strategy of boards, optional
        Odd squares from 3 up to `max_side` if left out.
    max_side, max_steps : int
        The largest side, and at most so many moves before the wrong one.
    first : bool
        Whether the last move is the one that spoiled the board, so that the position
        one step back is completable. If not, any dead position.
    """
    if on is None:
        on = boards(min_side=3, max_side=max_side, square=True, odd=True)
    if not first:
        return draw(positions(on, max_steps=max_steps + 1).filter(_dead))
    before = draw(completable_positions(on, max_steps=max_steps))
    # Not every live end has a wrong move; the last one that has is found by going back.
    for steps in range(len(before.walk)):
        position = before.back(steps)
        wrong = [m for m in position.options() if _dead(position.step(m))]
        if wrong:
            return position.step(draw(st.sampled_from(wrong)))
    return reject()


def _any_move(position: Position) -> bool:
    return True


def _completable(position: Position) -> bool:
    return _oracle().decide(position).verdict is Verdict.COMPLETABLE


def _dead(position: Position) -> bool:
    return _oracle().decide(position).verdict is Verdict.DEAD


def _walk(
    draw: st.DrawFn, board: Board, max_steps: int, keep: Callable[[Position], bool]
) -> Position:
    """Walk as long as drawn, choosing among the moves that `keep` allows."""
    position = Position(board)
    for _ in range(draw(st.integers(0, min(max_steps, board.open_cells - 1)))):
        moves = [m for m in position.options() if keep(position.step(m))]
        if not moves:
            break
        position = position.step(
            moves[0] if len(moves) == 1 else draw(st.sampled_from(moves))
        )
    return position
