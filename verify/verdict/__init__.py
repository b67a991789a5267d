"""Verdicts on rules: proved, refuted or open; sharpening and reports."""
