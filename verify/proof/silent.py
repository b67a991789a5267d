"""Rules that never fire: no completable position matches their drawings."""

from dataclasses import replace

from heuristic.boards import widest
from heuristic.rules.drawing import ANY, AROUND, CellState, RuleSpec
from verify.proof.prove import Proved, prove_rule


def prove_void(rule: RuleSpec, *, seconds: float) -> Proved | None:
    """Prove that no completable position matches a rule; None if there is no proof.

    It is the rule that forbids every move where this one forbids some: to each cell
    beside the live end that is free, or may be. A drawing with one that is asked to be
    free or something else has no such rule.
    """
    drawings = []
    for one in rule.drawings:
        states = {move: one.need(move).states for move in AROUND[::2]}
        maybe = {move: s for move, s in states.items() if CellState.FREE in s}
        if not {*maybe.values()} <= {ANY, CellState.FREE}:
            return None
        drawings.append(replace(one, forbidden=tuple(maybe)))
    silent = replace(rule, name=f"{rule.name}-void", drawings=tuple(drawings))
    outcome = prove_rule(silent, seconds=seconds, most=1)
    return outcome if isinstance(outcome, Proved) else None


def never_fires(rule: RuleSpec, *, seconds: float = 0.5) -> bool:
    """Whether no completable position of the boards it is meant for matches a rule.

    True if that is proved, False if it is not, or not within the limit.
    """
    if rule.kind != "ban" or rule.reads_lines:
        return False
    void = prove_void(rule, seconds=seconds)
    return void is not None and widest([void.admitted, rule.boards]) is void.admitted
