"""From gaps to drawings: explain a gap, generalise, see what else the drawing catches.

A core of facts explains a gap. The search removes cells from it one by one. First goes
the cell whose loss lets the drawing fit most of the gaps that are still open, then the
cell farthest from the live end. So the board makes a drawing general, and the solver
keeps it right.

A `Pool` holds the drawings, each with the gaps that it catches.
"""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product
from math import inf
from operator import attrgetter
from time import process_time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.rules.drawing import MOST_COUNTED, AreaSpec, RuleSpec, Spot
from heuristic.rules.letters import LETTER, STATES
from solver.board import ROTATIONS, Symmetry
from solver.errors import RuleError
from verify.discovery.areas import (
    LONG,
    SHORT,
    Cut,
    Followed,
    conditions_of,
    cuts_of,
    exactly,
    weakest,
    without_condition,
)
from verify.discovery.gaps import (
    STRAIGHT,
    Bools,
    Gaps,
    Page,
    cells_within,
    columns_of,
    page_of,
    vicinities_of,
)
from verify.discovery.question import (
    BEHIND,
    Fact,
    Forbids,
    Picture,
    Question,
    question,
    rule_of,
)
from verify.proof.window import FREE, LIVE, STATE_NAMES, VISITED, edge, neighbours

Floats: TypeAlias = npt.NDArray[np.float64]
Explained: TypeAlias = Iterator[tuple[Picture, int]]  # pictures, and their radius
_Step: TypeAlias = tuple[Spot, str]  # a cell, and the letter that it gets or loses

FEW = 8  # facts of a drawing that is easy to read
ENOUGH = 12  # facts of a drawing, at most, where there are many gaps
_SECONDS = 12.0  # of processor time for one of many gaps
_NEAR_RADII, _FAR_RADII = (2, 3), (4,)  # of windows; the first that explains is taken
_RADIUS = 4  # of the views that show what else a drawing fits
_DRAWINGS = 3  # of each kind, for one gap
_PICTURES, _FEWER = 30, 8  # pictures to choose from; the same where gaps are many
_PAIRED = 8  # cuts to try in pairs
_LONG_CUTS = 40  # that are tried where there are many gaps, the nearest first
_FOLLOWED = 8  # areas with which a step that is followed is dead, for one gap
_TOGETHER = 3  # areas of a drawing of a step that is followed
_MOVES = (0, 1, 3)  # straight on, right, left
_WEAKER = {".": "o", "#": "%o", "B": "%", "K": ".o"}


# Pictures ------------------------------------------------------------------------


def facts_of(page: Page, cells: Collection[Spot]) -> list[Fact]:
    """Return all that a page shows of some cells, but of the forbidden one."""
    facts: list[Fact] = []
    for cell in cells:
        if cell in (LIVE, page.target):
            continue
        state = page.state(cell)
        facts += [(name, cell) for name, bit in STATE_NAMES if not state & bit]
        if state == FREE and cell != page.end:
            facts.append(("T", cell))
    return facts


def picture_of(
    page: Page, core: Collection[Fact], areas: Sequence[AreaSpec] = ()
) -> Picture:
    """Return the cells that a core speaks of, and some areas, as a picture."""
    names: dict[Spot, set[str]] = {}
    marked = Picture((), tuple(areas)).of_areas()
    for name, *rest in core:
        if name in ("free", "visited", "out", "T") and rest[0] not in marked:
            names.setdefault(rest[0], set()).add(str(name))  # type: ignore[arg-type] # cells
    cells = sorted((cell, _letter(page, cell, facts)) for cell, facts in names.items())
    return Picture(tuple(cells), tuple(areas))


def _letter(page: Page, cell: Spot, facts: Collection[str]) -> str:
    """Return the weakest letter that says some facts, or else the cell as it is."""
    states = sum(bit for name, bit in STATE_NAMES if name not in facts)
    if (states, "T" in facts) in LETTER:
        return LETTER[states, "T" in facts]
    state = page.state(cell)
    return LETTER[state, state == FREE and "T" in facts]


