"""Future lines: edges that every completion must use, and rules about them."""
