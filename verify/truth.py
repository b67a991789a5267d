"""The truth at a position: its moves, the fatal move of a walk, the faults of rules."""

from bisect import bisect_left
from typing import NamedTuple

from heuristic.rule import RuleSet, choices, mask_moves, mask_of, union_mask
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_moves, get_oracle
from verify.checker.position import find_fault, find_proof_fault

_WITNESSES = ("sat", "search", "frontier")


def _refuse_unknown(oracle: Oracle, answer: Answer, what: str) -> None:
    if answer.verdict is Verdict.UNKNOWN:
        why = answer.why or answer.verdict.value
        raise OptionError(f"oracle {oracle.name!r} does not know {what}: {why}")


def truth(position: Position, oracle: Oracle) -> dict[str, str]:
    """Return ``completable`` or ``dead`` for every move of a position.

    Raises `OptionError` if the oracle does not know within its limit.
    """
    answers = decide_moves(oracle, position)
    for move, answer in answers.items():
        _refuse_unknown(oracle, answer, f"move {move} of {position.notation}")
    return {move: answer.verdict.name.lower() for move, answer in answers.items()}


def is_completable(position: Position, oracle: Oracle) -> bool:
    """Return whether the oracle has a completion."""
    return oracle.decide(position).verdict is Verdict.COMPLETABLE


def verified_verdict(position: Position) -> Verdict:
    """Return the verdict that a witness or a proof shows to the checker, or UNKNOWN."""
    for name in _WITNESSES:
        witness = get_oracle(name).decide(position).witness
        if witness and not find_fault(position.notation, witness):
            return Verdict.COMPLETABLE
    return Verdict.UNKNOWN if proof_fault(position) else Verdict.DEAD


def proof_fault(position: Position) -> str | None:
    """Return the fault of a proof that a position is dead, or None."""
    answer = get_oracle("sat", proof=True).decide(position)
    if answer.proof is None:
        return f"{position.notation}: {answer.sentence}"
    return find_proof_fault(position.notation, answer.proof)


def blame(position: Position, oracle: Oracle) -> Position | None:
    """Return the last completable position of a walk that went wrong.

    All positions before a completable one are completable, so bisection finds it with
    about log2(steps) questions. None if the oracle has no completion of the start.
    """
    if is_completable(position, oracle):
        return position
    whole = len(position.walk)

    def dead(cells: int) -> bool:
        return not is_completable(position.back(whole - cells), oracle)

    alive = bisect_left(range(1, whole), True, key=dead)
    return position.back(whole - alive) if alive else None


class Fatal(NamedTuple):
    """The first move of a walk after which no completion is left.

    - `before`: the last completable position of the walk.
    - `move`: the letter of the fatal move.
    """

    before: Position
    move: str

    @property
    def number(self) -> int:
        """The number of the move in its walk, from 1."""
        return len(self.before.walk)

    @property
    def sentence(self) -> str:
        """The move and the positions around it, in one line.

        >>> from solver.oracles.oracle import get_oracle
        >>> first_fatal(Position.parse("5:RRRDDRDL"), get_oracle("search")).sentence
        'move 4, D, is the first fatal one: 5:RRR can be completed, 5:RRRD cannot'
        """
        before, after = self.before.notation, self.before.step(self.move).notation
        fatal = f"move {self.number}, {self.move}, is the first fatal one"
        return f"{fatal}: {before} can be completed, {after} cannot"


def first_fatal(position: Position, oracle: Oracle) -> Fatal | None:
    """Return the first fatal move of a walk, by bisection.

    None if the walk can be completed, or if its board has no walk at all.

    Raises `OptionError` if the oracle meets its limit, so that the walk after the move
    could be completable.
    """
    before = blame(position, oracle)
    if before == position:
        return None
    steps = len(before.walk) if before else 0
    after = position.back(len(position.walk) - steps - 1)
    _refuse_unknown(oracle, oracle.decide(after), after.notation)
    return Fatal(before, after.moves[-1]) if before else None


def forbidden_moves(rule_set: RuleSet, position: Position) -> str:
    """Return the moves that rules forbid, letters; no reasons are made."""
    return mask_moves(union_mask(rule_set.masks(position)))


def wrong_moves(
    rule_set: RuleSet, position: Position, oracle: Oracle, rule: str = ""
) -> str:
    """Return the completable moves that a rule of a set, or any rule, forbids."""
    masks = rule_set.masks(position)
    forbidden = union_mask(masks)
    if rule:
        forbidden = masks[[other.name for other in rule_set.rules].index(rule)]
    return "".join(
        move
        for move in position.options()
        if mask_of(move) & forbidden and is_completable(position.step(move), oracle)
    )


def gap_moves(rule_set: RuleSet, position: Position, oracle: Oracle) -> str:
    """Return the dead moves that the rules allow; empty without a gap.

    A move about which the oracle meets its limit counts as no gap.
    """
    options = position.options()
    if len(options) < 2:
        return ""
    forbidden = forbidden_moves(rule_set, position)
    verdicts = {move: oracle.decide(position.step(move)).verdict for move in options}
    if Verdict.COMPLETABLE not in verdicts.values():
        return ""
    allowed = [move for move in choices(position) if move not in forbidden]
    return "".join(move for move in allowed if verdicts[move] is Verdict.DEAD)


def is_asked(rule_set: RuleSet, position: Position) -> bool:
    """Return whether the rules apply: all but universal rules only after a step."""
    return position.heading >= 0 or all(rule.related for rule in rule_set.rules)
