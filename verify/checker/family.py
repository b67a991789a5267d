"""A family's certificate: drawings whose border may be of any length, read and judged.

All drawings of a family have the same first marked cell, and the same needs around the
last. They differ by the steps between: the border goes ahead (``A``) or to the left
(``L``). A *chain* gives steps and repeats, as ``L(LLLL)LA``: what stands in brackets
comes any number of times, none as well. It says which surpluses an area can have, and
`verify.checker.chain` judges that for all of its drawings at once. Here it is seen to
that no drawing of the family is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from verify.checker.chain import STATES, Border, Chain, Cut, judge
from verify.checker.values import (
    Fault,
    int_of,
    ints_of,
    keys_of,
    list_of,
    once,
    one_of,
    text_of,
)

FORMAT = 1
_FAR, _MOST = 1 << 20, 1000  # no number is larger; no family has more chains
_CHAIN = re.compile(r"[AL]+(?:\([AL]+\)[AL]*)*")
_LONGEST = 60  # signs of a chain
# By what the drawings of a family are: the words that may come any number of times.
# Each step of a repeat lengthens a run of equal steps, or of steps in turn.
REPEATS = {"border": ("AAAA",), "corner": ("AAAA", "LLLL", "LA")}
MOVES = ((0, 1), (1, 0), (-1, 0), (0, -1))
TURNS = {"NONE": (0, -1), "CW": (-1, 0), "CCW": (1, 0)}  # the cell before the live end


@dataclass(frozen=True, slots=True)
class Family:
    """A whole file: the border's ends, and chains for each way to go on."""

    name: str
    border: Border
    members: str
    chains: tuple[Chain, ...]

    @property
    def scope(self) -> str:
        """The boards: every one, or those whose walk begins at the rim of a rectangle.

        A wall that may lie outside the board shuts the area off only there.
        """
        return "PLAIN" if self.border.wall_states == 2 else "RIM"

    def ways(self) -> dict[tuple[str, tuple[int, int]], list[Chain]]:
        """Return the chains by turn and move."""
        found: dict[tuple[str, tuple[int, int]], list[Chain]] = {}
        for one in self.chains:
            found.setdefault((one.turn, one.move), []).append(one)
        return found


def read_family(data: Any) -> Family:
    """Read the JSON value of a family's certificate.

    Raises `Fault` at the first thing that no certificate of a family has.
    """
    number = data.get("family_format") if type(data) is dict else FORMAT
    if type(number) is not int or number != FORMAT:
        raise Fault(f"it is no certificate of a family of format {FORMAT}")
    top = keys_of(
        data,
        "the file",
        "family_format name members first side wall wall_states beside chains",
    )
    name = text_of(top["name"], "the name")
    if not 0 < len(name) <= 200 or not name.isprintable():
        raise Fault("the name is none that a family can have")
    beside = [_need(need) for need in list_of(top["beside"], "beside", least=0)]
    once([at for at, _ in beside], "beside")
    states = int_of(top["wall_states"], 1, 7, "the states of the wall")
    if states & 1:
        raise Fault("the wall may be free")
    border = Border(
        _at(top["first"], "the first cell"),
        one_of(top["side"], ("left", "right"), "side") == "left",
        _at(top["wall"], "the wall"),
        states,
        tuple(beside),
    )
    if border.first not in ((0, 1), (1, 1)):
        raise Fault("the first cell lies neither ahead nor left ahead")
    if border.wall not in ((0, 1), (1, 0), (1, 1)):
        raise Fault("the wall does not lie on from the last cell")
    members = one_of(top["members"], REPEATS, "members")
    listed = list_of(top["chains"], "chains")
    if len(listed) > _MOST:
        raise Fault(f"there are more than {_MOST} chains")
    return Family(name, border, members, tuple(_chain(x, members) for x in listed))


def _need(data: Any) -> tuple[tuple[int, int], int]:
    if len(list_of(data, "a need")) != 3:
        raise Fault("a need is not left, ahead, states")
    return _at(data[:2], "a need"), int_of(data[2], 1, 7, "the states of a need")


def _at(value: Any, what: str) -> tuple[int, int]:
    if type(value) is not list or len(value) != 2:
        raise Fault(f"{what} is no pair of numbers")
    left, ahead = ints_of(value, -2, 2, what)
    return left, ahead


