"""Contains a second game: Guangdong mahjong with wild tiles. It has rules, engine, players, records, matches, browser.

Tiles, action indices, random numbers, training and statistics are those of the other rooms.
"""
