"""Any hand in the notations that players write: its fans if it wins, its waits if it is ready, else its best discards.

It never needs a game: only the tiles, and what else the user knows.
"""
