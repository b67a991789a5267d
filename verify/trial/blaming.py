"""The first fatal move of a walk, and who would have forbidden it."""

from dataclasses import dataclass

from heuristic.rule import Forbid, RuleSet
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import Oracle, Verdict
from verify.trial.completeness import blame


@dataclass(frozen=True, slots=True)
class Fatal:
    """The move of a walk after which no completion is left, though before there was.

    Attributes
    ----------
    before : Position
        The last completable position of the walk.
    move : str
        The letter of the fatal move.
    whole : Position
        The walk that is blamed.
    """

    before: Position
    move: str
    whole: Position

    @property
    def number(self) -> int:
        """Which move of the walk it is, from 1."""
        return len(self.before.walk)

    def forbidden_by(self, rules: RuleSet) -> tuple[Forbid, ...]:
        """Return what forbids the move, by rule: who would have seen it."""
        return tuple(f for f in rules.forbids(self.before) if f.move == self.move)

    @property
    def sentence(self) -> str:
        """Say it in one line.

        >>> from solver.oracles.oracle import get_oracle
        >>> first_fatal(Position.parse("5:RRRDDRDL"), get_oracle("search")).sentence
        'move 4, D, is the first fatal one: 5:RRR can be completed, 5:RRRD cannot'
        """
        after = self.before.step(self.move)
        return (
            f"move {self.number}, {self.move}, is the first fatal one: "
            f"{self.before.notation} can be completed, {after.notation} cannot"
        )


def first_fatal(position: Position, oracle: Oracle) -> Fatal | None:
    """Return the first fatal move of a walk, found by bisection.

    None if the walk can be completed, or if its board has no walk at all. About
    log2(steps) questions.

    Raises
    ------
    OptionError
        If the oracle meets its limit: then what it does not know could be completable.
    """
    before = blame(position, oracle)
    known = position if before is None else before
    if before is None or len(before.walk) < len(position.walk):
        after = Position(position.board) if before is None else _after(before, position)
        if oracle.decide(after).verdict is not Verdict.DEAD:
            raise OptionError(
                f"oracle {oracle.name!r} does not know within its limit whether "
                f"{after.notation} can be completed"
            )
    if before is None or known == position:
        return None
    return Fatal(before, _after(before, position).moves[-1], position)


def _after(before: Position, whole: Position) -> Position:
    return whole.back(len(whole.walk) - len(before.walk) - 1)
