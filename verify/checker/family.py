"""Families of drawings whose border may be of any length: bounds for every distance.

A border is marked cells in a row from the first, by the live end, to the last, by the
wall; each step goes ahead (``A``) or to the left (``L``). The drawings of a family have
the same first cell, and the same needs around the last. A *chain* gives the steps of
some of them, as ``L(LLLL)LA``: the part in brackets comes any number of times, none
included. It has the surpluses, white cells less black, that their area can have.

Each cell of the border is free and not the end, so it has two edges of the completion.
They go to the cells before and after it on the border, through a *door* out of the
area, or *inside*. The surplus is half of the doors used at white cells less those used
at black ones, the move's own door among them. The completion visits the area in
*pieces*, each from a door to a door, and all cells of the area are visited.

Cut the border between two cells. All that the rest must know is a *state*. First,
whether the edge between the two is used, and with what its piece began before the cut.
Second, the pieces before the cut: none that counts, one from inside and back inside
(``STRAY``), one from a door to the inside (``IN``). Without a piece ``IN`` the
completion visits no stray piece, and no cell inside that the drawing shows free.

A chain gives each state at each cut a *potential*: at least twice the surplus that the
border up to there may come to. No cell adds more than the potentials at its two cuts
allow; what is repeated adds no more than a number each time. So the bound holds for all
lengths. Each of these inequalities is checked.
"""

import re
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Annotated, Any, Literal

from msgspec import Meta

from verify.checker.claim import (
    LIVE,
    NEAR,
    TURNS,
    Bound,
    Flaw,
    Record,
    Side,
    Spot,
    States,
    colour,
    directions_between,
    read_as,
    refuse,
)

State = tuple[str, int]
Cut = dict[State, int]

FORMAT = 3
NONE, DOOR, INSIDE = "none", "door", "inside"  # the edge, and how its piece began
NOTHING, STRAY, IN, ENTERED = range(4)  # pieces before; the last at the first cell only
STATES = tuple(product((NONE, DOOR, INSIDE), (NOTHING, STRAY, IN)))
STEPS = {"A": (-1, 0), "L": (0, -1)}
# By what the drawings of a family are: the words that may come any number of times.
# Each step of a repeat lengthens a run of equal steps, or of steps in turn.
REPEATS = {"border": ("AAAA",), "corner": ("AAAA", "LLLL", "LA")}
_BY_STATE = Meta(min_length=len(STATES), max_length=len(STATES))
_Cuts = tuple[Annotated[tuple[Bound | None, ...], _BY_STATE], ...]
_CHAIN = re.compile(r"[AL]+(?:\([AL]+\)[AL]*){0,2}")


class Border(Record, frozen=True):
    """The two ends of a border; `wall` and `beside` are offsets from the last cell."""

    first: Spot
    side: Side  # of the area, walking from the live end to the wall
    wall: Spot
    wall_states: States
    beside: tuple[tuple[Spot, States], ...]

    def __post_init__(self) -> None:
        why = "the first cell lies neither ahead nor left ahead"
        refuse(self.first not in ((-1, 0), (-1, -1)), why)
        why = "the wall does not lie on from the last cell"
        refuse(self.wall not in ((-1, 0), (0, -1), (-1, -1)), why)
        refuse(self.wall_states & 1, "the wall may be free")


