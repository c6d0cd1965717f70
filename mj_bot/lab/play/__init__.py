"""Gives a person a seat: games in the browser with hints, undo and records; a game in the terminal."""
