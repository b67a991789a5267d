"""How ends of future lines grow, and what lines mean: drawings without a live end.

An end of a line grows wherever it lies. So these drawings show the end and the cells
around it, and nothing of the live end: it may lie anywhere, and `LIVE` only stands for
it in what is granted of the next step. Each shows one thing that no completion does,
if the lines are right:

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

from collections.abc import Iterator
from itertools import product

from heuristic.rules.drawing import (
    LIVE_END,
    TAKEN,
    CellNeed,
    CellState,
    Drawing,
    Frame,
    Offset,
    Turn,
)

Fact = tuple[str, Offset, Offset]

END: Offset = (8, 8)  # of a line: far from where LIVE stands
_AHEAD, _LEFT, _BEHIND, _RIGHT = (0, 1), (1, 0), (0, -1), (-1, 0)
_AROUND = (_AHEAD, _LEFT, _BEHIND, _RIGHT)


def _to(at: Offset, *steps: Offset) -> Offset:
    return at[0] + sum(s[0] for s in steps), at[1] + sum(s[1] for s in steps)


def _beside(at: Offset, *but: Offset) -> list[Offset]:
    return [x for x in (_to(at, d) for d in _AROUND) if x not in but]


def _way(word: str, a: Offset, b: Offset, far: bool) -> Fact:
    """Say it of the step from a to b of a far end, or of that from b to a of a near."""
    return (word, a, b) if far else (word, b, a)


def _away(
    facts: list[Fact],
    taken: tuple[Offset, ...] = (),
    not_end: tuple[Offset, ...] = (),
    end: Offset | None = None,
) -> Drawing:
    """Draw the cells that facts speak of, and what is visited or outside."""
    free = {at for _, a, b in facts for at in (a, b)} - {LIVE_END}
    needs = dict.fromkeys(free, CellState.FREE) | dict.fromkeys(taken, TAKEN)
    return Drawing(
        text="",
        needs=tuple(
            CellNeed(at, states, at in not_end) for at, states in sorted(needs.items())
        ),
        areas=(),
        runs=(),
        forbidden=(_AHEAD,),
        frame=Frame.AWAY,
        turns=(Turn.NONE,),
        granted=tuple(facts),
        end=end,
    )


def _second(far: bool) -> Iterator[Drawing]:
    """Take every way from an end: other cells are taken, or the step there is none."""
    inner, *others = _beside(END)
    for shut in product((False, True), repeat=3):
        facts = [_way("passes", inner, END, far)]
        facts += [] if far else [("lacks", LIVE_END, END)]
        taken = [x for x, is_taken in zip(others, shut, strict=True) if is_taken]
        facts += [_way("lacks", END, x, far) for x in others if x not in taken]
        yield _away(facts, tuple(taken), (END,))


def _no_way(far: bool) -> Iterator[Drawing]:
    """Let a step from an end meet another in, or out, of the same cell."""
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
    """Let an end pass by a pocket with two ways left, of which the end is one."""
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
    """Let a line be walked into the end cell, or entered, before another way."""
    at = _to(END, _AHEAD)
    for other in (_LEFT, _BEHIND):
        way = _to(END, other)
        if far:
            yield _away([("passes", END, at), ("before", END, way)], end=at)
        else:
            facts = ("passes", LIVE_END, END), ("passes", END, at), ("before", way, END)
            yield _away([*facts])


def _follow() -> Iterator[Drawing]:
    """Leave a line that is walked on, or enter one behind its near end."""
    for due in _AROUND:
        others = tuple(x for x in _AROUND if x != due)
        yield Drawing(
            text="",
            needs=(CellNeed(due, CellState.FREE),),
            areas=(),
            runs=(),
            forbidden=others,
            turns=(Turn.NONE,),
            granted=(("passes", LIVE_END, due),),
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
