"""Sets of games to learn from: made of records or of self-play, read as shuffled batches of decisions.

    dataset = open_dataset("build/sets/search")
    for batch in dataset.batches("train", 1024, seed=0):
        batch.observation, batch.mask, batch.action          # uint8[B, OBSERVATION_SIZE], bool[B, 235], int16[B]

A set is a folder of games (records/compact.py) with a card.json. It stores games; the engine makes observations
and masks from them while a network trains.
"""

from .reader import Batch, Dataset, open_dataset, open_datasets

__all__ = ["Batch", "Dataset", "open_dataset", "open_datasets"]
