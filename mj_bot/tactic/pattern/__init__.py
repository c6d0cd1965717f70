"""How far a hand is from each pattern it may win with: what the rule-based tactic thinks with.

It never chooses an action: tactic/rule_based.py does.

A target is a whole winning hand of a pattern. It costs the tiles that the held ones lack of it, each by the copies left
unseen. chow.py, group.py and irregular.py find the cheapest targets of their patterns, value.py makes values of them.

Costs and values are in thousandths of a tile, whole numbers, so that equal sums are equal. `need` is a list or tuple of
34 ints, the concealed tiles of a target by kind. A part of a target (a set, a pair, the nine tiles of three chows) is a
tuple of tiles 0..33.
"""
