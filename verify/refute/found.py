"""A counterexample that was found, and the boards that are searched for one."""

from dataclasses import dataclass
from pathlib import Path

from solver.board import Position, Walk

SIZES = (5, 7, 9, 11, 13)


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
    case : Path or None
        The case of the corpus that it is.
    """

    rule: str
    position: Position
    move: str
    completion: Walk
    found: str
    case: Path | None = None
