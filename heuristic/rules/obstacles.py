"""Drawings of procedures that search for an obstacle, up to a distance.

Each obstacle that a search of the author can meet, up to `FARTHEST` cells away, is a
drawing.

**Corners.** A *corner* is a visited cell h to the left and v ahead whose neighbours
towards the live end are free. A stair of free cells leads to it. The stair may cut off
an area on its left. For every h and v, `corner_bounds` bounds the surplus of white
over black cells that lines through this area can cover. The search of June 2024 looks
along the rows, so it misses corners behind a wall in the same row.

**Second corners.** The surplus of a first area fixes the cell where the walk turns away
from it. If a corner seen from that cell closes an area that cannot be entered later,
the step into the first area is forbidden. Both areas stand in one drawing.

**Stairs.** A step to the left forces the walk down a stair, around its foot and back
up. On the way back an obstacle on the left closes an area that the walk would have to
enter at once. At the same time the next cell of the stair has two open sides.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, product

from heuristic.rules.drawing import (
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Spot,
    area_behind,
    needs_of,
    spot,
)
from heuristic.rules.letters import page_text
from solver.board import ROTATIONS, Symmetry

FARTHEST = 12  # cells from the live end to a corner, either way
_LONGEST_STAIR = 4  # cells to the left; a longer one takes minutes to prove
_FREE, _VISITED = CellState.FREE, CellState.VISITED
_AHEAD, _LEFT, _BEHIND, _RIGHT = (-1, 0), (0, -1), (1, 0), (0, 1)

_Needs = dict[Spot, CellState]


def _drawing(
    variant: str,
    needs: _Needs,
    areas: Sequence[AreaSpec],
    forbidden: Sequence[Spot],
    turns: Sequence[Symmetry],
) -> Drawing:
    drawing = Drawing(
        needs=needs_of(needs),
        areas=tuple(areas),
        forbidden=tuple(forbidden),
        turns=tuple(turns),
        variant=variant,
    )
    return replace(drawing, text=page_text(drawing))


def stair(h: int, v: int) -> list[Spot]:
    """Return the stair to a corner; its straight piece comes first if h > v."""
    steps = [_LEFT] * (h - v) + [_LEFT, _AHEAD] * (min(h, v) - 2) + [_AHEAD] * (v - h)
    begin = (-1, -1)
    return [*accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1]), initial=begin)]


def corner_bounds(h: int, v: int) -> tuple[int, int, int, int, int]:
    """Return bounds of the surplus of white cells in the area of a corner.

    Low and high when the walk enters it now by a step to the left, high by a step back,
    and low and high when it enters later. From the book of 2024. Where its worked case
    and general formula differ, this is the greater number, as in its program.
    """
    x = min(h, v) - 1
    n = abs(h - v) // 2
    if h == v:
        return 1 - x, 0, 0, 1 - x, -1
    if (h - v) % 2 == 0:
        now = (n + 1) // 2
        least, late = -x - (n - 1) // 2, n // 2
        if h > v and n == 1:
            return least, 0, now, -x - late, late
        return least, now, now, -x - late, late
    if h > v:
        now = x + n // 2
        late = (n + 2) // 2 if n > 0 else 0
        first = now if n > 0 else x - 1
        return -((n + 1) // 2), first, now, -late, x - 1 + (n + 1) // 2
    now, late = 1 + (n + 1) // 2, 1 + n // 2 if n > 0 else 0
    return 1 - x - n // 2, now, now, 1 - x - (n + 1) // 2, late


def _corner_area(
    line: list[Spot], corner: Spot, h: int, v: int, low: int, high: int, base: Spot
) -> AreaSpec:
    """Return the area of a corner; a close corner forbids at any count."""
    if h + v == 4:
        return area_behind(line, corner, base=base)
    return area_behind(line, corner, base=base, kind=Kind.BEYOND, bounds=(low, high))


def _corners(along_wall: bool) -> Iterator[Drawing]:
    """Yield each corner with the moves that its surplus forbids."""
    turns = ROTATIONS if along_wall else ROTATIONS[:3]
    for h, v in product(range(2, FARTHEST + 1), repeat=2):
        low, high, back, later_low, later_high = corner_bounds(h, v)
        ways: list[tuple[Spot, Sequence[Symmetry], int, int]] = [
            (_AHEAD, turns, later_low, later_high),
            (_RIGHT, turns[:1], later_low, later_high),
        ]
        if h + v > 4:
            ways.append((_LEFT, turns[:3], low, high))
            ways.append((_BEHIND, turns[1:3], low, back))
        line, corner = stair(h, v), spot(h, v)
        needs: _Needs = dict.fromkeys([*line, spot(h - 1, v), spot(h, v - 1)], _FREE)
        if not along_wall:  # the search goes out along the first row, then up
            needs |= dict.fromkeys([(-1, -k) for k in range(2, h + 1)], _FREE)
            needs |= dict.fromkeys([(-k, -h) for k in range(2, v)], _FREE)
        needs[corner] = _VISITED
        for move, poses, least, greatest in ways:
            area = _corner_area(line, corner, h, v, least, greatest, LIVE_END)
            yield _drawing(f"corner {h}, {v}", needs, [area], [move], poses)


def _second_corners() -> Iterator[Drawing]:
    """Yield each first area with each corner as seen from its exit.

    The border of an open corner lies straight ahead, that of a closed one a column to
    the left. The search looks to the right from the last cell of the border, or from
    the last but one, with the first area visited. So the second area begins behind the
    wall of the first; its black is that of the cell looked from, here white.
    """
    for distance in range(2, FARTHEST + 1, 2):
        closed = distance % 4 == 2
        column = -1 if closed else 0
        line = [(-k, column) for k in range(1, distance + 1)]
        wall, low = (-distance - 1, column - 1), -((distance - 2 * closed) // 4)
        first = area_behind(line, wall, kind=Kind.WITHIN, bounds=(low, low))
        border: _Needs = dict.fromkeys([*line, (-distance - 1, column)], _FREE)
        border |= {(-distance, -2): _FREE, (-distance, 0): _FREE} if closed else {}
        seen = -distance if closed else 1 - distance
        ahead, right, _, left = ROTATIONS
        turns = (ahead, right) if closed else (ahead, right, left)
        away = product(range(2, FARTHEST + seen + 1), range(2, FARTHEST - column + 1))
        for h, v in away:
            cells = [(seen + col, column - row) for row, col in stair(h, v)]
            corner = (seen - h, column + v)
            free = [*cells, (seen - h + 1, column + v), (seen - h, column + v - 1)]
            _, _, _, least, greatest = corner_bounds(h, v)
            line2 = [(seen - 1, column), *cells]
            second = _corner_area(line2, corner, h, v, -greatest, -least, wall)
            needs = border | dict.fromkeys(free, _FREE)
            needs |= {wall: _VISITED, corner: _VISITED}
            moves = [_LEFT] if closed else [_AHEAD]
            variant = f"border {distance}, then corner {h}, {v}"
            yield _drawing(variant, needs, [first, second], moves, turns)


def _stairs() -> Iterator[Drawing]:
    """Yield each stair below an obstacle that closes the area on the left.

    The obstacle stands ahead with one or two free cells before it, or mid across with
    two; or the stair begins a cell ahead, and two are free.
    """
    for h in range(2, _LONGEST_STAIR + 1):
        for free, obstacle in (1, (-2, 0)), (2, (-3, 0)), (2, (-3, -1)):
            door = [(-k, 0) for k in range(1, free + 1)]
            yield from _stair(h, 0, [_LEFT], door, obstacle)
        yield from _stair(h, 1, [_AHEAD, _RIGHT], [(-1, 0), (-2, 0)], (-3, 0))


def _stair(
    h: int, first: int, moves: list[Spot], door: list[Spot], obstacle: Spot
) -> Iterator[Drawing]:
    """Yield a stair with each step of the way back up.

    It ends h cells to the left, and h behind the cell it begins at, which lies `first`
    cells ahead. The free cells of `door`, if any, run into the first obstacle. At each
    step of the way back another obstacle stands mid across or across. The line of its
    area is the way back itself, up to the door of the area.
    """
    needs: _Needs = dict.fromkeys(door, _FREE)
    if door:
        needs[-len(door) - 1, 0] = _FREE
        needs[obstacle] = _VISITED if obstacle[1] else TAKEN
    for k in range(1, h):
        needs |= {(k - first, -k): _FREE, (k - first + 1, -k): _VISITED}
    foot, base = (h - first - 1, -h - 1), (h - first - 1, -h - 2)
    needs |= {(-first, -1): _FREE, (h - first, -h): _VISITED}
    needs |= {foot: _FREE, base: _VISITED}
    way = [foot]
    for k in range(h - 1):
        row, col = h - first - 2 - k, k - h - 1
        needs[row, col] = _FREE
        way.append((row, col))
        line = [*way, (row - 1, col - 1)]
        for wall, passable in (
            ((row - 2, col - 1), [(row - 2, col)]),
            ((row - 2, col - 2), [(row - 2, col - 1), (row - 1, col - 2)]),
        ):
            free = dict.fromkeys([line[-1], *passable], _FREE)
            areas = [area_behind(line, wall, base=base)]
            if door:
                areas.insert(0, area_behind(door, obstacle))
            drawn = needs | free | {wall: _VISITED}
            yield _drawing(f"stair {h}, {k + 1} up", drawn, areas, moves, ROTATIONS[:2])


# Values of the key `found_by` in rule files.
SEARCHES: dict[str, Callable[[], Iterator[Drawing]]] = {
    "corners along the wall": lambda: _corners(along_wall=True),
    "corners along the rows": lambda: _corners(along_wall=False),
    "second corners": _second_corners,
    "stairs below an obstacle": _stairs,
    "stairs": lambda: (  # whether or not anything forces the walk
        drawing
        for h in range(2, _LONGEST_STAIR + 1)
        for drawing in _stair(h, 0, [_LEFT], [], LIVE_END)
    ),
}
