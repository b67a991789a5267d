"""Chains: the surpluses that an area can have, for borders of any length.

A border is marked cells in a row from the first, by the live end, to the last, by the
wall; each step goes ahead or to the left. Each cell of it is free and not the end, so
it has two edges of the completion. They go to the cells before and after it on the
border, through a *door* out of the area, or *inside*. The surplus is half of the doors
used at white cells less those used at black ones, the move's own door among them.

The completion visits the area in *pieces*, each from a door to a door, and all cells of
the area are visited. Cut the border between two cells. All that the rest must know is a
*state*: whether the edge between the two is used, and with what its piece began before
the cut; and what was seen of pieces till then: nothing, one that comes from inside and
goes back (``STRAY``), one that comes in by a door and goes on inside (``IN``). Without
a piece ``IN`` no stray piece is visited, and no cell inside that is known to be free.

A chain gives each state at each cut a *potential*, which is at least twice the surplus
that the border may have come to so far. No cell adds more than the potentials at its
two cuts allow; what is repeated adds no more than a number each time. So the bound
holds for all lengths. Each of these inequalities is looked at by itself.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from verify.checker.values import Fault

Offset = tuple[int, int]  # cells to the left, cells ahead
State = tuple[str, int]
Cut = dict[State, int]

NONE, DOOR, INSIDE = "none", "door", "inside"  # the edge, and how its piece began
NOTHING, STRAY, IN, ENTERED = range(4)  # what was seen; the last at the first cell only
STATES = tuple(product((NONE, DOOR, INSIDE), (NOTHING, STRAY, IN)))
STEPS = {"A": (0, 1), "L": (1, 0)}
ROUND = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@dataclass(frozen=True, slots=True)
class Border:
    """The two ends of a border; `wall` and `beside` lie so far from the last cell.

    `left` says on which side the area lies, walking from the live end to the wall.
    States are bits: 1 free, 2 visited, 4 outside the board.
    """

    first: Offset
    left: bool
    wall: Offset
    wall_states: int
    beside: tuple[tuple[Offset, int], ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps of a border, and what is claimed of it for one way to go on.

    - `words`: letters of the steps, and whether they come any number of times.
    - `behind`: the cell before the live end.
    - `bounds`: lowest and highest surplus, each a number and what each repeat adds to
      it; no completion goes on so if the lowest is larger than the highest.
    - `potentials`: for each bound, the cuts of the chain in order.
    """

    words: tuple[tuple[str, bool], ...]
    turn: str
    move: Offset
    behind: Offset
    bounds: tuple[tuple[int, ...], ...]
    potentials: tuple[tuple[Cut, ...], ...]


def judge(border: Border, chain: Chain) -> None:
    """Raise `Fault` unless the potentials prove the bounds."""
    if border.first == (0, 1) and chain.words[0][0][0] != "A":
        raise Fault("the second cell touches a neighbour of the live end")
    for sign, bound, cuts in zip((-1, 1), chain.bounds, chain.potentials, strict=True):
        _judge(border, chain, sign, [sign * x for x in bound], cuts)


def _judge(
    border: Border, chain: Chain, sign: int, most: list[int], cuts: tuple[Cut, ...]
) -> None:
    """Judge that `sign` times the surplus is `most` at most."""
    colour = -1 if sum(border.first) % 2 else 1  # of the cell in turn: 1 is black
    way = chain.move, chain.behind
    here = starts(border, *way, sign)
    come, number, repeats = "", 0, 0
    for letters, repeated in chain.words:
        before = here
        for letter in letters:
            sides = sides_of(border, *way, come, letter)
            known, gain = cuts[number], -sign * colour
            for state, total in here.items():
                for after, doors in beyond(state, sides, goes_on=True):
                    if after not in known or known[after] < total + gain * doors:
                        raise Fault(f"step {number + 1}: the potentials do not rise")
            here, come, colour, number = known, letter, -colour, number + 1
        if repeated:
            repeats += 1
            more = 2 * most[repeats]
            for state, total in here.items():
                if state not in before or before[state] + more < total:
                    raise Fault(f"step {number}: a repeat adds more than is allowed")
            here = before
    sides = sides_of(border, *way, come, "")
    for state, total in here.items():
        for after, doors in beyond(state, sides, goes_on=False):
            total_then = total - sign * colour * doors
            if visits_all(border, after) and total_then > 2 * most[0] + 1:
                raise Fault("the last cell: a surplus beyond the bounds is left")


