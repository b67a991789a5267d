"""The mutation test as a campaign: its units are blocks of mutants of one rule."""

import random
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.mutation.court import Limits
from verify.mutation.mutation import (
    WORDS,
    RuleTrials,
    blocks,
    count_mutants,
    proved_scope,
    try_block,
)
from verify.mutation.trial import Trial
from verify.proof.provable import sorted_out

_MUTANT = 0.3  # seconds, about
_RULE = 1.0  # for the proof of the rule itself


def mutation(parameters: dict[str, Any]) -> Campaign[list[RuleTrials]]:
    """Test mutants of `rules`, of all drawn ones if that is empty.

    `limits` are those of `verify.mutation.court.Limits`; `longer` looks longer at what
    stays open. Seconds are of processor time, so what is open may depend on the
    machine.
    """
    specs = sorted_out(parameters["rules"])[0]
    limits, longer = Limits(**parameters["limits"]), parameters["longer"]
    scope_of = cache(lambda name: proved_scope(specs[name]))

    def units() -> Iterator[Unit]:
        found = [
            (name, number, block)
            for name, spec in specs.items()
            for number, block in enumerate(blocks(count_mutants(spec), limits), 1)
        ]
        # so that what is tried so far is a fair sample
        random.Random(limits.seed).shuffle(found)
        for name, number, block in found:
            told = f"{name}: mutants, block {number}"
            yield Unit(told, [name, block], _RULE + _MUTANT * len(block))

    def work(payload: list[Any]) -> dict[str, Any]:
        name, numbers = payload
        scope = scope_of(name)
        if scope is None:
            return {"rule": name, "total": None, "trials": []}
        trials = try_block(specs[name], numbers, limits, scope, longer=longer)
        total = count_mutants(specs[name])
        kept = [asdict(trial) for trial in trials]
        return {"rule": name, "total": total, "trials": kept}

    def fold(results: Iterator[dict[str, Any]]) -> list[RuleTrials]:
        totals: dict[str, int | None] = {}
        trials: dict[str, list[Trial]] = {name: [] for name in specs}
        for one in results:
            totals[one["rule"]] = one["total"]
            trials[one["rule"]] += [Trial(**trial) for trial in one["trials"]]
        for found in trials.values():
            found.sort(key=lambda trial: trial.number)
        return [
            RuleTrials(name, totals.get(name), tuple(found))
            for name, found in trials.items()
        ]

    return Campaign(
        "mutants",
        parameters,
        deciding(
            *("solver", "heuristic", "verify.mutation", "verify.proof"),
            *("verify.refute", "verify.checker"),
            texts=rule_texts(parameters["rules"]),
        ),
        units,
        work,
        fold,
        told,
    )


def told(tested: list[RuleTrials]) -> list[str]:
    """Return the numbers of all rules together."""
    proved = [one for one in tested if one.total is not None]
    words = [f"{sum(one.count(word) for one in proved):,} {word}" for word in WORDS]
    tried = sum(len(one.trials) for one in proved)
    return [f"{tried:,} mutants of {len(proved)} rules tried: {', '.join(words)}"]
