"""Training on sets of games: recipes (encoder, network, heads, schedule), their loop, export, measures, players."""
