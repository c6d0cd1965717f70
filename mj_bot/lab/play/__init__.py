"""A seat for a person: games in the browser with hints, undo and records; a game in the terminal."""
