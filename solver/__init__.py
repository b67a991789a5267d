"""Exact answers: boards, positions and oracles. Knows nothing of rules."""
