"""From gaps to a pool of drawings: explain, make general, see what else it catches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from heuristic.language.drawing import RuleSpec, Turn
from solver.errors import RuleError
from verify.discovery.areas import LONG, SHORT, Cut, conditions_of, cuts_of, weakest
from verify.discovery.closing import closed, conditions, others
from verify.discovery.explaining import (
    Floats,
    Views,
    facts_of,
    general,
    picture_of,
    square,
    views_of,
)
from verify.discovery.gaps import Bools, Gaps, columns_of
from verify.discovery.page import STRAIGHT, Page, page_of
from verify.discovery.question import Ask, Fact, Question, question
from verify.discovery.sketch import Found, Picture
from verify.proof.formula import Scope

Look: TypeAlias = tuple[int, Scope]  # cells each way from the live end; boards

# Wide scopes first, small windows first: the first that explains is taken.
LOOKS: tuple[Look, ...] = (
    (2, Scope.PLAIN),
    (3, Scope.PLAIN),
    (2, Scope.PLANAR),
    (2, Scope.CORNERS),
    (3, Scope.PLANAR),
    (3, Scope.CORNERS),
    (4, Scope.PLAIN),
    (4, Scope.PLANAR),
    (4, Scope.CORNERS),
)
_AREAS = 3  # drawings with an area, for one gap
_VIEWED = 4  # cells each way that are looked at for what else a drawing fits


@dataclass(frozen=True, slots=True)
class Entry:
    """A drawing of the pool: what it is, the first gap that needed it, where it holds.

    Attributes
    ----------
    found : Found
    rule : RuleSpec
    gap : int
        The row of the gaps that it was found for.
    scope : Scope
        Of the formula that found it; the prover may do with a wider one.
    """

    found: Found
    rule: RuleSpec
    gap: int
    scope: Scope

    @property
    def facts(self) -> int:
        """How much a person has to look at."""
        return self.found.picture.facts


@dataclass(slots=True)
class Pool:
    """Drawings found for the gaps of a board, each with the gaps that it catches.

    Attributes
    ----------
    gaps : Gaps
    entries : list of Entry
    columns : (gaps, entries) bool
    unexplained : set of int
        Gaps that no look explained.
    """

    gaps: Gaps
    looks: Sequence[Look] = LOOKS
    entries: list[Entry] = field(default_factory=list)
    columns: Bools = field(init=False)
    unexplained: set[int] = field(default_factory=set)
    _pictures: set[Picture] = field(default_factory=set)
    _caught: Bools = field(init=False)
    _views: dict[int, Views] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = np.zeros((len(self.gaps), 0), np.bool_)
        self._caught = np.zeros(len(self.gaps), np.bool_)

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
        self._pictures.add(entry.found.picture)
        self.entries.append(entry)
        column = columns_of((entry.rule,), self.gaps)
        self.columns = np.hstack([self.columns, column])
        self._caught |= column[:, 0]
        return column[:, 0]

    def extend(self, entries: Sequence[Entry]) -> None:
        """Take many drawings into the pool at once."""
        if entries:
            self.entries += entries
            self._pictures |= {entry.found.picture for entry in entries}
            rules = tuple(
                replace(entry.rule, name=f"found-{n}")
                for n, entry in enumerate(entries)
            )
            self.columns = np.hstack([self.columns, columns_of(rules, self.gaps)])
            self._caught = np.logical_or.reduce(self.columns, axis=1)

    def without(self, number: int) -> None:
        """Drop a drawing."""
        del self.entries[number]
        self.columns = np.delete(self.columns, number, axis=1)
        self._caught = np.logical_or.reduce(self.columns, axis=1)

    def explain(self, number: int, weights: Floats) -> Iterator[Entry]:
        """Explain a gap: by areas, and if there is none, by the first look that does.

        Parameters
        ----------
        number : int
        weights : (gaps,) float
            What each gap is worth to a drawing that catches it too.
        """
        page = page_of(self.gaps, number)
        found = False
        for entry in self._by_areas(page, number, weights, SHORT):
            found = True
            yield entry
        if found:
            return
        for radius, scope in self.looks:
            picture = self._picture(page, radius, scope, weights)
            if picture is not None:
                one = self.entry(picture, number, radius, scope)
                if one is not None:
                    yield one
                return
        yield from self._by_areas(page, number, weights, LONG)

    def _by_areas(
        self, page: Page, number: int, weights: Floats, lengths: tuple[int, int]
    ) -> Iterator[Entry]:
        left = _AREAS
        for picture, radius in by_areas(self, page, weights, lengths):
            entry = self.entry(picture, number, radius, Scope.PLAIN)
            if entry is not None:
                left -= 1
                yield entry
            if not left:
                return

    def _picture(
        self, page: Page, radius: int, scope: Scope, weights: Floats
    ) -> Picture | None:
        asked = question(Ask(page.move, radius, scope))
        core = asked.core(facts_of(page, square(radius)))
        if core is None:
            return None
        views = self.views(max(radius, _VIEWED))
        alike = views.straight == (page.move == STRAIGHT)
        picture = picture_of(page, core)
        return general(asked, picture, (), views, np.where(alike, weights[views.of], 0))

    def entry(
        self, picture: Picture, number: int, radius: int, scope: Scope
    ) -> Entry | None:
        """Return a picture with all that it forbids.

        None if it is in the pool, or the gap is not caught: a letter that says more
        than the core did may leave nothing to forbid.
        """
        if picture in self._pictures:
            return None
        self._pictures.add(picture)
        found = closed(picture, radius, scope)
        if found is None:
            return None
        try:
            return Entry(found, found.rule(), number, scope)
        except RuleError:  # no drawing says it: a line that crosses itself, say
            return None


def by_areas(
    pool: Pool, page: Page, weights: Floats, lengths: tuple[int, int]
) -> Iterator[tuple[Picture, int]]:
    """Yield pictures with one area that explain a gap, and how far each looks."""
    for cut in cuts_of(page, lengths):
        for radius in (1, 2):
            asked = question(Ask(page.move, radius, Scope.PLAIN, cut.area))
            facts = facts_of(page, asked.window.cells())
            picture = _with_area(pool, page, asked, cut, facts, weights)
            if picture is not None:
                yield picture, radius
                break


def _with_area(
    pool: Pool,
    page: Page,
    asked: Question,
    cut: Cut,
    facts: list[Fact],
    weights: Floats,
) -> Picture | None:
    """Return a picture with the area of a cut, its condition as weak as will do."""
    for area in conditions_of(cut):
        fixed = conditions(asked, area)
        core = asked.core([*facts, *fixed])
        if core is not None:
            break
    else:
        return None
    views = pool.views(_VIEWED)
    alone = Found(Picture((), (area,)), ((Turn.NONE, (page.move,)),))
    there = columns_of((alone.rule(),), pool.gaps)[:, 0]
    alike = (views.straight == (page.move == STRAIGHT)) & there[views.of]
    worth = np.where(alike, weights[views.of], 0)
    picture = general(asked, picture_of(page, core, (area,)), fixed, views, worth)
    impossible = {
        surplus
        for surplus in asked.sums
        if asked.core([*picture.known(), *others(asked, surplus)]) is not None
    }
    return replace(picture, areas=(weakest(asked, area, impossible),))


def explain_all(pool: Pool) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None.
    """
    for number in np.flatnonzero(pool.open):
        if pool.caught(int(number)):
            continue
        open_ = pool.open
        weights = np.where(open_, pool.gaps.counts, 0.001)
        best: Entry | None = None
        for entry in pool.explain(int(number), weights):
            column = pool.add(entry)
            if column[number] and (best is None or best.facts > entry.facts):
                best = entry
        if best is None:
            pool.unexplained.add(int(number))
        yield int(number), best


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry | None]:
    """Explain gaps once more, the dearest first, so that dear ones come together.

    Yields for each the drawing that is worth more than one, which may make the book
    smaller, or None.
    """
    dear = np.argsort(-prices, kind="stable")
    for number in dear[: min(most, int((prices > 0).sum()))]:
        better = None
        for entry in pool.explain(int(number), prices + 1e-6):
            column = pool.add(entry)
            if float(prices[column].sum()) > 1 + 1e-6:
                better = entry
        yield better
