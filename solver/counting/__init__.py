"""Exact numbers of completions, ranks and uniform walks, by layers of a frontier."""