def forbidden_by(picture: Picture, radius: int) -> Forbids:
    """Return every move that a picture makes impossible, in any turn."""
    forbids = []
    for turn in ROTATIONS:
        lying = picture.turned(turn)
        free = {at for area in lying.areas for at in area.cells} | {*(lying.step or ())}
        behind = STATES[dict(lying.cells).get(BEHIND, "#")][0]
        if not behind & VISITED or BEHIND in free:
            continue
        moves = tuple(move for move in _MOVES if _impossible(lying, move, radius))
        if moves:
            forbids.append((turn, moves))
    return tuple(forbids)


def _impossible(lying: Picture, move: int, radius: int) -> bool:
    """Return whether no completion begins with a move where a picture lies so."""
    if move == 1:  # formulas are for moves straight on and to the left
        lying, move = lying.turned(Symmetry.FLIP_COLS), 3
    target = neighbours(LIVE)[move]
    taken = {at for area in lying.areas for at in (area.base, area.wall)}
    letter = dict(lying.cells).get(target, ".")
    # no letter of a forbidden cell says that it is not the end
    if letter in ("K", "o") or target in taken or not STATES[letter][0] & FREE:
        return False
    query = question(move, radius, tuple(map(without_condition, lying.areas)))
    facts = [x for x in lying.as_facts() if x[0] == "dead" or x[1] != target]
    return query.core([*facts, *query.excluded(lying.areas)]) is not None


def counting_less(query: Question, picture: Picture) -> Picture:
    """Return a picture whose areas' conditions are as weak as will do."""
    areas = [*picture.areas]
    for place, sums in enumerate(query.sums):
        own, impossible = areas[place], set()
        for surplus in sums:
            areas[place] = exactly(own, surplus)
            if query.core([*picture.as_facts(), *query.excluded(areas)]) is not None:
                impossible.add(surplus)
        areas[place] = weakest(sums, own, impossible)
    return replace(picture, areas=tuple(areas))


# The pool ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A drawing of the pool: a picture with all that it forbids, and its rule."""

    picture: Picture
    forbids: Forbids
    rule: RuleSpec


class Pool:
    """Drawings for the gaps of a board, each with the gaps that it catches.

    - `quick`: gaps are many. A gap gets some seconds, drawings have at most `ENOUGH`
      facts, steps are followed first, and only the nearest long lines are tried.
    - `columns`, (gaps, candidates) bool
    - `open`, (gaps,) bool: which gaps no drawing catches.
    - `views`: what all gaps show.
    """

    def __init__(self, gaps: Gaps, *, quick: bool = False) -> None:
        self.gaps, self.quick = gaps, quick
        self.candidates = list[Candidate]()
        self.columns: Bools = np.zeros((len(gaps), 0), np.bool_)
        self.open: Bools = np.ones(len(gaps), np.bool_)
        self.views = vicinities_of(gaps, _RADIUS)
        self._tried = set[Picture]()

    def add(self, candidates: Sequence[Candidate]) -> Bools:
        """Add drawings to the pool; return which gaps they catch together."""
        self.candidates += candidates
        self._tried |= {candidate.picture for candidate in candidates}
        new = columns_of((candidate.rule for candidate in candidates), self.gaps)
        self.columns = np.hstack([self.columns, new])
        caught: Bools = np.logical_or.reduce(new, axis=1)
        self.open &= ~caught
        return caught

    def drop(self, number: int) -> None:
        """Remove a drawing."""
        del self.candidates[number]
        self.columns = np.delete(self.columns, number, axis=1)
        self.open = ~np.logical_or.reduce(self.columns, axis=1)

    def candidate(self, picture: Picture, radius: int) -> Candidate | None:
        """Return a picture with all that it forbids.

        None if it was tried before, forbids nothing, or cannot be drawn. A letter may
        say less than the core did.
        """
        if picture in self._tried:
            return None
        self._tried.add(picture)
        with suppress(RuleError):
            if forbids := forbidden_by(picture, radius):
                return Candidate(picture, forbids, rule_of(picture, forbids))
        return None


