"""How far a hand is from each pattern it may win with: the values that the rule-based tactic compares.

It never chooses an action: tactic/rule_based.py does.

A target is a whole winning hand of a pattern. It costs its missing tiles, each by the copies left unseen. A part of it
is a set or a pair. chow.py, group.py and irregular.py search for the cheapest targets of their patterns (targets.py has
the search, fans.py what a target costs for want of fans), value.py makes values of them, and hand.py does all of it for
one hand. tables.py has the patterns with their parts, scratch.py the memory of a hand.

Costs and values are in thousandths of a tile, whole numbers, so that equal sums are equal. The code is compiled in the
workshop and interpreted in the bot, see mj_bot/jit.py: it uses whole numbers and arrays, which are lists in the bot.
"""
