"""Duplicate matches between players, and verdicts with intervals."""
