"""All that a picture forbids: each turn of the page, each move, asked for itself.

A picture is found for one move in one pose. Laid in another turn, or asked for another
move, the same facts may do as well: then it is one rule that forbids more.
"""

from collections.abc import Sequence
from dataclasses import replace

from heuristic.rules.drawing import LIMIT, AreaSpec, Kind, Turn
from verify.discovery.areas import exactly, weakest
from verify.discovery.question import BEHIND, TIES, Ask, Fact, Question, question
from verify.discovery.sketch import STATES, Found, Picture
from verify.proof.formula import Scope
from verify.proof.view import FREE, LIVE, VISITED, area_of, neighbours, rc


def blank(area: AreaSpec) -> AreaSpec:
    """Return an area of which nothing is counted."""
    return replace(area, kind=Kind.CLOSED, low=-LIMIT, high=LIMIT)


def conditions(asked: Question, areas: Sequence[AreaSpec]) -> list[Fact]:
    """Return the sums of doors that the areas' conditions exclude, as facts."""
    found = []
    for area, sums in zip(areas, asked.sums, strict=True):
        judge = area_of(area, None)
        found += [name for surplus, name in sums.items() if not judge.allows(-surplus)]
    return found


def closed(picture: Picture, radius: int, scope: Scope) -> Found | None:
    """Return a picture with every move that it makes impossible in any turn.

    None if it makes none impossible.
    """
    forbids = []
    for turn in Turn:
        lying = picture.turned(turn, False)
        if not _possible(lying):
            continue
        moves = [
            move
            for move in (0, 1, 3)
            if impossible(picture.turned(turn, move == 1), move, radius, scope)
        ]
        if moves:
            forbids.append((turn, tuple(moves)))
    return Found(picture, tuple(forbids)) if forbids else None


def impossible(lying: Picture, move: int, radius: int, scope: Scope) -> bool:
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
    asked = question(Ask(canonical, radius, scope, tuple(map(blank, lying.areas))))
    facts = [x for x in lying.known() if x[0] in TIES or x[1] != target]
    return asked.core([*facts, *conditions(asked, lying.areas)]) is not None


def _taken(lying: Picture) -> set[tuple[int, int]]:
    return {rc(at) for area in lying.areas for at in (area.base, area.wall)} - {LIVE}


def _possible(lying: Picture) -> bool:
    """Tell whether the picture lets the cell behind be visited."""
    letter = dict(lying.cells).get(BEHIND)
    if letter is not None and not STATES[letter][0] & VISITED:
        return False
    lines = {rc(at) for area in lying.areas for at in area.cells}
    return BEHIND not in lines | lying.of_ties()


def counting_less(asked: Question, picture: Picture) -> Picture:
    """Return a picture whose areas' conditions are as weak as will do."""
    areas = [*picture.areas]
    for place, sums in enumerate(asked.sums):
        impossible = {
            surplus
            for surplus in sums
            if asked.core(_counted(asked, picture, areas, place, surplus)) is not None
        }
        areas[place] = weakest(sums, areas[place], impossible)
    return replace(picture, areas=tuple(areas))


def _counted(
    asked: Question,
    picture: Picture,
    areas: list[AreaSpec],
    place: int,
    surplus: int,
) -> list[Fact]:
    """Return what a picture knows, if one of its areas had a certain surplus."""
    one = exactly(areas[place], surplus)
    some = [*areas[:place], one, *areas[place + 1 :]]
    return [*picture.known(), *conditions(asked, some)]
