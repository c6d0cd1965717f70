"""Represents the game as values: tiles, actions, melds, players, fans, shanten and the state that one seat sees.

Nothing in this package reads files or the clock, and nothing is random. Only fan.py imports MahjongGB.
"""
