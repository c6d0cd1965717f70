"""What a seat sees, as bytes: the layout as data, and the encoder of a GameState; what an action leaves of its hand;
and the fans of such hands, kept.

It never values a position, and it knows no network.
"""
