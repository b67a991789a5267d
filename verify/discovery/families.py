"""All that a picture forbids, and the families that it grows into.

A picture is found for one move in one pose. Laid in another turn, or asked for another
move, the same facts may do as well: then it is one rule that forbids more.

A drawing found for one gap has a line of so many cells. Move a row or a column of it,
with all that lies farther out, and fill the gap with marked cells: that is how a table
of `grow` in a rule file says it. The same drawing with a longer line, straight on or by
more steps of a stair, holds as well, with other numbers: those are found by proofs,
member by member, up to a distance that is said. For each way to go on the table has the
lowest and the highest surplus of the area that is not impossible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TypeAlias

from heuristic.rules.drawing import (
    LIVE_END,
    MOVES,
    TAKEN,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Kind,
    RuleSpec,
    Spot,
    box_around,
    left_ahead,
    page_cell,
    written,
)
from heuristic.rules.family import Growth
from heuristic.rules.letters import STATES, TURN_NAMES, area_table, rule_text
from solver.symmetry import ROTATIONS, Symmetry
from verify.discovery.areas import blank, exactly, weakest
from verify.discovery.question import (
    BEHIND,
    Ask,
    Fact,
    Found,
    Picture,
    Question,
    drawing_table,
    question,
    read_rule,
    rule_head,
)
from verify.proof.formula import Scope
from verify.proof.surplus import Bounds, NoBounds, bounds_of, strip
from verify.proof.view import FREE, LIVE, VISITED, from_drawing, neighbours

_MOVES = (0, 1, 3)  # straight on, right, left


def conditions(asked: Question, areas: Sequence[AreaSpec]) -> list[Fact]:
    """Return the sums of doors that the areas' conditions exclude, as facts."""
    found = []
    for area, sums in zip(areas, asked.sums, strict=True):
        found += [name for surplus, name in sums.items() if not area.allows(surplus)]
    return found


def closed(picture: Picture, radius: int) -> Found | None:
    """Return a picture with every move that it makes impossible in any turn.

    None if it makes none impossible.
    """
    forbids = []
    for turn in ROTATIONS:
        lying = picture.turned(turn)
        moves = tuple(
            move
            for move in (_MOVES if _possible(lying) else ())
            if impossible(_laid(lying, move), move, radius)
        )
        if moves:
            forbids.append((turn, moves))
    return Found(picture, tuple(forbids)) if forbids else None


def _laid(lying: Picture, move: int) -> Picture:
    """Return a picture that is asked for a move; for one to the right mirrored."""
    return lying.turned(Symmetry.FLIP_COLS) if move == 1 else lying


def impossible(lying: Picture, move: int, radius: int) -> bool:
    """Tell whether no completion begins with a move where a picture lies so.

    A picture asked for a move to the right lies mirrored.
    """
    canonical = 3 if move == 1 else move
    target = neighbours(LIVE)[canonical]
    letters = dict(lying.cells)
    if not STATES.get(letters.get(target, "."), (FREE, False))[0] & FREE:
        return False
    if letters.get(target) in ("K", "o"):  # no letter says so of a forbidden cell
        return False
    if target in _taken(lying):
        return False
    asked = question(Ask(canonical, radius, tuple(map(blank, lying.areas))))
    facts = [x for x in lying.known() if x[0] == "dead" or x[1] != target]
    return asked.core([*facts, *conditions(asked, lying.areas)]) is not None


def _taken(lying: Picture) -> set[tuple[int, int]]:
    return {at for area in lying.areas for at in (area.base, area.wall)} - {LIVE}


def _possible(lying: Picture) -> bool:
    """Tell whether the picture lets the cell behind be visited."""
    lines = {at for area in lying.areas for at in area.cells}
    letter = dict(lying.cells).get(BEHIND, "#")
    return bool(STATES[letter][0] & VISITED) and BEHIND not in lines | lying.of_step()


def counting_less(asked: Question, picture: Picture) -> Picture:
    """Return a picture whose areas' conditions are as weak as will do."""
    areas = [*picture.areas]
    for place, sums in enumerate(asked.sums):
        excluded = set()
        for surplus in sums:
            areas[place], own = exactly(areas[place], surplus), areas[place]
            if asked.core([*picture.known(), *conditions(asked, areas)]) is not None:
                excluded.add(surplus)
            areas[place] = own
        areas[place] = weakest(sums, areas[place], excluded)
    return replace(picture, areas=tuple(areas))


