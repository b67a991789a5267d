"""Hypothesis strategies for boards, positions and rules.

They need Hypothesis, which `oneway` itself does not: ``pip install hypothesis``.
"""

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    raise ModuleNotFoundError(
        "verify.strategies needs Hypothesis: pip install hypothesis", name="hypothesis"
    ) from None

from verify.strategies.positions import (
    boards,
    completable_positions,
    dead_positions,
    positions,
)
from verify.strategies.rules import rule_drawings, rule_texts

__all__ = ["boards", "completable_positions", "dead_positions", "positions"]
__all__ += ["rule_drawings", "rule_texts"]
del _hypothesis
