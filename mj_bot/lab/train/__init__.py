"""Training: recipes (encoder, network, heads, schedule), the loop that they share, export, measures, players."""
