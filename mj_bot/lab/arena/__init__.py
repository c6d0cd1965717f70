"""The arena: duplicate matches between players, and verdicts with intervals."""