# Explanations --------------------------------------------------------------------


class Search:
    """The explanations of one gap of a pool.

    - `number`: the gap.
    - `weights`, (gaps,) float: what each gap is worth to a drawing that catches it too.
    """

    def __init__(self, pool: Pool, number: int, weights: Floats) -> None:
        self.pool, self.weights = pool, weights
        self.page = page_of(pool.gaps, number)
        self._until = process_time() + _SECONDS if pool.quick else inf

    def explain(self) -> Iterator[Candidate]:
        """Yield drawings, of one kind after the other, until one asks for few facts.

        The kinds: the followed step (where gaps are many), an area behind a short line,
        a near window, two areas, an area behind a longer line. If none of these
        explains the gap: an area behind a long line, a wide window.
        """
        kinds: tuple[tuple[Explained, int], ...] = (
            (by_following(self.page) if self.pool.quick else iter(()), FEW),
            (self.by_areas(SHORT), FEW),
            (self._by_windows(_NEAR_RADII), FEW),
            (self.by_pairs(), FEW),
            (self.by_areas(LONG[0]), sys.maxsize),
            (self.by_areas(LONG[1]), ENOUGH),
            (self._by_windows(_FAR_RADII), ENOUGH),
        )
        fewest = inf
        for explained, enough in kinds:
            for candidate in self._best(explained):
                fewest = min(fewest, candidate.picture.facts)
                yield candidate
            if fewest <= enough:
                return

    def _best(self, explained: Explained) -> Iterator[Candidate]:
        quick = self.pool.quick
        some = list(islice(explained, _FEWER if quick else _PICTURES))
        some.sort(key=lambda pair: pair[0].facts)
        candidates = (
            self.pool.candidate(picture, radius)
            for picture, radius in some
            if not quick or picture.facts <= ENOUGH
        )
        yield from islice(filter(None, candidates), _DRAWINGS)

    def _late(self) -> bool:
        return process_time() > self._until

    def _by_windows(self, radii: Sequence[int]) -> Explained:
        """Yield the picture of the first window that explains the gap."""
        for radius in radii:
            if self._late():
                return
            query = question(self.page.move, radius)
            core = query.core(facts_of(self.page, cells_within(radius)))
            if core is not None:
                yield self._general(query, picture_of(self.page, core)), radius
                return

    def by_areas(self, lengths: tuple[int, int]) -> Explained:
        """Yield pictures with one area that explain the gap."""
        cuts = cuts_of(self.page, lengths)
        if self.pool.quick and lengths != SHORT:
            cuts = cuts[:_LONG_CUTS]
        for cut in cuts:
            for radius in (1, 2):
                if self._late():
                    return
                if picture := self._with_areas(radius, (cut,)):
                    yield picture, radius
                    break

    def by_pairs(self) -> Explained:
        """Yield pictures with two areas that explain the gap, near ones first."""
        cuts = cuts_of(self.page)[:_PAIRED]
        pairs = [
            (first, second)
            for number, second in enumerate(cuts)
            for first in cuts[:number]
            if not set(first.area.cells) & set(second.area.cells)
        ]
        for radius, pair in product((1, 2), pairs):
            if self._late():
                return
            if picture := self._with_areas(radius, pair):
                yield picture, radius

    def _with_areas(self, radius: int, cuts: tuple[Cut, ...]) -> Picture | None:
        """Return a picture with the areas of cuts that explains the gap, if any."""
        query = question(self.page.move, radius, tuple(cut.area for cut in cuts))
        facts = facts_of(self.page, query.window.cells())

        def core(areas: Sequence[AreaSpec]) -> frozenset[Fact] | None:
            return query.core([*facts, *query.excluded(areas)])

        counted = [exactly(cut.area, cut.surplus) for cut in cuts]
        if core(counted) is None:
            return None
        little = counted
        for place, cut in enumerate(cuts):
            weaker = (
                [*little[:place], area, *little[place + 1 :]]
                for area in conditions_of(cut)
            )
            little = next((some for some in weaker if core(some) is not None), little)
        # counting little may need more cells, and needing few cells more counting
        pictures = []
        for areas in (little, counted) if little != counted else (counted,):
            needed = core(areas)
            assert needed is not None
            picture = self._general(query, picture_of(self.page, needed, areas))
            pictures.append(counting_less(query, picture))
        return min(pictures, key=attrgetter("facts"))

    def _worth(self, areas: tuple[AreaSpec, ...]) -> Floats:
        """Return what each view is worth: 0 if its move or its areas are others."""
        views = self.pool.views
        good = views.straight == (self.page.move == STRAIGHT)
        if areas:
            forbids = ((Symmetry.IDENTITY, (self.page.move,)),)
            alone = rule_of(Picture((), areas), forbids)
            good &= columns_of([alone], self.pool.gaps)[views.of, 0]
        return np.where(good, self.weights[views.of], 0)

    def _general(self, query: Question, picture: Picture) -> Picture:
        """Leave out what a picture can do without, the most restrictive first."""
        views, weights = self.pool.views, self._worth(picture.areas)
        excluded = query.excluded(picture.areas)
        tried: set[_Step] = set()
        while True:
            asks = {(x, at): views.fits(x, at) for at, x in picture.letters().items()}
            misses = np.zeros(len(weights), np.int16)
            for good in asks.values():
                misses += ~good
            options = []
            for step, fewer in _weaker(picture):
                if step not in tried:
                    less = misses.copy()
                    now = {(letter, at) for at, letter in fewer.letters().items()}
                    for ask in asks.keys() - now:
                        less -= ~asks[ask]
                    for ask in now - asks.keys():
                        less += ~views.fits(*ask)
                    gain = float(weights[(misses > 0) & (less == 0)].sum())
                    (row, col), drops = step[0], step[1] == "?"
                    far = max(abs(row), abs(col)), abs(row) + abs(col)
                    options.append((drops, gain, far if drops else (0, 0), step, fewer))
            if not options or self._late():
                return picture
            *_, step, fewer = max(options, key=lambda option: option[:-1])
            tried.add(step)
            if query.core([*fewer.as_facts(), *excluded]) is not None:
                picture = fewer


