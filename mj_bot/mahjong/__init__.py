"""The game as a value: tiles, actions, melds, players, fans, shanten and the state that one seat sees.

No I/O, no clock, no randomness. Only fan.py imports MahjongGB.
"""
