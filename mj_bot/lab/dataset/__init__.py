"""Makes and reads sets of games to learn from, which come from records or from self-play.

    dataset = open_dataset("build/sets/search")
    for batch in dataset.batches("train", 1024, seed=0):
        batch.observation, batch.mask, batch.action          # uint8[B, OBSERVATION_SIZE], bool[B, 235], int16[B]

A set is a folder of games in the compact form with a card.json. It keeps games and no observations. The engine makes
observations and masks from the games while a network trains, and each batch has shuffled decisions.
"""

from .reader import Batch, Dataset, open_dataset, open_datasets

__all__ = ["Batch", "Dataset", "open_dataset", "open_datasets"]
