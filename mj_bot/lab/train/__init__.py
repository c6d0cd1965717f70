"""Training: recipes (encoder, network, heads, schedule), the loop that they share, export, and what came of each."""
