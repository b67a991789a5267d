"""The verdict on a rule: proved, refuted, or open with what the proof lacks."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from operator import call
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.oracles.oracle import why_dead
from verify.corpus.cases import Case
from verify.proof.decision import GaveUp, Survivor
from verify.proof.formula import Scope
from verify.proof.prove import Proved, ProvedPart, parts, prove_rule
from verify.proof.window import grants
from verify.runs.pool import each

if TYPE_CHECKING:  # a proof needs no search for counterexamples
    from verify.proof.counterexample import Refutation


_SMALL = 20  # cells of a board whose positions are all tried
_TRIES = 400  # random boards of one size
_SIDES = (7, 9)  # of the boards of the directed search


@dataclass(frozen=True, slots=True)
class Refuted:
    """A rule with a counterexample, and its parts without a proof."""

    rule: RuleSpec
    refutation: "Refutation"
    open_parts: tuple[ProvedPart, ...]
    seconds: float
    word: str = "REFUTED"


@dataclass(frozen=True, slots=True)
class Open:
    """A rule with neither proof nor counterexample.

    - `proved`: the number of parts that are proved.
    - `survivors`: the parts without a proof.
    - `tried`: the searches for a counterexample, in words.
    """

    rule: RuleSpec
    proved: int
    survivors: tuple[tuple[ProvedPart, Survivor | GaveUp], ...]
    tried: str
    seconds: float
    word: str = "OPEN"

    @property
    def open_parts(self) -> tuple[ProvedPart, ...]:
        """The parts that have no proof."""
        return tuple(part for part, _ in self.survivors)


Judgement: TypeAlias = Proved | Refuted | Open


def judge(
    rule: RuleSpec, *, seed: int = 0, seconds: float = 10.0, cases: Sequence[Case] = ()
) -> Judgement:
    """Prove the rule, or else refute it, or else return what is open.

    `seconds` limit the processor time of each single search; `cases` are tried first.
    """
    attempt = prove_rule(rule, seconds=2 * seconds)
    if isinstance(attempt, Proved):
        return attempt
    from verify.proof.counterexample import SIZES, refute, refute_by_cases

    open_parts = tuple(part for part, _ in attempt.survivors)
    began = time.process_time()
    if grants(rule):
        refutation, tried = refute_by_cases(rule, cases), "the corpus"
    else:
        refutation = refute(rule, open_parts, seed=seed, seconds=seconds, cases=cases)
        boards = ", ".join(f"{side} x {side}" for side in SIZES)
        tried = f"all of 5 x 5; directed search on {boards}"
    took = attempt.seconds + time.process_time() - began
    if refutation is not None:
        return Refuted(rule, refutation, open_parts, took)
    return Open(rule, len(attempt.proofs), attempt.survivors, tried, took)


def judge_all(
    rules: Sequence[RuleSpec],
    *,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Mapping[str, Sequence[Case]] = MappingProxyType({}),
    jobs: int = 1,
) -> Iterator[Judgement]:
    """Yield the verdicts on rules, in their order, from `jobs` processes.

    `cases` are those against each rule, by its name. The rest is as for `judge`.
    """
    single = partial(judge, seed=seed, seconds=seconds)
    tasks = [partial(single, rule, cases=cases.get(rule.name, ())) for rule in rules]
    if min(jobs, len(tasks)) < 2:
        yield from map(call, tasks)
        return
    # rules with many drawings take long, so they begin first
    order = sorted(range(len(rules)), key=lambda i: -len(rules[i].drawings))
    yield from each(call, tasks, jobs, order=order)


@dataclass(frozen=True, slots=True)
class InScope:
    """The verdict on a rule for the boards of one scope."""

    scope: Scope
    boards: str
    proved: bool = False
    refutation: "Refutation | None" = None

    @property
    def word(self) -> str:
        """PROVED, REFUTED or OPEN."""
        return "PROVED" if self.proved else "REFUTED" if self.refutation else "OPEN"


def in_all_scopes(rule: RuleSpec, *, seconds: float, seed: int) -> list[InScope]:
    """Judge a rule in every scope, from the widest to the narrowest.

    A proof holds in the narrower scopes too, and a counterexample in the wider ones.
    `seconds` limit each search in one scope.
    """
    judged: list[InScope] = []
    for scope in Scope:
        if judged and judged[-1].proved:
            judged.append(InScope(scope, scope.value, proved=True))
            continue
        attempt = prove_rule(rule, seconds=2 * seconds, most=1, within=scope)
        if isinstance(attempt, Proved):
            judged.append(InScope(scope, attempt.boards, proved=True))
        else:
            wrong = counterexample_in(rule, scope, seconds=seconds, seed=seed)
            judged.append(InScope(scope, scope.value, refutation=wrong))
    for i in reversed(range(len(judged) - 1)):
        if judged[i].word == "OPEN":
            judged[i] = replace(judged[i], refutation=judged[i + 1].refutation)
    return judged


def counterexample_in(
    rule: RuleSpec, scope: Scope, *, seconds: float, seed: int
) -> "Refutation | None":
    """Return a counterexample in a scope, or None, which proves nothing.

    All positions of small random boards come first, then the directed search.
    """
    from verify.proof.counterexample import refute_on, refute_part

    rng, until = random.Random(seed), time.process_time() + seconds
    sizes = [(r, c) for r, c in product(range(1, 11), repeat=2) if r * c <= _SMALL]
    for rows, cols in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
        for board in dict.fromkeys(boards_in(scope, rows, cols, rng, _TRIES)):
            if wrong := refute_on(rule, board):
                return wrong
            if time.process_time() > until:
                return None
    open_parts = list(parts(rule))
    without_walls = scope if scope is Scope.CORNERS else Scope.RIM
    while time.process_time() < until:
        side = rng.choice(_SIDES)
        for board in boards_in(without_walls, side, side, rng, 1):
            part, _ = rng.choice(open_parts)
            number = rng.randrange(1 << 30)
            if wrong := refute_part(rule, part, board, seed=number, seconds=0.5):
                return wrong
    return None


def boards_in(
    scope: Scope, rows: int, cols: int, rng: random.Random, tries: int
) -> Iterator[Board]:
    """Yield random boards of a scope, with up to two walls, where a walk may exist."""
    cells = rows * cols
    corners = [0, cols - 1, (rows - 1) * cols, cells - 1]
    places = range(cells)
    rim = [x for x in places if x // cols in (0, rows - 1) or x % cols in (0, cols - 1)]
    for _ in range(tries):
        walls = rng.sample(places, rng.randrange(min(3, cells)))
        start, end = rng.choice(rim), rng.choice(rim)
        if scope is Scope.PLAIN:
            start, end = rng.randrange(cells), rng.randrange(cells)
        if scope is Scope.CORNERS:
            start = rng.choice(corners)
            end = cells - 1 - start
        walls = walls if scope.walled else []
        if start == end or {start, end} & {*walls}:
            continue
        board = Board(rows, cols, start, end, tuple(walls))
        if not why_dead(Position(board)):
            yield board
