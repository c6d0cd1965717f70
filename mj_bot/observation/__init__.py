"""What a seat sees, as bytes: the layout as data, and the encoder of a GameState.

It never values a position, and it knows no network.
"""
