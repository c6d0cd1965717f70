"""Draws the hidden tiles of a game at random, so that they fit what a seat sees, and plays on from there.

The discards of the other seats may weigh the drawn worlds.
"""

from .worlds import Worlds, sample_worlds

__all__ = ["Worlds", "sample_worlds"]
