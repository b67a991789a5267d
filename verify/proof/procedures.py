"""Procedures of the book as drawings: what a proof of a procedure speaks of.

**Corner discovery** finds corners and judges each by the surplus behind a stair. Each
corner that it can find, up to so many cells away, is a drawing (`_corners`): so what is
proved is the procedure up to that bound.

**A second corner** (`_second_corners`) and **stairs** (`_stairs`) are drawn up to a
bound in the same way. Behind an area that the procedure takes for visited lies another
one; both stand in one drawing.

**The sequence** follows a forced walk to any length. That is proved step by step, by
induction along the walk (`_sequence`):

* an area at the live end with as many white as black cells, entered now: no completion
  leaves it anywhere but at the one cell from which the walk is followed;
* at a cell of the walk, with all that lies before it visited, a C-shape or an obstacle
  on the left leaves one way: no completion takes another one, up to the next cell;
* with an obstacle on the right as well, there is none.

At each cell the cells passed are those that a completion has visited when it comes
there. So the drawings of the second and third kind are asked of real positions, whose
walk is longer, and one after the other they are all there is to the procedure. The cell
before the live end lies behind, or on the right where the walk comes out of an area.
"""

from collections.abc import Container, Iterable, Iterator
from itertools import accumulate, product

from heuristic.rules.drawing import (
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Fact,
    Kind,
    Offset,
    RuleSpec,
    Turn,
    area_behind,
    needs_of,
)

FREE, VISITED = CellState.FREE, CellState.VISITED
UP_TO = 12  # cells, if nothing is said

_TURNS = (Turn.NONE, Turn.CW, Turn.HALF, Turn.CCW)  # as kernels number them
_CAME = (Turn.NONE, Turn.CW)  # to a cell of a forced walk: from behind, from the right
_AHEAD, _LEFT, _BEHIND, _RIGHT = (0, 1), (1, 0), (0, -1), (-1, 0)
_MOVES = (_AHEAD, _LEFT, _BEHIND, _RIGHT)

Needs = dict[Offset, CellState]


def _drawing(
    needs: Needs,
    areas: Iterable[AreaSpec],
    forbidden: Iterable[Offset],
    turns: Iterable[Turn],
    facts: Iterable[Fact] = (),
    not_end: Container[Offset] = (),
) -> Drawing:
    return Drawing(
        needs=needs_of(needs, not_end),
        areas=tuple(areas),
        forbidden=tuple(forbidden),
        turns=tuple(turns),
        facts=tuple(facts),
    )


# Corners ----------------------------------------------------------------------


def stair(h: int, v: int) -> list[Offset]:
    """Return the stair to a corner h cells to the left and v ahead.

    From the cell left ahead of the live end, with its straight piece first if the
    corner lies farther to the left, last if it lies farther ahead.
    """
    steps = [_LEFT] * (h - v) + [_LEFT, _AHEAD] * (min(h, v) - 2) + [_AHEAD] * (v - h)
    return [*accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1]), initial=(1, 1))]


def _corners(most: int, by_wall: bool) -> Iterator[Drawing]:
    """Draw each corner up to so many cells away, with what its surplus forbids."""
    from heuristic.procedures.corners import small_bounds  # loads numba

    turns = _TURNS[: 4 if by_wall else 3]
    for h, v in product(range(2, most + 1), repeat=2):
        low, high, back, later_low, later_high = small_bounds(h, v)
        ways: list[tuple[list[Offset], Iterable[Turn], int, int]] = [
            ([_AHEAD], turns, later_low, later_high),
            ([_RIGHT], turns[:1], later_low, later_high),
        ]
        if h + v > 4:
            ways.append(([_LEFT], turns[:3], low, high))
            ways.append(([_BEHIND], turns[1:3], low, back))
        needs: Needs = dict.fromkeys([*stair(h, v), (h - 1, v), (h, v - 1)], FREE)
        needs[h, v] = VISITED
        kind = Kind.BEYOND if h + v > 4 else Kind.CLOSED
        for moves, laid, least, greatest in ways:
            bounds = least, greatest
            area = area_behind(stair(h, v), (h, v), kind=kind, bounds=bounds)
            yield _drawing(needs, [area], moves, laid)


# Stairs -------------------------------------------------------------------------


