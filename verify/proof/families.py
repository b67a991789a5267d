"""Distance families: their members as drawings, and their bounds for every distance.

A family is a drawing with a straight border of D marked cells, or with a stair to a
corner H cells to the left and V ahead. The *surplus* of its area is white cells less
black ones. Its *bounds*, for one way to continue the walk, are the lowest and the
highest surplus that are not proved impossible. A certificate of chains proves them for
every distance at once.

A chain stands for drawings by the steps of their border, some of them repeated. Its
potentials are longest paths through the states of `verify.checker.family`. The members
are listed up to a distance, and each that no chain stands for gets one. It is as
general as possible: a step is repeated where each repeat adds the same numbers to the
bounds. The checker recomputes every number.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from heuristic.rules.drawing import (
    MOVES,
    POSES,
    TAKEN,
    CellState,
    Drawing,
    Spot,
    area_behind,
    needs_of,
    page_cell,
    spot,
    step,
    written,
)
from heuristic.rules.letters import LETTER
from heuristic.rules.obstacles import stair
from solver.errors import UnknownNameError, WitnessError
from solver.files import make_folder, write_whole
from verify.checker.claim import TURNS, Flaw, Side
from verify.checker.family import (
    FORMAT,
    STATES,
    STEPS,
    Border,
    Cut,
    Family,
    beyond,
    check_family,
    read_family,
    sides_of,
    starts,
    visits_all,
)
from verify.checker.proof import unpacked
from verify.proof.certificate import FAMILIES, FAMILY_SUFFIX, packed
from verify.proof.checking import Checked
from verify.proof.formula import Scope

Place: TypeAlias = tuple[int, ...]  # a distance, or cells to the left and ahead
Words: TypeAlias = tuple[tuple[str, bool], ...]  # steps, and whether they are repeated

_NEAREST = 2  # cells of a border, and from the live end to a corner, either way
_LISTED = 16  # the largest distance of the members that are listed
_REPEATS = 30  # of one word, until its potentials stop growing
_LEAST = -(1 << 20)  # less than any sum of doors

# The turn of the page says where the cell before the live end lies; with a move.
WAYS = tuple(
    (pose, move)
    for pose in ("NONE", "CW", "CCW")
    for move in MOVES.values()
    if move != page_cell(POSES[pose], 2)
)

# Straight borders, cells 1 to D of a column above the live end: the column, the side of
# the area walking up, and needs counted from the border's last cell, the wall's first.
_FREE, _VISITED = CellState.FREE, CellState.VISITED
_STRAIGHT: dict[str, tuple[int, str, dict[Spot, CellState]]] = {
    "straight": (0, "left", {(-1, 0): TAKEN, (0, 1): _FREE | _VISITED}),
    "up-small": (-1, "left", {(-1, 0): _VISITED, (-1, 1): _FREE}),
    "up-big": (0, "right", {(-1, -1): _VISITED, (-1, 0): _FREE}),
}
CORNER = "corner"


def places(name: str, most: int) -> list[Place]:
    """Return the members of a family up to a distance, near ones first.

    >>> places("corner", 3), places("straight", 3)
    ([(2, 3), (3, 2), (3, 3)], [(2,), (3,)])

    Raises `UnknownNameError` if there is no such family.
    """
    sides = range(_NEAREST, most + 1)
    if name not in FAMILIES:
        raise UnknownNameError("family", name, list(FAMILIES))
    if name != CORNER:
        return [(distance,) for distance in sides]
    corners = list(product(sides, sides))
    corners.remove((_NEAREST, _NEAREST))  # it touches the corner of the live end
    return sorted(corners, key=lambda place: (max(place), place))


def member(name: str, place: Place) -> Drawing:
    """Return the drawing of a member. Its area is not counted."""
    if name == CORNER:
        left, ahead = place
        text, side, line = f"corner-{left}-{ahead}", "left", tuple(stair(left, ahead))
        needs = {
            spot(left, ahead): _VISITED,
            spot(left - 1, ahead): _FREE,
            spot(left, ahead - 1): _FREE,
        }
    else:
        (distance,) = place
        column, side, near = _STRAIGHT[name]
        text = f"{name}-{distance}"
        line = tuple((-k, column) for k in range(1, distance + 1))
        needs = {(row - distance, column + col): x for (row, col), x in near.items()}
    return Drawing(
        text=text,
        needs=needs_of(dict.fromkeys(line, _FREE) | needs),
        areas=(area_behind(line, next(iter(needs)), side),),
        forbidden=tuple(MOVES.values()),
    )


def steps_of(drawing: Drawing) -> str:
    """Return the steps of a drawing's border.

    >>> steps_of(member("up-big", (4,))), steps_of(member("corner", (5, 4)))
    ('AAA', 'LLALA')
    """
    letters = {offset: letter for letter, offset in STEPS.items()}
    line = drawing.areas[0].cells
    return "".join(letters[step(a, b)] for a, b in pairwise(line))


def border_of(drawing: Drawing) -> Border:
    """Return both ends of a drawing's border, as the checker reads them."""
    (area,) = drawing.areas
    last = area.cells[-1]
    others = [need for need in drawing.needs if need.at not in (*area.cells, area.wall)]
    beside = tuple((step(last, x.at), int(x.states)) for x in others)
    wall = step(last, area.wall), int(drawing.need(area.wall).states)
    side: Side = "left" if area.side == "left" else "right"
    return Border(area.cells[0], side, *wall, beside)