@cache
def beyond(state: State, sides: str, *, goes_on: bool) -> tuple[tuple[State, int], ...]:
    """Return each state behind a cell, with the doors used at it.

    `sides` has a letter for each edge to a cell off the border that may be used: ``D``
    a door, ``I`` inside, ``T`` to the cell inside that the move enters, ``F`` the move
    itself, which is used. With the edges before and after the cell, two are used.
    """
    edge, seen = state
    found = []
    for choice in product((False, True), repeat=len(sides)):
        used = [side for side, taken in zip(sides, choice, strict=True) if taken]
        after = 2 - len(used) - (edge != NONE)
        if after not in (0, 1)[: 1 + goes_on] or ("F" in sides and "F" not in used):
            continue
        # the cell that the move enters has one more edge: to this cell, or on inside
        now = seen if seen != ENTERED else NOTHING if "T" in used else IN
        ends = [INSIDE if side == "I" else DOOR for side in used]
        ends += [edge] if edge != NONE else []
        doors = sum(side in "DF" for side in used)
        if after:
            then = ends[0], now
        elif ends[0] != ends[1]:
            then = NONE, IN
        else:
            then = NONE, max(now, STRAY) if ends[0] == INSIDE else now
        found.append((then, doors))
    return tuple(found)


def starts(border: Border, move: Offset, behind: Offset, sign: int) -> Cut:
    """Return the state before the first cell, with the door of the move, if it is one.

    It is one if the cell that the move enters is inside. A neighbour of the first cell
    is, if it lies on the area's side. The others are, if they lie on the area's side of
    walk and border, which shut the area off.
    """
    if move == border.first:
        return {(NONE, NOTHING): 0}
    door = sign  # white, for it touches the live end: a door there makes it larger
    if border.first == (1, 1) and move in ((1, 0), (0, 1)):
        if (move == (1, 0)) == border.left:
            return {(NONE, ENTERED): door}
        return {(NONE, NOTHING): 0}
    # from the first cell round to the cell behind, on the area's side
    at, turn = ROUND.index(border.first), 1 if border.left else -1
    facing = False
    while ROUND[at] != behind:
        at = (at + turn) % 8
        facing |= ROUND[at] == move
    return {(NONE, IN): door} if facing else {(NONE, NOTHING): 0}


def sides_of(border: Border, move: Offset, behind: Offset, come: str, go: str) -> str:
    """Return the letters of the edges off the border that a cell may use.

    `come` and `go` are the steps to the cell and from it, empty at the first and at the
    last. The cell below is left of a border that came by a step to the left, the cell
    to the right is right of one that came ahead. The cell to the left is left of one
    that goes on ahead, the cell ahead is right of one that goes on to the left.
    """
    inside, outside = ("I", "D") if border.left else ("D", "I")  # left, right
    if come:
        sides = inside if come == "L" else outside
    elif border.first == (0, 1):
        sides = outside + "F" * (move == border.first)
    else:
        sides = ""
        for at, side in (((1, 0), inside), ((0, 1), outside)):
            if at != behind:
                sides += "T" if at == move and side == "I" else side
    if go:
        return sides + (inside if go == "A" else outside)
    for at, side in (((1, 0), inside), ((0, 1), outside)):
        sides += side if at != border.wall else ""
    return sides


def visits_all(border: Border, state: State) -> bool:
    """Return whether all of the area may be visited, in a state behind the last cell.

    If no piece goes on inside, the border and the cell that the move enters are all.
    """
    free_inside = any(
        states == 1 and at != border.wall and at == ((1, 0) if border.left else (0, 1))
        for at, states in border.beside
    )
    return state[1] == IN or (state[1] == NOTHING and not free_inside)
