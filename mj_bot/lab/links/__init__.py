"""Follows links to games: asks four platforms for their records, one request at a time, and keeps the answers."""
