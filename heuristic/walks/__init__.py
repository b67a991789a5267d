"""Walks that obey rules: random ones, and all of them left first."""
