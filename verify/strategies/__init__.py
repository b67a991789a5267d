"""Hypothesis strategies for positions and rules."""
