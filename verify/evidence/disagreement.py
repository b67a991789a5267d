"""A disagreement becomes a case: the position, and the truth about its moves.

The truth is what nobody needs to be believed for: a witness that `verify.checker`
walks, or a proof that it follows.
"""

import re

from solver.board import Position
from solver.errors import WitnessError
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.sat import prove_dead
from verify.checker.position import find_fault, find_proof_fault
from verify.corpus.cases import Case

_FORBIDS = re.compile(r"(\S+) forbids ([URDL]), which is completable")
_WITNESSES = ("sat", "search", "frontier")


def case_of(fault: str, source: str) -> Case | None:
    """Return the case of a disagreement; None if not all its moves can be settled.

    `fault` is a line of `verify.comparison.comparing.Compared`: a position, then what
    does not fit. A rule that forbids a completable move makes a case against it, all
    else one that tells the truth.
    """
    notation, _, why = fault.partition(" ")
    position = Position.parse(notation)
    moves = {}
    for move in position.options():
        truth = settled(position.step(move))
        if truth is Verdict.UNKNOWN:
            return None
        moves[move] = truth.name.lower()
    told = f"the great comparison disagreed: {why}"
    if (found := _FORBIDS.search(why)) and moves.get(found[2]) == "completable":
        rule, move = found.groups()
        return Case("unsound", told, source, position, moves, rule, move)
    return Case("verdict", told, source, position, moves)


def settled(position: Position) -> Verdict:
    """Return what a witness or a proof shows of a position, judged by the checker.

    UNKNOWN if no oracle brings one that is good.
    """
    for name in _WITNESSES:
        witness = get_oracle(name).decide(position).witness
        if witness and not find_fault(position.notation, witness):
            return Verdict.COMPLETABLE
    try:
        fault = find_proof_fault(position.notation, prove_dead(position))
    except WitnessError:
        return Verdict.UNKNOWN
    return Verdict.UNKNOWN if fault else Verdict.DEAD
