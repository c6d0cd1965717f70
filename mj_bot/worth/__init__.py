"""What a hand is worth: the winning hands of eight fan and more that it may become, summed up.

value.py states the formula, valuer.py values decisions; docs/search.md works a hand through. One source, interpreted in
the bot and compiled in the workshop.

It never chooses an action: tactic/search.py does.
"""
