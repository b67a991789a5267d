"""A counterexample that was found, and the boards that are searched for one."""

from dataclasses import dataclass
from pathlib import Path

from heuristic.rules.drawing import (
    INFERENCES,
)
from solver.board import Position, Walk

SIZES = (5, 7, 9, 11, 13)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A counterexample.

    - `move`: the letter of a move that the rule forbids there.
    - `completion`: cells after the live end, beginning with that move, up
      to the end cell.
    - `found`: by what.
    - `case`: the case of the corpus that it is.
    - `among`: the names of the rules that it is asked with: inferences whose future
      lines it reads, if not those of all nine.
    """

    rule: str
    position: Position
    move: str
    completion: Walk
    found: str
    case: Path | None = None
    among: str = ""

    @property
    def lines(self) -> str:
        """Say whose future lines the rule reads there; empty if those of all."""
        used = self.among.split(",")[:-1]
        left_out = [name for name in INFERENCES if name not in used]
        if not used or not left_out:
            return ""
        if len(left_out) < len(used):
            return f"with the lines of all inferences but {', '.join(left_out)}"
        return f"with the lines of {', '.join(used)} alone"
