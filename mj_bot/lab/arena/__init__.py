"""Duplicate matches between players, and verdicts with intervals.

It never fits anything: a player comes in as its name and goes out with a number.
"""
