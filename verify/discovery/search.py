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
    Followed,
    conditions_of,
    cuts_of,
    exactly,
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
    rule_of,
)
from verify.discovery.gaps import Bools, Gaps, columns_of
from verify.discovery.question import Fact, Found, Picture, question
from verify.proof.window import LIVE, edge

FEW = 8  # facts that a person takes in
ENOUGH = 12  # facts of a drawing that is good enough where there are many gaps
SECONDS = 12.0  # of processor time, for a gap of many, until nothing new is tried
_LOOKS, _FAR_LOOKS = (2, 3), (4,)  # cells each way; the first that explains is taken
_AREAS = 3  # drawings with areas, for one gap
_PICTURES = 30  # of which those are taken
_FEWER = 8  # where there are many gaps
_NEAR = 8  # lines of which two are taken together
_LONG = 40  # long lines that are tried where there are many gaps, the nearest first
_FOLLOWED = 8  # areas with which a step that is followed is dead, for one gap
_TOGETHER = 3  # areas of a drawing of a step that is followed
_VIEWED = 4  # cells each way that are looked at for what else a drawing fits


@dataclass(frozen=True, slots=True)
class Entry:
    """A drawing of the pool: what it is, its rule, the first gap that needed it."""

    found: Found | Family
    rule: RuleSpec
    gap: int

    @property
    def facts(self) -> int:
        """How much a person has to look at."""
        return self.found.picture.facts


def entry_of(drawn: Found | Family, gap: int) -> Entry | None:
    """Return an entry; None if no drawing says it: a line that crosses itself, say."""
    try:
        return Entry(drawn, rule_of(drawn), gap)
    except RuleError:
        return None


@dataclass(slots=True)
class Pool:
    """Drawings found for the gaps of a board, each with the gaps that it catches.

    - `quick`: whether a gap is left when an explanation is good enough (`ENOUGH` facts)
      or some seconds are over, and of long lines the nearest alone are tried.
    - `columns`, (gaps, entries) bool
    - `open`, (gaps,) bool: which gaps no drawing catches yet.
    - `until`: processor time at which nothing new is tried for the gap at hand.
    """

    gaps: Gaps
    entries: list[Entry] = field(default_factory=list)
    quick: bool = False
    columns: Bools = field(init=False)
    open: Bools = field(init=False)
    until: float = inf
    _pictures: set[Picture] = field(default_factory=set)
    _views: dict[int, Views] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = np.zeros((len(self.gaps), 0), np.bool_)
        self.open = np.ones(len(self.gaps), np.bool_)

    def late(self) -> bool:
        """Whether the time for the gap at hand is over."""
        return process_time() > self.until

    def views(self, radius: int) -> Views:
        """Return what all gaps show within a radius."""
        if radius not in self._views:
            self._views[radius] = views_of(self.gaps, radius)
        return self._views[radius]

    def add(self, entries: Sequence[Entry]) -> Bools:
        """Take drawings into the pool; return what the last one catches."""
        self.entries += entries
        self._pictures |= {entry.found.picture for entry in entries}
        new = columns_of(tuple(entry.rule for entry in entries), self.gaps)
        self.columns = np.hstack([self.columns, new])
        self.open &= ~np.logical_or.reduce(new, axis=1)
        return self.columns[:, -1]

    def without(self, number: int) -> None:
        """Drop a drawing."""
        del self.entries[number]
        self.columns = np.delete(self.columns, number, axis=1)
        self.open = ~np.logical_or.reduce(self.columns, axis=1)

    def grow(self, entry: Entry, reach: int) -> int:
        """Take the families of a drawing into the pool; return how many are new.

        The drawing leaves if one of them catches all that it does; it may be found
        again.
        """
        there = {other.found for other in self.entries}
        grown = (
            entry_of(family, entry.gap)
            for family in families(entry.found.picture, reach)
            if family not in there
        )
        if new := [family for family in grown if family]:
            self.add(new)
            number = self.entries.index(entry)
            columns = self.columns[:, -len(new) :]
            if (columns | ~self.columns[:, [number]]).all(axis=0).any():
                self.forget(entry.found.picture)
                self.without(number)
        return len(new)

    def entry(self, picture: Picture, gap: int, radius: int) -> Entry | None:
        """Return a picture with all that it forbids.

        None if it is in the pool, or forbids nothing: a letter may say more than the
        core did.
        """
        if picture in self._pictures:
            return None
        self._pictures.add(picture)
        found = closed(picture, radius)
        return entry_of(found, gap) if found else None

    def forget(self, picture: Picture) -> None:
        """Let a picture be found again."""
        self._pictures.discard(picture)


