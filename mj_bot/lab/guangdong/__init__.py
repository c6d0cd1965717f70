"""A second game: Guangdong mahjong with wild tiles, its records, its players and its duplicate matches.

It never changes a rule of the first game. Tiles, actions, numbers from seeds, training, statistics, commands and the
table in the browser are those of the other rooms. rules.py has every point that house rules differ in.
"""
