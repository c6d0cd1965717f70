"""Readers and writers of game records: one format a file, formats.py is their registry, follow.py replays the moves."""
