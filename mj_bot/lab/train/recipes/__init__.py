"""The recipes, one system a file; train/loop.py trains them all."""
