"""Procedures: rules that no drawing can hold, as kernels."""
