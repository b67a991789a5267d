"""Where does a rule decide? A completable position in which it forbids a dead move.

A rule that is never asked the question it answers is proved and worth nothing. On small
boards some rules never fire. The directed search finds a larger one: the position
matches the drawing, and the completion goes on with another move than the forbidden
one. If none can, the rule is *void*: then a proof says that no completion goes on from
such a position by any move.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from heuristic.matching.drawn import DrawnRule
from heuristic.rules.drawing import (
    CellState,
    Drawing,
    Offset,
    RuleSpec,
)
from solver.board import Board, Position
from solver.errors import WitnessError
from solver.oracles.oracle import Verdict, get_oracle
from verify.checker.position import find_fault
from verify.corpus.cases import Case
from verify.proof.prove import Proved, prove_rule
from verify.proof.view import Pose, poses
from verify.refute.directed import directed

SIDES = (7, 9, 11, 13, 15)
AROUND: tuple[Offset, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
_SHARES = 0.3, 3.0  # seconds for a drawing, pose and moves at first, and then


@dataclass(frozen=True, slots=True)
class Firing:
    """A completable position in which a rule forbids dead moves.

    Attributes
    ----------
    rule : str
    position : Position
    forbidden : str
        The moves that the rule forbids there, all dead.
    moves : dict of str to str
        Every move, ``completable`` or ``dead``.
    """

    rule: str
    position: Position
    forbidden: str
    moves: dict[str, str]

    def case(self, source: str) -> Case:
        """Return it as a case, to be replayed."""
        return Case(
            "fired",
            "the rule fires and decides",
            source,
            self.position,
            self.moves,
            self.rule,
            self.forbidden,
        )


def find_firing(rule: RuleSpec, *, seconds: float, seed: int = 0) -> Firing | None:
    """Look for a position in which a rule decides, on boards of 7x7 to 15x15.

    None if the limit of processor time came first; each size of the board gets the same
    share of it.

    Raises
    ------
    WitnessError
        If the completion found is none, or the rule forbids a completable move: then it
        is wrong there.
    """
    questions = list(_questions(rule))
    random.Random(seed).shuffle(questions)
    for side in SIDES:
        until = time.process_time() + seconds / len(SIDES)
        for share in _SHARES:
            for drawing, pose, move in questions:
                left = min(share, until - time.process_time())
                if left <= 0:
                    break
                found = directed(
                    *(drawing, pose, move, Board.square(side)), seed=seed, seconds=left
                )
                if found is None:
                    continue
                position, completion = found
                fault = find_fault(position.notation, completion)
                if fault:
                    raise WitnessError(f"{position.notation}: {fault}")
                forbidden = {f.move for f in DrawnRule(rule).forbids(position)}
                if forbidden:
                    return _told(rule, position, forbidden)
    return None


def _questions(rule: RuleSpec) -> Iterator[tuple[Drawing, Pose, Offset]]:
    """Yield drawings with one forbidden cell known to be free, and another move."""
    for drawing in rule.drawings:
        for forbidden in drawing.forbidden:
            need = drawing.need(forbidden)
            if not need.states & CellState.FREE:
                continue
            others = tuple(one for one in drawing.needs if one.at != forbidden)
            free = replace(need, states=CellState.FREE)
            known = replace(drawing, needs=(*others, free))
            for move in AROUND:
                if move != forbidden:
                    for pose in poses(drawing):
                        yield replace(known, forbidden=(move,)), pose, move


def _told(rule: RuleSpec, position: Position, forbidden: set[str]) -> Firing:
    oracle = get_oracle("sat")
    moves = {}
    for move in position.options():
        dead = oracle.decide(position.step(move)).verdict is Verdict.DEAD
        moves[move] = "dead" if dead else "completable"
        if move in forbidden and not dead:
            raise WitnessError(f"{rule.name} is wrong at {position.notation} {move}")
    told = "".join(move for move in moves if move in forbidden)
    return Firing(rule.name, position, told, moves)


def prove_void(rule: RuleSpec, *, seconds: float) -> Proved | None:
    """Prove that no completable position matches a rule; None if there is no proof.

    It is the rule that forbids every move where this one forbids some.
    """
    drawings = tuple(replace(one, forbidden=AROUND) for one in rule.drawings)
    silent = replace(rule, name=f"{rule.name}-void", drawings=drawings)
    outcome = prove_rule(silent, seconds=seconds, most=1)
    return outcome if isinstance(outcome, Proved) else None
