"""Draws the hidden tiles of a game at random, so that they fit what a seat sees, and plays on from there.

The discards of the other seats can tell which of the drawn worlds are more likely.
"""

from .worlds import Worlds, draw_worlds

__all__ = ["Worlds", "draw_worlds"]