class Chain(Record, frozen=True):
    """Steps of a border, with bounds for one way to continue.

    The lowest and the highest surplus are each a number, and what each repeat adds to
    it. If the lowest is larger than the highest, no completion continues so.
    """

    steps: Annotated[str, Meta(max_length=60)]
    turn: Literal["NONE", "CW", "CCW"]
    move: Spot
    bounds: tuple[tuple[Bound, ...], tuple[Bound, ...]]
    potentials: tuple[_Cuts, _Cuts]  # for each bound, by cut and state

    @cached_property
    def words(self) -> tuple[tuple[str, bool], ...]:
        """Letters of the steps, and whether they come any number of times."""
        words = re.findall(r"\([AL]+\)|[AL]+", self.steps)
        return tuple((word.strip("()"), word[0] == "(") for word in words)

    def __post_init__(self) -> None:
        steps = _CHAIN.fullmatch(self.steps)
        refuse(not steps, f"{self.steps!r} is not the steps of a chain")
        good = self.move in NEAR and self.move != TURNS[self.turn]
        refuse(not good, "the move of a chain touches no live end, or leads back")
        numbers = 1 + sum(repeated for _, repeated in self.words)
        good = {*map(len, self.bounds)} == {numbers}
        refuse(not good, "a bound has not a number for each repeat")
        cuts = sum(len(letters) for letters, _ in self.words)
        good = {*map(len, self.potentials)} == {cuts}
        refuse(not good, "there are not potentials for each cut")
        for (before, _), (word, repeated) in pairwise(self.words):
            wrong = repeated and before[-1] != word[-1]
            why = f"{self.steps}: {word!r} ends with another step than comes before"
            refuse(wrong, why)


class Family(Record, frozen=True):
    """A whole file: the border's ends, and chains for each way to continue."""

    family_format: Literal[3]
    name: str
    members: Literal["border", "corner"]
    border: Border
    chains: Annotated[tuple[Chain, ...], Meta(min_length=1, max_length=1000)]

    def __post_init__(self) -> None:
        for chain in self.chains:
            for word, repeated in chain.words:
                strange = repeated and word not in REPEATS[self.members]
                refuse(strange, f"{chain.steps}: no drawing repeats {word!r}")

    @property
    def scope(self) -> Literal["PLAIN", "RIM"]:
        """The boards: every one, or those whose walk begins at the rim of a rectangle.

        A wall that may lie outside the board shuts the area off only there.
        """
        return "PLAIN" if self.border.wall_states == 2 else "RIM"

    def ways(self) -> dict[tuple[str, Spot], list[Chain]]:
        """Return the chains by turn and move."""
        ways: dict[tuple[str, Spot], list[Chain]] = {}
        for chain in self.chains:
            ways.setdefault((chain.turn, chain.move), []).append(chain)
        return ways


def read_family(data: Any) -> Family:
    """Read the JSON value of a family's certificate; raises `Flaw`."""
    return read_as(data, Family)


def check_family(family: Family) -> None:
    """Raise `Flaw` if a certificate of a family does not prove what it says."""
    for number, chain in enumerate(family.chains, 1):
        try:
            check_chain(family.border, chain)
        except Flaw as fault:
            raise Flaw(f"chain {number}: {fault}") from None
    for (turn, move), chains in family.ways().items():
        missing = left_out(family.members, [chain.steps for chain in chains])
        why = f"turn {turn}, move {move}: no chain for {missing}"
        refuse(missing is not None, why)


def left_out(members: str, steps: list[str]) -> str | None:
    """Return the steps of a drawing of the family that no chain has, or None.

    All drawings up to a few steps more than any chain has are tried. A longer drawing
    has four equal steps, or two in turn, that can be removed. The chain that covers the
    rest repeats such steps. With one repeat more it covers the longer drawing too.
    """
    chain = re.compile("|".join(steps).replace(")", ")*"))
    most = max(len(re.sub("[()]", "", text)) for text in steps) + 4
    drawings = ["A" * n for n in range(1, most + 1)]
    if members == "corner":  # a run to the left, then a stair; or a stair, then ahead
        drawings = [
            drawing
            for run, stair in product(range(most + 1), repeat=2)
            if run + stair
            for drawing in ("L" * run + "LA" * stair, "LA" * stair + "A" * run)
        ]
    return next((drawing for drawing in drawings if not chain.fullmatch(drawing)), None)


def check_chain(border: Border, chain: Chain) -> None:
    """Raise `Flaw` unless the potentials prove the bounds."""
    beside = border.first == (-1, 0) and chain.words[0][0][0] != "A"
    refuse(beside, "the second cell touches a neighbour of the live end")
    for i, sign in enumerate((-1, 1)):
        _check_bound(border, chain, i, sign)


