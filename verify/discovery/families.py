"""All that a picture forbids, and the families that it grows into.

A picture is found for one move in one pose. Laid in another turn, or asked for another
move, the same facts may do as well: then it is one rule that forbids more.

A drawing found for one gap has a line of so many cells. Move a row or a column of it,
with all that lies farther out, and fill the gap with marked cells: that is how a table
of `grow` in a rule file says it. The same drawing with a longer line, straight on or by
more steps of a stair, holds as well, with other numbers. The prover's solver finds
those member by member, up to a limit. For each way to go on the table has the lowest
and the highest surplus of the area that is not impossible.
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
from heuristic.rules.letters import STATES, TURN_NAMES, area_table, rule_text
from heuristic.rules.rulefile import Growth, parse_rules
from solver.symmetry import ROTATIONS, Symmetry
from verify.discovery.areas import blank, exactly, weakest
from verify.discovery.question import (
    BEHIND,
    Fact,
    Found,
    Picture,
    Question,
    drawing_table,
    question,
    rule_head,
)
from verify.proof.encoding import NoBounds, bounds_of, strip
from verify.proof.formula import Scope
from verify.proof.window import FREE, LIVE, VISITED, from_drawing, neighbours

Way: TypeAlias = tuple[Symmetry, int]  # of the page; the move in the heading frame
Range: TypeAlias = tuple[int, int]  # lowest and highest surplus; (1, 0): none
NEVER: Range = (1, 0)
MOVE_NAMES = {at: name for name, at in MOVES.items()}
_MOVES = (0, 1, 3)  # straight on, right, left
_LYING = (  # ways to lay a picture that grows ahead or to the left
    Symmetry.IDENTITY,
    Symmetry.FLIP_COLS,
    Symmetry.ROTATE_HALF,
    Symmetry.FLIP_ROWS,
)
_LONGEST = 40  # steps that a picture grows
_TRIED = 3  # steps after which a way without numbers of its own is given up
_SECONDS = 3.0  # of processor time, for one way of one member


def conditions(asked: Question, areas: Sequence[AreaSpec]) -> list[Fact]:
    """Return the sums of doors that the areas' conditions exclude, as facts."""
    pairs = zip(areas, asked.sums, strict=True)
    return [
        name
        for area, sums in pairs
        for surplus, name in sums.items()
        if not area.allows(surplus)
    ]


def closed(picture: Picture, radius: int) -> Found | None:
    """Return a picture with every move that it makes impossible in any turn.

    None if it makes none impossible.
    """
    forbids = []
    for turn in ROTATIONS:
        lying = picture.turned(turn)
        moves = tuple(
            move
            for move in (_MOVES if _open_behind(lying, BEHIND) else ())
            if _impossible(lying, move, radius)
        )
        if moves:
            forbids.append((turn, moves))
    return Found(picture, tuple(forbids)) if forbids else None


def _impossible(lying: Picture, move: int, radius: int) -> bool:
    """Whether no completion begins with a move where a picture lies so."""
    if move == 1:  # formulas are for moves straight on and to the left
        lying, move = lying.turned(Symmetry.FLIP_COLS), 3
    target = neighbours(LIVE)[move]
    # no letter says of a forbidden cell that it is not the end
    if dict(lying.cells).get(target, ".") in ("K", "o") or not _steps_to(lying, target):
        return False
    asked = question(move, radius, tuple(map(blank, lying.areas)))
    facts = [x for x in lying.facts_of_cells() if x[0] == "dead" or x[1] != target]
    return asked.core([*facts, *conditions(asked, lying.areas)]) is not None


def _steps_to(picture: Picture, target: Spot) -> bool:
    """Whether a picture lets a cell be free."""
    taken = {at for area in picture.areas for at in (area.base, area.wall)} - {LIVE}
    letter = dict(picture.cells).get(target, ".")
    return target not in taken and bool(STATES[letter][0] & FREE)


def _open_behind(picture: Picture, behind: Spot) -> bool:
    """Whether a picture lets the cell behind be visited."""
    free = {at for area in picture.areas for at in area.cells} | picture.of_step()
    letter = dict(picture.cells).get(behind, "#")
    return bool(STATES[letter][0] & VISITED) and behind not in free


