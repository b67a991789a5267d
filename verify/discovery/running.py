"""A run of discovery: its pool, its book, and what it does between two savings.

Small boards are listed (`listed`). Large ones are walked on under the book until
nothing gets stuck (`hunted`): a walk that gets stuck is blamed on a step by an exact
search, and all dead moves that the book allows there are gaps. They are explained like
any others; then the book has more rules, and walks again. Both ways explain, choose and
prove by the same code; a `ProgressListener` is notified.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import Protocol

import numpy as np

from heuristic.groups import drawn_rules
from heuristic.rule import Event, RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import LETTERS, Board, Position
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from verify.discovery.areas import LONG
from verify.discovery.book import (
    Book,
    Kept,
    Met,
    choose,
    chosen,
    key_of,
    load_kept,
    load_pool,
    save_pool,
    worth,
)
from verify.discovery.explaining import Floats
from verify.discovery.families import Family, pictures_of
from verify.discovery.gaps import Bools, columns_of, gaps_at, missed_by
from verify.discovery.question import Picture
from verify.discovery.search import (
    ENOUGH,
    FAR_LOOKS,
    FEW,
    FROM_BEFORE,
    LOOKS,
    SECONDS,
    Entry,
    Pool,
    Search,
    grown,
)
from verify.evidence.mining import gaps_met
from verify.proof.prove import Proved
from verify.truth import blame, gap_moves
from verify.words import counted

_BLOCK = 200  # walks between two looks at what they found


@dataclass(slots=True)
class Hunt:
    """Walks on some boards under a book that grows.

    - `board`: holds all others.
    - `start`: what the book began with.
    - `met`: where walks went wrong, with the dead moves that the book allowed there.
    - `walked`: walks made; walk k has seed `seed` + k.
    - `boards`: that are walked on; `board` if empty.
    """

    board: Board
    start: tuple[RuleSpec, ...]
    seed: int = 0
    met: list[tuple[Position, str]] = field(default_factory=list)
    walked: int = 0
    boards: tuple[Board, ...] = ()

    def walk(
        self,
        chosen: Sequence[RuleSpec],
        walks: int,
        most: int,
        progress: Callable[[int], None],
    ) -> int:
        """Make walks on each board until so many gaps are found; return how many were.

        `progress` is given the walks of this call on one board, block by block.
        """
        rules, before = self._rules(chosen), len(self.met)
        for board in self.boards or (self.board,):
            enough = len(self.met) + most
            for done in range(0, walks, _BLOCK):
                if len(self.met) < enough:
                    count = min(_BLOCK, walks - done)
                    first = self.seed + self.walked
                    self.met += gaps_met(rules, board, walks=count, seed=first)
                    self.walked += count
                    progress(done + count)
        return len(self.met) - before

    def left_first(
        self, chosen: Sequence[RuleSpec], most: int, progress: Callable[[int], None]
    ) -> int:
        """Walk left first, until so many gaps are found or all is tried.

        Every walk of the board is among them, so none found is none there. Returns how
        many were found; `progress` is given the walks completed.
        """
        rules, oracle = self._rules(chosen), get_oracle("search")
        walk, new = LeftFirstWalk(rules, Position(self.board)), dict[Position, str]()
        while len(new) < most:
            event = walk.run(
                stop_stuck=True, progress=lambda walk: progress(walk.completed)
            )
            if event is Event.FINISHED:
                break
            wrong = blame(walk.position, oracle)
            if wrong and (moves := gap_moves(rules, wrong, oracle)):
                new[wrong] = moves
        self.met += new.items()
        return len(new)

    def _rules(self, chosen: Sequence[RuleSpec]) -> RuleSet:
        """Return what it began with and the rules chosen, under names of their own."""
        found = [replace(rule, name=f"drawing-{i}") for i, rule in enumerate(chosen)]
        return drawn_rules("found", [*self.start, *found])

    def add(self, known: Iterable[tuple[Position, str]]) -> None:
        """Take gaps from before, each with its dead moves, letters; each move once."""
        there = {(position, move) for position, moves in self.met for move in moves}
        for position, moves in known:
            new = "".join(move for move in moves if (position, move) not in there)
            if new:
                there |= {(position, move) for move in new}
                self.met.append((position, new))

    def pool(self, entries: Sequence[Entry]) -> Pool:
        """Return the pool of the gaps that it began with misses, with drawings."""
        found = gaps_at(self.board, self.met)
        caught: Bools = np.logical_or.reduce(columns_of(self.start, found), axis=1)
        pool = Pool(found.kept(~caught), quick=True)
        pool.extend(entries)
        return pool


def explain_all(
    pool: Pool, tried: set[str] | None = None
) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None. Gaps of
    `tried` (`Gaps.key`) are left out, and those that nothing explains are added.
    """
    tried = set() if tried is None else tried
    numbers = np.flatnonzero(pool.open).tolist()
    todo = [number for number in numbers if pool.gaps.key(number) not in tried]
    for number in todo if pool.quick else ():
        # what is easily seen first: it catches most of the others
        if not pool.caught(number):
            best = _best(pool, number, Search.glance)
            if best is not None:
                yield number, best
    for number in todo:
        if not pool.caught(number):
            best = _best(pool, number, Search.explain)
            if best is None:
                tried.add(pool.gaps.key(number))
            yield number, best


