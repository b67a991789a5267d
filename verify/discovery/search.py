"""From gaps to a pool of drawings: explain, make general, see what else it catches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from heuristic.language.drawing import RuleSpec
from verify.discovery.closing import closed
from verify.discovery.explaining import (
    Floats,
    Views,
    facts_of,
    general,
    picture_of,
    views_of,
)
from verify.discovery.gaps import Bools, Gaps, columns_of
from verify.discovery.page import STRAIGHT, Page, page_of
from verify.discovery.question import Ask, question
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
    _views: dict[int, Views] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = np.zeros((len(self.gaps), 0), np.bool_)

    @property
    def open(self) -> Bools:
        """Which gaps no drawing catches yet."""
        return np.logical_not(self.columns.any(axis=1))

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

    def without(self, number: int) -> None:
        """Drop a drawing."""
        del self.entries[number]
        self.columns = np.delete(self.columns, number, axis=1)

    def explain(self, number: int, weights: Floats) -> Entry | None:
        """Explain a gap by a drawing of the first look that does; None if none does.

        Parameters
        ----------
        number : int
        weights : (gaps,) float
            What each gap is worth to a drawing that catches it too.
        """
        page = page_of(self.gaps, number)
        for radius, scope in self.looks:
            picture = self._picture(page, radius, scope, weights)
            if picture is None:
                continue
            if picture in self._pictures:
                return None
            return self.entry(picture, number, radius, scope)
        self.unexplained.add(number)
        return None

    def _picture(
        self, page: Page, radius: int, scope: Scope, weights: Floats
    ) -> Picture | None:
        asked = question(Ask(page.move, radius, scope))
        core = asked.core(facts_of(page, radius))
        if core is None:
            return None
        views = self.views(radius)
        alike = views.straight == (page.move == STRAIGHT)
        picture = picture_of(page, core)
        return general(asked, picture, (), views, np.where(alike, weights[views.of], 0))

    def entry(
        self, picture: Picture, number: int, radius: int, scope: Scope
    ) -> Entry | None:
        """Return a picture with all that it forbids; None if the gap is not caught.

        A letter that says more than the core did may leave nothing to forbid.
        """
        found = closed(picture, radius, scope)
        if found is None:
            return None
        return Entry(found, found.rule(), number, scope)


def explain_all(pool: Pool) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None.
    """
    order = np.flatnonzero(pool.open)
    for number in order:
        open_ = pool.open
        if not open_[number]:
            continue
        weights = np.where(open_, pool.gaps.counts, 0.001)
        entry = pool.explain(int(number), weights)
        if entry is not None and not pool.add(entry)[number]:
            pool.without(len(pool.entries) - 1)
            pool.unexplained.add(int(number))
            entry = None
        yield int(number), entry


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry]:
    """Explain gaps once more, the dearest first, so that dear ones come together.

    Yields the drawings that are worth more than one: each may make the book smaller.
    """
    dear = np.argsort(-prices, kind="stable")
    for number in dear[: min(most, int((prices > 0).sum()))]:
        entry = pool.explain(int(number), prices + 1e-6)
        if entry is None:
            continue
        column = pool.add(entry)
        if float(prices[column].sum()) > 1 + 1e-6:
            yield entry
