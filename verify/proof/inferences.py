"""Rules that infer future lines as drawings: what a proof of an inference speaks of.

An inference says: every completion passes from this cell to that one. So a drawing
denies it: it shows the cells around, *grants* that the completion lacks the step, and
forbids every move; if it is proved, no completion lacks the step. Of lines that are
known already only what is needed is granted: the step by which the near end is left,
for instance.

Cells are those of the records: around the cell before the live end, or around the live
end. The records' drawings say nothing of where the live end lies
from there, so there is a drawing for each place that the kernel allows.

An end of a line grows wherever it lies. So some drawings (`ENDS`) show the end and the
cells around it, and nothing of the live end: it may lie anywhere, and `LIVE` only
stands for it in what is granted of the next step. Each shows one thing that no
completion does, if the lines are right:

* an end has a second edge (`_second`): else it has no way, and the position is dead. So
  a step that is the only one left is taken, and two lines are joined by it;
* which steps are none (`_no_way`): into a cell with another step in or out already,
  from the line's own far end to its near end, from a near end out of the end cell;
* a pocket beside an end that is shut on two sides is taken (`_pocket`), so the end
  takes no other way;
* a line that is tied to the live end does not run into the end cell while there is
  another way, and one that runs into the end cell is not entered while there is another
  way (`_early`);
* a line is entered at its near end, and walked on (`_follow`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product

from heuristic.rules.drawing import (
    DEAD_END,
    LIVE_END,
    TAKEN,
    CellNeed,
    CellState,
    Drawing,
    Fact,
    Frame,
    RuleSpec,
    Spot,
    needs_of,
)
from solver.symmetry import Symmetry

END: Spot = (-8, -8)  # of a line: far from where LIVE stands
_AHEAD, _LEFT, _BEHIND, _RIGHT = (-1, 0), (0, -1), (1, 0), (0, 1)
_AROUND = (_AHEAD, _LEFT, _BEHIND, _RIGHT)


def _to(at: Spot, *steps: Spot) -> Spot:
    return at[0] + sum(s[0] for s in steps), at[1] + sum(s[1] for s in steps)


def _beside(at: Spot, *but: Spot) -> list[Spot]:
    return [x for x in (_to(at, d) for d in _AROUND) if x not in but]


def _way(word: str, a: Spot, b: Spot, far: bool) -> Fact:
    """Return a fact of the step from a to b of a far end, or from b to a of a near."""
    return (word, a, b) if far else (word, b, a)


def _away(
    facts: list[Fact],
    taken: tuple[Spot, ...] = (),
    not_end: tuple[Spot, ...] = (),
    end: Spot | None = None,
) -> Drawing:
    """Return a drawing of the cells that facts speak of, and of taken ones."""
    free = {at for _, a, b in facts for at in (a, b)} - {LIVE_END}
    needs = dict.fromkeys(free, CellState.FREE) | dict.fromkeys(taken, TAKEN)
    return Drawing(
        needs=needs_of(needs, not_end),
        forbidden=(_AHEAD,),
        frame=Frame.AWAY,
        turns=(Symmetry.IDENTITY,),
        facts=tuple(facts),
        end=end,
    )


def _second(far: bool) -> Iterator[Drawing]:
    """Yield drawings in which a line end has no legal continuation."""
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
    for known in _beside(other, END):
        yield _away([step, _way("passes", known, other, far)])
    if far:  # the line that is walked on; and the far end of a line before its near end
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
    """Yield drawings in which a line is entered, or walked to the end, too early."""
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
        others = tuple(x for x in _AROUND if x != due)
        yield Drawing(
            needs=(CellNeed(due, CellState.FREE),),
            forbidden=others,
            turns=(Symmetry.IDENTITY,),
            facts=(("passes", LIVE_END, due),),
        )
    for before in _beside(END):
        yield _away([("passes", before, END), ("passes", LIVE_END, END)])


def _sides(*far: bool) -> list[Drawing]:
    kinds = (_second, _no_way, _pocket, _early)
    return [one for way in far for kind in kinds for one in kind(way)]


ENDS: dict[str, tuple[Drawing, ...]] = {
    "future-step-on": tuple(_sides(True)),
    "future-far-end-corner": tuple(_sides(True)),
    "future-connect": tuple(_sides(True, False)),
    "future-dead-end": tuple(_sides(True, False)),
    "future-follow": tuple(_follow()),
}


Step = tuple[Spot, Spot]
Place = tuple[Spot, ...]  # cells of the walk, the live end first

FREE = CellState.FREE
# Where the live end, the cell before it and the one before that lie: in the frame of
# the step to the previous cell, or of this step turned clockwise; around the live end
# in that of the last step, or of this turned.
PREVIOUS: tuple[Place, ...] = (
    ((-1, 0), (0, 0), (1, 0)),
    ((0, 1), (0, 0), (1, 0)),
    ((-1, 0), (0, 0), (0, 1)),
    ((1, 0), (0, 0), (0, 1)),
)
HERE: tuple[Place, ...] = (((0, 0), (1, 0)), ((0, 0), (0, 1)))
_MOVES = ((-1, 0), (0, -1), (0, 1))


@dataclass(frozen=True, slots=True)
class Pocket:
    """Cells around a line that is begun or grows, and the steps that are inferred.

    - `steps`, tuple of steps: what every completion passes.
    - `known`, tuple of (word, offset, offset): what is granted of the lines known
      before.
    - `end`: the end cell; no other free cell named is the end.
    """

    free: tuple[Spot, ...]
    taken: tuple[Spot, ...]
    steps: tuple[Step, ...]
    known: tuple[tuple[str, Spot, Spot], ...] = ()
    end: Spot | None = None


def _row(size: int) -> Pocket:
    """Return so many cells beside the walk, shut behind and at the far side."""
    cells = [(0, -i) for i in range(1, size + 1)]
    way = [(-1, -1), *cells, (-1, -size)]
    below = [(1, -i) for i in range(1, size + 1)]
    return Pocket(tuple(way), (*below, (0, -size - 1)), tuple(pairwise(way)))


def _step_away() -> Iterator[Pocket]:
    """Yield a near end beside the previous cell, with two of its sides shut."""
    near, side = (0, -1), (-1, -1)
    for inner, other in (((0, -2), (1, -1)), ((1, -1), (0, -2))):
        step, line = ((side, near),), ("passes", near, inner)
        yield Pocket((near, side, inner), (other,), step, (line,))
        for beyond in _beside(other, near, (0, 0)):
            cells = tuple(dict.fromkeys((near, side, inner, other, beyond)))
            inside = ("passes", other, beyond)
            yield Pocket(cells, (), step, (line, inside))
            if beyond != side:
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
    """Yield a line that runs to the end cell, beside the live end.

    The cell ahead is not in the line, so it comes before all of it.
    """
    near, side, inner = (0, -1), (-1, -1), (1, -1)
    known = ("passes", near, inner), ("before", side, near)
    yield Pocket((near, side, inner), ((0, -2),), ((side, near),), known)


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


DENYING = (*POCKETS, *ENDS)  # all that a proof can speak of


def as_rule(record: RuleSpec) -> RuleSpec:
    """Return the rule whose proof proves a rule of lines: all that its drawings deny.

    Raises `KeyError` if it is none of `DENYING`.
    """
    drawings = list(ENDS.get(record.name, ()))
    if record.name in POCKETS:
        places, pockets = POCKETS[record.name]
        steps = [(pocket, step) for pocket in pockets for step in pocket.steps]
        drawings += _drawings(places, steps)
    if record.name == DEAD_END:
        for name in ("future-1x2", "future-1x3", "future-step-away", "future-2-side"):
            places, pockets = POCKETS[name]
            dead = [(x, None) for pocket in pockets for x in _dead(pocket)]
            drawings += _drawings(places, dead)
    about = record.name, record.claim, record.origin, record.reason
    return RuleSpec(*about, tuple(dict.fromkeys(drawings)))


def _drawings(
    places: tuple[Place, ...], shown: Sequence[tuple[Pocket, Step | None]]
) -> Iterator[Drawing]:
    """Yield pockets in each place, but where the walk lies on a free cell of theirs."""
    for (pocket, denied), place in product(shown, places):
        if {*place}.isdisjoint(pocket.free):
            yield _drawing(pocket, place, denied)


def _dead(pocket: Pocket) -> Iterator[Pocket]:
    """Yield pockets whose outer cell, which a line needs, is shut or the end cell."""
    known = {at for _, a, b in pocket.known for at in (a, b)}
    for outer in {pocket.steps[0][0], pocket.steps[-1][0], pocket.steps[-1][1]} - known:
        ways = [step for step in pocket.steps if outer in step]
        if len(ways) == 1:
            free = tuple(at for at in pocket.free if at != outer)
            yield replace(pocket, free=free, taken=(*pocket.taken, outer))
            if pocket.known:
                yield replace(pocket, end=outer)


def _drawing(pocket: Pocket, walk: Place, denied: Step | None) -> Drawing:
    """Return the page: the live end in the middle, its last step up the page."""
    live, before = walk[:2]
    up = live[0] - before[0], live[1] - before[1]

    def laid(at: Spot) -> Spot:
        row, col = at[0] - live[0], at[1] - live[1]
        return -row * up[0] - col * up[1], row * up[1] - col * up[0]

    needs = {laid(at): CellState.VISITED for at in walk}
    needs |= {laid(at): TAKEN for at in pocket.taken if at not in walk}
    needs |= {laid(at): FREE for at in pocket.free}
    del needs[LIVE_END]
    moves = [move for move in _MOVES if needs.get(move, FREE) & FREE]
    end = None if pocket.end is None else laid(pocket.end)
    facts = (*pocket.known, *([("lacks", *denied)] if denied else []))
    return Drawing(
        needs=needs_of(needs, [x for x in needs if needs[x] == FREE and x != end]),
        forbidden=tuple(moves),
        turns=(Symmetry.IDENTITY,),
        facts=tuple((word, laid(a), laid(b)) for word, a, b in facts),
        end=end,
    )
