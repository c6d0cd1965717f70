"""A second game: Guangdong mahjong with wild tiles. Its rules, engine, players, records, matches and browser game.

Tiles, actions, random numbers, training and statistics are those of the other rooms.
"""
