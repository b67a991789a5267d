"""The sequence as drawings: what a proof of this procedure speaks of.

`sequence-recursion` follows a forced walk to any length. That is proved step by step,
by induction along the walk:

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
from itertools import product

from heuristic.rule import Rule
from heuristic.rules.drawing import (
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Fact,
    Kind,
    RuleSpec,
    Spot,
    area_behind,
    needs_of,
)
from solver.symmetry import Symmetry

SEQUENCE = "sequence-recursion"
FREE, VISITED = CellState.FREE, CellState.VISITED

# The walk comes to a cell of a forced walk from behind, or from the right.
_CAME = (Symmetry.IDENTITY, Symmetry.ROTATE_RIGHT)
_AHEAD, _LEFT, _BEHIND, _RIGHT = (-1, 0), (0, -1), (1, 0), (0, 1)
_MOVES = (_AHEAD, _LEFT, _BEHIND, _RIGHT)

Needs = dict[Spot, CellState]


def _drawing(
    needs: Needs,
    areas: Iterable[AreaSpec],
    forbidden: Iterable[Spot],
    turns: Iterable[Symmetry],
    facts: Iterable[Fact] = (),
    not_end: Container[Spot] = (),
) -> Drawing:
    return Drawing(
        needs=needs_of(needs, not_end),
        areas=tuple(areas),
        forbidden=tuple(forbidden),
        turns=tuple(turns),
        facts=tuple(facts),
    )


def _start(number: int, over: bool) -> Iterator[Drawing]:
    """Yield drawings in which the first area is left at a wrong cell.

    With `over` the wall lies beyond the cell ahead of the line.

    Starts 1 and 2 have the border straight ahead, start 3 one column to the left.
    """
    if number == 3:
        line, moves, free = [(-1, -1), (-2, -1)], [_AHEAD], [(-1, 0), (-2, 0), (-3, 0)]
        steps = [((-1, 0), (-1, -1)), ((-2, -1), (-2, 0))]
        turns = [Symmetry.IDENTITY, Symmetry.ROTATE_LEFT, Symmetry.ROTATE_RIGHT]
    else:
        line = [(-k, 0) for k in range(1, 5 - number)]
        moves, steps = [_AHEAD, _LEFT], [((-2, 0), (-2, 1))]
        free = [(-2, 1), (-3, 1), *([(-1, -1), (-3, -1)] if number == 1 else [])]
        turns = [Symmetry.IDENTITY, Symmetry.ROTATE_LEFT]
    end = line[-1]
    wall = (end[0] - 1, end[1])
    needs: Needs = dict.fromkeys([*line, *free], FREE)
    if over:
        needs[wall] = FREE
        wall = (-4, 1)
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
_DOOR = [(-1, -1)]
_MID = {(-1, -1): FREE, (-2, -1): VISITED, (-1, 0): FREE, (-2, 0): FREE}
_ACROSS = {(-1, -1): FREE, (-2, -1): FREE, (-1, -2): FREE, (-2, -2): VISITED}
_LEFTS: tuple[
    tuple[Needs, list[AreaSpec], list[Spot], Spot, list[tuple[Spot, Spot]]], ...
] = (
    (_MID, [area_behind(_DOOR, (-2, -1))], [], _LEFT, [((-1, -1), (-1, 0))]),
    (
        _ACROSS,
        [area_behind(_DOOR, (-2, -2))],
        [],
        _LEFT,
        [((-1, -1), (-1, 0)), ((-1, -1), (-2, -1))],
    ),
    (
        {(-1, 0): FREE, (-2, 0): TAKEN, (-1, -1): TAKEN},
        [],
        [_AHEAD],
        _AHEAD,
        [((-1, 0), (-1, 1))],
    ),
    (
        {(0, -1): FREE, (0, -2): TAKEN, (1, -1): TAKEN},
        [],
        [_LEFT],
        _LEFT,
        [((0, -1), (-1, -1))],
    ),
)


def _steps() -> Iterator[Drawing]:
    """Yield drawings in which another way than the forced one is taken.

    Where the walk came from the right, the step back may lead into an obstacle's area.
    """
    for needs, areas, not_end, move, ways in _LEFTS:
        free = needs | dict.fromkeys((b for _, b in ways), FREE)
        lacking = [("lacks", *way) for way in ways]
        for turn in _CAME:
            from_right = turn is Symmetry.ROTATE_RIGHT
            inward = [move, _BEHIND] if areas and from_right else [move]
            others = [x for x in _MOVES if x not in inward]
            yield _drawing(needs, areas, others, [turn], not_end=not_end)
            yield _drawing(free, areas, inward, [turn], lacking, not_end)
        if len(ways) == 2:  # an area that is passed at its door is not filled
            for (door, one), (_, two) in (ways, ways[::-1]):
                passing = [("passes", one, door), ("passes", door, two)]
                yield _drawing(free, areas, _MOVES, _CAME, passing)


def _mirrored(at: Spot) -> Spot:
    return at[0], -at[1]


def _ends() -> Iterator[Drawing]:
    """Yield drawings in which the walk has an obstacle on either side."""
    for (needs, areas, not_end, *_), (more, wall) in product(
        _LEFTS, ((_MID, (-2, -1)), (_ACROSS, (-2, -2)))
    ):
        right = {_mirrored(at): states for at, states in more.items()}
        both = {at: needs.get(at, states) & states for at, states in right.items()}
        if not all(both.values()):
            continue
        area = area_behind([(-1, 1)], _mirrored(wall), "right")
        yield _drawing(needs | both, [*areas, area], _MOVES, _CAME, not_end=not_end)


def as_procedure(rule: Rule) -> RuleSpec:
    """Return the procedure as what every completion would have to break."""
    starts = ((1, False), (1, True), (2, False), (3, False))
    drawings = [one for start in starts for one in _start(*start)]
    return RuleSpec(
        rule.name,
        rule.claim,
        rule.origin,
        "every step is forced until the walk has an obstacle on either side",
        (*drawings, *_steps(), *_ends()),
        note=", along a forced walk of any length, step by step",
        kind="procedure",
    )
