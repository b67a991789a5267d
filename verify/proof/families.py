"""Distance families: their members as drawings, and their bounds for every distance.

A family is a drawing with a straight border of D marked cells, or with a stair to a
corner H cells to the left and V ahead. Its *bounds*, for one way to go on, are the
lowest and the highest surplus (white cells less black ones) of its area that are not
proved impossible. They are proved for every distance at once, by a certificate of
chains.

A chain stands for drawings by the steps of their border, some of them repeated. Its
potentials are the longest ways through the states of `verify.checker.chain`. Each
drawing in turn that no chain stands for so far gets one, with repeats where it can:
where the bounds grow by the same numbers each time.

The checker judges every number of it afresh (`verify.checker.family`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from operator import gt, lt
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.rules.drawing import (
    POSE_NAMES,
    POSES,
    TAKEN,
    CellState,
    Drawing,
    Spot,
    area_behind,
    left_ahead,
    needs_of,
    spot,
    step,
    written,
)
from heuristic.rules.obstacles import stair
from solver.errors import OptionError, UnknownNameError, WitnessError
from solver.files import make_folder, write_whole
from solver.symmetry import Symmetry
from verify.checker.chain import (
    STATES,
    STEPS,
    Border,
    Cut,
    Offset,
    beyond,
    sides_of,
    starts,
    visits_all,
)
from verify.checker.describe import chain_line, family_lines
from verify.checker.family import FORMAT, TURNS, Family, check_family, read_family
from verify.checker.reading import unpacked
from verify.checker.values import Fault
from verify.proof.certificate import Checked, packed
from verify.proof.formula import Scope

LEAST = 2  # cells of a border, and from the live end to a corner, either way

# How the walk goes on, and whence it comes if not from below the page: then the drawing
# is turned, as the pose says where the cell before the live end lies.
_NONE, _CW, _CCW = POSES["NONE"], POSES["CW"], POSES["CCW"]
WAYS: dict[str, tuple[Symmetry, Spot]] = {
    "straight": (_NONE, (-1, 0)),
    "left": (_NONE, (0, -1)),
    "right": (_NONE, (0, 1)),
    "straight from the right": (_CW, (-1, 0)),
    "left from the right": (_CW, (0, -1)),
    "behind from the right": (_CW, (1, 0)),
    "straight from the left": (_CCW, (-1, 0)),
    "right from the left": (_CCW, (0, 1)),
    "behind from the left": (_CCW, (1, 0)),
}


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight border: where it begins, what it runs into, and on which side it lies.

    - `column`: the column of the border, which is its cells 1 to D above the live end.
    - `side`: side of the area, walking up the border.
    - `beside`, tuple of ((row, col), CellState): needs, from the border's last cell;
      the first is that of the wall.
    """

    name: str
    column: int
    side: str
    beside: tuple[tuple[Spot, CellState], ...]

    def drawing(self, distance: int) -> Drawing:
        """Return the member with a border of that many cells, area not counted.

        Raises `OptionError` if there is no such member.
        """
        if distance < LEAST:
            raise OptionError(f"family {self.name!r} has no distance {distance}")
        line = tuple((-k, self.column) for k in range(1, distance + 1))
        known = {
            (row - distance, self.column + col): states
            for (row, col), states in self.beside
        }
        wall = next(iter(known))
        return border_drawing(f"{self.name}-{distance}", line, wall, known, self.side)


def border_drawing(
    phrase: str,
    line: tuple[Spot, ...],
    wall: Spot,
    known: dict[Spot, CellState],
    side: str,
) -> Drawing:
    """Return a drawing whose border is so many marked cells, area not counted.

    `known` are needs of other cells, the wall's among them.
    """
    needs = dict.fromkeys(line, CellState.FREE) | known
    return Drawing(
        text=phrase,
        needs=needs_of(needs),
        areas=(area_behind(line, wall, side),),
        forbidden=((-1, 0), (0, -1), (0, 1), (1, 0)),
    )