def counting_less(asked: Question, picture: Picture) -> Picture:
    """Return a picture whose areas' conditions are as weak as will do."""
    areas = [*picture.areas]
    for place, sums in enumerate(asked.sums):
        own, excluded = areas[place], set()
        for surplus in sums:
            areas[place] = exactly(own, surplus)
            facts = [*picture.facts_of_cells(), *conditions(asked, areas)]
            if asked.core(facts) is not None:
                excluded.add(surplus)
        areas[place] = weakest(sums, own, excluded)
    return replace(picture, areas=tuple(areas))


def enlarged(picture: Picture, growth: Growth, times: int) -> Picture:
    """Return a picture after so many steps of its growth."""

    def land(at: Spot) -> Spot:
        return growth.moved(at, times)

    def area(one: AreaSpec) -> AreaSpec:
        # cells that come to lie on each other are one
        line = tuple(dict.fromkeys(growth.line(one.cells, times)))
        new = replace(one, cells=line, entry=line[0], least=len(line))
        return replace(new, base=land(one.base), wall=land(one.wall))

    return picture.placed(land, area)


def in_front(picture: Picture, number: int) -> Picture:
    """Return a picture with one of its areas in front, of which nothing is counted."""
    areas = list(picture.areas)
    area = areas.pop(number)
    return replace(picture, areas=(blank(area), *areas))


