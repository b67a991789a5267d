"""Rules on all completable positions of a small board, by the evidence's own pass."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from solver.board import Board
from solver.errors import WitnessError
from solver.oracles.oracle import get_oracle
from solver.positions import PositionTree
from verify.evidence.evidence import Evidence, verify_exhaustive
from verify.proof.counterexample import Refutation, confirmed, wrong_move


def first_wrong(rules: Sequence[RuleSpec], tree: PositionTree) -> dict[int, int]:
    """Return the first position of a tree at which each wrong rule is wrong."""
    alone = [
        replace(rule, name=str(number), stops=False, unless=())
        for number, rule in enumerate(rules)
    ]
    rule_set = RuleSet("on trial", alone)
    first: dict[int, int] = {}
    begin = 0
    for part in rule_set.walker(tree.board).tree(tree):
        places, numbers = np.nonzero(part.masks & part.good[:, None])
        for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
            first.setdefault(number, begin + place)
        begin += len(part.good)
    return first


def refute_exhaustive(
    rules: Sequence[RuleSpec], board: Board
) -> tuple[dict[str, Refutation], Evidence]:
    """Try rules on all completable positions of a board, each rule alone."""
    alone = [replace(rule, stops=False, unless=()) for rule in rules]
    rule_set = RuleSet("on trial", alone)
    evidence, oracle = verify_exhaustive(rule_set, board), get_oracle("sat")
    refuted = {}
    for rule, seen in zip(rules, evidence.rules, strict=True):
        if seen.first_wrong is not None:
            position = seen.first_wrong.position
            completion = wrong_move(rule, position, oracle)
            if completion is None:
                why = f"{rule.name} is not wrong here"
                raise WitnessError(f"{position.notation}: {why}")
            how = f"all of {board.notation}"
            refuted[rule.name] = confirmed(rule, position, completion, how)
    return refuted, evidence
