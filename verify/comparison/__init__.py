"""Oracles, universal rules and checkers compared on drawn positions of every kind."""
