"""How far a hand is from each pattern it may win with: the values that the rule-based tactic compares.

It never chooses an action: tactic/rule_based.py does.

A target is a whole winning hand of a pattern. Each missing tile has a cost that depends on its unseen copies. A part is
a set or a pair. chow.py, group.py and irregular.py search for the cheapest targets of their patterns (targets.py has
the search, fans.py the cost of too few fans). value.py computes values from them, and hand.py does all this for one
hand. tables.py has the patterns with their parts, scratch.py the memory of a hand.

Costs and values are whole thousandths of a tile, so sums have no rounding errors. The code is compiled in the
workshop and interpreted in the bot, see mj_bot/jit.py: it uses whole numbers and arrays, which are lists in the bot.
"""