def _weaker(picture: Picture) -> Iterator[tuple[_Step, Picture]]:
    """Yield the pictures that ask for one thing less, or for less of a cell."""
    cells = dict(picture.cells)
    for cell, letter in picture.cells:
        fewer = {at: other for at, other in cells.items() if at != cell}
        yield (cell, "?"), replace(picture, cells=tuple(fewer.items()))
        for weaker in _WEAKER.get(letter, ""):
            some = sorted({**fewer, cell: weaker}.items())
            yield (cell, weaker), replace(picture, cells=tuple(some))


def by_following(page: Page) -> Explained:
    """Yield pictures of the step followed, with as few areas as will do."""
    step, followed = edge(LIVE, page.target), Followed(page)
    if followed.dead(()):
        yield Picture((), (), step), 1
        return
    tried = list[Cut]()
    for lengths in (SHORT, *LONG):
        cuts = cuts_of(page, lengths)
        alone = (cut for cut in cuts if followed.dead([cut]))
        pictures = [Picture((), (cut.area,), step) for cut in islice(alone, _FOLLOWED)]
        yield from ((picture, 1) for picture in pictures)
        if pictures:
            return
        tried += cuts
    some = tried[:MOST_COUNTED]
    if followed.dead(some):
        for cut in reversed(some):
            less = [other for other in some if other is not cut]
            some = less if followed.dead(less) else some
        if len(some) <= _TOGETHER:
            yield Picture((), tuple(cut.area for cut in some), step), 1
