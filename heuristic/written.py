"""Rules that are written as drawings, as rules that can be asked."""

from dataclasses import dataclass
from functools import cached_property

from heuristic.boards import Boards
from heuristic.rule import Forbid, Rule, RuleSet
from heuristic.rules.drawing import RuleSpec
from solver.board import Position


@dataclass(frozen=True)
class WrittenRule(Rule):
    """A rule of a rule file as a `heuristic.rule.Rule`.

    Alone it is asked at every position: `stops` and `unless` speak of a rule set. One
    that reads future lines knows alone the lines of all nine inferences.
    """

    spec: RuleSpec

    @property
    def name(self) -> str:
        """The name in the rule file."""
        return self.spec.name

    @property
    def claim(self) -> str:
        """One of `heuristic.rules.drawing.CLAIMS`."""
        return self.spec.claim

    @property
    def origin(self) -> str:
        """Source and place."""
        return self.spec.origin

    @property
    def boards(self) -> Boards:
        """The boards that it is meant for."""
        return self.spec.boards

    @property
    def engine(self) -> str:
        """The walkers of drawings, or of future lines."""
        if self.spec.reads_lines:
            return "heuristic.future.futurerules:future_rules"
        return "heuristic.matching.drawn:drawn_rules"

    @cached_property
    def _alone(self) -> RuleSet:
        return RuleSet(self.name, [self])

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        return self._alone.forbids(position)

    def __repr__(self) -> str:
        return f"<WrittenRule {self.name}>"
