"""Training: recipes (encoder, network, heads, schedule), the loop that they share, export, measures, players.

It never plays games to learn from: dataset and rl do.
"""
