"""Refute a rule: a position it matches, completable by a move that it forbids.

First the positions of the 5x5 board, all of them; then the directed search
(`verify.directed`) on larger and larger boards, for the parts that the prover left
open; last, if wanted, all positions of 7x7 and drawn positions of larger boards. What
is found is checked by `verify.checker`, which shares no code with any of this, and
made smaller while it lasts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heuristic.drawing import RuleSpec
from heuristic.drawn import DrawnRule, DrawnRuleSet
from solver.board import LETTERS, Board, Position, Walk
from solver.errors import WitnessError
from solver.oracle import Oracle, Verdict, get_oracle
from verify.checker import find_fault
from verify.directed import directed
from verify.drawn import drawn_positions
from verify.minimise import minimise
from verify.prove import Part
from verify.soundness import Evidence, verify_exhaustive, verify_positions

SIZES = (5, 7, 9, 11, 13)
DRAWN = ((9, 300), (13, 200), (21, 100))  # board size, positions


@dataclass(frozen=True, slots=True)
class Refutation:
    """A counterexample.

    Attributes
    ----------
    rule : str
    position : Position
    move : str
        The letter of a move that the rule forbids there.
    completion : tuple of int
        Cells after the live end, beginning with that move, up to the end cell.
    found : str
        By what.
    """

    rule: str
    position: Position
    move: str
    completion: Walk
    found: str


def confirmed(
    rule: RuleSpec, position: Position, completion: Walk, found: str
) -> Refutation:
    """Check a counterexample by the rule itself and by the independent checker.

    Raises
    ------
    WitnessError
        If it is none: a fault of ours.
    """
    fault = find_fault(position.notation, completion)
    if fault:
        raise WitnessError(f"{position.notation}: {fault}")
    move = LETTERS[position.board.direction(position.live_end, completion[0])]
    forbidden = {forbid.move for forbid in DrawnRule(rule).forbids(position)}
    if move not in forbidden:
        why = f"{rule.name} does not forbid {move} there"
        raise WitnessError(f"{position.notation}: {why}")
    return Refutation(rule.name, position, move, completion, found)


def wrong_moves(
    rule: RuleSpec, position: Position, oracle: Oracle
) -> tuple[str, Walk] | None:
    """Return a move that the rule forbids though it is completable, with completion."""
    options = position.options()
    for forbid in DrawnRule(rule).forbids(position):
        answer = oracle.decide(position.step(forbid.move))
        if answer.verdict is Verdict.COMPLETABLE and answer.witness is not None:
            return forbid.move, (options[forbid.move], *answer.witness)
    return None


def minimal(rule: RuleSpec, refutation: Refutation) -> Refutation:
    """Return a smaller counterexample: smaller board, shorter walk, no step further."""
    oracle = get_oracle("sat")

    def holds(position: Position) -> bool:
        return position.heading >= 0 and wrong_moves(rule, position, oracle) is not None

    position = minimise(refutation.position, holds)
    if position == refutation.position:
        return refutation
    found = wrong_moves(rule, position, oracle)
    assert found is not None
    return confirmed(rule, position, found[1], f"{refutation.found}, made smaller")


def refute_exhaustive(
    rules: Sequence[RuleSpec], board: Board
) -> tuple[dict[str, Refutation], Evidence]:
    """Try rules on all completable positions of a small board, in one pass.

    Each rule is asked alone: `stops` and `unless` are left out of account.
    """
    alone = [_alone(rule) for rule in rules]
    rule_set = DrawnRuleSet("on trial", [DrawnRule(rule) for rule in alone])
    evidence = verify_exhaustive(rule_set, board)
    return _wrong(rules, evidence, f"all of {board.notation}"), evidence


def refute_drawn(
    rules: Sequence[RuleSpec], seed: int = 0
) -> tuple[dict[str, Refutation], list[Evidence]]:
    """Try rules on positions drawn at random, up to 21x21."""
    rule_set = DrawnRuleSet("on trial", [DrawnRule(_alone(rule)) for rule in rules])
    oracle = get_oracle("search")
    found: dict[str, Refutation] = {}
    evidences = []
    for size, count in DRAWN:
        board = Board.square(size)
        known = drawn_positions(board, count, seed=seed, oracle=oracle)
        scope = f"{count} drawn positions of {board.notation}"
        evidence = verify_positions(rule_set, known, scope)
        evidences.append(evidence)
        found = _wrong(rules, evidence, scope) | found
    return found, evidences


def _alone(rule: RuleSpec) -> RuleSpec:
    from dataclasses import replace

    return replace(rule, stops=False, unless=())


def _wrong(
    rules: Sequence[RuleSpec], evidence: Evidence, found: str
) -> dict[str, Refutation]:
    oracle = get_oracle("sat")
    refuted = {}
    for rule, seen in zip(rules, evidence.rules, strict=True):
        if seen.first_wrong is not None:
            position = seen.first_wrong.position
            wrong = wrong_moves(rule, position, oracle)
            if wrong is None:
                raise WitnessError(
                    f"{position.notation}: {rule.name} is not wrong here"
                )
            refuted[rule.name] = confirmed(rule, position, wrong[1], found)
    return refuted


def refute(
    rule: RuleSpec,
    parts: Sequence[Part],
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    seconds: float = 10.0,
    smaller: bool = True,
) -> Refutation | None:
    """Look for a counterexample to one of the parts; None proves nothing.

    Parameters
    ----------
    rule : RuleSpec
    parts : sequence of Part
        Where to look: what the prover left open.
    sizes : sequence of int
        Sides of the square boards, tried in order for all parts.
    seed : int
    seconds : float
        Limit for one part on one board.
    smaller : bool
        Whether what is found is made smaller.
    """
    if 5 in sizes:
        found, _ = refute_exhaustive([rule], Board.square(5))
        if rule.name in found:
            return found[rule.name]
    for size in [size for size in sizes if size != 5]:
        board = Board.square(size)
        for part in parts:
            drawing = rule.drawings[part.drawing]
            hit = directed(
                drawing, part.pose, part.move, board, seed=seed, seconds=seconds
            )
            if hit is not None:
                how = f"directed search on {board.notation}, seed {seed}"
                found_one = confirmed(rule, *hit, how)
                return minimal(rule, found_one) if smaller else found_one
    return None
