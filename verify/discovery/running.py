"""Runs of discovery: gaps, drawings that explain them, and a proved rule book.

On a small board, `Discovery.listed` explains every gap. On a large board,
`Discovery.hunted` lets the book walk until it gets stuck. An exact search blames a step
of each stuck walk. The dead moves that the book allows there are gaps. They are
explained like any others, the book grows, and it walks again.

A drawing is only a candidate. `verify.proof.prove` judges it like any other rule. The
book is the smallest choice of candidates, by an exact set cover. If the prover rejects
one of them, it leaves the pool and another choice is made.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from operator import attrgetter
from time import monotonic

import numpy as np

from heuristic.groups import rules_together
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.oracles.reference import new_solver, solve_model
from solver.positions import completable_positions
from verify.discovery.gaps import Bools, gaps_at, missed_by
from verify.discovery.question import Picture, rule_of, text_of_rule
from verify.discovery.search import Candidate, Pool, Search
from verify.evidence.mining import gaps_of_walks
from verify.formatting import counted
from verify.proof.prove import Proved, prove_rule

EXHAUSTIVE = 7  # boards with sides up to this are listed
_BLOCK = 200  # walks between two looks at what they met
_GAPS = 20  # that walks meet before they are explained
_LAST = 200  # walks after the time limit
_RULE = 1000  # weight of a rule; no saving of facts outweighs it
_COVER = 60.0  # seconds of the clock for one choice
_SECONDS = (2.0, 20.0)  # of the prover, for one part: most need far less


# The book ------------------------------------------------------------------------


def smallest_cover(
    columns: Bools, facts: Sequence[int]
) -> tuple[tuple[int, ...], bool]:
    """Choose the fewest rules, then the fewest facts, that catch what all do.

    Returns the choice, and whether no other one is better.

    - `columns`, (gaps, rules) bool: which rule catches which gap.
    - `facts`: of each rule.
    """
    from ortools.sat.python import cp_model

    kinds = np.unique(columns[columns.any(axis=1)], axis=0)
    if not len(kinds):
        return (), True
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"r{i}") for i in range(len(facts))]
    for kind in kinds:
        model.add_bool_or([taken[i] for i in np.flatnonzero(kind)])
    model.minimize(sum((_RULE + f) * x for f, x in zip(facts, taken, strict=True)))
    solver = new_solver(_COVER)
    solver.parameters.random_seed = 0
    status = solve_model(solver, model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), "all together are a cover"
    chosen = tuple(i for i, x in enumerate(taken) if solver.boolean_value(x))
    return chosen, status == cp_model.OPTIMAL


@dataclass(frozen=True, slots=True)
class Member:
    """A rule of the book.

    - `proved`: of the rule with its name and its reason in words.
    - `caught`, `only`: dead moves of the board that it forbids, and those that no other
      rule does.
    """

    candidate: Candidate
    proved: Proved
    caught: int
    only: int


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """The chosen rules, those that catch most first.

    - `optimal`: whether no choice from the same pool is smaller.
    - `refused`: drawings that the prover did not confirm.
    """

    members: tuple[Member, ...] = ()
    optimal: bool = True
    refused: int = 0


def reason_of(picture: Picture) -> str:
    """Return one sentence on why the rule holds, without full stop."""
    area = "the area" if len(picture.areas) == 1 else "each area"
    if picture.step and picture.areas:
        return f"with what the step forces, no completion visits all of {area}"
    if picture.step:
        return "what the step forces closes a loop, or leaves a cell with one way"
    if picture.areas:
        return f"after the move the doors that are left do not visit all of {area}"
    return "after the move a cell is left with one way, or a loop is closed"


# Runs ----------------------------------------------------------------------------


class Listener:
    """Gets the progress of a run, and ignores it."""

    def work(self, what: str, done: int, total: int | None) -> None:
        """Receive the progress of a piece of work."""

    def explained(
        self, run: "Discovery", number: int, candidate: Candidate | None
    ) -> None:
        """Receive a gap and its drawing, or None if nothing explains it."""


@dataclass(slots=True)
class Discovery:
    """A search for a rule book of a board.

    - `start`: the rules that the book begins with.
    - `name`: of the new rules, with a number.
    - `until`: time of `time.monotonic` after which nothing is walked or explained.
    - `pool`: the gaps and the drawings.
    - `answers`: of the prover; None without a proof.
    - `met`: the gaps that walks met, with dead moves; none if the board was listed.
    - `walked`, `stuck`: walks made, and gaps that those of the last round met.
    - `tried`: gaps that nothing explains (`Gaps.key`).
    """

    board: Board
    start: tuple[RuleSpec, ...] = ()
    name: str = "found"
    until: float = inf
    listener: Listener = field(default_factory=Listener)
    pool: Pool = field(init=False)
    answers: dict[RuleSpec, Proved | None] = field(default_factory=dict)
    met: list[tuple[Position, str]] = field(default_factory=list)
    walked: int = 0
    stuck: int = 0
    tried: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pool = Pool(gaps_at(self.board, ()), quick=True)

    @property
    def late(self) -> bool:
        """Return whether the time limit has passed."""
        return monotonic() > self.until

    @property
    def missed(self) -> int:
        """Dead moves that no drawing catches."""
        return int(self.pool.gaps.counts[self.pool.open].sum())

    def position(self, number: int) -> Position:
        """Return a position with a gap, by its number (`Gaps.first`)."""
        if self.pool.quick:
            return self.met[number][0]
        return completable_positions(self.board).position(number)

    def listed(self) -> ChosenRules:
        """Explain every gap of a small board, and choose."""
        tree = completable_positions(self.board)
        self.pool = Pool(missed_by(self.start, tree))
        self.explain()
        return self.book()

    def hunted(self, *, walks: int, seed: int) -> ChosenRules:
        """Walk under the book until stuck, explain, choose, and walk again.

        Ends when no walk of a round was stuck, or when the book does not change.
        """
        book, pictures = ChosenRules(), set[Picture]()
        while self.walk(book, min(walks, _LAST) if self.late else walks, seed):
            candidates = self.pool.candidates
            self.pool = Pool(gaps_at(self.board, self.met), quick=True)
            self.pool.add(candidates)
            self.explain()
            before, book = pictures, self.book()
            pictures = {member.candidate.picture for member in book.members}
            if self.late or pictures == before:
                break
        return book

    def walk(self, book: ChosenRules, walks: int, seed: int) -> int:
        """Run walks until they meet enough gaps; return the number of gaps.

        Walk k of a run has seed `seed` + k.
        """
        rules = [*self.start, *(member.proved.rule for member in book.members)]
        before, done = len(self.met), 0
        while done < walks and len(self.met) < before + _GAPS:
            count = min(_BLOCK, walks - done)
            self.met += gaps_of_walks(
                rules_together("found", rules),
                self.board,
                walks=count,
                seed=seed + self.walked,
            )
            self.walked += count
            done += count
            self.listener.work("walks", done, walks)
        self.stuck = len(self.met) - before
        return self.stuck

    def explain(self) -> None:
        """Explain the gaps that are open, until the time is over."""
        gaps = () if self.late else explain_all(self.pool, self.tried)
        for number, candidate in gaps:
            left = int(self.pool.open.sum())
            self.listener.work("gaps", len(self.pool.gaps) - left, len(self.pool.gaps))
            self.listener.explained(self, number, candidate)
            if self.late:
                break

    def book(self) -> ChosenRules:
        """Choose the smallest book of the pool that the prover confirms."""
        pool, refused = self.pool, 0
        while True:
            facts = [candidate.picture.facts for candidate in pool.candidates]
            chosen, optimal = smallest_cover(pool.columns, facts)
            wrong = [i for i in chosen if not self._proof(pool.candidates[i])]
            if not wrong:
                return ChosenRules(self._members(chosen), optimal, refused)
            refused += len(wrong)
            for number in reversed(wrong):
                pool.drop(number)

    def _proof(self, candidate: Candidate) -> Proved | None:
        rule = candidate.rule
        if rule not in self.answers:
            attempts = (prove_rule(rule, seconds=s, most=1) for s in _SECONDS)
            proofs = (x for x in attempts if isinstance(x, Proved))
            self.answers[rule] = next(proofs, None)
            self.listener.work("proofs", len(self.answers), None)
        return self.answers[rule]

    def _members(self, chosen: Sequence[int]) -> tuple[Member, ...]:
        counts, columns = self.pool.gaps.counts, self.pool.columns[:, list(chosen)]
        alone = columns.sum(axis=1) == 1
        caught = [int(counts[column].sum()) for column in columns.T]
        members = []
        order = sorted(range(len(chosen)), key=lambda i: (-caught[i], chosen[i]))
        for place, i in enumerate(order, 1):
            candidate = self.pool.candidates[chosen[i]]
            proved = self._proof(candidate)
            assert proved is not None
            picture, name = candidate.picture, f"{self.name}-{place}"
            rule = rule_of(picture, candidate.forbids, name, reason_of(picture))
            only = int(counts[columns[:, i] & alone].sum())
            proved = replace(proved, rule=rule)
            members.append(Member(candidate, proved, caught[i], only))
        return tuple(members)


def explain_all(
    pool: Pool, tried: set[bytes]
) -> Iterator[tuple[int, Candidate | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None. Gaps of
    `tried` (`Gaps.key`) do not count, and those that nothing explains are added.
    """
    for number in np.flatnonzero(pool.open).tolist():
        key = pool.gaps.key(number)
        if not pool.open[number] or key in tried:
            continue
        weights = np.where(pool.open, pool.gaps.counts, 0.001)
        drawings = Search(pool, number, weights).explain()
        good = [drawing for drawing in drawings if pool.add([drawing])[number]]
        if not good:
            tried.add(key)
        yield number, min(good, key=attrgetter("picture.facts"), default=None)


def text_of_book(book: ChosenRules, run: Discovery, start: str) -> str:
    """Return a book as a rule file; `start` names the rules that it began with."""
    begun = f" --rules {start}" if start else ""
    missed = f"they miss {counted(run.missed, 'dead move')}"
    if run.walked:
        missed += f" of {len(run.pool.gaps):,} that walks met"
    text = (
        f"# {counted(len(book.members), 'rule')}, found and proved: with the rules "
        f"before them\n# {missed}. Made by the command, never by hand:\n"
        f"# oneway discover {run.board.notation}{begun}\n"
    )
    for member in book.members:
        drawn, rule = member.candidate, member.proved.rule
        words = rule.name, rule.reason, member.proved.admitted.word
        text += "\n" + text_of_rule(drawn.picture, drawn.forbids, *words)
    return text
