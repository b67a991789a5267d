"""What every rule that stands in a rule file says of itself."""

from heuristic.language.drawing import RuleSpec


class WrittenRule:
    """Name, claim and origin of a rule; what it forbids is for others to say."""

    def __init__(self, spec: RuleSpec) -> None:
        self.spec = spec

    @property
    def name(self) -> str:
        """The name in the rule file."""
        return self.spec.name

    @property
    def claim(self) -> str:
        """One of `heuristic.language.drawing.CLAIMS`."""
        return self.spec.claim

    @property
    def origin(self) -> str:
        """Source and place."""
        return self.spec.origin
