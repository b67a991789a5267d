"""Inferences of future lines and the sequence, as drawings that a proof speaks of.

An inference says that every completion passes a step. Each of its drawings denies that:
it shows the cells around, *grants* that the completion lacks the step, and forbids
every move. If it is proved, no completion lacks the step. Of earlier lines it grants
only what it needs, for example the step by which a line leaves its near end.

Some inferences (`POCKETS`) speak of cells around the live end or the cell before it,
with a drawing for each place of the live end that the kernel allows. Others (`ENDS`)
speak of the end of a line, wherever the live end is. Their drawings show that

* an end has a second edge (`_second`), so the only step that is left is taken, and two
  lines can be joined by it;
* some steps are impossible (`_no_way`): into a cell that another step enters, from a
  line's far end to its own near end, from a near end out of the end cell;
* a pocket next to an end that is shut on two sides is taken (`_pocket`);
* a line that is tied to the live end does not run into the end cell while there is
  another way, and a line that runs into the end cell is not entered while there is
  another way (`_early`);
* a line is entered at its near end, and followed (`_follow`).

The procedure `sequence-recursion` follows a forced walk of any length. It is proved by
induction along the walk:

* an area at the live end with as many white as black cells, entered now, is left only
  at the cell from which the walk is followed (`_start`);
* at each cell of the walk, a C-shape or an obstacle on the left leaves one way to the
  next cell (`_steps`);
* with an obstacle on the right as well, there is no way (`_both_sides`).

There the cell before the live end lies behind it, or on the right where the walk comes
out of an area.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product

from heuristic.rule import Rule
from heuristic.rules.drawing import (
    DEAD_END,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Fact,
    Frame,
    Kind,
    RuleSpec,
    Spot,
    area_behind,
    needs_of,
)
from solver.board import Symmetry

FREE, VISITED = CellState.FREE, CellState.VISITED
END: Spot = (-8, -8)  # of a line: far from the live end
_AHEAD, _LEFT, _BEHIND, _RIGHT = (-1, 0), (0, -1), (1, 0), (0, 1)
_AROUND = (_AHEAD, _LEFT, _BEHIND, _RIGHT)

Needs = dict[Spot, CellState]
Step = tuple[Spot, Spot]
Place = tuple[Spot, ...]  # cells of the walk, the live end first


def _to(at: Spot, *steps: Spot) -> Spot:
    return at[0] + sum(s[0] for s in steps), at[1] + sum(s[1] for s in steps)


def _beside(at: Spot, *but: Spot) -> list[Spot]:
    return [x for x in (_to(at, d) for d in _AROUND) if x not in but]


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


# Ends of lines, wherever the live end is ----------------------------------------------


def _way(word: str, a: Spot, b: Spot, far: bool) -> Fact:
    """Return a fact of the step from a to b, or from b to a at a near end."""
    return (word, a, b) if far else (word, b, a)


def _away(
    facts: list[Fact],
    taken: tuple[Spot, ...] = (),
    not_end: tuple[Spot, ...] = (),
    end: Spot | None = None,
) -> Drawing:
    """Return a drawing of the cells that facts name, and of taken cells."""
    free = {at for _, a, b in facts for at in (a, b)} - {LIVE_END}
    needs = dict.fromkeys(free, FREE) | dict.fromkeys(taken, TAKEN)
    return Drawing(
        needs=needs_of(needs, not_end),
        forbidden=(_AHEAD,),
        frame=Frame.AWAY,
        turns=(Symmetry.IDENTITY,),
        facts=tuple(facts),
        end=end,
    )


def _second(far: bool) -> Iterator[Drawing]:
    """Yield drawings in which a line end has no second edge."""
    inner, *others = _beside(END)
    for shut in product((False, True), repeat=3):
        facts = [_way("passes", inner, END, far)]
        facts += [] if far else [("lacks", LIVE_END, END)]
        taken = [x for x, is_taken in zip(others, shut, strict=True) if is_taken]
        facts += [_way("lacks", END, x, far) for x in others if x not in taken]
        yield _away(facts, tuple(taken), (END,))


def _no_way(far: bool) -> Iterator[Drawing]:
    """Yield drawings in which two steps lead into one cell, or out of it."""
    other = _to(END, _AHEAD)
    step = _way("passes", END, other, far)
    for second in _beside(other, END):
        yield _away([step, _way("passes", second, other, far)])
    if far:  # the line of the live end; and the far end of a line before its near end
        yield _away([step, ("passes", LIVE_END, other)])
        yield _away([step, ("before", other, END)])
    else:
        yield _away([step], end=other)


def _pocket(far: bool) -> Iterator[Drawing]:
    """Yield drawings in which an end passes a pocket that has one other way left."""
    inner = _to(END, _BEHIND)
    for to, sides, nexts in (
        (_LEFT, (_LEFT, _BEHIND), (_AHEAD, _RIGHT)),
        (_AHEAD, (_AHEAD, _LEFT), (_LEFT, _RIGHT)),
    ):
        pocket = _to(END, to)
        for step, *shut in product(nexts, (False, True), (False, True)):
            facts = [
                _way("passes", inner, END, far),
                _way("passes", END, _to(END, step), far),
                ("lacks", LIVE_END, pocket),
            ]
            taken = []
            for side, is_taken in zip(sides, shut, strict=True):
                at = _to(pocket, side)
                if is_taken:
                    taken.append(at)
                else:
                    facts += [("lacks", pocket, at), ("lacks", at, pocket)]
            yield _away(facts, tuple(taken), (pocket,))


def _early(far: bool) -> Iterator[Drawing]:
    """Yield drawings in which a line is entered, or runs into the end, too early."""
    at = _to(END, _AHEAD)
    for other in (_LEFT, _BEHIND):
        way = _to(END, other)
        if far:
            yield _away([("passes", END, at), ("before", END, way)], end=at)
        else:
            facts = ("passes", LIVE_END, END), ("passes", END, at), ("before", way, END)
            yield _away([*facts])


def _follow() -> Iterator[Drawing]:
    """Yield drawings in which a line is left, or entered behind its near end."""
    for due in _AROUND:
        others, fact = [x for x in _AROUND if x != due], ("passes", LIVE_END, due)
        yield _drawing({due: FREE}, [], others, [Symmetry.IDENTITY], [fact])
    for before in _beside(END):
        yield _away([("passes", before, END), ("passes", LIVE_END, END)])


def _of_ends(*far: bool) -> tuple[Drawing, ...]:
    kinds = (_second, _no_way, _pocket, _early)
    return tuple(drawing for way in far for kind in kinds for drawing in kind(way))


ENDS: dict[str, tuple[Drawing, ...]] = {
    "future-step-on": _of_ends(True),
    "future-far-end-corner": _of_ends(True),
    "future-connect": _of_ends(True, False),
    "future-dead-end": _of_ends(True, False),
    "future-follow": tuple(_follow()),
}


# Cells around the live end ------------------------------------------------------------

# The live end, the cell before it and the one before that: in the frame of the step to
# the previous cell, or of this step turned clockwise. The same around the live end, in
# the frame of the last step.
PREVIOUS: tuple[Place, ...] = (
    ((-1, 0), (0, 0), (1, 0)),
    ((0, 1), (0, 0), (1, 0)),
    ((-1, 0), (0, 0), (0, 1)),
    ((1, 0), (0, 0), (0, 1)),
)
HERE: tuple[Place, ...] = (((0, 0), (1, 0)), ((0, 0), (0, 1)))


@dataclass(frozen=True, slots=True)
class Pocket:
    """Cells around a line that begins or grows, and the steps that are inferred.

    - `steps`: those that every completion passes.
    - `facts`: granted of earlier lines.
    - `end`: the end cell; no other free cell is the end.
    """

    free: tuple[Spot, ...]
    taken: tuple[Spot, ...]
    steps: tuple[Step, ...]
    facts: tuple[Fact, ...] = ()
    end: Spot | None = None


def _row(size: int) -> Pocket:
    """Return cells in a row next to the walk, shut behind and at the far side."""
    cells = [(0, -i) for i in range(1, size + 1)]
    way = [(-1, -1), *cells, (-1, -size)]
    below = [(1, -i) for i in range(1, size + 1)]
    return Pocket(tuple(way), (*below, (0, -size - 1)), tuple(pairwise(way)))


def _step_away() -> Iterator[Pocket]:
    """Yield a near end next to the previous cell, with two of its sides shut."""
    near, side = (0, -1), (-1, -1)
    for inner, other in (((0, -2), (1, -1)), ((1, -1), (0, -2))):
        step, line = ((side, near),), ("passes", near, inner)
        yield Pocket((near, side, inner), (other,), step, (line,))
        for beyond in _beside(other, near, (0, 0)):
            cells = tuple(dict.fromkeys((near, side, inner, other, beyond)))
            inside = ("passes", other, beyond)
            yield Pocket(cells, (), step, (line, inside))
            far = ("passes", beyond, other), ("before", near, other)
            yield Pocket(cells, (), step, (line, *far))


def _two_side() -> Iterator[Pocket]:
    """Yield a cell between the previous cell and a near end, with two ways left."""
    between, near, side, behind = (0, -1), (0, -2), (-1, -1), (1, -1)
    steps = (between, near), (side, between)
    for inner in ((0, -3), (-1, -2), (1, -2)):
        line = ("passes", near, inner)
        yield Pocket((between, near, side, inner), (behind,), steps, (line,))
        for a, b in permutations(_beside(behind, between), 2):
            inside = ("passes", a, behind), ("passes", behind, b)
            cells = dict.fromkeys((between, near, side, inner, behind, a, b))
            yield Pocket(tuple(cells), (), steps, (line, *inside))


def _thin() -> Iterator[Pocket]:
    """Yield a line to the end cell, next to the live end, after the cell ahead."""
    near, side, inner = (0, -1), (-1, -1), (1, -1)
    facts = ("passes", near, inner), ("before", side, near)
    yield Pocket((near, side, inner), ((0, -2),), ((side, near),), facts)


def _corner_pass() -> Iterator[Pocket]:
    """Yield the end cell with one free neighbour, the cell on the left."""
    cell, entry, last = (0, -1), (-1, -1), (1, -1)
    shut = ((0, -2), (1, 0), (1, -2), (2, -1))
    yield Pocket((cell, entry, last), shut, ((entry, cell),), end=last)


POCKETS: dict[str, tuple[tuple[Place, ...], tuple[Pocket, ...]]] = {
    "future-1x2": (PREVIOUS, (_row(2),)),
    "future-1x3": (PREVIOUS, (_row(3),)),
    "future-step-away": (PREVIOUS, tuple(_step_away())),
    "future-2-side": (PREVIOUS, tuple(_two_side())),
    "future-1-thin": (HERE, tuple(_thin())),
    "future-corner-pass": (HERE[:1], tuple(_corner_pass())),
}


def inference_form(record: RuleSpec) -> RuleSpec | None:
    """Return the rule whose proof proves an inference, or None."""
    if record.name not in (*POCKETS, *ENDS):
        return None
    drawings = list(ENDS.get(record.name, ()))
    if record.name in POCKETS:
        places, pockets = POCKETS[record.name]
        drawings += _laid(places, [(x, step) for x in pockets for step in x.steps])
    if record.name == DEAD_END:
        for name in ("future-1x2", "future-1x3", "future-step-away", "future-2-side"):
            places, pockets = POCKETS[name]
            drawings += _laid(places, [(x, None) for y in pockets for x in _dead(y)])
    about = record.name, record.claim, record.origin, record.reason
    return RuleSpec(*about, tuple(dict.fromkeys(drawings)))


def _laid(
    places: tuple[Place, ...], shown: Sequence[tuple[Pocket, Step | None]]
) -> Iterator[Drawing]:
    """Yield pockets in each place where the walk is not on their free cells."""
    for (pocket, denied), place in product(shown, places):
        if {*place}.isdisjoint(pocket.free):
            yield _page(pocket, place, denied)


def _dead(pocket: Pocket) -> Iterator[Pocket]:
    """Yield pockets whose outer cell, which a line needs, is shut or the end cell."""
    named = {at for _, a, b in pocket.facts for at in (a, b)}
    for outer in {pocket.steps[0][0], pocket.steps[-1][0], pocket.steps[-1][1]} - named:
        ways = [step for step in pocket.steps if outer in step]
        if len(ways) == 1:
            free = tuple(at for at in pocket.free if at != outer)
            yield replace(pocket, free=free, taken=(*pocket.taken, outer))
            if pocket.facts:
                yield replace(pocket, end=outer)


def _page(pocket: Pocket, walk: Place, denied: Step | None) -> Drawing:
    """Return a pocket on a page, the live end in the middle and its last step up."""
    live, before = walk[:2]
    up = live[0] - before[0], live[1] - before[1]

    def laid(at: Spot) -> Spot:
        row, col = at[0] - live[0], at[1] - live[1]
        return -row * up[0] - col * up[1], row * up[1] - col * up[0]

    needs = {laid(at): VISITED for at in walk}
    needs |= {laid(at): TAKEN for at in pocket.taken if at not in walk}
    needs |= {laid(at): FREE for at in pocket.free}
    del needs[LIVE_END]
    moves = [move for move in (_AHEAD, _LEFT, _RIGHT) if needs.get(move, FREE) & FREE]
    end = None if pocket.end is None else laid(pocket.end)
    facts = (*pocket.facts, *([("lacks", *denied)] if denied else []))
    return Drawing(
        needs=needs_of(needs, [x for x in needs if needs[x] == FREE and x != end]),
        forbidden=tuple(moves),
        turns=(Symmetry.IDENTITY,),
        facts=tuple((word, laid(a), laid(b)) for word, a, b in facts),
        end=end,
    )


# The sequence -------------------------------------------------------------------------

SEQUENCE = "sequence-recursion"
# The walk comes to a cell of the forced walk from behind, or from the right.
_CAME = (Symmetry.IDENTITY, Symmetry.ROTATE_RIGHT)


def _start(number: int, over: bool) -> Iterator[Drawing]:
    """Yield drawings in which the first area is left at a wrong cell."""
    if number == 3:  # the border lies one column to the left, else straight ahead
        line, moves, free = [(-1, -1), (-2, -1)], [_AHEAD], [(-1, 0), (-2, 0), (-3, 0)]
        steps = [((-1, 0), (-1, -1)), ((-2, -1), (-2, 0))]
        turns = [Symmetry.IDENTITY, Symmetry.ROTATE_LEFT, Symmetry.ROTATE_RIGHT]
    else:
        line = [(-k, 0) for k in range(1, 5 - number)]
        moves, steps = [_AHEAD, _LEFT], [((-2, 0), (-2, 1))]
        free = [(-2, 1), (-3, 1), *([(-1, -1), (-3, -1)] if number == 1 else [])]
        turns = [Symmetry.IDENTITY, Symmetry.ROTATE_LEFT]
    wall = _to(line[-1], _AHEAD)
    needs: Needs = dict.fromkeys([*line, *free], FREE)
    if over:  # the wall lies beyond the cell ahead of the line
        needs[wall] = FREE
        wall = (-4, 1)
    needs[wall] = TAKEN
    area = area_behind(line, wall, kind=Kind.WITHIN, bounds=(0, 0))
    for step in steps:
        yield _drawing(needs, [area], moves, turns, [("lacks", *step)])
    right = {frozenset(step) for step in steps}
    for cell, other in ((cell, _to(cell, d)) for cell in line for d in _AROUND):
        if other in area.outside and frozenset((cell, other)) not in right:
            for step in ((cell, other), (other, cell)):
                if needs.get(other, FREE) & FREE:
                    more = {**needs, other: FREE}
                    yield _drawing(more, [area], moves, turns, [("passes", *step)])


# The left side of a cell of the forced walk: needs, areas, the cell that is not the
# end, the forced step, and the steps by which the walk comes to its next cell. The
# border of an obstacle is one cell, the door of its area.
_DOOR = [(-1, -1)]
_MID = {(-1, -1): FREE, (-2, -1): VISITED, (-1, 0): FREE, (-2, 0): FREE}
_ACROSS = {(-1, -1): FREE, (-2, -1): FREE, (-1, -2): FREE, (-2, -2): VISITED}
_LEFTS: tuple[tuple[Needs, list[AreaSpec], list[Spot], Spot, list[Step]], ...] = (
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
    """Yield drawings in which the walk does not take the forced way."""
    for needs, areas, not_end, move, ways in _LEFTS:
        free = needs | dict.fromkeys((b for _, b in ways), FREE)
        lacking = [("lacks", *way) for way in ways]
        for turn in _CAME:
            from_right = turn is Symmetry.ROTATE_RIGHT  # behind lies an obstacle's area
            inward = [move, _BEHIND] if areas and from_right else [move]
            others = [x for x in _AROUND if x not in inward]
            yield _drawing(needs, areas, others, [turn], not_end=not_end)
            yield _drawing(free, areas, inward, [turn], lacking, not_end)
        if len(ways) == 2:  # an area that is passed at its door is not filled
            for (door, first), (_, second) in (ways, ways[::-1]):
                passing = [("passes", first, door), ("passes", door, second)]
                yield _drawing(free, areas, _AROUND, _CAME, passing)


def _both_sides() -> Iterator[Drawing]:
    """Yield drawings in which the walk has an obstacle on either side."""

    def mirrored(at: Spot) -> Spot:
        return at[0], -at[1]

    for (needs, areas, not_end, *_), (more, wall) in product(
        _LEFTS, ((_MID, (-2, -1)), (_ACROSS, (-2, -2)))
    ):
        right = {mirrored(at): states for at, states in more.items()}
        both = {at: needs.get(at, states) & states for at, states in right.items()}
        if all(both.values()):
            area = area_behind([(-1, 1)], mirrored(wall), "right")
            walls = [*areas, area]
            yield _drawing(needs | both, walls, _AROUND, _CAME, not_end=not_end)


def sequence_form(rule: Rule) -> RuleSpec:
    """Return the sequence as drawings of what a completion would have to break."""
    starts = ((1, False), (1, True), (2, False), (3, False))
    drawings = [drawing for start in starts for drawing in _start(*start)]
    return RuleSpec(
        rule.name,
        rule.claim,
        rule.origin,
        "every step is forced until the walk has an obstacle on either side",
        (*drawings, *_steps(), *_both_sides()),
        note=", along a forced walk of any length, step by step",
        kind="procedure",
    )
