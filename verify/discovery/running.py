"""A run of discovery: its pool, its book, and what it does between two savings.

Small boards are listed (`listed`), large ones are walked on until nothing gets stuck
(`hunted`). Both explain, choose and prove by the same code; a `Teller` hears of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Protocol

from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.positions import completable_positions
from verify.discovery.book import Book, choose, chosen
from verify.discovery.covering import worth
from verify.discovery.families import Family, pictures_of
from verify.discovery.gaps import missed_by
from verify.discovery.hunting import Hunt
from verify.discovery.keeping import (
    Beside,
    Met,
    key_of,
    load_met,
    load_names,
    load_pool,
    load_walked,
    save_pool,
)
from verify.discovery.pool import FROM_BEFORE, Entry, Pool, grown
from verify.discovery.rounds import explain_all, vary
from verify.discovery.search import FEW
from verify.proof.prove import Proved

EXHAUSTIVE = 7  # boards with sides up to this are listed
_SEVERAL = 3  # gaps of a drawing of many facts that grows
_LAST = 200  # walks on a board that are made in the end, where time is over
_SAVED = 5.0  # seconds between two savings of the pool
_VARIED = 30  # gaps that are explained once more, in a round
_GAPS = 20  # that walks on a board find before they are explained


class Teller(Protocol):
    """Who hears of a run as it goes."""

    def work(self, what: str, done: int, total: int | None) -> None:
        """Hear how far a piece of work is."""

    def began(self, pool: Pool, before: int) -> None:
        """Hear of the gaps to explain, and of drawings from before."""

    def explained(self, run: "Run", number: int, entry: Entry | None) -> None:
        """Hear of a gap and its drawing."""

    def walked(self, walks: int, new: int) -> None:
        """Hear how many walks were made, and how many new gaps they found."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for.

    Attributes
    ----------
    name : str
        Of the rules, with a number.
    file : Path
        Keeps the pool.
    start : str
        The rules that it begins with, as they were named.
    rounds : int
        Times that the pool is made larger for a smaller book, on listed boards.
    most : int
        Facts of a drawing, where a smaller one will do.
    reach : int
        The larger side of a member of a family, in cells, at most; 0: no families.
    until : float
        When nothing more is walked, explained or grown, by `time.monotonic`.
    others : tuple of Path
        Pools of other runs, of the same board and rules, that are taken over.
    """

    name: str
    file: Path
    start: str
    rounds: int
    most: int
    reach: int = 0
    until: float = inf
    others: tuple[Path, ...] = ()

    @property
    def late(self) -> bool:
        """Whether nothing new is to be begun: the book is made of what is there."""
        return monotonic() > self.until


@dataclass(slots=True)
class Run:
    """A pool, where its gaps come from, and the book chosen last.

    Attributes
    ----------
    pool : Pool
    position : function
        Gives the position of an example's number (`Gaps.first`).
    known : dict
        What the prover said of drawings.
    walked : int
        Walks made; 0 if the board was listed.
    stuck : int
        Walks of the last round that got stuck.
    met : function
        Gives the gaps that walks met; none if the board was listed.
    grown : set of str
        Pictures whose families were looked for (`key_of`).
    tried : set of str
        Gaps of walks that nothing explained (`Gaps.key`).
    saved : float
        When it was last kept, by the clock.
    """

    pool: Pool
    position: Callable[[int], Position]
    known: dict[RuleSpec, Proved | None] = field(default_factory=dict)
    walked: int = 0
    stuck: int = 0
    met: Callable[[], Met] = tuple
    grown: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    saved: float = field(default_factory=monotonic)

    @property
    def missed(self) -> int:
        """Dead moves that no drawing catches."""
        return int(self.pool.gaps.counts[self.pool.open].sum())

    def book(self, options: Options, teller: Teller) -> Book:
        """Choose the smallest book of the pool that the prover confirms."""
        done = len(self.known)

        def told(_: Entry, __: bool) -> None:
            teller.work("proofs", len(self.known) - done, None)

        return choose(
            self.pool, options.name, most=options.most, known=self.known, told=told
        )

    def chosen(self, options: Options, teller: Teller) -> tuple[Entry, ...]:
        """Choose from the pool, let the chosen grow, choose again; proves nothing."""
        entries = chosen(self.pool, options.most)
        if options.reach and self.grow(entries, options, teller):
            entries = chosen(self.pool, options.most)
        return entries

    def explain(self, options: Options, teller: Teller) -> None:
        """Explain what is open, and keep the pool."""
        for number, entry in explain_all(self.pool, self.tried):
            left = int(self.pool.open.sum())
            teller.work("gaps", len(self.pool.gaps) - left, len(self.pool.gaps))
            teller.explained(self, number, entry)
            self.save(options, _SAVED)
            if options.late:
                break
        self.save(options)

    def save(self, options: Options, after: float = 0) -> None:
        """Keep the pool, if it was last kept so many seconds ago."""
        if monotonic() - self.saved >= after:
            beside = Beside(self.met(), self.grown, self.walked, self.tried)
            save_pool(options.file, self.pool, options.start, beside)
            self.saved = monotonic()

    def grow(self, entries: Sequence[Entry], options: Options, teller: Teller) -> int:
        """Let the lines of drawings grow, and families; return how many are new."""
        new = 0
        for done, entry in enumerate(entries, 1):
            if options.late:
                break
            found = entry.found
            key = key_of(found.picture)
            if isinstance(found, Family):
                key += f"-{found.growth}-{options.reach}"
            elif not self._promising(entry):
                continue
            if key not in self.grown:
                if isinstance(found, Family):
                    new += self.pool.lengthen(entry, options.reach)
                else:
                    new += self.pool.grow(entry, options.reach)
                self.grown.add(key)
                self.save(options, _SAVED)
            teller.work("families", done, len(entries))
        self.save(options)
        return new

    def _promising(self, entry: Entry) -> bool:
        """Tell whether a drawing is worth the time that its families take.

        It asks for few facts, or catches several gaps; it may do so later.
        """
        caught = self.pool.columns[:, self.pool.entries.index(entry)].sum()
        return bool(entry.facts <= FEW or caught >= _SEVERAL)

    def grow_rules(
        self, specs: tuple[RuleSpec, ...], options: Options, teller: Teller
    ) -> None:
        """Let the lines of the rules that it began with grow, once."""
        pictures = [picture for rule in specs for picture in pictures_of(rule)]
        for done, picture in enumerate(pictures, 1):
            if options.late:
                break
            if key_of(picture) not in self.grown:
                known = {entry.found for entry in self.pool.entries}
                families = grown(picture, FROM_BEFORE, options.reach)
                self.pool.extend([one for one in families if one.found not in known])
                self.grown.add(key_of(picture))
                self.save(options, _SAVED)
            teller.work("families of the rules before", done, len(pictures))
        self.save(options)


def listed(
    board: Board, specs: tuple[RuleSpec, ...], options: Options, teller: Teller
) -> tuple[Run, Book]:
    """Explain every gap of a small board, then look for what makes the book smaller."""
    tree = completable_positions(board)
    gaps = missed_by(
        specs, tree, lambda done: teller.work("positions", done, len(tree))
    )
    run = Run(Pool(gaps), tree.position)
    teller.began(run.pool, load_pool(options.file, run.pool, options.start))
    run.explain(options, teller)
    book = run.book(options, teller)
    for number in range(options.rounds):
        better = False
        prices = worth(run.pool.columns)
        for done, one in enumerate(vary(run.pool, prices, _VARIED), 1):
            teller.work(f"round {number + 1}, gaps once more", done, _VARIED)
            better |= one is not None
        save_pool(options.file, run.pool, options.start)
        if not better:
            break
        book = run.book(options, teller)
    return run, book


def hunted(
    board: Board,
    specs: tuple[RuleSpec, ...],
    options: Options,
    teller: Teller,
    *,
    walks: int,
    seed: int,
    everything: bool = False,
    boards: tuple[Board, ...] = (),
    known: Met = (),
) -> tuple[Run, Book]:
    """Walk under the book until stuck, explain, choose, and walk again.

    Ends after so many walks in a row that were not stuck, or when the gaps that stop
    them have no explanation. With `everything`, all walks of the board are tried then,
    left first, and what gets stuck is explained too. `boards` are walked on in place
    of the board, which they fit into; `known` gaps are explained with those met.
    """
    hunt = Hunt(board, specs, seed, boards=boards)
    hunt.add(known)
    files = options.file, *options.others
    for file in files:
        hunt.add(load_met(file, board, options.start))
    run = Run(hunt.pool(()), hunt.position, met=hunt.met)
    for file in files:
        run.grown |= load_names(file, board, options.start, "grown")
        run.tried |= load_names(file, board, options.start, "tried")
        hunt.walked += load_walked(file, board, options.start)
    run.walked = hunt.walked
    before = sum(load_pool(file, run.pool, options.start) for file in files)
    teller.began(run.pool, before)
    if options.reach:
        run.grow_rules(specs, options, teller)
    if not options.late:
        run.explain(options, teller)  # what was met before, if it was stopped there
    entries = run.chosen(options, teller)
    while True:
        tried = entries
        rules = [entry.rule for entry in entries]
        count = min(walks, _LAST) if options.late else walks
        run.stuck = hunt.walk(
            rules, count, _GAPS, lambda done: teller.work("walks", done, walks)
        )
        if everything and not run.stuck:
            run.stuck = hunt.left_first(
                rules, _GAPS, lambda done: teller.work("all walks", done, None)
            )
        run.walked = hunt.walked
        teller.walked(hunt.walked, run.stuck)
        if run.stuck:
            run.pool = hunt.pool(run.pool.entries)
            run.save(options)
            if not options.late:
                run.explain(options, teller)
        entries = run.chosen(options, teller)
        if run.stuck and set(entries) != set(tried) and not options.late:
            continue
        book = run.book(options, teller)
        if {member.entry for member in book.members} == set(entries):
            return run, book
        entries = tuple(member.entry for member in book.members)