def _best(
    pool: Pool, number: int, explain: Callable[[Search], Iterator[Entry]]
) -> Entry | None:
    """Take the explanations of a gap into the pool; return that of the fewest facts."""
    weights = np.where(pool.open, pool.gaps.counts, 0.001)
    found = explain(Search(pool, number, weights))
    good = [entry for entry in found if pool.add(entry)[number]]
    return min(good, key=attrgetter("facts"), default=None)


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry | None]:
    """Explain gaps once more, those of the highest dual price first.

    Yields for each the drawing that is worth more than one, which may make the book
    smaller, or None.
    """
    order = np.argsort(-prices, kind="stable")
    for number in order[: min(most, int((prices > 0).sum()))]:
        better = None
        for entry in Search(pool, int(number), prices + 1e-6).explain():
            if float(prices[pool.add(entry)].sum()) > 1 + 1e-6:
                better = entry
        yield better


EXHAUSTIVE = 7  # boards with sides up to this are listed
_SEVERAL = 3  # gaps of a drawing of many facts that grows
_LAST = 200  # walks on a board that are made in the end, where time is over
_SAVED = 5.0  # seconds between two savings of the pool
_VARIED = 30  # gaps that are explained once more, in a round
_GAPS = 20  # that walks on a board find before they are explained


