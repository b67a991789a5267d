"""A run of discovery: gaps, drawings that explain them, and a proved book.

Small boards are listed (`Run.listed`): every gap is explained. Large ones are walked on
under the book until nothing gets stuck (`Run.hunted`). A walk that gets stuck is blamed
on a step by an exact search, and all dead moves that the book allows there are gaps.
They are explained like any others; then the book has more rules, and walks again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from operator import attrgetter
from time import monotonic

import numpy as np

from heuristic.groups import rules_together
from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.walks.leftfirst import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from verify.discovery.book import Answers, Book, choose, cover_of
from verify.discovery.families import Family
from verify.discovery.gaps import columns_of, gaps_at, missed_by
from verify.discovery.question import Picture
from verify.discovery.search import FEW, Entry, Pool, Search
from verify.evidence.mining import gaps_met
from verify.formatting import counted
from verify.truth import blame, gap_moves

EXHAUSTIVE = 7  # boards with sides up to this are listed
_BLOCK = 200  # walks between two looks at what they met
_GAPS = 20  # that walks on a board meet before they are explained
_LAST = 200  # walks on a board that are made in the end, where time is over
_SEVERAL = 3  # gaps of a drawing of many facts that grows


class Listener:
    """Is notified as a run goes on, and ignores it."""

    def work(self, what: str, done: int, total: int | None) -> None:
        """Take how far a piece of work is."""

    def explained(self, run: "Run", number: int, entry: Entry | None) -> None:
        """Take a gap and its drawing, or None if nothing explains it."""

    def walked(self, walks: int, new: int) -> None:
        """Take how many walks were made, and how many new gaps they met."""


@dataclass(slots=True)
class Run:
    """A search for a book of a board: what is asked for, and what was done.

    - `start`: the rules that the book begins with.
    - `name`: of the rules, with a number.
    - `most`: facts of a drawing, where a smaller one will do.
    - `reach`: the larger side of a member of a family, in cells, at most; 0: no
      families.
    - `until`: when nothing more is walked, explained or grown, by `time.monotonic`.
    - `pool`: the gaps and the drawings.
    - `answers`: of the prover, by drawing.
    - `met`: the gaps that walks met; none if the board was listed.
    - `walked`, `stuck`: walks made, and gaps that those of the last round met.
    - `grown`: pictures whose families are in the pool.
    - `tried`: gaps that nothing explains (`Gaps.key`).
    """

    board: Board
    start: tuple[RuleSpec, ...] = ()
    name: str = "found"
    most: int = 12
    reach: int = 0
    until: float = inf
    listener: Listener = field(default_factory=Listener)
    pool: Pool = field(init=False)
    answers: Answers = field(default_factory=dict)
    met: list[tuple[Position, str]] = field(default_factory=list)
    walked: int = 0
    stuck: int = 0
    grown: set[Picture] = field(default_factory=set)
    tried: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pool = Pool(gaps_at(self.board, ()), quick=True)

    def position(self, number: int) -> Position:
        """Return a position with a gap, by its number (`Gaps.first`)."""
        if self.pool.quick:
            return self.met[number][0]
        return completable_positions(self.board).position(number)

    @property
    def late(self) -> bool:
        """Whether nothing new is to be begun: the book is made of what is there."""
        return monotonic() > self.until

    @property
    def missed(self) -> int:
        """Dead moves that no drawing catches."""
        return int(self.pool.gaps.counts[self.pool.open].sum())

    def book(self) -> Book:
        """Choose the smallest book of the pool that the prover confirms."""
        done = len(self.answers)

        def progress() -> None:
            self.listener.work("proofs", len(self.answers) - done, None)

        return choose(self.pool, self.name, self.most, self.answers, progress)

    def chosen(self) -> list[Entry]:
        """Choose from the pool, let the chosen grow, choose again; proves nothing."""
        chosen = cover_of(self.pool, self.most).chosen
        if self.reach and self.grow([self.pool.entries[i] for i in chosen]):
            chosen = cover_of(self.pool, self.most).chosen
        return [self.pool.entries[i] for i in chosen]

    def explain(self) -> None:
        """Explain what is open."""
        for number, entry in explain_all(self.pool, self.tried):
            left = int(self.pool.open.sum())
            self.listener.work("gaps", len(self.pool.gaps) - left, len(self.pool.gaps))
            self.listener.explained(self, number, entry)
            if self.late:
                break

    def grow(self, entries: Sequence[Entry]) -> int:
        """Add the families of drawings to the pool; return how many are new.

        Those are left out that ask for many facts and catch few gaps: they are not
        worth the time, though they may be later.
        """
        new = 0
        for done, entry in enumerate(entries, 1):
            self.listener.work("families", done, len(entries))
            picture = entry.found.picture
            caught = self.pool.columns[:, self.pool.entries.index(entry)].sum()
            small = entry.facts <= FEW or caught >= _SEVERAL
            if picture in self.grown or isinstance(entry.found, Family) or not small:
                continue
            if self.late:
                break
            new += self.pool.grow(entry, self.reach)
            self.grown.add(picture)
        return new

    def refill(self) -> None:
        """Replace the pool: the gaps met that the first rules miss, the drawings."""
        gaps = gaps_at(self.board, self.met)
        missed = ~np.logical_or.reduce(columns_of(self.start, gaps), axis=1)
        entries = self.pool.entries
        self.pool = Pool(gaps.some(missed), quick=True)
        if entries:
            self.pool.add(entries)

    def rules(self, entries: Sequence[Entry]) -> RuleSet:
        """Return what the book began with and drawings, under names of their own."""
        drawn = [
            replace(entry.rule, name=f"drawing-{i}") for i, entry in enumerate(entries)
        ]
        return rules_together("found", [*self.start, *drawn])

    def walk(
        self, entries: Sequence[Entry], boards: Sequence[Board], walks: int, seed: int
    ) -> int:
        """Make walks on each board until enough gaps are met; return how many were.

        Walk k of a run has seed `seed` + k.
        """
        rules, before = self.rules(entries), len(self.met)
        for board in boards:
            enough, done = len(self.met) + _GAPS, 0
            while done < walks and len(self.met) < enough:
                count = min(_BLOCK, walks - done)
                first = seed + self.walked
                self.met += gaps_met(rules, board, walks=count, seed=first)
                self.walked += count
                done += count
                self.listener.work("walks", done, walks)
        return len(self.met) - before

    def walk_left_first(self, entries: Sequence[Entry]) -> int:
        """Walk left first, until enough gaps are met or all is tried.

        Every walk of the board is among them, so none met is none there. Returns how
        many were met.
        """
        rules, oracle = self.rules(entries), get_oracle("search")
        walk, new = LeftFirstWalk(rules, Position(self.board)), dict[Position, str]()

        def progress(walk: LeftFirstWalk) -> None:
            self.listener.work("all walks", walk.completed, None)

        while len(new) < _GAPS:
            if walk.run(stop_stuck=True, progress=progress) is Event.FINISHED:
                break
            wrong = blame(walk.position, oracle)
            if wrong and (moves := gap_moves(rules, wrong, oracle)):
                new[wrong] = moves
        self.met += new.items()
        return len(new)

    def listed(self) -> Book:
        """Explain every gap of a small board, and choose."""
        tree = completable_positions(self.board)
        self.pool = Pool(missed_by(self.start, tree))
        self.explain()
        return self.book()

    def hunted(
        self,
        boards: Sequence[Board],
        *,
        walks: int,
        seed: int,
        everything: bool = False,
    ) -> Book:
        """Walk under the book until stuck, explain, choose, and walk again.

        Ends after so many walks in a row that were not stuck, or when the gaps that
        stop them have no explanation. With `everything`, all walks of the board are
        tried then, left first, and what gets stuck is explained too. `boards` are
        walked on: the board, or others that fit into it.
        """
        entries = list[Entry]()
        while True:
            before = entries
            count = min(walks, _LAST) if self.late else walks
            self.stuck = self.walk(entries, boards, count, seed)
            if everything and not self.stuck:
                self.stuck = self.walk_left_first(entries)
            self.listener.walked(self.walked, self.stuck)
            if self.stuck:
                self.refill()
                if not self.late:
                    self.explain()
            entries = self.chosen()
            if self.stuck and set(entries) != set(before) and not self.late:
                continue
            book = self.book()
            if {member.entry for member in book.members} == set(entries):
                return book
            entries = [member.entry for member in book.members]


def explain_all(pool: Pool, tried: set[bytes]) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None. Gaps of
    `tried` (`Gaps.key`) are left out, and those that nothing explains are added.
    """
    for number in np.flatnonzero(pool.open).tolist():
        key = pool.gaps.key(number)
        if not pool.open[number] or key in tried:
            continue
        weights = np.where(pool.open, pool.gaps.counts, 0.001)
        entries = Search(pool, number, weights).explain()
        good = [entry for entry in entries if pool.add([entry])[number]]
        if not good:
            tried.add(key)
        yield number, min(good, key=attrgetter("facts"), default=None)


def head_of(book: Book, run: Run, start: str) -> str:
    """Return the comment that a found book begins with."""
    board = run.board
    began = f" --rules {start}" if start else ""
    missed = f"they miss {counted(run.missed, 'dead move')}"
    if run.walked:
        boards = {position.board for position, _ in run.met} or {board}
        names = [one.notation for one in sorted(boards, key=lambda one: one.cells)]
        missed += f" of {len(run.pool.gaps):,} that walks met,\n"
        missed += f"# on {', '.join(names)}"
    return (
        f"# {counted(len(book.members), 'rule')}, found and proved: with the rules "
        f"before them\n# {missed}. Made by the command, never by hand:\n"
        f"# oneway discover {board.notation}{began}\n"
    )
