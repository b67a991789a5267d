"""Exact answers: boards, positions and oracles. Knows nothing of rules."""

__version__ = "0.2.0"
