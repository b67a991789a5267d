"""The verdict on a rule: proved, refuted, or open with what is known.

>>> from heuristic.groups import load_rules
>>> rule = load_rules("close-straight-left-left").rules[0].spec
>>> judge(rule).word
'PROVED'
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from heuristic.rules.drawing import RuleSpec
from verify.corpus.cases import Case
from verify.proof.granted import grants
from verify.proof.picture import draw_survivor
from verify.proof.prove import Part, Proved, Unproved, prove_rule
from verify.proof.settle import GaveUp, Survivor
from verify.refute.found import SIZES, Refutation
from verify.workers import workers

PICTURES = 3  # drawn of what is open


@dataclass(frozen=True, slots=True)
class Refuted:
    """The rule is wrong: a counterexample, and the parts that have no proof."""

    rule: RuleSpec
    refutation: Refutation
    open_parts: tuple[Part, ...]
    seconds: float
    word: str = "REFUTED"


@dataclass(frozen=True, slots=True)
class Open:
    """Neither proof nor counterexample.

    Attributes
    ----------
    rule : RuleSpec
    survivors : tuple of (Part, Survivor or GaveUp)
        Local configurations that the theorem does not exclude: what the rule's
        drawing does not say.
    proved : int
        Parts that are proved.
    tried : str
        Where a counterexample was looked for in vain.
    """

    rule: RuleSpec
    survivors: tuple[tuple[Part, Survivor | GaveUp], ...]
    proved: int
    tried: str
    seconds: float
    word: str = "OPEN"

    @property
    def models(self) -> int:
        """How many parts have a model."""
        return sum(isinstance(found, Survivor) for _, found in self.survivors)

    @property
    def late(self) -> int:
        """For how many parts the time limit came first."""
        return len(self.survivors) - self.models

    @property
    def pictures(self) -> tuple[str, ...]:
        """SVG documents of the first models."""
        models = [
            draw_survivor(found, str(part))
            for part, found in self.survivors[:PICTURES]
            if isinstance(found, Survivor)
        ]
        return tuple(models)


@dataclass(frozen=True, slots=True)
class OpenAsTold:
    """What is told of an `Open` rule, without the configurations themselves."""

    rule: RuleSpec
    models: int
    late: int
    proved: int
    tried: str
    pictures: tuple[str, ...]
    seconds: float
    word: str = "OPEN"


Judgement: TypeAlias = Proved | Refuted | Open


def judge_all(
    rules: Sequence[RuleSpec],
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Mapping[str, Sequence[Case]] = MappingProxyType({}),
    jobs: int = 1,
) -> Iterator[Judgement]:
    """Judge rules one after the other, or so many at a time; yield in their order.

    `cases` are those of each rule by its name. Verdicts are the same whatever `jobs`
    is: a rule is judged by one process.
    """
    one = partial(judge, sizes=sizes, seed=seed, seconds=seconds)
    tasks = [partial(one, rule, cases=cases.get(rule.name, ())) for rule in rules]
    if min(jobs, len(tasks)) < 2:
        for task in tasks:
            yield task()
        return
    with workers(jobs) as pool:
        waiting = {}
        for i in sorted(range(len(rules)), key=lambda i: -len(rules[i].drawings)):
            waiting[i] = pool.submit(tasks[i])  # those that take long begin first
        for i in range(len(rules)):
            yield waiting[i].result()


def judge(
    rule: RuleSpec,
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Sequence[Case] = (),
) -> Judgement:
    """Prove the rule, or else refute it, or else say what is open.

    `seconds` of processor time limit each single search, not the whole; `cases` are
    positions to try first. See `prove_rule`, `refute`.
    """
    attempt = prove_rule(rule, seconds=2 * seconds)
    if isinstance(attempt, Proved) and not rule.drawings:
        attempt = Unproved(rule, (), (), 0.0)  # nothing was said, so nothing is proved
    if isinstance(attempt, Proved):
        return attempt
    # the refuter's kernels take longer to load than most proofs
    from verify.refute.refute import refute, refute_known

    open_parts = [part for part, _ in attempt.survivors]
    began = time.process_time()
    if grants(rule):
        found, sizes = refute_known(rule, cases), ()
    else:
        found = refute(
            rule, open_parts, sizes=sizes, seed=seed, seconds=seconds, cases=cases
        )
    took = attempt.seconds + time.process_time() - began
    if found is not None:
        return Refuted(rule, found, tuple(open_parts), took)
    boards = ", ".join(f"{n} x {n}" for n in sizes)
    tried = f"all of 5 x 5; directed search on {boards}" if sizes else "the corpus"
    return Open(rule, attempt.survivors, len(attempt.proofs), tried, took)
