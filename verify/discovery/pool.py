"""The pool: drawings that were found, each with the gaps that it catches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import process_time

import numpy as np

from heuristic.rules.drawing import RuleSpec
from solver.errors import RuleError
from verify.discovery.closing import closed
from verify.discovery.explaining import Views, views_of, with_ties
from verify.discovery.families import Family, families
from verify.discovery.gaps import Bools, Gaps, columns_of
from verify.discovery.page import Page, page_of
from verify.discovery.sketch import Found, Picture
from verify.proof.formula import Scope

FROM_BEFORE = -1  # the gap of a family grown from a rule that the run began with


@dataclass(frozen=True, slots=True)
class Entry:
    """A drawing of the pool: what it is, the first gap that needed it, where it holds.

    Attributes
    ----------
    found : Found or Family
    rule : RuleSpec
    gap : int
        The row of the gaps that it was found for, or `FROM_BEFORE`.
    scope : Scope
        Of the formula that found it; the prover may do with a wider one.
    """

    found: Found | Family
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
    quick : bool
        Whether a gap is left when an explanation is good enough (`ENOUGH` facts) or
        some seconds are over, and of long lines the tightest alone are tried.
    columns : (gaps, entries) bool
    unexplained : set of int
        Gaps that no look explained.
    until : float
        Processor time at which nothing new is tried for the gap at hand.
    """

    gaps: Gaps
    entries: list[Entry] = field(default_factory=list)
    quick: bool = False
    columns: Bools = field(init=False)
    unexplained: set[int] = field(default_factory=set)
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
            views = views_of(self.gaps, radius)
            if self.quick:  # what is forced is the same within every radius
                known = next(iter(self._views.values()), None)
                views = (
                    replace(views, ties=known.ties)
                    if known
                    else with_ties(views, self.gaps)
                )
            self._views[radius] = views
        return self._views[radius]

    def page(self, number: int) -> Page:
        """Return the page of a gap; forced edges are looked at where gaps are few."""
        page = page_of(self.gaps, number)
        return page if self.quick else page.bare

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
            rules = tuple(entry.rule for entry in entries)
            self.columns = np.hstack([self.columns, columns_of(rules, self.gaps)])
            self._caught = np.logical_or.reduce(self.columns, axis=1)

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
        new = [
            one
            for one in grown(entry.found.picture, entry.gap, reach)
            if one.found not in known
        ]
        if not new:
            return 0
        own = self.columns[:, self.entries.index(entry)]
        self.extend(new)
        columns = self.columns[:, -len(new) :]
        if (columns | ~own[:, None]).all(axis=0).any():
            self._pictures.discard(entry.found.picture)
            self.without(self.entries.index(entry))
        return len(new)

    def lengthen(self, entry: Entry, reach: int) -> int:
        """Let a family of the pool have longer members; return 1 if it has, else 0."""
        assert isinstance(entry.found, Family)
        longer = entry.found.longer(reach)
        if longer.distances <= entry.found.distances:
            return 0
        self.extend([replace(entry, found=longer, rule=longer.rule())])
        self.without(self.entries.index(entry))
        return 1

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

    def forget(self, picture: Picture) -> None:
        """Let a picture be found again."""
        self._pictures.discard(picture)


def grown(picture: Picture, gap: int, reach: int) -> Iterator[Entry]:
    """Yield the families of a picture, of members that fit a board of a size."""
    for family in families(picture, reach):
        try:
            yield Entry(family, family.rule(), gap, Scope.PLAIN)
        except RuleError:  # no drawing says it
            continue
