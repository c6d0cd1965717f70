"""The hidden tiles that fit what a seat sees: drawn at random, weighed by the discards of the others, played on."""

from .worlds import Worlds, sample_worlds

__all__ = ["Worlds", "sample_worlds"]
