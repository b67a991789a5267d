"""Cheap rules for knight's tours: where to step next."""