def _chain(data: Any, members: str) -> Chain:
    one = keys_of(data, "a chain", "steps turn move bounds potentials")
    steps = text_of(one["steps"], "the steps of a chain")
    if len(steps) > _LONGEST or not _CHAIN.fullmatch(steps):
        raise Fault(f"{steps[:_LONGEST]!r} are no steps of a chain")
    words: list[tuple[str, bool]] = []
    for word in re.findall(r"\([AL]+\)|[AL]+", steps):
        letters, repeated = word.strip("()"), word[0] == "("
        if repeated and letters not in REPEATS[members]:
            raise Fault(f"{steps}: no drawing has so many {letters!r} as one likes")
        if repeated and words[-1][0][-1] != letters[-1]:
            raise Fault(
                f"{steps}: {letters!r} ends with another step than comes before"
            )
        words.append((letters, repeated))
    move = _at(one["move"], "the move of a chain")
    turn = one_of(one["turn"], TURNS, "the turn of a chain")
    if move not in MOVES or move == TURNS[turn]:
        raise Fault("the move of a chain touches no live end, or leads back")
    numbers = sum(repeated for _, repeated in words) + 1
    if numbers > 3:
        raise Fault(f"{steps}: more than two repeats")
    bounds, vectors = (list_of(one[key], key) for key in ("bounds", "potentials"))
    if len(bounds) != 2 or len(vectors) != 2:
        raise Fault("a chain has not two bounds, with potentials for each")
    for bound in bounds:
        if len(list_of(bound, "a bound")) != numbers:
            raise Fault("a bound has not a number for each repeat")
        ints_of(bound, -_FAR, _FAR, "a bound")
    cuts = len("".join(letters for letters, _ in words))
    read = tuple(_cuts(vector, cuts) for vector in vectors)
    return Chain(tuple(words), turn, move, TURNS[turn], tuple(map(tuple, bounds)), read)


def _cuts(data: Any, count: int) -> tuple[Cut, ...]:
    """Read a number, or null, for each state at each cut of a chain."""
    if len(list_of(data, "potentials")) != count:
        raise Fault("there are not potentials for each cut")
    found: list[Cut] = []
    for cut in data:
        if len(list_of(cut, "potentials of a cut")) != len(STATES):
            raise Fault("a cut has not a potential for each state")
        known = {
            state: int_of(value, -_FAR, _FAR, "a potential")
            for state, value in zip(STATES, cut, strict=True)
            if value is not None
        }
        found.append(known)
    return tuple(found)


def check_family(family: Family) -> None:
    """Raise `Fault` if a certificate of a family does not prove what it says."""
    for number, one in enumerate(family.chains, 1):
        try:
            judge(family.border, one)
        except Fault as fault:
            raise Fault(f"chain {number}: {fault}") from None
    for (turn, move), chains in family.ways().items():
        missing = _left_out(family.members, chains)
        if missing is not None:
            raise Fault(f"turn {turn}, move {list(move)}: no chain for {missing}")


def _left_out(members: str, chains: list[Chain]) -> str | None:
    """Return the steps of a drawing of the family that no chain covers, or None.

    Drawings up to a few steps more than any chain has are looked at one by one. Of a
    longer one leave out four equal steps, or two in turn. The chain that covers what is
    left repeats such steps, as it has fewer without its repeats. Once more of them, and
    it covers the longer drawing too.
    """
    covered = [
        re.compile("".join(f"(?:{w})*" if often else w for w, often in one.words))
        for one in chains
    ]
    most = max(sum(len(w) for w, _ in one.words) for one in chains)
    for steps in _drawings(members, most + 4):
        if not any(one.fullmatch(steps) for one in covered):
            return steps
    return None


def _drawings(members: str, most: int) -> Iterator[str]:
    """Yield the steps of each drawing with runs of so many equal steps at most.

    A corner's border is a straight run to the left, then a stair, or a stair and then a
    straight run ahead.
    """
    runs = range(most + 1)
    if members == "border":
        yield from ("A" * n for n in runs[1:])
        return
    for straight, stair in product(runs, repeat=2):
        if straight + stair:
            yield "L" * straight + "LA" * stair
            yield "LA" * stair + "A" * straight