def enlarged(picture: Picture, growth: Growth, times: int) -> Picture:
    """Return a picture after so many steps of its growth."""

    def land(at: Spot) -> Spot:
        return growth.moved(at, times)

    def area(one: AreaSpec) -> AreaSpec:
        line = tuple(growth.line(one.cells, times))
        new = replace(one, cells=line, entry=line[0], least=len(line))
        return replace(new, base=land(one.base), wall=land(one.wall))

    return picture.placed(land, area)


def first(picture: Picture, number: int) -> Picture:
    """Return a picture with one of its areas in front, of which nothing is counted."""
    areas = list(picture.areas)
    one = areas.pop(number)
    return replace(picture, areas=(blank(one), *areas))


def sound_lines(picture: Picture) -> bool:
    """Tell whether a picture can be drawn: lines in one piece, no cell asked twice."""
    seen: set[Spot] = set()
    for area in picture.areas:
        way = (area.base, *area.cells, area.wall)
        if len(set(way)) < len(way) or seen & set(area.cells):
            return False
        seen |= set(area.cells)
        for a, b in pairwise(way):
            if max(abs(a[0] - b[0]), abs(a[1] - b[1])) != 1:
                return False
        for a, b in pairwise(area.cells):
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
                return False
        if set(area.inside) & set(area.outside) or LIVE_END in area.cells:
            return False
    walls = {at for a in picture.areas for at in (a.base, a.wall)}
    asked = {cell for cell, _ in picture.cells}
    if walls & picture.of_step():
        return False
    return not seen & walls and not asked & (seen | walls) and LIVE_END not in asked


_LYING = (  # ways to lay a picture that grows ahead or to the left
    Symmetry.IDENTITY,
    Symmetry.FLIP_COLS,
    Symmetry.ROTATE_HALF,
    Symmetry.FLIP_ROWS,
)


def growths(picture: Picture) -> Iterator[tuple[Picture, Growth]]:
    """Yield the ways that a picture can grow, each with the picture turned for it.

    The area in front is the one whose line grows. Of ways that come to the same line
    the one is given that leaves most where it is.
    """
    seen = set()
    for number in range(len(picture.areas)):
        front = first(picture, number)
        for turn in _LYING:
            page = front.turned(turn)
            for growth in _tried(page.areas[0]):
                key = _same(Picture((), enlarged(page, growth, 1).areas))
                if key not in seen and _grows(page, growth):
                    seen.add(key)
                    yield page, growth


def _tried(front: AreaSpec) -> Iterator[Growth]:
    for axis in (1, 0):
        far = min(at[axis] for at in (*front.cells, front.wall))
        for at in range(far, 0):
            yield Growth(axis, at, (-1, -1))
            yield Growth(axis, at, (0, -1) if axis else (-1, 0))


def _grows(page: Picture, growth: Growth) -> bool:
    """Tell whether the first area's line becomes longer, and all stays a drawing."""
    one, two = enlarged(page, growth, 1), enlarged(page, growth, 2)
    length = len(page.areas[0].cells)
    return (
        length < len(one.areas[0].cells) < len(two.areas[0].cells)
        and sound_lines(one)
        and sound_lines(two)
    )


def _same(picture: Picture) -> frozenset[Picture]:
    """Return a key that pictures share which are turned or mirrored alike."""
    return frozenset(map(picture.turned, Symmetry))


def extent(picture: Picture) -> int:
    """Return how many rows or columns a picture takes, its larger side."""
    cells = {LIVE, *picture.of_areas(), *picture.of_step()}
    cells |= {cell for cell, _ in picture.cells}
    top, left, bottom, right = box_around(cells)
    return max(bottom - top, right - left) + 1


Way: TypeAlias = tuple[Symmetry, int]  # of the page; the move in the heading frame
Range: TypeAlias = tuple[int, int]  # lowest and highest surplus; (1, 0): none

NEVER: Range = (1, 0)
DISTANCE = "D"
MOVE_NAMES = {at: name for name, at in MOVES.items()}
_LONGEST = 40  # steps that a picture grows
_REGULAR = 10  # members after which numbers may be given by how they go on
_TRIED = 3  # steps after which a way without numbers of its own is given up
_SECONDS = 3.0  # of processor time, for one way of one member


