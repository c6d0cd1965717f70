"""Encodes what a seat sees as bytes.

layout.py has the layout as data, encoder.py writes the observation of a GameState, openings.py lists the openings of a
decision with the hands that they leave, and fan_memo.py caches the fans of such hands.
"""
