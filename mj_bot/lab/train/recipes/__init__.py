"""The recipes, one system a file.

They never run the training loop: train/loop.py does, the same for all.
"""