def ways_of(picture: Picture) -> Iterator[Way]:
    """Yield the ways to go on that a picture leaves open."""
    letters = dict(picture.cells)
    free = {at for area in picture.areas for at in area.cells} | picture.of_step()
    taken = _taken(picture)
    for turn in ROTATIONS:
        behind = page_cell(turn, 2)
        if behind in free or not STATES[letters.get(behind, "#")][0] & VISITED:
            continue
        for move in _MOVES:
            target = page_cell(turn, move)
            if target in taken or letters.get(target, ".") != ".":
                continue
            yield turn, move


def drawing_of(picture: Picture) -> Drawing:
    """Return a picture as a drawing that forbids all moves."""
    asked = picture.letters().items()
    needs = {at: CellNeed(at, *STATES[letter]) for at, letter in asked}
    for area in picture.areas:
        for at in area.cells:
            needs[at] = CellNeed(at, CellState.FREE)
        for at in {area.base, area.wall} - {LIVE_END}:
            needs.setdefault(at, CellNeed(at, TAKEN))
    return Drawing(
        needs=tuple(needs[at] for at in sorted(needs, key=left_ahead)),
        areas=picture.areas,
        forbidden=tuple(neighbours(LIVE)),
        facts=_facts(picture),
    )


def _facts(picture: Picture) -> tuple[tuple[str, Spot, Spot], ...]:
    if picture.step is None:
        return ()
    a, b = picture.step
    return (("dead", a, b),)


def bounds(picture: Picture, way: Way) -> Range | None:
    """Return the surpluses of the first area that are not impossible; None: unknown."""
    turn, move = way
    window = from_drawing(drawing_of(picture), turn, page_cell(turn, move))
    assert window is not None
    found: Bounds = bounds_of(strip(window), Scope.PLAIN, seconds=_SECONDS)
    if found is NoBounds.NEVER:
        return NEVER
    return None if found is NoBounds.UNKNOWN else found


@dataclass(frozen=True, slots=True)
class Family:
    """A picture that grows, with the surpluses that each way to go on allows.

    - `picture`: the smallest member; its first area is counted by the tables.
    - `tables`, tuple of (ways, ranges): ways with the same ranges, one for each member,
      the smallest first.
    """

    picture: Picture
    growth: Growth
    tables: tuple[tuple[tuple[Way, ...], tuple[Range, ...]], ...]

    @property
    def members(self) -> int:
        """How many the tables have."""
        return max(len(ranges) for _, ranges in self.tables)

    @property
    def distances(self) -> tuple[int, int]:
        """The marked cells of the first area's line, least and most."""
        longest = enlarged(self.picture, self.growth, self.members - 1)
        return len(self.picture.areas[0].cells), len(longest.areas[0].cells)

    def cases(self) -> Iterator[tuple[list[Spot], list[Symmetry], tuple[Range, ...]]]:
        """Yield forbidden cells of the page, their turns, and the ranges."""
        for ways, ranges in self.tables:
            groups: dict[tuple[Spot, ...], list[Symmetry]] = {}
            for turn in dict.fromkeys(turn for turn, _ in ways):
                cells = {page_cell(turn, move) for one, move in ways if one is turn}
                groups.setdefault(tuple(sorted(cells)), []).append(turn)
            for forbidden, turns in groups.items():
                yield list(forbidden), turns, ranges

    def toml(self, name: str, origin: str, reason: str, boards: str = "") -> str:
        """Return the rule as text of a rule file; `boards` names those it is for."""
        front, *others = self.picture.areas
        rule = rule_head(name, origin, reason, boards) | drawing_table(self.picture)
        never = {ranges for _, ranges in self.tables} == {(NEVER,) * self.members}
        kind = Kind.CLOSED if never else Kind.BEYOND
        areas = (replace(front, kind=kind), *others)
        rule["area"] = [area_table(area) for area in areas]
        growth = {
            "name": DISTANCE,
            "first": len(front.cells),
            "left" if self.growth.axis else "ahead": -self.growth.at,
            "by": written(self.growth.by),
            "count": self.members,
        }
        rule |= {"grow": [growth], "cases": []}
        for cells, turns, ranges in self.cases():
            case = {
                "forbid": [MOVE_NAMES[at] for at in cells],
                "turns": [TURN_NAMES[turn] for turn in turns],
            }
            if not never:
                case["low"], case["high"] = map(list, zip(*ranges, strict=True))
            rule["cases"].append(case)
        return rule_text(rule)

    def rule(self, name: str = "found", reason: str = "found") -> RuleSpec:
        """Return the rule, read from its text as any other."""
        return read_rule(self.toml(name, "oneway discover", reason))


