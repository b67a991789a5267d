"""A run of discovery: its pool, its book, and what it does between two savings.

Small boards are listed (`listed`). Large ones are walked on under the book until
nothing gets stuck (`hunted`): a walk that gets stuck is blamed on a step by an exact
search, and all dead moves that the book allows there are gaps. They are explained like
any others; then the book has more rules, and walks again. Both ways explain, choose and
prove by the same code; a `ProgressListener` hears of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
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
from verify.discovery.gaps import Bools, Gaps, columns_of, gaps_at, missed_by
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
from verify.proof.prove import Proved
from verify.trial.completeness import blame, gap_moves
from verify.trial.mining import mine
from verify.words import counted

_BLOCK = 200  # walks between two looks at what they found


@dataclass(slots=True)
class Hunt:
    """Walks on some boards under a book that grows.

    - `board`: holds all others.
    - `start`: what the book began with.
    - `positions`: where walks went wrong.
    - `moves`: the dead moves that the book allowed there, letters.
    - `walked`: walks made; walk k has seed `seed` + k.
    - `boards`: that are walked on; `board` if empty.
    """

    board: Board
    start: tuple[RuleSpec, ...]
    seed: int = 0
    positions: list[Position] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    walked: int = 0
    boards: tuple[Board, ...] = ()

    def walk(
        self,
        chosen: Sequence[RuleSpec],
        walks: int,
        most: int,
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Make walks on each board until so many gaps are found; return how many were.

        `progress` is given the walks of this call on one board, block by block.
        """
        rules, found = self._rules(chosen), 0
        for board in self.boards or (self.board,):
            new, left = 0, walks
            while left > 0 and new < most:
                count = min(_BLOCK, left)
                first = self.seed + self.walked
                for gap in mine(rules, board, walks=count, seed=first, minimal=False):
                    self.positions.append(gap.position)
                    self.moves.append(gap.moves)
                    new += 1
                self.walked += count
                left -= count
                if progress:
                    progress(walks - left)
            found += new
        return found

    def left_first(
        self,
        chosen: Sequence[RuleSpec],
        most: int,
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Walk left first, until so many gaps are found or all is tried.

        Every walk of the board is among them, so none found is none there. Returns how
        many were found; `progress` is given the walks completed.
        """
        rules, oracle = self._rules(chosen), get_oracle("search")
        walk, new = LeftFirstWalk(rules, Position(self.board)), set[Position]()
        while len(new) < most:
            event = walk.run(
                stop_stuck=True,
                progress=progress and (lambda walk: progress(walk.completed)),
            )
            if event is Event.FINISHED:
                break
            wrong = blame(walk.position, oracle)
            moves = gap_moves(rules, wrong, oracle) if wrong else ""
            if wrong and moves and wrong not in new:
                new.add(wrong)
                self.positions.append(wrong)
                self.moves.append(moves)
        return len(new)

    def _rules(self, chosen: Sequence[RuleSpec]) -> RuleSet:
        """Return what it began with and the rules chosen, under names of their own."""
        found = [
            replace(rule, name=f"drawing-{number}")
            for number, rule in enumerate(chosen)
        ]
        return drawn_rules("found", [*self.start, *found])

    def add(self, known: Iterable[tuple[Position, str]]) -> None:
        """Take gaps from before, each with its dead moves, letters; each move once."""
        there = {(position, move) for position, moves in self.met() for move in moves}
        for position, moves in known:
            new = "".join(move for move in moves if (position, move) not in there)
            if new:
                there |= {(position, move) for move in new}
                self.positions.append(position)
                self.moves.append(new)

    def met(self) -> list[tuple[Position, str]]:
        """Return the gaps found so far."""
        return list(zip(self.positions, self.moves, strict=True))

    def position(self, number: int) -> Position:
        """Return a position by its number."""
        return self.positions[number]

    def gaps(self) -> Gaps:
        """Return all gaps found so far, as rows; what it began with misses them."""
        found = gaps_at(self.board, self.met())
        columns = columns_of(self.start, found)
        caught: Bools = np.logical_or.reduce(columns, axis=1)
        return found.kept(~caught)

    def pool(self, entries: Sequence[Entry]) -> Pool:
        """Return the pool of these gaps, with the drawings found before."""
        pool = Pool(self.gaps(), quick=True)
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
    given_up = {
        int(i) for i in np.flatnonzero(pool.open) if pool.gaps.key(int(i)) in tried
    }
    pool.unexplained |= given_up
    if pool.quick:  # what is easily seen first: it catches most of the others
        for number in np.flatnonzero(pool.open):
            if number not in given_up and not pool.caught(int(number)):
                best = _best(pool, int(number), Search.glance)
                if best is not None:
                    yield int(number), best
    for number in np.flatnonzero(pool.open):
        if number not in given_up and not pool.caught(int(number)):
            best = _best(pool, int(number), Search.explain)
            if best is None:
                pool.unexplained.add(int(number))
                tried.add(pool.gaps.key(int(number)))
            yield int(number), best


def _best(
    pool: Pool, number: int, explain: Callable[[Search], Iterator[Entry]]
) -> Entry | None:
    """Take the explanations of a gap into the pool; return that of the fewest facts."""
    weights = np.where(pool.open, pool.gaps.counts, 0.001)
    best: Entry | None = None
    for entry in explain(Search(pool, number, weights)):
        column = pool.add(entry)
        if column[number] and (best is None or best.facts > entry.facts):
            best = entry
    return best


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry | None]:
    """Explain gaps once more, those of the highest dual price first.

    Yields for each the drawing that is worth more than one, which may make the book
    smaller, or None.
    """
    order = np.argsort(-prices, kind="stable")
    for number in order[: min(most, int((prices > 0).sum()))]:
        better = None
        for entry in Search(pool, int(number), prices + 1e-6).explain():
            column = pool.add(entry)
            if float(prices[column].sum()) > 1 + 1e-6:
                better = entry
        yield better


EXHAUSTIVE = 7  # boards with sides up to this are listed
_SEVERAL = 3  # gaps of a drawing of many facts that grows
_LAST = 200  # walks on a board that are made in the end, where time is over
_SAVED = 5.0  # seconds between two savings of the pool
_VARIED = 30  # gaps that are explained once more, in a round
_GAPS = 20  # that walks on a board find before they are explained


class ProgressListener(Protocol):
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
class Run:
    """A pool, where its gaps come from, and the book chosen last.

    - `position`: gives the position of an example's number (`Gaps.first`).
    - `known`, dict: what the prover said of drawings.
    - `walked`: walks made; 0 if the board was listed.
    - `stuck`: walks of the last round that got stuck.
    - `met`: gives the gaps that walks met; none if the board was listed.
    - `grown`: pictures whose families were looked for (`key_of`).
    - `tried`: gaps of walks that nothing explained (`Gaps.key`).
    - `saved`: when it was last kept, by the clock.
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

    def book(self, options: Options, listener: ProgressListener) -> Book:
        """Choose the smallest book of the pool that the prover confirms."""
        done = len(self.known)

        def progress(_: Entry, __: bool) -> None:
            listener.work("proofs", len(self.known) - done, None)

        return choose(
            self.pool,
            options.name,
            most=options.most,
            known=self.known,
            progress=progress,
        )

    def chosen(self, options: Options, listener: ProgressListener) -> tuple[Entry, ...]:
        """Choose from the pool, let the chosen grow, choose again; proves nothing."""
        entries = chosen(self.pool, options.most)
        if options.reach and self.grow(entries, options, listener):
            entries = chosen(self.pool, options.most)
        return entries

    def explain(self, options: Options, listener: ProgressListener) -> None:
        """Explain what is open, and keep the pool."""
        for number, entry in explain_all(self.pool, self.tried):
            left = int(self.pool.open.sum())
            listener.work("gaps", len(self.pool.gaps) - left, len(self.pool.gaps))
            listener.explained(self, number, entry)
            self.save(options, _SAVED)
            if options.late:
                break
        self.save(options)

    def save(self, options: Options, after: float = 0) -> None:
        """Keep the pool, if it was last kept so many seconds ago."""
        if monotonic() - self.saved >= after:
            kept = Kept((), self.met(), self.grown, self.walked, self.tried)
            save_pool(options.file, self.pool, options.start, kept)
            self.saved = monotonic()

    def grow(
        self, entries: Sequence[Entry], options: Options, listener: ProgressListener
    ) -> int:
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
            listener.work("families", done, len(entries))
        self.save(options)
        return new

    def _promising(self, entry: Entry) -> bool:
        """Tell whether a drawing is worth the time that its families take.

        It asks for few facts, or catches several gaps; it may do so later.
        """
        caught = self.pool.columns[:, self.pool.entries.index(entry)].sum()
        return bool(entry.facts <= FEW or caught >= _SEVERAL)

    def grow_rules(
        self, specs: tuple[RuleSpec, ...], options: Options, listener: ProgressListener
    ) -> None:
        """Let the lines of the rules that it began with grow, once."""
        pictures = [picture for rule in specs for picture in pictures_of(rule)]
        for done, picture in enumerate(pictures, 1):
            if options.late:
                break
            if key_of(picture) not in self.grown:
                self.pool.add_new([*grown(picture, FROM_BEFORE, options.reach)])
                self.grown.add(key_of(picture))
                self.save(options, _SAVED)
            listener.work("families of the rules before", done, len(pictures))
        self.save(options)


def listed(
    board: Board,
    specs: tuple[RuleSpec, ...],
    options: Options,
    listener: ProgressListener,
) -> tuple[Run, Book]:
    """Explain every gap of a small board, then look for what makes the book smaller."""
    tree = completable_positions(board)
    gaps = missed_by(
        specs, tree, lambda done: listener.work("positions", done, len(tree))
    )
    run = Run(Pool(gaps), tree.position)
    listener.began(run.pool, load_pool(options.file, run.pool, options.start))
    run.explain(options, listener)
    book = run.book(options, listener)
    for number in range(options.rounds):
        better = False
        prices = worth(run.pool.columns)
        for done, one in enumerate(vary(run.pool, prices, _VARIED), 1):
            listener.work(f"round {number + 1}, gaps once more", done, _VARIED)
            better |= one is not None
        run.save(options)
        if not better:
            break
        book = run.book(options, listener)
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
    before = [load_kept(file, board, options.start) for file in files]
    for kept in before:
        hunt.add(kept.met)
        hunt.walked += kept.walked
    run = Run(hunt.pool(()), hunt.position, met=hunt.met, walked=hunt.walked)
    for kept in before:
        run.grown |= set(kept.grown)
        run.tried |= set(kept.tried)
    readable = [[one for one in kept.entries if one.facts <= ENOUGH] for kept in before]
    listener.began(run.pool, sum(map(run.pool.add_new, readable)))
    if options.reach:
        run.grow_rules(specs, options, listener)
    if not options.late:
        run.explain(options, listener)  # what was met before, if it was stopped there
    entries = run.chosen(options, listener)
    while True:
        tried = entries
        rules = [entry.rule for entry in entries]
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
            run.save(options)
            if not options.late:
                run.explain(options, listener)
        entries = run.chosen(options, listener)
        if run.stuck and set(entries) != set(tried) and not options.late:
            continue
        book = run.book(options, listener)
        if {member.entry for member in book.members} == set(entries):
            return run, book
        entries = tuple(member.entry for member in book.members)


def head_of(book: Book, run: Run, start: str) -> str:
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


def _on(run: Run) -> str:
    """Return the boards that gaps were met on: the listed one, or those of walks."""
    boards = {position.board for position, _ in run.met()} or {run.pool.gaps.board}
    return ", ".join(b.notation for b in sorted(boards, key=lambda b: b.cells))


def open_gaps(run: Run) -> str:
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
