"""A seat for a person: a game in the browser against three players, with hints, undo and the record of it."""
