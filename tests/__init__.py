"""Tests and benchmarks; they mirror the packages."""
