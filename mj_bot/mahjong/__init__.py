"""The game as a value: tiles, actions, melds, players, fans, shanten and the state one seat sees.

No I/O, no clock, no randomness; Python 3.6, and MahjongGB behind fan.py alone.
"""
