"""Counterexamples: positions on which a rule forbids a completable move."""
