"""Encodes what a seat sees as bytes.

The room has the layout as data, the encoder of a GameState, the openings of a decision with the hands that they leave,
and a memo of the fans of such hands.
"""
