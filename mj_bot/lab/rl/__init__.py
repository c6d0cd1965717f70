"""Improves a network by self-play on the batch engine: settings, league, actors, learner, their loop."""
