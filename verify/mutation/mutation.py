"""The mutation test: it must not be possible to fool the prover by one change.

From a proved rule every one-change mutant is made (`verify.mutation.mutate`), or so
many drawn ones, and put on trial (`verify.mutation.trial`): each window goes through
the prover and through the refuter. A mutant that is proved only shows that the rule
asked for more than it needs. A window both proved and refuted is a fault of the prover.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heuristic.rules.drawing import RuleSpec
from verify.mutation.court import Limits
from verify.mutation.mutate import mutants
from verify.mutation.trial import Trial, chosen_numbers, try_mutants
from verify.proof.formula import Scope
from verify.proof.prove import Memory, Search, open_parts, searched

WORDS = ("refuted", "proved", "open", "contradiction")
_BLOCK = 50  # mutants matched together: about ten seconds
_OWN = 20.0  # seconds for a window of the rule itself


@dataclass(frozen=True, slots=True)
class RuleTrials:
    """The mutants of one rule: how many there are, and what became of those tried.

    Attributes
    ----------
    rule : str
    total : int or None
        None for a rule that is not proved itself.
    trials : tuple of Trial
        By number.
    """

    rule: str
    total: int | None
    trials: tuple[Trial, ...] = ()

    def count(self, word: str) -> int:
        """Return how many of the tried mutants got that word."""
        return sum(trial.word == word for trial in self.trials)


def mutation_test(
    rules: Sequence[RuleSpec],
    limits: Limits,
    *,
    longer: bool = False,
    searched: Search = searched,
) -> list[RuleTrials]:
    """Test the mutants of many rules, here and now; `campaign` does so in units.

    Parameters
    ----------
    rules : sequence of RuleSpec
    limits : Limits
    longer : bool
        Whether mutants that stay open are looked at longer.
    searched : callable
        The prover's decision on mutants; a faulty one shows whether the test finds
        faults.
    """
    found = []
    for rule in rules:
        scope = proved_scope(rule)
        if scope is None:
            found.append(RuleTrials(rule.name, None))
            continue
        total = count_mutants(rule)
        trials: list[Trial] = []
        for block in blocks(total, limits):
            trials += try_block(
                rule, block, limits, scope, longer=longer, searched=searched
            )
        trials.sort(key=lambda trial: trial.number)
        found.append(RuleTrials(rule.name, total, tuple(trials)))
    return found


def proved_scope(rule: RuleSpec) -> Scope | None:
    """Return the boards that a rule is proved for; None if its mutants say nothing."""
    memory = Memory()
    open_itself = open_parts(rule, seconds=_OWN, most=1, memory=memory)
    return None if open_itself else memory.scope


def count_mutants(rule: RuleSpec) -> int:
    """Count the one-change mutants of a rule."""
    return sum(1 for _ in mutants(rule))


def blocks(total: int, limits: Limits) -> Iterator[list[int]]:
    """Yield the numbers of the mutants to try, those that are matched together.

    Mutants of one drawing come together: what refutes one refutes another.
    """
    numbers = sorted(chosen_numbers(total, limits))
    for begin in range(0, len(numbers), _BLOCK):
        yield numbers[begin : begin + _BLOCK]


def try_block(
    rule: RuleSpec,
    numbers: Sequence[int],
    limits: Limits,
    scope: Scope,
    *,
    longer: bool,
    searched: Search = searched,
) -> list[Trial]:
    """Put mutants of a rule on trial; a third of a second each."""
    wanted = set(numbers)
    chosen = [
        (number, change, mutant)
        for number, (change, mutant) in enumerate(mutants(rule))
        if number in wanted
    ]
    return try_mutants(rule, chosen, limits, searched, longer=longer, scope=scope)


def table(tested: Sequence[RuleTrials]) -> list[list[str]]:
    """Return one row a proved rule: mutants, tried, and the words; the sum last."""
    shown = [one for one in tested if one.total is not None]
    rows = [
        [
            one.rule,
            str(one.total),
            str(len(one.trials)),
            *(str(one.count(word)) for word in WORDS),
        ]
        for one in shown
    ]
    counts = Counter(trial.word for one in shown for trial in one.trials)
    totals = sum(one.total or 0 for one in shown), counts.total()
    sums = [*totals, *(counts[word] for word in WORDS)]
    return [*rows, ["all", *(str(number) for number in sums)]]


def open_share(tested: Sequence[RuleTrials]) -> tuple[float, float, float]:
    """Estimate the share of open mutants among all, from those drawn of each rule.

    Returns
    -------
    (share, low, high)
        Each rule counts by the number of its mutants. The bounds are those of 95 %:
        Wilson's interval, of as many drawn from all as would be equally sure.

    Notes
    -----
    A rule of which few of many were drawn makes the bounds wide, whatever was found.
    """
    drawn = [(one.total or 0, len(one.trials), one.count("open")) for one in tested]
    drawn = [one for one in drawn if one[1]]
    whole = sum(total for total, _, _ in drawn)
    if not whole:
        return 0.0, 0.0, 1.0
    share = sum(total * found / tried for total, tried, found in drawn) / whole
    spread = sum(
        (total / whole) ** 2 * (1 - tried / total) / tried for total, tried, _ in drawn
    )
    if not spread:  # all were tried
        return share, share, share
    z = 1.96
    middle = (share + z * z * spread / 2) / (1 + z * z * spread)
    off = z * math.sqrt(share * (1 - share) * spread + (z * spread / 2) ** 2)
    off /= 1 + z * z * spread
    return share, max(0.0, middle - off), min(1.0, middle + off)
