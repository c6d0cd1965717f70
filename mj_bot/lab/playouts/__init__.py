"""Decisions played out: the games that may follow each of several actions, to the end or to a critic's verdict.

It never improves a tactic: it finds out what one misses. fit/headroom.py measures by it.
"""
