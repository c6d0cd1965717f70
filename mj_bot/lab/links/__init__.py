"""Follows links to games: asks three platforms for their records, one request at a time, and keeps the answers."""
