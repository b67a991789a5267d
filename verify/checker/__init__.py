"""Independent checks: nothing in this room imports the rest of the toolkit."""
