"""Readers and writers of game records, one format a file, formats.py their registry.

It never plays: it replays by the rules what others played.
"""