@dataclass(frozen=True, slots=True)
class Way:
    """A border with one way to continue: the sums of doors that its cells allow.

    Sums are twice the surplus. A *cut* between two cells gives the largest sum for each
    state there, times a sign: 1 for the largest surplus, -1 for the smallest.
    """

    border: Border
    move: Spot
    behind: Spot

    def through(self, here: Cut, at: int, come: str, go: str, sign: int) -> Cut:
        """Return the sums after cell `at`, counted from 0, from those before it."""
        sides = sides_of(self.border, self.move, self.behind, come, go)
        gain = sign * (1 if (sum(self.border.first) + at) % 2 else -1)
        most: Cut = {}
        for state, total in here.items():
            for after, doors in beyond(state, sides, goes_on=bool(go)):
                most[after] = max(most.get(after, _LEAST), total + gain * doors)
        return most

    def largest(self, last: Cut) -> int:
        """Return the largest sum after the last cell with all cells visited."""
        return max(x for state, x in last.items() if visits_all(self.border, state))

    def most(self, steps: str, sign: int) -> int:
        """Return the largest surplus of the border with these steps, times the sign."""
        here, come = starts(self.border, self.move, self.behind, sign), ""
        for at, go in enumerate((*steps, "")):
            here, come = self.through(here, at, come, go, sign), go
        return self.largest(here) // 2

    def potentials(self, words: Words, sign: int, bound: list[int]) -> list[Cut] | None:
        """Return potentials that prove a bound, times the sign; None if none do.

        `bound` has a number for the steps without repeats, and one for each repeat.
        """
        here, come = starts(self.border, self.move, self.behind, sign), ""
        cuts: list[Cut] = []
        gains = iter(bound[1:])
        for letters, repeated in words:
            gain = 2 * next(gains) if repeated else 0
            for _ in range(_REPEATS):
                before, first = here, len(cuts)
                for go in letters:
                    here, come = self.through(here, len(cuts), come, go, sign), go
                    cuts.append(here)
                if not repeated:
                    break
                less = {state: total - gain for state, total in here.items()}
                here = {
                    state: max(before.get(state, _LEAST), less.get(state, _LEAST))
                    for state in before | less
                }
                if here == before:
                    break
                del cuts[first:]
                cuts[-1] = here
            else:
                return None
        here = self.through(here, len(cuts), come, "", sign)
        return cuts if self.largest(here) <= 2 * bound[0] + 1 else None

    def chain(self, words: Words) -> dict[str, Any] | None:
        """Return a chain as JSON values; None if repeats add different numbers."""
        repeats = sum(repeated for _, repeated in words)
        bounds, vectors = [], []
        for sign in (-1, 1):
            totals = {
                times: self.most(_unrolled(words, times), sign)
                for times in product(range(3), repeat=repeats)
            }
            bound = _linear(totals)
            if bound is None:
                return None
            cuts = self.potentials(words, sign, bound)
            if cuts is None:
                return None
            bounds.append([sign * number for number in bound])
            vectors.append([[cut.get(state) for state in STATES] for cut in cuts])
        patterns = "".join(f"({word})" if often else word for word, often in words)
        return {"steps": patterns, "bounds": bounds, "potentials": vectors}


def _linear(totals: dict[Place, int]) -> list[int] | None:
    """Return a number and what each repeat adds to it; None if that is not all."""
    first, *units = (totals[x] for x in sorted(totals, key=sum) if sum(x) <= 1)
    more = [unit - first for unit in reversed(units)]
    for times, total in totals.items():
        if total != first + sum(a * b for a, b in zip(more, times, strict=True)):
            return None
    return [first, *more]