def corner(left: int, ahead: int) -> Drawing:
    """Return the drawing of a corner so many cells to the left and ahead.

    The border is a stair (`heuristic.rules.obstacles.stair`); the area is on its left.

    Raises `OptionError` if the corner is nearer than two cells, or touches the live
    end's own corner.
    """
    if min(left, ahead) < LEAST or left == ahead == LEAST:
        raise OptionError(f"there is no corner {left} to the left and {ahead} ahead")
    wall = spot(left, ahead)
    known = {
        wall: CellState.VISITED,
        spot(left - 1, ahead): CellState.FREE,
        spot(left, ahead - 1): CellState.FREE,
    }
    line, phrase = tuple(stair(left, ahead)), f"corner-{left}-{ahead}"
    return border_drawing(phrase, line, wall, known, "left")


_FREE, _VISITED = CellState.FREE, CellState.VISITED
FAMILIES = {
    family.name: family
    for family in (
        Straight("straight", 0, "left", (((-1, 0), TAKEN), ((0, 1), _FREE | _VISITED))),
        Straight("up-small", -1, "left", (((-1, 0), _VISITED), ((-1, 1), _FREE))),
        Straight("up-big", 0, "right", (((-1, -1), _VISITED), ((-1, 0), _FREE))),
    )
}


CORNER = "corner"
NAMES = (*FAMILIES, CORNER)

Place: TypeAlias = tuple[int, ...]  # a distance, or cells to the left and ahead


def places(name: str, most: int) -> list[Place]:
    """Return the members of a family up to a distance, the near ones first.

    >>> places("corner", 3), places("straight", 3)
    ([(2, 3), (3, 2), (3, 3)], [(2,), (3,)])

    Raises `UnknownNameError` if there is no such family.
    """
    sides = range(LEAST, most + 1)
    if name not in NAMES:
        raise UnknownNameError("family", name, list(NAMES))
    if name != CORNER:
        return [(distance,) for distance in sides]
    found = [(left, ahead) for left in sides for ahead in sides]
    found.remove((LEAST, LEAST))  # it touches the corner of the live end
    return sorted(found, key=lambda place: (max(place), place))


def member(name: str, place: Place) -> Drawing:
    """Return the drawing of a member."""
    if name == CORNER:
        return corner(*place)
    return FAMILIES[name].drawing(*place)


Words: TypeAlias = tuple[tuple[str, bool], ...]
_TURNS = 30  # of a repeat, till its potentials stand still
_LEAST = -(1 << 20)  # less than any sum of doors


@dataclass(frozen=True, slots=True)
class Way:
    """A border with one way to go on: what its cells may add, cell by cell."""

    border: Border
    move: Offset
    behind: Offset

    def through(self, here: Cut, at: int, come: str, go: str, sign: int) -> Cut:
        """Return the most that is possible in each state behind cell `at`, from 0."""
        sides = sides_of(self.border, self.move, self.behind, come, go)
        gain = sign * (1 if (sum(self.border.first) + at) % 2 else -1)
        found: Cut = {}
        for state, total in here.items():
            for after, doors in beyond(state, sides, goes_on=bool(go)):
                found[after] = max(found.get(after, _LEAST), total + gain * doors)
        return found

    def most(self, steps: str, sign: int) -> int:
        """Return the largest surplus, `sign` times."""
        here, come = starts(self.border, self.move, self.behind, sign), ""
        for at, go in enumerate((*steps, "")):
            here, come = self.through(here, at, come, go, sign), go
        return self._total(here) // 2

    def _total(self, last: Cut) -> int:
        """Return the most of the states in which all is visited."""
        return max(x for state, x in last.items() if visits_all(self.border, state))

    def potentials(self, words: Words, sign: int, bound: list[int]) -> list[Cut] | None:
        """Return potentials that prove `sign` times a bound, None if there are none."""
        here, come = starts(self.border, self.move, self.behind, sign), ""
        cuts: list[Cut] = []
        more = iter(bound[1:])
        for letters, repeated in words:
            less = 2 * next(more) if repeated else 0
            for _ in range(_TURNS):
                before, first = here, len(cuts)
                for go in letters:
                    here, come = self.through(here, len(cuts), come, go, sign), go
                    cuts.append(here)
                if not repeated:
                    break
                again = {state: total - less for state, total in here.items()}
                here = {
                    state: max(before.get(state, _LEAST), again.get(state, _LEAST))
                    for state in before | again
                }
                if here == before:
                    break
                del cuts[first:]
                cuts[-1] = here
            else:
                return None
        here = self.through(here, len(cuts), come, "", sign)
        return cuts if self._total(here) <= 2 * bound[0] + 1 else None

    def chain(self, words: Words) -> dict[str, Any] | None:
        """Return a chain's bounds and potentials as JSON values.

        None if the bounds do not grow by the same numbers at each repeat.
        """
        count = sum(repeated for _, repeated in words)
        bounds, vectors = [], []
        for sign in (-1, 1):
            bound = _linear(
                {
                    times: self.most(_unrolled(words, times), sign)
                    for times in product(range(3), repeat=count)
                }
            )
            if bound is None:
                return None
            cuts = self.potentials(words, sign, bound)
            if cuts is None:
                return None
            bounds.append([sign * number for number in bound])
            vectors.append([[cut.get(state) for state in STATES] for cut in cuts])
        patterns = "".join(f"({word})" if often else word for word, often in words)
        return {"steps": patterns, "bounds": bounds, "potentials": vectors}