def _stairs(most: int) -> Iterator[Drawing]:
    """Draw each stair, and each step of the way back up it.

    An obstacle stands ahead with one or two free cells before it, or mid across with
    two; or the stair begins a cell ahead, and two are free. To prove one takes seconds,
    more the longer it is: so a stair ends a third of `most` to the left at most.
    """
    for h in range(2, most // 3 + 1):
        for free, wall in (1, (0, 2)), (2, (0, 3)), (2, (1, 3)):
            yield from _stair(h, free, wall, 0, [_LEFT])
        yield from _stair(h, 2, (0, 3), 1, [_AHEAD, _RIGHT])


def _stair(
    h: int, free: int, obstacle: Offset, first: int, moves: list[Offset]
) -> Iterator[Drawing]:
    """Draw a stair that ends h cells to the left, and h behind the cell it begins at.

    It begins `first` cells ahead. So many cells ahead are free before the first
    obstacle. At each step of the way back another one stands mid across or across. The
    line of its area is the way back itself, up to the door of the area.
    """
    door = [(0, k) for k in range(1, free + 1)]
    needs: Needs = dict.fromkeys([*door, (0, free + 1)], FREE)
    needs[obstacle] = VISITED if obstacle[0] else TAKEN
    for k in range(1, h):
        needs |= {(k, first - k): FREE, (k, first - k - 1): VISITED}
    foot, base = (h + 1, first + 1 - h), (h + 2, first + 1 - h)
    needs |= {(1, first): FREE, (h, first - h): VISITED, foot: FREE, base: VISITED}
    way = [foot]
    for k in range(h - 1):
        left, ahead = h + 1 - k, first + 2 - h + k
        needs[left, ahead] = FREE
        way.append((left, ahead))
        line = [*way, (left + 1, ahead + 1)]
        for wall, passable in (
            ((left + 1, ahead + 2), [(left, ahead + 2)]),
            ((left + 2, ahead + 2), [(left + 1, ahead + 2), (left + 2, ahead + 1)]),
        ):
            known = needs | dict.fromkeys([line[-1], *passable], FREE)
            areas = area_behind(door, obstacle), area_behind(line, wall, base=base)
            yield _drawing(known | {wall: VISITED}, areas, moves, _TURNS[:2])


# Second corners -----------------------------------------------------------------


def _second_corners(most: int) -> Iterator[Drawing]:
    """Draw each first area with each corner seen from where it is left, so far away.

    The border of an open corner lies straight ahead, that of a closed one a column to
    the left. The procedure looks to the right from the last cell of the border, or from
    the last but one, with the first area visited. So the second area begins behind the
    wall of the first; its black is that of the cell looked from, here white.
    """
    from heuristic.procedures.corners import small_bounds  # loads numba

    for distance in range(2, most + 1, 2):
        closed = distance % 4 == 2
        column = 1 if closed else 0
        line = [(column, k) for k in range(1, distance + 1)]
        wall, low = (column + 1, distance + 1), -((distance - 2 * closed) // 4)
        first = area_behind(line, wall, kind=Kind.WITHIN, bounds=(low, low))
        known: Needs = dict.fromkeys([*line, (column, distance + 1)], FREE)
        known |= {(2, distance): FREE, (0, distance): FREE} if closed else {}
        seen = distance if closed else distance - 1
        turns = _TURNS[:2] if closed else (Turn.NONE, Turn.CW, Turn.CCW)
        away = product(range(2, most - seen + 1), range(2, most + column + 1))
        for h, v in away:
            cells = [(column - y, seen + x) for x, y in stair(h, v)]
            free = [*cells, (column - v, seen + h - 1), (column - v + 1, seen + h)]
            corner = (column - v, seen + h)
            _, _, _, least, greatest = small_bounds(h, v)
            kind = Kind.BEYOND if h + v > 4 else Kind.CLOSED
            line2 = [(column, seen + 1), *cells]
            surplus = -greatest, -least
            second = area_behind(line2, corner, base=wall, kind=kind, bounds=surplus)
            needs = known | dict.fromkeys(free, FREE) | {wall: VISITED, corner: VISITED}
            moves = [_LEFT] if closed else [_AHEAD]
            yield _drawing(needs, [first, second], moves, turns)


# The sequence -----------------------------------------------------------------


def _start(number: int, over: bool) -> Iterator[Drawing]:
    """Leave the first area where the walk is not followed from; `over`: a wall beyond.

    Starts 1 and 2 have the border straight ahead, start 3 one column to the left.
    """
    if number == 3:
        line, moves, free = [(1, 1), (1, 2)], [_AHEAD], [(0, 1), (0, 2), (0, 3)]
        steps = [((0, 1), (1, 1)), ((1, 2), (0, 2))]
        turns = [Turn.NONE, Turn.CCW, Turn.CW]
    else:
        line = [(0, k) for k in range(1, 5 - number)]
        moves, steps = [_AHEAD, _LEFT], [((0, 2), (-1, 2))]
        free = [(-1, 2), (-1, 3), *([(1, 1), (1, 3)] if number == 1 else [])]
        turns = [Turn.NONE, Turn.CCW]
    end = line[-1]
    wall = (end[0], end[1] + 1)
    needs: Needs = dict.fromkeys([*line, *free], FREE)
    if over:
        needs[wall] = FREE
        wall = (-1, 4)
    needs[wall] = TAKEN
    area = area_behind(line, wall, kind=Kind.WITHIN, bounds=(0, 0))
    for step in steps:
        yield _drawing(needs, [area], moves, turns, [("lacks", *step)])
    known = {frozenset(step) for step in steps}
    for cell in line:  # and the area is left nowhere else, so it is filled by then
        for d in _MOVES:
            other = cell[0] + d[0], cell[1] + d[1]
            if other in area.outside and frozenset((cell, other)) not in known:
                for step in ((cell, other), (other, cell)):
                    if needs.get(other, FREE) & FREE:
                        more = {**needs, other: FREE}
                        facts = [("passes", *step)]
                        yield _drawing(more, [area], moves, turns, facts)


# What stands on the left of a cell of the walk: needs, areas, the cell that is not the
# end, the step that is forced, and the steps by which the walk comes to the next cell
# that is looked from. An obstacle's border has one cell, the door of its area.
_DOOR = [(1, 1)]
_MID = {(1, 1): FREE, (1, 2): VISITED, (0, 1): FREE, (0, 2): FREE}
_ACROSS = {(1, 1): FREE, (1, 2): FREE, (2, 1): FREE, (2, 2): VISITED}
_LEFTS: tuple[
    tuple[Needs, list[AreaSpec], list[Offset], Offset, list[tuple[Offset, Offset]]], ...
] = (
    (_MID, [area_behind(_DOOR, (1, 2))], [], _LEFT, [((1, 1), (0, 1))]),
    (
        _ACROSS,
        [area_behind(_DOOR, (2, 2))],
        [],
        _LEFT,
        [((1, 1), (0, 1)), ((1, 1), (1, 2))],
    ),
    (
        {(0, 1): FREE, (0, 2): TAKEN, (1, 1): TAKEN},
        [],
        [_AHEAD],
        _AHEAD,
        [((0, 1), (-1, 1))],
    ),
    (
        {(1, 0): FREE, (2, 0): TAKEN, (1, -1): TAKEN},
        [],
        [_LEFT],
        _LEFT,
        [((1, 0), (1, 1))],
    ),
)


def _steps() -> Iterator[Drawing]:
    """Take another way than the forced one, at a cell of the walk or up to the next.

    Where the walk came from the right, the step back may lead into an obstacle's area.
    """
    for needs, areas, not_end, move, ways in _LEFTS:
        free = needs | dict.fromkeys((b for _, b in ways), FREE)
        lacking = [("lacks", *way) for way in ways]
        for turn in _CAME:
            inward = [move, _BEHIND] if areas and turn is Turn.CW else [move]
            others = [x for x in _MOVES if x not in inward]
            yield _drawing(needs, areas, others, [turn], not_end=not_end)
            yield _drawing(free, areas, inward, [turn], lacking, not_end)
        if len(ways) == 2:  # an area that is passed at its door is not filled
            for (door, one), (_, two) in (ways, ways[::-1]):
                passing = [("passes", one, door), ("passes", door, two)]
                yield _drawing(free, areas, _MOVES, _CAME, passing)


def _mirrored(at: Offset) -> Offset:
    return -at[0], at[1]


def _ends() -> Iterator[Drawing]:
    """Go on between an obstacle on the right and what stands on the left."""
    for (needs, areas, not_end, *_), (more, wall) in product(
        _LEFTS, ((_MID, (1, 2)), (_ACROSS, (2, 2)))
    ):
        right = {_mirrored(at): states for at, states in more.items()}
        both = {at: needs.get(at, states) & states for at, states in right.items()}
        if not all(both.values()):
            continue
        area = area_behind([(-1, 1)], _mirrored(wall), "right")
        yield _drawing(needs | both, [*areas, area], _MOVES, _CAME, not_end=not_end)


def _sequence() -> Iterator[Drawing]:
    for number, over in ((1, False), (1, True), (2, False), (3, False)):
        yield from _start(number, over)
    yield from _steps()
    yield from _ends()


def drawings_of(name: str, most: int = UP_TO) -> tuple[Drawing, ...]:
    """Return the drawings that a procedure stands for; none if it has none.

    Corners up to `most` cells away are drawn, stairs a third as far.
    """
    if name.startswith("sa-corner-discovery"):
        return tuple(_corners(most, name.endswith("07")))
    if name == "down-stair-scan":
        return tuple(_stairs(most))
    if name == "end-obstacle-corners":
        return tuple(_second_corners(most))
    return tuple(_sequence()) if name == "sequence-recursion" else ()


def procedure(name: str, most: int = UP_TO) -> RuleSpec | None:
    """Return a procedure of the book as a proof or a case speaks of it.

    None if it is none, or a theorem about whole boards. Of one that stands for no
    drawings only a case can decide.
    """
    from heuristic.procedures.forcedwalk import NextStepRule
    from heuristic.procedures.kernelrule import RULES  # these load numba

    known = {one.name: one for one in RULES}.get(name)
    claim, origin = NextStepRule.claim, NextStepRule.origin
    if known is not None:
        claim, origin = known.claim, known.origin
    elif name != NextStepRule.name:
        return None
    what = f", corners up to {most} cells away"
    if name == "sequence-recursion":
        what = ", along a forced walk of any length, step by step"
    elif name == "down-stair-scan":
        what = f", stairs down to {most // 3} cells to the left"
    return RuleSpec(
        *(name, claim, origin),
        reason=known.reason if known else "after it the rules leave no move",
        drawings=drawings_of(name, most),
        note=what,
        kind="procedure",
    )
