"""The verdict on a rule: proved, refuted, or open with what is known.

>>> from heuristic.groups import load_rules
>>> rule = load_rules("close-straight-left-left").rules[0]
>>> judge(rule).word
'PROVED'
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import call
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from heuristic.rules.drawing import RuleSpec
from verify.corpus.cases import Case
from verify.proof.decision import GaveUp, Survivor
from verify.proof.prove import Part, Proved, prove_rule
from verify.proof.window import grants
from verify.runs.pool import each

if TYPE_CHECKING:
    from verify.proof.counterexample import Refutation


@dataclass(frozen=True, slots=True)
class Refuted:
    """The rule is wrong: a counterexample, and the parts that have no proof."""

    rule: RuleSpec
    refutation: "Refutation"
    open_parts: tuple[Part, ...]
    seconds: float
    word: str = "REFUTED"


@dataclass(frozen=True, slots=True)
class Open:
    """Neither proof nor counterexample.

    - `proved`: the number of parts that are proved.
    - `survivors`, tuple of (Part, Survivor or GaveUp): local configurations that the
      theorem does not exclude: what the rule's drawing does not say.
    - `tried`: where a counterexample was looked for and not found.
    """

    rule: RuleSpec
    proved: int
    survivors: tuple[tuple[Part, Survivor | GaveUp], ...]
    tried: str
    seconds: float
    word: str = "OPEN"

    @property
    def open_parts(self) -> tuple[Part, ...]:
        """The parts that have no proof."""
        return tuple(part for part, _ in self.survivors)


Judgement: TypeAlias = Proved | Refuted | Open


def judge(
    rule: RuleSpec,
    *,
    sizes: Sequence[int] | None = None,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Sequence[Case] = (),
) -> Judgement:
    """Prove the rule, or else refute it, or else return what is open.

    `seconds` of processor time limit each single search, not the whole; `cases` are
    positions to try first. See `prove_rule`, `refute`.
    """
    attempt = prove_rule(rule, seconds=2 * seconds)
    if isinstance(attempt, Proved):
        return attempt
    from verify.proof.counterexample import SIZES, refute, refute_by_cases

    open_parts = tuple(part for part, _ in attempt.survivors)
    sizes = SIZES if sizes is None else sizes
    began = time.process_time()
    if grants(rule):
        refutation, sizes = refute_by_cases(rule, cases), ()
    else:
        refutation = refute(
            rule, open_parts, sizes=sizes, seed=seed, seconds=seconds, cases=cases
        )
    took = attempt.seconds + time.process_time() - began
    if refutation is not None:
        return Refuted(rule, refutation, open_parts, took)
    boards = ", ".join(f"{n} x {n}" for n in sizes)
    tried = f"all of 5 x 5; directed search on {boards}" if sizes else "the corpus"
    return Open(rule, len(attempt.proofs), attempt.survivors, tried, took)


def judge_all(
    rules: Sequence[RuleSpec],
    *,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Mapping[str, Sequence[Case]] = MappingProxyType({}),
    jobs: int = 1,
) -> Iterator[Judgement]:
    """Judge rules one after the other, or so many at a time; yield in their order.

    `cases` are those of each rule by its name. Verdicts are the same whatever `jobs`
    is: a rule is judged by one process.
    """
    single = partial(judge, seed=seed, seconds=seconds)
    tasks = [partial(single, rule, cases=cases.get(rule.name, ())) for rule in rules]
    if min(jobs, len(tasks)) < 2:
        yield from map(call, tasks)
        return
    # those that take long begin first
    order = sorted(range(len(rules)), key=lambda i: -len(rules[i].drawings))
    yield from each(call, tasks, jobs, order=order)