def _unrolled(words: Words, times: Place) -> str:
    left = iter(times)
    return "".join(word * next(left) if often else word for word, often in words)


def _with_repeats(steps: str) -> Iterator[Words]:
    """Yield a border's steps with words repeated, the most general first.

    >>> [[word for word, often in x if often] for x in _with_repeats("LLA")]
    [['LLLL', 'LA'], ['LLLL'], ['LA'], []]
    """
    stair_part = re.search("(LA)+", steps)
    begin, end = stair_part.span() if stair_part else (len(steps), len(steps))
    runs = (
        (steps[:begin], 4 * steps[0]),
        (steps[begin:end], "LA"),
        (steps[end:], "AAAA"),
    )
    choices: list[list[Words]] = []
    for run, word in runs:
        first = run[: 2 if word == "LA" else 1]
        rest = ((run[len(first) :], False),) if run != first else ()
        as_is: list[Words] = [((run, False),)]
        choices.append([((first, False), (word, True), *rest), *as_is] if run else [()])
    joined = [first + second + third for first, second, third in product(*choices)]
    yield from sorted(joined, key=lambda words: -sum(often for _, often in words))


def _chains(way: Way, borders: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield chains that stand for all borders, each chain as general as possible."""
    patterns: list[str] = []
    for steps in borders:
        if not any(re.fullmatch(pattern, steps) for pattern in patterns):
            chain = next(filter(None, map(way.chain, _with_repeats(steps))))
            patterns.append(chain["steps"].replace(")", ")*"))
            yield chain


def every_distance(name: str) -> dict[str, Any]:
    """Return a family's certificate as JSON values, in up to a second.

    Raises `UnknownNameError` if there is no such family.
    """
    drawings = [member(name, place) for place in places(name, _LISTED)]
    border, borders = border_of(drawings[-1]), [*map(steps_of, drawings)]
    chains = [
        chain | {"turn": pose, "move": move}
        for pose, move in WAYS
        for chain in _chains(Way(border, move, TURNS[pose]), borders)
    ]
    return {
        "family_format": FORMAT,
        "name": name,
        "members": "corner" if name == CORNER else "border",
        "border": msgspec.to_builtins(border),
        "chains": chains,
    }


def prove_every_distance(name: str, folder: Path) -> Checked:
    """Prove the bounds of a family, and write the certificate into the folder.

    Raises `WitnessError` if the checker finds a fault: an internal error.
    """
    certificate = packed(every_distance(name))
    checked = check_family_certificate(unpacked(certificate))
    if checked.fault is not None:
        raise WitnessError(f"family {name}: {checked.fault}")
    make_folder(folder)
    write_whole(folder / f"{name}{FAMILY_SUFFIX}", certificate)
    return checked


def check_family_certificate(data: Any) -> Checked:
    """Check a family's certificate, given as the JSON value of its file.

    With the name of a family of ours it must prove the bounds that we publish.
    """
    name = ""
    try:
        family = read_family(data)
        name = family.name
        check_family(family)
        meant = name in FAMILIES
        if meant and _claims(family) != _claims(read_family(every_distance(name))):
            raise Flaw(f"it does not prove the bounds published of family {name!r}")
    except Flaw as fault:
        return Checked(name, str(fault))
    boards, lines = Scope[family.scope].value, tuple(family_lines(family))
    return Checked(name, None, boards, lines, meant)


def _claims(family: Family) -> tuple[Any, ...]:
    chains = {(x.steps, x.turn, x.move, x.bounds) for x in family.chains}
    return family.border, family.members, chains


def family_lines(family: Family) -> list[str]:
    """Return what a family's certificate proves: its drawings, then chain by chain.

    Steps in brackets come any number of times, and as often the number before `x` is
    added.
    """
    border = family.border
    lines = [
        f"area {border.side} of a {family.members} from {written(border.first)}; "
        f"from its last cell the wall lies {written(border.wall)} "
        f"{_letter(border.wall_states)}"
    ]
    lines += [f"and {written(at)} {_letter(states)}" for at, states in border.beside]
    for (turn, move), chains in family.ways().items():
        lines.append(f"laid {turn.lower()}, move {written(move)}, the surplus:")
        for chain in chains:
            low, high = (
                " ".join([str(first), *(f"{number:+}x" for number in more)])
                for first, *more in chain.bounds
            )
            lines.append(f"  {chain.steps}: {low} to {high}")
    return lines


def _letter(states: int) -> str:
    return LETTER.get((states, False), f"states {states}")
