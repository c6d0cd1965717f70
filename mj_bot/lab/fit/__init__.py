"""Numbers found by playing: tune, calibrate and correction fit what tactics use.

It never changes a tactic: it prints the lines to put in place.
"""
