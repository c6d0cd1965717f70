"""Games of the search against itself in which it draws its actions, and what they tell of what actions bring.

    games.py     plays them; critics of what became of their decisions
    parts.py     many of them in parts, by several processes
    signals.py   how many games each signal needs to tell good actions from bad ones
    refused.py   what actions that the search refuses would have brought
"""
