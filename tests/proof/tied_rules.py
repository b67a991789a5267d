"""Minimal rules about forced edges that need planarity, a rim or corners.

A dead move beside the rim is taken from a position. Facts are what the position shows:
states of cells near the live end and of those outside, forced edges, in `RIM` a counted
area. They exclude the move by the formula of the scope. While they do so by that of
every board too, or without the forced edges, one of the facts that are needed for that
is left out.

Then more facts are left out, or letters made weaker, in random order, cells first,
while the rest still excludes the move. So the rule that is left is *minimal*: no letter
can be made weaker or be left out, and no forced edge, line or count of an area be left
out, so that the formula of the same square of cells excludes the move in the same
scope. Where three or more forced edges make a chain, it is made a forced line between
its ends, the edges between hidden, and if that will do it is made minimal as well.

The widest scope for which the prover then proves the rule is the rule's scope.
"""

import random
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise

from heuristic.rules.drawing import LIMIT, LIVE_END, AreaSpec, Turn
from solver.errors import RuleError
from solver.positions import PositionTree
from verify.discovery.areas import blank, cuts_of, exactly
from verify.discovery.explaining import (
    Page,
    _weaker,
    facts_of,
    page_of,
    picture_of,
    square,
    ties_of,
)
from verify.discovery.families import conditions
from verify.discovery.gaps import Gaps, missed_by
from verify.discovery.question import (
    BEHIND,
    Ask,
    Fact,
    Found,
    Picture,
    Question,
    question,
    read_rule,
)
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule
from verify.proof.view import OUT, Spot, area_of, edge, rc

NARROW = (Scope.PLANAR, Scope.RIM, Scope.CORNERS)
_NEAR = 2  # lines and columns from the live end to the rim, at most
_EACH = 30  # dead moves taken from one board
_ORDER = {"m": 2, "j": 1}  # lines go last, then forced edges: they stand for much


def _by_the_rim(gaps: Gaps, number: int) -> bool:
    board = gaps.board
    row, col = divmod(int(gaps.live[number]), board.cols)
    return min(row, board.rows - 1 - row, col, board.cols - 1 - col) < _NEAR


def lined(picture: Picture) -> Iterator[Picture]:
    """Yield a picture with one chain of forced edges, three or more, made a line.

    Its first and last edge are left, and its ends are the ends of the line.
    """
    of: dict[Spot, list[Spot]] = {}
    for a, b in picture.pairs("joined"):
        of.setdefault(a, []).append(b)
        of.setdefault(b, []).append(a)
    for end in sorted(of):
        way = [end]
        while len(way) < 2 or len(of[way[-1]]) == 2:
            (then, *_) = (x for x in of[way[-1]] if x not in way[-2:])
            way.append(then)
            if len(of[end]) > 1 or len(way) > len(of):
                break
        if len(of[end]) == len(of[way[-1]]) == 1 and len(way) > 3 and end < way[-1]:
            inner = {("joined", *edge(a, b)) for a, b in pairwise(way[1:-1])}
            line = ("mates", *edge(end, way[-1]))
            ties = sorted({*picture.ties, line}.difference(inner))
            yield replace(picture, ties=tuple(ties)).tidy()


def asked_of(page: Page, scope: Scope, rng: random.Random) -> Ask | None:
    """Return what is asked of a page: how far it looks, in `RIM` with one area.

    Without planarity only one thing shows a rim: an area between the live end and a
    wall that may lie outside, and a move to one side of it.
    """
    if scope is not Scope.RIM:
        return Ask(page.move, 2, scope)
    areas = []
    for cut in cuts_of(page, (1, 3)):
        seen = area_of(cut.area, BEHIND)
        by_move = page.target in seen.facing | seen.averted
        outside = page.state(rc(cut.area.wall)) == OUT
        if cut.area.base == LIVE_END and by_move and outside:
            areas.append(exactly(cut.area, cut.surplus))
    if not areas:
        return None
    return Ask(page.move, rng.choice((1, 2)), scope, (rng.choice(areas),))


