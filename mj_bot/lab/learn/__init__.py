"""Asks questions from the mistakes of every game in the library: which to ask, and when a failed one comes back."""
