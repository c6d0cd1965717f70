"""What a hand is worth: the winning hands of eight fan and more that it may become, summed up.

docs/search.md has the formula and an example, valuer.py values decisions. One source, interpreted in the bot and
compiled in the workshop.

It never chooses an action: tactic/search.py does.
"""
