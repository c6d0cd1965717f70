"""A seat for a person: a game in the browser against three players, with hints, undo and the record of it.

It never serves another machine. `referee` is here too: one game in the terminal.
"""
