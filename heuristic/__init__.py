"""Cheap rules and the walker that obeys them."""