class Asked:
    """One question in its scope, and in that of all boards."""

    def __init__(self, one: Ask, areas: tuple[AreaSpec, ...]) -> None:
        plain = question(Ask(one.move, one.radius, Scope.PLAIN, one.areas))
        self._pairs = [(q, conditions(q, areas)) for q in (question(one), plain)]

    def core(self, facts: Collection[Fact]) -> frozenset[Fact] | None:
        """Return the facts that exclude the move in the scope."""
        return self._of(0, facts)

    def everywhere(self, facts: Collection[Fact]) -> frozenset[Fact] | None:
        """Return those that exclude it on every board."""
        return self._of(1, facts)

    def _of(self, which: int, facts: Collection[Fact]) -> frozenset[Fact] | None:
        asked: Question
        asked, fixed = self._pairs[which]
        core = asked.core([*facts, *fixed])
        return None if core is None else core.difference(fixed)


def _drawn(page: Page, one: Ask, rng: random.Random) -> tuple[Picture, Asked] | None:
    """Leave out facts until the rest needs the scope and what is forced."""
    cells = list(one.window().cells())
    near = square(rng.choice((1, 1, 2)))
    shown = [x for x in cells if x in near or page.state(x) == OUT]
    facts = facts_of(page.bare, shown)
    kept = [*facts, *(x for x in ties_of(page, cells, cells) if x[0] == "joined")]
    exact = Asked(one, one.areas)
    if exact.core(kept) is None:
        return None
    while blamed := exact.everywhere(kept) or exact.core(_free(kept)):
        loose = [x for x in kept if x in blamed]
        rng.shuffle(loose)
        for one_less in loose:
            fewer = [x for x in kept if x != one_less]
            if exact.core(fewer) is not None:
                kept = fewer
                break
        else:
            return None
    for areas in _counts(one.areas):
        asked = Asked(one, areas)
        if (core := asked.core(kept)) is not None:
            return picture_of(page, core, areas), asked
    return None


def _free(facts: Collection[Fact]) -> list[Fact]:
    """Return facts without forced edges."""
    return [fact for fact in facts if fact[0] != "joined"]


def _counts(areas: tuple[AreaSpec, ...]) -> Iterator[tuple[AreaSpec, ...]]:
    """Yield weaker counts of an area first: none, one bound, the number itself."""
    if areas:
        (one,) = areas
        yield (blank(one),)
        for low, high in ((one.low, LIMIT), (-LIMIT, one.high)):
            yield (replace(one, low=low, high=high),)
    yield areas


def _fewer(picture: Picture, asked: Asked, rng: random.Random) -> Picture:
    """Leave out of a picture what the rest can do without."""
    while True:
        options = list(_weaker(picture))
        rng.shuffle(options)
        options.sort(key=lambda option: _ORDER.get(option[0][1][0], 0))
        for _, fewer in options:
            if asked.core(fewer.known()) is not None:
                picture = fewer
                break
        else:
            return picture


def minimal(page: Page, scope: Scope, rng: random.Random) -> Iterator[Picture]:
    """Yield pictures of a page as the module says: one, and those with a line."""
    one = asked_of(page, scope, rng)
    drawn = _drawn(page, one, rng) if one else None
    if drawn is None:
        return
    picture, asked = drawn
    picture = _fewer(picture, asked, rng)
    yield picture
    for other in lined(picture):
        if asked.core(other.known()) is not None and not asked.everywhere(
            other.known()
        ):
            yield _fewer(other, asked, rng)


def pictures(
    tree: PositionTree, scope: Scope, rng: random.Random
) -> Iterator[tuple[Picture, int]]:
    """Yield minimal pictures of dead moves of a tree, with their moves, 0 or 3.

    A mirrored one is the same, and is given once.
    """
    gaps = missed_by((), tree)
    near = [i for i in range(len(gaps)) if _by_the_rim(gaps, i)]
    for number in rng.sample(near, min(len(near), _EACH)):
        page = page_of(gaps, number)
        for picture in minimal(page, scope, rng):
            if page.move == 0:
                picture = min(picture, picture.turned(Turn.NONE, True), key=repr)
            if picture.pairs("joined"):
                yield picture, page.move


def text_of(picture: Picture, move: int, name: str) -> str:
    """Return a picture as text of a rule file."""
    moved = Found(picture, ((Turn.NONE, (move,)),))
    return moved.toml(name, "generated", "its formula has no model")


def proved(text: str, scope: Scope) -> Proved | None:
    """Return the proof of a rule; None where no rule file says it or none is found."""
    try:
        rule = read_rule(text)
    except RuleError:
        return None
    found = prove_rule(rule, seconds=10.0, within=scope)
    return found if isinstance(found, Proved) else None