class ProgressListener(Protocol):
    """Is notified as a run goes on."""

    def work(self, what: str, done: int, total: int | None) -> None:
        """Hear how far a piece of work is."""

    def began(self, pool: Pool, before: int) -> None:
        """Hear of the gaps to explain, and of drawings from before."""

    def explained(self, run: "DiscoveryRun", number: int, entry: Entry | None) -> None:
        """Hear of a gap and its drawing."""

    def walked(self, walks: int, new: int) -> None:
        """Hear how many walks were made, and how many new gaps they found."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for.

    - `name`: of the rules, with a number.
    - `file`: keeps the pool.
    - `start`: the rules that it begins with, as they were named.
    - `rounds`: times that the pool is made larger for a smaller book, on listed boards.
    - `most`: facts of a drawing, where a smaller one will do.
    - `reach`: the larger side of a member of a family, in cells, at most; 0: no
      families.
    - `until`: when nothing more is walked, explained or grown, by `time.monotonic`.
    - `others`: pools of other runs, of the same board and rules, that are taken over.
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
class DiscoveryRun:
    """A pool, where its gaps come from, and what was done with it.

    - `position`: gives the position of an example's number (`Gaps.first`).
    - `known`, dict: what the prover said of drawings.
    - `walked`: walks made; 0 if the board was listed.
    - `stuck`: walks of the last round that got stuck.
    - `met`: the gaps that walks met; none if the board was listed.
    - `grown`: pictures whose families were looked for (`key_of`).
    - `tried`: gaps of walks that nothing explained (`Gaps.key`).
    - `saved`: when it was last kept, by the clock.
    """

    pool: Pool
    options: Options
    listener: ProgressListener
    position: Callable[[int], Position]
    known: dict[RuleSpec, Proved | None] = field(default_factory=dict)
    walked: int = 0
    stuck: int = 0
    met: Met = ()
    grown: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    saved: float = field(default_factory=monotonic)

    @property
    def missed(self) -> int:
        """Dead moves that no drawing catches."""
        return int(self.pool.gaps.counts[self.pool.open].sum())

    def book(self) -> Book:
        """Choose the smallest book of the pool that the prover confirms."""
        done = len(self.known)
        return choose(
            self.pool,
            self.options.name,
            most=self.options.most,
            known=self.known,
            progress=lambda: self.listener.work("proofs", len(self.known) - done, None),
        )

    def chosen(self) -> tuple[Entry, ...]:
        """Choose from the pool, let the chosen grow, choose again; proves nothing."""
        entries = chosen(self.pool, self.options.most)
        if self.options.reach and self.grow(entries):
            entries = chosen(self.pool, self.options.most)
        return entries

    def explain(self) -> None:
        """Explain what is open, and keep the pool."""
        for number, entry in explain_all(self.pool, self.tried):
            left = int(self.pool.open.sum())
            self.listener.work("gaps", len(self.pool.gaps) - left, len(self.pool.gaps))
            self.listener.explained(self, number, entry)
            self.save(_SAVED)
            if self.options.late:
                break
        self.save()

    def save(self, after: float = 0) -> None:
        """Keep the pool, if it was last kept so many seconds ago."""
        if monotonic() - self.saved >= after:
            kept = Kept((), self.met, self.grown, self.walked, self.tried)
            save_pool(self.options.file, self.pool, self.options.start, kept)
            self.saved = monotonic()

    def grow(self, entries: Sequence[Entry]) -> int:
        """Let the lines of drawings grow, and families; return how many are new.

        Those are left out that ask for many facts and catch few gaps: they are not
        worth the time, though they may be later.
        """
        pool, reach = self.pool, self.options.reach
        some = list[tuple[str, Callable[[], int]]]()
        for entry in entries:
            key, found = key_of(entry.found.picture), entry.found
            if isinstance(found, Family):
                key += f"-{found.growth}-{reach}"
                some.append((key, partial(pool.lengthen, entry, reach)))
            elif (
                entry.facts <= FEW
                or pool.columns[:, pool.entries.index(entry)].sum() >= _SEVERAL
            ):
                some.append((key, partial(pool.grow, entry, reach)))
        return self._grow("families", some)

    def grow_rules(self, specs: tuple[RuleSpec, ...]) -> None:
        """Let the lines of the rules that it began with grow, once."""

        def families(picture: Picture) -> int:
            new = grown(picture, FROM_BEFORE, self.options.reach)
            return self.pool.add_new([*new])

        pictures = [picture for rule in specs for picture in pictures_of(rule)]
        some = [(key_of(one), partial(families, one)) for one in pictures]
        self._grow("families of the rules before", some)

    def _grow(self, what: str, some: Sequence[tuple[str, Callable[[], int]]]) -> int:
        """Let pictures grow that did not before, by their keys; return the sum."""
        new = 0
        for done, (key, grow) in enumerate(some, 1):
            if self.options.late:
                break
            if key not in self.grown:
                new += grow()
                self.grown.add(key)
                self.save(_SAVED)
            self.listener.work(what, done, len(some))
        self.save()
        return new


def listed(
    board: Board,
    specs: tuple[RuleSpec, ...],
    options: Options,
    listener: ProgressListener,
) -> tuple[DiscoveryRun, Book]:
    """Explain every gap of a small board, then look for what makes the book smaller."""
    tree = completable_positions(board)
    gaps = missed_by(
        specs, tree, lambda done: listener.work("positions", done, len(tree))
    )
    run = DiscoveryRun(Pool(gaps), options, listener, tree.position)
    listener.began(run.pool, load_pool(options.file, run.pool, options.start))
    run.explain()
    book = run.book()
    for number in range(options.rounds):
        better = False
        prices = worth(run.pool.columns)
        for done, one in enumerate(vary(run.pool, prices, _VARIED), 1):
            listener.work(f"round {number + 1}, gaps once more", done, _VARIED)
            better |= one is not None
        run.save()
        if not better:
            break
        book = run.book()
    return run, book


def hunted(
    board: Board,
    specs: tuple[RuleSpec, ...],
    options: Options,
    listener: ProgressListener,
    *,
    walks: int,
    seed: int,
    everything: bool = False,
    boards: tuple[Board, ...] = (),
    known: Met = (),
) -> tuple[DiscoveryRun, Book]:
    """Walk under the book until stuck, explain, choose, and walk again.

    Ends after so many walks in a row that were not stuck, or when the gaps that stop
    them have no explanation. With `everything`, all walks of the board are tried then,
    left first, and what gets stuck is explained too. `boards` are walked on in place
    of the board, which they fit into; `known` gaps are explained with those met.
    """
    hunt = Hunt(board, specs, seed, boards=boards)
    hunt.add(known)
    files = options.file, *options.others
    before = [load_kept(file, board, options.start) for file in files]
    for kept in before:
        hunt.add(kept.met)
        hunt.walked += kept.walked
    pool = hunt.pool(())
    run = DiscoveryRun(pool, options, listener, lambda i: hunt.met[i][0], met=hunt.met)
    run.walked = hunt.walked
    for kept in before:
        run.grown |= set(kept.grown)
        run.tried |= set(kept.tried)
    readable = [[one for one in kept.entries if one.facts <= ENOUGH] for kept in before]
    listener.began(run.pool, sum(map(run.pool.add_new, readable)))
    if options.reach:
        run.grow_rules(specs)
    if not options.late:
        run.explain()  # what was met before, if it was stopped there
    entries = run.chosen()
    while True:
        tried, rules = entries, [entry.rule for entry in entries]
        count = min(walks, _LAST) if options.late else walks
        run.stuck = hunt.walk(
            rules, count, _GAPS, lambda done: listener.work("walks", done, walks)
        )
        if everything and not run.stuck:
            run.stuck = hunt.left_first(
                rules, _GAPS, lambda done: listener.work("all walks", done, None)
            )
        run.walked = hunt.walked
        listener.walked(hunt.walked, run.stuck)
        if run.stuck:
            run.pool = hunt.pool(run.pool.entries)
            run.save()
            if not options.late:
                run.explain()
        entries = run.chosen()
        if run.stuck and set(entries) != set(tried) and not options.late:
            continue
        book = run.book()
        if {member.entry for member in book.members} == set(entries):
            return run, book
        entries = tuple(member.entry for member in book.members)


def head_of(book: Book, run: DiscoveryRun, start: str) -> str:
    """Return the comment that a found book begins with."""
    began = f" --rules {start}" if start else ""
    missed = f"they miss {counted(run.missed, 'dead move')}"
    if run.walked:
        missed += f" of {len(run.pool.gaps):,} that were met or named,\n# on {_on(run)}"
    return (
        f"# {counted(len(book.members), 'rule')}, found and proved: with the rules "
        f"before them\n# {missed}. Made by the command, never by hand:\n"
        f"# oneway discover {run.pool.gaps.board.notation}{began}\n"
    )


def _on(run: DiscoveryRun) -> str:
    """Return the boards that gaps were met on: the listed one, or those of walks."""
    boards = {position.board for position, _ in run.met} or {run.pool.gaps.board}
    return ", ".join(b.notation for b in sorted(boards, key=lambda b: b.cells))


def open_gaps(run: DiscoveryRun) -> str:
    """Return the gaps that no drawing catches, as `--gaps` reads them."""
    near = max(look[0] for look in LOOKS)
    far = max(look[0] for look in FAR_LOOKS)
    limit = f" for {SECONDS:.0f} s each" if run.pool.quick else ""
    lines = [
        "# Dead moves that no drawing of the pool forbids: a position and the move.",
        f"# Tried{limit}: windows of {far} cells each way from the",
        f"# live end, forced lines of {near}, areas behind up to {LONG[-1][-1]} marked",
        '# cells, two areas. Those with "not tried" behind them were not tried.',
    ]
    gaps = run.pool.gaps
    for number in np.flatnonzero(run.pool.open):
        position = run.position(int(gaps.first[number]))
        tried = gaps.key(int(number)) in run.tried
        move = LETTERS[int(gaps.move[number])]
        lines.append(f"{position.notation} {move}" + "  # not tried" * (not tried))
    return "\n".join(lines) + "\n"
