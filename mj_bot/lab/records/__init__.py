"""Reads and writes records of games. Each format has a file, formats.py lists them, and follow.py replays the moves."""
