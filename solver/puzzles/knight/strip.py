"""Tours of boards of three or four rows, of any length: exact, column by column.

A knight reaches two columns ahead. So all that later columns need to know of earlier
ones is what the last two columns look like: which cells still want moves, and which of
them are ends of one piece of the walk. Few such *states* exist, some hundreds for three
rows, some thousands for four; so a depth-first search over columns that remembers the
states that failed with so many columns left takes a step or two a column, and says
surely that there is no tour.

A cell of a state is a number: 0 wants no more, `_FREE` wants two moves, 2 and more want
one and are one of two ends of the piece of that name; `_GATE` wants one, and the other
end of its piece is an end of the whole tour.

On four rows the outer cells see inner ones only, and are as many. So a tour takes one
move from inner to inner cell and begins and ends outside, or it alternates; but then
it visits outer cells of one colour alone. States with two such moves are left out.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from solver.errors import BoardError
from solver.puzzles.knight.tour import Tour

ROWS = (3, 4)
_FREE, _GATE = 1, -1
_FAR = 8  # columns that a state which fails with so many left seldom needs more of
_Cells = tuple[int, ...]
_Moves = tuple[tuple[int, int], ...]


class _State(NamedTuple):
    """What later columns need to know."""

    cells: _Cells  # of the last two columns, the older first; all 0 before the first
    ended: bool  # whether the last cell of the tour was chosen, or there is none
    crossed: bool  # whether a move from inner to inner cell was taken, on four rows
    whole: bool  # whether the walk is a whole tour


class _Way(NamedTuple):
    """A choice of moves into a column; its cells follow those of the state."""

    cells: _Cells
    moves: _Moves
    whole: bool


def strip_tour(
    rows: int, cols: int, start: int, *, closed: bool = False
) -> Tour | None:
    """Find a tour of a board of three or four rows, or columns; None if there is none.

    Takes some 30 microseconds a column, and less than a second to meet all states.

    Raises
    ------
    BoardError
        If the board has neither three nor four rows or columns.

    >>> strip_tour(3, 6, 0) is None
    True
    >>> len(strip_tour(4, 500, 0))
    2000
    """
    if rows not in ROWS:
        if cols not in ROWS:
            raise BoardError(f"{rows} x {cols} is not of three or four rows")
        turned = strip_tour(
            cols, rows, start % cols * rows + start // cols, closed=closed
        )
        if turned is None:
            return None
        return tuple(cell % rows * cols + cell // rows for cell in turned)
    begin = None if closed else start
    moves = _moves(rows, cols, begin, hasty=True)
    if moves is None:
        moves = _moves(rows, cols, begin, hasty=False)
    if moves is None:
        return None
    links: list[list[int]] = [[] for _ in range(rows * cols)]
    for a, b in moves:
        links[a].append(b)
        links[b].append(a)
    tour, before = [start], -1
    while len(tour) < rows * cols:
        a, b = (links[tour[-1]] * 2)[:2]
        before, after = tour[-1], b if a == before else a
        tour.append(after)
    return tuple(tour)


def _moves(rows: int, cols: int, start: int | None, *, hasty: bool) -> _Moves | None:
    """Return the moves of a tour, None if there is none; closed if `start` is None.

    If `hasty`, a state that failed with many columns left is not tried again with fewer
    left. Then None says nothing; but on long boards most states are dead for ever.
    """
    place = (-1, -1) if start is None else divmod(start, cols)
    closed = start is None

    def after(col: int, state: _State) -> Iterator[tuple[_State, _Moves]]:
        if col == cols or state.whole:
            return iter(())
        row = place[0] if col == place[1] else -1
        return iter(_after(rows, state, row, closed).items())

    first = _State((0,) * (2 * rows), closed, False, False)
    dead: set[tuple[int, _State]] = set()
    hopeless: set[tuple[bool, _State]] = set()
    nothing: _Moves = ()
    stack = [(first, after(0, first), nothing)]
    while stack:
        col = len(stack) - 1
        state, left, _ = stack[-1]
        if col == cols and state.whole:
            return tuple(
                _on_board(move, rows, cols, at)
                for at, (_, _, moves) in enumerate(stack[1:])
                for move in moves
            )
        begun = col + 1 > place[1]
        for following, moves in left:
            if (col + 1, following) in dead or (begun, following) in hopeless:
                continue
            stack.append((following, after(col + 1, following), moves))
            break
        else:
            dead.add((col, state))
            if hasty and cols - col > _FAR:
                hopeless.add((col > place[1], state))
            stack.pop()
    return None


def _on_board(move: tuple[int, int], rows: int, cols: int, col: int) -> tuple[int, int]:
    """Return the cells of a move into a column; a state counts columns before it."""
    (x, r), (y, q) = (divmod(one, rows) for one in move)
    return r * cols + col - 2 + x, q * cols + col - 2 + y


@lru_cache(1 << 16)
def _after(rows: int, state: _State, start: int, closed: bool) -> dict[_State, _Moves]:
    """Return what can follow a state, each with the moves into the new column.

    `start` is the row of the first cell of the tour, -1 if it is in another column.
    """
    out: dict[_State, _Moves] = {}
    ends = [-1]
    if not state.ended:
        ends += [row for row in range(rows) if row != start]
    for end in ends:
        if rows == 4 and end in (1, 2):
            continue
        new = [_GATE if row in (start, end) else _FREE for row in range(rows)]
        ended = state.ended or end >= 0
        for way in _ways(_Way((*state.cells, *new), (), False), rows, closed):
            inner = [
                1 for move in way.moves if all(one % rows in (1, 2) for one in move)
            ]
            crossed = len(inner) + state.crossed if rows == 4 else 0
            cells = _renamed(way.cells[rows:])
            if crossed > 1 or not (way.whole or any(cells)):
                continue
            following = _State(cells, ended, bool(crossed), way.whole)
            out.setdefault(following, way.moves)
    return out


def _ways(way: _Way, rows: int, closed: bool) -> Iterator[_Way]:
    """Yield all ways to give the oldest column what it wants, and the next some."""
    for cell in range(rows):
        if way.cells[cell] and not way.whole:
            near = [2 * rows + r for r in (cell - 1, cell + 1) if 0 <= r < rows]
            for other in near:
                more = _joined(way, cell, other, closed)
                # of two moves the second goes down
                if more and not (more.cells[cell] and other != near[0]):
                    yield from _ways(more, rows, closed)
            return
    if any(way.cells[:rows]):
        return
    yield from _some(way, rows, closed, 0)


def _some(way: _Way, rows: int, closed: bool, at: int) -> Iterator[_Way]:
    """Yield all ways to take moves from the last column into the new one, or not."""
    if at == 2 * rows or way.whole:
        yield way
        return
    row, other = at // 2, at // 2 + (2 if at % 2 else -2)
    yield from _some(way, rows, closed, at + 1)
    if 0 <= other < rows:
        more = _joined(way, rows + row, 2 * rows + other, closed)
        if more:
            yield from _some(more, rows, closed, at + 1)


def _joined(way: _Way, one: int, two: int, closed: bool) -> _Way | None:
    """Take a move between two cells; None if one wants none or a loop is closed."""
    cells, (a, b) = list(way.cells), (way.cells[one], way.cells[two])
    moves = (*way.moves, (one, two))
    if not (a and b):
        return None
    if a == b == _FREE:
        cells[one] = cells[two] = max(*cells, 1) + 1
    elif _FREE in (a, b):
        cells[one], cells[two] = (b, 0) if a == _FREE else (0, a)
    else:
        cells[one] = cells[two] = 0
        if a == b:
            # the last move of all; between two gates it makes the tour of two ends
            whole = not any(cells) and (a == _GATE) != closed
            return _Way(tuple(cells), moves, True) if whole else None
        cells = [min(a, b) if cell == max(a, b) else cell for cell in cells]
    return _Way(tuple(cells), moves, False)


def _renamed(cells: _Cells) -> _Cells:
    """Name pieces in the order of their first cells."""
    names = {0: 0, _FREE: _FREE, _GATE: _GATE}
    return tuple(names.setdefault(cell, len(names) - 1) for cell in cells)
