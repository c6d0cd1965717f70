"""A Chinese Standard Mahjong (MCR) player for Botzone, and the workshop around it."""

__version__ = "0.1.0"
