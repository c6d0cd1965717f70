"""Plays duplicate matches between players, and says with intervals who is better."""
