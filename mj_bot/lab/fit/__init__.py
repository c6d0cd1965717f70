"""Numbers that tactics use, fitted by playing: tune, calibrate, correction.

It never changes a tactic: it prints the lines to put in place.
"""