Explained = Iterator[tuple[Picture, int]]  # pictures, and how far each looks


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
        first near look that does, two areas, an area behind a longer line; where
        nothing does, by an area behind a long line and by looks that reach farther.
        """
        pool, page = self.pool, page_of(self.pool.gaps, self.number)
        pool.until = process_time() + SECONDS if pool.quick else inf
        near = (
            self._best(by_following(page)) if pool.quick else (),
            self._best(self.by_areas(page, SHORT)),
            self._best(self._by_windows(page, _LOOKS)),
            self._best(self.by_pairs(page)),
            self._best(self.by_areas(page, LONG[0])),
        )
        far = (
            self._best(self.by_areas(page, LONG[1])),
            self._best(self._by_windows(page, _FAR_LOOKS)),
        )
        fewest = inf
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
            if fewest < inf:
                return

    def _best(self, explained: Explained) -> Iterator[Entry]:
        """Yield the drawings that ask for the fewest facts."""
        some = list(islice(explained, _FEWER if self.pool.quick else _PICTURES))
        some.sort(key=lambda one: one[0].facts)
        entries = (self.pool.entry(one, self.number, radius) for one, radius in some)
        yield from islice((entry for entry in entries if entry), _AREAS)

    def _by_windows(self, page: Page, radii: Sequence[int]) -> Explained:
        """Yield the picture of the first look that explains it, if there is one."""
        for radius in radii:
            if self.pool.late():
                return
            asked = question(page.move, radius)
            core = asked.core(facts_of(page, square(radius)))
            if core is not None:
                views = self.pool.views(max(radius, _VIEWED))
                alike = views.straight == (page.move == STRAIGHT)
                worth = np.where(alike, self.weights[views.of], 0)
                picture = picture_of(page, core)
                late = self.pool.late
                yield general(asked, picture, (), views, worth, late), radius
                return

    def by_areas(self, page: Page, lengths: tuple[int, int]) -> Explained:
        """Yield pictures with one area that explain a gap."""
        cuts = cuts_of(page, lengths)
        if self.pool.quick and lengths != SHORT:
            cuts = cuts[:_LONG]
        for cut in cuts:
            for radius in (1, 2):
                if self.pool.late():
                    return
                if picture := self._with_areas(page, radius, (cut,)):
                    yield picture, radius
                    break

    def by_pairs(self, page: Page) -> Explained:
        """Yield pictures with two areas that explain a gap, near ones first."""
        cuts = cuts_of(page)[:_NEAR]
        pairs = [
            (one, two)
            for far, two in enumerate(cuts)
            for one in cuts[:far]
            if not set(one.area.cells) & set(two.area.cells)
        ]
        for radius, pair in product((1, 2), pairs):
            if self.pool.late():
                return
            if picture := self._with_areas(page, radius, pair):
                yield picture, radius

    def _with_areas(
        self, page: Page, radius: int, cuts: tuple[Cut, ...]
    ) -> Picture | None:
        """Return a picture with the areas of cuts that explains a gap, if one does.

        Of two that of fewer facts. One counts as little as will do, and may ask for
        more cells; one begins with all that can be counted, asks for as few cells as it
        can, and counts less then.
        """
        asked = question(page.move, radius, tuple(cut.area for cut in cuts))
        facts = facts_of(page, asked.window.cells())

        def core(some: Sequence[AreaSpec]) -> frozenset[Fact] | None:
            return asked.core([*facts, *conditions(asked, some)])

        counted = [exactly(cut.area, cut.surplus) for cut in cuts]
        if core(counted) is None:
            return None
        hardly = counted
        for place, cut in enumerate(cuts):
            weaker = (
                [*hardly[:place], area, *hardly[place + 1 :]]
                for area in conditions_of(cut)
            )
            hardly = next((some for some in weaker if core(some) is not None), hardly)
        pictures = []
        for counting in (hardly, counted) if hardly != counted else (counted,):
            needed = core(counting)
            assert needed is not None
            picture = picture_of(page, needed, counting)
            worth = self._worth(page, counting)
            fixed, views = conditions(asked, counting), self.pool.views(_VIEWED)
            picture = general(asked, picture, fixed, views, worth, self.pool.late)
            pictures.append(counting_less(asked, picture))
        return min(pictures, key=attrgetter("facts"))

    def _worth(self, page: Page, areas: Sequence[AreaSpec]) -> Floats:
        """Return what views are worth that have some areas; others are worth 0."""
        forbids = ((Symmetry.IDENTITY, (page.move,)),)
        alone = rule_of(Found(Picture((), tuple(areas)), forbids))
        there = columns_of((alone,), self.pool.gaps)[:, 0]
        views = self.pool.views(_VIEWED)
        alike = views.straight == (page.move == STRAIGHT)
        return np.where(alike & there[views.of], self.weights[views.of], 0)


def by_following(page: Page) -> Explained:
    """Yield pictures of the step followed, with as few areas as will do."""
    step, asked = edge(LIVE, page.target), Followed(page)
    if asked.dead(()):
        yield Picture((), (), step), 1
        return
    tried = list[Cut]()
    for lengths in (SHORT, *LONG):
        cuts = cuts_of(page, lengths)
        alone = [*islice((cut for cut in cuts if asked.dead([cut])), _FOLLOWED)]
        yield from ((Picture((), (cut.area,), step), 1) for cut in alone)
        if alone:
            return
        tried += cuts
    some = tried[:MOST_COUNTED]
    if asked.dead(some):
        for cut in reversed(some):
            less = [other for other in some if other is not cut]
            some = less if asked.dead(less) else some
        if len(some) <= _TOGETHER:
            yield Picture((), tuple(cut.area for cut in some), step), 1
