"""Mutants of rules, which must not fool the prover."""
