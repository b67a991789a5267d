"""From gaps to drawings: explain, make general, see what else they catch.

The pool holds the drawings that were found, each with the gaps that it catches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import inf
from operator import attrgetter
from time import process_time

import numpy as np

from heuristic.rules.drawing import MOST_COUNTED, AreaSpec, RuleSpec
from solver.errors import RuleError
from solver.symmetry import Symmetry
from verify.discovery.areas import (
    LONG,
    SHORT,
    Cut,
    FollowedPage,
    conditions_of,
    cuts_of,
    exactly,
    pairs_of,
)
from verify.discovery.explaining import (
    STRAIGHT,
    Floats,
    Page,
    Views,
    facts_of,
    general,
    page_of,
    picture_of,
    square,
    views_of,
)
from verify.discovery.families import (
    Family,
    closed,
    conditions,
    counting_less,
    families,
)
from verify.discovery.gaps import Bools, Gaps, columns_of
from verify.discovery.question import Ask, Fact, Found, Picture, question
from verify.proof.view import LIVE, edge


@dataclass(frozen=True, slots=True)
class Entry:
    """A drawing of the pool: what it is, the first gap that needed it, where it holds.

    - `gap`: the row of the gaps that it was found for.
    """

    found: Found | Family
    rule: RuleSpec
    gap: int

    @property
    def facts(self) -> int:
        """How much a person has to look at."""
        return self.found.picture.facts


@dataclass(slots=True)
class Pool:
    """Drawings found for the gaps of a board, each with the gaps that it catches.

    - `quick`: whether a gap is left when an explanation is good enough (`ENOUGH` facts)
      or some seconds are over, and of long lines the nearest alone are tried.
    - `columns`, (gaps, entries) bool
    - `until`: processor time at which nothing new is tried for the gap at hand.
    """

    gaps: Gaps
    entries: list[Entry] = field(default_factory=list)
    quick: bool = False
    columns: Bools = field(init=False)
    until: float = inf
    _pictures: set[Picture] = field(default_factory=set)
    _caught: Bools = field(init=False)
    _views: dict[int, Views] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = np.zeros((len(self.gaps), 0), np.bool_)
        self._caught = np.zeros(len(self.gaps), np.bool_)

    @property
    def late(self) -> bool:
        """Whether the time for the gap at hand is over."""
        return process_time() > self.until

    @property
    def open(self) -> Bools:
        """Which gaps no drawing catches yet."""
        return ~self._caught

    def caught(self, number: int) -> bool:
        """Tell whether some drawing catches a gap."""
        return bool(self._caught[number])

    def views(self, radius: int) -> Views:
        """Return what all gaps show within a radius."""
        if radius not in self._views:
            self._views[radius] = views_of(self.gaps, radius)
        return self._views[radius]

    def add(self, entry: Entry) -> Bools:
        """Take a drawing into the pool; return what it catches."""
        self.extend([entry])
        return self.columns[:, -1]

    def extend(self, entries: Sequence[Entry]) -> None:
        """Take many drawings into the pool at once."""
        if entries:
            self.entries += entries
            self._pictures |= {entry.found.picture for entry in entries}
            new = columns_of(tuple(entry.rule for entry in entries), self.gaps)
            self.columns = np.hstack([self.columns, new])
            self._caught |= np.logical_or.reduce(new, axis=1)

    def without(self, number: int) -> None:
        """Drop a drawing."""
        del self.entries[number]
        self.columns = np.delete(self.columns, number, axis=1)
        self._caught = np.logical_or.reduce(self.columns, axis=1)

    def grow(self, entry: Entry, reach: int) -> int:
        """Take the families of a drawing into the pool; return how many are new.

        The drawing leaves if one of them catches all that it does; it may be found
        again.
        """
        known = {one.found for one in self.entries}
        families = grown(entry.found.picture, entry.gap, reach)
        new = [family for family in families if family.found not in known]
        self.extend(new)
        number = self.entries.index(entry)
        columns = self.columns[:, len(self.entries) - len(new) :]
        if (columns | ~self.columns[:, [number]]).all(axis=0).any():
            self._pictures.discard(entry.found.picture)
            self.without(number)
        return len(new)

    def entry(self, picture: Picture, number: int, radius: int) -> Entry | None:
        """Return a picture with all that it forbids.

        None if it is in the pool, or the gap is not caught: a letter that says more
        than the core did may leave nothing to forbid.
        """
        if picture in self._pictures:
            return None
        self._pictures.add(picture)
        found = closed(picture, radius)
        if found is None:
            return None
        try:
            return Entry(found, found.rule(), number)
        except RuleError:  # no drawing says it: a line that crosses itself, say
            return None

    def forget(self, picture: Picture) -> None:
        """Let a picture be found again."""
        self._pictures.discard(picture)


def grown(picture: Picture, gap: int, reach: int) -> Iterator[Entry]:
    """Yield the families of a picture, of members that fit a board of a size."""
    for family in families(picture, reach):
        try:
            yield Entry(family, family.rule(), gap)
        except RuleError:  # no drawing says it
            continue


LOOKS, FAR_LOOKS = (2, 3), (4,)  # cells each way; the first that explains is taken
_AREAS = 3  # drawings with areas, for one gap
_PICTURES = 30  # of which those are taken
_FEWER = 8  # where there are many gaps
_NEAR = 8  # lines of which two are taken together
FEW = 8  # facts that a person takes in
SECONDS = 12.0  # of processor time, for a gap of many, until nothing new is tried
ENOUGH = 12  # facts of a drawing that is good enough where there are many gaps
_LONG = 40  # long lines that are tried then, the nearest first
_NONE = 1 << 30  # more facts than any drawing has
_FOLLOWED = 8  # areas with which a step that is followed is dead, for one gap
_TOGETHER = 3  # areas of a drawing of a step that is followed
_VIEWED = 4  # cells each way that are looked at for what else a drawing fits


@dataclass(frozen=True, slots=True)
class Search:
    """The ways in which one gap of a pool is explained.

    - `number`: the gap.
    - `weights`, (gaps,) float: what each gap is worth to a drawing that catches it too.
    """

    pool: Pool
    number: int
    weights: Floats

    def explain(self) -> Iterator[Entry]:
        """Explain it in several ways, until a drawing asks for few facts.

        By the step followed (where gaps are many), an area behind a short line, the
        first near look that does, an area behind a longer line, two areas; where
        nothing does, by an area behind a long line and by looks that reach farther.
        """
        pool, page = self.pool, page_of(self.pool.gaps, self.number)
        pool.until = process_time() + SECONDS if pool.quick else inf
        near = (
            self._by_following(page),
            self._by_areas(page, SHORT),
            self._by_windows(page, LOOKS),
            self._taken(by_pairs(pool, page, self.weights)),
            self._by_areas(page, LONG[0]),
        )
        far = self._by_areas(page, LONG[1]), self._by_windows(page, FAR_LOOKS)
        fewest = _NONE
        for ways, enough in ((near, FEW), (far, ENOUGH)):
            for way in ways:
                for entry in way:
                    if pool.quick and entry.facts > ENOUGH:  # nobody would read it
                        pool.forget(entry.found.picture)
                        continue
                    fewest = min(fewest, entry.facts)
                    yield entry
                if fewest <= enough:
                    return
            if fewest < _NONE:
                return

    def _by_areas(self, page: Page, lengths: tuple[int, int]) -> Iterator[Entry]:
        yield from self._taken(by_areas(self.pool, page, self.weights, lengths))

    def _by_following(self, page: Page) -> Iterator[Entry]:
        if self.pool.quick:
            yield from self._taken(by_following(page))

    def _by_windows(self, page: Page, radii: Sequence[int]) -> Iterator[Entry]:
        """Yield the drawing of the first look that explains it, if there is one."""
        for radius in radii:
            if self.pool.late:
                return
            picture = self.picture(page, radius)
            if picture is not None:
                entry = self.pool.entry(picture, self.number, radius)
                if entry is not None:
                    yield entry
                return

    def _taken(self, pictures: Iterator[tuple[Picture, int]]) -> Iterator[Entry]:
        """Yield the drawings with areas that ask for the fewest facts."""
        left = _AREAS
        some = list(islice(pictures, _FEWER if self.pool.quick else _PICTURES))
        for picture, radius in sorted(some, key=lambda one: one[0].facts):
            entry = self.pool.entry(picture, self.number, radius)
            if entry is not None:
                left -= 1
                yield entry
            if not left:
                return

    def picture(self, page: Page, radius: int) -> Picture | None:
        """Return what makes the move impossible within a window, or None."""
        asked = question(Ask(page.move, radius))
        core = asked.core(facts_of(page, square(radius)))
        if core is None:
            return None
        views = self.pool.views(max(radius, _VIEWED))
        alike = views.straight == (page.move == STRAIGHT)
        worth = np.where(alike, self.weights[views.of], 0)
        picture = picture_of(page, core)
        return general(asked, picture, (), views, worth, late=lambda: self.pool.late)


def by_following(page: Page) -> Iterator[tuple[Picture, int]]:
    """Yield pictures of the step followed, with as few areas as will do."""
    step, asked = edge(LIVE, page.target), FollowedPage(page)
    if asked.dead(()):
        yield Picture((), (), step), 1
        return
    tried, left = list[Cut](), _FOLLOWED
    for lengths in (SHORT, *LONG):
        cuts = cuts_of(page, lengths)
        for cut in cuts:
            if asked.dead([cut]):
                yield Picture((), (cut.area,), step), 1
                left -= 1
                if not left:
                    return
        if left < _FOLLOWED:
            return
        tried += cuts
    some = tried[:MOST_COUNTED]
    if asked.dead(some):
        for cut in reversed(tried[:MOST_COUNTED]):
            less = [one for one in some if one is not cut]
            some = less if asked.dead(less) else some
        if len(some) <= _TOGETHER:
            yield Picture((), tuple(cut.area for cut in some), step), 1


def by_areas(
    pool: Pool, page: Page, weights: Floats, lengths: tuple[int, int]
) -> Iterator[tuple[Picture, int]]:
    """Yield pictures with one area that explain a gap, and how far each looks."""
    cuts = cuts_of(page, lengths)
    if pool.quick and lengths != SHORT:
        cuts = cuts[:_LONG]
    for cut in cuts:
        for radius in (1, 2):
            if pool.late:
                return
            picture = _with_areas(pool, page, radius, (cut,), weights)
            if picture:
                yield picture, radius
                break


def by_pairs(pool: Pool, page: Page, weights: Floats) -> Iterator[tuple[Picture, int]]:
    """Yield pictures with two areas that explain a gap, and how far each looks."""
    for radius, pair in product((1, 2), list(pairs_of(cuts_of(page)[:_NEAR]))):
        if pool.late:
            return
        picture = _with_areas(pool, page, radius, pair, weights)
        if picture:
            yield picture, radius


def _with_areas(
    pool: Pool, page: Page, radius: int, cuts: tuple[Cut, ...], weights: Floats
) -> Picture | None:
    """Return a picture with the areas of cuts that explains a gap; None if none does.

    Of two that of fewer facts. One counts as little as will do, and may ask for more
    cells; one begins with all that can be counted, asks for as few cells as it can, and
    counts less then.
    """
    areas = tuple(cut.area for cut in cuts)
    asked = question(Ask(page.move, radius, areas))
    facts = facts_of(page, asked.window.cells())

    def core(some: Sequence[AreaSpec]) -> frozenset[Fact] | None:
        return asked.core([*facts, *conditions(asked, some)])

    counted = [exactly(cut.area, cut.surplus) for cut in cuts]
    if core(counted) is None:
        return None
    hardly = counted.copy()
    for place, cut in enumerate(cuts):
        for weaker in conditions_of(cut):
            some = [*hardly[:place], weaker, *hardly[place + 1 :]]
            if core(some) is not None:
                hardly = some
                break
    views = pool.views(_VIEWED)
    straight = views.straight == (page.move == STRAIGHT)
    pictures = []
    for counting in (hardly, counted) if hardly != counted else (counted,):
        needed = core(counting)
        assert needed is not None
        alone = Found(
            Picture((), tuple(counting)), ((Symmetry.IDENTITY, (page.move,)),)
        )
        there = columns_of((alone.rule(),), pool.gaps)[:, 0]
        worth = np.where(straight & there[views.of], weights[views.of], 0)
        picture = picture_of(page, needed, counting)
        fixed = conditions(asked, counting)
        picture = general(asked, picture, fixed, views, worth, late=lambda: pool.late)
        pictures.append(counting_less(asked, picture))
    return min(pictures, key=attrgetter("facts"))
