"""Any hand in the notations that players write: its fans if it wins, its waits if it is ready, else its best discards.

It needs no game, only the tiles and what the user knows about the table.
"""
