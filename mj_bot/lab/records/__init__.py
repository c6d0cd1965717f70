"""Readers and writers of game records, one format a file."""
