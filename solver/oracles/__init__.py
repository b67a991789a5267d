"""Oracles: exact answers to whether a completion exists, and exact walks."""