def _linear(seen: dict[tuple[int, ...], int]) -> list[int] | None:
    """Return a number and what each repeat adds to it, None if that is not all."""
    none = min(seen)
    more = [seen[(*none[:i], 1, *none[i + 1 :])] - seen[none] for i in range(len(none))]
    for times, found in seen.items():
        if found != seen[none] + sum(a * b for a, b in zip(more, times, strict=True)):
            return None
    return [seen[none], *more]


def _unrolled(words: Words, times: tuple[int, ...]) -> str:
    left = iter(times)
    return "".join(word * next(left) if often else word for word, often in words)


def _repeated(steps: str) -> Iterator[Words]:
    """Yield a drawing's steps with repeats put in, the most general first.

    >>> [[word for word, often in words if often] for words in _repeated("LLA")]
    [['LLLL', 'LA'], ['LLLL'], ['LA'], []]
    """
    stair = re.search("(LA)+", steps)
    begin, end = stair.span() if stair else (len(steps), len(steps))
    runs = [steps[:begin], steps[begin:end], steps[end:]]
    choices = [
        [*_one_more(run, word), ((run, False),)] if run else [()]
        for run, word in zip(runs, (steps[0] * 4, "LA", "AAAA"), strict=True)
    ]
    found = [first + second + third for first, second, third in product(*choices)]
    yield from sorted(found, key=lambda words: -sum(often for _, often in words))


def _one_more(run: str, word: str) -> list[Words]:
    """Return a run of equal steps, or of steps in turn, with a repeat put in."""
    first = run[: 1 if len(word) == 4 else 2]
    rest = run[len(first) :]
    return [((first, False), (word, True), *[(rest, False)][: len(rest)])]


