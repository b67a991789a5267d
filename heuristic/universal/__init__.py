"""The universal rules: propagation seen as rules, with reasons."""
