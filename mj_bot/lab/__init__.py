"""The workshop: engine, arena, records, training. Never shipped; Python 3.11, numba, torch."""