def chains(way: Way, drawings: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield chains that stand for all of the drawings, each as general as it can be."""
    patterns: list[str] = []
    for steps in drawings:
        if any(re.fullmatch(one, steps) for one in patterns):
            continue
        chain = next(filter(None, map(way.chain, _repeated(steps))))
        patterns.append(chain["steps"].replace(")", ")*"))
        yield chain


SUFFIX = ".family.xz"
_SIDE = 16  # cells of a border, and to a corner, that are listed drawing by drawing


def steps_of(drawing: Drawing) -> str:
    """Return the steps of a drawing's border.

    >>> steps_of(member("up-big", (4,))), steps_of(member("corner", (5, 4)))
    ('AAA', 'LLALA')
    """
    called = {step: letter for letter, step in STEPS.items()}
    line = drawing.areas[0].cells
    return "".join(called[left_ahead(step(a, b))] for a, b in pairwise(line))


def border_of(drawing: Drawing) -> Border:
    """Return the two ends of a drawing's border, as the checker reads them."""
    (area,) = drawing.areas
    last = area.cells[-1]
    others = [need for need in drawing.needs if need.at not in (*area.cells, area.wall)]
    return Border(
        left_ahead(area.cells[0]),
        area.side == "left",
        left_ahead(step(last, area.wall)),
        int(drawing.need(area.wall).states),
        tuple((left_ahead(step(last, x.at)), int(x.states)) for x in others),
    )


def every_distance(name: str) -> dict[str, Any]:
    """Return a family's certificate as JSON values: all members, all ways to go on.

    Raises `UnknownNameError` if there is no such family.

    A second or less. What it says is true when `check_family` accepts it, not before.
    """
    drawings = [member(name, place) for place in places(name, _SIDE)]
    border = border_of(drawings[-1])
    steps = [steps_of(drawing) for drawing in drawings]
    found = []
    for turn, move in WAYS.values():
        pose = POSE_NAMES[turn]
        way = Way(border, left_ahead(move), TURNS[pose])
        for chain in chains(way, steps):
            found.append(chain | {"turn": pose, "move": written(move)})
    return {
        "family_format": FORMAT,
        "name": name,
        "members": "corner" if name == CORNER else "border",
        "first": list(border.first),
        "side": "left" if border.left else "right",
        "wall": list(border.wall),
        "wall_states": border.wall_states,
        "beside": [[*at, states] for at, states in border.beside],
        "chains": found,
    }


def prove_every_distance(name: str, folder: Path | None = None) -> Checked:
    """Prove the bounds of a family for every distance; return what is proved.

    The certificate is checked as `oneway proof check` does it. If there is a folder, it
    is written there.

    Raises `WitnessError` if the checker finds a fault.
    """
    certificate = packed(every_distance(name))
    checked = check_family_certificate(unpacked(certificate))
    if checked.fault is not None:
        raise WitnessError(f"family {name}: {checked.fault}")
    if folder is not None:
        make_folder(folder)
        write_whole(folder / f"{name}{SUFFIX}", certificate)
    return checked


def check_family_certificate(data: Any) -> Checked:
    """Check a family's certificate, given as the JSON value of its file."""
    name = ""
    try:
        family = read_family(data)
        name = family.name
        check_family(family)
    except Fault as fault:
        return Checked(name, str(fault))
    meant = name in NAMES
    if meant and (why := _other_than_published(family)):
        return Checked(name, why)
    claims = tuple(family_lines(family))
    return Checked(name, None, Scope[family.scope], claims, meant)


def _other_than_published(family: Family) -> str | None:
    """Return where a certificate is none of the family it names, or None.

    It must be of its drawings, with all ways to go on, and prove the published bounds,
    those of the prover (`docs/tables/families.md`). A bound is a number and what each
    repeat adds to it, so this holds for every distance.
    """
    name = family.name
    last = member(name, places(name, _SIDE)[-1])
    ways = {(POSE_NAMES[turn], left_ahead(move)) for turn, move in WAYS.values()}
    kind = "corner" if name == CORNER else "border"
    found = family.border, family.members, set(family.ways())
    if found != (border_of(last), kind, ways):
        return f"it speaks of other drawings than family {name!r}"
    own = {(one.words, one.turn, one.move): one for one in family.chains}
    for chain in read_family(every_distance(name)).chains:
        proved = own.get((chain.words, chain.turn, chain.move))
        way = f"laid {chain.turn.lower()}, move {list(chain.move)}, {chain_line(chain)}"
        if proved is None:
            return f"its chains are not those of the published bounds; missing: {way}"
        (low, high), (least, most) = proved.bounds, chain.bounds
        if any(map(lt, low, least)) or any(map(gt, high, most)):
            return f"its bounds are {chain_line(proved)}; published are, {way}"
    return None
