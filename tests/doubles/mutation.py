"""Mutants of rules tried at once, block by block; the campaign does so in units."""

from collections.abc import Sequence

from heuristic.rules.drawing import RuleSpec
from verify.verdict.mutant_judge import Limits
from verify.verdict.mutants import (
    RuleTrials,
    blocks,
    count_mutants,
    proved_scope,
    try_block,
)


def mutation_test(rules: Sequence[RuleSpec], limits: Limits) -> list[RuleTrials]:
    found = []
    for rule in rules:
        scope, total = proved_scope(rule), count_mutants(rule)
        if scope is None:
            found.append(RuleTrials(rule.name, None))
            continue
        trials = [
            trial
            for block in blocks(total, limits)
            for trial in try_block(rule, block, limits, scope, longer=False)
        ]
        trials.sort(key=lambda trial: trial.number)
        found.append(RuleTrials(rule.name, total, tuple(trials)))
    return found
