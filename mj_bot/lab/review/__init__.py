"""A game as a page to step through, with what a tactic thinks of every decision in it.

It never changes a record, and its pages need no network.
"""
