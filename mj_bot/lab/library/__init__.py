"""Keeps every game that its user has read or played here in one SQLite file, with queries and a page of each player."""
