"""Answers questions about any hand in the notations that players write.

The answer tells the fans of a winning hand, the waits of a ready hand, and the best discards of another hand. It needs
no game, only the tiles and what the user knows about the table.
"""