def drawable(picture: Picture) -> bool:
    """Whether a picture can be drawn: lines in one piece, no cell asked twice."""
    lined: set[Spot] = set()
    for area in picture.areas:
        way = (area.base, *area.cells, area.wall)
        steps = [(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in pairwise(way)]
        if len(set(way)) < len(way) or lined & set(area.cells):
            return False
        if max(map(max, steps)) != 1 or any(sum(step) != 1 for step in steps[1:-1]):
            return False
        if set(area.inside) & set(area.outside) or LIVE_END in area.cells:
            return False
        lined |= set(area.cells)
    walls = {at for area in picture.areas for at in (area.base, area.wall)}
    cells = {cell for cell, _ in picture.cells}
    apart = not lined & walls and not cells & (lined | walls) and LIVE_END not in cells
    return apart and not walls & picture.of_step()


def growths(picture: Picture) -> Iterator[tuple[Picture, Growth]]:
    """Yield the ways that a picture can grow, each with the picture turned for it.

    The area in front is the one whose line grows. Of ways that come to the same line
    the one is given that leaves most where it is.
    """
    seen = set()
    for number in range(len(picture.areas)):
        front = in_front(picture, number)
        for turn in _LYING:
            page = front.turned(turn)
            for growth in _tried(page.areas[0]):
                line = Picture((), enlarged(page, growth, 1).areas)
                key = frozenset(map(line.turned, Symmetry))
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
    """Whether the first area's line becomes longer, and all stays a drawing."""
    members = [enlarged(page, growth, times) for times in range(3)]
    lengths = [len(member.areas[0].cells) for member in members]
    return lengths[0] < lengths[1] < lengths[2] and all(map(drawable, members[1:]))


def extent(picture: Picture) -> int:
    """Return how many rows or columns a picture takes, its larger side."""
    cells = {LIVE, *picture.of_areas(), *picture.of_step()}
    cells |= {cell for cell, _ in picture.cells}
    top, left, bottom, right = box_around(cells)
    return max(bottom - top, right - left) + 1


def ways_of(picture: Picture) -> Iterator[Way]:
    """Yield the ways to go on that a picture leaves open."""
    letters = dict(picture.cells)
    for turn in ROTATIONS:
        if not _open_behind(picture, page_cell(turn, 2)):
            continue
        for move in _MOVES:
            target = page_cell(turn, move)
            if letters.get(target, ".") == "." and _steps_to(picture, target):
                yield turn, move


def bounds(picture: Picture, way: Way) -> Range | None:
    """Return the surpluses of the first area that are not impossible; None: unknown."""
    asked = picture.letters().items()
    needs = {at: CellNeed(at, *STATES[letter]) for at, letter in asked}
    for area in picture.areas:
        needs |= {at: CellNeed(at, CellState.FREE) for at in area.cells}
        for at in {area.base, area.wall} - {LIVE_END}:
            needs.setdefault(at, CellNeed(at, TAKEN))
    drawing = Drawing(
        needs=tuple(needs[at] for at in sorted(needs, key=left_ahead)),
        areas=picture.areas,
        forbidden=tuple(neighbours(LIVE)),
        facts=(("dead", *picture.step),) if picture.step else (),
    )
    turn, move = way
    window = from_drawing(drawing, turn, page_cell(turn, move))
    assert window is not None
    answer = bounds_of(strip(window), Scope.PLAIN, seconds=_SECONDS)
    if answer is NoBounds.NEVER:
        return NEVER
    return None if answer is NoBounds.UNKNOWN else answer


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

    def toml(self, name: str, origin: str, reason: str, boards: str = "") -> str:
        """Return the rule as text of a rule file; `boards` names those it is for."""
        front, *others = self.picture.areas
        rule = rule_head(name, origin, reason, boards) | drawing_table(self.picture)
        never = {ranges for _, ranges in self.tables} == {(NEVER,) * self.members}
        front = replace(front, kind=Kind.CLOSED if never else Kind.BEYOND)
        rule["area"] = [area_table(area) for area in (front, *others)]
        growth = {
            "name": "D",
            "first": len(front.cells),
            "left" if self.growth.axis else "ahead": -self.growth.at,
            "by": written(self.growth.by),
            "count": self.members,
        }
        rule |= {"grow": [growth], "cases": []}
        for ways, ranges in self.tables:
            turns_of: dict[Spot, list[str]] = {}
            for turn, move in ways:
                turns = turns_of.setdefault(page_cell(turn, move), [])
                turns.append(TURN_NAMES[turn])
            for cell, turns in turns_of.items():
                case = {"forbid": [MOVE_NAMES[cell]], "turns": turns}
                if not never:
                    case["low"], case["high"] = map(list, zip(*ranges, strict=True))
                rule["cases"].append(case)
        return rule_text(rule)


def rule_of(
    drawn: Found | Family, name: str = "found", reason: str = "found"
) -> RuleSpec:
    """Return the rule of a picture or a family, read from its text as any other."""
    return parse_rules(drawn.toml(name, "oneway discover", reason), "found")[0]


def families(picture: Picture, reach: int) -> Iterator[Family]:
    """Yield the families of a picture, of members that a square of so many cells holds.

    A way whose numbers the other cells and areas do not change is left out: it belongs
    to the picture with its first area alone.
    """
    for page, growth in growths(picture):
        grown = family(*_smallest(page, growth), reach) or family(page, growth, reach)
        if grown is not None:
            yield grown


def _smallest(page: Picture, growth: Growth) -> tuple[Picture, Growth]:
    """Return the smallest picture that grows into another, and its growth."""
    while growth.at < -1:
        less = enlarged(page, growth, -1)
        before = replace(growth, at=growth.at + 1)
        if not drawable(less) or enlarged(less, before, 1) != page:
            break
        page, growth = less, before
    return page, growth


def family(page: Picture, growth: Growth, reach: int) -> Family | None:
    """Return the family of one growth; None if it has no table of its own."""
    tables: dict[tuple[Range, ...], list[Way]] = {}
    for way in ways_of(page):
        if ranges := _ranges(page, growth, way, reach):
            tables.setdefault(ranges, []).append(way)
    if not tables:
        return None
    of = [(tuple(ways), ranges) for ranges, ways in tables.items()]
    return Family(page, growth, tuple(of))


def _ranges(page: Picture, growth: Growth, way: Way, reach: int) -> tuple[Range, ...]:
    """Return what each member allows; nothing if its line alone allows as little."""
    grown = (enlarged(page, growth, times) for times in range(_LONGEST))
    members = takewhile(lambda one: drawable(one) and extent(one) <= reach, grown)
    bare = Picture((), page.areas[:1])
    own, ranges = bare == page, list[Range]()
    for times, member in enumerate(members):
        allowed = bounds(member, way)
        if allowed is None:
            break
        own = own or bounds(enlarged(bare, growth, times), way) != allowed
        if not own and times >= _TRIED:
            return ()
        ranges.append(allowed)
    return tuple(ranges) if own else ()
