"""Every game that its user has read or played here: one SQLite file on this machine, its queries, a player's page."""
