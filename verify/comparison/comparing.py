"""One position put to all who claim to know: a disagreement is the most valuable find.

`sat` and `search` are always asked, `frontier` where the board is narrow, `cpsat` now
and then. A witness is judged by `verify.checker`, and so are reasons of the universal
rules and a sample of the proofs of DEAD; the checker shares no code with any of them.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from heuristic.groups import load_rules
from solver.board import Position
from solver.counting.oracle import FrontierOracle
from solver.errors import WitnessError
from solver.oracles.cpsat import CpsatOracle
from solver.oracles.oracle import Answer, Oracle, Verdict, get_oracle
from solver.oracles.sat import prove_dead
from verify.checker.position import find_fault, find_proof_fault
from verify.checker.reason import find_reason_fault

_NARROW = 8  # cells across up to which `frontier` is always asked: 0.05 s
_WIDE = 11  # up to which it is asked of a sample: a second
_SMALL = 100  # cells up to which `cpsat` is asked, of a sample
# Samples are one or two positions in nineteen, a number prime to those of the kinds of
# boards and of the positions of a board: every kind of position is in each sample.
_ROUND, _FOR_CPSAT, _FOR_FRONTIER, _FOR_PROOFS = 19, (0, 9), (4, 13), (2,)
_EFFORT = 2.0


@dataclass(slots=True)
class Compared:
    """What was asked and answered, counted, and where answers do not fit."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@cache
def _oracles() -> dict[str, Oracle]:
    return {
        "sat": get_oracle("sat"),
        "search": get_oracle("search"),
        "frontier": FrontierOracle(limit=300_000),
        "cpsat": CpsatOracle(seconds=3600, effort=_EFFORT, presolve=False),
    }


@cache
def _rules() -> Any:
    return load_rules("universal")


def asked(position: Position, number: int) -> list[str]:
    """Return the oracles that are asked about position number so and so."""
    board = position.board
    across, turn = min(board.rows, board.cols), number % _ROUND
    names = ["sat", "search"]
    if across <= _NARROW or (across <= _WIDE and turn in _FOR_FRONTIER):
        names.append("frontier")
    if board.cells <= _SMALL and turn in _FOR_CPSAT:
        names.append("cpsat")
    return names


def compare(
    position: Position, number: int, oracles: dict[str, Oracle] | None = None
) -> Compared:
    """Put a position to everybody; ten milliseconds on 9 x 9, a hundred on 21 x 21."""
    found, oracles = Compared(), oracles or _oracles()
    verdicts = {}
    for name in asked(position, number):
        answer = oracles[name].decide(position)
        found.counts[f"{name} {answer.verdict.name}"] += 1
        if answer.verdict is not Verdict.UNKNOWN:
            verdicts[name] = answer.verdict
        _judge_witness(position, name, answer, found)
    told = " ".join(f"{name} {one.name}" for name, one in verdicts.items())
    if len(set(verdicts.values())) > 1:
        found.faults.append(f"{position.notation} verdicts differ: {told}")
    truth = verdicts.get("sat")
    if truth is Verdict.DEAD and number % _ROUND in _FOR_PROOFS:
        found.counts["proofs"] += 1
        if fault := _proof_fault(position):
            found.faults.append(f"{position.notation} proof: {fault}")
    _compare_moves(position, truth, oracles["search"], found)
    return found


def _proof_fault(position: Position) -> str | None:
    """Say what is wrong with a proof that a position is dead, or None."""
    try:
        return find_proof_fault(position.notation, prove_dead(position))
    except WitnessError as error:  # it is not dead
        return str(error)


def _judge_witness(
    position: Position, name: str, answer: Answer, found: Compared
) -> None:
    if answer.verdict is not Verdict.COMPLETABLE:
        return
    found.counts["witnesses"] += 1
    if fault := find_fault(position.notation, answer.witness or ()):
        found.faults.append(f"{position.notation} witness of {name}: {fault}")


def _compare_moves(
    position: Position, truth: Verdict | None, search: Oracle, found: Compared
) -> None:
    """Compare the moves with the position, and what is forbidden with the moves."""
    if position.complete:
        return
    moves = {m: search.decide(position.step(m)).verdict for m in position.options()}
    found.counts.update(f"move {one.name}" for one in moves.values())
    some = Verdict.COMPLETABLE in moves.values()
    unknown = Verdict.UNKNOWN in moves.values()
    if truth is not None and some != (truth is Verdict.COMPLETABLE) and not unknown:
        told = " ".join(f"{move} {one.name}" for move, one in moves.items())
        found.faults.append(f"{position.notation} is {truth.name}, its moves {told}")
    forbidden = _rules().forbids(position)
    for forbid in forbidden:
        found.counts["forbidden"] += 1
        where = f"{position.notation} {forbid.rule} forbids {forbid.move}"
        if moves.get(forbid.move) is Verdict.COMPLETABLE:
            found.faults.append(f"{where}, which is completable")
        fault = find_reason_fault(position.notation, forbid.move, forbid.reason)
        if fault is not None:
            found.faults.append(f"{where}: {fault}")
    dead = sum(one is Verdict.DEAD for one in moves.values())
    allowed = dead - len({forbid.move for forbid in forbidden})
    found.counts["dead moves allowed"] += max(0, allowed)