def families(picture: Picture, reach: int) -> Iterator[Family]:
    """Yield the families of a picture, of members that a square of so many cells holds.

    A way whose numbers the other cells and areas do not change is left out: it belongs
    to the picture with its first area alone.
    """
    for page, growth in growths(picture):
        found = family(*_smallest(page, growth), reach) or family(page, growth, reach)
        if found is not None:
            yield found


def _smallest(page: Picture, growth: Growth) -> tuple[Picture, Growth]:
    """Return the smallest picture that grows into another, and its growth."""
    while growth.at < -1:
        less = enlarged(page, growth, -1)
        areas = [  # cells that come to lie on each other are one
            replace(area, cells=tuple(dict.fromkeys(area.cells))) for area in less.areas
        ]
        areas = [replace(area, least=len(area.cells)) for area in areas]
        less = replace(less, areas=tuple(areas))
        before = replace(growth, at=growth.at + 1)
        if not sound_lines(less) or enlarged(less, before, 1) != page:
            break
        page, growth = less, before
    return page, growth


def family(page: Picture, growth: Growth, reach: int) -> Family | None:
    """Return the family of one growth; None if it has no table of its own."""
    bare = Picture((), page.areas[:1])
    ranges = {
        way: found
        for way in ways_of(page)
        if (found := _ranges(page, bare, growth, way, reach))
    }
    tables: dict[tuple[Range, ...], list[Way]] = {}
    for way, found in ranges.items():
        if not _idle(page, way, ranges):
            tables.setdefault(found, []).append(way)
    if not tables:
        return None
    of = [(tuple(ways), found) for found, ways in tables.items()]
    return Family(page, growth, tuple(of))


def _ranges(
    page: Picture, bare: Picture, growth: Growth, way: Way, reach: int
) -> tuple[Range, ...]:
    """Return what each member allows; nothing if its line alone allows as little.

    Numbers that go on regularly are asked of the last member alone: the prover, which
    is asked of each, has the last word.
    """
    grown = (enlarged(page, growth, times) for times in range(_LONGEST))
    fits = takewhile(lambda one: sound_lines(one) and extent(one) <= reach, grown)
    members = list(fits)
    ranges: list[Range] = []
    own = bare == page
    for times, member in enumerate(members):
        if len(ranges) == _REGULAR:
            more = going_on(ranges, len(members) - times)
            if more and bounds(members[-1], way) == more[-1]:
                ranges += more
                break
        found = bounds(member, way)
        if found is None:
            break
        if not own:
            own = bounds(enlarged(bare, growth, times), way) != found
            if not own and times >= _TRIED:
                return ()
        ranges.append(found)
    return tuple(ranges) if own else ()


def going_on(ranges: Sequence[Range], count: int) -> list[Range]:
    """Return how some ranges go on, if the same step comes again and again.

    Of one, two or four members; none if no step does.

    >>> going_on([(0, 3), (0, 0), (0, 1), (-1, 1), (-1, 2), (-2, 2)], 3)
    [(-2, 3), (-3, 3), (-3, 4)]
    """
    for period in (1, 2, 4):
        last = ranges[-period - 3 :]
        steps = {
            (b[0] - a[0], b[1] - a[1])
            for a, b in zip(last, last[period:], strict=False)
        }
        if len(last) < period + 3 or len(steps) != 1:
            continue
        (step,) = steps
        if NEVER in last and step != (0, 0):
            continue
        found = list(ranges)
        for _ in range(count):
            low, high = found[-period]
            found.append((low + step[0], high + step[1]))
        return found[len(ranges) :]
    return []


def _idle(page: Picture, way: Way, ranges: dict[Way, tuple[Range, ...]]) -> bool:
    """Tell whether what a way excludes is excluded of all three ways to go on.

    Then no completable position has it, and nothing need be forbidden.
    """
    turn, mine = way[0], ranges[way]
    for move in _MOVES:
        target, others = page_cell(turn, move), ranges.get((turn, move))
        if others is not None:
            for one, other in zip(mine, others, strict=False):
                if other != NEVER and (other[0] < one[0] or other[1] > one[1]):
                    return False
            if len(others) < len(mine):
                return False
        else:
            letter = dict(page.cells).get(target, ".")
            if target not in _taken(page) and STATES[letter][0] & FREE:
                return False  # it is not shown taken
    return True
