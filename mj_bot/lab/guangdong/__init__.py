"""Contains a second game, Guangdong mahjong with wild tiles.

The room has the rules, an engine, players, records of winners, matches for the arena and a table in the browser. It
uses the tiles, action indices, random numbers, training and statistics of the other rooms.
"""
