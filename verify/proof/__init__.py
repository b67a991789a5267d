"""Proofs of rules for every board size, and their certificates."""
