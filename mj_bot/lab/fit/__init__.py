"""Numbers found by playing: tune, calibrate and correction fit what tactics use, headroom measures what playouts add.

It never changes a tactic: it prints the lines to put in place.
"""