def _check_bound(border: Border, chain: Chain, i: int, sign: int) -> None:
    """Check that `sign` times the surplus is at most `sign` times bound i."""
    most, potentials = [sign * x for x in chain.bounds[i]], chain.potentials[i]
    black = colour(border.first)  # of the cell in turn: 1 is black
    way = chain.move, TURNS[chain.turn]
    here = starts(border, *way, sign)
    come, number, repeats = "", 0, 0
    for letters, repeated in chain.words:
        before = here
        for letter in letters:
            sides = sides_of(border, *way, come, letter)
            bounds = zip(STATES, potentials[number], strict=True)
            cut, gain = {x: n for x, n in bounds if n is not None}, -sign * black
            for state, total in here.items():
                for after, doors in beyond(state, sides, goes_on=True):
                    if after not in cut or cut[after] < total + gain * doors:
                        raise Flaw(f"step {number + 1}: the potentials do not rise")
            here, come, black, number = cut, letter, -black, number + 1
        if repeated:
            repeats += 1
            more = 2 * most[repeats]
            for state, total in here.items():
                if state not in before or before[state] + more < total:
                    raise Flaw(f"step {number}: a repeat adds more than is allowed")
            here = before
    sides = sides_of(border, *way, come, "")
    for state, total in here.items():
        for after, doors in beyond(state, sides, goes_on=False):
            last = total - sign * black * doors
            if visits_all(border, after) and last > 2 * most[0] + 1:
                raise Flaw("the last cell: a surplus beyond the bounds is left")


@cache
def beyond(state: State, sides: str, *, goes_on: bool) -> tuple[tuple[State, int], ...]:
    """Return each state behind a cell, with the doors used at it.

    `sides` has a letter for each edge to a cell off the border that may be used: ``D``
    a door, ``I`` inside, ``T`` to the cell inside that the move enters, ``F`` the move
    itself, which is used. With the edges before and after the cell, two are used.
    """
    edge, seen = state
    states = []
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
        states.append((then, doors))
    return tuple(states)


def starts(border: Border, move: Spot, behind: Spot, sign: int) -> Cut:
    """Return the state before the first cell, with the door of the move, if it is one.

    It is one if the cell that the move enters is inside: on the area's side of walk and
    border, which shut the area off. Then it may be a neighbour of the first cell.
    """
    if move not in directions_between(border.side, border.first, behind):
        return {(NONE, NOTHING): 0}
    touches = (border.first[0] - move[0], border.first[1] - move[1]) in NEAR
    # white, for it touches the live end: a door there makes the surplus larger
    return {(NONE, ENTERED if touches else IN): sign}


def sides_of(border: Border, move: Spot, behind: Spot, come: str, go: str) -> str:
    """Return the letters of the edges off the border that a cell may use.

    `come` and `go` are the steps to the cell and from it, empty at the first and at the
    last. The first cell comes from the live end, the last goes to the wall.
    """
    before, after = STEPS.get(come, border.first), STEPS.get(go, border.wall)
    back = -before[0], -before[1]
    inside = directions_between(border.side, after, back)
    letters = ""
    for d in NEAR:
        beside = border.first[0] + d[0], border.first[1] + d[1]  # of the first cell
        if d == after or (come and d == back) or (not come and beside == behind):
            continue
        if not come and beside == LIVE:
            letters += "F" * (move == border.first)
        elif d in inside:
            letters += "I" if come or beside != move else "T"
        else:
            letters += "D"
    return letters


def visits_all(border: Border, state: State) -> bool:
    """Return whether a state behind the last cell may have visited all of the area."""
    # if no piece leads inside, the border and the cell that the move enters are all
    inside = STEPS["L" if border.side == "left" else "A"]
    free = inside != border.wall and (inside, 1) in border.beside
    return state[1] == IN or (state[1] == NOTHING and not free)
